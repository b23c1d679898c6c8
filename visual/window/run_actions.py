"""Actions on the run: select something, do something to it, begin another run."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from algorithms.engine.events import SEQ
from algorithms.engine.faults import CRASHED
from algorithms.engine.rewrite import system_of
from algorithms.engine.workload import Load
from visual.window.action_table import action, named, with_value
from visual.window.compare.actions import aimed
from visual.window.menus.contents import most_nodes
from visual.window.menus.entries import selected
from visual.window.pages import branches, choose
from visual.window.playback import clock, playing
from visual.window.session import Session
from visual.window.state import Camera, Interface


@action
def select(interface: Interface, session: Session, what: str) -> Interface:
    """Select a node or message by id and open the inspector on it, which pauses; "" selects nothing."""
    if not what:
        return replace(interface, selection="")
    if interface.by_hand and what.startswith("message:"):
        return choose.pick_message(interface, session, int(what.partition(":")[2]))
    panels = interface.panels | {"inspector"}
    return playing.refresh(replace(interface, selection=what, panels=panels, playing=False), session)


def select_node(interface: Interface, session: Session, direction: int) -> Interface:
    """Select the neighbouring node in order of ids."""
    present = selected(interface).get("node")
    count = session.scenario.nodes
    node = (0 if direction > 0 else count - 1) if present is None else (present + direction) % count
    return replace(interface, selection=f"node:{node}")


def select_message(interface: Interface, session: Session, direction: int) -> Interface:
    """Select the neighbouring message in flight in order of arrival."""
    flying = [entry[SEQ] for entry in sorted(session.run.queue.between_processes())]
    if not flying:
        return interface.say("No message is on its way.")
    present = selected(interface).get("message")
    if present in flying:
        place = (flying.index(present) + direction) % len(flying)
    else:
        place = 0 if direction > 0 else len(flying) - 1
    return replace(interface, selection=f"message:{flying[place]}")


# ---- acting ------------------------------------------------------------------------------------------------


@action
def intervene(interface: Interface, session: Session, what: tuple[str, tuple[tuple[str, Any], ...]]) -> Interface:
    """Do something of the table of faults at the moment that is shown."""
    do, fields = what
    if system_of(session.run.algorithm):
        return interface.say("Nothing but rules can happen here: pick one on the page “choose”.")
    interface = playing.interrupted(interface, session)
    runs = aimed(interface, session, do, dict(fields))
    if not runs:
        return interface.say("That cannot be done in this run.")
    for run in runs:
        run.act(do, interface.time, **dict(fields))
    interface = playing.settle(interface, session)  # playing goes on from there
    failure = clock.failure(session)
    return interface.say(failure) if failure else interface


def at_node(interface: Interface, session: Session, do: str) -> Interface:
    """Do something to the selected node."""
    node = selected(interface).get("node")
    if node is None:
        return interface.say("Select a node first: click it, or press ↓.")
    return intervene(interface, session, (do, (("node", node),)))


@action
def crash_or_recover(interface: Interface, session: Session, value: None) -> Interface:
    node = selected(interface).get("node", -1)
    return at_node(interface, session, "recover" if session.run.down.get(node) == CRASHED else "crash")


@action
def pause_or_resume(interface: Interface, session: Session, value: None) -> Interface:
    node = selected(interface).get("node", -1)
    return at_node(interface, session, "resume" if node in session.run.down else "pause")


def at_message(interface: Interface, session: Session, do: str) -> Interface:
    """Do something to the selected message."""
    serial = selected(interface).get("message")
    if serial is None or session.message(serial) is None:
        return interface.say("Select a message first: click it, or press Shift+↓.")
    fields: tuple[tuple[str, Any], ...] = (("message", serial),)
    if do == "delay":
        fields += (("delay", 2 * (session.scenario.network.delay.mean or 1.0)),)
    return intervene(interface, session, (do, fields))


@action
def lose_token(interface: Interface, session: Session, value: None) -> Interface:
    if all(run.run.algorithm.token is None and not system_of(run.run.algorithm) for run in session.runs):
        return interface.say(f"{session.run.algorithm.title} has no token.")
    return intervene(interface, session, ("lose-token", ()))


@action
def change_load(interface: Interface, session: Session, load: Load) -> Interface:
    interface = playing.interrupted(interface, session)
    for run in aimed(interface, session, "load", {}):
        run.change_load(load, interface.time)
    return playing.settle(interface, session)  # playing goes on from there


@action
def undo(interface: Interface, session: Session, value: None) -> Interface:
    with_branch = branches.restored(interface, session)
    if with_branch is not None:
        return with_branch
    is_known = not clock.is_recalling(session)
    undone = clock.undo(session)
    if undone is None:
        return interface.say("There is nothing to undo.")
    interface = playing.settle(replace(interface, playing=False), session)
    return interface if is_known else playing.seek(interface, session, undone)


def restart(interface: Interface, session: Session, seed: int | None) -> Interface:
    for run in session.runs:
        run.restart(seed)
    return begun(interface, session)


@action
def new_seed(interface: Interface, session: Session, value: None) -> Interface:
    return restart(interface, session, session.scenario.seed + 1)


@action
def choose_algorithm(interface: Interface, session: Session, which: tuple[str, str | None]) -> Interface:
    session.choose_algorithm(*which)
    return begun(interface, session)


@action
def choose_nodes(interface: Interface, session: Session, nodes: int) -> Interface:
    for run in session.runs:
        run.choose_nodes(nodes)
    return begun(interface, session)


@action
def nodes_typed(interface: Interface, session: Session, text: str) -> Interface:
    most = most_nodes(session)
    if text.strip().isdecimal() and 2 <= int(text) <= most:
        return choose_nodes(interface, session, int(text))
    return interface.say(f"The number of nodes is a whole number from 2 to {most}.")


@action
def seed_typed(interface: Interface, session: Session, text: str) -> Interface:
    if text.strip().isdecimal():
        return restart(interface, session, int(text))
    return interface.say("A seed is a whole number, 0 or larger.")


def begun(interface: Interface, session: Session) -> Interface:
    """The interface at the beginning of another run."""
    clock.seek_step(session, session.timeline.step)
    interface = replace(interface, selection="", camera=Camera(), scrolled=())
    return playing.settle(interface, session)


with_value("select_next_node", select_node, 1)
with_value("select_previous_node", select_node, -1)
with_value("select_next_message", select_message, 1)
with_value("select_previous_message", select_message, -1)
with_value("request", at_node, "request")
with_value("drop", at_message, "drop")
with_value("delay", at_message, "delay")
with_value("restart", restart, None)
named("choose_seed", restart)
