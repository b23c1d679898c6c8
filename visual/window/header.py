"""The bar at the top: algorithm, number of nodes, seed, load and faults."""

from __future__ import annotations

import math

from algorithms.engine.observe.verdicts import BROKEN, NAMES, Verdict
from visual.drawing import fonts
from visual.drawing.icons import icon_shapes
from visual.drawing.shapes import Rect, Shape, Text, stacked
from visual.window import intents, keys
from visual.window.arrangement import regions
from visual.window.intents import Do
from visual.window.panel import Panel, View, ground, level_rule
from visual.window.presenting.questions import hides_future, moment_name
from visual.window.run_view import RunView
from visual.window.widgets import Button, Look, Target, Widget, button_width
from visual.words import load_meaning, load_words

_TWO_LINES = 2.42  # ems: the height of two lines
_TITLE = (0.2, 0.5)  # share of the room for the title, at least, and at most while presenting


def header(view: View) -> Panel:
    """Title and subtitle at the left, violated properties and menus at the right.

    The title gives way to the menus. All of them are in the menu at the end too, including those without room.
    """
    look, region = view.look, view.region
    middle = region.y + region.h / 2
    title, choices, more = _named(view), _choices(view), _more(view)
    widest = region.w - 2 * look.px(16) - look.px(24) - more.box.w
    spare = widest - sum(button.box.w + look.gap for button in choices)
    least, most = (share * widest for share in _TITLE)
    if look.is_narrow:
        least = max(least, min(_folded_width(look, title), widest))
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
    """The violated properties, in place of a column with lights; and their left edge."""
    if regions(view.interface).side.w:
        return Panel(), right
    shapes: list[Shape] = []
    targets: list[Widget] = []
    for run in reversed(view.desk.runs):
        panel, right = alarm(view._replace(run=run), left, right)
        shapes += panel.shapes
        targets += panel.widgets
    return Panel(tuple(shapes), tuple(targets)), right


def _title_width(look: Look, title: str) -> float:
    return fonts.width(title, look.title, weight="bold") + look.px(14 + 12 + 14)


def _folded_width(look: Look, title: str) -> float:
    """The least width at which a title in two lines is whole."""
    words = title.split()
    folds = ((" ".join(words[:k]), " ".join(words[k:])) for k in range(len(words)))
    widths = (max(fonts.width(line, look.least_title, weight="bold") for line in lines) for lines in folds)
    return min(widths) + look.px(14 + 12 + 14)


def _named(view: View) -> str:
    """The lesson's title, or the algorithm's; while presenting without the variant, which the subtitle has."""
    if view.desk.lesson is not None:
        return view.desk.lesson.lesson.title
    return view.run.simulation.algorithm.title if view.look.presenting else view.run.name


def _title(view: View, title: str, left: float, middle: float, room: float) -> Button:
    look, lesson = view.look, view.desk.lesson
    hint = f"{view.run.name}: choose another" if lesson is None else "choose another lesson"
    does = intents.open_menu("algorithm") if lesson is None else intents.open_gallery()
    box = Rect(left, middle - look.target / 2, min(_title_width(look, title), room), look.target)
    return Button("header.algorithm", box, does, title, hint=hint, kind="title")


def _subtitle(view: View, left: float, middle: float, right: float) -> list[Text]:
    """The scenario's title; while presenting, the variant and the moment's name."""
    look = view.look
    moment = moment_name(view.interface, view.desk) if look.presenting else ""
    words = moment or _scenario_words(view)
    if view.desk.lesson is not None:
        words = view.run.name
    elif look.presenting and view.run.scenario.variant:
        words = " · ".join(filter(None, (view.run.scenario.variant, words)))
    size, lines = _fit_subtitle(look, words, right - left, view.region.h)
    if moment and lines != [words]:  # the moment's name is more important than the variant's
        words = moment
        size, lines = _fit_subtitle(look, words, right - left, view.region.h)
    if right - left < look.px(120) or sum(map(len, lines)) < min(len(words), 12):
        return []
    return stacked(lines, left, middle, size, look.theme.muted)


def _scenario_words(view: View) -> str:
    """The scenario's title, which may tell how a run ends, or what its algorithm does."""
    if view.look.presenting and hides_future(view.interface, view.desk):
        return ""
    return view.run.scenario.title or _summary(view.run)


def _summary(run: RunView) -> str:
    """The summary of the algorithm or its variant."""
    algorithm, variant = run.simulation.algorithm, run.scenario.variant
    return algorithm.variants[variant].summary if variant else algorithm.summary


def _fit_subtitle(look: Look, words: str, room: float, height: float) -> tuple[float, list[str]]:
    """The text size and lines of a subtitle: one line if it fits, else two or three smaller ones."""
    size = 21 * look.control * (1.58 if look.presenting else 1.0)
    if look.presenting and not fonts.fits(words, room, size):
        size = min(size, height / _TWO_LINES)
        return size, fonts.lines(words, room, size, 2)
    if fonts.fits(words, room, size):
        return size, [words]
    body, small = look.size("body"), look.size("small")
    if len(fonts.wrap(words, room, body)) <= 2:
        return body, fonts.lines(words, room, body, 2)
    return small, fonts.lines(words, room, small, 3)


def _choices(view: View) -> list[Button]:
    """The menu buttons in order, their boxes with a width only."""
    run, look = view.run, view.look
    if look.presenting:
        return []
    is_lesson = view.desk.lesson is not None
    menus = (
        []
        if is_lesson
        else [
            ("nodes", str(run.scenario.nodes), "number of nodes"),
            ("seed", str(run.scenario.seed), f"another seed  {keys.hint(intents.new_seed())}"),
        ]
    )
    if run.system is None:
        algorithm = run.simulation.algorithm
        load_hint = load_meaning(algorithm) if algorithm.paced_by else "who requests, and how often"
        menus += [] if is_lesson else [("load", load_words(run.simulation), load_hint)]
        menus.append(("faults", "", "crash, drop, lose the token …"))
    buttons: list[Button] = []
    for name, label, hint in menus:
        box = Rect(0, 0, button_width(look, label, name, drops=True), look.target)
        buttons.append(Button(f"header.{name}", box, intents.open_menu(name), label, name, hint=hint, drops=True))
    square, theme = Rect(0, 0, look.target, look.target), view.interface.display.theme
    theme_hint, help_hint = f"theme  {keys.hint(intents.next_theme())}", f"help  {keys.hint(intents.help())}"
    return [
        *buttons,
        *([] if is_lesson else _comparing(view)),
        Button("header.theme", square, intents.next_theme(), icon=theme, hint=theme_hint),
        Button("header.help", square, intents.help(), "?", hint=help_hint),
    ]


_AIMS = {(0, 1): "both", (0,): "left", (1,): "right"}


def _comparing(view: View) -> list[Button]:
    """The buttons that start a comparison, or end it and choose the run to act in."""
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
    square = Rect(0, 0, view.look.target, view.look.target)
    return Button("header.more", square, intents.open_menu("more"), icon="menu", hint="menu: open another, save, show")


def _fitting(buttons: list[Button], room: float, look: Look) -> list[Button]:
    """The first buttons that fit into a row."""
    row: list[Button] = []
    for button in buttons:
        room -= button.box.w + look.gap
        if room < 0:
            break
        row.append(button)
    return row


_SIZE = 33.0  # of the words, in control pixels, which do not grow for presenting
_CROSS = 0.8  # of the size of the words


def alarm(view: View, left: float, right: float) -> tuple[Panel, float]:
    """The violated properties that fit between two places, and their left edge; a click goes there."""
    shapes: list[Shape] = []
    targets: list[Target] = []
    for place, verdict in enumerate(view.run.ledger.verdicts):
        how = f": broken at step {verdict.step}" if verdict.promised else " (not promised): broken"
        side = f"{view.desk.side(view.run)}: " if view.desk.is_pair else ""
        words = f"{side}{NAMES.get(verdict.name, verdict.name)}{how}"
        width = _width(view, words)
        if verdict.status == BROKEN and right - width >= left:
            box = Rect(right - width, view.region.y, width, view.region.h)
            shapes += _alarm_shapes(view, words, box)
            targets.append(_target(view, f"header.broken{side}{place}", verdict, box))
            right = box.x
    return Panel(tuple(shapes), tuple(targets)), right


def _width(view: View, words: str) -> float:
    size = _SIZE * view.look.control
    return fonts.width(words, size, weight="bold") + 2.4 * _CROSS * size + view.look.gap


def _alarm_shapes(view: View, words: str, box: Rect) -> list[Shape]:
    theme, size, middle = view.look.theme, _SIZE * view.look.control, box.y + box.h / 2
    side = _CROSS * size
    cross = icon_shapes("cross", box.x + side, middle, side, theme.fault, theme.chrome)
    return [*cross, Text(box.x + 2 * side, middle, words, size, theme.fault_text, "bold", baseline="middle")]


def _target(view: View, name: str, verdict: Verdict, box: Rect) -> Target:
    side, words = view.look.target, view.desk.named(view.run, verdict.message())
    place = Rect(box.x, box.y + (box.h - side) / 2, box.w - view.look.gap, side)
    return Target(name, place, intents.go_to_breach((verdict.step or 0, words)), words)
