"""The passing of time in the picture: playing, gliding to the next event, seeking in slices."""

from __future__ import annotations

from dataclasses import replace
from math import inf

from algorithms.clock import wall_clock
from algorithms.engine.scenario import Marker
from visual.window.desk import Desk
from visual.window.diagram.scrolling import followed
from visual.window.run_view import MOST_STEPS
from visual.window.state import UNBOUND, Glide, Interface

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
    interface = replace(interface.with_pointer(hover_seconds=hover_seconds), clock=wall, notice=notice)
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


def step(interface: Interface, desk: Desk) -> Interface:
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
    seconds = min(max((upcoming - interface.playback.time) / _speed(interface, desk), SHORTEST_GLIDE), LONGEST_GLIDE)
    return interface.with_playback(glide=Glide(interface.playback.time, upcoming, seconds, step=True))


def step_back(interface: Interface, desk: Desk) -> Interface:
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


def _speed(interface: Interface, desk: Desk) -> float:
    """Units of the run's time per second of wall time."""
    return float(desk.pace * 2.0 ** min(interface.playback.speed, UNBOUND))


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
