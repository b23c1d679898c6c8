"""Actions on the run: select, intervene, start another run."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from algorithms.engine.events import SEQ
from algorithms.engine.observe.offered_load import LOAD_SCALE, load_for, offered_load, pace_for
from algorithms.engine.rewrite import MOST_NODES_IN_TERM
from algorithms.engine.workload import Load
from visual.window import intents, keys
from visual.window.action_table import handle, handle_with, handles
from visual.window.arrangement import beside_graph
from visual.window.desk import Desk
from visual.window.pages import branches, choose
from visual.window.playback import playing
from visual.window.run_view import RunView
from visual.window.state import NO_NODE, Camera, Interface, OpenMenu, Scrolls, Selection
from visual.words import node_name

MOST_NODES_SHOWN = 300  # the largest graph that the window draws
OF_ONE_RUN = ("drop", "delay", "duplicate", "deliver", "fire", "exit", "act")
"""Interventions that name messages or timers, which only one run has."""


@handles(intents.select)
def select(interface: Interface, desk: Desk, what: str) -> Interface:
    """Select a node or message by id and inspect it, which pauses; "" clears the selection."""
    if not what:
        return replace(interface, selection=None)
    selection = Selection.of(what)
    if desk.is_manual and selection and selection.kind == "message":
        return choose.pick_message(interface, desk, selection.number)
    panels = interface.display.panels | {"inspector"}
    return playing.refresh(replace(interface.paused().with_display(panels=panels), selection=selection), desk)


@handles(intents.open_actions)
def open_actions(interface: Interface, desk: Desk, where: tuple[str, float, float]) -> Interface:
    """Select the node or message under the pointer, and open the menu of what can be done to it."""
    shape, x, y = where
    selected = replace(interface.paused().focused().without(OpenMenu), selection=Selection.of(shape))
    return selected.over(OpenMenu(f"here:{x:.0f}:{y:.0f}")).browsed("menu", 0.0, -1)


def select_node(interface: Interface, desk: Desk, direction: int) -> Interface:
    """Select the next (+1) or previous (-1) node by number."""
    present = interface.node
    count = desk.front.scenario.nodes
    node = (0 if direction > 0 else count - 1) if present is None else (present + direction) % count
    return replace(interface, selection=Selection("node", node))


def select_message(interface: Interface, desk: Desk, direction: int) -> Interface:
    """Select the next (+1) or previous (-1) message in transit by arrival."""
    serials = [entry[SEQ] for entry in sorted(desk.front.simulation.queue.between_processes())]
    if not serials:
        return interface.say("No message is in transit.")
    present = interface.message
    start = serials.index(present) if present in serials else (-1 if direction > 0 else 0)
    return replace(interface, selection=Selection("message", serials[(start + direction) % len(serials)]))


# ---- acting ------------------------------------------------------------------------------------------------


@handles(intents.intervene)
def intervene(interface: Interface, desk: Desk, what: tuple[str, tuple[tuple[str, Any], ...]]) -> Interface:
    """Apply an intervention of the table of faults at the present moment."""
    do, fields = what
    if desk.front.system:
        return interface.say("Only rules can happen here: pick one on the page “choose”.")
    interface = playing.interrupted(interface, desk)
    runs = _target_runs(interface, desk, do, dict(fields))
    if not runs:
        return interface.say("That cannot be done in this run.")
    for run in runs:
        run.act(do, interface.playback.time, **dict(fields))
    interface = playing.settle(interface, desk)  # playing goes on from there
    failure = desk.failure
    return interface.say(failure) if failure else interface


def _target_runs(interface: Interface, desk: Desk, do: str, fields: dict[str, Any]) -> list[RunView]:
    """The runs in which an intervention takes effect; one on a message concerns the front run only."""
    if not desk.is_pair:
        return [desk.front]
    desk.seek_time(interface.playback.time)
    if "message" in fields or do in OF_ONE_RUN:
        return [desk.front]
    return [desk.runs[place] for place in desk.aim if _can_act(desk.runs[place], do, fields)]


def _can_act(run: RunView, do: str, fields: dict[str, Any]) -> bool:
    """Whether the run has the nodes that an intervention names, and the token."""
    nodes = (fields.get("node") or 0, fields.get("to") or 0)
    return max(nodes) < run.scenario.nodes and (run.simulation.algorithm.token is not None or "token" not in do)


def at_node(interface: Interface, desk: Desk, do: str) -> Interface:
    """Apply an intervention to the selected node."""
    node = interface.node
    if node is None:
        return interface.say(NO_NODE)
    obstacle = why_not(desk.front, do, node)
    if obstacle:
        return interface.say(obstacle)
    return intervene(interface, desk, (do, (("node", node),)))


def why_not(run: RunView, do: str, node: int) -> str:
    """Why a node cannot do what is asked of it; "" if it can."""
    simulation = run.simulation
    if simulation.is_up(node) or do not in ("request", "pause", "exit", "leave", "fire"):
        return ""
    who = node_name(node)
    if simulation.is_crashed(node):
        return f"{who} has crashed and cannot act: {keys.hint(intents.crash_or_recover())} lets it recover."
    if simulation.is_paused(node):
        return "" if do == "leave" else f"{who} is paused: {keys.hint(intents.pause_or_resume())} lets it resume."
    return f"{who} does not take part."


@handles(intents.crash_or_recover)
def crash_or_recover(interface: Interface, desk: Desk, value: None) -> Interface:
    node, run = interface.node, desk.front.simulation
    is_crashed = node is not None and run.is_crashed(node)
    known = {} if node is None or run.is_gone(node) else vars(run.processes[node])
    was_leader = node is not None and known.get("leader") == node
    interface = at_node(interface, desk, "recover" if is_crashed else "crash")
    if node is None or not was_leader or any("suspected" in name for name in known):
        return interface
    hint = f"select another node and press {keys.hint(intents.request())} to start an election."
    return interface.say(f"{node_name(node)} led, and no process can notice its crash by itself: {hint}", 8.0)


@handles(intents.pause_or_resume)
def pause_or_resume(interface: Interface, desk: Desk, value: None) -> Interface:
    node = interface.node
    is_up = node is not None and desk.front.simulation.is_up(node)
    return at_node(interface, desk, "pause" if is_up else "resume")


def at_message(interface: Interface, desk: Desk, do: str) -> Interface:
    """Apply an intervention to the selected message."""
    serial = interface.message
    if serial is None or desk.front.message(serial) is None:
        return interface.say("Select a message first: click it, or press Shift+↓.")
    fields: tuple[tuple[str, Any], ...] = (("message", serial),)
    if do == "delay":
        fields += (("delay", 2 * desk.front.flight),)
    return intervene(interface, desk, (do, fields))


@handles(intents.lose_token)
def lose_token(interface: Interface, desk: Desk, value: None) -> Interface:
    if all(run.simulation.algorithm.token is None and not run.system for run in desk.runs):
        return interface.say(f"{desk.front.simulation.algorithm.title} has no token.")
    return intervene(interface, desk, ("lose-token", ()))


@handles(intents.change_load)
def change_load(interface: Interface, desk: Desk, load: Load) -> Interface:
    interface = playing.interrupted(interface, desk)
    for run in _target_runs(interface, desk, "load", {}):
        run.change_load(load, interface.playback.time)
    return playing.settle(interface, desk)  # playing goes on from there


@handles(intents.undo)
def undo(interface: Interface, desk: Desk, value: None) -> Interface:
    with_branch = branches.restore_deleted(interface, desk)
    if with_branch is not None:
        return with_branch
    is_known = not desk.is_recalling
    undone = desk.undo()
    if undone is None:
        return interface.say("There is nothing to undo.")
    interface = playing.settle(interface.paused(), desk)
    return interface if is_known else playing.seek(interface, desk, undone)


def restart(interface: Interface, desk: Desk, seed: int | None) -> Interface:
    for run in desk.runs:
        run.restart(seed)
    begun = begin_run(interface, desk)
    return replace(begun, graph=begun.graph._replace(positions=interface.graph.positions))


@handles(intents.new_seed)
def new_seed(interface: Interface, desk: Desk, value: None) -> Interface:
    return restart(interface, desk, desk.front.scenario.seed + 1)


@handles(intents.choose_algorithm)
def choose_algorithm(interface: Interface, desk: Desk, which: tuple[str, str | None]) -> Interface:
    desk.front.choose_algorithm(*which)
    return begin_run(interface, desk)


@handles(intents.choose_nodes)
def choose_nodes(interface: Interface, desk: Desk, nodes: int) -> Interface:
    for run in desk.runs:
        run.choose_nodes(nodes)
    return begin_run(interface, desk)


@handles(intents.choose_network)
def choose_network(interface: Interface, desk: Desk, change: dict[str, Any]) -> Interface:
    """Start the run again with other channels."""
    for run in desk.runs:
        run.open(replace(run.scenario, network=replace(run.scenario.network, **change)), run.path)
    return begin_run(interface, desk)


@handles(intents.nodes_typed)
def nodes_typed(interface: Interface, desk: Desk, text: str) -> Interface:
    most = most_nodes(desk.front)
    if text.strip().isdecimal() and 2 <= int(text) <= most:
        return choose_nodes(interface, desk, int(text))
    return interface.say(f"The number of nodes is a whole number from 2 to {most}.")


@handles(intents.seed_typed)
def seed_typed(interface: Interface, desk: Desk, text: str) -> Interface:
    if text.strip().isdecimal():
        return restart(interface, desk, int(text))
    return interface.say("A seed is a whole number, 0 or larger.")


def begin_run(interface: Interface, desk: Desk) -> Interface:
    """Show the beginning of a fresh run."""
    desk.seek_step(desk.front.timeline.step)
    interface = replace(
        beside_graph(interface, interface.display.page),
        graph=interface.graph._replace(camera=Camera(), positions=()),  # nodes were moved in the previous run
        selection=None,
        scrolls=Scrolls(by_hand=interface.scrolls.by_hand),
    )
    if desk.lesson is not None and not desk.lesson.is_about(desk.front.scenario):
        desk.lesson, desk.front.gate = None, None
        interface = interface.with_display(lesson_share=0.0).say("The lesson is over: another run has been opened.")
    return playing.settle(interface, desk)


handle_with(intents.select_next_node, select_node, 1)
handle_with(intents.select_previous_node, select_node, -1)
handle_with(intents.select_next_message, select_message, 1)
handle_with(intents.select_previous_message, select_message, -1)
handle_with(intents.request, at_node, "request")
handle_with(intents.drop, at_message, "drop")
handle_with(intents.delay, at_message, "delay")
handle_with(intents.restart, restart, None)
handle(intents.choose_seed, restart)


def most_nodes(run: RunView) -> int:
    """The largest number of nodes for the algorithm of a run."""
    return MOST_NODES_IN_TERM if run.system else MOST_NODES_SHOWN


@handles(intents.offer)
def offer(interface: Interface, desk: Desk, load: float) -> Interface:
    """Offer a load from now on, through requests or the algorithm's own pace."""
    if desk.front.simulation.algorithm.is_election():
        return interface.say("Elections start when a process calls one: there is no load.")
    for run in _target_runs(interface, desk, "load", {}):
        _undo_last_offer(run, interface.playback.time)
        _offer(run, load, interface.playback.time)
    interface = playing.settle(interface, desk)  # playing goes on from there
    return interface.say(f"Offered load from now on: {load:g}.")


@handles(intents.slide_load)
def slide_load(interface: Interface, desk: Desk, share: float) -> Interface:
    """Offer the load at that share of the slider, unless it is offered already."""
    load = LOAD_SCALE[round(share * (len(LOAD_SCALE) - 1))]
    present = offered_load(desk.front.simulation)
    if present is not None and abs(present - load) < 0.005:
        return interface
    return offer(interface, desk, load)


def _change_load(interface: Interface, desk: Desk, by: int) -> Interface:
    """Offer the next larger (+1) or smaller (-1) load."""
    present = offered_load(desk.front.simulation) or 0.0
    others = [load for load in LOAD_SCALE if (load - present) * by > 0.005]
    return offer(interface, desk, min(others, key=lambda load: abs(load - present))) if others else interface


def share_of(load: float | None) -> float:
    """The position of a load on the slider, as a share."""
    nearest = min(range(len(LOAD_SCALE)), key=lambda place: abs(LOAD_SCALE[place] - (load or 0.0)))
    return nearest / (len(LOAD_SCALE) - 1)


def _offer(run: RunView, load: float, time: float) -> None:
    simulation = run.simulation
    pace = pace_for(simulation, load)
    if pace is None:
        run.change_load(load_for(simulation, load), time)
    else:
        run.act("tune", time, parameter=simulation.algorithm.paced_by, value=pace)


def _undo_last_offer(run: RunView, time: float) -> None:
    """Undo a load change at the same moment, since only the last one counts."""
    timeline = run.timeline
    done = [event for event in timeline.branch.interventions if event.by_hand]
    if done and done[-1].do in ("load", "tune") and done[-1].step == timeline.step - 1 and done[-1].at >= time:
        run.undo()


handle_with(intents.more_load, _change_load, 1)
handle_with(intents.less_load, _change_load, -1)
