"""The comparison of two runs on one clock: joining, switching and parting them, its menu, and its panel."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from itertools import zip_longest
from pathlib import Path
from typing import NamedTuple

from algorithms import catalog, scenario_file
from algorithms.authoring import own_file
from algorithms.engine.branches import Branch
from algorithms.engine.observe.meters import Counters
from algorithms.engine.observe.verdicts import BROKEN, NAMES, OVERDUE, PENDING, Verdict
from algorithms.engine.process import Algorithm
from algorithms.engine.rewrite import system_of
from algorithms.engine.scenario import Event, Scenario
from algorithms.scenario_format.beside import Beside
from visual.drawing import fonts
from visual.drawing.shapes import Colour, Shape, Text
from visual.window import intents
from visual.window.action_table import handles, perform
from visual.window.arrangement import short_names
from visual.window.desk import AIMS, Desk
from visual.window.intents import Do, Rival
from visual.window.menus import Entry, Menu
from visual.window.pages.run import formula_numbers
from visual.window.panel import Panel, View, heading, level_rule
from visual.window.playback import playing
from visual.window.run_actions import OF_ONE_RUN
from visual.window.run_view import RunView
from visual.window.side import COMPARED_LINE
from visual.window.state import Interface, Selection
from visual.window.widgets import Look

_LEFT_AT, _RIGHT_AT = 0.52, 0.8  # right edges of the columns of both runs, in widths; the difference ends at 1
_TIGHTEST = 0.9  # minimum line height, in usual ones
MINUS = "−"
DIFFERENCE = f"right {MINUS} left"
_BOLD: fonts.Weight = "bold"
_PLAIN: fonts.Weight = "normal"


class Value(NamedTuple):
    """A cell of the table, with its number if the difference of two such numbers has a meaning."""

    words: str
    number: float | None = None
    colour: str = "ink"  # the name of a colour of the theme


class Row(NamedTuple):
    """A line of the table: a measure, with its values in the left run and the right one."""

    words: str
    left: Value
    right: Value
    strong: bool = False
    unit: str = ""  # of the difference

    @property
    def difference(self) -> str:
        """The right value minus the left one, in words; "" if they cannot be subtracted."""
        if self.left.number is None or self.right.number is None:
            return ""
        more = self.right.number - self.left.number
        if abs(more) < 0.05:
            return "="
        exact = float(self.left.number).is_integer() and float(self.right.number).is_integer()
        return f"{'+' if more > 0 else MINUS}{abs(more):,.{0 if exact else 1}f}{self.unit}"


def comparison(view: View) -> Panel:
    """The table, with as many lines as fit."""
    look, region = view.look, view.region
    table, (heads, below) = list(rows(view.desk, view.interface.playback.time)), _heads(view)
    room = region.y + region.h - below
    line = max(min(look.px(COMPARED_LINE), room / len(table)), _TIGHTEST * look.px(COMPARED_LINE))
    shapes: list[Shape] = [*heads, level_rule(look, region.x, region.x + region.w, below)]
    for place, row in enumerate(table[: int(room / line + 0.01)]):
        shapes += _row_shapes(view, row, below + (place + 0.5) * line)
    return Panel(tuple(shapes))


def _heads(view: View) -> tuple[list[Shape], float]:
    """The heads of the columns, in one or two lines; and the y coordinate below them."""
    look, region = view.look, view.region
    size, step = look.size("small"), 1.2 * look.size("small")
    room = region.w * (_RIGHT_AT - _LEFT_AT) - look.gap
    names = [_two_lines(name, room, size) for name in short_names(view.desk)]
    names.append(_two_lines(DIFFERENCE, region.w * (1 - _RIGHT_AT) - look.gap, size))
    height = max(look.px(COMPARED_LINE), max(map(len, names)) * step + 0.4 * size)
    last = region.y + height - look.px(COMPARED_LINE) / 2
    shapes: list[Shape] = [heading(look, region.x, last, "compared")]
    inks = (look.theme.ink, look.theme.ink, look.theme.muted)
    for lines, at, ink in zip(names, (_LEFT_AT, _RIGHT_AT, 1.0), inks, strict=True):
        x = region.x + region.w * at
        for above, words in enumerate(reversed(lines)):
            shapes.append(Text(x, last - above * step, words, size, ink, _BOLD, anchor="end", baseline="middle"))
    return shapes, region.y + height


def _two_lines(words: str, room: float, size: float) -> list[str]:
    """Bold words in at most two lines, broken at spaces and hyphens; the second line is shortened to fit."""
    lines = [line.replace("- ", "-") for line in fonts.wrap(words.replace("-", "- "), room, size, weight=_BOLD)]
    return [*lines[:1], fonts.shorten(" ".join(lines[1:]), room, size, weight=_BOLD)] if lines[1:] else lines


def _row_shapes(view: View, row: Row, middle: float) -> list[Shape]:
    look, region = view.look, view.region
    size = look.px(18)
    weight = _BOLD if row.strong else _PLAIN
    room = region.w * (_RIGHT_AT - _LEFT_AT) - look.gap
    names = region.w * _LEFT_AT - min(fonts.width(row.left.words, look.px(18), "mono", "bold"), room) - look.gap
    return [
        Text(
            region.x,
            middle,
            fonts.shorten(row.words, names, size, weight=weight),
            size,
            look.theme.ink,
            weight,
            baseline="middle",
        ),
        _cell(look, region.x + region.w * _LEFT_AT, middle, row.left, room),
        _cell(look, region.x + region.w * _RIGHT_AT, middle, row.right, room),
        _cell(look, region.x + region.w, middle, Value(row.difference), region.w * (1 - _RIGHT_AT) - look.gap),
    ]


def _cell(look: Look, right: float, middle: float, value: Value, room: float) -> Text:
    ink: Colour = getattr(look.theme, value.colour)
    size = fonts.shrink(value.words, room, look.px(18), look.px(12), "mono", "bold")
    words = fonts.shorten(value.words, room, size, "mono", "bold")
    return Text(right, middle, words, size, ink, "bold", "mono", "end", "middle")


# ---- rows --------------------------------------------------------------------------------------


def rows(desk: Desk, time: float | None = None) -> Iterable[Row]:
    """The lines for the two runs at a time (default: of the last steps): verdicts, then costs, times and shares."""
    left, right = desk.runs
    yield from _verdict_rows(left, right)
    counted = [run.ledger.counters(time) for run in (left, right)]
    if left.system and right.system:
        applied = [sum(c.rules.values()) for c in counted]
        yield _row("rules applied", [(f"{number:,}", number) for number in applied], strong=True)
        return
    yield _row("messages", [(f"{c.messages:,}", c.messages) for c in counted])
    if all(c.elections is not None for c in counted):
        yield from _election_rows(counted)
        return
    yield _row("per entry", [(_number(c.per_entry), c.per_entry) for c in counted], strong=True)
    yield _textbook_row(left, right)
    yield _row("entries", [(f"{c.entries:,}", c.entries) for c in counted])
    yield _row("waiting time", [(_number(c.waiting_time.mean), c.waiting_time.mean) for c in counted])
    yield _row("longest wait", [(_number(c.waiting_time.max), c.waiting_time.max) for c in counted])
    yield _row("synchronization delay", [(_number(s.mean), s.mean) for s in (c.synchronisation_delay for c in counted)])
    yield _row("time in use", [_share_in_use(c) for c in counted], unit=" %")
    yield _row("fairness (Jain)", [("–" if c.fairness is None else f"{c.fairness:.2f}", None) for c in counted])
    if any(c.tokens is not None for c in counted):
        yield _row("tokens alive", [("–" if c.tokens is None else str(c.tokens), c.tokens) for c in counted])


def _election_rows(counted: list[Counters]) -> Iterable[Row]:
    done = [c.elections for c in counted if c.elections is not None]
    costs = [e.messages_per_election for e in done]
    yield _row("per election", [(_number(cost), cost) for cost in costs], strong=True)
    yield _row("elections over", [(f"{e.finished:,}", e.finished) for e in done])
    yield _row("time per election", [(_number(e.turnaround.mean), e.turnaround.mean) for e in done])


def _row(words: str, cells: list[tuple[str, float | None]], *, strong: bool = False, unit: str = "") -> Row:
    left, right = cells
    return Row(words, Value(*left), Value(*right), strong, unit)


def _number(value: float | None) -> str:
    return "–" if value is None else f"{value:,.1f}"


def _textbook_row(left: RunView, right: RunView) -> Row:
    """The textbook's messages per entry of both."""
    formulas = [formula_numbers(run.scenario, run.simulation.algorithm) or "–" for run in (left, right)]
    return Row("textbook", Value(formulas[0], colour="muted"), Value(formulas[1], colour="muted"))


def _share_in_use(counted: Counters) -> tuple[str, float | None]:
    """The percentage of time in which the critical section was occupied, with its words."""
    whole = sum(counted.concurrency.values())
    if not whole:
        return "–", None
    share = round(100 * (1 - counted.concurrency.get(0, 0.0) / whole))
    return f"{share} %", share


def _verdict_rows(left: RunView, right: RunView) -> Iterable[Row]:
    """The verdicts of the monitors; a dash where only the other run has that monitor."""
    verdicts = [{verdict.name: verdict for verdict in run.ledger.verdicts} for run in (left, right)]
    names = dict.fromkeys(name for pair in zip_longest(*verdicts) for name in pair if name is not None)
    for name in names:
        yield Row(NAMES.get(name, name), _verdict(verdicts[0].get(name)), _verdict(verdicts[1].get(name)))


def _verdict(verdict: Verdict | None) -> Value:
    if verdict is None:
        return Value("–", colour="muted")
    if verdict.status == BROKEN:
        return Value(f"✕ step {verdict.step}" if verdict.promised else "✕ no promise", colour="fault_text")
    if verdict.status in (PENDING, OVERDUE):
        return Value(f"{len(verdict.nodes) or 'none'} {verdict.status}", colour="pending_text")
    return Value("✓ holds", colour="ok_text") if verdict.promised else Value("✓ no promise", colour="muted")


_OF_THE_WORKLOAD = ("load", "request", "join", "leave")  # events that are not faults
_AIMS = {(0, 1): "in both runs", (0,): "in the left run only", (1,): "in the right run only"}


# ---- rivals ----------------------------------------------------------------------------------


def another_algorithm(run: RunView, name: str, variant: str | None = None) -> Rival:
    """Another algorithm or variant, with the same seed, load, network, faults and interventions."""
    present, algorithm = run.scenario, catalog.find(name)
    is_same = name == present.algorithm
    planned = [event for event in present.events if event.step is None]
    by_hand = [replace(event, step=None) for event in run.timeline.branch.interventions]
    events = (
        *(event for event in planned if is_same or _fits(event, algorithm)),
        *(event for event in by_hand if _fits(event, algorithm)),
    )
    base = present if is_same else replace(present, parameters={}, topology=None, edges=None)
    return Rival(replace(base, algorithm=name, variant=variant, events=events, title=""))


def _fits(event: Event, algorithm: Algorithm) -> bool:
    """Whether the event means the same in a run of another algorithm."""
    if event.do in (*OF_ONE_RUN, "tune") or event.acts is not None:  # a parameter or messages of one algorithm
        return False
    return algorithm.token is not None or "token" not in event.do


def without_faults(run: RunView) -> Rival:
    """The same scenario without faults, losses and interventions by hand."""
    scenario = run.scenario
    events = tuple(event for event in scenario.events if event.do in _OF_THE_WORKLOAD and event.step is None)
    links = tuple(replace(own, loss=None, duplicate=None) for own in scenario.network.links)
    network = replace(scenario.network, loss=0.0, duplicate=0.0, links=links)
    return Rival(replace(scenario, events=events, network=network), "without faults", "with faults")


def without_interventions(run: RunView) -> Rival:
    """The same scenario without interventions by hand."""
    return Rival(run.scenario, "untouched", "with what you did")


def branch(run: RunView, other: Branch) -> Rival:
    """Another branch of the same run."""
    planned = tuple(event for event in run.scenario.events if event.step is None)
    scenario = replace(run.scenario, events=(*planned, *other.interventions))
    return Rival(scenario, other.name, run.timeline.branch.name)


def from_file(name: str) -> Rival:
    """The scenario of that name or path. BadInput if there is none."""
    path = scenario_file.find(name)
    return Rival(scenario_file.load(path), path=path)


def load_pair(path: Path) -> tuple[Scenario, Rival | None]:
    """The scenario in a file, and the rival that was saved with it. BadInput if unreadable."""
    scenario, beside = scenario_file.load_pair(path)
    return scenario, Rival(*beside) if beside else None


def saved_rival(path: Path) -> Rival | None:
    """The rival that was saved with a scenario; None if there is none. BadInput if unreadable."""
    return load_pair(path)[1]


def pair_of(desk: Desk) -> tuple[Scenario, Beside | None]:
    """The left run with its interventions, and the right one with the notes on both, in the form to save."""
    left, *others = desk.runs
    beside = [Beside(_saved(run), run.note, left.note) for run in others]
    return _saved(left), beside[0] if beside else None


def _saved(run: RunView) -> Scenario:
    """The run with its interventions, and with the markers that a person has added."""
    return replace(scenario_file.saved_run(run.timeline), markers=run.scenario.markers)


def find_rival(run: RunView, name: str) -> Rival:
    """The rival that a person has named: an algorithm, a scenario or a path. BadInput if there is none."""
    name = own_file.trust(name) if own_file.is_file(name) else name
    if name not in scenario_file.names() and catalog.is_known(name):
        return another_algorithm(run, name)
    return from_file(name)


def rival_of(scenario: Scenario, name: str) -> Rival:
    """The rival of that name for a run of the scenario. BadInput if there is none or it cannot be run."""
    rival = find_rival(RunView(scenario), name)
    catalog.timeline(rival.scenario)
    return rival


def has_faults(run: RunView) -> bool:
    """Whether the run differs from the one without its faults."""
    return without_faults(run).scenario != run.scenario


def has_interventions(run: RunView) -> bool:
    """Whether a person has intervened."""
    return any(event.by_hand for event in run.timeline.branch.interventions)


# ---- side by side ------------------------------------------------------------------------------------------


def join(desk: Desk, rival: Rival) -> None:
    """Add a run of the rival at the right, not yet launched."""
    desk.join(RunView(rival.scenario, rival.path), rival.note, rival.other_note)


@handles(intents.compare)
def compare(interface: Interface, desk: Desk, rival: Rival) -> Interface:
    """Show a run of the rival beside the present one, at the same time. BadInput if it cannot be run."""
    desk.front.check_gate()
    join(desk, rival)
    return playing.seek(interface.paused(), desk, interface.playback.time)


@handles(intents.compare_typed)
def compare_typed(interface: Interface, desk: Desk, name: str) -> Interface:
    """Compare with the scenario, file or algorithm of that name. BadInput if there is none."""
    return compare(interface, desk, find_rival(desk.front, name.strip()))


@handles(intents.compare_menu)
def compare_menu(interface: Interface, desk: Desk, value: None) -> Interface:
    """Open the menu of rivals; or end the comparison and continue with the left run."""
    if not desk.is_pair:
        return perform(interface, desk, intents.open_menu("compare"))
    return end_comparison(interface, desk)


def end_comparison(interface: Interface, desk: Desk) -> Interface:
    """Continue with the left run alone."""
    desk.part()
    interface = replace(interface, selection=_node_in(desk.front, interface))
    return playing.seek(interface, desk, interface.playback.time)


_ONE_RUN = "Only one run is open. Press A to compare it with another."


@handles(intents.other_run)
def other_run(interface: Interface, desk: Desk, value: None) -> Interface:
    """Show the other run in the panels."""
    if not desk.is_pair:
        return interface.say(_ONE_RUN)
    return look_at(interface, desk, 1 - desk.place)


@handles(intents.bring_to_front)
def look_at(interface: Interface, desk: Desk, place: int) -> Interface:
    """Show the run at that place in the panels."""
    if desk.place == place:
        return interface
    desk.place = place
    return playing.refresh(replace(interface, selection=_node_in(desk.front, interface)), desk)


def _node_in(run: RunView, interface: Interface) -> Selection | None:
    """The selection if it is a node of this run, otherwise None."""
    return interface.selection if interface.node is not None and interface.node < run.scenario.nodes else None


@handles(intents.next_aim)
def next_aim(interface: Interface, desk: Desk, value: None) -> Interface:
    """Apply interventions to the next of: both runs, the left one, the right one."""
    if not desk.is_pair:
        return interface.say(_ONE_RUN)
    desk.aim = AIMS[(AIMS.index(desk.aim) + 1) % len(AIMS)]
    return interface.say(f"Actions apply {_AIMS[desk.aim]}.")


_WORDS = "compare with"


def rival_menu(desk: Desk, chosen: str) -> Menu:
    """The menu of rivals; once "algorithm" or "file" is chosen, the menu for which one."""
    if chosen == "algorithm":
        return Menu(f"{_WORDS} another algorithm or variant", tuple(_algorithms(desk.front)))
    if chosen == "file":
        return Menu(
            f"{_WORDS} a scenario or file", tuple(_scenarios(desk.front)), "my-scenario.toml", intents.compare_typed
        )
    return Menu(_WORDS, tuple(_first_entries(desk.front)))


def _first_entries(run: RunView) -> list[Entry]:
    entries = [
        Entry("another algorithm or variant …", intents.open_menu("compare:algorithm"), "same seed, load and faults")
    ]
    if has_faults(run):
        entries.append(Entry("the same without its faults", intents.compare(without_faults(run))))
    if has_interventions(run):
        entries.append(Entry("the same without your interventions", intents.compare(without_interventions(run))))
    entries += [
        Entry(f"the branch “{name}”", intents.compare(branch(run, other)))
        for name, other in run.timeline.branches.items()
        if other is not run.timeline.branch
    ]
    return [*entries, Entry("a scenario or file …", intents.open_menu("compare:file"))]


def _algorithms(run: RunView) -> list[Entry]:
    """The variants of the present algorithm, then the other algorithms of its family."""
    present, scenario = run.simulation.algorithm, run.scenario
    others = [
        Entry(algorithm.title, _beside(run, algorithm.name), algorithm.summary)
        for algorithm in _relatives(run)
        if algorithm.name != scenario.algorithm
    ]
    own = [
        Entry(f"… {name or 'as published'}", _beside(run, scenario.algorithm, name), note)
        for name, note in ((None, present.summary), *((n, v.summary) for n, v in present.variants.items()))
        if name != scenario.variant
    ]
    return [*([Entry(present.title), *own, Entry("others of this family")] if own else []), *others]


def _beside(run: RunView, name: str, variant: str | None = None) -> Do:
    return intents.compare(another_algorithm(run, name, variant))


def _relatives(run: RunView) -> list[Algorithm]:
    """The family of the run's algorithm, in the order of titles; for one in a file, the first family of its kind."""
    families, present = catalog.by_family().values(), run.simulation.algorithm
    is_file = own_file.is_file(run.scenario.algorithm)
    alike = (one for one in families for algorithm in one if _kind(algorithm) == _kind(present))
    own = (one for one in families if any(algorithm.name == run.scenario.algorithm for algorithm in one))
    return sorted(next(alike if is_file else own), key=lambda algorithm: algorithm.title)


def _kind(algorithm: Algorithm) -> tuple[bool, bool]:
    """Whether processes elect, and whether they follow the rules of a rewriting system."""
    return algorithm.is_election(), system_of(algorithm) is not None


def _scenarios(run: RunView) -> list[Entry]:
    return [Entry(name, intents.compare_typed(name)) for name in scenario_file.names()]
