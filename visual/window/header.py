"""The bar at the top: which algorithm runs, how many nodes, which seed and load, what can go wrong."""

from __future__ import annotations

import math

from algorithms.engine.check.properties import NAMES
from algorithms.engine.observe.verdicts import BROKEN, Verdict
from algorithms.engine.rewrite import system_of
from visual.drawing import fonts
from visual.drawing.icons import icon_shapes
from visual.drawing.shapes import Rect, Shape, Text, stacked
from visual.window import intents, keys
from visual.window.arrangement import regions
from visual.window.intents import Do
from visual.window.panel import Panel, View, ground, level_rule
from visual.window.run_view import RunView
from visual.window.widgets import Button, Look, Target, button_width
from visual.words import OFFERED, load_words

_TITLE = (0.2, 0.5)  # of the room: what the title has at least, and while presenting at most


def header(view: View) -> Panel:
    """Title and subtitle at the left, what was broken and the choices at the right.

    The title gives way to the choices. Those that even so find no room are in the menu at the end, as all are.
    """
    look, region = view.look, view.region
    middle = region.y + region.h / 2
    title, choices, more = _named(view), _choices(view), _more(view)
    widest = region.w - 2 * look.px(16) - look.px(24) - more.box.w
    spare = widest - sum(button.box.w + look.gap for button in choices)
    least, most = (share * widest for share in _TITLE)
    name_room = min(_title_width(look, title), most if look.presenting else max(math.floor(spare), least))
    row = [*_fitting(choices, widest - name_room, look), more]
    right = region.x + region.w - look.px(16)
    placed: list[Button] = []
    for button in reversed(row):
        right -= button.box.w
        placed.append(button._replace(box=Rect(right, middle - look.target / 2, button.box.w, look.target)))
        right -= look.gap
    placed.reverse()
    left = region.x + look.px(16)
    room = right - left
    name = _title(view, title, left, middle, min(room, name_room))
    broken, right = _broken(view, left + name.box.w, right)
    subtitle = _subtitle(view, left + name.box.w + look.px(6), middle, right - look.px(8))
    rule = level_rule(look, region.x, region.x + region.w, region.y + region.h)
    return Panel((ground(view), *subtitle, *broken.shapes, rule), (name, *broken.widgets, *placed))


def _broken(view: View, left: float, right: float) -> tuple[Panel, float]:
    """What was broken, where there is no column of panels with the lights; and where it begins."""
    if regions(view.interface).side.w:
        return Panel(), right
    return alarm(view, left, right)


def _title_width(look: Look, title: str) -> float:
    return fonts.width(title, look.title, weight="bold") + look.px(14 + 12 + 14)


def _named(view: View) -> str:
    """What runs; in the large letters of a presentation without the variant, for which the subtitle has more room."""
    return view.run.simulation.algorithm.title if view.look.presenting else view.run.name


def _title(view: View, title: str, left: float, middle: float, room: float) -> Button:
    look, hint = view.look, f"{view.run.name}: choose another"
    box = Rect(left, middle - look.target / 2, min(_title_width(look, title), room), look.target)
    return Button("header.algorithm", box, intents.open_menu("algorithm"), title, hint=hint, kind="title")


def _subtitle(view: View, left: float, middle: float, right: float) -> list[Text]:
    """What is shown; while presenting, the variant and what the scenario calls this moment."""
    look = view.look
    moment = view.desk.marker(view.interface.playback.time) if look.presenting else ""
    words = moment or view.run.scenario.title or _summary(view.run)
    if look.presenting and view.run.scenario.variant:
        words = f"{view.run.scenario.variant} · {words}"
    size, lines = _set(look, words, right - left)
    if right - left < look.px(120) or sum(map(len, lines)) < min(len(words), 12):
        return []
    return stacked(lines, left, middle, size, look.theme.muted)


def _summary(run: RunView) -> str:
    """What the algorithm does, or what its variant does instead."""
    algorithm, variant = run.simulation.algorithm, run.scenario.variant
    return algorithm.variants[variant].summary if variant else algorithm.summary


def _set(look: Look, words: str, room: float) -> tuple[float, list[str]]:
    """A subtitle in one line if it fits, otherwise in two of smaller letters, or three of small ones; its size too."""
    size = 21 * look.control * (1.15 if look.presenting else 1.0)
    if look.presenting or fonts.fits(words, room, size):
        return size, fonts.lines(words, room, size, look.lines)
    body, small = look.size("body"), look.size("small")
    if len(fonts.wrap(words, room, body)) <= 2:
        return body, fonts.lines(words, room, body, 2)
    return small, fonts.lines(words, room, small, 3)


def _choices(view: View) -> list[Button]:
    """The buttons, in order; their boxes only say how wide they are."""
    run, look = view.run, view.look
    if look.presenting:
        return []
    scenario = run.scenario
    load_hint = OFFERED if run.simulation.algorithm.paced_by else "who asks, and how often"
    asked = [] if system_of(run.simulation.algorithm) else ["load", "faults"]  # of a rewriting system nobody asks
    named = [
        ("nodes", str(scenario.nodes), "how many nodes"),
        ("seed", str(scenario.seed), f"another seed  {keys.hint(intents.new_seed())}"),
        ("load", load_words(run.simulation), load_hint),
        ("faults", "", "crash, drop, lose the token …"),
    ]
    buttons = [
        Button(
            f"header.{name}",
            Rect(0, 0, button_width(look, label, name, drops=True), look.target),
            intents.open_menu(name),
            label,
            name,
            hint=hint,
            drops=True,
        )
        for name, label, hint in named
        if name in ("nodes", "seed", *asked)
    ]
    buttons += _comparing(view)
    square = Rect(0, 0, look.target, look.target)
    theme = view.interface.display.theme
    buttons.append(
        Button(
            "header.theme", square, intents.next_theme(), icon=theme, hint=f"theme  {keys.hint(intents.next_theme())}"
        )
    )
    buttons.append(Button("header.help", square, intents.help(), "?", hint=f"help  {keys.hint(intents.help())}"))
    return buttons


_AIMS = {(0, 1): "both", (0,): "left", (1,): "right"}


def _comparing(view: View) -> list[Button]:
    """Put another run beside this one; or end that, and choose in which of the two deeds happen."""
    look = view.look

    def button(name: str, does: Do, label: str, note: str, hint: str) -> Button:
        box = Rect(0, 0, button_width(look, label, note), look.target)
        return Button(f"header.{name}", box, does, label, note, hint=f"{hint}  {keys.hint(does)}")

    if not view.desk.is_pair:
        return [
            button("compare", intents.compare_menu(), "+", "compare", "another run beside this one, on the same clock")
        ]
    return [
        button("aim", intents.next_aim(), _AIMS[view.desk.aim], "acts on", "where what you do happens"),
        button("compare", intents.compare_menu(), "×", "compare", "one run again"),
    ]


def _more(view: View) -> Button:
    look = view.look
    return Button(
        "header.more", Rect(0, 0, look.target, look.target), intents.open_menu("more"), icon="menu", hint="more"
    )


def _fitting(buttons: list[Button], room: float, look: Look) -> list[Button]:
    """As many of the first buttons as fit into a row."""
    row: list[Button] = []
    for button in buttons:
        room -= button.box.w + look.gap
        if room < 0:
            break
        row.append(button)
    return row


_SIZE = 30.0  # of the words, in logical pixels that do not grow for presenting
_CROSS = 0.8  # of the size of the words


def alarm(view: View, left: float, right: float) -> tuple[Panel, float]:
    """What has been broken so far, as far as it fits between those places; a click goes there. And where it begins."""
    shapes: list[Shape] = []
    targets: list[Target] = []
    for place, verdict in enumerate(view.run.ledger.verdicts):
        words = f"{NAMES.get(verdict.name, verdict.name)}: broken at step {verdict.step}"
        width = _width(view, words)
        if verdict.status == BROKEN and right - width >= left:
            box = Rect(right - width, view.region.y, width, view.region.h)
            shapes += _written(view, words, box)
            targets.append(_target(view, f"header.broken{place}", verdict, box))
            right = box.x
    return Panel(tuple(shapes), tuple(targets)), right


def _width(view: View, words: str) -> float:
    size = _SIZE * view.look.control
    return fonts.width(words, size, weight="bold") + 2.4 * _CROSS * size + view.look.gap


def _written(view: View, words: str, box: Rect) -> list[Shape]:
    theme, size, middle = view.look.theme, _SIZE * view.look.control, box.y + box.h / 2
    side = _CROSS * size
    cross = icon_shapes("cross", box.x + side, middle, side, theme.fault, theme.chrome)
    return [*cross, Text(box.x + 2 * side, middle, words, size, theme.fault_text, "bold", baseline="middle")]


def _target(view: View, name: str, verdict: Verdict, box: Rect) -> Target:
    side, told = view.look.target, f"{verdict.name} is {verdict.sentence()}."
    place = Rect(box.x, box.y + (box.h - side) / 2, box.w - view.look.gap, side)
    return Target(name, place, intents.go_to_breach((verdict.step or 0, told)), told)
