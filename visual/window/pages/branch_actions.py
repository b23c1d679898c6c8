"""Actions on the branches of a run: go to one, name it, delete it."""

from __future__ import annotations

from dataclasses import replace

from visual.window import keys
from visual.window.action_table import action
from visual.window.playback import clock, playing
from visual.window.session import Session
from visual.window.state import Field, Interface


@action
def go_to_branch(interface: Interface, session: Session, name: str) -> Interface:
    """Show that course of the run, at the present moment or where it ends."""
    moment = _moment(interface, session)
    session.go_to_branch(name)
    return _arrived(interface, session, moment)


def _moment(interface: Interface, session: Session) -> float:
    """The moment that is shown, or that is on its way to be shown."""
    return clock.now(session) if interface.goal is None else interface.goal


def _arrived(interface: Interface, session: Session, moment: float) -> Interface:
    """At that moment of another branch, or where it ends: it may have to be executed so far again.

    A run beside it shows the same moment, on the branch that it is on.
    """
    goal = min(moment, session.timeline.branch.end)
    interface = playing.settle(replace(interface, playing=False), session)
    upcoming = session.next_time
    if session.now < goal and upcoming is not None and upcoming <= goal:
        return replace(interface, goal=goal)
    for run in session.runs:
        if run is not session:
            run.seek_time(goal)
    return playing.settle(interface, session)


@action
def name_branch(interface: Interface, session: Session, value: None) -> Interface:
    """Begin to type another name for the present branch."""
    name = session.timeline.branch.name
    return replace(interface, field=Field(name, len(name), takes="rename_branch"), playing=False)


@action
def rename_branch(interface: Interface, session: Session, typed: str) -> Interface:
    """Give the present branch that name, if no other has it."""
    name, timeline = typed.strip(), session.timeline
    if name == timeline.branch.name:
        return interface
    if not name or name in timeline.names:
        return interface.say("A branch needs a name that no other has." if name else "A branch needs a name.")
    session.rename_branch(name)
    return playing.refresh(interface, session)


@action
def delete_branch(interface: Interface, session: Session, name: str) -> Interface:
    """Forget that course of the run; what leaves it leaves its parent instead. Undo brings it back."""
    timeline = session.timeline
    if timeline.branches[name].parent is None:
        return interface.say(f"“{name}” stays: it is what the others leave.")
    moment, was_shown = _moment(interface, session), timeline.branch.name == name
    session.delete_branch(name)
    if interface.focus:
        interface = replace(interface, focus=f"branches.{timeline.branch.name}")
    interface = _arrived(interface, session, moment) if was_shown else playing.refresh(interface, session)
    return interface.say(f"“{name}” is deleted: {keys.hint('undo')} brings it back.", 8.0)


@action
def delete_line(interface: Interface, session: Session, value: None) -> Interface:
    """Delete the branch whose line has the focus; the present one where none has."""
    if interface.page != "branches":
        return interface.say("Only a branch can be deleted: its page lists them.")
    name, timeline = interface.focus.removeprefix("branches."), session.timeline
    return delete_branch(interface, session, name if name in timeline.branches else timeline.branch.name)


def restored(interface: Interface, session: Session) -> Interface | None:
    """The branch that was deleted is back, if deleting it is what was done last; otherwise None."""
    moment, before = _moment(interface, session), session.timeline.branch
    name = session.restore_branch()
    if name is None:
        return None
    changed = session.timeline.branch is not before
    interface = _arrived(interface, session, moment) if changed else playing.refresh(interface, session)
    return interface.say(f"“{name}” is back.")
