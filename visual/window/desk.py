"""One clock, for one run or for two side by side: whatever moves, both show the same moment afterwards.

Of two events the earlier comes first, and at the same time those of the left run come before those of the right. So
two runs have one order of steps, and forward and back go along it.
"""

from __future__ import annotations

from math import inf, nextafter
from time import perf_counter

from algorithms.engine.scenario import Marker
from visual.window.session import LONGEST, Session

LONG = 20_000  # steps
NEITHER = "Nothing will happen any more in either run."


def revision(session: Session) -> int:
    """Grows with whatever happens to a run."""
    return sum(run.revision for run in session.runs)


def now(session: Session) -> float:
    """The time of the last step that was executed."""
    return max(run.now for run in session.runs)


def next_time(session: Session) -> float | None:
    """When the next step happens; None if none ever will."""
    return min((due for run in session.runs if (due := run.next_time) is not None), default=None)


def horizon(session: Session) -> float:
    """The right end of the timeline."""
    return max(run.horizon for run in session.runs)


def pace(session: Session) -> float:
    """Units of time that pass in a second at speed 1x: of two runs, those of the one whose messages are quicker."""
    return min(run.pace for run in session.runs)


def reached(session: Session) -> float:
    """Up to when both runs have been executed."""
    return min(run.reached for run in session.runs)


def failure(session: Session) -> str:
    """Why a run cannot go on from here; empty if it can."""
    return next((run.failure for run in session.runs if run.failure), "")


def quiescence(session: Session) -> str:
    """Why nothing happens of itself: a run has failed, or waits for a person; the one in front before the other."""
    told = [run.quiescence for run in (session, *session.runs) if run.failure or run.waits_for_person]
    if told:
        return told[0]
    ended = {run.quiescence for run in session.runs}
    return ended.pop() if len(ended) == 1 else NEITHER


def is_recalling(session: Session) -> bool:
    """Whether what a branch has been before is still executed again."""
    return any(run.timeline.forgotten for run in session.runs)


def is_long(session: Session) -> bool:
    """Whether a run has so many steps that a look at all that is remembered of it would be a pause."""
    return any(run.timeline.branch.length > LONG for run in session.runs)


def is_longest(session: Session) -> bool:
    """Whether a run has as many steps as the window keeps."""
    return any(run.timeline.step >= LONGEST for run in session.runs)


def last_mover(session: Session) -> Session:
    """The run in which the last step happened."""
    moved = [(run.now, place) for place, run in enumerate(session.runs) if run.timeline.step]
    return session.runs[max(moved)[1]] if moved else session.runs[0]


def sentence(session: Session) -> str:
    """What the last step did; where two runs are shown, in which of them."""
    mover = last_mover(session)
    if session.beside is None or not mover.timeline.step:
        return mover.sentence
    return f"{_both_or_one(session, mover)}: {mover.sentence}"


def markers(session: Session) -> list[Marker]:
    """Those of the scenario; where two are shown, of both."""
    return [marker for run in session.runs for marker in run.scenario.markers]


def marker(session: Session, time: float) -> str:
    """The name of the latest marker of a scenario that is shown, if nothing has happened since; otherwise empty."""
    passed = [marker for marker in markers(session) if now(session) <= marker.at <= time]
    return max(passed, key=lambda marker: marker.at).name if passed else ""


def _both_or_one(session: Session, mover: Session) -> str:
    """In whose run the last step happened, in words."""
    left, right = session.runs
    if left.timeline.step and left.now == right.now and left.sentence == right.sentence:
        return "In both"
    return mover.name if left.name != right.name else _side(mover)


def _side(run: Session) -> str:
    return run.note.capitalize() or ("At the right" if run.is_right else "At the left")


# ---- going there -------------------------------------------------------------------------------------------


def forward(session: Session, watch: bool = False) -> bool:
    """One step on, in the run whose next event is the earlier; False if it cannot go on."""
    due = [(time, place) for place, run in enumerate(session.runs) if (time := run.next_time) is not None]
    return session.runs[min(due)[1]].forward(watch) if due else False


def back(session: Session) -> bool:
    """The last step back; False at the beginning."""
    return last_mover(session).back()


def seek_step(session: Session, step: int) -> None:
    """Show the state of `session` after so many steps, and of the run beside it what comes before that moment."""
    session.seek(step)
    follow(session)


def follow(leader: Session) -> None:
    """The other run, if there is one, goes to where it is right after the leader's last step."""
    for run in leader.runs:
        if run is leader:
            continue
        if leader.timeline.step == 0:
            run.seek(0)
        else:
            run.seek_time(leader.now if leader.is_right else nextafter(leader.now, -inf))


def seek_time(session: Session, time: float, seconds: float = inf) -> bool:
    """Towards the state at `time`, working for about `seconds` of wall time. True when it is there."""
    share = seconds / len(session.runs)
    there = [run.seek_time(time, share) for run in session.runs]
    return all(there)


def meet(session: Session) -> None:
    """After a search that was broken off: both go to where the one that is behind has come to."""
    if session.beside is not None:
        seek_time(session, min(run.now for run in session.runs))


def race(session: Session, seconds: float) -> None:
    """As far as one comes in `seconds` of wall time; two runs keep step, a stretch of time after the other."""
    if len(session.runs) == 1:
        session.seek_time(inf, seconds)
        return
    stop, stretch = perf_counter() + seconds, session.flight / max(run.scenario.nodes for run in session.runs)
    while perf_counter() < stop and not is_longest(session):
        due = next_time(session)
        if due is None:
            return
        seek_time(session, due + stretch)
        stretch *= 1.5  # each costs something of its own; the last one, half of all before, may come after the stop


def seek_notable(session: Session, direction: int) -> bool:
    """To the nearest step in which, in one of the runs, somebody enters or something is done to it."""
    present = now(session)
    found = [run for run in session.runs if run.seek_notable(direction)]
    if not found:
        seek_time(session, present)
        return False
    follow(min(found, key=lambda run: run.now * direction))
    return True


# ---- acting ------------------------------------------------------------------------------------------------


def undo(session: Session) -> float | None:
    """Take back the last thing done by hand, in each run in which it was done: when it was; None if there is none."""
    latest = max(_last_deed(run) for run in session.runs)
    undone = [run for run in session.runs if _last_deed(run) == latest and run.undo()]
    if len(undone) == 1:
        follow(undone[0])
    return latest if undone else None


def _last_deed(run: Session) -> float:
    """When something was done to the run by hand for the last time."""
    return max((deed.at for deed in run.timeline.branch.interventions if deed.by_hand), default=-inf)
