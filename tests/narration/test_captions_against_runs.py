"""Captions of searches, walks and votes against an oracle: what they compare, counted afresh from the records."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from algorithms import catalog, scenario_file
from algorithms.engine.events import DELIVER, ENTER, KIND, MESSAGE, NODE, SENDER, TIME, Record
from algorithms.engine.observe.line_trace import comments
from algorithms.engine.scenario import Event, Scenario
from algorithms.engine.timeline import Timeline
from tests.support.kit import for_each
from visual.narration.steps import step_sentence

MOST, EACH = 250, 8  # steps of a run that are read; captions of a kind that are checked
Check = Callable[[Timeline, int, str], bool]  # whether the sentence about a step agrees with the run


def token_name(text: str) -> tuple[float, int]:
    """ "P15·3.5" -> (3.5, 15)."""
    node, when = text.split("·")
    return float(when), int(node[1:])


def effects(timeline: Timeline, step: int, kind: int) -> list[Record]:
    return [record for record in timeline.trace.step(step)[1:] if record[KIND] == kind]


def sent(timeline: Timeline, step: int, name: str) -> Record:
    """The message of that type that the step sends."""
    return next(r for r in effects(timeline, step, DELIVER) if type(r[MESSAGE]).__name__ == name)


def asks_in_the_middle(timeline: Timeline, step: int, said: str) -> bool:
    record = sent(timeline, step, "Gimme")
    gimme, nodes = record[MESSAGE], len(timeline.simulation.processes)
    away = (record[NODE] - gimme.requester) % nodes
    return gimme.low < away < gimme.high and away == (gimme.low + gimme.high) // 2 and f"asks P{record[NODE]}" in said


def lends_to_the_next_trap(timeline: Timeline, step: int, said: str) -> bool:
    record = sent(timeline, step, "Token")
    return record[MESSAGE].lender == record[SENDER] and f"to P{record[NODE]}, whose trap" in said


def no_trap_is_left(timeline: Timeline, step: int, said: str) -> bool:
    node = timeline.trace.event(step)[NODE]
    return not timeline.look_back(step + 1, lambda: [*timeline.simulation.processes[node].traps])


def did_not_begin_lately(timeline: Timeline, step: int, said: str) -> bool:
    """No earlier entry of the node within Δmin."""
    event = timeline.trace.event(step)
    dmin = timeline.simulation.process_class.dmin
    return not any(
        record[KIND] == ENTER and record[NODE] == event[NODE] and event[TIME] - record[TIME] <= dmin
        for before in range(step)
        for record in timeline.trace.step(before)
    )


def is_older(timeline: Timeline, step: int, said: str) -> bool:
    older, younger = re.findall(r"P\d+·[\d.]*\d", said)[-2:]
    return token_name(older) < token_name(younger)


def began_lately(timeline: Timeline, step: int, said: str) -> bool:
    since = float(re.search(r"since t = ([\d.]*\d)", said)[1])
    return timeline.trace.event(step)[TIME] - since <= timeline.simulation.process_class.dmin + 0.1


def has_a_majority(timeline: Timeline, step: int, said: str) -> bool:
    """The latest responses to the client's ticket, one for each replica."""
    client, votes = timeline.trace.event(step)[NODE], {}
    process = timeline.simulation.processes[client]
    answered = timeline.trace.event(step)[MESSAGE]
    for before in range(step + 1):
        event = timeline.trace.event(before)
        message = event[MESSAGE] if event[KIND] == DELIVER and event[NODE] == client else None
        if hasattr(message, "owner") and getattr(message, "ticket", None) == answered.ticket:
            votes[message.replica] = message.owner
    own = [k for k in votes if process.resource_of(k) == process.resource_of(answered.replica)]
    return sum(votes[k] == answered.ticket for k in own) > process.replicas // 2


def votes_for(timeline: Timeline, step: int, said: str) -> bool:
    response = sent(timeline, step, "Response")[MESSAGE]
    number, client, *_ = response.owner
    return f"is for P{client}·{number}" in said


def scenario(name: str) -> Scenario:
    return scenario_file.load(scenario_file.find(name))


CHECKS: dict[str, Check] = {
    r"asks P\d+, (in the middle|halfway)": asks_in_the_middle,
    r"lends the token": lends_to_the_next_trap,
    r"no trap is left": no_trap_is_left,
    r"no operation of its own": did_not_begin_lately,
    r"is older than": is_older,
    r"Δmin has not passed": began_lately,
    r"a majority of the replicas votes for it": has_a_majority,
    r"[Tt]he vote of \w+ is for": votes_for,
}
LOSSES = (Event(15.0, "lose-token", every=80.0),)
RUNS = {  # name: the run, and the least number of kinds of captions that are checked in it
    "binary-search": (scenario("binary-search"), 3),
    "lost-gimme": (scenario("lost-gimme"), 2),
    "p2p-figure-1": (scenario("p2p-figure-1"), 2),
    "p2p-two-resources": (scenario("p2p-two-resources"), 1),
    "report": (
        Scenario(
            "wandering-token-report", nodes=8, parameters={"dmin": 20.0, "dmax": 25.0}, events=LOSSES, until=900.0
        ),
        3,
    ),
    "journal": (
        Scenario("wandering-token-journal", nodes=8, parameters={"dmin": 20.0, "gamma": 50.0}),
        2,
    ),
}


@for_each(name=RUNS)
def test_what_captions_compare_is_so_in_the_run(name: str) -> None:
    run, least = RUNS[name]
    timeline = catalog.timeline(run)
    said: dict[str, int] = {}
    for step in range(MOST):
        if not timeline.forward():
            break
        sentence = step_sentence(timeline, step)
        for words in (words for words in CHECKS if re.search(words, sentence)):
            said[words] = said.get(words, 0) + 1
            assert said[words] > EACH or CHECKS[words](timeline, step, sentence), sentence
    assert len(said) >= least, said


# ---- words -------------------------------------------------------------------------------------------------

NOT_IN_TEXTS = re.compile(
    r"\b(I [a-z]+|my|mine|whoever|nobody|everybody|somebody|for ever|time-?outs? runs? out|time-outs?|in all|on its way"
    r"|takes? for|dead|in vain|who wants)\b"
)
HALF = ("peer_to_peer", "rewriting_systems", "binary_search", "wandering", "ring_search", "random_access")
NAMES = [name for name, a in catalog.by_name().items() if any(half in a.process.__module__ for half in HALF)]


def files() -> Iterator[str]:
    for algorithm in catalog.by_name().values():
        for version in (algorithm, *(algorithm.of(name) for name in algorithm.variants)):
            yield from (
                f"{c.__module__}" for c in version.process.__mro__ if any(half in c.__module__ for half in HALF)
            )


@for_each(module=sorted(set(files())))
def test_comments_speak_in_the_third_person(module: str) -> None:
    for line, comment in comments(f"{module.replace('.', '/')}.py").items():
        assert not NOT_IN_TEXTS.search(comment), (line, comment)


@for_each(name=NAMES)
def test_an_algorithm_is_explained_with_its_symbols(name: str) -> None:
    algorithm = catalog.find(name)
    texts = [algorithm.summary, algorithm.explanation, *algorithm.symbols.values()]
    texts += [variant.summary for variant in algorithm.variants.values()]
    for text in texts:
        assert not NOT_IN_TEXTS.search(text), text
    assert 3 <= len(re.findall(r"[.!?](?:\s|$)", algorithm.explanation)) <= 6, algorithm.explanation
