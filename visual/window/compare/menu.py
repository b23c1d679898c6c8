"""The menu of what a run can be put beside."""

from __future__ import annotations

from algorithms import catalog, scenario_file
from algorithms.engine.process import Algorithm
from visual.window.compare import actions
from visual.window.inputs import Do
from visual.window.menus.entries import Entry, Menu
from visual.window.session import Session

_WORDS = "show it beside"


def compare_menu(session: Session, chosen: str) -> Menu:
    """What to compare with; or, once "algorithm" or "file" is chosen, which one."""
    if chosen == "algorithm":
        return Menu(f"{_WORDS} another algorithm or variant", tuple(_algorithms(session)))
    if chosen == "file":
        return Menu(f"{_WORDS} a scenario or file", tuple(_scenarios(session)), "my-scenario.toml", "compare_typed")
    return Menu(_WORDS, tuple(_first_entries(session)))


def _first_entries(session: Session) -> list[Entry]:
    entries = [
        Entry("another algorithm or variant …", Do("open_menu", "compare:algorithm"), "same seed, load and faults"),
    ]
    if actions.has_faults(session):
        entries.append(Entry("the same without its faults", Do("compare", actions.without_faults(session))))
    if actions.was_touched(session):
        entries.append(Entry("the same without what you did", Do("compare", actions.untouched(session))))
    entries += [
        Entry(f"the branch “{name}”", Do("compare", actions.branch(session, branch)))
        for name, branch in session.timeline.branches.items()
        if branch is not session.timeline.branch
    ]
    return [*entries, Entry("a scenario or file …", Do("open_menu", "compare:file"))]


def _algorithms(session: Session) -> list[Entry]:
    """The variants of the present algorithm, which mend or break it, then the others of the family."""
    present = session.run.algorithm
    scenario = session.scenario
    others = [
        Entry(algorithm.title, _beside(session, algorithm.name), algorithm.summary)
        for algorithm in _relatives(present.name)
        if algorithm.name != present.name
    ]
    own = [
        Entry(f"… {name or 'as published'}", _beside(session, present.name, name), note)
        for name, note in ((None, present.summary), *((n, v.summary) for n, v in present.variants.items()))
        if name != scenario.variant
    ]
    return [*([Entry(present.title), *own, Entry("others of the family")] if own else []), *others]


def _beside(session: Session, name: str, variant: str | None = None) -> Do:
    return Do("compare", actions.another_algorithm(session, name, variant))


def _relatives(name: str) -> list[Algorithm]:
    """The family of an algorithm, in the order of the titles that the menu shows."""
    families = catalog.by_family().values()
    family = next(family for family in families if any(algorithm.name == name for algorithm in family))
    return sorted(family, key=lambda algorithm: algorithm.title)


def _scenarios(session: Session) -> list[Entry]:
    return [Entry(name, Do("compare_typed", name)) for name in scenario_file.names()]
