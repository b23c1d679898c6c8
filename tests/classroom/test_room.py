"""The room without a network: whoever sits at a node decides for it; nothing else that a phone says changes a run."""

from __future__ import annotations

import html
import random
import re
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from algorithms import catalog, scenario_file
from algorithms.bad_input import BadInput
from algorithms.engine.process import ElectionProcess, MutexProcess
from algorithms.engine.scenario import Scenario
from tests.support.classes import lesson_room, offered, press, room_of, seats
from visual.narration.answers import NOTHING_SENT
from visual.narration.local_knowledge import local_knowledge
from visual.narration.steps import step_sentence
from visual.window.classroom.phone import page
from visual.window.classroom.room import Room
from visual.window.run_view import RunView

NOTHING = NOTHING_SENT.capitalize()


def happened(room) -> list:
    return [*room.run.timeline.trace.steps()]


def asked(room) -> list[str]:
    """What stands on the buttons of the first seat."""
    return [words for words, _ in offered(page(room, next(iter(room.seats.values()))))]


def told(room, seat) -> list[str]:
    """What a page says in boxes of its own: the state of the seat, and the answer to what was picked."""
    return re.findall(r'<p class="(?:said|state)"[^>]*>([^<]*)</p>', page(room, seat))


def test_each_phone_gets_a_node_of_its_own_until_none_is_left():
    room = room_of()
    nodes = room.run.scenario.nodes
    taken = seats(room, nodes + 1)
    assert [seat.node for seat in taken] == [*range(nodes), None]
    assert "All seats are taken" in page(room, taken[-1])


def test_a_token_brings_its_seat_back_and_a_wrong_code_brings_none():
    room = room_of()
    first, second = seats(room, 2)
    room.leave(first)
    assert first.node in room.empty
    assert room.enter("WRONG1", first.token) is None
    assert room.enter(room.code.lower(), first.token) is first
    assert first.node not in room.empty
    assert room.enter(room.code, "made up") not in (first, second)


def test_the_seat_of_a_phone_that_is_away_can_be_given_to_one_that_waits():
    room = room_of()
    first, *_, late = seats(room, room.run.scenario.nodes + 1)
    room.take_over(0)
    assert (first.node, first.is_taken_over, late.node) == (0, True, None)
    room.leave(first)
    room.take_over(0)
    assert (first.node, late.node) == (None, 0)
    assert "All seats are taken" in page(room, room.enter(room.code, first.token))


def test_a_phone_sees_nothing_of_what_is_in_transit_to_it_but_the_sender():
    room = room_of()
    one, two = seats(room, 2)
    press(room, one, "Request")
    assert "Take the message from P0" in page(room, two)
    assert "(1, 0)" in page(room, one)
    assert "(1, 0)" not in page(room, two)


def test_a_pick_is_an_intervention_so_that_the_run_is_a_file_with_equal_steps(tmp_path):
    room = room_of()
    one, two, *_ = seats(room, 5)
    room.change("hand")
    press(room, one, "Request")
    press(room, one, "Request")  # the answer: what the algorithm would do
    press(room, two, "Take the message from P0")
    press(room, two, NOTHING)
    scenario_file.save(scenario_file.saved_run(room.run.timeline), tmp_path / "class.toml")
    again = RunView(scenario_file.load(tmp_path / "class.toml"))
    again.seek(room.run.timeline.step)
    assert [*again.timeline.trace.steps()] == happened(room)
    assert "By hand, it does nothing" in again.sentence


def test_a_run_that_is_longer_than_its_scenario_is_saved_whole(tmp_path):
    """As a class takes its time: then a command that runs the file until its end must not leave steps out."""
    room = Room(RunView(replace(scenario_file.load(scenario_file.find("deferred-reply")), until=2.0)))
    for seat in seats(room, 5):
        press(room, seat, "Request")
    simulation = catalog.simulation(saved := scenario_file.saved_run(room.run.timeline))
    simulation.run(until=saved.until)
    steps = happened(room)
    assert [*simulation.trace.steps()][: len(steps)] == steps


def test_the_referee_keeps_silent_until_the_teacher_reveals():
    room = room_of()
    one, two, three, *_ = seats(room, 5)
    press(room, one, "Request")
    room.change("hand")
    press(room, two, "Take the message from P0")
    press(room, two, NOTHING)
    assert two.said == ""
    assert "algorithm" not in room.run.sentence
    assert not room.run.execution.lines, "the source lights no line"
    room.change("reveal")
    assert room.run.execution.lines
    assert room.run.sentence.endswith("Its algorithm replies at once: it is not competing.")
    press(room, three, "Take the message from P0")
    press(room, three, NOTHING)
    assert three.said.startswith("Your algorithm would have decided otherwise: reply to P0.")


def test_what_was_held_back_can_still_be_done_once():
    room = room_of()
    one, two, *_ = seats(room, 5)
    press(room, one, "Request")
    room.change("hand")
    room.change("reveal")
    press(room, two, "Take the message from P0")
    press(room, two, NOTHING)
    press(room, two, "Do something")
    press(room, two, "Reply to P0")
    assert "By hand, P1 sends a reply to P0" in step_sentence(room.run.timeline, room.run.timeline.step - 1)
    assert told(room, two) == ["Your algorithm would have done that earlier."]
    assert "<li>By hand, P1 sends a reply to P0.</li>" in page(room, two)
    assert not room.own_acts(1)


def test_entering_too_early_is_offered_and_shows_its_damage():
    room = room_of()
    for seat in seats(room, 2):
        press(room, seat, "Request")
    room.change("hand")
    for seat in [*room.seats.values()]:
        press(room, seat, "Do something")
        press(room, seat, "Enter")
        assert told(room, seat) == (["Your algorithm would have done nothing here."] if room.reveals else [])
        assert f"<li>By hand, P{seat.node} enters the critical section.</li>" in page(room, seat)
        room.change("reveal")
    assert [breach.monitor for breach in room.run.ledger.breaches] == ["ME1"]


def test_a_verdict_names_the_variant_that_decides_alike_and_goes_with_the_step_that_it_is_about():
    room = room_of()
    one, two, *_ = seats(room, 5)
    for change in ("hand", "reveal"):
        room.change(change)
    for seat in (one, two):
        press(room, seat, "Request")
        press(room, seat, "Request")
    press(room, one, "Take the message from P1")
    press(room, one, "Reply to P1")
    (words,) = told(room, one)
    assert words.startswith("Your algorithm would have decided otherwise: nothing for now. The variant “")
    assert words.endswith("” would have done as you did.")
    room.run.undo()
    assert not told(room, one), "the step is taken back"


def test_no_button_moves_away_from_a_finger_when_a_message_is_sent():
    room = room_of()
    _, *others = seats(room, 5)
    room.change("hand")
    before = asked(room)
    assert before
    for seat in others:
        press(room, seat, "Request")
        press(room, seat, "Request")
        assert asked(room)[: len(before)] == before
        before = asked(room)
    assert len(before) == 5


def test_no_button_moves_away_from_a_finger_when_the_second_round_begins():
    room = lesson_room()
    (one,) = seats(room, 1)
    press(room, one, "A")
    places = []
    for _ in range(2):
        above, _, rest = page(room, one).partition("<button")
        places.append((above, rest.count("<button")))
        room.change("again")
    assert told(room, one) == ["Second round: vote again."]
    assert places[0] == places[1]


@pytest.mark.parametrize("name", ["binary-search-64", "split-votes", "more-votes", "circle-of-forks", "deferred-reply"])
def test_a_phone_says_what_arrives_as_the_history_of_its_node_does(name):
    """No label of a message stands for a sentence, as in “Gimme 2 1 0 64 arrives” or “Denied arrives”."""
    room, dice, arrived = room_of(name), random.Random(name), 0
    students = seats(room, min(room.run.scenario.nodes, 6))
    room.change("hand")
    for _ in range(60):
        seat = dice.choice(students)
        buttons = offered(page(room, seat))
        if not buttons:
            continue
        words, said = dice.choice(buttons)
        room.receive(seat, said)
        if words.startswith("Take the message from P") and seat.question:
            heading, _, _ = html.unescape(page(room, seat)).partition(" What do you do?</h2>")
            sentence = heading.rpartition("<h2>")[2].removesuffix(".")
            room.receive(seat, offered(page(room, seat))[0][1])
            events = local_knowledge(room.run.ledger, seat.node).events
            assert "cannot handle" in seat.said or sentence in events[-1], (sentence, events[-1])
            arrived += 1
            assert "((" not in page(room, seat), "a tuple in brackets"
    assert arrived


def test_letters_of_a_phone_are_large_enough_and_variables_are_explained():
    for name in ("deferred-reply", "bully-worst", "circle-of-forks", "idle-ring", "binary-search-64", "more-votes"):
        room = room_of(name)
        for seat in seats(room, 3):
            for _ in range(4):
                room.tick(9.0)
            text = page(room, seat)
            assert all(float(size) >= 11 for size in re.findall(r'font-size="([\d.]+)"', text)), name
            glosses = {fact.gloss for fact in local_knowledge(room.run.ledger, seat.node).variables}
            assert all(f"<small>{html.escape(gloss)}</small>" in text for gloss in glosses), name


@pytest.mark.parametrize("how", ["locked", "taken over", "looking back", "stale", "answer to nothing"])
def test_a_pick_that_may_not_be_made_changes_nothing_and_is_told_why(how):
    room = room_of()
    one, two, *_ = seats(room, 3)
    press(room, one, "Request")
    (_, said), *_ = offered(page(room, two))
    if how == "locked":
        room.change("lock")
    elif how == "taken over":
        room.take_over(1)
    elif how == "looking back":
        room.run.seek(1)
    elif how == "stale":
        room.receive(two, said)
    else:
        said = {**said, "answer": 0}
    before, step = happened(room), room.run.timeline.step
    room.receive(two, said)
    assert (happened(room), room.run.timeline.step) == (before, step)
    (reason,) = told(room, two)
    if how not in ("stale", "answer to nothing"):
        assert not offered(page(room, two)), "nothing is offered that would be refused"
        {"locked": lambda: room.change("lock"), "taken over": lambda: room.take_over(1)}.get(
            how, lambda: room.run.seek(step + 1)
        )()
        assert reason not in told(room, two), "once it is over, it is not said any more"
        assert offered(page(room, two))


def test_an_undone_step_makes_picks_from_after_it_stale():
    room = room_of()
    one, two, *_ = seats(room, 2)
    press(room, one, "Request")
    old = offered(page(room, two))[0][1]
    room.run.undo()
    press(room, one, "Request")
    room.receive(two, old)
    assert two.said == "Something has happened at your node since then. Choose again."


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=9),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=6), inner, max_size=3),
    max_leaves=8,
)
KNOWN = st.fixed_dictionaries(
    {},
    optional={
        "pick": st.sampled_from(["request 0", "deliver 2", "act", "fire x"]) | JSON,
        "step": st.sampled_from(["1.0", "0.0"]) | JSON,
        "answer": st.integers(-2, 9) | JSON,
        "vote": st.integers(-2, 9) | JSON,
        "question": JSON,
        "cancel": JSON,
    },
)


@settings(max_examples=60, deadline=None)
@given(said=JSON | KNOWN)
def test_garbage_changes_no_run_and_raises_nothing(said):
    room = room_of()
    one, two, *_ = seats(room, 2)
    press(room, one, "Request")
    room.change("lock")
    before = happened(room)
    room.receive(two, said)
    assert happened(room) == before
    page(room, two)


def test_the_algorithm_plays_the_empty_seats_and_leaves_the_others_alone():
    room = room_of("busy-ring")
    (one,) = seats(room, 1)
    for _ in range(60):
        room.tick(10.0)
    events = [records[0] for _, records in room.run.timeline.trace.steps()]
    assert len(events) > 3
    assert all(record[3] != one.node for record in events[1:])
    assert any(words.startswith("Take the message") for words in asked(room))  # the token has come to the student


def test_nobody_is_moved_while_the_room_is_locked_or_empty():
    room = room_of()
    room.tick(99.0)
    assert room.run.timeline.step == 1
    seats(room, 1)
    room.change("lock")
    room.tick(99.0)
    assert room.run.timeline.step == 1


def test_a_message_that_the_algorithm_cannot_handle_is_taken_back():
    """A second reply finds nobody awaiting it: the algorithm's code fails, and the class goes on."""
    room = room_of()
    one, two, *_ = seats(room, 2)
    press(room, one, "Request")
    press(room, two, "Take the message from P0")
    press(room, one, "Take the message from P1")
    run = room.run
    act = scenario_file.loads(
        'format = 1\nalgorithm = "ricart-agrawala"\n[[event]]\nat = 0.0\ndo = "act"\nnode = 1\n'
        'acts = [{ do = "send", type = "Reply", to = 0 }]\n'
    ).events[0]
    run.act("act", node=1, acts=act.acts)
    step = run.timeline.step
    press(room, one, "Take the message from P1")
    assert run.timeline.step == step
    assert "cannot handle" in one.said
    assert not run.failure


def test_rewriting_systems_have_no_seats():
    with pytest.raises(BadInput, match="cannot be seats"):
        room_of("rules-binary-search")


def test_twelve_vote_and_vote_again_and_see_what_is_right():
    room = lesson_room("ask-everybody")
    lesson = room.lesson
    while not room.question:
        assert lesson.forward()
    voters = seats(room, 12)
    options = [said for _, said in offered(page(room, voters[0]))]
    for place, seat in enumerate(voters):
        room.receive(seat, options[place % len(options)])
    room.receive(voters[0], options[-1])  # changes its mind
    assert sum(lesson.votes[0]) == 12
    room.change("again")
    room.receive(voters[3], {**options[0], "question": room.question})
    assert [sum(votes) for votes in lesson.votes] == [12, 1]
    lesson.reveal(None)
    assert "✓" in page(room, voters[0])
    assert not room.question
    room.receive(voters[1], options[0])
    assert voters[1].said == "That question is closed."


def own_marks(text: str) -> tuple[str, list[str]]:
    """What a phone is told of its vote, and the marked options of its list that it calls its own."""
    told = re.findall(r'<p class="said"[^>]*>([^<]*)</p>', text)
    items = re.findall(r"<li( class=chosen)?>([^<]*)</li>", text)
    own = [words for is_chosen, words in items if "(your vote)" in words]
    assert own == [words for is_chosen, words in items if is_chosen], "in words as well as by colour"
    return " ".join(told), own


@pytest.mark.parametrize("name", ["ask-everybody", "lost-token"])
@pytest.mark.parametrize("teacher", [None, 1])
def test_each_phone_is_told_after_each_question_whether_its_vote_was_right(name, teacher):
    """Also where the teacher has shown what is wrong with another option, and by the vote of the second round."""
    room, asked, wrong = lesson_room(name), 0, 0
    lesson = room.lesson
    while True:
        if room.question:
            voters = [room.seats[token] for token in room.seats] or seats(room, 6)
            *voting, silent = voters
            count = len(lesson.options)
            for place, seat in enumerate(voting):
                room.receive(seat, {"vote": place % count, "question": room.question})
                assert page(room, seat).count("(your vote)") == 1
            room.change("again")
            assert "(your vote)" not in page(room, voting[0]), "in the second round it has not voted yet"
            room.receive(voting[0], {"vote": count - 1, "question": room.question})
            lesson.reveal(None if teacher is None else teacher % count)
            for place, seat in enumerate(voting):
                chosen = place % count if place else count - 1
                is_right = lesson.options[chosen] == lesson.solution
                told, (own,) = own_marks(page(room, seat))
                sign, letter = "✓" if is_right else "✗", "ABCDEFGHIJ"[chosen]
                marks = "That is right" if is_right else r"That is wrong|Partly right \(\d+%\)"
                assert re.match(rf"{sign} You voted {letter}\. ({marks})\.", told)
                why = told.partition(". ")[2].partition(".")[2]
                assert bool(why) is not is_right, (told, "a wrong vote is told why it is wrong")
                assert own.startswith(f"{sign} {letter} ")
                wrong += not is_right
            assert own_marks(page(room, silent)) == ("You did not vote on this question.", [])
            asked += 1
        if not lesson.forward():
            break
    assert asked
    assert wrong


class NumberRing:
    """Chang and Roberts' paper as the test reads it: nodes on a ring, whose numbers are their places.

    `sent` has each message in transit: its kind and number, and to whom it goes. Memory follows the paper, whatever is
    sent.
    """

    def __init__(self, nodes: int) -> None:
        self.nodes, self.participants = nodes, set[int]()
        self.sent: list[tuple[str, int, int]] = []

    def called(self, node: int) -> set[tuple[str, int]]:
        """What the paper sends where a node calls an election."""
        is_new = node not in self.participants
        self.participants.add(node)
        return {("election", node)} if is_new else set()

    def arrived(self, node: int, kind: str, number: int) -> set[tuple[str, int]]:
        """What the paper sends on the arrival of a message, which is in transit no longer."""
        assert next(one for one in self.sent if one[2] == node) == (kind, number, node), "the oldest of that link"
        self.sent.remove((kind, number, node))
        if kind == "elected":
            self.participants -= {node} if number != node else set()
            return {(kind, number)} if number != node else set()
        if number == node:
            self.participants.discard(node)
            return {("elected", node)}
        is_known = node in self.participants and number < node
        self.participants.add(node)
        return set() if is_known else {("election", max(number, node))}


ARRIVES = (
    r"receives P(?P<of>\d)'s (?P<kind>election) message (?P<number>\d)\. What do you do\?",
    r"receives “(?P<kind>elected)” from P(?P<of>\d) \(number (?P<number>\d)\)\. What do you do\?",
)


def answer_of(acts: set[tuple[str, int]], to: int) -> str:
    """What stands on the button that sends these."""
    return "".join(f"{kind.capitalize()} (number {number}) to P{to}" for kind, number in acts) or NOTHING


@pytest.mark.parametrize("how", ["as the paper", "pass it on", "at random"])
def test_passing_on_by_hand_brings_exactly_that_message_to_the_next_and_the_referee_knows_the_paper(how):
    """Seen on the phones alone: who may take how many messages from whom, what arrives, and what the referee says."""
    ring, dice, passed, wrong = NumberRing(4), random.Random(how), 0, 0
    room = Room(RunView(Scenario("chang-roberts", nodes=ring.nodes, seed=3)))
    students = seats(room, ring.nodes)
    for what in ("hand", "reveal"):
        room.change(what)
    for _ in range(60):
        picks = [
            (node, words, said)
            for node, seat in enumerate(students)
            for words, said in offered(page(room, seat))
            if not words.startswith("Do something")
        ]
        node, pick, said = dice.choice([one for one in picks if one[1].startswith("Take")] or picks)
        seat, after = students[node], (node + 1) % ring.nodes
        room.receive(seat, said)
        text = html.unescape(page(room, seat))
        arrives = next(filter(None, (re.search(words, text) for words in ARRIVES)), None)
        assert bool(arrives) == pick.startswith("Take the message from P")
        if arrives:
            kind, number = arrives["kind"], int(arrives["number"])
            assert int(arrives["of"]) == (node - 1) % ring.nodes
            right, same = ring.arrived(node, kind, number), {(kind, number)}
        else:
            assert "You are about to call an election. What do you do?" in page(room, seat)
            right, same = ring.called(node), {("election", node)}
        answers = {label: answer for label, answer in offered(page(room, seat)) if label != "Not yet"}
        passing = answer_of(same, after)
        assert not arrives or passing in answers, "passing it on is always possible"
        own = [label for label in answers if label.endswith(f" to P{after}")] or [NOTHING]
        label = {"as the paper": answer_of(right, after), "pass it on": passing}.get(how, dice.choice(own))
        if label not in answers:  # it cannot call an election again
            label = NOTHING
        room.receive(seat, answers[label])
        found = re.fullmatch(r"(Election|Elected) \(number (\d)\) to P\d", label)
        ring.sent += [(found[1].lower(), int(found[2]), after)] if found else []
        told = "Your algorithm would have done the same."
        if label != answer_of(right, after):
            right_words = answer_of(right, after)
            told = f"Your algorithm would have decided otherwise: {right_words[0].lower()}{right_words[1:]}."
            wrong += 1
        assert seat.said.startswith(told), (label, right)
        passed += bool(arrives) and label == passing
        for receiver, one in enumerate(students):
            takes = [words for words, _ in offered(page(room, one)) if words.startswith("Take")]
            is_awaited = any(to == receiver for _, _, to in ring.sent)
            assert takes == [f"Take the message from P{(receiver - 1) % ring.nodes}"] * is_awaited
    assert passed > 5
    assert (wrong > 5) == (how != "as the paper")


PLAYED = MutexProcess | ElectionProcess


@pytest.mark.parametrize(
    "name", sorted(name for name, one in catalog.by_name().items() if issubclass(one.process, PLAYED))
)
def test_a_class_that_answers_at_random_breaks_no_algorithm_and_sends_only_its_messages(name):
    """Each algorithm whose processes can be played; whatever a phone offers can be done, and the run stays a file."""
    room = Room(RunView(Scenario(name, nodes=5, seed=3)))
    students, dice = seats(room, room.run.scenario.nodes), random.Random(name)
    for what in ("hand", "reveal"):
        room.change(what)
    kinds = {kind.__name__ for kind in room.run.simulation.algorithm.looks}
    for _ in range(60):
        seat = dice.choice(students)
        buttons = offered(page(room, seat))
        if seat.question:
            sends = {act.type for acts in seat.question.decision.options for act in acts if act.do == "send"}
            assert sends <= kinds
        if buttons:
            room.receive(seat, dice.choice(buttons)[1])
    assert room.run.timeline.step > 5
    text = scenario_file.dumps(scenario_file.saved_run(room.run.timeline))
    again = RunView(scenario_file.loads(text))
    again.seek(room.run.timeline.step)
    assert [*again.timeline.trace.steps()] == happened(room)
