"""What a step is said to have done, which lines ran in it, and how the source panel shows them."""

from __future__ import annotations

import re
import sys
from itertools import pairwise
from math import inf
from pathlib import Path
from types import ModuleType

import pytest

from algorithms import catalog
from algorithms.components.failure_detector import AreYouThere
from algorithms.election import chang_roberts
from algorithms.election.franklin import Bid
from algorithms.engine.checkpoint import save
from algorithms.engine.events import APPLIED, DELIVER, ENTER, KIND, NODE, SENDER, SUSPECTED, TIME, TIMER
from algorithms.engine.observe.line_trace import comments, execution, execution_in, has_changed, source_files
from algorithms.engine.observe.meters import Meters
from algorithms.engine.process import Message, MutexProcess
from algorithms.engine.randomness import Fixed
from algorithms.engine.scenario import Event, Network, Scenario
from algorithms.engine.timeline import Timeline
from algorithms.engine.workload import Closed, Poisson, Request, Script
from algorithms.mutual_exclusion import binary_search_token, ricart_agrawala
from algorithms.mutual_exclusion.binary_search_token import Gimme
from algorithms.mutual_exclusion.centralized_careful_successor import Inquiry, Status
from algorithms.mutual_exclusion.ricart_agrawala import RicartAgrawala
from tests.support.desks import desk_of
from tests.support.kit import for_each
from visual.analysis.ledger import Ledger
from visual.drawing.picking import bounds
from visual.drawing.shapes import Box, Group, Rect, Text
from visual.drawing.theme import load
from visual.narration.captions import caption
from visual.narration.inspection import glosses_of, glosses_of_fields
from visual.narration.local_knowledge import local_knowledge
from visual.narration.steps import brief_sentence, latest_execution, step_sentence
from visual.scene.options import Options
from visual.scene.source_listing import CodeRow, Listing, ListingPage, listing_of, page_of, source, wrapped_rows
from visual.window.gallery.cards import scenario_of
from visual.words import PLAIN, message_details, message_label, message_noun, message_phrase, message_type, value_text

EVERYTHING = [
    (algorithm.name, variant)
    for family in catalog.by_family().values()
    for algorithm in family
    for variant in (None, *algorithm.variants)
]


def timeline_of(
    name: str, nodes: int = 3, variant: str | None = None, events: tuple[Event, ...] = (), **more: object
) -> Timeline:
    chosen = {"load": Script(requests=(Request(0, 1), Request(0.5, 2))), **more}
    return catalog.timeline(Scenario(name, variant=variant, nodes=nodes, seed=3, events=events, **chosen))  # type: ignore[arg-type]


def story(timeline: Timeline, until: float) -> list[str]:
    timeline.seek_time(until)
    return [step_sentence(timeline, step) for step in range(timeline.frontier)]


def test_who_joins_is_named_and_nobody_is_said_to_join_who_is_there_already() -> None:
    joins = (Event(1.0, "join"), Event(2.0, "join"), Event(3.0, "join", node=0))
    said = story(timeline_of("centralized", events=joins, load=Script(), members=2), 4)
    assert said[1].startswith("P2 joins")
    assert said[2:4] == ["There is no node left to join.", "P0 is already a member."]


def test_ricart_agrawala_told_from_its_own_comments() -> None:
    said = story(timeline_of("ricart-agrawala"), 5)
    assert said[:3] == [
        "The run begins.",
        "P1 requests the critical section and asks every other process for permission.",
        "P2 requests the critical section and asks every other process for permission.",
    ]
    assert "P1 receives P2's request (1,2) and defers its reply: its own (1,1) is older than (1,2)." in said
    assert "P1 receives a reply from P2 and enters the critical section: all replies are in." in said
    assert "P1 leaves the critical section and replies to P2, which it kept waiting." in said


def test_what_is_done_to_a_run_is_told() -> None:
    events = (
        Event(0.1, "drop", node=1, to=0),
        Event(0.2, "delay", node=1, to=2, delay=2.0),
        Event(0.3, "crash", node=0),
        Event(0.4, "recover", node=0, memory=False),
        Event(0.6, "pause", node=0),
        Event(0.7, "cut", node=1, to=2),
        Event(0.8, "heal"),
        Event(0.9, "partition", groups=((0, 1), (2,))),
        Event(1.1, "request", node=1),
        Event(2.0, "lose-token"),
        Event(2.1, "drop", message=9999),
    )
    said = story(timeline_of("ricart-agrawala", events=events), 2.5)
    for expected in (
        "Request (1,1) from P1 to P0 is dropped.",
        "Request (1,1) from P1 to P2 is delayed.",
        "P0 crashes.",
        "P0 recovers, having lost its memory.",
        "P0 is paused; to the others this looks like a crash.",
        "The link between P1 and P2 is cut; 2 messages in transit are lost.",
        "All links are restored.",
        "The network is partitioned: P0 and P1 / P2; a message in transit is lost.",
        "P1 is to request the critical section again after its present request.",
        "There is no token to lose.",
        "There is no such message in transit to be dropped.",
    ):
        assert expected in said


def test_what_becomes_of_a_token_is_told() -> None:
    load = Script(requests=(Request(0, 1),))
    flying = story(timeline_of("token-ring", events=(Event(0.5, "lose-token"),), load=load), 1.2)
    assert "The token is lost in transit." in flying
    held = story(timeline_of("token-ring", events=(Event(1.5, "lose-token"),), load=load), 1.9)
    assert "The token is lost while P1 holds it; P1 cannot know this." in held
    crashed = story(timeline_of("token-ring", events=(Event(0.5, "crash", node=1),), load=load), 1.2)
    assert "P0's token reaches P1, which has crashed, and is lost." in crashed
    paused = story(timeline_of("token-ring", events=(Event(0.5, "pause", node=1),), load=load), 1.2)
    assert "A token waits at P1, which is paused." in paused


@pytest.mark.parametrize("first", ["lose-token", "duplicate-token"])
@pytest.mark.parametrize("second", ["lose-token", "duplicate-token"])
def test_a_token_whose_fate_is_settled_is_not_hit_again(first: str, second: str) -> None:
    """The engine lets a held token meet one fault: a caption of a second one says so, and nothing changes."""
    events = (Event(1.2, first), Event(1.4, second))
    timeline = timeline_of("token-ring", events=events, load=Script(requests=(Request(0, 1),)))
    said = story(timeline, 1.9)
    fate = "lost" if first == "lose-token" else "duplicated"
    assert f"The token is {fate} while P1 holds it; P1 cannot know this." in said
    assert f"Nothing changes: the token that P1 holds has been {fate} already." in said
    counts = Meters(timeline.scenario, timeline.simulation.algorithm)
    counts.advance(timeline.trace)
    assert counts.at(timeline.step, 1.9).tokens == (0 if first == "lose-token" else 2)
    timeline.seek_time(2.1)
    sent = sum(record[KIND] == DELIVER and record[SENDER] == 1 for record in timeline.trace.records)
    assert sent == (1 if first == "lose-token" else 2)


def test_a_fault_of_the_token_names_the_holder_that_it_meets() -> None:
    """Of two holders the second one is hit once the first has been."""
    events = (Event(0.5, "duplicate-token"), Event(1.2, "lose-token"), Event(2.2, "lose-token"))
    load = Script(requests=(Request(0, 1), Request(0, 2)), hold=Fixed(3.0))
    said = story(timeline_of("israeli-jalfon", events=events, load=load, parameters={"every": 2}), 3.0)
    hits = [words for words in said if "while" in words]
    assert len(set(hits)) == len(hits) >= 2


@pytest.mark.parametrize(
    ("message", "a", "its", "says"),
    [
        (ricart_agrawala.Reply(), "a reply", "reply", ""),
        (ricart_agrawala.Request((1, 2)), "request (1,2)", "request (1,2)", ""),
        (chang_roberts.Elected(28), "“elected”", "“elected”", " (number 28)"),
        (Gimme(1, 7, 3, 0, 16), "a gimme", "gimme", " (requester 1, number 7, low 0, high 16)"),
        (binary_search_token.Token(9, (), None), "a token", "token", " (visits 9)"),
        (AreYouThere(), "“are you there”", "“are you there”", ""),
        (Status(True), "a status message", "status message", " (inside)"),
        (Status(False), "a status message", "status message", ""),
        (Bid(7, "right"), "a bid", "bid", " (number 7, going right)"),
        (Inquiry(), "an inquiry", "inquiry", ""),
    ],
    ids=str,
)
def test_a_message_is_spoken_of_in_english(message, a, its, says) -> None:
    assert message_phrase(message, PLAIN) == a
    assert message_noun(message, PLAIN) == its
    assert message_details(message, PLAIN) == says


def test_who_does_the_same_is_told_once() -> None:
    said = story(timeline_of("israeli-jalfon", nodes=3), 1)
    assert said[0].startswith("The run begins; every process creates a token")
    run = timeline_of("bully", nodes=5).simulation
    silent = ((5.0, 1, TIMER, 2, "answer timeout"), *((5.0, 2, SUSPECTED, 2, dead) for dead in (3, 4)))
    assert brief_sentence(list(silent), run) == "P2's answer timeout expires: it suspects that P3 and P4 have crashed."


def test_elections_are_told() -> None:
    said = story(timeline_of("bully", nodes=3, load=Script(requests=(Request(0, 1),))), 10)
    assert said[1].startswith("P1 calls an election")
    assert any("becomes leader" in line for line in said)
    assert any("accepts P2 as leader" in line for line in said)


@for_each(case=EVERYTHING)
def test_every_step_of_every_algorithm_has_its_sentence(case: tuple[str, str | None]) -> None:
    name, variant = case
    timeline = timeline_of(name, 4, variant, (Event(6, "crash", node=3),), load=Closed(think=4.0))
    for step in range(60):
        ran = execution_in(timeline, timeline.forward)
        if timeline.step == step:
            break  # nothing is left to happen
        said = step_sentence(timeline, step, ran)
        event = timeline.trace.event(step)
        assert said.lstrip("“")[0].isupper()
        assert said.endswith((".", "?"))
        assert not said.endswith("..")
        assert "None" not in said
        assert "P-1" not in said
        last = timeline.trace.step(step)[-1]
        actor = last[NODE] if last[KIND] == APPLIED else event[NODE]
        assert actor < 0 or f"P{actor}" in said
        entering = any(record[KIND] == ENTER for record in timeline.trace.step(step))
        assert not entering or "enters" in said


LASTED = re.compile(r"\b(?:for|after|in|within|since) (\d+(?:\.\d+)?|Δ\S*)", re.IGNORECASE)
AHEAD = re.compile(r"\b(?:will|keeps)\b")


def times_claimed(said: str) -> list[float]:
    """The durations that a sentence says have passed; one without a number is longer than any run."""
    clauses = [clause for clause in re.split(r"[:.] ", said) if not AHEAD.search(clause)]
    found = [time for clause in clauses for time in LASTED.findall(clause)]
    return [inf if time.startswith("Δ") else float(time) for time in found]


@for_each(case=[case for case in EVERYTHING if not case[0].startswith("system-")])
def test_no_timer_that_is_made_to_expire_has_taken_longer_than_the_run(case: tuple[str, str | None]) -> None:
    name, variant = case
    timeline, fired = timeline_of(name, 4, variant, load=Closed(think=4.0)), set[tuple[int, str]]()
    for _ in range(40):
        for timer in timeline.simulation.timers.due.keys() - fired:
            fired.add(timer)
            early = timeline.simulation.timers.due.get(timer, (0,))[TIME] > timeline.simulation.now
            timeline.act(Event(0, "fire", node=timer[0], timer=timer[1]))
            step, now = timeline.step - 1, timeline.simulation.now
            said = step_sentence(timeline, step)
            assert ("is made to expire" in said) == early
            own = local_knowledge(Ledger(timeline), timer[0]).sentence
            assert all(time <= now for time in (*times_claimed(said), *times_claimed(own))), (said, own)
        timeline.forward()


def test_a_timer_that_expires_when_it_is_due_says_how_long_it_has_taken() -> None:
    timeline = timeline_of("token-ring", 4, "asking-everybody", (Event(0.5, "lose-token"),))
    told = [said for said in story(timeline, 60) if "timeout" in said]
    assert told[0] == (
        "P0's token timeout expires: it asks every other process for the token: none has come for 40 time units."
    )
    timeline.seek_time(2)
    timeline.act(Event(0, "fire", node=1, timer="token_timeout"))
    said = "P1's token timeout is made to expire: it asks every other process for the token."
    assert step_sentence(timeline, timeline.step - 1) == said
    timeline.act(Event(0, "fire", node=2, timer="token_timeout", acts=()))
    by_hand = " By hand, it does nothing. Its algorithm asks every other process for the token."
    assert step_sentence(timeline, timeline.step - 1) == f"P2's token timeout is made to expire.{by_hand}"


def test_telling_leaves_the_run_as_it_is() -> None:
    timeline = timeline_of("ricart-agrawala", load=Closed(think=2.0))
    timeline.seek(80)
    timeline.seek(33)
    before, records = save(timeline.simulation), list(timeline.trace.records)
    for step in (0, 12, 32, 33, 79):
        step_sentence(timeline, step)
    assert save(timeline.simulation) == before
    assert timeline.trace.records == records
    assert timeline.step == 33
    with pytest.raises(ValueError, match="step 80 has not been executed"):
        execution(timeline, 80)


# ---- lines -------------------------------------------------------------------------------------------------


def lines_of(text: str) -> int:
    """The number of the one line of ricart_agrawala.py with that text."""
    (file,) = source_files(RicartAgrawala)
    (number,) = [i for i, line in enumerate(Path(file).read_text("utf-8").splitlines(), 1) if text in line]
    return number


def test_the_lines_that_ran_and_no_others() -> None:
    timeline = timeline_of("ricart-agrawala")
    timeline.seek_time(6)
    defers, answers, stamps = (
        lines_of("deferred.add(sender)"),
        lines_of("it is not competing"),
        lines_of("self.stamp = (self"),
    )
    seen = set()
    for step in range(timeline.frontier):
        ran = {line.number for line in execution(timeline, step).lines}
        records = timeline.trace.step(step)
        got_request = records[0][KIND] == DELIVER and message_label(records[0][4]).startswith("request")
        assert answers not in ran or (got_request and len(records) > 1)
        assert (defers in ran) == (got_request and len(records) == 1)
        seen |= {
            text for text, number in (("answers", answers), ("defers", defers), ("stamps", stamps)) if number in ran
        }
    assert seen == {"answers", "defers", "stamps"}


def test_a_guard_is_true_in_the_step_in_which_its_rule_ran() -> None:
    timeline = timeline_of("ricart-agrawala", load=Closed(think=2.0))
    timeline.seek(60)
    values = set()
    for step in range(1, 60):
        ran, kind = execution(timeline, step), timeline.trace.event(step)[KIND]
        entered = any(record[KIND] == ENTER for record in timeline.trace.step(step))
        if kind == DELIVER:
            (guard,) = ran.guards
            assert guard.rule == "all_replied"
            assert guard.number == lines_of("@when")
            assert guard.true == entered == any(line.function == "all_replied" for line in ran.lines)
            values.add(guard.true)
    assert values == {True, False}


def test_tracing_ends_with_the_step() -> None:
    timeline = timeline_of("ricart-agrawala")
    timeline.seek(10)
    before = sys.gettrace()
    execution(timeline, 5)
    assert sys.gettrace() is before


def test_the_lines_that_ran_do_not_depend_on_where_states_are_kept() -> None:
    scenario = Scenario("ricart-agrawala", nodes=3, load=Closed(think=1.0))
    rare, often = (Timeline(scenario, catalog.find(scenario.algorithm), every) for every in (400, 1))
    for timeline in (rare, often):
        timeline.seek(40)
    assert [execution(rare, step) for step in range(40)] == [execution(often, step) for step in range(40)]
    before = execution(rare, 39)
    rare.act(Event(rare.simulation.now, "pause", node=0))
    assert execution(rare, 39) == before


@pytest.mark.parametrize("name", ["ricart-agrawala", "voting", "bully", "system-search"])
def test_what_was_watched_is_told_as_if_it_was_executed_once_more(name: str) -> None:
    watching, other = (desk_of(scenario_of(name)) for _ in range(2))
    for deed in ("", "", "pause", "", "undo", "", "back", "", "go there", "", "branch", ""):
        for desk in (watching, other):
            match deed:
                case "":
                    for _ in range(4):
                        desk.front.forward(watch=desk is watching)
                        assert desk.front.execution is desk.front.execution, "it is kept"
                case "pause" | "branch":
                    desk.front.act("pause" if deed == "pause" else "crash", node=1)
                case "undo":
                    desk.front.undo()
                case "back":
                    desk.front.back()
                case "go there":
                    desk.front.seek(3)
            assert desk.front.timeline.step > 0
            step = desk.front.timeline.step - 1
            assert desk.front.execution == execution(desk.front.timeline, step), deed
            assert desk.front.sentence == step_sentence(desk.front.timeline, step), deed
        assert watching.sentence == other.sentence


def test_a_comment_belongs_to_its_whole_statement(tmp_path: Path) -> None:
    file = tmp_path / "sample.py"
    file.write_text(
        "# on its own\nx = 1  # one\ny = (\n    2,\n)  # two\nz = '# no comment'\nif x:  # three\n    pass\n"
    )
    assert dict(comments(str(file))) == {2: "one", 3: "two", 4: "two", 5: "two", 7: "three"}


def test_nothing_is_loaded_to_find_out_what_stands_in_files(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = []

    class Asleep(ModuleType):
        """As those of pygame that need numpy: looked at, it is loaded, which takes longer than a frame."""

        def __getattribute__(self, name: str) -> object:
            asked.append(name)
            return super().__getattribute__(name)

    with monkeypatch.context() as context:
        context.setitem(sys.modules, "asleep", Asleep("asleep"))
        asked.clear()
        (file,) = source_files(RicartAgrawala)
        changed = has_changed.__wrapped__(file)
        variables = glosses_of.__wrapped__(RicartAgrawala)
        for message in catalog.find("end-to-end").looks:
            glosses_of_fields.__wrapped__(message)
    assert not changed
    assert variables["deferred"]
    assert not asked


def test_the_caption_is_the_last_comment_that_ran() -> None:
    timeline = timeline_of("centralized")
    timeline.seek_time(6)
    said = [caption(execution(timeline, step).lines) for step in range(timeline.frontier)]
    assert said[0] is None
    assert "it grants the request at once: it knows of nobody inside" in said


# ---- the source panel --------------------------------------------------------------------------------------


def rows_of(page: ListingPage) -> list[float]:
    """The tops of the visible rows."""
    return [page.size / 2 + place * page.line for place in range(len(page.visible_rows))]


@pytest.mark.parametrize("theme", ["light", "dark", "print"])
def test_the_lines_that_ran_are_lit_and_on_screen(theme: str) -> None:
    timeline = timeline_of("ricart-agrawala", load=Closed(think=2.0))
    timeline.seek(40)
    look = load(theme)
    for rect in (Rect(0, 0, 620, 500), Rect(10, 5, 380, 240)):
        for step in range(1, 40, 3):
            ran = execution(timeline, step)
            page = page_of(RicartAgrawala, ran, rect, look)
            title, code = source(page, rect, look)
            assert isinstance(title, Text)
            assert title.text == "ricart_agrawala.py"
            assert isinstance(code, Group)
            boxes = [s for s in code.shapes if isinstance(s, Box)][1:]
            tops = {top: row for row, top in zip(page.visible_rows, rows_of(page), strict=True)}
            lit = {row.number for box in boxes for top, row in tops.items() if box.y - 1 < top < box.y + box.h - 1}
            ran_here = {line.number for line in ran.lines if line.file == page.listing.file}
            lines = dict(enumerate(page.listing.lines, page.listing.first))
            assert ran.lines[-1].number in lit
            assert all(number in ran_here or lines[number].strip().startswith("def ") for number in lit)
            bold = " ".join(s.text for s in code.shapes if isinstance(s, Text) and s.weight == "bold")
            caption_words = comments(page.listing.file).get(page.light.now, "").split()
            assert all(word in bold for word in caption_words)


def test_no_code_is_wider_than_its_panel() -> None:
    timeline = timeline_of("wandering-token-report", load=Closed(think=2.0))
    timeline.seek(12)
    process = timeline.simulation.process_class
    for width in (300, 440, 800):
        for scale in (0.75, 1.0, 2.0):
            rect = Rect(100, 50, width * scale, 400 * scale)
            look, options = load("light"), Options(scale=scale)
            _, code = source(page_of(process, execution(timeline, 5), rect, look, options), rect, look, options)
            assert isinstance(code, Group)
            for shape in code.shapes:
                box = bounds(shape)
                assert box.x >= -1
                assert box.x + box.w <= rect.w + 1
                assert box.y + box.h <= rect.h + 1


def test_guards_are_shown_true_or_false() -> None:
    timeline = timeline_of("ricart-agrawala")
    timeline.seek_time(5)
    values = set()
    for step in range(1, timeline.frontier):
        ran = execution(timeline, step)
        rect, look = Rect(0, 0, 620, 1400), load("light")
        _, code = source(page_of(RicartAgrawala, ran, rect, look), rect, look)
        assert isinstance(code, Group)
        shown = [s.text for s in code.shapes if isinstance(s, Text) and s.anchor == "end"]
        assert shown == ["true" if guard.true else "false" for guard in ran.guards]
        values |= set(shown)
    assert values == {"true", "false"}


def pages_of(name: str, steps: int, rect: Rect) -> list[ListingPage]:
    """The visible part of the source after each step but the launch."""
    timeline = timeline_of(name, load=Closed(think=2.0))
    timeline.seek(steps)
    process = timeline.simulation.process_class
    return [page_of(process, execution(timeline, step), rect, load("light")) for step in range(1, timeline.frontier)]


@pytest.mark.parametrize("name", ["ricart-agrawala", "token-ring", "voting"])
def test_the_source_stands_still_while_what_runs_is_on_the_page(name: str) -> None:
    pages = pages_of(name, 60, Rect(0, 0, 620, 360))
    for before, after in pairwise(pages):
        if after.listing != before.listing or not after.light.ran:
            continue
        functions = [f for f in after.light.awake if f.first <= after.light.now <= f.last]
        hidden = set(before.rows) - set(before.visible_rows)
        seen = not any(f.first <= row.number <= f.last for row in hidden for f in functions)
        if functions and seen and before.first == pages[0].first:
            assert after.first == before.first
    starts = {page.first for page in pages}
    assert len(starts) < len({page.light.now for page in pages}), "several functions share a page"


@pytest.mark.parametrize("name", ["token-ring", "centralized", "ricart-agrawala", "wandering-token-report"])
def test_the_source_stays_where_it_is_while_nothing_runs(name: str) -> None:
    timeline = timeline_of(name, load=Poisson(rate=0.3))
    process, rect, look = timeline.simulation.process_class, Rect(0, 0, 620, 260), load("light")
    firsts = [0]  # before anything has run
    idle = 0
    for _ in range(80):
        ran = execution_in(timeline, timeline.forward)
        firsts.append(page_of(process, ran, rect, look, before=latest_execution(timeline)).first)
        if not ran.lines:
            idle += 1
            assert firsts[-1] == firsts[-2]
    assert idle > 3
    assert len(set(firsts)) > 1


def test_every_line_that_runs_is_on_the_page_however_small_it_is() -> None:
    for height in (160, 240, 700):
        for page in pages_of("wandering-token-report", 40, Rect(0, 0, 500, height)):
            if page.light.now:
                assert page.light.now in {row.number for row in page.visible_rows}


def test_a_page_is_scrolled_no_further_than_there_are_lines() -> None:
    (page, *_) = pages_of("ricart-agrawala", 5, Rect(0, 0, 620, 360))
    last = len(page.rows) - page.visible
    assert page.scrolled(-3).first == 0
    assert page.scrolled(2).first == 2
    assert page.scrolled(1000).first == last


@pytest.mark.parametrize("columns", [30, 56, 200])
def test_nothing_of_the_source_is_left_out_where_its_lines_are_too_long(columns: int) -> None:
    for algorithm in catalog.by_name().values():
        check_wrapping(listing_of(source_files(algorithm.process)[0]), columns)


def check_wrapping(shown: Listing, columns: int) -> None:
    written: dict[int, list[CodeRow]] = {}
    for row in wrapped_rows(shown, columns):
        assert len(row.code.rstrip()) <= columns or len(row.code) - len(row.code.lstrip()) > columns - 20, row
        assert len((row.code + row.comment).rstrip()) <= columns or columns == 30, row
        written.setdefault(row.number, []).append(row)
    for number, line in enumerate(shown.lines, shown.first):
        found = "".join(row.code.strip() for row in written[number]) + "".join(row.comment for row in written[number])
        assert found.replace("#", "").split() or not line.strip()
        assert "".join(found.replace("#", "").split()) == "".join(line.replace("#", "").split())
        assert [row.is_last for row in written[number]] == [False] * (len(written[number]) - 1) + [True]
        if line.lstrip().startswith("# "):  # a comment stays one
            assert all(row.comment.startswith("# ") and not row.code.strip() for row in written[number])


# ---- words -------------------------------------------------------------------------------------------------


def test_values_are_short() -> None:
    class NewLeader(Message):
        stamp: tuple[int, int]
        hops: int
        who: int | None

    assert message_type(NewLeader) == "new leader"
    assert message_label(NewLeader((5, 3), 2, None)) == "new leader 5,3 2"
    assert message_label(NewLeader((123456, 123456), 2, None)) == "new leader 123456,123456…"
    assert [value_text(v) for v in (3, 2.0, 2.25, True, False, None, "a", {2, 1}, {1: 2})] == [
        "3",
        "2",
        "2.2",
        "yes",
        "",
        "",
        "a",
        "1,2",
        "1:2",
    ]


class Silent(MutexProcess):
    def acquire(self):  # type: ignore[no-untyped-def]
        self.enter()


def test_an_algorithm_without_comments_is_told_from_its_records() -> None:
    from dataclasses import replace

    algorithm = replace(catalog.find("uncoordinated"), process=Silent)
    timeline = Timeline(
        Scenario("uncoordinated", nodes=2, load=Script(requests=(Request(1, 0),)), network=Network()), algorithm
    )
    assert story(timeline, 5) == [
        "The run begins.",
        "P0 requests the critical section and enters.",
        "P0 leaves the critical section.",
    ]


def test_a_message_is_labelled_in_its_own_words_where_it_has_any():
    class Bid(Message):
        number: int
        left: bool

        def label(self):
            return f"{self.number} to the {'left' if self.left else 'right'}"

    class Odd(Message):
        number: int

        def label(self):
            return 1 / self.number

    class Tag(Message):
        label: str

    assert message_label(Bid(5, True)) == "bid 5 to the left"
    assert message_label(Bid(1234567, True)) == "bid 1234567 to th…"
    assert message_label(Odd(0)) == "odd 0", "its own method fails"
    assert message_label(Tag("x")) == "tag x", "a field"
