"""The room: who sits where, what each may pick, and what the teacher allows. Knows no network.

Each phone has a seat, which its token brings back after its connection was lost; tokens and seats live in memory only
and bear no names. In a run the seats are nodes, and what a student picks becomes an intervention; in a lesson each seat
has one vote on the question that is open. Whatever a phone sends is checked here, and refused in a sentence.
"""

from __future__ import annotations

import secrets
from dataclasses import dataclass
from typing import Any, NamedTuple

from algorithms.authoring.failures import Failure, guard_run
from algorithms.bad_input import BadInput
from algorithms.engine.applications import is_inside, is_wanting
from algorithms.engine.check import choices
from algorithms.engine.check.choices import Choice
from algorithms.engine.check.own_acts import are_plain
from algorithms.engine.events import DELIVER, FAULT, KIND, MESSAGE, NODE, SENDER, SEQ
from algorithms.engine.played import ENTERING
from algorithms.engine.process import ElectionProcess, Message, MutexProcess
from algorithms.engine.rewrite import system_of
from algorithms.engine.scenario import Event, NodeAct
from lessons.attempt import Attempt
from lessons.task import CHOOSE
from lessons.tasks.decisions import Acts, Decision, decision_on, recognized
from visual.narration.answers import acts_words
from visual.narration.local_knowledge import own_steps
from visual.window.run_view import RunView
from visual.words import naming, node_name, timer_name

LETTERS = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789"  # of a room code: none that looks like another
MOST_SEATS = 300
PACES = (0.0, 0.5, 1.0, 2.0)  # seconds between two steps of the empty seats; 0: they rest
OF_ONESELF = "act"  # the pick of what a node does without an event
CLASS_CHOOSES = "The class decides what happens next."


class PendingPick(NamedTuple):
    """What a student has to answer before a pick happens: the pick, and the decision with its options."""

    pick: str
    moment: str
    event: Event
    decision: Decision


@dataclass
class Seat:
    """A phone's place: a node of the run, or none for those who vote or wait."""

    token: str
    node: int | None
    is_here: bool = True
    is_taken_over: bool = False  # its node is played by the algorithm until the teacher gives it back
    question: PendingPick | None = None
    said: str = ""  # what the student is told about the latest pick,
    said_on: str = ""  # … as long as this is the topic of the room
    vote: int | None = None
    voted_on: str = ""  # the question that the vote is on
    known: tuple[str, str] = ("", "")  # what its page says of the node, and of which moment that is


class Room:
    """The class around a run, or a lesson. `revision` grows with whatever a window or a phone might show."""

    def __init__(self, run: RunView, lesson: Attempt | None = None) -> None:
        self.run, self.lesson = run, lesson
        self.code = "".join(secrets.choice(LETTERS) for _ in range(6))
        self.address = ""
        self.seats: dict[str, Seat] = {}
        self.revision = 0
        self.is_open = True  # whether the teacher's card is unfolded
        self.is_locked = False
        self.by_hand = False  # whether students also decide what their node does
        self.reveals = False  # whether they are told what the algorithm would have done
        self.pace = PACES[2]
        self.moves = 0  # number of picks that have happened
        self._waited = 0.0
        self._decided: dict[Event, Decision] = {}
        self._turns = 0  # grows when the run has gone back, so that no pick of another past fits
        self._before: tuple[Any, int] = (None, 0)
        self._again: tuple[int, int] | None = None  # the lesson's question on which a second round is going on
        if lesson is None:
            self._begin()

    def _begin(self) -> None:
        """From now on nothing happens by itself."""
        run = self.run
        if system_of(run.simulation.algorithm):
            raise BadInput(f"{run.simulation.algorithm.name}: the nodes of a rewriting system cannot be seats")
        run.set_manual(True)
        run.whose_choice = CLASS_CHOOSES
        run.reveal(False)

    @property
    def link(self) -> str:
        """What the QR code says: the address with the room code, which no server sees."""
        return f"{self.address}#{self.code}"

    # ---- seats ---------------------------------------------------------------------------------------------

    @property
    def is_lesson(self) -> bool:
        return self.lesson is not None

    @property
    def can_be_played(self) -> bool:
        """Whether students can decide for the nodes of this algorithm, beyond what arrives next."""
        process = self.run.simulation.algorithm.process
        return issubclass(process, ElectionProcess) or getattr(process, "enter", None) is MutexProcess.enter

    def enter(self, code: object, token: object) -> Seat | None:
        """The seat for a token that the room gave out, or a new one; None for a wrong code or a full room."""
        if not isinstance(code, str) or not secrets.compare_digest(code.strip().upper().encode(), self.code.encode()):
            return None
        seat = self.seats.get(token) if isinstance(token, str) else None
        if seat is None:
            if len(self.seats) >= MOST_SEATS:
                return None
            seat = Seat(secrets.token_urlsafe(16), None)
            self.seats[seat.token] = seat
        if seat.node is None and not self.is_lesson:
            seat.node = self._free_node()
        seat.is_here = True
        self.revision += 1
        return seat

    def _free_node(self) -> int | None:
        taken = {seat.node for seat in self.seats.values()}
        return next((node for node in range(self.run.scenario.nodes) if node not in taken), None)

    def leave(self, seat: Seat) -> None:
        """The phone is gone; its seat stays, and the algorithm plays it meanwhile."""
        seat.is_here, seat.question = False, None
        self.revision += 1

    def seat_of(self, node: int) -> Seat | None:
        return next((seat for seat in self.seats.values() if seat.node == node), None)

    @property
    def empty(self) -> set[int]:
        """The nodes that the algorithm plays."""
        played = {seat.node for seat in self.seats.values() if seat.is_here and not seat.is_taken_over}
        return set(range(self.run.scenario.nodes)) - played

    # ---- what a phone may do -------------------------------------------------------------------------------

    def receive(self, seat: Seat, said: object) -> None:
        """Do what a phone asks for, or tell it why not. Anything that is not on the white list does nothing."""
        if not isinstance(said, dict):
            return
        try:
            match said:
                case {"vote": int(place), "question": str(question)} if len(said) == 2:
                    self._vote(seat, place, question)
                case {"pick": str(pick), "step": str(moment)} if len(said) == 2:
                    self._pick(seat, pick, moment)
                case {"pick": str(pick), "step": str(moment), "answer": int(place)} if len(said) == 3:
                    self._answer(seat, pick, moment, place)
                case {"cancel": str(pick)} if len(said) == 1 and seat.question and seat.question.pick == pick:
                    seat.question = None
                    self.revision += 1
        except BadInput as refusal:
            self._tell(seat, str(refusal))

    def _tell(self, seat: Seat, words: str) -> None:
        if words == self.obstacle(seat):  # its page says that, as long as it is so
            words = ""
        self.revision += (seat.said, seat.said_on) != (words, self.topic)
        seat.said, seat.said_on = words, self.topic

    def obstacle(self, seat: Seat) -> str:
        """Why nothing can be picked at a seat now, in a sentence; empty if it can."""
        timeline = self.run.timeline
        if self.is_locked:
            return "The teacher has locked the room."
        if seat.is_taken_over:
            return "The algorithm plays your node for now."
        is_past = not self.is_lesson and timeline.step < timeline.frontier
        return "The teacher is looking at an earlier moment of the run." if is_past else ""

    @property
    def topic(self) -> str:
        """What is being talked about: the lesson's question and the round, or the run until it goes back."""
        attempt, timeline = self.lesson, self.run.timeline
        if attempt is not None:
            return f"{attempt.at}.{attempt.decision}.{self._round}"
        branch, step = self._before
        if branch is not timeline.branch or timeline.step < step:
            self._turns += 1
        self._before = timeline.branch, timeline.step
        return str(self._turns)

    def moment(self, node: int) -> str:
        """What a pick must name to be fresh: it changes with every event at the node, and when the run goes back."""
        own = own_steps(self.run.ledger, node, 1)
        return f"{self.topic}.{own[-1] if own else 0}"

    def picks(self, node: int) -> dict[str, tuple[Choice, str]]:
        """What may happen next at a node: the name of each pick, with the choice and its words.

        Messages come last, the latest at the end, so that no button moves away from a finger when one is sent.
        """
        run = self.run.simulation
        found: dict[str, tuple[Choice, str]] = {}
        senders: dict[int, int] = {}
        for choice in sorted(choices.at_node(run, node), key=lambda choice: choice.entry[SEQ] if choice.entry else -1):
            fields = dict(choice.fields)
            if choice.entry is not None:
                sender = choice.entry[SENDER]
                senders[sender] = senders.get(sender, 0) + 1
                whose = "yourself" if sender == node else node_name(sender)
                more = f" (number {senders[sender]})" if senders[sender] > 1 else ""
                found[f"deliver {choice.entry[SEQ]}"] = choice, f"Take the message from {whose}{more}"
            elif choice.do == "fire":
                found[f"fire {fields['timer']}"] = choice, f"Let your {timer_name(fields['timer'], naming(run))} expire"
            else:
                found[f"{choice.do} {fields.get('resource', 0)}"] = choice, self.pick_words(choice.do)
        return found

    def pick_words(self, do: str) -> str:
        """The words for a pick of what the node itself does."""
        if do == "exit":
            return "Leave the critical section"
        is_election = self.run.simulation.algorithm.is_election()
        return "Call an election" if is_election else "Request the critical section"

    def _check(self, seat: Seat, moment: str) -> int:
        """The node for which a phone may pick now. BadInput if it may not."""
        node = seat.node
        if node is None or self.is_lesson:
            raise BadInput("You have no node to pick for.")
        if obstacle := self.obstacle(seat):
            raise BadInput(obstacle)
        if moment != self.moment(node):
            raise BadInput("Something has happened at your node since then. Choose again.")
        return node

    def _pick(self, seat: Seat, pick: str, moment: str) -> None:
        node = self._check(seat, moment)
        if pick == OF_ONESELF and (options := self.own_acts(node)):
            event, run = Event(0.0, "act", node=node, acts=()), self.run
            now = (run.now, 0, FAULT, node, event)
            made = Decision(run.timeline.step, now, frozenset(), {}, tuple(options))
            seat.question, seat.said = PendingPick(pick, moment, event, made), ""
            self.revision += 1
            return
        choice, _ = self.picks(node).get(pick, (None, ""))
        if choice is None:
            raise BadInput("That is no longer possible.")
        event = Event(0.0, choice.do, **dict(choice.fields))
        decision = self._decision(event) if self.by_hand and self.can_be_played else None
        if decision is None:
            self._do(event)
            self._tell(seat, "")
        else:
            seat.question, seat.said = PendingPick(pick, moment, event, decision), ""
            self.revision += 1

    def _decision(self, event: Event) -> Decision | None:
        """What the node has to decide; None if a file could not hold it, so that the algorithm has to."""
        run = self.run.simulation
        try:
            with guard_run(run):
                decision = decision_on(run, event, list(self._decided.values()))
        except Failure:
            return None
        process = run.processes[decision.event[NODE]]
        may_enter = (is_wanting(process) or event.do == "request") and not is_inside(process)
        known = {None, *(kind.__name__ for kind in run.algorithm.looks)}  # not so a variant's own messages
        possible = (acts for acts in decision.options if may_enter or ENTERING not in acts)
        options = tuple(acts for acts in possible if are_plain(acts) and {act.type for act in acts} <= known)
        return decision._replace(options=options) if decision.right in options else None

    def own_acts(self, node: int) -> list[Acts]:
        """What a node may do without an event: what its student held back so far, and entering too early."""
        if not (self.by_hand and self.can_be_played):
            return []
        process = self.run.simulation.processes[node]
        may_enter = is_wanting(process) and not is_inside(process)
        held = [act for act in self._held_back(node) if act != ENTERING]
        return [frozenset({act}) for act in (*held, *[ENTERING] * may_enter)]

    def _held_back(self, node: int) -> dict[NodeAct, None]:
        """What the algorithm would have done at a node, and its student has not done so far."""
        held: dict[NodeAct, None] = {}
        for event in self.run.timeline.branch.interventions:
            decision = self._decided.get(event)
            if event.acts is None or decision is None or decision.event[NODE] != node:
                continue
            due = (*held, *sorted(decision.right, key=repr))
            held = {act: None for act in due if act not in event.acts}
        return held

    def _answer(self, seat: Seat, pick: str, moment: str, place: int) -> None:
        node, question = self._check(seat, moment), seat.question
        if question is None or (question.pick, question.moment) != (pick, moment):
            raise BadInput("That question is closed. Choose again.")
        decision = question.decision
        if not 0 <= place < len(decision.options):
            raise BadInput("There is no such answer.")
        seat.question = None
        if pick != OF_ONESELF and pick not in self.picks(node):
            raise BadInput("That is no longer possible.")
        acts = decision.options[place]
        words = self._verdict(pick, decision, acts) if self.reveals else ""
        self._do(question.event, acts)
        self._decided[self.run.timeline.branch.interventions[-1]] = decision
        self._tell(seat, words)

    def _verdict(self, pick: str, decision: Decision, acts: Acts) -> str:
        """What the referee says of an answer."""
        if pick == OF_ONESELF:
            is_late = acts <= self._held_back(decision.event[NODE]).keys()
            return f"Your algorithm would have done {'that earlier' if is_late else 'nothing here'}."
        if acts == decision.right:
            return "Your algorithm would have done the same."
        name = recognized(decision, acts)
        kin = f" The variant “{name}” would have done as you did." if name else ""
        return f"Your algorithm would have decided otherwise: {acts_words(decision.right)}.{kin}"

    def _do(self, event: Event, acts: Acts | None = None) -> None:
        """Make a pick happen. BadInput if the algorithm fails on what that leads to: then it is taken back."""
        run = self.run
        fields = {name: value for name, value in vars(event).items() if value is not None and name not in ("at", "do")}
        if acts is not None:
            fields["acts"] = tuple(sorted(acts, key=repr))
        run.act(event.do, run.now + run.flight, **fields)
        self.revision += 1
        self.moves += 1
        sent = (record for record in run.timeline.trace.step(run.timeline.step - 1)[1:] if record[KIND] == DELIVER)
        if run.failure or not all(isinstance(record[MESSAGE], Message) for record in sent):  # a token that it has not
            run.undo()
            raise BadInput("Your algorithm cannot handle that here, so it did not happen.")

    # ---- a lesson's votes ----------------------------------------------------------------------------------

    @property
    def question(self) -> str:
        """The name of the lesson's open question; "" if none can be voted on."""
        attempt = self.lesson
        if attempt is None or not attempt.is_open or attempt.way != CHOOSE:
            return ""
        return self.topic

    @property
    def _round(self) -> int:
        """The number of the round of votes, from 0."""
        attempt = self.lesson
        return int(attempt is not None and self._again == (attempt.at, attempt.decision))

    def voted(self, seat: Seat) -> int | None:
        """The vote of a seat in the open round, or after the answer its latest one on that question."""
        attempt = self.lesson
        question = self.question or (f"{attempt.at}.{attempt.decision}." if attempt else "")
        return seat.vote if question and seat.voted_on.startswith(question) else None

    def _vote(self, seat: Seat, place: int, question: str) -> None:
        attempt = self.lesson
        if attempt is None or not self.question or question != self.question:
            raise BadInput("That question is closed.")
        if obstacle := self.obstacle(seat):
            raise BadInput(obstacle)
        if not 0 <= place < len(attempt.options):
            raise BadInput("There is no such answer.")
        seat.vote, seat.voted_on, seat.said = place, question, ""
        attempt.vote(self.counts, self._round)
        self.revision += 1

    @property
    def counts(self) -> tuple[int, ...]:
        """The votes for each option of the open question."""
        attempt = self.lesson
        votes = [seat.vote for seat in self.seats.values() if seat.voted_on == self.question]
        return tuple(votes.count(place) for place in range(len(attempt.options if attempt else ())))

    # ---- the teacher ---------------------------------------------------------------------------------------

    def change(self, what: str) -> None:
        """Change what the teacher allows, or the teacher's card: open, lock, hand, reveal, pace or again."""
        if what == "pace":
            self.pace = PACES[(PACES.index(self.pace) + 1) % len(PACES)]
        elif what == "again":
            if self.lesson is not None and self.lesson.votes:
                self._again = self.lesson.at, self.lesson.decision
        else:
            switch = {"open": "is_open", "lock": "is_locked", "hand": "by_hand", "reveal": "reveals"}[what]
            setattr(self, switch, not getattr(self, switch))
        if what == "reveal":
            self.run.reveal(self.reveals)
        self.revision += 1

    def take_over(self, node: int) -> None:
        """Let the algorithm play a node, or give it back; the seat of a phone that is away goes to another."""
        seat = self.seat_of(node)
        if seat is None:
            return
        seat.question = None
        if seat.is_here:
            seat.is_taken_over = not seat.is_taken_over
        else:
            waiting = (other for other in self.seats.values() if other.is_here and other.node is None)
            seat.node, seat.is_taken_over = None, False
            if (heir := next(waiting, None)) is not None:
                heir.node = node
        self.revision += 1

    def tick(self, seconds: float) -> None:
        """Let time pass: the empty seats make a step now and then."""
        run = self.run
        is_empty = not any(seat.is_here for seat in self.seats.values())
        is_resting = self.is_lesson or self.is_locked or not self.pace or is_empty
        self._waited = 0.0 if is_resting else self._waited + seconds
        timeline = run.timeline
        if is_resting or self._waited < self.pace or timeline.step < timeline.frontier:
            return
        self._waited = 0.0
        choice = choices.automatic(run.simulation, self.empty)
        if choice is not None:
            try:
                self._do(Event(0.0, choice.do, **dict(choice.fields)))
            except BadInput:
                self.pace = PACES[0]
