"""The legend: each sign on the screen beside its words."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from math import inf
from typing import NamedTuple, TypeAlias

from algorithms.engine.dispatch import parameters_of
from algorithms.engine.events import MESSAGE
from algorithms.engine.process import ElectionProcess, Message, Process
from algorithms.engine.simulation import Simulation
from algorithms.engine.workload import resource_name
from visual.analysis.overlay_state import on_overlay, overlay_state, routes
from visual.analysis.run_cache import Moment, RunCache
from visual.analysis.tokens import is_spurious, token_precedence
from visual.drawing import fonts, icons
from visual.drawing.picking import all_bounds
from visual.drawing.shapes import LEADING, Box, Circle, Family, Group, Line, Mark, Shape, Text, stacked
from visual.drawing.theme import Theme
from visual.narration.node_facts import FEW, FOLLOWER, GROWN, LEADER, ROLE_WORDS, EdgeEnd, NodeFacts, all_facts, fate_of
from visual.scene.graph.links import SUSPICION
from visual.scene.graph.messages import family_of
from visual.scene.graph.nodes import look_of, ring, tag_box
from visual.scene.graph.run_graph import dash_of, end_mark
from visual.scene.graph.trails import just_lost, kinds_of_traps, timer_arc, trap_mark
from visual.scene.options import CROWD, PLAIN, Options
from visual.scene.overlay.overlay_picture import key_mark
from visual.scene.overlay.paths import MOST, drawn_resources, loose_votes, resource_colour, visible_pointers
from visual.words import message_type, naming, symbol

_DOWN = ("paused", "crashed", "absent")
_MOST_KINDS = 6  # of messages that the legend always explains; of more, those in transit


_ROW, _MARGINS = 1.62, 0.9  # of the card, in ems: from one line to the next, and above and below all
_TIGHT_ROW = 1.3  # … where there are many
_BESIDE_WORDS, _SHORTEST_LINE = 3.6, 8.0  # … for sign and margins beside words, and of words that are broken into lines
_LEAST = 0.97  # of the size of words in a presentation: entries make room rather than become smaller
_MOST_LINES = 3  # of a row, unless more signs are in the picture
_LEAST_SHRUNK = 0.8  # a row of entries that would have to be smaller becomes two lines
_TWO_LINES = 0.72  # the largest text of two lines, of the usual size


class LegendEntry(NamedTuple):
    """One line of the legend: the kind of sign, which one, and its words."""

    sign: str  # state, message, token, leader, belief, suspicion, backlog, held, badge, lost, cut, trap, overlay …
    which: str
    words: str


def legend(
    cache: RunCache, t: float, theme: Theme, options: Options = PLAIN, height: float = inf, width: float = inf
) -> Group:
    """The legend as a card at (0, 0), at most `height` pixels high and `width` wide.

    In a presentation signs that are not in the picture are left out, the last first, where all would be too small.
    """
    least = _LEAST * options.presented
    items = _fitting(cache, t, theme, options, lambda few: _measured(few, theme, options, height, width).size >= least)
    return _card(items, theme, options, height, width)


def lines_of(cache: RunCache, t: float, width: float, theme: Theme, options: Options) -> tuple[Group, float]:
    """The legend in lines around y = 0, in a presentation not too many, and the height for the signs of any moment."""
    size = options.presented
    items = _fitting(cache, t, theme, options, lambda some: len(_filled(tuple(some), width, size)) <= _MOST_LINES)
    full = row(tuple(ordinary(cache, theme, options)), width, theme, options)
    most = inf if options.shrinks else 1.7 * _MOST_LINES * size
    return row(items, width, theme, options), min(all_bounds(full.shapes).h, most)


def _fitting(
    cache: RunCache, t: float, theme: Theme, options: Options, fits: Callable[[Sequence[LegendEntry]], bool]
) -> tuple[LegendEntry, ...]:
    """The entries, in a presentation without the last ones whose signs are not in the picture, until they fit."""
    items = list(entries(cache, t, theme, options))
    if options.presenting:
        absent = [entry for entry in items if not _is_in_picture(entry, cache, options)]
        while absent and items[1:] and not fits(items):
            items.remove(absent.pop())
    return tuple(items)


def _is_in_picture(entry: LegendEntry, cache: RunCache, options: Options) -> bool:
    """Whether the sign of a lasting entry is in the picture now; true of those that last as long as their signs."""
    facts = all_facts(cache, options.selected)
    if entry.sign == "state":
        return any(fact.state == entry.which for fact in facts)
    if entry.sign == "message":
        return any(message_type(type(flying[MESSAGE])) in entry.words for flying in cache.run.queue.between_processes())
    signs = {"belief": "leader_name", "badge": "badge", "halo": "lit"}
    return entry.sign not in signs or any(getattr(fact, signs[entry.sign]) for fact in facts)


def widest(cache: RunCache, theme: Theme, options: Options = PLAIN) -> float:
    """The width of the largest legend that this run can ordinarily have."""
    card = _measured(ordinary(cache, theme, options), theme, options, inf, inf)
    return card.width * card.size + theme.sizes.rule * options.scale


def ordinary(cache: RunCache, theme: Theme, options: Options = PLAIN) -> list[LegendEntry]:
    """The entries of the largest legend that this run can ordinarily have."""
    run = cache.run
    full = [*_lasting(run, theme), LegendEntry("state", "crashed", _state_words("crashed", theme))]
    if run.algorithm.token:
        full.append(LegendEntry("token", "held", _TOKENS["held"]))
    full.append(LegendEntry("lost", "", "lost"))
    if on_overlay(run):
        full += [LegendEntry("overlay", *sign) for sign in _OVERLAY_WORDS.items()]
        full += [LegendEntry("resource", *sign) for sign in _resources(cache, options.selected, widest=True)]
    return full


def entries(cache: RunCache, t: float, theme: Theme, options: Options = PLAIN) -> Iterator[LegendEntry]:
    """The signs of every such run, which are permanent, then those of unusual states, while they last."""
    run, facts = cache.run, all_facts(cache, options.selected)
    lasting = _lasting(run, theme)
    yield from lasting
    states = {fact.state for fact in facts} - {entry.which for entry in lasting if entry.sign == "state"}
    own = sorted(states - {*_DOWN})  # the roles of an author's own election
    yield from (LegendEntry("state", state, _state_words(state, theme)) for state in (*own, *_DOWN) if state in states)
    lost = just_lost(cache, t)
    listed = {entry.words for entry in lasting if entry.sign == "message"}
    kinds = {type(entry[MESSAGE]) for entry in (*run.queue.between_processes(), *lost)}
    others = _of_messages(sorted(kinds, key=lambda kind: _rank(kind, run)), run)
    yield from (entry for entry in others if entry.words not in listed)
    first = cache.get(token_precedence, Moment(run)).first
    if first and any(is_spurious(entry[MESSAGE], first) for entry in run.queue.between_processes()):
        yield LegendEntry("message", "spurious", theme.families["spurious"].word)
    yield from _of_signs(facts)
    yield from _of_badge(run, facts)
    if any(fact.backlog for fact in facts):
        yield LegendEntry("backlog", "", "more requests")
    if any(fact.held for fact in facts) and len(run.processes) <= CROWD:
        yield LegendEntry("held", "", "waits meanwhile")
    if len(run.processes) > FEW:
        laid = kinds_of_traps(run)
        yield from (LegendEntry("trap", kind, words) for kind, words in _TRAPS.items() if kind in laid)
    if on_overlay(run):
        signs = _overlay_signs(cache, options.selected)
        yield from (LegendEntry("overlay", sign, _OVERLAY_WORDS[sign]) for sign in signs)
        yield from (LegendEntry("resource", *sign) for sign in _resources(cache, options.selected))
    if lost:
        yield LegendEntry("lost", "", "lost")
    if run.post.channels.cut:
        yield LegendEntry("cut", "", "cut link")


_TRAPS = {"live": "trap for P3", "stale": "stale trap"}
_TOKENS = {
    "held": "has the token",
    "spurious": "has a spurious token",
    "dead": "took the token with it",
    "lose": "has lost it, unawares",
    "duplicate": "has two, unawares",
}


def _lasting(run: Simulation, theme: Theme) -> list[LegendEntry]:
    """The signs that the legend of a run always explains: states or roles, messages, and the light of a step."""
    is_election, is_crowd = run.algorithm.is_election(), len(run.processes) > CROWD
    states = _roles(run.process_class) if is_election else ("idle", "wanting", "inside")
    signs = [LegendEntry("state", state, _state_words(state, theme)) for state in states]
    signs += _of_messages(run.algorithm.looks, run) if len(run.algorithm.looks) <= _MOST_KINDS else []
    if is_election:
        signs.append(LegendEntry("belief", "", "believes P4 is the leader"))
    signs += [*_of_variables(run)]
    if not is_crowd and any(parameter.timer for parameter in parameters_of(run.process_class).values()):
        signs.append(LegendEntry("timer", "", "timeout: time left"))
    if run.algorithm.badge and not run.algorithm.badge_rest and not is_crowd and not on_overlay(run):
        signs.append(LegendEntry("badge", "7", BADGES.get(run.algorithm.badge, symbol(run.algorithm.badge))))
    return signs if is_crowd else [*signs, LegendEntry("halo", "", "acts in this step")]


def _of_variables(run: Simulation) -> Iterator[LegendEntry]:
    """Pointers, regions and things at the ends of links, in the words of the algorithm's symbols if it has any."""
    algorithm = run.algorithm

    def words(name: str) -> str:
        return algorithm.symbols.get(name, symbol(name))

    yield from (LegendEntry("pointer", look, words(name)) for name, look in algorithm.pointers.items())
    if algorithm.region:
        yield LegendEntry("region", "arc" if algorithm.topology == "ring" else "", words(algorithm.region))
    for kind, (name, marked) in enumerate(algorithm.at_edges.items()):
        yield LegendEntry("end", str(kind), words(name))
        if marked:
            yield LegendEntry("marked end", str(kind), words(marked))


BADGES = {"clock": "Lamport clock", "vote": "has voted for", "state": "state of the ring"}
"""What the variable at a node's corner is, where its name alone does not tell."""


def _roles(process: type[Process]) -> tuple[str, ...]:
    """The roles of an election's processes, in the order in which they come."""
    roles = process.roles if issubclass(process, ElectionProcess) else ()
    return (*(() if "asleep" in roles else ("idle",)), *roles, LEADER, FOLLOWER)


def _of_badge(run: Simulation, facts: list[NodeFacts]) -> Iterator[LegendEntry]:
    if any(fact.badge.endswith(GROWN) for fact in facts):
        yield LegendEntry("badge", "", f"{symbol(run.algorithm.badge or '')} has grown")


def _of_signs(facts: list[NodeFacts]) -> Iterator[LegendEntry]:
    fates = {fate_of(fact) for fact in facts}
    yield from (LegendEntry("token", fate, words) for fate, words in _TOKENS.items() if fate in fates)
    if any(fact.suspects for fact in facts):
        yield LegendEntry("suspicion", "", "suspects a crash")


def _state_words(state: str, theme: Theme) -> str:
    words = {"inside": "critical section", **ROLE_WORDS}
    return words.get(state) or look_of(state, theme).word


def _of_messages(kinds: Iterable[type[Message]], run: Simulation) -> list[LegendEntry]:
    """One entry for each kind of message; in a crowd, without labels, one for all that look the same."""
    if len(run.processes) <= CROWD:
        return [LegendEntry("message", family_of(kind, run), message_type(kind)) for kind in kinds]
    alike: dict[str, list[str]] = {}
    for kind in kinds:
        alike.setdefault(family_of(kind, run), []).append(message_type(kind))
    return [LegendEntry("message", family, ", ".join(types)) for family, types in alike.items()]


def _rank(kind: type[Message], run: Simulation) -> tuple[int, str]:
    looks = list(run.algorithm.looks)
    return (looks.index(kind) if kind in looks else len(looks), kind.__name__)


# ---- drawing -----------------------------------------------------------------------------------------------


class _CardMeasures(NamedTuple):
    size: float  # of the text, as the height allows
    pitch: float  # from one line to the next, in ems
    width: float  # of the card, in ems
    words: list[list[str]]  # of each entry, in lines


def _measured(
    items: Sequence[LegendEntry], theme: Theme, options: Options, height: float, width: float
) -> _CardMeasures:
    """The sizes of a card with these entries in at most that height and width."""
    size = options.presented if options.presenting else theme.sizes.body * options.scale
    beside = _BESIDE_WORDS * size
    room = max(width - beside, _SHORTEST_LINE * size)  # two lines rather than smaller letters
    words = [fonts.wrap(entry.words, room, size) for entry in items]
    natural = beside + max(fonts.width(line, size) for lines in words for line in lines)
    further = sum(len(lines) - 1 for lines in words)
    pitch = _ROW
    if options.presenting:  # … where there are many
        pitch = min(_ROW, max(_TIGHT_ROW, (height / size - _MARGINS - LEADING * further) / len(items)))
    high = pitch * len(items) + LEADING * further + _MARGINS
    return _CardMeasures(min(size, height / high), pitch, natural / size, words)


def _card(
    items: tuple[LegendEntry, ...], theme: Theme, options: Options, height: float = inf, width: float = inf
) -> Group:
    if not items:
        return Group(())
    size, pitch, wide, words = _measured(items, theme, options, height, width)
    size = min(size, width / wide)
    further = sum(len(lines) - 1 for lines in words)
    high = pitch * len(items) + LEADING * further + _MARGINS
    sign, width = 1.5 * size, wide * size
    rule = theme.sizes.rule * options.scale
    card = Box(0, 0, width, high * size, theme.card, theme.rule, rule, theme.sizes.radius * options.scale)
    shapes: list[Shape] = [card]
    y = 0.45 * size
    for entry, lines in zip(items, words, strict=True):
        row = (pitch + LEADING * (len(lines) - 1)) * size
        y += row
        shapes.append(Group(tuple(sign_of(entry, size, theme)), 0.5 * size + sign / 2, y - row / 2))
        shapes += stacked(lines, 0.5 * size + 1.6 * sign, y - row / 2, size, theme.ink)
    return Group(tuple(shapes), key=("legend", items, theme.name, size, pitch, width), id="legend")


Sign: TypeAlias = Callable[[LegendEntry, float, Theme], list[Shape]]
"""Draws the sign of an entry around (0, 0), at a size of text."""


def row(
    items: tuple[LegendEntry, ...], width: float, theme: Theme, options: Options, sign: Sign | None = None
) -> Group:
    """The entries side by side around y = 0, in two lines if there are many, as large as the width allows; in as
    many as they need where text may not shrink. `sign` draws them; by default as in a graph.
    """
    size = options.presented if options.presenting else theme.sizes.body * options.scale
    if options.shrinks:
        lines = [items] if _width_of(items, size) * _LEAST_SHRUNK <= width else _halves(items)
        widest = max(_width_of(line, size) for line in lines)
        size *= min(1.0 if len(lines) == 1 else _TWO_LINES, width / widest) if widest else 1.0
    else:
        lines = _filled(items, width, size)
    shapes: list[Shape] = []
    for place, line in enumerate(lines):
        shapes += _line(line, width, (place - (len(lines) - 1) / 2) * 1.7 * size, size, theme, sign or sign_of)
    return Group(tuple(shapes), id="legend")


def _halves(items: tuple[LegendEntry, ...]) -> list[tuple[LegendEntry, ...]]:
    half = (len(items) + 1) // 2
    return [items[:half], items[half:]]


def _filled(items: tuple[LegendEntry, ...], width: float, size: float) -> list[tuple[LegendEntry, ...]]:
    """The entries in as few lines as have room for them at that size."""
    lines: list[tuple[LegendEntry, ...]] = [()]
    for entry in items:
        if lines[-1] and _width_of((*lines[-1], entry), size) > width:
            lines.append(())
        lines[-1] = (*lines[-1], entry)
    return lines


def _line(items: tuple[LegendEntry, ...], width: float, y: float, size: float, theme: Theme, sign: Sign) -> list[Shape]:
    """The entries side by side, centred in the width."""
    x = (width - _width_of(items, size)) / 2
    shapes: list[Shape] = []
    for entry in items:
        shapes.append(Group(tuple(sign(entry, size, theme)), x + 0.95 * size, y))
        shapes.append(Text(x + 2.1 * size, y, entry.words, size, theme.ink, baseline="middle"))
        x += _cell_width(entry, size)
    return shapes


def _width_of(items: tuple[LegendEntry, ...], size: float) -> float:
    return sum(_cell_width(entry, size) for entry in items)


def _cell_width(entry: LegendEntry, size: float) -> float:
    return 2.8 * size + fonts.width(entry.words, size)


def sign_of(entry: LegendEntry, size: float, theme: Theme) -> list[Shape]:
    """The sign around (0, 0), as it looks in the picture."""
    stroke = size / 7
    if entry.sign == "state":
        look = look_of(entry.which, theme)
        crown = icons.crown((0, -0.62 * size), 0.5 * size, theme, 0.6 * stroke) if entry.which == LEADER else []
        return [*ring(look, (0.36 if look.ring_style == "double" else 0.52) * size, 0.8 * stroke), *crown]
    if entry.sign == "message":
        family: Family = entry.which  # type: ignore[assignment]
        return [Mark(0, 0, family, "", 0.72 * size)]
    if entry.sign == "halo":
        edge = theme.accent if theme.name == "print" else None
        return [
            Circle(0, 0, 0.72 * size, theme.lit_now, edge, stroke / 3),
            *ring(look_of("idle", theme), 0.45 * size, 0.8 * stroke),
        ]
    if entry.sign == "timer":
        return [timer_arc((0.0, 0.0), 0.55 * size, 0.7, theme, 1.6 * stroke)]
    if entry.sign == "badge" and not entry.which:
        return [Text(0, 0, GROWN.strip(), 1.2 * size, theme.ink, "bold", "mono", "middle", "middle")]
    if entry.sign == "held":
        return [Text(0, 0, "+1", 0.9 * size, theme.ink, "bold", "sans", "middle", "middle")]
    if entry.sign in ("backlog", "badge"):
        words = entry.which or "+1"
        em = 0.7 * size if entry.sign == "backlog" else size
        box = Box(*tag_box((0, 0), words, em), theme.card, theme.ink, 0.66 * stroke, 0.2 * size)
        return [box, Text(0, 0, words, em, theme.ink, "bold", "mono", "middle", "middle")]
    if entry.sign == "token":
        return icons.token((0, 0), 0.6 * size, entry.which, theme, stroke)
    if entry.sign == "trap":
        return trap_mark((0, 0), "3", live=entry.which == "live", size=0.85 * size, theme=theme)
    if entry.sign == "overlay":
        return _overlay_sign(entry.which, size, theme)
    if entry.sign == "resource":
        return _resource_mark(entry.which, size, theme)
    if entry.sign in ("pointer", "region", "end", "marked end"):
        return _variable_sign(entry, size, theme)
    if entry.sign == "belief":
        return icons.belief((0.0, 0), "", 0.7 * size, theme)
    if entry.sign == "suspicion":
        return [Text(0, 0, SUSPICION, size, theme.fault_text, "bold", "sans", "middle", "middle")]
    colour = theme.fault if entry.sign == "lost" else theme.edge
    line = Line(-0.6 * size, 0, 0.6 * size, 0, colour, 0.6 * stroke, (stroke, 2 * stroke))
    return [line, *icons.cross((0.5 * size, 0), 0.3 * size, theme.fault, stroke)]


def _variable_sign(entry: LegendEntry, size: float, theme: Theme) -> list[Shape]:
    """The sign of a variable that is drawn: a pointer, a region, or a mark at the end of a link."""
    stroke = size / 7
    if entry.sign == "pointer":
        width = 1.3 * stroke
        return [Line(-0.75 * size, 0, 0.8 * size, 0, theme.ink, width, dash_of(entry.which, width), 0.5 * size)]
    if entry.which == "arc":
        ink = theme.ink if theme.name == "print" else theme.requesters[0]
        return [Line(-0.8 * size, 0, 0.8 * size, 0, ink, 2 * stroke), Circle(0, 0, 0.3 * size, ink)]
    if entry.sign == "region":
        if theme.name == "print":
            return [Circle(0, 0, 0.7 * size, None, theme.ink, stroke, (2 * stroke, stroke))]
        return [Group((Circle(0, 0, 0.75 * size, theme.requesters[0]),), opacity=0.28)]
    thing = EdgeEnd("", 0, entry.sign == "marked end")
    return end_mark(thing, int(entry.which), 0.36 * size, theme, stroke)


# ---- signs of an overlay -----------------------------------------------------------------------------------


_OVERLAY_WORDS = {
    "key": "replica’s key",
    "replica": "replica, vote",
    "waits": "waits there",
    "route": "route",
    "path": "quorum set",
    "vote": "vote won",
    "next": "Next",
    "previous": "Previous",
}
"""Sign -> its words in the legend, in the order in which they stand there."""


def _overlay_signs(cache: RunCache, selected: str) -> list[str]:
    """The signs of the overlay in the present picture, in the legend's order."""
    there = set(_overlay_signs_of(cache, drawn_resources(cache, selected).resources))
    return [sign for sign in _OVERLAY_WORDS if sign in there]


def _overlay_signs_of(cache: RunCache, resources: tuple[int, ...]) -> Iterator[str]:
    state = cache.get(overlay_state, Moment(cache.run)).about(resources)
    yield from ("key", "replica")
    if state.queues:
        yield "waits"
    if state.paths:
        yield "path"
    if loose_votes(state):
        yield "vote"
    if any(entry.following is not None for entry in visible_pointers(state)):
        yield "next"
    if any(entry.previous != entry.node for entry in visible_pointers(state)):
        yield "previous"
    if any(route.resource in resources for route in routes(cache)):
        yield "route"


def _resources(cache: RunCache, selected: str, *, widest: bool = False) -> Iterator[tuple[str, str]]:
    """The numbers and words of the drawn resources, if there are several; if too many, why only these.

    `widest` asks for the widest entries that the run can have, to reserve room for them.
    """
    names, choice = naming(cache.run), drawn_resources(cache, selected)
    count: int = cache.run.processes[0].resources
    if not names.has_several:
        return
    for resource in range(min(MOST, count)) if widest else choice.resources:
        yield str(resource), f"resource {names.resource(resource)}"
    if choice.why:
        yield "", f"{MOST if widest else len(choice.resources)} of {count}: {choice.why}"


def _resource_mark(number: str, size: float, theme: Theme) -> list[Shape]:
    """The mark of a resource around (0, 0); an ellipsis, for the resources not drawn, if it has no number."""
    if not number:
        return [Text(0, 0, "…", size, theme.ink, "bold", "sans", "middle", "middle")]
    colour = resource_colour(int(number), theme)
    letters = Text(0, 0, resource_name(int(number)), 0.7 * size, theme.paper, "bold", "mono", "middle", "middle")
    return [Box(-0.75 * size, -0.55 * size, 1.5 * size, 1.1 * size, colour, radius=0.25 * size), letters]


def _overlay_sign(sign: str, size: float, theme: Theme) -> list[Shape]:
    """A sign of the overlay around (0, 0)."""
    stroke, half = size / 7, 0.75 * size
    colour = theme.requesters[0]
    if sign == "key":
        return [key_mark((0.0, 0.0), theme, size)]
    if sign in ("replica", "waits"):
        fill, ink, edge = (theme.ink, theme.paper, None) if sign == "replica" else (theme.card, theme.ink, theme.edge)
        box = Box(-half, -0.55 * size, 2 * half, 1.1 * size, fill, edge, stroke, 0.25 * size)
        return [
            box,
            Text(0, 0, "R0" if sign == "replica" else "P1", 0.7 * size, ink, "bold", "mono", "middle", "middle"),
        ]
    if sign in ("path", "vote"):
        high = (1.0 if sign == "path" else 0.45) * size
        if theme.name == "print":
            return [Box(-half, -high / 2, 2 * half, high, None, theme.ink, 0.5 * stroke, high / 2)]
        return [Group((Box(-half, -high / 2, 2 * half, high, colour, radius=high / 2),), opacity=0.3)]
    if sign == "route":
        return [Line(-half, 0, half, 0, colour, stroke, arrow=0.5 * size)]
    dash = () if sign == "next" else (0.7 * stroke, 1.3 * stroke)
    return [Line(-half, 0, half, 0, theme.ink, 0.7 * stroke, dash, arrow=0.5 * size)]
