"""The menu of the space-time diagram: its axis, its direction, whose lines."""

from __future__ import annotations

from visual.window.inputs import Do
from visual.window.menus.entries import Entry, Menu
from visual.window.session import Session
from visual.window.state import Interface


def diagram_menu(interface: Interface, session: Session) -> Menu:
    """What can be chosen about the diagram."""
    seen, last = interface.diagram, session.timeline.step - 1
    causes = Entry(
        "causal past and future of this event", Do("go_to_event", last), on=interface.selection == f"event:{last}"
    )
    return Menu(
        "space–time",
        (
            Entry("real time", _unless(not seen.logical, "logical_axis"), "when it happened", not seen.logical),
            Entry("logical time", _unless(seen.logical, "logical_axis"), "the longest chain of causes", seen.logical),
            Entry("time to the right", _unless(not seen.down, "downwards"), on=not seen.down),
            Entry("time downwards", _unless(seen.down, "downwards"), on=seen.down),
            Entry("only who is involved", _unless(not seen.everybody, "everybody"), on=not seen.everybody),
            Entry("everybody", _unless(seen.everybody, "everybody"), on=seen.everybody),
            *([causes] if last >= 0 else []),
            Entry("a page around the present", Do("fit_diagram")),
        ),
    )


def _unless(already: bool, name: str) -> Do:
    return Do("say", "That is how it is shown.") if already else Do(name)
