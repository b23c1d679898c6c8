"""Actions in the pages of the column at the right that list something."""

from __future__ import annotations

from dataclasses import replace

from visual.interface import clock, moving, playing
from visual.interface.doing import action
from visual.interface.session import Session
from visual.interface.state import Field, Interface


@action
def go_to_line(interface: Interface, session: Session, where: tuple[str, float, int]) -> Interface:
    """Pause right after the step of a line, its list staying as far scrolled as it is."""
    panel, offset, step = where
    return moving.seek_step(interface, session, step).browse(panel, offset, step)


@action
def sift(interface: Interface, session: Session, kind: str) -> Interface:
    """List the events of that kind, or do not."""
    sieve = interface.sieve
    return replace(interface, sieve=sieve._replace(hidden=sieve.hidden ^ {kind}))


@action
def sift_node(interface: Interface, session: Session, value: None) -> Interface:
    """List only what concerns the selected node, or everything."""
    sieve = interface.sieve
    listed = replace(interface, sieve=sieve._replace(of_node=not sieve.of_node))
    return (
        listed if interface.selection.startswith("node:") or sieve.of_node else listed.say("Select a node: click it.")
    )


@action
def go_to_moment(interface: Interface, session: Session, where: tuple[str, float, float]) -> Interface:
    """Pause at that time, the list of its line staying as far scrolled as it is."""
    panel, offset, time = where
    interface = playing.seek(interface, session, time)
    return interface.browse(panel, offset, session.timeline.step)


# ---- branches ----------------------------------------------------------------------------------------------


@action
def go_to_branch(interface: Interface, session: Session, name: str) -> Interface:
    """Show that course of the run, at the present moment or where it ends, as soon as it has been executed so far."""
    moment = session.now if interface.goal is None else interface.goal
    interface = replace(playing.interrupted(interface, session), playing=False)
    session.go_to_branch(name)
    goal = min(moment, session.timeline.branch.end)
    is_there = session.now >= goal
    clock.follow(session)
    interface = playing.settle(interface, session)
    return interface if is_there else replace(interface, goal=goal)


@action
def name_branch(interface: Interface, session: Session, value: None) -> Interface:
    """Begin to type another name for the present branch."""
    name = session.timeline.branch.name
    return replace(interface, field=Field(name, len(name), takes="rename_branch"), playing=False)


@action
def rename_branch(interface: Interface, session: Session, typed: str) -> Interface:
    """Give the present branch that name, if no other has it."""
    name, branch = typed.strip(), session.timeline.branch
    if name == branch.name:
        return interface
    if not name or name in session.timeline.branches:
        return interface.say("A branch needs a name that no other has." if name else "A branch needs a name.")
    session.rename_branch(name)
    return playing.refresh(interface, session)


# ---- history -----------------------------------------------------------------------------------------------


@action
def look_at_variable(interface: Interface, session: Session, name: str) -> Interface:
    """Show what that variable of the selected node has been."""
    return replace(interface, variable=name).scroll_to("history", 0.0)
