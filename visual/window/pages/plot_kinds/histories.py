"""How the histories of a rewriting system grow: the longest one, and the local one that is farthest behind."""

from __future__ import annotations

from algorithms.engine.events import APPLIED, KIND, TERM, TIME
from algorithms.engine.rewrite import CARRIER, system_of
from algorithms.engine.rewrite.rewriting import State, System
from visual.drawing.shapes import Point, Rect, Shape
from visual.window.pages.plot_kinds.chart import DASHES, Axis, Chart, Key
from visual.window.pages.plot_kinds.over_time import reach
from visual.window.panel import View
from visual.window.run_view import RunView

MOST = 2_000  # steps that are looked at, the latest


def fits(run: RunView) -> bool:
    """Whether it is a rewriting system."""
    return system_of(run.simulation.algorithm) is not None


def takes_turns(run: RunView) -> bool:
    """Whether nodes ask and are served, so that there is something to wait for."""
    return not fits(run)


def draw(view: View, region: Rect) -> list[Shape]:
    """Two step functions, one above the other: what lies between them has not been learnt everywhere."""
    run, look, theme, time = view.run, view.look, view.look.theme, view.interface.playback.time
    system = system_of(run.simulation.algorithm)
    if system is None:
        return []
    lengths = lengths_of(run, system)
    bound = run.simulation.processes[CARRIER].history
    keys = (Key("line", "longest", theme.accent), Key("dashes", "shortest local one", theme.ink))
    words = f"now {lengths[-1][1]} and {lengths[-1][2]}"
    axis = Axis(0, max(bound, *(longest for _, longest, _ in lengths)) + 0.5, whole=True)
    chart = Chart(look, region, Axis(0, reach(run, time), "time"), axis, "length of histories", words, keys)
    last = (max(time, lengths[-1][0]), *lengths[-1][1:])
    longest: list[Point] = [(at, float(most)) for at, most, _ in (*lengths, last)]
    shortest: list[Point] = [(at, float(least)) for at, _, least in (*lengths, last)]
    stairs = [*chart.stairs(longest, theme.accent, 2.5), *chart.stairs(shortest, theme.ink, 2.0, DASHES)]
    return [*chart.frame(), *stairs, chart.now(time)]


def lengths_of(run: RunView, system: System) -> list[tuple[float, int, int]]:
    """(time, longest, shortest) after each of the latest steps up to the present one."""
    trace, steps = run.timeline.trace, run.timeline.step
    found = [(0.0, *_extremes(system, system.initial(run.scenario.nodes)))]
    for k in range(max(trace.forgotten, steps - MOST), steps):
        record = trace.step(k)[-1]
        if record[KIND] == APPLIED:
            found.append((record[TIME], *_extremes(system, record[TERM])))
    return found


def _extremes(system: System, term: State) -> tuple[int, int]:
    """How long the longest history of a term is, and the shortest local one."""
    longest = max((len(history) for history in system.histories(term)), default=0)
    parts = dict(zip(system.components, term, strict=True))
    return longest, min((len(history) for _, history in parts["P"]), default=0) if "P" in parts else longest
