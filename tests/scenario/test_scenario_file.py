"""Scenario files: they are read back as written, saved runs are reproducible, and mistakes get one sentence."""

from __future__ import annotations

import dataclasses
import random
import re
from collections.abc import Iterator
from contextlib import suppress
from datetime import date
from errno import ENOSPC
from math import inf, nan
from pathlib import Path
from typing import Any, get_args

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from algorithms import catalog, scenario_file, trace_file
from algorithms.authoring.failures import guard_run
from algorithms.bad_input import BadInput
from algorithms.engine.dispatch import parameters_of
from algorithms.engine.faults import FAULTS
from algorithms.engine.process import Parameter
from algorithms.engine.randomness import Distribution, Exponential, Fixed, Uniform
from algorithms.engine.rewrite import system_of
from algorithms.engine.scenario import Event, LinkSettings, Marker, Network, Scenario, Zone
from algorithms.engine.topology import TOPOLOGIES
from algorithms.engine.workload import LOADS, Burst, Closed, Load, Poisson, Renewal, Request, Saturated, Script
from algorithms.files import write_whole
from algorithms.scenario_format import schema
from algorithms.scenario_format.beside import Beside
from algorithms.scenario_format.place import Place
from algorithms.scenario_format.tables import describe
from tests.support.kit import for_each

# ---- any scenario ------------------------------------------------------------------------------------------

TIMES = st.floats(0, 1e6)
ASKED = st.tuples(st.text(min_size=1, max_size=20), st.text(max_size=20)) | st.just(("", ""))
MARKERS = st.builds(
    lambda at, name, asked, notes: Marker(at, name, *asked, notes),
    TIMES,
    st.text(min_size=1, max_size=20),
    ASKED,
    st.text(max_size=20),
)
DURATIONS = st.floats(1e-6, 1e6)
SHARES = st.floats(0, 1)


def distributions(times: st.SearchStrategy[float]) -> st.SearchStrategy[Any]:
    uniform = st.tuples(times, DURATIONS).map(lambda pair: Uniform(pair[0], pair[0] + pair[1]))
    return st.builds(Fixed, times) | uniform | st.builds(Exponential, DURATIONS)


def channels(nodes: int) -> st.SearchStrategy[list[LinkSettings]]:
    pairs = st.lists(st.integers(0, nodes - 1), min_size=2, max_size=2, unique=True)
    own = (st.none() | distributions(TIMES), st.none() | SHARES, st.none() | SHARES, st.booleans())
    channel = st.builds(lambda pair, *facts: LinkSettings(*pair, *facts), pairs, *own)
    return st.lists(channel, max_size=3, unique_by=lambda own: (own.node, own.to))


def loads(nodes: int) -> st.SearchStrategy[Load]:
    hold = distributions(TIMES)
    requests = st.lists(st.builds(Request, TIMES, st.integers(0, nodes - 1)), max_size=4).map(tuple)
    return st.one_of(
        st.builds(Load, hold=hold),
        st.builds(Script, hold=hold, requests=requests),
        st.builds(Poisson, hold=hold, rate=st.floats(0, 1e6)),
        st.builds(Closed, hold=hold, think=DURATIONS),
        st.builds(Saturated, hold=distributions(DURATIONS)),
        st.builds(Burst, hold=hold, every=DURATIONS, share=st.floats(0.001, 1)),
        st.builds(Renewal, hold=hold, gap=distributions(DURATIONS)),
    )


@st.composite
def events(draw: Any, scenario: Scenario) -> Event:
    """An event that fits the scenario, with the fields that it needs."""
    algorithm = catalog.find(scenario.algorithm).of(scenario.variant)
    nodes = st.integers(0, scenario.nodes - 1)
    declared = parameters_of(algorithm.process)
    faults = [do for do in FAULTS if (algorithm.token or "token" not in do) and (declared or do != "tune")]
    do = draw(st.sampled_from([do for do in faults if do not in ("fire", "act")]))
    needs = FAULTS[do].needs
    fields: dict[str, Any] = {"at": draw(TIMES), "do": do}
    if "node" in needs:
        fields["node"] = draw(nodes)
    if "to" in needs:
        fields["to"] = draw(nodes.filter(lambda node: node != fields["node"]))
    if "message" in needs:
        by_type = st.sampled_from(sorted(m.__name__ for m in algorithm.looks)) if algorithm.looks else None
        named = by_type is not None and draw(st.booleans())
        fields |= {"type": draw(by_type)} if named else {"message": draw(st.integers(0, 10**6))}
    if "delay" in needs:
        fields["delay"] = draw(DURATIONS)
    if "groups" in needs:
        members = draw(st.permutations(range(scenario.nodes)))
        cut = draw(st.integers(0, scenario.nodes - 1))
        fields["groups"] = (tuple(members[:cut]), tuple(members[cut:]))
    if "load" in needs:
        fields["load"] = draw(loads(scenario.nodes))
    if "parameter" in needs:
        fields["parameter"] = draw(st.sampled_from(sorted(declared)))
        fields["value"] = draw(values(declared[fields["parameter"]], scenario.nodes))
    if do == "recover":
        fields["memory"] = draw(st.booleans())
    by_hand = draw(st.booleans())
    if by_hand:
        fields |= {"step": draw(st.integers(0, 10**6)), "by_hand": True}
    else:
        fields["every"] = draw(st.none() | DURATIONS)
    return Event(**fields)


def values(parameter: Parameter, nodes: int) -> st.SearchStrategy[Any]:
    """Values that a parameter can take in a system of `nodes` nodes."""
    chosen = st.just(parameter.default)
    if type(parameter.default) is int:
        chosen |= st.integers(int(parameter.low or 0), 1_000)
    elif type(parameter.default) is float:
        chosen |= st.floats(parameter.low or 0, 1e9)
    return chosen.filter(lambda value: parameter.fits(value, nodes))


@st.composite
def zones(draw: Any) -> tuple[Zone, ...]:
    bounds = sorted(draw(st.sets(st.integers(1, 50), max_size=3)))
    names = st.text(min_size=1, max_size=9)
    return (*(Zone(draw(names), bound) for bound in bounds), Zone(draw(names))) if bounds else ()


@st.composite
def scenarios(draw: Any) -> Scenario:
    algorithm = draw(st.sampled_from(sorted(catalog.by_name().values(), key=lambda a: a.name)))
    variant = draw(st.none() | st.sampled_from(sorted(algorithm.variants))) if algorithm.variants else None
    nodes = draw(st.integers(2, 9))
    pairs = st.tuples(st.integers(0, nodes - 1), st.integers(0, nodes - 1)).filter(lambda pair: pair[0] < pair[1])
    edges = draw(st.none() | st.sets(pairs).map(sorted).map(tuple))
    declared = parameters_of(algorithm.of(variant).process)
    scenario = Scenario(
        algorithm=algorithm.name,
        title=draw(st.text(max_size=30)),
        variant=variant,
        nodes=nodes,
        members=draw(st.none() | st.integers(1, nodes)),
        seed=draw(st.integers(-(2**63), 2**63 - 1)),
        until=draw(DURATIONS),
        topology=draw(st.none() | st.sampled_from(sorted(TOPOLOGIES))) if edges is None else None,
        edges=edges,
        names=draw(st.sampled_from([(), tuple(f"Node {n}" for n in range(nodes))])),
        network=Network(
            draw(distributions(TIMES)), draw(st.booleans()), draw(SHARES), draw(SHARES), tuple(draw(channels(nodes)))
        ),
        load=draw(loads(nodes)) if system_of(algorithm) is None else Load(),
        parameters={name: draw(values(declared[name], nodes)) for name in declared if draw(st.booleans())},
        patience=draw(st.none() | DURATIONS),
        shows=draw(st.none() | st.sampled_from(["ME2", "E2"])),
        markers=tuple(draw(st.lists(MARKERS, max_size=3))),
        zones=draw(zones()),
        notes=draw(st.text(max_size=40) | st.lists(st.text(max_size=9), max_size=4).map("\n".join)),
    )
    return dataclasses.replace(scenario, events=tuple(draw(st.lists(events(scenario), max_size=4))))


@settings(max_examples=80, deadline=None)
@given(scenarios())
def test_a_written_scenario_is_read_back(scenario):
    assert scenario_file.loads(scenario_file.dumps(scenario)) == scenario


@settings(max_examples=30, deadline=None)
@given(scenarios(), scenarios(), st.text(max_size=20), st.text(max_size=20))
def test_a_second_run_is_read_back(tmp_path_factory, scenario, other, note, other_note):
    file, beside = tmp_path_factory.mktemp("pair") / "pair.toml", Beside(other, note, other_note)
    scenario_file.save(scenario, file, beside)
    assert scenario_file.load_pair(file) == (scenario, beside)
    assert scenario_file.load(file) == scenario, "the single run is the file's own"
    scenario_file.save(scenario, file)
    assert scenario_file.load_pair(file) == (scenario, None)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("beside = 3", "pair.toml: beside: expected a table"),
        ("[beside]\nalgorithm = 'nonesuch'", "pair.toml: beside.algorithm: unknown algorithm"),
        ("[beside]\nnote = 3\nalgorithm = 'bully'", "pair.toml: beside.note: expected a text, got 3"),
        ("[beside]\nalgorithm = 'bully'\n[beside.beside]", "pair.toml: beside.beside: unknown key"),
    ],
)
def test_a_mistake_in_a_second_run_is_reported(text, sentence, tmp_path):
    (tmp_path / "pair.toml").write_text(f'format = 1\nalgorithm = "bully"\n{text}\n')
    with pytest.raises(BadInput, match=sentence):
        scenario_file.load_pair(tmp_path / "pair.toml")


def test_notes_of_several_lines_are_written_as_lines():
    notes = 'Ask "why?" first.\nA backslash \\n is none.\n'
    text = scenario_file.dumps(Scenario("token-ring", notes=notes))
    assert '\nAsk \\"why?\\" first.\nA backslash' in text
    assert scenario_file.loads(text).notes == notes


EVERY_FIELD = """
format = 1
title = "With everything"
notes = "Two lines.\\nOf notes."
speaker = "Ask first."
algorithm = "end-to-end"
variant = "as-described"
nodes = 4
members = 3
seed = 7
until = 50.0
patience = 20.0
shows = "ME2"
edges = [[0, 1], [1, 2], [2, 3]]
names = ["Berlin", "Madrid", "Oslo", "Roma"]
load = { kind = "script", hold = 2.0, requests = [{ at = 1.0, node = 2, resource = 1 }] }
parameters = { resources = 2 }
marker = [{ at = 1.0, name = "the wait", question = "Why?", answer = "Because.", notes = "Wait." }]
zone = [{ name = "alone", upto = 1 }, { name = "crowded" }]
event = [
  { at = 1.0, do = "request", node = 1, resource = 1, every = 2.0 },
  { at = 2.0, do = "drop", node = 1, to = 2, type = "Request", step = 3, by_hand = true },
  { at = 3.0, do = "delay", message = 4, delay = 2.0, draws = [0.25] },
  { at = 4.0, do = "recover", node = 1, memory = false },
  { at = 5.0, do = "partition", groups = [[0, 1], [2, 3]] },
  { at = 6.0, do = "fire", node = 1, timer = "grace" },
  { at = 7.0, do = "tune", parameter = "grace", value = 9.0 },
  { at = 8.0, do = "load", load = { kind = "none", hold = 2.0 } },
  { at = 8.0, do = "load", load = { kind = "saturated", hold = 2.0 } },
  { at = 8.0, do = "load", load = { kind = "poisson", rate = 0.1, hold = { kind = "uniform", low = 1, high = 3 } } },
  { at = 8.0, do = "load", load = { kind = "closed", think = 4.0, hold = { kind = "exponential", mean = 3.0 } } },
  { at = 8.0, do = "load", load = { kind = "burst", every = 5.0, share = 0.5, hold = 2.0 } },
  { at = 8.0, do = "load", load = { kind = "renewal", gap = 5.0, hold = 2.0 } },
  { at = 9.0, do = "cut", node = 0, to = 1, both = false },
]

[network]
delay = 2.0
fifo = false
loss = 0.1
duplicate = 0.2
links = [{ node = 1, to = 2, delay = 3.0, loss = 0.1, duplicate = 0.2, both = false }]
flights = [{ node = 0, to = 1, takes = [1.5] }]
"""
PLAYED = """
format = 1
algorithm = "ricart-agrawala"
event = [
  { at = 1.0, do = "act", node = 1, acts = [{ do = "send", type = "Request", to = 2, fields = { stamp = [3, 1] } }] },
]
"""
NAMED_TOPOLOGY = 'format = 1\nalgorithm = "centralized"\ntopology = "ring"\n'


def parts_of(value: Any) -> Iterator[Any]:
    """A value of a dataclass and all those nested in it."""
    if dataclasses.is_dataclass(value):
        yield value
        for field in dataclasses.fields(value):
            yield from parts_of(getattr(value, field.name))
    elif isinstance(value, tuple):
        for item in value:
            yield from parts_of(item)


def test_every_field_is_read_and_written():
    """A new field of a dataclass belongs in the schema, and in the text above with a value other than its default."""
    stated = set()
    for text in (EVERY_FIELD, PLAYED, NAMED_TOPOLOGY):
        scenario = scenario_file.loads(text)
        assert scenario_file.loads(scenario_file.dumps(scenario)) == scenario
        for part in parts_of(scenario):
            stated |= {(type(part), f.name) for f in dataclasses.fields(part) if getattr(part, f.name) != f.default}
    assert stated == {(cls, field.name) for cls in schema.KEYS for field in dataclasses.fields(cls)}


def test_every_kind_and_every_key_is_in_the_schema_with_words_for_an_error():
    assert {*LOADS.values(), *schema.DISTRIBUTIONS.values()} <= schema.KEYS.keys()
    assert set(schema.DISTRIBUTIONS.values()) == set(get_args(Distribution))
    assert all(describe(kind) for keys in schema.KEYS.values() for kind in keys.values())


def test_shipped_scenarios_are_readable_and_have_a_title():
    for name in scenario_file.names():
        scenario = scenario_file.load(scenario_file.find(name))
        assert scenario.title, name
        assert 2 <= len(scenario.notes.splitlines()) <= 4, f"{name}: what to watch, for the person who looks"
        assert scenario.speaker, f"{name}: what to ask, for the person who presents"
        assert scenario_file.loads(scenario_file.dumps(scenario)) == scenario


# ---- saved runs --------------------------------------------------------------------------------------------


def trace_of(scenario: Scenario, steps: int) -> list[str]:
    run = catalog.simulation(scenario)
    run.run(steps=steps)
    return list(trace_file.lines(run.trace))


@pytest.mark.parametrize("value", ["[]", "[3, 1, 2, 0, 4]"])
def test_an_event_may_set_any_value_that_a_parameter_allows(value):
    text = f"""format = 1
algorithm = "chang-roberts"
parameters = {{ ids = {value} }}
event = [{{ at = 1, do = "tune", parameter = "ids", value = {value} }}]
"""
    scenario = scenario_file.loads(text)
    assert scenario.events[0].value == scenario.parameters["ids"]
    assert scenario_file.loads(scenario_file.dumps(scenario)) == scenario


@pytest.mark.parametrize("name", ["centralized", "ricart-agrawala", "token-ring", "uncoordinated"])
def test_a_saved_run_reopens_to_the_same_trace(name, tmp_path):
    planned = (Event(12.0, "pause", node=3), Event(15.0, "resume", node=3))
    network = Network(delay=Uniform(0.5, 1.5), loss=0.01)
    timeline = catalog.timeline(Scenario(name, load=Poisson(rate=0.3), network=network, seed=4, events=planned))
    timeline.seek(30)
    timeline.act(Event(timeline.simulation.now, "crash", node=2))
    timeline.seek(60)
    timeline.act(Event(timeline.simulation.now + 0.1, "recover", node=2, memory=False))
    timeline.act(Event(timeline.simulation.now, "load", load=Closed(think=3.0)))
    timeline.seek(45)
    timeline.act(Event(timeline.simulation.now, "request", node=0))  # in the past: a branch, which is what is saved
    timeline.seek(120)
    file = tmp_path / "run.toml"
    scenario_file.save(scenario_file.saved_run(timeline), file)
    again = scenario_file.load(file)
    assert [event.do for event in again.events] == ["pause", "resume", "crash", "request"]
    assert [event.by_hand for event in again.events] == [False, False, True, True]
    assert trace_of(again, 120) == list(trace_file.lines(timeline.trace))


def test_saving_a_reopened_run_changes_nothing(tmp_path):
    timeline = catalog.timeline(Scenario("token-ring", load=Saturated()))
    timeline.seek(10)
    timeline.act(Event(timeline.simulation.now, "lose-token"))
    first = scenario_file.saved_run(timeline)
    assert scenario_file.saved_run(catalog.timeline(first)) == first


def test_a_file_is_complete_or_unchanged(tmp_path):
    target = tmp_path / "run.toml"
    target.write_text("the old one")

    def parts():
        yield b"half of"
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        write_whole(target, parts())
    assert [(path.name, path.read_text()) for path in tmp_path.iterdir()] == [("run.toml", "the old one")]


def test_a_failed_write_names_the_file(tmp_path):
    def parts() -> Iterator[bytes]:
        yield b"half"
        raise OSError(ENOSPC, "No space left on device")

    with pytest.raises(OSError, match="No space left") as error:
        write_whole(tmp_path / "run.toml", parts())
    assert error.value.filename == str(tmp_path / "run.toml")
    assert list(tmp_path.iterdir()) == []


# ---- graphs ------------------------------------------------------------------------------------------------


def test_a_graph_file_is_relative_to_its_scenario(tmp_path):
    (tmp_path / "maps").mkdir()
    (tmp_path / "maps" / "path.edgelist").write_text("2 1\n1 0\n")
    file = tmp_path / "on-a-path.toml"
    file.write_text('format = 1\nalgorithm = "centralized"\ntopology = { file = "maps/path.edgelist" }\n')
    scenario = scenario_file.load(file)
    assert (scenario.nodes, scenario.edges) == (3, ((0, 1), (1, 2)))


def test_named_nodes_of_a_graph_file_are_numbered_in_its_order(tmp_path):
    networkx = pytest.importorskip("networkx")
    graph = networkx.Graph([("library", "canteen"), ("canteen", "gym")])
    networkx.write_graphml(graph, tmp_path / "campus.graphml")
    file = tmp_path / "campus.toml"
    file.write_text('format = 1\nalgorithm = "token-ring"\ntopology = { file = "campus.graphml" }\n')
    assert scenario_file.load(file).edges == ((0, 1), (1, 2))


def test_edges_are_undirected_and_in_order():
    text = 'format = 1\nalgorithm = "centralized"\nnodes = 3\nedges = [[2, 1], [1, 0], [0, 1]]\n'
    assert scenario_file.loads(text).edges == ((0, 1), (1, 2))


# ---- what is wrong -----------------------------------------------------------------------------------------

HEAD = 'format = 1\nalgorithm = "ricart-agrawala"\nnodes = 3\n'
RING = 'format = 1\nalgorithm = "token-ring"\n'
ELECTION = 'format = 1\nalgorithm = "chang-roberts"\nnodes = 3\n'
SILENT = 'format = 1\nalgorithm = "uncoordinated"\n'

WRONG = [
    # (text, the key that the sentence names, a part of what it says)
    ("", "format", "expected 1, the format this version reads, got nothing"),
    ('algorithm = "token-ring"\n', "format", "expected 1"),
    ('format = 2\nalgorithm = "token-ring"\n', "format", "got 2"),
    ("format = true\n", "format", "got true"),
    ("format = 1\n", "algorithm", "expected a name, got nothing"),
    ("format = 1\nalgorithm = 3\n", "algorithm", "expected a name, got 3"),
    ('format = 1\nalgorithm = "token-rnig"\n', "algorithm", "did you mean token-ring?"),
    ('format = 1\nalgorithm = "ricart"\n', "algorithm", "did you mean ricart-agrawala?"),
    (HEAD + "nodez = 4\n", "nodez", "did you mean nodes"),
    (HEAD + '"no\\nde" = 4\n', '"no de"', "did you mean nodes"),
    (HEAD + 'variant = "eager"\n', "variant", "unknown variant of ricart-agrawala"),
    (HEAD + "title = 3\n", "title", "expected a text, got 3"),
    (HEAD + "seed = 1.5\n", "seed", "expected a whole number of at most 63 bits, got 1.5"),
    (HEAD + 'seed = "x"\n', "seed", 'expected a whole number of at most 63 bits, got "x"'),
    (HEAD + "until = -1\n", "until", "expected a time above 0, at most 1e+09, got -1"),
    (HEAD + "until = inf\n", "until", "got inf"),
    (HEAD + "until = nan\n", "until", "got nan"),
    (HEAD + "until = 2026-01-01\n", "until", "expected a time above 0"),
    (HEAD + "until = 1e308\n", "until", "at most 1e+09, got 1e+308"),
    (HEAD + "seed = 99999999999999999999\n", "seed", "at most 63 bits"),
    (HEAD + f"[load]\nkind = 'none'\nhold = {10**400}\n", "load.hold", "at most 1e+09"),
    (HEAD + "[load]\nkind = 'burst'\nevery = 5\nshare = 1e-308\n", "load.share", "from 0.0001 to 1"),
    (HEAD + f"[[zone]]\nname = 'a'\nupto = {10**20}\n[[zone]]\nname = 'b'\n", "zone[0].upto", "from 1 to 100000"),
    (HEAD + "patience = 0\n", "patience", "expected a time above 0"),
    (HEAD + "members = 4\n", "members", "expected at most 3"),
    ('format = 1\nalgorithm = "centralized"\nnodes = 1\n', "nodes", "from 2 to 100000, got 1"),
    ('format = 1\nalgorithm = "centralized"\nnodes = 3\nmembers = 0\n', "members", "from 1 to 100000, got 0"),
    (ELECTION + "[parameters]\nids = [3, 1]\n", "parameters.ids", "the number of each process"),
    (ELECTION + "[parameters]\nids = 3\n", "parameters.ids", "expected a list, got 3"),
    ('format = 1\nalgorithm = "centralized"\nnodes = 1000000000\n', "nodes", "to 100000"),
    ('format = 1\nalgorithm = "ricart-agrawala"\nnodes = 50000\n', "nodes", "complete graph"),
    ('format = 1\nalgorithm = "centralized"\nnodes = 2.0\n', "nodes", "got 2.0"),
    (HEAD + 'topology = "rnig"\n', "topology", "did you mean ring"),
    (HEAD + "topology = []\n", "topology", "expected one of complete"),
    (HEAD + "topology = { flie = 'a.gml' }\n", "topology.flie", "did you mean file?"),
    (HEAD + "topology = { file = 'nowhere.gml' }\n", "topology.file", "there is no file nowhere.gml"),
    (HEAD + "topology = { file = 'picture.png' }\n", "topology.file", ".graphml"),
    (HEAD + "edges = [[0, 3]]\n", "edges[0][1]", "expected a node from 0 to 2, got 3"),
    (HEAD + "edges = [[0, 1, 2]]\n", "edges", "pairs of nodes"),
    (HEAD + 'topology = "ring"\nedges = [[0, 1]]\n', "edges", "either topology or edges"),
    (HEAD + "network = 3\n", "network", "expected a table, got 3"),
    (HEAD + "[network]\nlos = 0.1\n", "network.los", "did you mean loss?"),
    (HEAD + "[network]\nloss = -0.1\n", "network.loss", "from 0 to 1, got -0.1"),
    (HEAD + "[network]\nloss = 1.1\n", "network.loss", "from 0 to 1, got 1.1"),
    (HEAD + "[network]\nduplicate = true\n", "network.duplicate", "got true"),
    (HEAD + "[network]\nfifo = 1\n", "network.fifo", "expected true or false, got 1"),
    (HEAD + "[network]\ndelay = -1\n", "network.delay", "got -1"),
    (HEAD + "[network]\nlinks = [{ node = 0, to = 3 }]\n", "network.links[0].to", "expected a node from 0 to 2, got 3"),
    (HEAD + "[network]\nlinks = [{ node = 0, to = 0 }]\n", "network.links[0].to", "another node"),
    (HEAD + "[network]\nlinks = [{ node = 0, to = 1 }, { node = 0, to = 1 }]\n", "network.links[1]", "listed already"),
    (HEAD + "names = ['a', 'b']\n", "names", "expected 3 names, one for each node, got 2"),
    (HEAD + "names = ['a', 'b', 'a']\n", "names[2]", "two nodes are called a"),
    (HEAD + "names = ['a', 'b', 'c\\u0007']\n".replace("'", '"'), "names[2]", "in one line"),
    (HEAD + "[network]\ndelay = nan\n", "network.delay", "expected a time of at least 0, at most 1e+09, or a table"),
    (
        HEAD + "[load]\nkind = 'none'\nhold = inf\n",
        "load.hold",
        "expected a time of at least 0, at most 1e+09, or a table",
    ),
    (HEAD + "[load]\nkind = 'renewal'\n", "load.gap", "expected a time of at least 0, at most 1e+09, or a table"),
    (HEAD + "[network]\ndelay = 'slow'\n", "network.delay", '"slow"'),
    (HEAD + "[network]\ndelay = { low = 1 }\n", "network.delay.kind", "expected one of fixed, uniform"),
    (HEAD + "[network]\ndelay = { kind = 'unifrom' }\n", "network.delay.kind", "did you mean uniform?"),
    (HEAD + "[network]\ndelay = { kind = 'uniform', low = 2, high = 1 }\n", "network.delay.low", "at most high"),
    (HEAD + "[network]\ndelay = { kind = 'uniform', low = 2 }\n", "network.delay.high", "got nothing"),
    (HEAD + "[network]\ndelay = { kind = 'uniform', low = 1, high = 2, mean = 3 }\n", "network.delay.mean", "unknown"),
    (HEAD + "[network]\ndelay = { kind = 'exponential', mean = 0 }\n", "network.delay.mean", "above 0"),
    (HEAD + "[load]\nhold = 2\n", "load.kind", "expected one of none, script, poisson"),
    (HEAD + "[load]\nkind = 'poison'\n", "load.kind", "did you mean poisson?"),
    (HEAD + "[load]\nkind = ['poisson']\n", "load.kind", "unknown kind of load"),
    (HEAD + "[load]\nkind = 'poisson'\n", "load.rate", "expected a rate"),
    (HEAD + "[load]\nkind = 'poisson'\nrate = -0.1\n", "load.rate", "got -0.1"),
    (HEAD + "[load]\nkind = 'poisson'\nrate = 0.1\nthink = 3\n", "load.think", "unknown key"),
    (HEAD + "[load]\nkind = 'closed'\nthink = 0\n", "load.think", "above 0"),
    (HEAD + "[load]\nkind = 'saturated'\nhold = 0\n", "load.hold", "above 0"),
    (HEAD + "[load]\nkind = 'burst'\nevery = 5\nshare = 0\n", "load.share", "from 0.0001 to 1"),
    (HEAD + "[load]\nkind = 'renewal'\ngap = 0\n", "load.gap", "above 0"),
    (HEAD + "[load]\nkind = 'renewal'\n", "load.gap", "got nothing"),
    (
        HEAD + "[load]\nkind = 'script'\nrequests = [{ at = 1 }]\n",
        "item 1 of load.requests has no `node`",
        "the number of a node",
    ),
    (HEAD + "[load]\nkind = 'script'\nrequests = [{ at = 1, node = 3 }]\n", "load.requests[0].node", "from 0 to 2"),
    (HEAD + "[load]\nkind = 'script'\nrequests = [{ at = -1, node = 1 }]\n", "load.requests[0].at", "at least 0"),
    (HEAD + "[load]\nkind = 'script'\nrequests = 7\n", "load.requests", "a list of tables"),
    (
        HEAD + "[parameters]\ndmin = 600\n",
        "parameters.dmin",
        'unknown parameter of ricart-agrawala "dmin"; there are none',
    ),
    (HEAD + "event = 3\n", "event", "a list of tables"),
    (HEAD + "[event]\nat = 3\n", "event", "a list of tables, got a table"),
    (HEAD + "[[event]]\nat = 15\n", "event 1 has no `do`", "expected a name"),
    (HEAD + "[[event]]\nat = 15\ndo = 'reqest'\n", "event[0].do", "did you mean request?"),
    (
        HEAD + "[[event]]\nat = 15\ndo = 'crash'\n",
        "event 1 has no `node`",
        "expected the number of a node, which crash needs",
    ),
    (HEAD + "[[event]]\nat = 15\ndo = 'crash'\nnode = 3\n", "event[0].node", "expected a node from 0 to 2, got 3"),
    (HEAD + "[[event]]\nat = 15\ndo = 'crash'\nnode = -1\n", "event[0].node", "got -1"),
    (HEAD + "[[event]]\nat = 15\ndo = 'crash'\nnode = '1'\n", "event[0].node", 'got "1"'),
    (HEAD + "[[event]]\nat = 15\ndo = 'crash'\nnode = 1\n" * 2 + "nod = 1\n", "event[1].nod", "did you mean node?"),
    (HEAD + "[[event]]\nat = -1\ndo = 'crash'\nnode = 1\n", "event[0].at", "at least 0"),
    (HEAD + "[[event]]\nat = 1\ndo = 'cut'\nnode = 1\n", "event 1 has no `to`", "which cut needs"),
    (HEAD + "[[event]]\nat = 1\ndo = 'cut'\nnode = 1\nto = 1\n", "event[0].to", "another node"),
    (HEAD + "[[event]]\nat = 1\ndo = 'heal'\nnode = 1\n", "event[0].to", "heal needs"),
    (HEAD + "[[event]]\nat = 1\ndo = 'drop'\n", "event[0]", "drop needs a message"),
    (HEAD + "[[event]]\nat = 1\ndo = 'drop'\ntype = 'Reqest'\n", "event[0].type", "did you mean Request?"),
    (HEAD + "[[event]]\nat = 1\ndo = 'drop'\nmessage = -1\n", "event[0].message", "at least 0"),
    (HEAD + "[[event]]\nat = 1\ndo = 'delay'\nmessage = 1\n", "event 1 has no `delay`", "which delay needs"),
    (HEAD + "[[event]]\nat = 1\ndo = 'delay'\nmessage = 1\ndelay = -2\n", "event[0].delay", "got -2"),
    (HEAD + "[[event]]\nat = 1\ndo = 'lose-token'\n", "event[0].do", "ricart-agrawala has none"),
    (HEAD + "[[event]]\nat = 1\ndo = 'partition'\n", "event 1 has no `groups`", "which partition needs"),
    (HEAD + "[[event]]\nat = 1\ndo = 'partition'\ngroups = [[0], [4]]\n", "event[0].groups[1][0]", "from 0 to 2"),
    (HEAD + "[[event]]\nat = 1\ndo = 'partition'\ngroups = [[0], [0]]\n", "event[0].groups[1][0]", "in two groups"),
    (HEAD + "[[event]]\nat = 1\ndo = 'partition'\ngroups = []\n", "event[0].groups", "a list of lists"),
    (HEAD + "[[event]]\nat = 1\ndo = 'partition'\ngroups = [0, 1]\n", "event[0].groups", "a list of lists"),
    (HEAD + "[[event]]\nat = 1\ndo = 'load'\n", "event 1 has no `load`", "which load needs"),
    (HEAD + "[[event]]\nat = 1\ndo = 'load'\nload = { kind = 'poisson', rate = -1 }\n", "event[0].load.rate", "got -1"),
    (
        HEAD + "[[event]]\nat = 1\ndo = 'fire'\nnode = 1\ntimer = 'alarm'\n",
        "event[0].timer",
        'unknown timer of ricart-agrawala "alarm"; there are none',
    ),
    (HEAD + "[[event]]\nat = 1\ndo = 'recover'\nnode = 1\nmemory = 0\n", "event[0].memory", "true or false"),
    (HEAD + "[[event]]\nat = 1\ndo = 'crash'\nnode = 1\nevery = 2\nstep = 3\n", "event[0].every", "got both"),
    (HEAD + "[[event]]\nat = 1\ndo = 'crash'\nnode = 1\nstep = -3\n", "event[0].step", "at least 0"),
    (HEAD + "[[marker]]\nat = 1\n", "marker 1 has no `name`", "expected a name"),
    (HEAD + "[[marker]]\nat = 1\nname = ''\n", "marker[0].name", "expected a name"),
    (HEAD + "[[marker]]\nat = 1\nname = 'a'\nanswer = 'b'\n", "marker[0].answer", "expected a question"),
    (HEAD + "[[marker]]\nat = '1'\nname = 'a'\n", "marker[0].at", 'got "1"'),
    (RING + "[[event]]\nat = 1\ndo = 'drop'\ntype = 'Request'\n", "event[0].type", "Token"),
    (
        SILENT + "[[event]]\nat = 1\ndo = 'drop'\ntype = 'A'\n",
        "event[0].type",
        'unknown message of uncoordinated "A"; there are none',
    ),
]


@for_each(case=WRONG)
def test_a_mistake_gets_one_sentence_with_file_and_key(case):
    text, key, words = case
    with pytest.raises(BadInput) as error:
        scenario_file.loads(text, "demo.toml")
    sentence = str(error.value)
    assert sentence.startswith((f"demo.toml: {key}: ", f"demo.toml: {key}; "))
    assert words in sentence
    assert "\n" not in sentence


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"format = ", "not valid TOML"),
        (b"\xff\xfe", "expected text in UTF-8"),
        (b"a = " + b"[" * 100_000, "nested too deeply"),
        (b"format = 1" + b"0" * 5000, "not valid TOML"),
        (b"[[event]]\n[event]\n", "not valid TOML"),
    ],
)
def test_a_file_that_is_not_toml_is_named(content, words, tmp_path):
    file = tmp_path / "demo.toml"
    file.write_bytes(content)
    with pytest.raises(BadInput, match=r"^demo\.toml: ") as error:
        scenario_file.load(file)
    assert words in str(error.value)
    assert "\n" not in str(error.value)


def test_an_unreadable_graph_file_is_named(tmp_path):
    (tmp_path / "campus.graphml").write_text("no graph at all")
    with pytest.raises(BadInput, match=r"demo: topology\.file: campus\.graphml: not a graph") as error:
        scenario_file.build(
            {"format": 1, "algorithm": "centralized", "topology": {"file": "campus.graphml"}},
            Place("demo"),
            tmp_path,
        )
    assert "\n" not in str(error.value)


ODD = [
    -1,
    0,
    1,
    1.5,
    10**30,
    -1e300,
    nan,
    inf,
    True,
    "",
    "x",
    "\n",
    [],
    [1],
    [[]],
    [[0, 1]],
    {},
    {"kind": "x"},
    {"a": 1},
]
ODD += [date(2026, 1, 1), [{"at": 1, "do": "crash", "node": 0}], {"kind": "fixed", "value": 1}]


def with_an_odd_value(tables: Any, dice: random.Random) -> Any:
    """The same tables with one odd value somewhere."""
    inner = [key for key, value in _items(tables) if isinstance(value, dict | list) and value]
    copy = dict(tables) if isinstance(tables, dict) else list(tables)
    if inner and dice.random() < 0.7:
        key = dice.choice(inner)
        copy[key] = with_an_odd_value(copy[key], dice)
    elif isinstance(copy, dict) and dice.random() < 0.2:
        copy[dice.choice(["at", "node", "nodes", "kind", "step", "load", "edges", "x"])] = dice.choice(ODD)
    else:
        copy[dice.choice([key for key, _ in _items(tables)])] = dice.choice(ODD)
    return copy


def _items(tables: Any) -> list[tuple[Any, Any]]:
    return list(tables.items()) if isinstance(tables, dict) else list(enumerate(tables))


@pytest.mark.parametrize("name", scenario_file.names())
def test_notes_ask_for_nothing_that_a_recorded_page_cannot_do(name):
    """It shows them above a run that can be played, but not acted on."""
    words = scenario_file.load(scenario_file.find(name)).notes
    assert not re.findall(r"\b(Select|Press|Click|Tap|Drag|Right-click|Hover|Type|Choose|Open)\b", words)


@pytest.mark.parametrize("name", scenario_file.names())
def test_any_file_gives_a_scenario_or_one_sentence(name):
    dice = random.Random(name)
    tables = scenario_file.read(scenario_file.find(name))
    for _ in range(60):
        odd = with_an_odd_value(tables, dice)
        with suppress(BadInput):  # and nothing else
            run = catalog.simulation(scenario_file.build(odd, Place("odd.toml"), Path()))
            with guard_run(run):
                run.run(steps=40)
