"""How time passes in the picture: playing, gliding to the next event, seeking in slices."""

from __future__ import annotations

from dataclasses import replace

from algorithms.clock import wall_clock
from visual.window.desk import Desk
from visual.window.diagram.scrolling import followed
from visual.window.run_view import MOST_STEPS
from visual.window.state import UNBOUND, Glide, Interface

WORK = 0.012  # seconds of work in a frame at most, so that 60 frames a second remain possible
BESIDE = 0.004  # of them, seconds for what is worked out beside a run that moves, if it leaves so much
REFRESH = 0.1  # seconds between two refreshments of the panels while the run plays
BEAT = 0.2  # seconds between two steps at the same time, each shorter than the last by FADING
FADING = 0.8  # so a crowd of simultaneous steps takes BEAT / (1 - FADING), one second, however large it is
SHORTEST_GLIDE, LONGEST_GLIDE = 0.15, 0.6  # seconds

TOO_LONG = f"This run has {MOST_STEPS:,} steps, which is as long as it gets. R starts again."


def tick(interface: Interface, desk: Desk, seconds: float) -> Interface:
    """The interface after so many seconds of wall time."""
    stop, wall = wall_clock() + WORK, interface.clock + seconds
    hover_seconds = interface.pointer.hover_seconds + seconds if interface.pointer.hover else 0.0
    notice = interface.notice if interface.notice and interface.notice.until > wall else None
    interface = replace(
        interface, pointer=interface.pointer._replace(hover_seconds=hover_seconds), clock=wall, notice=notice
    )
    if interface.playback.goal is not None:
        interface = _seek_on(interface, desk, interface.playback.goal)
    elif interface.playback.glide is not None:
        interface = _glide_on(interface, desk, interface.playback.glide, seconds)
    elif interface.playback.playing and not interface.menu:  # what is chosen shall happen at the moment that is seen
        interface = _play_on(interface, desk, seconds)
    for run in desk.runs:
        if interface.playback.goal is None:  # what is sought is executed again on the way
            run.recall(_left(interface, stop))
        if interface.is_moving:  # with a little in each frame, also of what no panel shows, nobody waits for much later
            run.ledger.keep_up()
    desk.look_at_work(wall)
    if interface.display.page in ("plots", "history"):
        _study(interface, desk, stop)
    if interface.is_moving:
        interface = followed(interface, desk)
    if (interface.is_moving or interface.panel_revision != desk.revision) and _is_due(interface):
        interface = refresh(interface, desk)
    return interface


def _left(interface: Interface, stop: float) -> float:
    """The seconds of a frame's work that are left for what goes on beside the run; none if that has taken too long."""
    left = stop - wall_clock()
    return min(left, BESIDE) if interface.is_moving else left


def _study(interface: Interface, desk: Desk, stop: float) -> None:
    """Go on with what the plots compare the run with, or with a node's history; the panels are to follow.

    To begin with it is work of its own, where there are many nodes.
    """
    shown = desk.front
    if interface.display.page == "plots":
        studies = shown.ledger.studies
        shown.revision += studies.work(_left(interface, stop))
    elif interface.node is not None:
        history = shown.ledger.variable_history(interface.node)
        shown.revision += history.work(_left(interface, stop))


def _is_due(interface: Interface) -> bool:
    """Whether the panels are to show in this frame what has happened since the last time."""
    return interface.clock - interface.refreshed_at >= REFRESH


def refresh(interface: Interface, desk: Desk) -> Interface:
    """The panels show the run as it is now."""
    return replace(interface, panel_revision=desk.revision, refreshed_at=interface.clock)


def settle(interface: Interface, desk: Desk, time: float | None = None) -> Interface:
    """The picture stands still at `time`, or at the last step; panels and selection follow the run."""
    run, selection = desk.front, interface.selection
    gone = interface.message is not None and run.message(interface.message) is None
    gone = gone or (interface.node is not None and interface.node >= run.scenario.nodes)
    gone = gone or (interface.event is not None and interface.event >= run.timeline.frontier)
    interface = replace(
        interface,
        playback=interface.playback._replace(
            time=desk.now if time is None else time, glide=None, goal=None, beat=0.0, crowd=0
        ),
        selection=None if gone else selection,
    )
    return refresh(followed(interface, desk), desk)


def seek(interface: Interface, desk: Desk, time: float) -> Interface:
    """Pause, and show the moment `time`, at once or, where that takes long, a slice of work with every tick."""
    return _seek_on(
        replace(interface, playback=interface.playback._replace(playing=False, glide=None)), desk, max(0.0, time)
    )


def interrupted(interface: Interface, desk: Desk) -> Interface:
    """The same without the search that was under way; two runs go back to where both have come to."""
    if interface.playback.goal is None:
        return interface
    desk.meet()
    return replace(interface, playback=interface.playback._replace(goal=None, time=desk.now))


def step(interface: Interface, desk: Desk) -> Interface:
    """Pause, and go on to the next event: gliding, or at once where motion is reduced."""
    interface = interrupted(interface, desk)
    if interface.playback.glide is not None and interface.playback.glide.step:
        interface = _arrive(interface, desk, interface.playback.glide)
    due = desk.next_time
    interface = replace(interface, playback=interface.playback._replace(playing=False, goal=None))
    if due is None:
        return _end(interface, desk)
    if interface.display.reduced_motion or due <= interface.playback.time:
        return _execute(interface, desk)
    seconds = min(max((due - interface.playback.time) / _speed(interface, desk), SHORTEST_GLIDE), LONGEST_GLIDE)
    return replace(
        interface, playback=interface.playback._replace(glide=Glide(interface.playback.time, due, seconds, step=True))
    )


def step_back(interface: Interface, desk: Desk) -> Interface:
    """Pause, and take the last step back; the picture glides to the moment of the step before."""
    interface = interrupted(interface, desk)
    if (
        interface.playback.glide is not None and interface.playback.glide.step
    ):  # the step on its way has not happened yet
        return settle(interface.paused(), desk)
    before = interface.playback.time
    desk.back()
    interface = settle(interface.paused(), desk)
    if interface.display.reduced_motion or before <= interface.playback.time:
        return interface
    upcoming = desk.next_time
    start = before if upcoming is None else min(before, upcoming)
    return replace(
        interface,
        playback=interface.playback._replace(time=start, glide=Glide(start, interface.playback.time, SHORTEST_GLIDE)),
    )


def _speed(interface: Interface, desk: Desk) -> float:
    """Units of the run's time that pass in a second."""
    return float(desk.pace * 2.0 ** min(interface.playback.speed, UNBOUND))


def _seek_on(interface: Interface, desk: Desk, goal: float) -> Interface:
    arrived = desk.seek_time(goal, WORK)
    if not arrived:
        return replace(interface, playback=interface.playback._replace(goal=goal, time=desk.now, glide=None))
    reached = not desk.is_longest and goal < float("inf")
    return settle(interface, desk, max(goal, desk.now) if reached else desk.now)


def _glide_on(interface: Interface, desk: Desk, glide: Glide, seconds: float) -> Interface:
    passed = glide.passed + seconds
    if passed >= glide.seconds:
        return _arrive(interface, desk, glide)
    share = passed / glide.seconds
    eased = share * share * (3 - 2 * share)
    time = glide.start + (glide.goal - glide.start) * eased
    return replace(interface, playback=interface.playback._replace(time=time, glide=glide._replace(passed=passed)))


def _arrive(interface: Interface, desk: Desk, glide: Glide) -> Interface:
    if glide.step:
        return _execute(interface, desk)
    return replace(interface, playback=interface.playback._replace(time=glide.goal, glide=None))


def _execute(interface: Interface, desk: Desk) -> Interface:
    moved = desk.forward()
    interface = settle(interface, desk)
    return interface if moved else interface.say(desk.failure or TOO_LONG)


def _play_on(interface: Interface, desk: Desk, seconds: float) -> Interface:
    if interface.playback.speed == UNBOUND:
        return _race(interface, desk)
    stop = wall_clock() + WORK - BESIDE
    speed = 2.0**interface.playback.speed
    goal = interface.playback.time + seconds * desk.pace * speed
    beat, crowd = interface.playback.beat - seconds, interface.playback.crowd
    while True:
        due = desk.next_time
        if due is None:
            return _end(interface, desk)
        if due > goal:
            return replace(interface, playback=interface.playback._replace(time=goal, beat=0.0, crowd=0))
        crowd = crowd + 1 if due <= desk.now else 0
        if crowd and beat > 0:  # one thing at a time: the others of the same moment wait
            return replace(interface, playback=interface.playback._replace(time=desk.now, beat=beat, crowd=crowd - 1))
        if not desk.forward(watch=_is_due(interface)):
            return settle(interface.paused(), desk).say(desk.failure or TOO_LONG)
        beat = max(beat, 0.0) + BEAT * FADING**crowd / speed
        if wall_clock() > stop:
            return replace(interface, playback=interface.playback._replace(time=desk.now, beat=0.0, crowd=0))


def _race(interface: Interface, desk: Desk) -> Interface:
    """As fast as it can: as many steps as fit into a frame, and one that is told of."""
    desk.race(WORK - BESIDE)
    if _is_due(interface):
        desk.forward(watch=True)
    if desk.is_longest:
        return settle(interface.paused(), desk).say(TOO_LONG)
    if desk.next_time is None:
        return _end(interface, desk)
    return replace(interface, playback=interface.playback._replace(time=desk.now))


def _end(interface: Interface, desk: Desk) -> Interface:
    """Nothing will happen any more; the picture stays where it is, which may be later than the last step."""
    later = max(interface.playback.time, desk.now)
    return settle(interface.paused(), desk, later).say(desk.quiescence)
