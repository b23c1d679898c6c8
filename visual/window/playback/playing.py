"""The passing of time in the picture: playing, gliding to the next event, seeking in slices; and its actions."""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import replace
from math import inf

from algorithms.clock import wall_clock
from algorithms.engine.events import affected_nodes
from algorithms.engine.scenario import Marker
from visual.analysis.event_index import EventFilter
from visual.window import intents
from visual.window.action_table import handle_with, handles
from visual.window.desk import Desk
from visual.window.diagram.scrolling import followed
from visual.window.run_view import MOST_STEPS, RunView
from visual.window.state import NO_NODE, SLOWEST, UNBOUND, Glide, Help, Interface

WORK = 0.012  # seconds of work per frame at most, which leaves room for 60 frames per second
BESIDE = 0.004  # seconds of them reserved for background work while the run moves
REFRESH = 0.1  # seconds between two refreshes of the panels while the run plays
DELAY = 0.2  # seconds between two simultaneous steps, each shorter than the last by FADING
FADING = 0.8  # all simultaneous steps together take at most DELAY / (1 - FADING), one second
SHORTEST_GLIDE, LONGEST_GLIDE = 0.15, 0.6  # seconds

STOPPED = 8.0  # seconds for the reason of a stop

TOO_LONG = f"This run has {MOST_STEPS:,} steps, the most that a run can have. R starts again."


def tick(interface: Interface, desk: Desk, seconds: float) -> Interface:
    """The interface `seconds` of wall time later."""
    stop, wall = wall_clock() + WORK, interface.clock + seconds
    hover_seconds = interface.pointer.hover_seconds + seconds if interface.pointer.hover else 0.0
    notice = interface.notice if interface.notice and interface.notice.until > wall else None
    pointer = interface.pointer._replace(hover_seconds=hover_seconds)
    interface = replace(interface, pointer=pointer, clock=wall, notice=notice)
    if interface.playback.goal is not None:
        interface = _seek_on(interface, desk, interface.playback.goal)
    elif interface.playback.glide is not None:
        interface = _glide_on(interface, desk, interface.playback.glide, seconds)
    elif interface.playback.playing and not interface.menu:  # a choice applies to the visible moment
        interface = _play_on(interface, desk, seconds)
    for run in desk.runs:
        if interface.playback.goal is None:  # a seek executes it again on the way
            run.recall(_left(interface, stop))
        if interface.is_moving:  # a little in each frame avoids a long wait when a panel opens
            run.ledger.keep_up()
    desk.look_at_work(wall)
    if desk.lesson is not None and desk.lesson.work(desk.front.timeline):
        desk.front.revision += 1
    if interface.display.page in ("plots", "history"):
        _study(interface, desk, stop)
    if interface.is_moving and interface.diagram.is_scrolled:
        interface = followed(interface, desk)
    if (interface.is_moving or interface.panel_revision != desk.revision) and _needs_refresh(interface):
        interface = refresh(interface, desk)
    return interface


def _left(interface: Interface, stop: float) -> float:
    """Seconds of this frame left for background work; negative if it is late."""
    left = stop - wall_clock()
    return min(left, BESIDE) if interface.is_moving else left


def _study(interface: Interface, desk: Desk, stop: float) -> None:
    """Continue the reference runs of the plots or a node's history, and let the panels follow.

    Their creation takes time too where there are many nodes, so the rest is measured after it.
    """
    run = desk.front
    if interface.display.page == "plots":
        studies = run.ledger.studies
        run.revision += studies.work(_left(interface, stop))
    elif interface.node is not None:
        history = run.ledger.variable_history(interface.node)
        run.revision += history.work(_left(interface, stop))


def _needs_refresh(interface: Interface) -> bool:
    """Whether the panels catch up with the run in this frame."""
    return interface.clock - interface.refreshed_at >= REFRESH


def refresh(interface: Interface, desk: Desk) -> Interface:
    """Let the panels show the run as it is now."""
    return replace(interface, panel_revision=desk.revision, refreshed_at=interface.clock)


def settle(interface: Interface, desk: Desk, time: float | None = None) -> Interface:
    """Stop the picture at `time`, or at the last step; panels and selection follow the run."""
    run, selection = desk.front, interface.selection
    gone = interface.message is not None and run.message(interface.message) is None
    gone = gone or (interface.node is not None and interface.node >= run.scenario.nodes)
    gone = gone or (interface.event is not None and interface.event >= run.timeline.frontier)
    present = desk.now if time is None else time
    interface = interface.with_playback(time=present, glide=None, goal=None, delay=0.0, simultaneous=0)
    interface = replace(interface, selection=None if gone else selection)
    return refresh(followed(interface, desk) if interface.diagram.is_scrolled else interface, desk)


def seek(interface: Interface, desk: Desk, time: float) -> Interface:
    """Pause and go to `time`, at once or, where that takes long, by a slice in each tick."""
    return _seek_on(interface.with_playback(playing=False, glide=None), desk, max(0.0, time))


def interrupted(interface: Interface, desk: Desk) -> Interface:
    """A copy without a seek in progress; two runs return to the moment that both have reached."""
    if interface.playback.goal is None:
        return interface
    desk.meet()
    return interface.with_playback(goal=None, time=desk.now)


@handles(intents.step_forward)
def step(interface: Interface, desk: Desk, value: None) -> Interface:
    """Pause and move to the next event, gliding unless motion is reduced."""
    interface = interrupted(interface, desk)
    if interface.playback.is_stepping:
        interface = _execute(interface, desk)
    upcoming = desk.next_time
    interface = interface.with_playback(playing=False, goal=None)
    if upcoming is None:
        return _end(interface, desk)
    if interface.display.reduced_motion or upcoming <= interface.playback.time:
        return _execute(interface, desk)
    speed = desk.pace * 2.0 ** min(interface.playback.speed, UNBOUND)  # units of the run's time per second
    seconds = min(max((upcoming - interface.playback.time) / speed, SHORTEST_GLIDE), LONGEST_GLIDE)
    return interface.with_playback(glide=Glide(interface.playback.time, upcoming, seconds, step=True))


@handles(intents.step_back)
def step_back(interface: Interface, desk: Desk, value: None) -> Interface:
    """Pause and take the last step back; the picture glides to the step before."""
    interface = interrupted(interface, desk)
    if interface.playback.is_stepping:  # that step has not happened yet
        return settle(interface.paused(), desk)
    before = interface.playback.time
    desk.back()
    interface = settle(interface.paused(), desk)
    if interface.display.reduced_motion or before <= interface.playback.time:
        return interface
    upcoming = desk.next_time
    start = before if upcoming is None else min(before, upcoming)
    return interface.with_playback(time=start, glide=Glide(start, interface.playback.time, SHORTEST_GLIDE))


def _seek_on(interface: Interface, desk: Desk, goal: float) -> Interface:
    if not desk.seek_time(goal, WORK):
        return interface.with_playback(goal=goal, time=desk.now, glide=None)
    has_arrived = not desk.is_longest and goal < inf
    return settle(interface, desk, max(goal, desk.now) if has_arrived else desk.now)


def _glide_on(interface: Interface, desk: Desk, glide: Glide, seconds: float) -> Interface:
    passed = glide.passed + seconds
    if passed >= glide.seconds:
        return _arrive(interface, desk, glide)
    share = passed / glide.seconds
    eased = share * share * (3 - 2 * share)
    time = glide.start + (glide.goal - glide.start) * eased
    return interface.with_playback(time=time, glide=glide._replace(passed=passed))


def _arrive(interface: Interface, desk: Desk, glide: Glide) -> Interface:
    if glide.step:
        return _execute(interface, desk)
    return interface.with_playback(time=glide.goal, glide=None)


def _execute(interface: Interface, desk: Desk) -> Interface:
    has_moved = desk.forward()
    interface = settle(interface, desk)
    return interface if has_moved else interface.say(desk.failure or TOO_LONG)


def _play_on(interface: Interface, desk: Desk, seconds: float) -> Interface:
    if interface.playback.speed == UNBOUND:
        return _race(interface, desk)
    stop = wall_clock() + WORK - BESIDE
    speed = 2.0**interface.playback.speed
    goal = interface.playback.time + seconds * desk.pace * speed
    marker = _next_marker(interface, desk)
    if marker is not None:
        goal = min(goal, marker.at)
    delay, simultaneous, moved = interface.playback.delay - seconds, interface.playback.simultaneous, 0
    while True:
        upcoming = desk.next_time
        if upcoming is None and marker is None and goal >= (desk.end or 0.0):
            return _end(interface, desk)
        if upcoming is None or upcoming > goal:
            interface = _captioned(interface, desk, moved).with_playback(time=goal, delay=0.0, simultaneous=0)
            return interface if marker is None or goal < marker.at else _stop_at(interface, desk, marker)
        if moved and wall_clock() > stop:
            return interface.with_playback(time=desk.now, delay=0.0, simultaneous=0)
        simultaneous = simultaneous + 1 if upcoming <= desk.now else 0
        if simultaneous and delay > 0:  # simultaneous steps are shown one after the other
            interface = _captioned(interface, desk, moved)
            return interface.with_playback(time=desk.now, delay=delay, simultaneous=simultaneous - 1)
        if not desk.forward(watch=not moved or _needs_refresh(interface)):
            return settle(interface.paused(), desk).say(desk.failure or TOO_LONG)
        if _stops(interface) and (words := desk.return_to_breach([run.timeline.step - 1 for run in desk.runs])):
            return settle(interface.paused(), desk).say(words, STOPPED)
        delay, moved = max(delay, 0.0) + DELAY * FADING**simultaneous / speed, moved + 1


def _captioned(interface: Interface, desk: Desk, moved: int) -> Interface:
    """The interface after a frame with `moved` steps: caption and halo are about the same one, if there is one."""
    return refresh(interface, desk) if moved == 1 else interface


def _race(interface: Interface, desk: Desk) -> Interface:
    """Execute all the steps that fit into a frame, and trace the lines of one more."""
    marker, before = _next_marker(interface, desk), [run.timeline.step for run in desk.runs]
    desk.race(WORK - BESIDE, inf if marker is None else marker.at)
    if _stops(interface) and (words := desk.return_to_breach(before)):
        return settle(interface.paused(), desk).say(words, STOPPED)
    upcoming = desk.next_time
    if marker is not None and (upcoming is None or upcoming > marker.at):
        return _stop_at(interface, desk, marker)
    if _needs_refresh(interface):
        desk.forward(watch=True)
    if desk.is_longest:
        return settle(interface.paused(), desk).say(TOO_LONG)
    if desk.next_time is None:
        return _end(interface, desk)
    return interface.at(desk.now)


def _end(interface: Interface, desk: Desk) -> Interface:
    """Stop at the end of the run: the scenario's, or the present if that is later than the last step."""
    later = max(interface.playback.time, desk.now)
    interface = settle(interface.paused(), desk, desk.end or later)
    return interface.say(desk.quiescence) if desk.quiescence else interface  # a lesson's proof ends without a word


def _stops(interface: Interface) -> bool:
    """Whether playing stops at markers and breaches."""
    return interface.display.stops or interface.display.presenting


def _next_marker(interface: Interface, desk: Desk) -> Marker | None:
    """The marker at which playing stops next, not the one at which it stands."""
    time, upcoming, end = interface.playback.time, desk.next_time, desk.end or inf
    if not _stops(interface):
        return None
    is_due = upcoming is not None and upcoming <= time  # events at this time are still to come
    ahead = [marker for marker in desk.markers if time < marker.at <= end or (is_due and marker.at == time)]
    return min(ahead, key=lambda marker: marker.at, default=None)


def _stop_at(interface: Interface, desk: Desk, marker: Marker) -> Interface:
    """Stop at a marker, and name it; while presenting the header does so."""
    stopped = settle(interface.paused(), desk, marker.at)
    if interface.display.presenting:
        return stopped
    return stopped.say(f"Stopped at the marker “{marker.name}”.", STOPPED)


@handles(intents.play_pause)
def play_pause(interface: Interface, desk: Desk, value: None) -> Interface:
    """Play, or pause at the picture's time."""
    interface = interrupted(interface, desk)
    if interface.playback.is_stepping and not interface.playback.playing:
        return interface.without(Help).with_playback(glide=None, playing=True)
    starts = not interface.playback.playing
    interface = interface.with_playback(playing=starts, goal=None)
    return refresh(interface.without(Help) if starts else interface, desk)


@handles(intents.seek_step)
def seek_step(interface: Interface, desk: Desk, step: int) -> Interface:
    """Pause right after `step` steps."""
    desk.seek_step(step)
    return settle(interface.paused(), desk)


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
    return seek(interface, desk, desk.horizon)


@handles(intents.play_past_end)
def play_past_end(interface: Interface, desk: Desk, value: None) -> Interface:
    """Play on past the scenario's end, in both runs."""
    for run in desk.runs:
        run.is_continued = True
        run.revision += 1
    said = "Playing past the scenario's end. R starts again, with the end."
    return refresh(interface.with_playback(playing=True, goal=None), desk).say(said)


@handles(intents.seek_tenth)
def seek_tenth(interface: Interface, desk: Desk, tenth: int) -> Interface:
    return seek_share(interface, desk, tenth / 10)


@handles(intents.seek_share)
def seek_share(interface: Interface, desk: Desk, share: float) -> Interface:
    """Go to a share of the timeline's length."""
    return seek_start(interface, desk, None) if share <= 0 else seek(interface, desk, share * desk.horizon)


def go_to_node(interface: Interface, desk: Desk, direction: int) -> Interface:
    """Go to the nearest executed event of the selected node."""
    node = interface.node
    if node is None:
        return interface.say(NO_NODE)
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
    return seek(interface, desk, min(ahead) if direction > 0 else max(ahead))


def _go_to_notable(interface: Interface, desk: Desk, direction: int) -> Interface:
    has_moved = desk.seek_notable(direction)
    interface = settle(interface.paused(), desk)
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
