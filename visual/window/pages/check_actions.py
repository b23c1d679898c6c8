"""Actions of the page that checks: its budget, start and stop, and the counter-example in place of the run."""

from __future__ import annotations

from dataclasses import replace

from algorithms.engine.observe.verdicts import BROKEN
from visual.window.action_table import action
from visual.window.page_state import BUDGETS, Budget
from visual.window.pages.checker import Check
from visual.window.playback import clock, playing
from visual.window.session import Session
from visual.window.state import Camera, Interface


@action
def change_budget(interface: Interface, session: Session, change: tuple[str, int]) -> Interface:
    """One more, or fewer, of something that the checker may try."""
    name, by = change
    allowed = BUDGETS[name]
    place = allowed.index(getattr(interface.budget, name)) + by
    if not 0 <= place < len(allowed):
        return interface
    return replace(interface, budget=Budget(**{**interface.budget._asdict(), name: allowed[place]}))


@action
def check(interface: Interface, session: Session, value: None) -> Interface:
    """Begin to check the present algorithm; if a check of it goes on, end that with what is known by now."""
    if session.check is not None and session.check.goes_on_for(session.scenario):
        session.check.stop()
        return interface
    session.end_check()
    session.check = Check(session.scenario, interface.budget)
    return playing.refresh(interface, session)


@action
def open_example(interface: Interface, session: Session, name: str) -> Interface:
    """Show the run in which that property fails in place of the present run, which can be gone back to.

    It opens right after the step that breaks the property; with no such step, at its end.
    """
    outcome = session.check.outcome if session.check else None
    example = next((found.example for found in outcome.found if found.name == name), None) if outcome else None
    if example is None:
        return interface
    session.visit(example)
    broken = (verdict.step for verdict in session.ledger.verdicts if verdict.name == name and verdict.status == BROKEN)
    if (step := next(broken, None)) is not None:
        session.seek(step)
    return _arrived(interface, session)


@action
def come_back(interface: Interface, session: Session, value: None) -> Interface:
    """Back to the run that was left for a counter-example, as it was."""
    if not session.come_back():
        return interface.say("There is no run to go back to.")
    return _arrived(interface, session)


def _arrived(interface: Interface, session: Session) -> Interface:
    clock.follow(session)
    interface = replace(interface, selection="", camera=Camera(), playing=False)
    return playing.settle(interface, session)
