"""The wandering token: its rules message by message, the papers' figures in short runs, and refuted readings."""

from __future__ import annotations

import pytest

from algorithms import catalog, scenario_file
from algorithms.engine.checkpoint import save
from algorithms.engine.events import CREATED, DELIVER, DESTROYED, ENTER, KIND, NODE, TIME
from algorithms.engine.observe.fold import Fold
from algorithms.engine.observe.tokens import Tokens
from algorithms.engine.timeline import Timeline
from algorithms.mutual_exclusion import wandering_token_journal as journal
from algorithms.mutual_exclusion import wandering_token_report as report
from algorithms.mutual_exclusion import wandering_token_variants as variants
from lessons.experiments.wandering import (
    RANDOM,
    REPORT,
    durations,
    journal_run,
    long_run,
    share_below,
    share_from,
    shares,
    simulation,
    time_at,
    time_from,
    transient,
)
from tests.benchmarks.wandering import loop
from tests.support.kit import Alone, alone, for_each

OLD, YOUNG = (0.0, 0), (650.0, 4)  # stamps of tokens
both_versions = pytest.mark.parametrize(
    ("process", "token"), [(report.WanderingToken, report.Token), (journal.WanderingToken, journal.Token)]
)


def member(process, now=700.0) -> Alone:
    """P3 of 10 processes, at time `now`."""
    host = alone(process, node=3, nodes=10)
    host.now = now
    return host


def passed_on(host: Alone) -> list:
    """The tokens that it has sent since the last call, to any process."""
    sent, host.outbox = host.outbox, []
    return [message for _, message in sent]


def served(process, token) -> Alone:
    """A process that entered with the token at 700 and passed it on at 704."""
    host = member(process)
    host.get(token, sender=1)
    host.now = 704.0
    host.leave()
    host.outbox.clear()
    host.reports.clear()
    return host


# ---- the rules of the report, section 5 --------------------------------------------------------------------


def test_after_dmin_a_process_uses_the_token_and_passes_it_on():
    p3 = member(report.WanderingToken)
    p3.get(report.Token(OLD), sender=1)
    p3.has_reported(("entered",))
    p3.has_sent()
    p3.leave()
    assert passed_on(p3) == [report.Token(OLD)]


def test_before_dmin_a_process_lets_the_token_rest_and_passes_it_on():
    p3 = served(report.WanderingToken, report.Token(OLD))
    p3.now = 1300.0  # exactly Δmin after the start of its operation: not yet
    p3.get(report.Token(OLD), sender=1)
    assert p3.timers["skip"] == 1.0
    p3.has_reported()
    p3.has_sent()
    p3.fire("skip")
    assert passed_on(p3) == [report.Token(OLD)]


def test_a_token_is_removed_if_an_older_one_was_used_less_than_dmin_ago():
    p3 = served(report.WanderingToken, report.Token(OLD))
    p3.get(report.Token(YOUNG), sender=1)
    p3.has_reported(("token destroyed",))
    p3.has_sent()
    assert not p3.process.holding()


def test_an_older_token_survives_where_a_younger_one_was_used():
    p3 = served(report.WanderingToken, report.Token(YOUNG))
    p3.get(report.Token(OLD), sender=1)
    p3.has_reported()
    assert "skip" in p3.timers


def test_the_smaller_generator_breaks_ties_between_simultaneous_tokens():
    p3 = served(report.WanderingToken, report.Token((650.0, 4)))
    p3.get(report.Token((650.0, 5)), sender=1)
    p3.has_reported(("token destroyed",))
    p3.get(report.Token((650.0, 2)), sender=1)
    p3.has_reported()


def test_after_dmin_a_younger_token_is_accepted():
    p3 = served(report.WanderingToken, report.Token(OLD))
    p3.now = 1300.5
    p3.get(report.Token(YOUNG), sender=1)
    p3.has_reported(("entered",))


def test_a_process_that_times_out_makes_and_uses_a_token_and_extends_its_timeout():
    p3 = member(report.WanderingToken, now=1800.0)
    p3.fire("timeout")
    p3.has_reported(("token created",), ("entered",))
    assert p3.timers["timeout"] == 2700.0
    p3.leave()
    assert passed_on(p3) == [report.Token((1800.0, 3))]


def test_every_arriving_token_shortens_the_timeout():
    p3 = member(report.WanderingToken, now=1800.0)
    p3.fire("timeout")
    p3.leave()
    p3.get(report.Token((1800.0, 3)), sender=1)
    assert p3.timers["timeout"] == pytest.approx(2700 - 0.05 * 900)


def test_a_token_that_arrives_while_another_is_held_is_queued():
    p3 = member(report.WanderingToken)
    p3.get(report.Token(YOUNG), sender=1)
    p3.get(report.Token(OLD), sender=2)
    p3.has_reported(("entered",))
    p3.leave()
    assert passed_on(p3) == [report.Token(YOUNG)]
    assert p3.process.holding()
    p3.fire("skip")
    assert passed_on(p3) == [report.Token(OLD)]


def test_figure_2_as_printed_removes_the_oldest_token():
    p3 = served(variants.Figure2, report.Token(YOUNG))
    p3.get(report.Token(OLD), sender=1)
    p3.has_reported(("token destroyed",))


def test_a_leaving_process_passes_its_token_on():
    p3 = served(report.WanderingToken, report.Token(OLD))
    p3.get(report.Token(OLD), sender=1)
    p3.process.leaving()
    assert passed_on(p3) == [report.Token(OLD)]


@both_versions
def test_a_resting_token_survives_a_crash_with_memory(process, token):
    p3 = served(process, token(OLD))
    p3.get(token(OLD), sender=1)
    p3.recover()
    assert "skip" in p3.timers
    p3.fire("skip")
    assert passed_on(p3) == [token(OLD)]


@both_versions
def test_a_process_that_recovers_inside_keeps_the_token_until_it_leaves(process, token):
    p3 = member(process)
    p3.get(token(OLD), sender=1)
    p3.recover()
    assert "skip" not in p3.timers
    p3.leave()
    assert passed_on(p3) == [token(OLD)]


# ---- the rules of the journal version, figure 1 ------------------------------------------------------------


def visits(process, *stamps) -> Alone:
    """A process that these tokens visit one after the other."""
    host = member(process)
    for stamp in stamps:
        host.get(journal.Token(stamp), sender=1)
        host.now += 4.0
        if host.process.inside:
            host.leave()
        elif host.process.holding():
            host.fire("skip")
    return host


def removed(host: Alone) -> bool:
    return ("token destroyed",) in host.reports


def test_the_third_visit_of_a_sandwich_with_the_older_token_inside_removes():
    assert removed(visits(journal.WanderingToken, YOUNG, OLD, YOUNG))


def test_a_sandwich_with_the_younger_token_between_removes_nothing():
    assert not removed(visits(journal.WanderingToken, OLD, YOUNG, OLD))


def test_two_visits_in_a_row_after_an_older_one_are_no_sandwich():
    assert not removed(visits(journal.WanderingToken, OLD, YOUNG, YOUNG))


def test_a_sandwich_may_hold_other_tokens_besides_the_older_one():
    assert removed(visits(journal.WanderingToken, YOUNG, OLD, (690.0, 7), YOUNG))


def test_a_removed_token_is_neither_used_nor_sent_on():
    p3 = visits(journal.WanderingToken, YOUNG, OLD)
    p3.now += 1000.0
    p3.outbox.clear()
    p3.reports.clear()
    p3.get(journal.Token(YOUNG), sender=1)
    p3.has_reported(("token destroyed",))
    p3.has_sent()


def test_figure_1_as_printed_sends_the_discarded_token_on():
    assert not removed(visits(variants.Figure1, YOUNG, OLD, YOUNG))


def test_timeouts_are_redrawn_at_every_visit_and_last_at_least_dmin():
    p3 = member(journal.WanderingToken)
    assert p3.timers["timeout"] > 600.0
    del p3.timers["timeout"]
    p3.get(journal.Token(OLD), sender=1)
    assert "timeout" in p3.timers


def test_a_poisson_variate_hardly_varies():
    p3 = alone(variants.PoissonTimeouts, node=3, nodes=10)
    assert abs(p3.timers["timeout"] - 180_600) < 6 * 180_000**0.5


# ---- the figures of the report, in short runs --------------------------------------------------------------

NOMINAL = {"algorithm": REPORT, "nodes": 150, "until": 6e4, "width": 100.0}
BANDS = {"shared": (0.0043, 0.0020), "idle": (0.337, 0.005), "below 1200": (0.874, 0.010)}


def figures_of(variant: str | None = None) -> dict[str, float]:
    runs = [long_run(1, **NOMINAL, variant=variant)]
    return {
        "shared": shares(time_from(runs, 2), runs)[0],
        "idle": shares(time_at(runs, 0), runs)[0],
        "below 1200": share_below(runs, "intervals", 1200.0)[0] if runs[0]["intervals"] else 0.0,
    }


def outside(figures: dict[str, float]) -> set[str]:
    return {name for name, (middle, tolerance) in BANDS.items() if abs(figures[name] - middle) > tolerance}


def test_tables_3_and_4_are_reproduced():
    assert outside(figures_of()) == set()


@pytest.mark.parametrize(("nodes", "seed"), [(150, 1), (300, 3)])
def test_the_engine_and_a_plain_loop_agree_to_the_last_digit(nodes, seed):
    """The loop is an oracle that shares only the random numbers with the engine."""
    concurrency, intervals = loop(seed, 4e4, nodes)
    figures = long_run(seed, REPORT, nodes, 4e4)
    assert figures["concurrency"] == concurrency
    assert figures["intervals"] == intervals


@for_each(variant=["figure-2", "literal-timestamps", "skip-refreshes", "generator-waits", "no-removal"])
def test_a_refuted_reading_does_not_reproduce_the_tables(variant):
    assert outside(figures_of(variant))


def test_random_access_is_in_its_steady_state_from_the_start():
    assert long_run(1, RANDOM, 300, 600.0)["entries"] == pytest.approx(300 * 600 / 750, abs=40)


def test_random_access_offers_the_load_of_table_1():
    assert offered(1e5) == pytest.approx(1.6, abs=0.015)
    assert offered(1e5, "journal") == pytest.approx(1.0, abs=0.02)


@pytest.mark.parametrize("variant", ["quarter", "half", "minus"])
def test_other_periods_offer_another_load(variant):
    assert offered(2e4, variant) > 1.9


def offered(until: float, variant: str | None = None) -> float:
    return long_run(1, RANDOM, 300, until, variant)["entries"] * 4.0 / until


def test_adaptation_makes_recovery_longer_but_less_crowded():
    seeds = (1, 2)
    adaptive = [transient(seed, 300) for seed in seeds]
    fixed = [transient(seed, 300, "no-adaptation") for seed in seeds]
    assert sum(durations(adaptive)) > 1.2 * sum(durations(fixed))
    assert share_from(adaptive, 2) < 0.7 * share_from(fixed, 2)


# ---- the figures of the journal version --------------------------------------------------------------------


def test_the_journal_at_full_load():
    runs = [journal_run(1, 300)]
    assert shares(time_at(runs, 0), runs)[0] < 0.16
    assert 0.035 < shares(time_at(runs, 2), runs)[0] < 0.10
    assert shares(time_from(runs, 3), runs)[0] < 0.01
    assert share_below(runs, "intervals", 1200.0)[0] == pytest.approx(0.634, abs=0.032)
    assert share_below(runs, "visits", 1200.0)[0] == pytest.approx(0.871, abs=0.020)
    assert max(runs[0]["tokens"]) <= 5


def test_only_the_report_counts_the_start_as_an_operation():
    calm = journal_run(1, 10, until=3000.0, loss_every=1e9)
    assert calm["generations"] == 0
    assert sum(calm["intervals"].values()) == calm["entries"] - 10
    run = long_run(1, REPORT, 150, 3000.0)
    assert sum(run["intervals"].values()) == run["entries"] - run["generations"]


def test_time_outs_from_a_poisson_distribution_never_replace_a_lost_token():
    runs = [journal_run(1, 300, 3e4, "poisson-timeouts")]
    assert runs[0]["generations"] == 0
    assert shares(time_at(runs, 0), runs)[0] > 0.6


def test_figure_1_as_printed_shares_the_resource_most_of_the_time():
    runs = [journal_run(1, 300, 1e4, "figure-1")]
    assert shares(time_from(runs, 2), runs)[0] > 0.2


# ---- engine and window -------------------------------------------------------------------------------------


def test_seeking_gives_the_same_state_as_running():
    scenario = simulation(1, REPORT, 12, parameters={"dmin": 48.0, "dmax": 144.0}).scenario
    timeline = Timeline(scenario, catalog.find(REPORT), every=50)
    timeline.seek(2000)
    timeline.seek(777)
    plain = catalog.simulation(scenario)
    plain.run(steps=777)
    assert save(plain) == save(timeline.simulation)


MARKED = {  # scenario -> for markers that tell of somebody: what happens there, and to which node
    "wandering-token-stable": [(ENTER, 5), (CREATED, 9), (DESTROYED, 1)],
    "wandering-token-lost": [None, (CREATED, 10), (CREATED, 17), (DESTROYED, 9)],
    "wandering-token-domino": [None, (DESTROYED, 29), (DESTROYED, 34), (DESTROYED, 14)],
    "sandwich": [(CREATED, 4), (DELIVER, 3), (DELIVER, 3), (DESTROYED, 3)],
}


@pytest.mark.parametrize("name", MARKED)
def test_a_scenario_s_markers_are_at_its_events(name):
    scenario = scenario_file.load(scenario_file.find(name))
    run = catalog.simulation(scenario)
    run.run(until=scenario.until)
    for marker, fact in zip(scenario.markers, MARKED[name], strict=True):
        happened = [(r[KIND], r[NODE]) for r in run.trace.records if marker.at - 0.05 < r[TIME] <= marker.at]
        assert fact is None or fact in happened, marker.name


def test_in_the_domino_scenario_the_tokens_die_out_seven_times():
    scenario = scenario_file.load(scenario_file.find("wandering-token-domino"))
    run = catalog.simulation(scenario)
    fold = Fold(scenario, run.algorithm)
    tokens = Tokens(run.algorithm.token)
    fold.observe([tokens])
    run.run(until=scenario.until)
    fold.advance(run.trace)
    assert [count for _, count in tokens.level.curve(run.steps)][1:].count(0) == 7
