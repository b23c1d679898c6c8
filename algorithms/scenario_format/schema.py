"""The keys of each table of a scenario file: type, bounds, and the words for them in an error message.

Which fields a value has, and their defaults, is declared once, by the engine's dataclasses. `KEYS` adds what a file
needs to know about them, and gives the order in which they are written.
"""

from __future__ import annotations

from typing import Annotated, Any

from msgspec import Meta

from algorithms.engine.randomness import Distribution, Exponential, Fixed, Uniform
from algorithms.engine.scenario import Event, Flight, LinkSettings, Marker, Network, NodeAct, Scenario, Zone
from algorithms.engine.workload import Burst, Closed, Load, Poisson, Renewal, Request, Saturated, Script

FORMAT = 1
OF_FILE = ("format", "digest")  # keys of a scenario's file that are no fields of the scenario
MOST_IN_FILE = 100_000
LATEST = 1e9  # the latest time and the longest duration: beyond, floats are too coarse

Whole = Annotated[int, Meta(ge=-(2**63), le=2**63 - 1, description="a whole number of at most 63 bits")]
Words = Annotated[str, Meta(description="a text")]
Name = Annotated[str, Meta(min_length=1, description="a name")]
Names = Annotated[tuple[str, ...], Meta(description='a list of texts, such as ["Berlin", "Oslo"]')]
Liveness = Annotated[str, Meta(pattern="^(ME2|E2|fair liveness)$", description="ME2, E2 or fair liveness")]
Flag = Annotated[bool, Meta(description="true or false")]
Moment = Annotated[float, Meta(ge=0, le=LATEST, description=f"a time of at least 0, at most {LATEST:g}")]
Duration = Annotated[float, Meta(gt=0, le=LATEST, description=f"a time above 0, at most {LATEST:g}")]
Probability = Annotated[float, Meta(ge=0, le=1, description="a probability from 0 to 1")]
Share = Annotated[float, Meta(ge=1e-4, le=1, description="a share from 0.0001 to 1")]
Rate = Annotated[float, Meta(ge=0, le=1e6, description="a rate from 0 to 1000000 per unit of time")]
Count = Annotated[int, Meta(ge=0, description="a whole number of at least 0")]
Nodes = Annotated[int, Meta(ge=2, le=MOST_IN_FILE, description=f"a number of nodes from 2 to {MOST_IN_FILE}")]
Members = Annotated[int, Meta(ge=1, le=MOST_IN_FILE, description=f"a number of nodes from 1 to {MOST_IN_FILE}")]
Node = Annotated[int, Meta(description="the number of a node")]
Groups = Annotated[
    tuple[tuple[int, ...], ...], Meta(min_length=1, description="a list of lists of nodes, such as [[0, 1], [2]]")
]
Durations = Annotated[tuple[Duration, ...], Meta(description="a list of times above 0, such as [1.0, 2.5]")]
Draws = Annotated[
    tuple[Annotated[float, Meta(ge=0, lt=1)], ...],
    Meta(description="a list of numbers from 0 to below 1, such as [0.25]"),
]
Spread = Annotated[
    Any,
    Meta(description=f"a time of at least 0, at most {LATEST:g}, or a table with a kind (fixed, uniform, exponential)"),
]  # read by loads.read_distribution
Edges = Annotated[list[tuple[int, int]], Meta(description="a list of pairs of nodes, such as [[0, 1], [1, 2]]")]
Topology = Annotated[Any, Meta(description="a topology")]  # a name, or { file = … }
Setting = Annotated[Any, Meta(description="a value")]  # of a parameter, which knows its type
AnyTable = Annotated[dict[str, Any], Meta(description="a table")]
LoadTable = Annotated[dict[str, Any], Meta(description='a table such as { kind = "closed", think = 5.0 }')]
Tables = Annotated[list[dict[str, Any]], Meta(description="a list of tables")]
Acts = Annotated[
    list[dict[str, Any]], Meta(description='a list of acts, such as [{ do = "send", type = "Reply", to = 2 }]')
]
Deed = Annotated[str, Meta(pattern="^(send|enter)$", description="send or enter")]
Values = Annotated[dict[str, Any], Meta(description="a table with the fields of the message")]

KEYS: dict[type, dict[str, Any]] = {
    Scenario: {
        "format": Whole,
        "title": Words,
        "notes": Words,
        "speaker": Words,
        "algorithm": Name,
        "digest": Words,
        "variant": Name,
        "nodes": Nodes,
        "names": Names,
        "members": Members,
        "seed": Whole,
        "until": Duration,
        "patience": Duration,
        "shows": Liveness,
        "topology": Topology,
        "edges": Edges,
        "network": AnyTable,
        "load": LoadTable,
        "parameters": AnyTable,
        "event": Tables,
        "marker": Tables,
        "zone": Tables,
    },
    Network: {
        "delay": Spread,
        "fifo": Flag,
        "loss": Probability,
        "duplicate": Probability,
        "links": Tables,
        "flights": Tables,
    },
    LinkSettings: {
        "node": Node,
        "to": Node,
        "delay": Spread,
        "loss": Probability,
        "duplicate": Probability,
        "both": Flag,
    },
    Flight: {"node": Node, "to": Node, "takes": Durations},
    Event: {
        "at": Moment,
        "do": Name,
        "node": Node,
        "to": Node,
        "message": Count,
        "resource": Count,
        "type": Name,
        "timer": Name,
        "memory": Flag,
        "delay": Duration,
        "groups": Groups,
        "both": Flag,
        "load": LoadTable,
        "parameter": Name,
        "value": Setting,
        "every": Duration,
        "draws": Draws,
        "acts": Acts,
        "step": Count,
        "by_hand": Flag,
    },
    NodeAct: {"do": Deed, "type": Name, "to": Node, "fields": Values},
    Marker: {"at": Moment, "name": Name, "question": Words, "answer": Words, "notes": Words},
    Zone: {"name": Name, "upto": Members},
    Load: {"hold": Spread},
    Script: {"hold": Spread, "requests": Tables},
    Poisson: {"hold": Spread, "rate": Rate},
    Closed: {"hold": Spread, "think": Duration},
    Saturated: {"hold": Spread},
    Burst: {"hold": Spread, "every": Duration, "share": Share},
    Renewal: {"hold": Spread, "gap": Spread},
    Request: {"at": Moment, "node": Node, "resource": Count},
    Fixed: {"value": Moment},
    Uniform: {"low": Moment, "high": Moment},
    Exponential: {"mean": Duration},
}

DISTRIBUTIONS: dict[str, type[Distribution]] = {"fixed": Fixed, "uniform": Uniform, "exponential": Exponential}

_FIELDS = {"event": "events", "marker": "markers", "zone": "zones"}  # one [[event]] each


def field_of(key: str) -> str:
    """The field of a dataclass for a key of the file."""
    return _FIELDS.get(key, key)
