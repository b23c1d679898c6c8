"""Orders: what happened before what in a stretch of a run, as the causal past of its events tells.

Any order that respects happened-before is right.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any, NamedTuple

from algorithms.bad_input import BadInput
from algorithms.engine.events import HELD, KIND, LAUNCH, LOST, NODE, Record
from algorithms.engine.observe.causes import causal_past
from algorithms.engine.randomness import Stream, key
from algorithms.engine.scenario import Scenario
from algorithms.engine.timeline import Timeline
from lessons.asking import copies, moments
from lessons.asking.answers import AFTER, BEFORE, CONCURRENT, RELATIONS, Answer, from_json, share_of
from lessons.asking.moments import Condition
from lessons.task import ARRANGE, CHOOSE, TOGGLE, AnswerVerdict, KeyEntry, Task

CLOCKS_ORDER = "M1"  # the misconception that of two events one must have come first
MOST_EVENTS = 14  # of a stretch
MOST_OF_PAST = 10  # so that each has a digit, the last one apart
_DRAWS = 40  # of events to arrange
_MOST_VALUES = 4  # options for one value


class OrderEvent(NamedTuple):
    """An event at a node, by its step, counted from 0."""

    step: int
    node: int
    records: tuple[Record, ...]


class OrderPart(NamedTuple):
    """One question about one or two events: their relation, or a value after one."""

    events: tuple[int, ...]  # places in `OrderKey.events`
    right: Answer
    options: tuple[Answer, ...]
    mistakes: Mapping[Any, str] = {}  # a wrong value -> the mistake that leads to it


@dataclass(frozen=True)
class OrderKey:
    """What is right about a stretch: its events, and by `what` the parts, the past, or the causes to respect."""

    what: str
    step: int  # the number of steps at which it is asked: the end of the stretch, or its beginning if that would tell
    events: tuple[OrderEvent, ...]
    parts: tuple[OrderPart, ...] = ()
    past: frozenset[int] = frozenset()  # places of the events before the last one
    causes: frozenset[tuple[int, int]] = frozenset()  # pairs of places of which the first happened before the second
    start: tuple[int, ...] = ()  # the shuffled order that must be put right

    def right_order(self) -> tuple[int, ...]:
        """One of the right orders: that of the run."""
        return tuple(sorted(self.start))


@dataclass(frozen=True)
class OrderTask(Task):
    """Say what happened before what in a stretch of the run."""

    kind = "order"
    is_graded = is_question = True

    what: str = "pairs"  # or "arrange", "past", "values"
    between: tuple[Condition, ...] = ()  # two moments
    count: int = 3  # of pairs, of events to arrange, or of values
    variable: str = ""

    def finish(self, run: Timeline) -> None:
        copies.seek(run, _stretch(run, self)[0].step)

    def key(self, run: Timeline, scenarios: Mapping[str, Scenario], instance: int) -> KeyEntry:
        key = order_key(run, self, instance)
        return KeyEntry(key.step, key, evidence=tuple(event.step for event in key.events))

    def misconceptions(self, scenario: Scenario) -> set[str]:
        return {CLOCKS_ORDER}

    def way(self, right: OrderKey) -> str:
        return CHOOSE if right.parts else TOGGLE if right.what == "past" else ARRANGE

    def parts(self, right: OrderKey) -> Sequence[OrderPart]:
        return right.parts

    def options(self, entry: KeyEntry, instance: int) -> Sequence[int]:
        key: OrderKey = entry.right
        return range(len(key.events) - 1) if key.what == "past" else key.start

    def solution(self, right: OrderKey) -> Any:
        return right.past if right.what == "past" else right.right_order()

    def from_json(self, entry: KeyEntry, part: OrderPart | None, value: Any) -> Any:
        if part is not None:
            return from_json(part.right.kind, value)
        places = places_in(value, len(entry.right.events))
        return frozenset(places) if entry.right.what == "past" else places

    def verdict(self, entry: KeyEntry, part: OrderPart | None, given: Any) -> AnswerVerdict:
        """The verdict on a relation, a value, a past or an order of events."""
        key: OrderKey = entry.right
        if part is not None:
            return _part_verdict(part, given)
        if key.what == "past":
            return AnswerVerdict(share_of(key.past, given), given, key.past)
        early = violations(key.causes, given)
        fault = ("early", *early[0]) if early else ()
        return AnswerVerdict(share_of_order(key, given), given, key.right_order(), fault=fault)


def _part_verdict(part: OrderPart, given: Answer) -> AnswerVerdict:
    is_right = given == part.right
    shows = CLOCKS_ORDER if part.right.value == CONCURRENT and not is_right else ""
    mistake = part.mistakes.get(given.value) if given.kind == "value" and isinstance(given.value, int) else None
    if given.kind == "relation" and not is_right:
        mistake = "apart" if part.right.value == CONCURRENT else "linked"
    fault = ("mistake", mistake) if mistake else ()
    return AnswerVerdict(float(is_right), given, part.right, misconception=shows, fault=fault)


def places_in(value: Any, count: int) -> tuple[int, ...]:
    """Different places below `count`, as a file of answers gives them. ValueError if they are none."""
    if not isinstance(value, list) or not set(value) <= set(range(count)) or len(set(value)) != len(value):
        raise ValueError(f"a list of different places from 0 to {count - 1}")
    return tuple(value)


def order_key(at: Timeline, task: OrderTask, instance: int) -> OrderKey:
    """The key of an order. BadInput, with the place, if the stretch does not have what is asked for."""
    run, events = _stretch(at, task)
    causes = _causes(run, events)
    stream = Stream(key(instance, "order", task.id))
    return _MAKERS[task.what](task, run, events, causes, stream)


def _stretch(at: Timeline, task: OrderTask) -> tuple[Timeline, tuple[OrderEvent, ...]]:
    run = copies.copy_of(at) if task.at else copies.beginning_of(at)
    bounds = []
    for place, moment in enumerate(task.between):
        if not moments.seek(run, moment):
            raise task.place.at("between").at(place).wrong(f"nothing of the kind happens before {run.scenario.until:g}")
        bounds.append(run.step)
    found = (OrderEvent(step, run.trace.step(step)[0][NODE], tuple(run.trace.step(step))) for step in range(*bounds))
    events = tuple(one for one in found if one.records[0][KIND] not in (LAUNCH, LOST, HELD) and one.node >= 0)
    if len(events) > MOST_EVENTS:
        raise task.place.at("between").expected(f"at most {MOST_EVENTS} events", len(events))
    return run, events


def _causes(run: Timeline, events: Sequence[OrderEvent]) -> frozenset[tuple[int, int]]:
    found = set()
    for later, event in enumerate(events):
        past = causal_past(run.trace, event.step, run.trace.forgotten).steps
        found |= {(earlier, later) for earlier in range(later) if events[earlier].step in past}
    return frozenset(found)


def relation(causes: frozenset[tuple[int, int]], one: int, other: int) -> Answer:
    """Whether one event happened before the other, after it, or neither."""
    name = BEFORE if (one, other) in causes else AFTER if (other, one) in causes else CONCURRENT
    return Answer("relation", name)


# ---- the four forms ----------------------------------------------------------------------------------------


def _pairs(task: OrderTask, run: Timeline, events: Any, causes: frozenset[tuple[int, int]], stream: Stream) -> OrderKey:
    """Pairs of which about half are concurrent; the first of a pair is as often the later one."""
    pairs = [pair for pair in combinations(range(len(events)), 2) if events[pair[0]].node != events[pair[1]].node]
    ordered, apart = [p for p in pairs if p in causes], [p for p in pairs if p not in causes]
    if len(pairs) < task.count or not ordered or not apart:
        raise _too_few(task, events, "pairs of which some are ordered and some are not")
    concurrent = min(len(apart), max(1, (task.count + 1) // 2, task.count - len(ordered)))
    drawn = [*draw(apart, concurrent, stream), *draw(ordered, task.count - concurrent, stream)]
    options = tuple(Answer("relation", name) for name in RELATIONS)
    parts = []
    for pair in draw(drawn, len(drawn), stream):
        one, other = pair if stream.random() < 0.5 else pair[::-1]
        parts.append(OrderPart((one, other), relation(causes, one, other), options))
    return OrderKey(task.what, run.step, events, tuple(parts), causes=causes)


def _arrange(
    task: OrderTask, run: Timeline, events: Any, causes: frozenset[tuple[int, int]], stream: Stream
) -> OrderKey:
    """The events to arrange: of those drawn the ones that are related most across nodes."""
    if len(events) < task.count:
        raise _too_few(task, events, "events to arrange")
    drawn = [sorted(draw(range(len(events)), task.count, stream)) for _ in range(_DRAWS)]
    across = {pair for pair in causes if events[pair[0]].node != events[pair[1]].node}
    chosen = max(drawn, key=lambda places: sum(pair in across for pair in combinations(places, 2)))
    kept = tuple(events[place] for place in chosen)
    related = _causes(run, kept)
    if not related:
        raise _too_few(task, events, "events of which one causes another")
    start = shuffled_until(lambda order: 2 * len(violations(related, order)) >= len(related), len(kept), stream)
    return OrderKey(task.what, events[0].step, kept, causes=related, start=start)


def _past(task: OrderTask, run: Timeline, events: Any, causes: frozenset[tuple[int, int]], stream: Stream) -> OrderKey:
    last = len(events) - 1
    past = frozenset(one for one, other in causes if other == last)
    if not 2 <= last < MOST_OF_PAST or not past or len(past) == last:
        raise _too_few(task, events, f"3 to {MOST_OF_PAST} events of which some have no influence on the last")
    return OrderKey(task.what, run.step, events, past=past, causes=causes)


def _values(
    task: OrderTask, run: Timeline, events: Any, causes: frozenset[tuple[int, int]], stream: Stream
) -> OrderKey:
    if len(events) < task.count:
        raise _too_few(task, events, "values")
    end = run.step
    after = [_value(run, event, event.step + 1, task.variable) for event in events]
    before = [_value(run, event, event.step, task.variable) for event in events]
    parts = []
    for place in sorted(draw(range(len(events)), task.count, stream)):
        mistakes = _mistakes(before[place], after[place], place + 1)
        others = [value for value in after if value != after[place]]
        values = list({repr(value): value for value in (after[place], *mistakes, *others)}.values())[:_MOST_VALUES]
        options = tuple(Answer("value", value) for value in sorted(values, key=_sort_key))
        parts.append(OrderPart((place,), Answer("value", after[place]), options, mistakes))
    return OrderKey(task.what, end, events, tuple(parts), causes=causes)


def _value(run: Timeline, event: OrderEvent, step: int, variable: str) -> Any:
    copies.seek(run, step)
    return moments.plain(getattr(run.simulation.processes[event.node], variable, None))


def _mistakes(before: Any, after: Any, wall: int) -> dict[Any, str]:
    """The values that a clock has after the usual mistakes, where they are others."""
    if not all(isinstance(value, int) and not isinstance(value, bool) for value in (before, after)):
        return {}
    found = {wall: "wall clock"}
    if after > before + 1:
        found |= {after - 1: "no step", before + 1: "no maximum"}
    if after == before:
        found[before + 1] = "no change"
    else:
        found[before] = "a change"
    return {value: name for value, name in found.items() if value != after}


def _sort_key(value: Any) -> tuple[str, Any]:
    return ("", value) if isinstance(value, int | float) else (repr(value), 0)


def _too_few(task: OrderTask, events: Sequence[OrderEvent], what: str) -> BadInput:
    number = f"{task.count} " if task.what != "past" else ""
    return task.place.at("between").wrong(f"{len(events)} events are not enough for {number}{what}")


_Maker = Callable[[OrderTask, Timeline, Any, frozenset[tuple[int, int]], Stream], OrderKey]
_MAKERS: dict[str, _Maker] = {"pairs": _pairs, "arrange": _arrange, "past": _past, "values": _values}
FORMS = tuple(_MAKERS)


# ---- drawing, and what is wrong with an order --------------------------------------------------------------


def draw(items: Sequence[Any], count: int, stream: Stream) -> list[Any]:
    """That number of the items, in the order in which they are drawn."""
    rest, drawn = list(items), list[Any]()
    while rest and len(drawn) < count:
        item = stream.choice(rest)
        rest.remove(item)
        drawn.append(item)
    return drawn


def shuffled_until(is_wanted: Callable[[tuple[int, ...]], bool], count: int, stream: Stream) -> tuple[int, ...]:
    """An order of that number of places, drawn until it is as wanted; after many draws, the last one."""
    order: tuple[int, ...] = ()
    for _ in range(_DRAWS):
        order = tuple(draw(range(count), count, stream))
        if is_wanted(order):
            break
    return order


def violations(causes: frozenset[tuple[int, int]], order: Sequence[int]) -> list[tuple[int, int]]:
    """The pairs (event, cause) in which the event stands before its cause, in the order given."""
    later = ((event, cause) for place, event in enumerate(order) for cause in order[place + 1 :])
    return [(event, cause) for event, cause in later if (cause, event) in causes]


def share_of_order(key: OrderKey, order: Sequence[int]) -> float:
    """The share of the causal pairs that stand in order."""
    return 1 - len(violations(key.causes, order)) / len(key.causes) if key.causes else 1.0
