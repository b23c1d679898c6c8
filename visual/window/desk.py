"""The desk: one run, or two side by side on one clock, which show the same moment after every move.

The steps of two runs have one order, along which forward and back go: by time, and at equal times the left run first.
"""

from __future__ import annotations

from math import inf, nextafter
from typing import TYPE_CHECKING

from algorithms.clock import wall_clock
from algorithms.engine.observe.verdicts import BROKEN
from algorithms.engine.scenario import Marker
from visual.window.run_view import MOST_STEPS, RunView

if TYPE_CHECKING:
    from lessons.attempt import Attempt
    from visual.window.classroom.room import Room
    from visual.window.lab.measurement import Measurement
    from visual.window.pages.background_check import Check
    from visual.window.presenting.acts import RunningTalk

LONG = 20_000  # steps
NEITHER = "Nothing more can happen in either run."

AIMS: tuple[tuple[int, ...], ...] = ((0, 1), (0,), (1,))
"""The runs in which a person acts, where two are compared."""


class Desk:
    """One or two runs, the left one first, with the front run of the panels and the aim of actions.

    It also owns the work in the background: the measurement of a lab, and checks of the algorithms.
    """

    def __init__(self, run: RunView) -> None:
        self.runs: tuple[RunView, ...] = (run,)
        self.place = 0  # of the run that the panels are about
        self.aim = AIMS[0]
        self.measurement: Measurement | None = None
        self.lesson: Attempt | None = None
        self.talk: RunningTalk | None = None
        self.room: Room | None = None  # of a class, if one takes part
        self._checks: dict[RunView, Check] = {}  # run -> the latest check of its algorithm
        self._parted = 0  # revisions of removed runs

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
        """Whether a person picks the next event of the front run."""
        return not self.front.is_automatic

    def is_right(self, run: RunView) -> bool:
        """Whether that is the right one of two runs."""
        return run is not self.runs[0]

    def join(self, other: RunView, note: str = "", other_note: str = "") -> None:
        """Put another run at the right of the only one; the notes tell the two apart."""
        (run,) = self.runs
        run.note, other.note = other_note, note
        self.runs, self.place, self.aim = (run, other), 0, AIMS[0]

    def part(self) -> None:
        """Remove the right run."""
        left, right = self.runs
        left.note = ""
        if (check := self._checks.pop(right, None)) is not None:
            check.close()
        self.runs, self.place, self.aim = (left,), 0, AIMS[0]
        self._parted += right.revision + 1  # the picture of two runs is not that of one

    # ---- labs, checks and counter-examples -------------------------------------------------------------

    @property
    def check(self) -> Check | None:
        """The latest check of the front run's algorithm."""
        return self._checks.get(self.front)

    def begin_check(self, check: Check) -> None:
        """Replace the check of the front run."""
        self.end_check()
        self._checks[self.front] = check

    def end_check(self) -> None:
        """Stop and forget the check of the front run."""
        if (check := self._checks.pop(self.front, None)) is not None:
            check.close()

    @property
    def is_checking(self) -> bool:
        """Whether a check is under way."""
        return any(check.outcome is None for check in self._checks.values())

    def look_at_work(self, wall: float) -> None:
        """Collect the progress of labs and checks in the background."""
        if self.measurement is not None and self.measurement.look(wall):
            self.front.revision += 1
        for run, check in self._checks.items():
            run.revision += check.receive()

    def end_measurement(self) -> None:
        """Stop and forget the measurement of a lab."""
        if self.measurement is not None:
            self.measurement.stop()
            self.measurement = None

    def close(self) -> None:
        """Stop all work in the background."""
        self.end_measurement()
        for check in self._checks.values():
            check.close()
        self._checks.clear()

    # ---- the present moment ----------------------------------------------------------------------------

    @property
    def revision(self) -> int:
        """A number that grows with every change of a run."""
        return self._parted + sum(run.revision for run in self.runs)

    @property
    def revisions(self) -> tuple[int, ...]:
        """The same for all that a picture shows: also a lesson, and a class, whose phones change it unasked."""
        return self.revision, *(other.revision for other in (self.lesson, self.room) if other is not None)

    @property
    def now(self) -> float:
        """The time of the last executed step."""
        return max(run.now for run in self.runs)

    @property
    def next_time(self) -> float | None:
        """The time of the next step; None if none happens by itself."""
        return min((time for run in self.runs if (time := run.next_time) is not None), default=None)

    @property
    def horizon(self) -> float:
        """The right end of the timeline."""
        return max(run.horizon for run in self.runs)

    @property
    def pace(self) -> float:
        """Units of time per second at speed 1x, set by the run with the quickest messages."""
        return min(run.pace for run in self.runs)

    @property
    def reached(self) -> float:
        """The time up to which both runs have been executed."""
        return min(run.reached for run in self.runs)

    @property
    def failure(self) -> str:
        """The reason why a run cannot go on from here; "" if both can."""
        return next((run.failure for run in self.runs if run.failure), "")

    @property
    def quiescence(self) -> str:
        """The reason why nothing happens by itself; a run that fails, waits or has ended comes first."""
        for run in (self.front, *self.runs):
            if run.failure or run.waits_for_person or run.has_ended:
                return run.quiescence
        reasons = {run.quiescence for run in self.runs}
        return reasons.pop() if len(reasons) == 1 else NEITHER

    @property
    def end(self) -> float | None:
        """The latest end of a run that could go on past it; None if there is none."""
        return max((run.end for run in self.runs if run.has_ended), default=None)

    @property
    def is_recalling(self) -> bool:
        """Whether steps of a previous branch are still being executed again."""
        return any(run.timeline.forgotten for run in self.runs)

    @property
    def is_long(self) -> bool:
        """Whether a garbage collection over all the steps would be a visible pause."""
        return any(run.timeline.branch.length > LONG for run in self.runs)

    @property
    def is_longest(self) -> bool:
        """Whether a run has reached the window's limit of steps."""
        return any(run.timeline.step >= MOST_STEPS for run in self.runs)

    @property
    def last_mover(self) -> RunView:
        """The run that made the last step."""
        movers = [(run.now, place) for place, run in enumerate(self.runs) if run.timeline.step]
        return self.runs[max(movers)[1]] if movers else self.runs[0]

    @property
    def sentence(self) -> str:
        """The caption of the last step; of two runs, with the run that made it."""
        mover = self.last_mover
        if not self.is_pair or not mover.timeline.step:
            return mover.sentence
        return f"{self._both_or_one(mover)}: {mover.sentence}"

    def sentence_at(self, time: float) -> str:
        """The same, with the time of the step if that is long before `time`."""
        mover = self.last_mover
        if mover.failure or not mover.timeline.step:
            return self.sentence
        from visual.narration.steps import dated  # the first frame does without

        return dated(self.sentence, mover.simulation, time)

    def named(self, run: RunView, words: str) -> str:
        """Words about a run; of two runs, with its side and name."""
        if not self.is_pair:
            return words
        left, right = self.runs
        name = run.name if left.name != right.name else run.note
        return f"At the {self.side(run)}{f' ({name})' if name else ''}: {words}"

    def side(self, run: RunView) -> str:
        """The side of one of two runs, in a word."""
        return "right" if self.is_right(run) else "left"

    @property
    def markers(self) -> list[Marker]:
        """The markers of the scenarios."""
        return [marker for run in self.runs for marker in run.scenario.markers]

    def marker(self, time: float) -> Marker | None:
        """The latest marker up to `time`, unless a step came after it."""
        passed = [marker for marker in self.markers if self.now <= marker.at <= time]
        return max(passed, key=lambda marker: marker.at, default=None)

    def _both_or_one(self, mover: RunView) -> str:
        """The run of the last step, in words."""
        left, right = self.runs
        if left.timeline.step and left.now == right.now and left.sentence == right.sentence:
            return "In both"
        return self._name_of(mover)

    def _name_of(self, run: RunView) -> str:
        left, right = self.runs
        return run.name if left.name != right.name else (run.note.capitalize() or f"At the {self.side(run)}")

    # ---- moving ----------------------------------------------------------------------------------------

    def forward(self, watch: bool = False) -> bool:
        """Move one step forward in the run with the earlier next event; False if it cannot."""
        times = [(time, place) for place, run in enumerate(self.runs) if (time := run.next_time) is not None]
        return self.runs[min(times)[1]].forward(watch) if times else False

    def back(self) -> bool:
        """Move back before the last step; False at the beginning."""
        return self.last_mover.back()

    def seek_step(self, step: int) -> None:
        """Move the front run to `step`, and the other one to the same moment."""
        self.front.seek(step)
        self.follow(self.front)

    def follow(self, leader: RunView) -> None:
        """Move the other run, if any, to the moment right after the leader's last step."""
        for run in self.runs:
            if run is leader:
                continue
            if leader.timeline.step == 0:
                run.seek(0)
            else:
                run.seek_time(leader.now if self.is_right(leader) else nextafter(leader.now, -inf))

    def seek_time(self, time: float, seconds: float = inf) -> bool:
        """Move towards the state at `time` for about `seconds` of wall time; True on arrival."""
        share = seconds / len(self.runs)
        have_arrived = [run.seek_time(time, share) for run in self.runs]
        return all(have_arrived)

    def meet(self) -> None:
        """Move both runs to the moment of the one behind, after an interrupted seek."""
        if self.is_pair:
            self.seek_time(min(run.now for run in self.runs))

    def race(self, seconds: float, until: float = inf) -> None:
        """Execute steps up to `until` for `seconds` of wall time; two runs advance together by stretches of time."""
        if not self.is_pair:
            self.front.seek_time(until, seconds)
            return
        stop, stretch = wall_clock() + seconds, self.front.flight / max(run.scenario.nodes for run in self.runs)
        while wall_clock() < stop and not self.is_longest:
            upcoming = self.next_time
            if upcoming is None or upcoming > until:
                return
            self.seek_time(min(upcoming + stretch, until))
            stretch *= 1.5  # longer ones have less overhead; the last one may end after the stop

    def return_to_breach(self, steps: list[int]) -> str:
        """Return to the first step after these at which a promise was broken; its sentence, "" for none."""
        breaches = [
            (verdict.time or 0.0, place, verdict)
            for place, (run, before) in enumerate(zip(self.runs, steps, strict=True))
            for verdict in run.ledger.verdicts
            if verdict.status == BROKEN and (verdict.step or 0) > before and verdict.promised
        ]
        if not breaches:
            return ""
        _, place, verdict = min(breaches, key=lambda breach: breach[:2])
        if self.runs[place].timeline.step != verdict.step:
            self.runs[place].seek(verdict.step or 0)
            self.follow(self.runs[place])
        return self.named(self.runs[place], verdict.message())

    def seek_notable(self, direction: int) -> bool:
        """Move to the nearest entry or intervention of a run; False if there is none."""
        present = self.now
        movers = [run for run in self.runs if run.seek_notable(direction)]
        if not movers:
            self.seek_time(present)
            return False
        self.follow(min(movers, key=lambda run: run.now * direction))
        return True

    # ---- acting ----------------------------------------------------------------------------------------

    def undo(self) -> float | None:
        """Undo the last intervention in each run that has it; its time, None if there is none."""
        latest = max(_last_intervention(run) for run in self.runs)
        undone = [run for run in self.runs if _last_intervention(run) == latest and run.undo()]
        if len(undone) == 1:
            self.follow(undone[0])
        return latest if undone else None


def _last_intervention(run: RunView) -> float:
    """The time of the last intervention made by hand; -inf if there is none."""
    return max((event.at for event in run.timeline.branch.interventions if event.by_hand), default=-inf)
