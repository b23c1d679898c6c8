"""The processes with a line in a space-time diagram that has no room for all: those most involved."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from itertools import chain
from operator import itemgetter

from algorithms.engine.events import DELIVER, ENTER, KIND, NODE, REQUEST, SENDER, Record
from algorithms.engine.observe.causes import causal_future, causal_past
from algorithms.engine.simulation import Simulation
from algorithms.engine.trace import Trace
from visual.analysis.overlay_state import on_overlay
from visual.analysis.run_cache import Moment, RunCache
from visual.scene.space_time.diagram import steps_in
from visual.scene.space_time.frame import PLAIN, Plan, Span

MOST = 30  # lines that can be told apart

_WEIGHTS = {REQUEST: 20, ENTER: 40}  # of events at a process; a message sent or received counts 1
_BUSY = {"wanting": 20, "inside": 40}  # of present states, however long they have lasted
_IN_TRANSIT, _LATEST = 10, 12  # of a message's ends; and the number of steps that tell who acted last
_PARTNER, _SELECTED = 1_000, 1_000_000  # of an exchange with the selected process, and of that process itself


def select_processes(
    cache: RunCache, span: Span, selected: str, most: int = MOST, plan: Plan = PLAIN
) -> tuple[int, ...]:
    """At most `most` processes involved in the span or the selection, in id order.

    For a selected event these are the processes of its causes and effects, the nearest first; otherwise the selected
    process and its partners, then those that are inside, wait, enter, ask or exchange messages in the span.
    """
    run, nodes = cache.run, range(len(cache.run.processes))
    if len(nodes) <= (most if on_overlay(run) else MOST):  # on an overlay most nodes only pass on
        return tuple(nodes)
    steps = steps_in(run, span, plan)
    if selected.startswith("event:") and steps and steps[0] <= int(selected[6:]) < len(run.trace):
        ranked = _by_cause(run, int(selected[6:]), steps)
    else:
        ranked = _by_weight(cache, steps, int(selected[5:]) if selected.startswith("node:") else -1)
    others = sorted(set(nodes).difference(ranked))
    return tuple(sorted([*ranked, *others][:most]))


def _by_cause(run: Simulation, step: int, steps: list[int]) -> list[int]:
    """The processes of the event's causes and effects, nearest in steps first."""
    trace = run.trace
    related = causal_past(trace, step, steps[0]).steps | causal_future(trace, step, steps[-1] + 1).steps
    near = sorted(related, key=lambda k: (abs(k - step), k))
    return list(dict.fromkeys(trace.event(k)[NODE] for k in near if trace.event(k)[NODE] >= 0))


def _by_weight(cache: RunCache, steps: list[int], selected: int) -> list[int]:
    """The processes by their weights in these steps, the heaviest first."""
    run = cache.run
    if not steps:  # nothing has happened in the span yet: those who acted last
        steps = list(range(max(run.trace.forgotten, run.steps - _LATEST), run.steps))
    if steps and steps[-1] - steps[0] == len(steps) - 1:
        weights = cache.get(_Tally, run.trace, selected).over(steps[0], steps[-1] + 1).copy()
    else:
        weights = _weights(run.trace, steps, selected)
    if steps and steps[0] < run.steps <= steps[-1] + 1:
        weights.update(cache.get(_busy, Moment(run)))
        weights.update(cache.get(_sending, Moment(run)))
    weights[selected] += _SELECTED
    weights[-1] = 0  # interventions in the run as a whole
    return [node for node, _ in sorted((+weights).items(), key=lambda item: (-item[1], item[0]))]


def _busy(moment: Moment) -> dict[int, int]:
    """The weights of the processes that are inside or waiting."""
    states = {process.id: moment.run.state_of(process.id) for process in moment.run.processes}
    return {node: _BUSY[state] for node, state in states.items() if state in _BUSY}


def _sending(moment: Moment) -> dict[int, int]:
    """The weights of the senders and receivers of messages in transit."""
    entries = moment.run.queue.between_processes()
    return dict.fromkeys({node for entry in entries for node in (entry[SENDER], entry[NODE])}, _IN_TRANSIT)


def _weights(trace: Trace, steps: Iterable[int], selected: int) -> Counter[int]:
    """The weight of each process from the events in these steps."""
    records = list(chain.from_iterable(records for _, records in trace.steps_at(steps)))
    messages = [record for record in records if record[KIND] == DELIVER]
    weights = Counter(map(itemgetter(NODE), messages))  # by far the most frequent events
    weights.update(record[SENDER] for record in messages if record[SENDER] != record[NODE])
    for record in records:
        if record[KIND] != DELIVER:
            weights[record[NODE]] += _WEIGHTS.get(record[KIND], 1) + (_PARTNER if record[NODE] == selected else 0)
    for record in messages:
        if selected in (record[NODE], record[SENDER]):
            weights.update(dict.fromkeys((record[NODE], record[SENDER]), _PARTNER))
    return weights


class _Tally:
    """The weights in a window of the trace, updated as the window moves."""

    def __init__(self, trace: Trace, selected: int) -> None:
        self._trace = trace
        self._selected = selected
        self._begin(0)

    def _begin(self, first: int) -> None:
        self._weights: Counter[int] = Counter()
        self._first = self._after = first
        self._newest: Record | None = None  # the last event that is counted, to see whether the trace was cut

    def over(self, first: int, after: int) -> Counter[int]:
        """The weights in the steps from `first` to before `after`."""
        if not self._first <= first <= self._after <= after or self._is_cut():
            self._begin(first)
        self._weights.subtract(self._counted(self._first, first))
        self._weights.update(self._counted(self._after, after))
        self._first, self._after = first, after
        self._newest = self._trace.event(after - 1)
        return self._weights

    def _counted(self, first: int, after: int) -> Counter[int]:
        return _weights(self._trace, range(first, after), self._selected)

    def _is_cut(self) -> bool:
        return self._newest is not None and self._trace.event(self._after - 1) is not self._newest
