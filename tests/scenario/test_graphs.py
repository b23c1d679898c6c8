"""Graph files: what they say is used or refused with a sentence, never dropped in silence."""

from __future__ import annotations

from pathlib import Path

import pytest

from algorithms import scenario_file
from algorithms.bad_input import BadInput
from algorithms.engine.randomness import Fixed
from algorithms.engine.scenario import Scenario
from tests.support.kit import for_each

GRAPHML = """<?xml version="1.0" encoding="UTF-8"?>
<graphml xmlns="http://graphml.graphdrawing.org/xmlns">
  <key id="d0" for="edge" attr.name="latency" attr.type="double"/>
  <graph edgedefault="{kind}"><node id="Berlin"/><node id="Madrid"/><node id="Oslo"/>{edges}</graph>
</graphml>
"""


def opened(folder: Path, name: str, content: str | bytes, more: str = "") -> Scenario:
    """A scenario on the graph of a file with this name and content."""
    (folder / name).write_bytes(content.encode() if isinstance(content, str) else content)
    (folder / "demo.toml").write_text(
        f'format = 1\nalgorithm = "centralized"\ntopology = {{ file = "{name}" }}\n{more}'
    )
    return scenario_file.load(folder / "demo.toml")


def graphml(*edges: tuple[str, str, float | None], kind: str = "undirected") -> str:
    data = {edge: "" if edge[2] is None else f'<data key="d0">{edge[2]}</data>' for edge in edges}
    return GRAPHML.format(
        kind=kind, edges="".join(f'<edge source="{e[0]}" target="{e[1]}">{data[e]}</edge>' for e in edges)
    )


def delays(scenario: Scenario) -> dict[tuple[int, int], float | None]:
    channels = scenario.network.channels().items()
    return {link: own.delay.value if isinstance(own.delay, Fixed) else None for link, own in channels}


def test_names_and_latencies_of_a_file_are_used(tmp_path):
    scenario = opened(tmp_path, "cities.graphml", graphml(("Berlin", "Madrid", 7.0), ("Oslo", "Berlin", 3.0)))
    assert scenario.names == ("Berlin", "Madrid", "Oslo")
    assert scenario.edges == ((0, 1), (0, 2))
    assert delays(scenario) == {(0, 1): 7.0, (1, 0): 7.0, (0, 2): 3.0, (2, 0): 3.0}
    assert scenario_file.loads(scenario_file.dumps(scenario)) == scenario  # the file is not needed again


def test_the_scenario_s_own_names_and_links_count_more_than_the_file_s(tmp_path):
    text = graphml(("Berlin", "Madrid", 7.0), ("Oslo", "Berlin", 3.0))
    links = "[{ node = 1, to = 0, loss = 0.5 }, { node = 0, to = 2, delay = 9 }]"
    more = f'names = ["a", "b", "c"]\nnetwork = {{ links = {links} }}'
    scenario = opened(tmp_path, "cities.graphml", text, more)
    assert scenario.names == ("a", "b", "c")
    assert delays(scenario) == {(0, 1): 7.0, (1, 0): 7.0, (0, 2): 9.0, (2, 0): 9.0}
    assert {link for link, own in scenario.network.channels().items() if own.loss} == {(0, 1), (1, 0)}


def test_a_directed_graph_with_edges_both_ways_has_a_latency_each_way(tmp_path):
    text = graphml(("Berlin", "Madrid", 7.0), ("Madrid", "Berlin", 2.0), kind="directed")
    assert delays(opened(tmp_path, "cities.graphml", text)) == {(0, 1): 7.0, (1, 0): 2.0}


@for_each(
    name=["list.edgelist", "list.edges", "list.txt"],
    case=[
        ("0 1\n1 2\n", 3, ((0, 1), (1, 2)), (), {}),
        ("# a path\n0, 1\n1,2\n", 3, ((0, 1), (1, 2)), (), {}),
        ("1 2\n2 3\n", 3, ((0, 1), (1, 2)), ("1", "2", "3"), {}),
        ("3 10\n10 2\n", 3, ((0, 2), (1, 2)), ("2", "3", "10"), {}),
        ("b,a\n", 2, ((0, 1),), ("b", "a"), {}),
        ("0 1 2.5\n1 2 4\n", 3, ((0, 1), (1, 2)), (), {(0, 1): 2.5, (1, 0): 2.5, (1, 2): 4.0, (2, 1): 4.0}),
        ("0 1 {'weight': 2}\n", 2, ((0, 1),), (), {(0, 1): 2.0, (1, 0): 2.0}),
        ("0 1 {}\n", 2, ((0, 1),), (), {}),
        (b"\xef\xbb\xbf0 1\r\n1 2\r\n2 3\r\n3 0\r\n", 4, ((0, 1), (0, 3), (1, 2), (2, 3)), (), {}),
    ],
)
def test_a_list_of_edges(name, case, tmp_path):
    content, nodes, edges, names, found = case
    scenario = opened(tmp_path, name, content)
    assert (scenario.nodes, scenario.edges, scenario.names, delays(scenario)) == (nodes, edges, names, found)


@for_each(ending=["graphml", "gml", "gexf", "net", "adjlist", "edgelist"], mark=[b"", b"\xef\xbb\xbf"])
def test_every_format_keeps_the_names(ending, mark, tmp_path):
    networkx = pytest.importorskip("networkx")
    graph = networkx.Graph([("library", "canteen"), ("canteen", "gym")])
    writer = "pajek" if ending == "net" else ending
    getattr(networkx, f"write_{writer}")(graph, tmp_path / f"campus.{ending}")
    scenario = opened(tmp_path, f"campus.{ending}", mark + (tmp_path / f"campus.{ending}").read_bytes())
    assert (scenario.names, scenario.edges) == (("library", "canteen", "gym"), ((0, 1), (1, 2)))
    assert not scenario.network.links  # Pajek's usual weight of 1 is no latency


@for_each(
    case=[
        ("a.edgelist", "0 1\n1\n", "line 2: expected two nodes and perhaps a delay, got '1'"),
        ("a.edgelist", "0 0\n", "an edge leads from 0 to itself"),
        ("a.edgelist", "0 1 fast\n", "the delay between 0 and 1 is 'fast'; expected a time of at least 0"),
        ("a.edgelist", "0 1 -2\n", "expected a time of at least 0"),
        ("a.edgelist", "0 1 2\n1 0 3\n", "two edges between 1 and 0 have different delays"),
        ("a.edgelist", b"\xff\xfe0\x00", "cannot be read"),
        ("a.graphml", graphml(("Berlin", "Oslo", 1.5), kind="directed"), "the edge from Berlin to Oslo leads one way"),
        ("a.graphml", graphml(("Berlin", "Oslo", -1.0)), "the delay between Berlin and Oslo is -1.0"),
    ]
)
def test_what_cannot_be_used_is_refused(case, tmp_path):
    name, content, words = case
    with pytest.raises(BadInput, match=rf"^demo\.toml: topology\.file: {name}: ") as error:
        opened(tmp_path, name, content)
    assert words in str(error.value)
    assert "\n" not in str(error.value)
