"""The tables of a scenario file as msgspec structs: their keys, types and bounds, and what to call them in an error.

Tables whose keys depend on their `kind` (loads, delays) have a struct for each kind.
"""

from __future__ import annotations

from typing import Annotated, Any

from msgspec import Meta, Struct

FORMAT = 1
MOST_IN_FILE = 100_000
LATEST = 1e9  # the latest time, and the longest duration: beyond, a float tells too few moments apart

Whole = Annotated[int, Meta(ge=-(2**63), le=2**63 - 1, description="a whole number of at most 63 bits")]
Words = Annotated[str, Meta(description="a text")]
Name = Annotated[str, Meta(min_length=1, description="a name")]
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
Groups = Annotated[list[list[int]], Meta(min_length=1, description="a list of lists of nodes, such as [[0, 1], [2]]")]
Durations = Annotated[list[Duration], Meta(description="a list of times above 0, such as [1.0, 2.5]")]
Draws = Annotated[
    list[Annotated[float, Meta(ge=0, lt=1)]], Meta(description="a list of numbers from 0 to below 1, such as [0.25]")
]
Spread = Annotated[
    Any,
    Meta(description=f"a time of at least 0, at most {LATEST:g}, or a table with a kind (fixed, uniform, exponential)"),
]  # read by loads.read_distribution
Edges = Annotated[list[tuple[int, int]], Meta(description="a list of pairs of nodes, such as [[0, 1], [1, 2]]")]
AnyTable = Annotated[dict[str, Any], Meta(description="a table")]
Tables = Annotated[list[dict[str, Any]], Meta(description="a list of tables")]


class Table(Struct):
    """A table of the file."""


class ScenarioTable(Table, kw_only=True):
    """The file as a whole."""

    format: Whole
    title: Words = ""
    notes: Words = ""
    algorithm: Name
    variant: Name | None = None
    nodes: Nodes | None = None  # 5, or as many as the graph of a file has
    members: Members | None = None
    seed: Whole = 1
    until: Duration = 60.0
    patience: Duration | None = None
    topology: Any = None  # a name, or { file = … }
    edges: Edges | None = None
    network: AnyTable = {}
    load: AnyTable = {}
    parameters: AnyTable = {}
    event: Tables = []
    marker: Tables = []
    zone: Tables = []


class BesideTable(Table):
    """[beside], apart from the scenario's keys in it"""

    note: Words = ""
    other_note: Words = ""


class NetworkTable(Table):
    """[network]"""

    delay: Spread = 1.0
    fifo: Flag = True
    loss: Probability = 0.0
    duplicate: Probability = 0.0
    flights: Tables = []


class FlightTable(Table):
    """One of a network's flights."""

    node: Node
    to: Node
    takes: Durations


class EventTable(Table):
    """[[event]]"""

    at: Moment
    do: Name
    node: Node | None = None
    to: Node | None = None
    message: Count | None = None
    resource: Count | None = None
    type: Name | None = None
    timer: Name | None = None
    memory: Flag = True
    delay: Duration | None = None
    groups: Groups = []
    load: AnyTable | None = None
    parameter: Name | None = None
    value: Any = None
    every: Duration | None = None
    draws: Draws = []
    step: Count | None = None
    by_hand: Flag = False


class MarkerTable(Table):
    """[[marker]]"""

    at: Moment
    name: Name


class ZoneTable(Table):
    """[[zone]]"""

    name: Name
    upto: Members | None = None


class GraphFileTable(Table):
    """topology = { file = … }"""

    file: Name


# ---- distributions -----------------------------------------------------------------------------------------


class FixedTable(Table):
    value: Moment


class UniformTable(Table):
    low: Moment
    high: Moment


class ExponentialTable(Table):
    mean: Duration


DISTRIBUTIONS: dict[str, type[Table]] = {
    "fixed": FixedTable,
    "uniform": UniformTable,
    "exponential": ExponentialTable,
}


# ---- loads -------------------------------------------------------------------------------------------------


class NoLoadTable(Table):
    """Nobody asks, except by hand."""

    hold: Spread = 1.0


class RequestTable(Table):
    """One of a script's requests."""

    at: Moment
    node: Node
    resource: Count = 0


class ScriptTable(NoLoadTable):
    requests: Tables = []


class PoissonTable(NoLoadTable, kw_only=True):
    rate: Rate


class ClosedTable(NoLoadTable, kw_only=True):
    think: Duration


class SaturatedTable(NoLoadTable):
    pass


class BurstTable(NoLoadTable, kw_only=True):
    every: Duration
    share: Share = 1.0


class RenewalTable(NoLoadTable, kw_only=True):
    gap: Spread


LOADS: dict[str, type[NoLoadTable]] = {
    "none": NoLoadTable,
    "script": ScriptTable,
    "poisson": PoissonTable,
    "closed": ClosedTable,
    "saturated": SaturatedTable,
    "burst": BurstTable,
    "renewal": RenewalTable,
}
