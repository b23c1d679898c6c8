"""The desk: one run, or two side by side on one clock. Whatever moves, both show the same moment afterwards.

Of two events the earlier comes first, and at the same time those of the left run come before those of the right. So
two runs have one order of steps, and forward and back go along it.
"""

from __future__ import annotations

from math import inf, nextafter
from typing import TYPE_CHECKING

from algorithms.clock import wall_clock
from algorithms.engine.scenario import Marker
from visual.window.run_view import MOST_STEPS, RunView

if TYPE_CHECKING:
    from visual.window.lab.measurement import Measurement
    from visual.window.pages.background_check import Check

LONG = 20_000  # steps
NEITHER = "Nothing will happen any more in either run."

AIMS: tuple[tuple[int, ...], ...] = ((0, 1), (0,), (1,))
"""The runs in which what a person does happens, where two are compared."""


class Desk:
    """One or two runs, the left one first; which of them the panels are about, and in which actions happen.

    Beside them it holds what goes on in the background: the lab that is being measured, and checks of their algorithms.
    """

    def __init__(self, run: RunView) -> None:
        self.runs: tuple[RunView, ...] = (run,)
        self.place = 0  # of the run that the panels are about
        self.aim = AIMS[0]
        self.measurement: Measurement | None = None
        self._checks: dict[RunView, Check] = {}  # of the algorithm of each run: the last one, or one that goes on
        self._parted = 0  # revisions of runs that are no longer here

    @property
    def front(self) -> RunView:
        """The run that the panels are about."""
        return self.runs[self.place]

    @property
    def is_pair(self) -> bool:
        """Whether two runs are shown."""
        return len(self.runs) == 2

    @property
    def is_manual(self) -> bool:
        """Whether a person picks what happens next in the run that the panels are about."""
        return not self.front.is_automatic

    def is_right(self, run: RunView) -> bool:
        """Whether that is the one at the right of two."""
        return run is not self.runs[0]

    def join(self, other: RunView, note: str = "", other_note: str = "") -> None:
        """Put another run at the right of the only one; the notes say what sets the two apart."""
        (run,) = self.runs
        run.note, other.note = other_note, note
        self.runs, self.place, self.aim = (run, other), 0, AIMS[0]

    def part(self) -> None:
        """Let the left run go on alone."""
        left, right = self.runs
        left.note = ""
        if (check := self._checks.pop(right, None)) is not None:
            check.close()
        self.runs, self.place, self.aim = (left,), 0, AIMS[0]
        self._parted += right.revision + 1  # the picture of two runs is not that of one

    # ---- labs, checks and counter-examples -------------------------------------------------------------

    @property
    def check(self) -> Check | None:
        """The last check of the algorithm of the run in front, or the one that goes on."""
        return self._checks.get(self.front)

    def begin_check(self, check: Check) -> None:
        """Keep a check of the run in front, in place of the one before."""
        self.end_check()
        self._checks[self.front] = check

    def end_check(self) -> None:
        """Forget what the checker has found about the run in front, and end it if it goes on."""
        if (check := self._checks.pop(self.front, None)) is not None:
            check.close()

    def look_at_work(self, wall: float) -> None:
        """Take in what labs and checks have come to in the background."""
        if self.measurement is not None and self.measurement.look(wall):
            self.front.revision += 1
        for run, check in self._checks.items():
            run.revision += check.look()

    def end_measurement(self) -> None:
        """Stop measuring the lab, and forget it."""
        if self.measurement is not None:
            self.measurement.stop()
            self.measurement = None

    def close(self) -> None:
        """End what goes on in the background."""
        self.end_measurement()
        for check in self._checks.values():
            check.close()
        self._checks.clear()

    # ---- the present moment ----------------------------------------------------------------------------

    @property
    def revision(self) -> int:
        """Grows with whatever happens to a run."""
        return self._parted + sum(run.revision for run in self.runs)

    @property
    def now(self) -> float:
        """The time of the last step that was executed."""
        return max(run.now for run in self.runs)

    @property
    def next_time(self) -> float | None:
        """When the next step happens; None if none ever will."""
        return min((due for run in self.runs if (due := run.next_time) is not None), default=None)

    @property
    def horizon(self) -> float:
        """The right end of the timeline."""
        return max(run.horizon for run in self.runs)

    @property
    def pace(self) -> float:
        """Units of time that pass in a second at speed 1x: of two runs, the pace of the one with quicker messages."""
        return min(run.pace for run in self.runs)

    @property
    def reached(self) -> float:
        """The time up to which both runs have been executed."""
        return min(run.reached for run in self.runs)

    @property
    def failure(self) -> str:
        """Why a run cannot go on from here; empty if it can."""
        return next((run.failure for run in self.runs if run.failure), "")

    @property
    def quiescence(self) -> str:
        """Why nothing happens of itself: a run has failed, or waits for a person; the one in front before the other."""
        told = [run.quiescence for run in (self.front, *self.runs) if run.failure or run.waits_for_person]
        if told:
            return told[0]
        ended = {run.quiescence for run in self.runs}
        return ended.pop() if len(ended) == 1 else NEITHER

    @property
    def is_recalling(self) -> bool:
        """Whether the steps of a branch from before are still being executed again."""
        return any(run.timeline.forgotten for run in self.runs)

    @property
    def is_long(self) -> bool:
        """Whether a run has so many steps that a look at all that is remembered of it would be a pause."""
        return any(run.timeline.branch.length > LONG for run in self.runs)

    @property
    def is_longest(self) -> bool:
        """Whether a run has as many steps as the window keeps."""
        return any(run.timeline.step >= MOST_STEPS for run in self.runs)

    @property
    def last_mover(self) -> RunView:
        """The run in which the last step happened."""
        moved = [(run.now, place) for place, run in enumerate(self.runs) if run.timeline.step]
        return self.runs[max(moved)[1]] if moved else self.runs[0]

    @property
    def sentence(self) -> str:
        """What the last step did; where two runs are shown, in which of them."""
        mover = self.last_mover
        if not self.is_pair or not mover.timeline.step:
            return mover.sentence
        return f"{self._both_or_one(mover)}: {mover.sentence}"

    @property
    def markers(self) -> list[Marker]:
        """The markers of the scenario; where two are shown, of both."""
        return [marker for run in self.runs for marker in run.scenario.markers]

    def marker(self, time: float) -> str:
        """The name of the latest marker of a scenario that is shown, if nothing has happened since; otherwise empty."""
        passed = [marker for marker in self.markers if self.now <= marker.at <= time]
        return max(passed, key=lambda marker: marker.at).name if passed else ""

    def _both_or_one(self, mover: RunView) -> str:
        """In whose run the last step happened, in words."""
        left, right = self.runs
        if left.timeline.step and left.now == right.now and left.sentence == right.sentence:
            return "In both"
        return mover.name if left.name != right.name else self._side(mover)

    def _side(self, run: RunView) -> str:
        return run.note.capitalize() or ("At the right" if self.is_right(run) else "At the left")

    # ---- going there -----------------------------------------------------------------------------------

    def forward(self, watch: bool = False) -> bool:
        """One step on, in the run whose next event is the earlier; False if it cannot go on."""
        due = [(time, place) for place, run in enumerate(self.runs) if (time := run.next_time) is not None]
        return self.runs[min(due)[1]].forward(watch) if due else False

    def back(self) -> bool:
        """The last step back; False at the beginning."""
        return self.last_mover.back()

    def seek_step(self, step: int) -> None:
        """Show the state of the run in front after that many steps, and of the other one what comes before it."""
        self.front.seek(step)
        self.follow(self.front)

    def follow(self, leader: RunView) -> None:
        """Take the other run, if there is one, to where it is right after the leader's last step."""
        for run in self.runs:
            if run is leader:
                continue
            if leader.timeline.step == 0:
                run.seek(0)
            else:
                run.seek_time(leader.now if self.is_right(leader) else nextafter(leader.now, -inf))

    def seek_time(self, time: float, seconds: float = inf) -> bool:
        """Towards the state at `time`, working for about `seconds` of wall time. True when it is there."""
        share = seconds / len(self.runs)
        there = [run.seek_time(time, share) for run in self.runs]
        return all(there)

    def meet(self) -> None:
        """After a search that was broken off: both go to where the one that is behind has come to."""
        if self.is_pair:
            self.seek_time(min(run.now for run in self.runs))

    def race(self, seconds: float) -> None:
        """As far as one comes in `seconds` of wall time; two runs keep step, a stretch of time after the other."""
        if not self.is_pair:
            self.front.seek_time(inf, seconds)
            return
        stop, stretch = wall_clock() + seconds, self.front.flight / max(run.scenario.nodes for run in self.runs)
        while wall_clock() < stop and not self.is_longest:
            due = self.next_time
            if due is None:
                return
            self.seek_time(due + stretch)
            stretch *= 1.5  # each costs something of its own; the last one, half of all before, may come after the stop

    def seek_notable(self, direction: int) -> bool:
        """To the nearest step in which, in one of the runs, somebody enters or something is done to it."""
        present = self.now
        found = [run for run in self.runs if run.seek_notable(direction)]
        if not found:
            self.seek_time(present)
            return False
        self.follow(min(found, key=lambda run: run.now * direction))
        return True

    # ---- acting ----------------------------------------------------------------------------------------

    def undo(self) -> float | None:
        """Take back the last intervention, in each run in which it was made: its time; None if there is none."""
        latest = max(_last_intervention(run) for run in self.runs)
        undone = [run for run in self.runs if _last_intervention(run) == latest and run.undo()]
        if len(undone) == 1:
            self.follow(undone[0])
        return latest if undone else None


def _last_intervention(run: RunView) -> float:
    """The time of the last intervention made by hand."""
    return max((event.at for event in run.timeline.branch.interventions if event.by_hand), default=-inf)
