"""One learner's attempt at a lesson: the present step, what was answered, and what it is worth. Knows no screen."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from algorithms.engine.events import DELIVER, KIND, Record
from algorithms.engine.scenario import Scenario
from algorithms.engine.timeline import Timeline
from lessons.asking import moments
from lessons.asking.answers import Answer
from lessons.asking.run_events import Watch
from lessons.keys import StepRun, entry_of, stages
from lessons.lesson import Lesson, LessonStep
from lessons.marking import MOST_HINTS, StepMark, Tries, mark, total
from lessons.task import ARRANGE, CHOOSE, TOGGLE, AnswerVerdict, KeyEntry
from lessons.tasks.challenges import ChallengeTask, Hunt, Par, is_judged_by_checker
from lessons.tasks.challenges import share_of as share_of_moves
from lessons.tasks.decisions import BeNodeTask, Decision
from lessons.tasks.experiments import ExperimentRun, ExperimentTask
from lessons.tasks.ordering import OrderPart, OrderTask
from lessons.tasks.repairing import RepairTask


class Attempt:
    """An attempt at an instance of a lesson; `at` is the place of the present step.

    `verdict` is that on the present answer, None while it is asked. A node's decisions, and the parts of an order, are
    asked one after the other: `decision` is the place of the present one. `chosen` are the options that are marked
    where several may be right, and `order` is that of the items where they must be arranged.
    """

    def __init__(self, lesson: Lesson, at: int = 0) -> None:
        self.lesson = lesson
        self.at = at
        self.verdict: AnswerVerdict | None = None
        self.decision = 0
        self.chosen: frozenset[int] = frozenset()
        self.order: tuple[int, ...] = ()
        self.hints = 0  # number of hints taken at the present question
        self.is_shown = False  # whether the answer has been looked at
        self.marks: dict[str, StepMark] = {}
        self.revision = 0  # grows with every change
        self._stages: list[StepRun] = list(stages(lesson))
        self._entries: dict[int, KeyEntry] = {}
        self._tries: dict[str, Tries] = {}
        self._hunts: dict[int, Hunt] = {}
        self._experiments: dict[int, ExperimentRun] = {}
        self._votes: dict[tuple[int, int], list[tuple[int, ...]]] = {}
        self._decided: list[float] = []  # shares of the decisions so far
        self.go_to(at)

    # ---- the present step ----------------------------------------------------------------------------------

    @property
    def step(self) -> LessonStep:
        return self.lesson.steps[self.at]

    def is_about(self, scenario: Scenario) -> bool:
        """Whether a scenario is that of the present step."""
        return scenario == self.lesson.scenarios[self.step.task.scenario]

    @property
    def run(self) -> Timeline:
        """A copy of the run at the present step's moment."""
        return self._stages[self.at].run

    @property
    def entry(self) -> KeyEntry:
        """The key of the present step; of an experiment, empty until all its runs are measured."""
        if self.at not in self._entries:
            task, stage = self.step.task, self._stages[self.at]
            if isinstance(task, ExperimentTask):
                search = self._experiments.get(self.at)
                if search is None or search.key is None:
                    return KeyEntry(stage.run.step)
                self._entries[self.at] = task.entry(stage.run, search.key)
            else:
                self._entries[self.at] = entry_of(self.lesson, stage)
        return self._entries[self.at]

    @property
    def measured(self) -> float:
        """The share of the present experiment that is measured, from 0 to 1."""
        search = self._experiments.get(self.at)
        return 1.0 if self.at in self._entries else search.share if search else 0.0

    @property
    def is_question(self) -> bool:
        """Whether the step has options to choose from."""
        return self.step.task.is_question

    @property
    def is_open(self) -> bool:
        """Whether a question waits for an answer, so that the run must not go on."""
        is_measuring = isinstance(self.step.task, ExperimentTask) and self.measured < 1.0
        return self.is_question and self.verdict is None and (is_measuring or bool(self.options))

    @property
    def way(self) -> str:
        """How the present question is answered: one option is chosen, some are marked, or all are arranged."""
        right = self.entry.right if self.is_question else None
        return CHOOSE if right is None else self.step.task.way(right)

    @property
    def parts(self) -> Sequence[Decision | OrderPart]:
        """What is asked one after the other: the decisions of the node that the learner is, or parts of an order."""
        right = self.entry.right if self.is_question else None
        return () if right is None else self.step.task.parts(right)

    @property
    def asked(self) -> Decision | OrderPart | None:
        """The present part."""
        made = self.parts
        return made[self.decision] if self.decision < len(made) else None

    @property
    def arriving(self) -> Record | None:
        """The arrival of a message that the node must decide on."""
        asked = self.asked
        is_arrival = self.is_open and isinstance(asked, Decision) and asked.event[KIND] == DELIVER
        return asked.event if is_arrival and isinstance(asked, Decision) else None

    @property
    def is_node(self) -> bool:
        """Whether the learner is a node, so that the run goes on from decision to decision."""
        return isinstance(self.step.task, BeNodeTask)

    @property
    def moment(self) -> int:
        """The number of steps at which the run stops for the present question."""
        return self.asked.step if isinstance(self.asked, Decision) else self.entry.step

    @property
    def example(self) -> Scenario | None:
        """Another run that shows what is right, or what is wrong with the repair that was chosen, if there is one."""
        if self.verdict is None:
            return None
        if isinstance(self.entry.right, Answer):
            return self.entry.right.example
        fault = self.verdict.fault
        return fault[1].example if fault and fault[0] == "outcome" else None

    @property
    def hides_code(self) -> bool:
        """Whether the algorithm's code would answer the open question."""
        task = self.step.task
        return self.is_open and (isinstance(task, RepairTask) or (isinstance(task, BeNodeTask) and not task.source))

    @property
    def lettered(self) -> tuple[int, ...]:
        """The steps, from 0, that have letters in the diagram: the events of an order, unless that tells the answer."""
        key = self.entry.right if isinstance(self.step.task, OrderTask) else None
        return () if key is None or key.what == "arrange" else tuple(event.step for event in key.events)

    @property
    def options(self) -> Sequence[Any]:
        """The options: answers, texts of a quiz, what a node may do, or the places of events, bodies or lines."""
        if self.asked is not None:
            return self.asked.options
        return self.order if self.way == ARRANGE else self.step.task.options(self.entry, self.lesson.instance)

    # ---- answering -----------------------------------------------------------------------------------------

    def toggle(self, place: int) -> None:
        """Mark an option, or no longer."""
        self.chosen ^= {place}
        self.revision += 1

    def move(self, place: int, by: int) -> int:
        """Move an item up or down, where they must be arranged; its new place."""
        to = min(max(place + by, 0), len(self.order) - 1)
        order = list(self.order)
        order.insert(to, order.pop(place))
        self.order = tuple(order)
        self.revision += 1
        return to

    @property
    def is_untouched(self) -> bool:
        """Whether nothing has been marked or moved yet, where that must be done."""
        start = self.step.task.options(self.entry, self.lesson.instance)
        return not self.chosen if self.way == TOGGLE else self.way == ARRANGE and self.order == tuple(start)

    def answer(self, place: int = 0) -> AnswerVerdict:
        """Take the option at a place as the answer, or what is marked or arranged."""
        given = self.options[place] if self.way == CHOOSE else self.chosen if self.way == TOGGLE else self.order
        self.verdict = self._verdict(given)
        if self.asked is None:
            self._count(self.verdict.share)
        else:
            self._decided.append(self.verdict.share)
        self.revision += 1
        return self.verdict

    def verdict_on(self, place: int) -> AnswerVerdict:
        """The verdict on the option at a place, where one is chosen."""
        return self._verdict(self.options[place])

    def _verdict(self, given: Any) -> AnswerVerdict:
        return self.step.task.verdict(self.entry, self.asked, given)

    @property
    def _mine(self) -> Tries:
        """The tries at the present step."""
        return self._tries.get(self.step.id, Tries())

    def _note(self, tries: Tries) -> None:
        """Keep the tries at the present step, with their mark."""
        self._tries[self.step.id] = tries
        self.marks[self.step.id] = mark(self.step, tries)

    @property
    def solution(self) -> Any:
        """The right answer to the present question: an option, the set of those to mark, or an order."""
        return self.asked.right if self.asked else self.step.task.solution(self.entry.right)

    def _count(self, found: float) -> None:
        self._note(self._mine._replace(shares=(*self._mine.shares, found)))

    @property
    def is_solved(self) -> bool:
        """Whether the step has points already; a challenge that was given up by mistake can still be solved."""
        return self.step.id in self.marks and self.marks[self.step.id].value > 0

    @property
    def takes_hints(self) -> bool:
        """Whether the step waits for an answer, or for moves."""
        is_hunting = isinstance(self.step.task, ChallengeTask) and not self.is_solved
        return is_hunting or (self.is_open and bool(self.options))

    def hint(self) -> bool:
        """Take one more hint; False if there is none."""
        if not self.takes_hints or self.hints >= MOST_HINTS:
            return False
        self.hints += 1
        self._tries[self.step.id] = self._mine._replace(hints=max(self._mine.hints, self.hints))
        self.revision += 1
        return True

    @property
    def struck(self) -> int | None:
        """The place of a wrong option that the third hint strikes out."""
        if self.hints < MOST_HINTS or self.way != CHOOSE or not self.is_open:
            return None
        return next((place for place in range(len(self.options)) if not self.verdict_on(place).is_right), None)

    def show_answer(self) -> None:
        """Look at the answer, which is then worth nothing."""
        if not self.is_open or not self.options:
            return
        self.is_shown = True
        self._lay_out(self.solution)
        self.verdict = AnswerVerdict(0.0, None, self.solution)
        self._note(self._mine._replace(is_shown=True))
        self._decided.append(0.0)
        self.revision += 1

    def skip(self) -> None:
        """Skip the present step, which is recorded."""
        self._note(self._mine._replace(is_skipped=True))
        self.go_to(self.at + 1)

    # ---- before a class, where nothing is marked ------------------------------------------------------------

    def reveal(self, place: int | None = None) -> None:
        """Show the right answer, beside the option at a place, without a mark."""
        if self.way == CHOOSE:
            verdicts = [self.verdict_on(one) for one in range(len(self.options))]
            right = next((verdict for verdict in verdicts if verdict.is_right), None)
            self.verdict = right if place is None else verdicts[place]
        else:
            self._lay_out(self.solution)
            self.verdict = self._verdict(self.solution)
        self.revision += 1

    def _lay_out(self, answer: Any) -> None:
        """Mark the options, or put them in the order, that an answer consists of."""
        if self.way == TOGGLE:
            self.chosen = answer
        elif self.way == ARRANGE:
            self.order = tuple(answer)

    def ask_again(self, part: int | None = None) -> None:
        """Take the answer back, or go back to a part of the step; no mark changes."""
        self._ask()
        self.decision = self.decision if part is None else part
        self.revision += 1

    def _ask(self) -> None:
        """Take back what was answered, marked or arranged."""
        self.verdict, self.chosen, self.order = None, frozenset(), ()
        if self.way == ARRANGE:
            self.order = tuple(self.step.task.options(self.entry, self.lesson.instance))

    @property
    def votes(self) -> list[tuple[int, ...]]:
        """The votes on the present question, round by round."""
        return self._votes.get((self.at, self.decision), [])

    def vote(self, votes: tuple[int, ...], place: int = 1) -> None:
        """Note a round of votes: the first, or that at a place; the third replaces the second."""
        self._votes[self.at, self.decision] = [*self.votes[:place], votes]
        self.revision += 1

    # ---- challenges ----------------------------------------------------------------------------------------

    @property
    def hunt(self) -> Hunt:
        """The present challenge, and what is known about it."""
        task = self.step.task
        assert isinstance(task, ChallengeTask)
        if self.at not in self._hunts:
            self._hunts[self.at] = Hunt(self.lesson.scenarios[task.scenario], task)
        return self._hunts[self.at]

    @property
    def par(self) -> Par | None:
        """The par of the present challenge, once it is known."""
        return self.hunt.par if isinstance(self.step.task, ChallengeTask) else None

    def work(self, run: Timeline) -> bool:
        """Go on looking for what a challenge needs, or measuring the experiment, a little; whether that shows.

        `run` is the one in which the learner makes moves.
        """
        task = self.step.task
        if isinstance(task, ExperimentTask):
            return self._measure(task)
        is_news = isinstance(task, ChallengeTask) and self.hunt.look_ahead(run, may_hint=self.hints > 0)
        self.revision += is_news
        return is_news

    def has_reached_goal(self, run: Timeline) -> bool | None:
        """Whether a run has reached the goal of the present challenge; None until the checker knows."""
        if not is_judged_by_checker(self.hunt.task.goal):
            return moments.is_reached(Watch(run), self.hunt.task.goal)
        self.work(run)
        return None if self.hunt.here is None else self.hunt.here.moves == 0

    def _measure(self, task: ExperimentTask) -> bool:
        if self.measured == 1.0 and self.at in self._entries:
            return False
        if self.at not in self._experiments:
            self._experiments[self.at] = ExperimentRun(self.lesson.scenarios[task.scenario], task)
        before, search = self.measured, self._experiments[self.at]
        search.work()
        self.revision += search.key is not None or int(20 * search.share) > int(20 * before)
        return search.key is not None

    def solve(self, moves: int) -> None:
        """Count the present challenge as solved in that number of moves."""
        self._count(share_of_moves(self.par or Par(None, False), moves))
        self.revision += 1

    def claim_impossible(self) -> bool | None:
        """Answer that the challenge cannot be solved: whether that is right; None until the checker knows."""
        par = self.par
        if par is None or (par.moves is None and not par.is_decided):
            return None
        is_right = par.moves is None
        self._count(1.0 if is_right else 0.0)
        self.revision += 1
        return is_right

    # ---- moving --------------------------------------------------------------------------------------------

    def forward(self) -> bool:
        """Go on to the next decision or part, or to the next step; False at the end of the lesson."""
        if self.asked is not None:
            self.decision += 1
            self.verdict, self.hints, self.is_shown = None, 0, False
            self.revision += 1
            if self.asked is not None:
                return True
            if self._decided:
                self._count(sum(self._decided) / len(self._decided))
        if self.at + 1 >= len(self.lesson.steps):
            return False
        self.go_to(self.at + 1)
        return True

    def go_to(self, place: int) -> None:
        """Show the step at a place as it is asked; at the end stay at the last one."""
        self.at = min(max(place, 0), len(self.lesson.steps) - 1)
        self.decision, self._decided = 0, []
        self.hints, self.is_shown = 0, False
        self._ask()
        self.revision += 1

    @property
    def mark(self) -> float:
        """The mark so far, from 0 to 1."""
        return total(self.lesson, self.marks)
