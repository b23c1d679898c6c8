"""Rewriting systems as runs: stepped, picked from, branched, saved, traced, checked and drawn like any algorithm."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from algorithms import catalog, scenario_file, trace_file
from algorithms.engine.check.explore import Exploration
from algorithms.engine.check.moves import Bounds
from algorithms.engine.events import APPLIED, BOUND, KIND, NODE, REQUEST, RULE, TERM
from algorithms.engine.observe.monitors import Monitors
from algorithms.engine.observe.verdicts import BROKEN, HOLDS
from algorithms.engine.rewrite import CARRIER, system_of
from algorithms.engine.rewrite.reductions import steps_from
from algorithms.engine.rewrite.rewriter import algorithm_of, limits_of, pick
from algorithms.engine.rewrite.rewriting import node_in
from algorithms.engine.scenario import Scenario
from algorithms.engine.timeline import Timeline
from algorithms.rewriting_systems.system_message_passing import MessagePassing
from algorithms.rewriting_systems.system_search import Search
from tests.support.desks import desk_of
from tests.support.kit import for_each
from tests.support.state_counts import finished
from visual.analysis.run_cache import RunCache
from visual.analysis.term_layout import Chip, current_layout
from visual.command_line import main
from visual.drawing.shapes import Group, Mark, Rect, Shape, Text
from visual.drawing.theme import load
from visual.narration.steps import step_sentence
from visual.scene.options import Options
from visual.scene.source_listing import rules_page
from visual.scene.term_picture import picture
from visual.window import intents
from visual.window.actions import perform
from visual.window.gallery.cards import scenario_of as opened_as
from visual.window.intents import Do
from visual.window.pages import plot_kinds
from visual.window.playback.playing import step_of_node
from visual.window.state import Interface

SYSTEMS = [algorithm.name for algorithm in catalog.by_family()["rewriting systems"]]
VARIANTS = [(name, variant) for name in SYSTEMS for variant in (None, *catalog.find(name).variants)]


def scenario_of(name: str, nodes: int = 3, **more: object) -> Scenario:
    return Scenario(name, nodes=nodes, **more)  # type: ignore[arg-type]


def timeline_of(name: str, nodes: int = 3, steps: int = 40, **more: object) -> Timeline:
    timeline = catalog.timeline(scenario_of(name, nodes, **more))
    timeline.seek(steps)
    return timeline


def applied(timeline: Timeline) -> list[tuple]:
    records = [timeline.trace.step(k)[-1] for k in range(timeline.frontier)]
    return [record for record in records if record[KIND] == APPLIED]


# ---- running -----------------------------------------------------------------------------------------------


@for_each(name=SYSTEMS)
def test_every_step_is_one_that_a_rule_allows(name: str) -> None:
    timeline = timeline_of(name)
    system, limits = system_of(timeline.algorithm), limits_of(timeline.scenario)
    term = system.initial(3)
    for record in applied(timeline):
        allowed = {(step.application.rule.number, step.after) for step in steps_from(system, term, limits)}
        assert (record[RULE], record[TERM]) in allowed
        term = record[TERM]
    assert timeline.simulation.processes[CARRIER].term == term


def test_the_run_ends_where_no_rule_applies() -> None:
    timeline = timeline_of("system-token", parameters={"requests": 0, "history": 2}, steps=1_000)
    assert timeline.simulation.next_time() is None
    assert len(max(system_of(timeline.algorithm).histories(applied(timeline)[-1][TERM]), key=len)) == 2


def test_a_pick_applies_that_rule_and_a_saved_run_repeats_it(tmp_path: Path) -> None:
    timeline = catalog.timeline(scenario_of("system-search"))
    timeline.seek(1)
    for wanted in (2, 0, 5, 3, 1, 4):
        possible = timeline.simulation.processes[CARRIER].choices()
        timeline.act(pick(wanted % len(possible), len(possible)))
        assert timeline.simulation.processes[CARRIER].term == possible[wanted % len(possible)].after
    scenario_file.save(scenario_file.saved_run(timeline), tmp_path / "run.toml")
    again = catalog.timeline(scenario_file.load(tmp_path / "run.toml"))
    again.seek(timeline.step)
    assert again.trace.records == timeline.trace.records


def test_another_rule_in_the_past_opens_a_branch_and_undo_closes_it() -> None:
    desk, interface = desk_of(scenario_of("system-message-passing")), Interface()
    desk.front.seek(12)
    old = desk.front.timeline.trace.records[:]
    desk.front.seek(5)
    interface = perform(interface, desk, intents.schedule(True))
    possible = desk.front.simulation.processes[CARRIER].choices()
    usual = next(record[TERM] for record in old if record[KIND] == APPLIED and record[0] == 5.0)
    other = next(place for place, step in enumerate(possible) if step.after != usual)
    perform(interface, desk, intents.pick(other))
    assert desk.front.timeline.branch.name == "branch 1"
    assert desk.front.simulation.processes[CARRIER].term == possible[other].after
    desk.front.undo()
    desk.front.seek(12)
    assert desk.front.timeline.trace.records == old


def test_a_node_s_events_are_the_rules_that_apply_there() -> None:
    desk = desk_of(scenario_of("system-search"))
    desk.front.seek(40)
    desk.front.seek(0)
    while (step := step_of_node(desk.front, 2, 1)) is not None:
        desk.front.seek(step)
        assert desk.front.timeline.trace.step(step - 1)[-1][NODE] == 2


@for_each(deed=[intents.intervene(("crash", (("node", 0),))), intents.lose_token()], name=SYSTEMS)
def test_only_rules_can_be_made_to_happen(name: str, deed: Do) -> None:
    desk, interface = desk_of(scenario_of(name)), Interface()
    desk.front.seek(5)
    after = perform(interface, desk, deed)
    assert after.notice is not None
    assert after.notice.words.startswith("Only rules can happen here")
    assert desk.front.timeline.step == 5


# ---- watching and checking ---------------------------------------------------------------------------------


@for_each(name=SYSTEMS)
def test_monitors_watch_the_prefix_property_and_the_one_token(name: str) -> None:
    timeline = timeline_of(name, steps=150)
    monitors = Monitors(timeline.scenario, timeline.algorithm)
    monitors.advance(timeline.trace)
    assert "prefix property" in monitors.by_name
    assert {verdict.status for verdict in monitors.at(timeline.step, 150.0).values()} == {HOLDS}


def test_monitors_notice_two_tokens_and_diverging_histories() -> None:
    """A mutant sends the token and keeps it, so that two nodes append."""
    keeps = replace(
        Search.system.rule("4"),
        right=(*Search.system.rule("4").right[:2], Search.system.rule("4").left[2], *Search.system.rule("4").right[3:]),
    )
    rules = tuple(keeps if rule.number == "4" else rule for rule in Search.system.rules)
    mutant = type("Mutant", (Search,), {"system": replace(Search.system, rules=rules)})
    scenario = scenario_of("system-search", seed=3)
    timeline = Timeline(scenario, algorithm_of(mutant, "a mutant"))
    timeline.seek(60)
    monitors = Monitors(scenario, timeline.algorithm)
    monitors.advance(timeline.trace)
    verdicts = monitors.at(timeline.step, 60.0)
    assert verdicts["one token"].status == BROKEN
    assert verdicts["prefix property"].status == BROKEN


@pytest.mark.parametrize(
    ("name", "states"), [("system-token", 142), ("system-message-passing", 418), ("system-s", 142)]
)
def test_the_checker_and_the_reductions_reach_equally_many_states(name: str, states: int) -> None:
    scenario = scenario_of(name, 2, parameters={"requests": 1, "history": 3})
    report = finished(Exploration(scenario, catalog.find(name), Bounds()))
    assert report.states == states
    assert not any(finding.trail for finding in report.findings)


def test_a_counter_example_to_a_printed_rule_can_be_played() -> None:
    scenario = scenario_file.load(scenario_file.find("untyped-history"))
    timeline = catalog.timeline(scenario)
    timeline.seek(len(scenario.events) + 1)
    monitors = Monitors(scenario, timeline.algorithm)
    monitors.advance(timeline.trace)
    breach = monitors.breaches(timeline.step)[0]
    assert (breach.monitor, breach.step) == ("one token", len(scenario.events) + 1)


def test_a_failing_refinement_is_written_as_two_runs(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    command = ["rules", "system-message-passing", "--refines", "--history", "1", "-o", str(tmp_path)]
    assert main(command) == 0
    assert "rule 4" in (output := capsys.readouterr().out)
    assert "no rule leads here" in output
    ends = {}
    for side in ("concrete", "abstract"):
        scenario = scenario_file.load(tmp_path / f"lemma-3-{side}.toml")
        timeline = catalog.timeline(scenario)
        timeline.seek_time(scenario.until)
        assert len(applied(timeline)) == len(scenario.events) - 1  # the last one stops the run
        ends[side] = [record[RULE] for record in applied(timeline)]
    assert ends == {"concrete": ["3", "2", "4"], "abstract": ["2"]}


# ---- narration ---------------------------------------------------------------------------------------------


@for_each(case=VARIANTS)
def test_every_step_names_its_rule_and_says_what_it_does(case: tuple[str, str | None]) -> None:
    name, variant = case
    timeline = timeline_of(name, 4, 60, variant=variant)
    for step in range(1, timeline.frontier):
        said, number = step_sentence(timeline, step), timeline.trace.step(step)[-1][RULE]
        assert said.startswith(f"Rule {number}: ")
        assert not set("{}") & set(said)


def test_the_trace_has_rule_bindings_and_term() -> None:
    timeline = timeline_of("system-search", steps=30)
    step = json.loads(list(trace_file.lines(timeline.trace))[-1])
    (effect,) = step["effects"]
    record = timeline.trace.step(29)[-1]
    assert effect["kind"] == "applied"
    assert effect["rule"] == record[RULE]
    assert effect["bound"]["x"] == str(dict(record[BOUND])["x"])
    assert len(effect["term"]) == 6


@for_each(name=SYSTEMS)
def test_a_run_counts_its_rules(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["run", name, "--nodes", "3", "--json"]) == 0
    output = json.loads(capsys.readouterr().out)
    assert sum(output["rules"].values()) == output["steps"] - 1


def test_a_load_is_refused_in_one_sentence(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["run", "system-s", "--load", "poisson:1"]) == 2
    assert "has no load" in capsys.readouterr().err


# ---- drawing -----------------------------------------------------------------------------------------------


def test_what_a_step_adds_and_removes_is_highlighted() -> None:
    timeline = timeline_of("system-search", steps=60, seed=2)
    step = next(k for k in range(1, 60) if timeline.trace.step(k)[-1][RULE] == "3")
    timeline.seek(step + 1)
    bound = dict(timeline.trace.step(step)[-1][BOUND])
    sheet = current_layout(timeline.simulation)
    lane = sheet.lanes[bound["x"]]
    assert (lane.has_token, lane.token_light) == (True, "new")
    assert Chip(f"token ← P{bound['y']}", "gone", "token", bound["y"]) in lane.received
    assert all(not chip.light for other in sheet.lanes if other != lane for chip in (*other.sent, *other.received))


@for_each(name=SYSTEMS)
def test_a_choice_shows_what_it_matches(name: str) -> None:
    timeline = timeline_of(name, steps=20)
    for place, step in enumerate(timeline.simulation.processes[CARRIER].choices()):
        lanes = current_layout(timeline.simulation, place).lanes
        bound = dict(step.application.bindings)
        lit = {
            lane.node
            for lane in lanes
            if lane.token_light or any(part.light for row in lane[3:] for part in row if part.light == "matched")
        }
        assert node_in(bound.get("x", bound.get("y"))) in lit
        assert all(part.light in ("", "matched") for lane in lanes for row in lane[3:] for part in row)


@for_each(case=VARIANTS)
def test_the_source_highlights_the_sides_of_the_applied_rule(case: tuple[str, str | None]) -> None:
    name, variant = case
    timeline = timeline_of(name, 3, 25, variant=variant)
    for step in range(2, timeline.frontier + 1):
        timeline.seek(step)
        number = timeline.trace.step(step - 1)[-1][RULE]
        page = rules_page(timeline.simulation, Rect(0, 0, 400, 900), load("light"))
        assert not any(row.code.strip().startswith(("why=", "words=")) for row in page.rows), "the rule alone"
        lines = dict(enumerate(page.listing.lines, page.listing.first))
        above = "\n".join(
            lines[line] for line in range(min(page.light.ran) - 2, max(page.light.ran) + 1) if line in lines
        )
        assert f'"{number}"' in above
        assert ("printed=" in above) == (variant == f"printed-{number}")


@for_each(nodes=[2, 3, 5], name=SYSTEMS, case=[((853, 373), False), ((853, 566), False), ((1280, 550), True)])
def test_the_picture_stays_within_its_rectangle(name: str, nodes: int, case: tuple[tuple[float, float], bool]) -> None:
    size, presenting = case
    rect = Rect(40, 60, *size)
    for steps in (0, 1, 25, 60):
        timeline = timeline_of(name, nodes, steps)
        options = Options(scale=0.72 * (0.5 if presenting else 1.0) * (2 if presenting else 1), presenting=presenting)
        for text in written(picture(RunCache(timeline.simulation), rect, load("light"), options)):
            assert rect.x <= text.x <= rect.x + rect.w
            assert rect.y <= text.y <= rect.y + rect.h
            assert text.size >= 5


@for_each(name=SYSTEMS)
def test_a_system_opened_from_the_gallery_has_no_load(name: str) -> None:
    timeline = catalog.timeline(opened_as(name))
    timeline.seek(60)
    assert all(timeline.trace.event(step)[KIND] != REQUEST for step in range(len(timeline.trace)))


def test_the_legend_explains_what_the_term_has_and_nothing_else() -> None:
    found = set()
    for steps in range(1, 60):
        timeline = timeline_of("system-search", 3, steps)
        shapes = picture(RunCache(timeline.simulation), Rect(0, 0, 1280, 600), load("light"), Options())
        words = {text.text for text in written(shapes)}
        found |= words
        was_applied = timeline.trace.step(timeline.step - 1)[-1][KIND] == APPLIED
        assert was_applied or not words & {"made by the rule", "taken away by it"}
        assert ("φ: the mark of a turn" in words) == any(word.startswith("φ") and len(word) == 2 for word in words)
    assert {"a datum", "made by the rule", "taken away by it"} <= found


def written(shapes: list[Shape]) -> Iterator[Text]:
    """All texts, at their places."""
    for shape in shapes:
        if isinstance(shape, Group):
            yield from (text._replace(x=text.x + shape.x, y=text.y + shape.y) for text in written(list(shape.shapes)))
        elif isinstance(shape, Text):
            yield shape
        elif isinstance(shape, Mark):
            yield Text(shape.x, shape.y, shape.label, shape.size, "#000000")


def test_the_plot_of_histories_follows_the_longest_and_the_shortest_local_one() -> None:
    desk = desk_of(scenario_of("system-message-passing"))
    desk.front.seek(40)
    lengths = plot_kinds.history_lengths(desk.front, MessagePassing.system)
    local = [len(history) for _, history in desk.front.simulation.processes[CARRIER].term[1]]
    assert lengths[-1][1] >= max(local)
    assert lengths[-1][2] == min(local)
    assert [longest for _, longest, _ in lengths] == sorted(longest for _, longest, _ in lengths)


def test_an_algorithm_of_a_system_shares_its_rules() -> None:
    assert system_of(catalog.find("system-message-passing")) is MessagePassing.system
