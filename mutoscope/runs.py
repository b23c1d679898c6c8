"""Runs: a scenario executed to its end, and its moments, from which it can be made to go on otherwise."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple

from algorithms import catalog, scenario_file, trace_file
from algorithms.authoring import own_file
from algorithms.authoring.failures import guard_timeline
from algorithms.bad_input import BadInput
from algorithms.engine.applications import WANTING
from algorithms.engine.errors import count_words
from algorithms.engine.observe.meters import Meters
from algorithms.engine.observe.monitors import Monitors
from algorithms.engine.observe.summary import summary
from algorithms.engine.observe.verdicts import Verdict
from algorithms.engine.scenario import Event, Scenario
from algorithms.engine.timeline import Timeline
from algorithms.examination.twins import check_repeatable
from algorithms.scenario_format import shorthand
from algorithms.scenario_format.events import read_event
from algorithms.scenario_format.loads import read_node
from algorithms.scenario_format.place import Place
from visual.commands.execution import seek_time

CROPS = ("full", "graph", "spacetime")


def simulate(name: str, *, load: str | Mapping[str, Any] | None = None, **keys: Any) -> SimulatedRun:
    """Run an algorithm, a scenario by its name, or an algorithm in a file ("./mine.py"), until its end.

    `keys` are those of a scenario file: nodes, seed, until, variant, topology, network, parameters, event …, and
    `delay`, the network's. `load` and `delay` may be texts as on the command line: "poisson:0.1", "uniform:0.8,1.2".
    BadInput, one sentence, for a mistake.
    """
    return SimulatedRun(scenario_of(name, load, keys))


def scenario_of(name: str, load: str | Mapping[str, Any] | None, keys: dict[str, Any]) -> Scenario:
    """The scenario that the arguments of `simulate` describe; a file named there may run."""
    if own_file.is_file(name):
        name = own_file.trust(name)
    is_scenario = name in scenario_file.names()
    path = scenario_file.find(name) if is_scenario else None
    tables: dict[str, Any] = scenario_file.read(path) if path else {"format": 1, "algorithm": name}
    if not is_scenario:
        catalog.find(name)
    if load is not None:
        hold = {key: value for key, value in tables.get("load", {}).items() if key == "hold"}
        given = shorthand.load(load, Place("load")) if isinstance(load, str) else dict(load)
        tables["load"] = {**hold, **given}
    if "delay" in keys:
        delay = keys["delay"]
        keys = {key: value for key, value in keys.items() if key != "delay"}
        setting = shorthand.distribution(delay, Place("delay")) if isinstance(delay, str) else delay
        tables["network"] = {**tables.get("network", {}), "delay": setting}
    tables.update({key: value for key, value in keys.items() if value is not None})
    return scenario_file.build(tables, Place(name), path.parent if path else Path())


def load(file: str | Path, *, trust: bool = False) -> SimulatedRun:
    """Run the scenario, or the saved run, in a file until its end; with `trust`, also code of a file that it names."""
    try:
        return SimulatedRun(scenario_file.load(file))
    except own_file.Untrusted as untrusted:
        if not trust:
            raise BadInput(str(untrusted).replace("--trust", "trust=True")) from None
        own_file.trust(untrusted.file)
        return load(file, trust=True)


class SimulatedRun:
    """A scenario executed to its end. A run never changes; `branch` gives another one."""

    def __init__(self, scenario: Scenario, interventions: Iterable[tuple[int, Event]] = ()) -> None:
        self.scenario = scenario
        check_repeatable(scenario)
        self._timeline = catalog.timeline(scenario)
        self._interventions = tuple(interventions)
        for step, event in self._interventions:
            with guard_timeline(self._timeline):
                self._timeline.seek(step)
                self._timeline.act(event)
        seek_time(self._timeline, scenario.until)
        self._end = self._timeline.step

    # ---- what came out -------------------------------------------------------------------------------------

    @cached_property
    def summary(self) -> dict[str, Any]:
        """What `mutoscope run --json` prints."""
        scenario, algorithm = self.scenario, self._timeline.algorithm
        meters, monitors = Meters(scenario, algorithm), Monitors(scenario, algorithm)
        self._go(self._end)
        return summary(self._timeline.simulation, meters, monitors, scenario.until)

    @property
    def counters(self) -> dict[str, Any]:
        """The counters at the end: messages, entries, waiting time …"""
        return {key: value for key, value in self.summary.items() if key != "monitors"}

    @cached_property
    def verdicts(self) -> dict[str, Verdict]:
        """Property -> verdict at the end; `status` is holds, pending, overdue or broken, `detail` a sentence."""
        return self.at(self.scenario.until).verdicts

    @property
    def steps(self) -> int:
        """The number of steps."""
        return self._end

    def trace(self) -> list[dict[str, Any]]:
        """One flat row for each event and each of its effects, in order; pandas takes them as they are.

        The keys are those of `algorithms.trace_file.COLUMNS`; None where a key means nothing.
        """
        return list(trace_file.rows(self._timeline.trace))

    def save(self, file: str | Path) -> None:
        """Write the run as a scenario file that opens again to the same run."""
        scenario_file.save(scenario_file.saved_run(self._timeline), file)

    # ---- moments -------------------------------------------------------------------------------------------

    def at(self, time: float | None = None, *, step: int | None = None) -> MomentOfRun:
        """The moment at a time, after all steps up to it, or after that number of steps."""
        timeline = self._timeline
        steps = min(timeline.trace.steps_until(time), self._end) if time is not None else self._end
        return MomentOfRun(self, steps if step is None else min(step, self._end), time)

    def branch(self, at: float | None = None, *, step: int | None = None) -> MomentOfRun:
        """The moment at which to act otherwise: `run.branch(at=12).act("crash", node=2)`."""
        return self.at(at, step=step)

    def _repr_svg_(self) -> str:
        return self.at(self.scenario.until)._repr_svg_()

    def __repr__(self) -> str:
        variant = f" · {self.scenario.variant}" if self.scenario.variant else ""
        length = f"{count_words(self._end, 'step')} until {self.scenario.until:g}"
        return f"<Run of {self.scenario.algorithm}{variant}: {length}>"

    def _go(self, step: int) -> Timeline:
        with guard_timeline(self._timeline):
            self._timeline.seek(step)
        return self._timeline


class MomentOfRun:
    """A moment of a run: the state of its nodes, its verdicts, its picture, and what could happen instead."""

    def __init__(self, run: SimulatedRun, step: int, time: float | None) -> None:
        self.run, self.step = run, step
        self.time = run._go(step).simulation.now if time is None else time

    def node(self, node: int) -> dict[str, Any]:
        """The variables of a node."""
        return dict(vars(self.run._go(self.step).simulation.processes[self._known(node)]))

    def state(self, node: int) -> str:
        """ "idle", "waiting", "inside", "crashed", "paused" or "absent"."""
        state = self.run._go(self.step).simulation.state_of(self._known(node))
        return "waiting" if state == WANTING else state

    def why(self, node: int) -> list[str]:
        """The reasons why a node waits, as sentences; none if it does not."""
        from visual.narration.waiting import reasons  # pictures and sentences need the visual part

        return [reason.words for reason in reasons(self.run._go(self.step).simulation, self._known(node))]

    def _known(self, node: int) -> int:
        """The number of a node. BadInput if there is no such node."""
        return read_node(node, self.run.scenario.nodes, Place("node"))

    @property
    def caption(self) -> str:
        """The sentence about the latest step."""
        from visual.narration.steps import step_sentence  # as in `why`

        timeline = self.run._go(self.step)
        return step_sentence(timeline, self.step - 1) if self.step else ""

    @property
    def verdicts(self) -> dict[str, Verdict]:
        """Property -> verdict at this moment."""
        timeline = self.run._go(self.step)
        monitors = Monitors(self.run.scenario, timeline.algorithm)
        monitors.advance(timeline.trace)
        if self.step == self.run.steps and timeline.simulation.next_time() is None:
            monitors.finish()
        return monitors.at(self.step, max(self.time, timeline.simulation.now))

    def picture(self, size: tuple[int, int] = (960, 540), theme: str = "light", crop: str = "full") -> NotebookPicture:
        """The picture of this moment; `crop` is "graph", "spacetime" or "full"."""
        from visual.drawing.theme import NAMES  # as in `why`
        from visual.scene.still import Still, still

        for what, given, known in (("theme", theme, NAMES), ("crop", crop, CROPS)):
            if given not in known:
                raise Place(what).unknown(what, given, known)
        look = Still(size=size, theme=theme, crop=crop)  # type: ignore[arg-type]
        return NotebookPicture(still(self.run._go(self.step), self.time, look))

    def act(self, do: str, node: int | None = None, **fields: Any) -> SimulatedRun:
        """The run that follows an intervention here, such as "crash", "lose-token" or "request"; to its end again."""
        scenario, timeline = self.run.scenario, self.run._go(self.step)
        table = {"at": timeline.simulation.now, "do": do, **({} if node is None else {"node": node}), **fields}
        event = read_event(table, timeline.algorithm, scenario.nodes, Place("act"))
        earlier = (intervention for intervention in self.run._interventions if intervention[0] < self.step)
        return SimulatedRun(scenario, (*earlier, (self.step, event)))

    def _repr_svg_(self) -> str:
        return self.picture()._repr_svg_()

    def __repr__(self) -> str:
        return f"<Moment of {self.run.scenario.algorithm}: step {self.step}, time {self.time:g}>"


class NotebookPicture(NamedTuple):
    """A picture that a notebook shows; `save` writes it as SVG or PNG, by the name."""

    shapes: Any

    def _repr_svg_(self) -> str:
        from visual.drawing.export import encode  # as in `why`

        return encode(self.shapes, "svg").decode()

    def save(self, file: str | Path) -> None:
        """Write the picture; .svg, .png or .pdf. BadInput for any other name."""
        from visual.drawing.export import save  # as in `why`

        try:
            save(self.shapes, str(file))
        except ValueError as error:
            raise BadInput(str(error)) from None
