"""A lab: a table or figure of a paper, reproduced by runs of the engine and compared with the printed one."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from enum import Enum
from math import sqrt
from statistics import mean, stdev
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from matplotlib.figure import Figure

Figures = dict[str, Any]  # measured in one run: numbers, and JSON tables and lists of them
Results = Mapping[str, Sequence[Figures]]  # name of a case -> the figures of its runs, in the order of their seeds
Band = tuple[float, float]


class Topic(Enum):
    """What a lab is about, in the order in which labs are listed."""

    LECTURE = "the lecture"
    TEXTBOOKS = "the textbooks"
    REPORT = "the wandering token: report"
    JOURNAL = "the wandering token: journal version"
    BOTH = "the wandering token: both versions"
    MEMO = "adaptive token passing (Memo 440)"
    P2P = "peer-to-peer systems"


@dataclass(frozen=True)
class Case:
    """One experiment of a lab, run once per seed: `measure(seed, **settings)`, a module's function."""

    measure: Callable[..., Figures]
    settings: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class LabRow:
    """One line of a lab's table: a published figure beside the measured one.

    `holds` tells whether the measured figure lies in the band. A row without a band is for comparison: its `holds` is
    False if the paper's figure or sentence does not hold, and the note says why; otherwise it is None.
    """

    name: str
    published: float | str | None
    measured: float
    sd: float | None = None  # of one run; None for a single one
    band: Band | None = None
    holds: bool | None = None
    note: str = ""

    def __post_init__(self) -> None:
        if self.band is not None:
            object.__setattr__(self, "holds", self.band[0] <= self.measured <= self.band[1])


@dataclass(frozen=True)
class Lab:
    """A table or figure of a paper, with its runs, rows and plot.

    `question` is what it measures, in one sentence; `picture` says what its plot shows; `paragraph` says what can be
    reproduced, what cannot, and why. `parameters` are the constants that all its runs share. With `--quick` there are
    fewer runs (`quick_seeds`), but never shorter ones, so the bands for single runs still apply; a band for the mean
    widens as the runs get fewer (`of_mean`, `around_mean`). A lab without randomness has one seed.
    """

    name: str
    title: str
    topic: Topic
    question: str
    picture: str
    source: str
    cases: Mapping[str, Case]
    seeds: int
    quick_seeds: int
    rows: Callable[[Results], list[LabRow]]
    plot: Callable[[Results], Figure]
    paragraph: str
    parameters: Mapping[str, float] = field(default_factory=dict)

    def seeds_of(self, wanted: int | None, quick: bool) -> int:
        """The number of seeds to run: `wanted`, or the lab's own choice."""
        if self.seeds == 1:
            return 1
        return wanted or (self.quick_seeds if quick else self.seeds)


@dataclass(frozen=True)
class LabReport:
    """The result of a lab: its rows, computed from runs with the given number of seeds."""

    lab: Lab
    seeds: int
    rows: tuple[LabRow, ...]

    @property
    def holds(self) -> bool:
        """Whether every row with a band lies in it."""
        return all(row.holds for row in self.rows if row.band is not None)

    def as_json(self) -> dict[str, Any]:
        """The report as one JSON object."""
        return {
            "lab": self.lab.name,
            "title": self.lab.title,
            "question": self.lab.question,
            "source": self.lab.source,
            "seeds": self.seeds,
            "rows": [asdict(row) for row in self.rows],
        }


# ---- rows --------------------------------------------------------------------------------------------------


def row(name: str, samples: Iterable[float], published: float | str | None = None, **more: Any) -> LabRow:
    """A row for a figure measured once per run: its mean and standard deviation."""
    values = list(samples)
    return LabRow(name, published, mean(values), stdev(values) if len(values) > 1 else None, **more)


def around(middle: float, tolerance: float) -> Band:
    """The band middle ± tolerance."""
    return middle - tolerance, middle + tolerance


def within(share: float, middle: float) -> Band:
    """The band middle ± that share of it."""
    return around(middle, share * abs(middle))


def of_mean(middle: float, sd: float, runs: int) -> Band:
    """The band for the mean of `runs` runs with standard deviation `sd`: four standard errors either side."""
    return around(middle, 4 * sd / sqrt(runs))


def around_mean(middle: float, tolerance: float, sd: float, runs: int, meant: int) -> Band:
    """The band middle ± tolerance, meant for the mean of `meant` runs with standard deviation `sd`.

    For fewer runs it is wider, by the increase of four standard errors.
    """
    return around(middle, tolerance + 4 * sd * max(0.0, 1 / sqrt(runs) - 1 / sqrt(meant)))


def up_to(highest: float) -> Band:
    """The band from 0 to `highest`."""
    return 0.0, highest
