"""Actions that move through the run: play, step, seek and change the speed."""

from __future__ import annotations

from bisect import bisect_left

from algorithms.engine.events import affected_nodes
from visual.analysis.event_index import EventFilter
from visual.window import intents
from visual.window.action_table import handle_with, handles
from visual.window.desk import Desk
from visual.window.playback import playing
from visual.window.run_view import RunView
from visual.window.state import SLOWEST, UNBOUND, Help, Interface


@handles(intents.play_pause)
def play_pause(interface: Interface, desk: Desk, value: None) -> Interface:
    """Play, or pause at the picture's time."""
    interface = playing.interrupted(interface, desk)
    if interface.playback.is_stepping and not interface.playback.playing:
        return interface.without(Help).with_playback(glide=None, playing=True)
    starts = not interface.playback.playing
    interface = interface.with_playback(playing=starts, goal=None)
    return playing.refresh(interface.without(Help) if starts else interface, desk)


@handles(intents.step_forward)
def step_forward(interface: Interface, desk: Desk, value: None) -> Interface:
    return playing.step(interface, desk)


@handles(intents.step_back)
def step_back(interface: Interface, desk: Desk, value: None) -> Interface:
    return playing.step_back(interface, desk)


@handles(intents.seek_step)
def seek_step(interface: Interface, desk: Desk, step: int) -> Interface:
    """Pause right after `step` steps."""
    desk.seek_step(step)
    return playing.settle(interface.paused(), desk)


@handles(intents.go_to_breach)
def go_to_breach(interface: Interface, desk: Desk, where: tuple[int, str]) -> Interface:
    """Pause right after the step that violated a property, and name it."""
    step, words = where
    return seek_step(interface, desk, step).say(words, 8.0)


@handles(intents.seek_start)
def seek_start(interface: Interface, desk: Desk, value: None) -> Interface:
    return seek_step(interface, desk, 0)


@handles(intents.seek_end)
def seek_end(interface: Interface, desk: Desk, value: None) -> Interface:
    return playing.seek(interface, desk, desk.horizon)


@handles(intents.play_past_end)
def play_past_end(interface: Interface, desk: Desk, value: None) -> Interface:
    """Play on past the scenario's end, in both runs."""
    for run in desk.runs:
        run.is_continued = True
        run.revision += 1
    said = "Playing past the scenario's end. R starts again, with the end."
    return playing.refresh(interface.with_playback(playing=True, goal=None), desk).say(said)


@handles(intents.seek_tenth)
def seek_tenth(interface: Interface, desk: Desk, tenth: int) -> Interface:
    return seek_share(interface, desk, tenth / 10)


@handles(intents.seek_share)
def seek_share(interface: Interface, desk: Desk, share: float) -> Interface:
    """Go to a share of the timeline's length."""
    return seek_start(interface, desk, None) if share <= 0 else playing.seek(interface, desk, share * desk.horizon)


def go_to_node(interface: Interface, desk: Desk, direction: int) -> Interface:
    """Go to the nearest executed event of the selected node."""
    node = interface.node
    if node is None:
        return interface.say("Select a node first: click it, or press ↓.")
    step = step_of_node(desk.front, node, direction) or (_execute_to(desk, node) if direction > 0 else None)
    if step is None:
        return interface.say(f"There is no {'later' if direction > 0 else 'earlier'} event of P{node}.")
    return seek_step(interface, desk, step)


_MOST_AHEAD = 1_000  # steps that are executed in search of a node's next event


def _execute_to(desk: Desk, node: int) -> int | None:
    """The step after the next event of a node that has not been executed yet; None if it is far away."""
    run = desk.front
    if desk.is_manual:
        return None
    before = run.timeline.step
    run.seek(run.timeline.frontier)
    for _ in range(_MOST_AHEAD):
        if not run.forward():
            break
        if node in affected_nodes(run.timeline.trace.event(run.timeline.step - 1), run.scenario.nodes):
            return run.timeline.step
    run.seek(before)
    return None


def step_of_node(run: RunView, node: int, direction: int) -> int | None:
    """The state right after the nearest executed event of `node`, before (-1) or after (+1) the present.

    As a number of steps; None if there is none.
    """
    steps, present = run.ledger.matching_steps(EventFilter(node=node)), run.timeline.step
    place = bisect_left(steps, present) if direction > 0 else bisect_left(steps, present - 1) - 1
    return steps[place] + 1 if 0 <= place < len(steps) else None


def go_to_marker(interface: Interface, desk: Desk, direction: int) -> Interface:
    """Go to the nearest marker, or to the nearest entry or fault without markers."""
    times = [marker.at for marker in desk.markers if marker.at <= desk.horizon]
    if not times:
        return _go_to_notable(interface, desk, direction)
    ahead = [time for time in times if (time - interface.playback.time) * direction > 1e-9]
    if not ahead:
        return interface.say(f"There is no {'later' if direction > 0 else 'earlier'} marker.")
    return playing.seek(interface, desk, min(ahead) if direction > 0 else max(ahead))


def _go_to_notable(interface: Interface, desk: Desk, direction: int) -> Interface:
    has_moved = desk.seek_notable(direction)
    interface = playing.settle(interface.paused(), desk)
    if has_moved:
        return interface
    return interface.say(f"There is no {'later' if direction > 0 else 'earlier'} entry or fault.")


def set_speed(interface: Interface, desk: Desk, speed: int) -> Interface:
    return interface.with_playback(speed=min(max(speed, SLOWEST), UNBOUND), delay=0.0)


@handles(intents.slide_speed)
def slide_speed(interface: Interface, desk: Desk, share: float) -> Interface:
    """Choose the speed at a share of the slider: 1/8x at 0, unlimited at 1."""
    return set_speed(interface, desk, round(SLOWEST + share * (UNBOUND - SLOWEST)))


def _change_speed(interface: Interface, desk: Desk, by: int) -> Interface:
    return set_speed(interface, desk, interface.playback.speed + by)


handle_with(intents.next_of_node, go_to_node, 1)
handle_with(intents.previous_of_node, go_to_node, -1)
handle_with(intents.next_marker, go_to_marker, 1)
handle_with(intents.previous_marker, go_to_marker, -1)
handle_with(intents.faster, _change_speed, 1)
handle_with(intents.slower, _change_speed, -1)
handle_with(intents.normal_speed, set_speed, 0)
