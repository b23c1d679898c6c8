"""The legend: each sign on the screen beside its words."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from math import inf
from typing import Any, NamedTuple, TypeAlias

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
from visual.drawing.theme import Theme, load
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


_ROW, _MARGINS = 1.62, 0.8  # of the card, in ems: from one line to the next, and above and below all
_TIGHT_ROW = 1.28  # … where there are many
_BESIDE_WORDS = 3.6  # … for sign and margins beside words
_LONGEST_LINE, _SHORTEST_LINE = 13.7, 8.0  # … of words that are broken into lines: in one column, and in several
_MOST_AT_ONCE = 4  # message types for which a presentation has room, of an algorithm with too many to explain them all
_RESERVE = 2  # entries of what is unusual for which those of any moment make room
_LETTERS = 0.96  # the size of letters in a sign, of that of the words
_LINE = 1.7  # from one line of a row to the next, in ems
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

    In a presentation an entry has its place for the whole run, and as many columns as there is room for.
    """
    if not options.presenting:
        return _shrunk(tuple(entries(cache, t, theme, options)), theme, options, height, width)
    plan = cache.get(_plan, cache, theme.name, options, height, width)
    items = _presented((cache,), t, theme, options, lambda some: len(_in_columns(some, plan)) <= plan.columns)
    return _card(_in_columns(items, plan), plan, theme, options)


def lines_of(
    caches: Sequence[RunCache], t: float, width: float, theme: Theme, options: Options, most: int = 3
) -> tuple[Group, float]:
    """The legend of one or two runs in lines around y = 0, in a presentation `most`, and the height for any moment."""
    size, high = options.presented, inf
    items = tuple(dict.fromkeys(entry for cache in caches for entry in entries(cache, t, theme, options)))
    if options.presenting:
        items = _presented(caches, t, theme, options, lambda some: len(_filled(some, width, size)) <= most)
        high = _LINE * most * size
    full = tuple(dict.fromkeys(entry for cache in caches for entry in ordinary(cache, theme, options)))
    return row(items, width, theme, options), min(all_bounds(row(full, width, theme, options).shapes).h, high)


def _presented(
    caches: Sequence[RunCache], t: float, theme: Theme, options: Options, fits: Callable[[Sequence[LegendEntry]], bool]
) -> tuple[LegendEntry, ...]:
    """The entries of a presentation: those of any moment, then what is unusual now.

    Those of any moment are left out from the end until a few unusual ones fit as well: the same ones for the whole run.
    The help explains them all.
    """
    stable = [*dict.fromkeys(entry for cache in caches for entry in _stable(cache, theme))]
    spare = [entry for entry in ordinary(caches[0], theme, options) if entry not in stable][:_RESERVE]
    kept = next((k for k in range(len(stable), 1, -1) if fits([*stable[:k], *spare])), 1)
    now = dict.fromkeys(entry for cache in caches for entry in entries(cache, t, theme, options) if entry not in stable)
    items = [*stable[:kept], *sorted(now, key=lambda entry: entry.sign not in ("resource", "token"))]
    return tuple(items[: next((k for k in range(len(items), 1, -1) if fits(items[:k])), 1)])


def widest(cache: RunCache, theme: Theme, options: Options = PLAIN, height: float = inf, width: float = inf) -> float:
    """The width of the largest legend that this run can ordinarily have, in a presentation within that room."""
    full, size = ordinary(cache, theme, options), theme.sizes.body * options.scale
    words = max(fonts.width(entry.words, size) for entry in full) / size
    plan = _Plan(size, _ROW, words, inf, inf)
    if options.presenting:
        plan = cache.get(_plan, cache, theme.name, options, height, width)
    return plan.columns * (plan.words + _BESIDE_WORDS) * plan.size + theme.sizes.rule * options.scale


def ordinary(cache: RunCache, theme: Theme, options: Options = PLAIN) -> list[LegendEntry]:
    """The entries of the largest legend that this run can ordinarily have."""
    run = cache.run
    full = _stable(cache, theme)
    if on_overlay(run):
        full += [LegendEntry("resource", *sign) for sign in _resources(cache, options.selected, widest=True)]
    full.append(LegendEntry("state", "crashed", _state_words("crashed", theme)))
    full.append(LegendEntry("lost", "", "lost"))
    if options.presenting and len(run.algorithm.looks) > _MOST_KINDS:
        full += _of_messages(list(run.algorithm.looks)[:_MOST_AT_ONCE], run)
    return full


def _stable(cache: RunCache, theme: Theme) -> list[LegendEntry]:
    """The entries that a presentation shows at every moment, whether their signs are in the picture or not."""
    run: Any = cache.run
    held = LegendEntry("token", "held", _TOKENS["held"])
    lasting = [*_lasting(run, theme), *[held] * bool(run.algorithm.token)]
    if not on_overlay(run):
        return lasting
    process = run.process_class
    unused = ("path", "next", "previous") if not process.paths else ("vote",) if process.votes == process.paths else ()
    signs = (sign for sign in _OVERLAY_WORDS.items() if sign[0] not in unused)
    return [*lasting, *(LegendEntry("overlay", *sign) for sign in signs)]


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
    looks = [*run.algorithm.looks, *sorted(kinds - {*run.algorithm.looks}, key=lambda kind: kind.__name__)]
    others = _of_messages((kind for kind in looks if kind in kinds), run)
    yield from (entry for entry in others if entry.words not in listed)
    first = cache.get(token_precedence, Moment(run)).first
    if first and any(is_spurious(entry[MESSAGE], first) for entry in run.queue.between_processes()):
        yield LegendEntry("message", "spurious", theme.families["spurious"].word)
    yield from _of_signs(facts)
    if any(fact.badge.endswith(GROWN) for fact in facts):
        yield LegendEntry("badge", "", f"{symbol(run.algorithm.badge or '')} has grown")
    if any(fact.backlog for fact in facts):
        yield LegendEntry("backlog", "", "more requests")
    if any(fact.held for fact in facts) and len(run.processes) <= CROWD:
        yield LegendEntry("held", "", "waits meanwhile")
    if len(run.processes) > FEW:
        laid = kinds_of_traps(run)
        yield from (LegendEntry("trap", kind, words) for kind, words in _TRAPS.items() if kind in laid)
    if on_overlay(run):
        signs = {*_overlay_signs_of(cache, drawn_resources(cache, options.selected).resources)}
        yield from (LegendEntry("overlay", *sign) for sign in _OVERLAY_WORDS.items() if sign[0] in signs)
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


# ---- drawing -----------------------------------------------------------------------------------------------


class _Plan(NamedTuple):
    """The measures of a card: in a presentation the same at every moment of a run."""

    size: float  # of the text, in pixels
    pitch: float  # from one entry to the next, in ems
    words: float  # the room for the words of a column, in ems: longer ones are broken into lines
    high: float  # the height of the last column, in ems,
    even: float  # … and of those before it
    columns: int = 1


_Column: TypeAlias = list[tuple[LegendEntry, list[str]]]
"""Entries one below the other, each with its words in lines."""


def _plan(cache: RunCache, theme_name: str, options: Options, height: float, width: float) -> _Plan:
    """The measures for all that the run can ordinarily show: as few columns as hold it, as the width allows."""
    full, size, high = ordinary(cache, load(theme_name), options), options.presented, height / options.presented
    shortest = max(_SHORTEST_LINE, *(fonts.width(word, 1e3) / 1e3 for item in full for word in item.words.split()))
    plan = _Plan(size, _TIGHT_ROW, _LONGEST_LINE, high - _MARGINS, high - _MARGINS)
    while True:
        words = min(max(width / plan.columns / size - _BESIDE_WORDS, shortest), _LONGEST_LINE)
        plan = plan._replace(words=words)
        filled = _in_columns(full, plan)
        if len(filled) <= plan.columns or (plan.columns + 1) * (shortest + _BESIDE_WORDS) * size > width:
            break
        plan = plan._replace(columns=plan.columns + 1)
    lower = plan
    while 1 < plan.columns >= len(fuller := _in_columns(full, lower)):
        filled, lower = fuller, lower._replace(high=lower.high - 0.1, even=lower.even - 0.1)
    words = max(fonts.width(line, size) for column in filled for _, lines in column for line in lines) / size
    free = min((plan.high - _high(column, 0)) / len(column) for column in filled)
    pitch = max(min(free, _ROW), _TIGHT_ROW)
    return plan._replace(pitch=pitch, words=words, even=max(_high(column, pitch) for column in filled))


def _in_columns(items: Sequence[LegendEntry], plan: _Plan) -> list[_Column]:
    """The entries in columns as high as planned."""
    columns: list[_Column] = [[]]
    for entry in items:
        longer = [*columns[-1], (entry, fonts.wrap(entry.words, plan.words * plan.size + 0.01, plan.size))]
        high = plan.even if len(columns) < plan.columns else plan.high
        if columns[-1] and _high(longer, plan.pitch) > high + 1e-6:
            columns.append(longer[-1:])
        else:
            columns[-1] = longer
    return columns


def _high(column: _Column, pitch: float) -> float:
    """The height of a column in ems."""
    return sum(pitch + LEADING * (len(lines) - 1) for _, lines in column)


def _shrunk(items: tuple[LegendEntry, ...], theme: Theme, options: Options, height: float, width: float) -> Group:
    """The entries as a card, with long words in lines, and smaller where the room is."""
    size = theme.sizes.body * options.scale
    room = max(width - _BESIDE_WORDS * size, _SHORTEST_LINE * size)
    column = [(entry, fonts.wrap(entry.words, room, size)) for entry in items]
    words = max((fonts.width(line, size) / size for _, lines in column for line in lines), default=0.0)
    high = _high(column, _ROW) + _MARGINS
    plan = _Plan(min(size, height / high, width / (words + _BESIDE_WORDS)), _ROW, words, high, high)
    return _card([column] if items else [], plan, theme, options)


def _card(columns: list[_Column], plan: _Plan, theme: Theme, options: Options) -> Group:
    """The entries in columns on a card; nothing without any."""
    if not columns:
        return Group(())
    size, sign, across = plan.size, 1.5 * plan.size, (plan.words + _BESIDE_WORDS) * plan.size
    high = max(_high(column, plan.pitch) for column in columns) + _MARGINS
    rule, corner = theme.sizes.rule * options.scale, theme.sizes.radius * options.scale
    shapes: list[Shape] = [Box(0, 0, across * len(columns), high * size, theme.card, theme.rule, rule, corner)]
    for place, column in enumerate(columns):
        x, y = place * across + 0.5 * size, _MARGINS / 2 * size
        for entry, lines in column:
            row = _high([(entry, lines)], plan.pitch) * size
            y += row
            shapes.append(Group(tuple(sign_of(entry, size, theme)), x + sign / 2, y - row / 2))
            shapes += stacked(lines, x + 1.6 * sign, y - row / 2, size, theme.ink)
    return Group(tuple(shapes), key=("legend", str(columns), plan, theme.name), id="legend")


Sign: TypeAlias = Callable[[LegendEntry, float, Theme], list[Shape]]
"""Draws the sign of an entry around (0, 0), at a size of text."""


def row(
    items: tuple[LegendEntry, ...], width: float, theme: Theme, options: Options, sign: Sign | None = None
) -> Group:
    """The entries side by side around y = 0, in two lines if there are many, as large as the width allows; in as
    many as they need where text may not shrink. `sign` draws them; by default as in a graph.
    """
    size = options.presented if options.presenting else theme.sizes.body * options.scale
    if options.shrinks and not options.presenting:
        half = len(items) if _width_of(items, size) * _LEAST_SHRUNK <= width else (len(items) + 1) // 2
        lines = [items[:half], items[half:]] if half < len(items) else [items]
        widest = max(_width_of(line, size) for line in lines)
        size *= min(1.0 if len(lines) == 1 else _TWO_LINES, width / widest) if widest else 1.0
    else:
        lines = _filled(items, width, size)
    shapes: list[Shape] = []
    for place, line in enumerate(lines):
        shapes += _line(line, width, (place - (len(lines) - 1) / 2) * _LINE * size, size, theme, sign or sign_of)
    return Group(tuple(shapes), id="legend")


def _filled(items: Sequence[LegendEntry], width: float, size: float) -> list[tuple[LegendEntry, ...]]:
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
        return [Mark(0, 0, family, "", 0.63 * size)]
    if entry.sign == "halo":
        edge = theme.accent if theme.name == "print" else None
        return [
            Circle(0, 0, 0.63 * size, theme.lit_now, edge, stroke / 3),
            *ring(look_of("idle", theme), 0.4 * size, 0.8 * stroke),
        ]
    if entry.sign == "timer":
        return [timer_arc((0.0, 0.0), 0.55 * size, 0.7, theme, 1.6 * stroke)]
    if entry.sign == "badge" and not entry.which:
        return [Text(0, 0, GROWN.strip(), 1.2 * size, theme.ink, "bold", "mono", "middle", "middle")]
    if entry.sign == "held":
        return [Text(0, 0, "+1", size, theme.ink, "bold", "sans", "middle", "middle")]
    if entry.sign in ("backlog", "badge"):
        words = entry.which or "+1"
        box = Box(*tag_box((0, 0), words, size), theme.card, theme.ink, 0.66 * stroke, 0.2 * size)
        return [box, Text(0, 0, words, size, theme.ink, "bold", "mono", "middle", "middle")]
    if entry.sign == "token":
        return icons.token((0, 0), 0.6 * size, entry.which, theme, stroke)
    if entry.sign == "trap":
        return trap_mark((0, 0), "3", live=entry.which == "live", size=_LETTERS * size, theme=theme)
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
    letters = Text(0, 0, resource_name(int(number)), _LETTERS * size, theme.paper, "bold", "mono", "middle", "middle")
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
            Text(0, 0, "R0" if sign == "replica" else "P1", _LETTERS * size, ink, "bold", "mono", "middle", "middle"),
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
