"""The widgets, drawn as shapes: what can be pressed, dragged or typed into.

A widget is a plain value, made from the interface and without state of its own. Its id begins with the name of its
panel and a dot.
"""

from dataclasses import dataclass
from typing import Literal, NamedTuple, TypeAlias

from visual.drawing import fonts
from visual.drawing.icons import icon_shapes
from visual.drawing.picking import contains
from visual.drawing.shapes import Box, Circle, Colour, Fill, Line, Pattern, Rect, Shape, Text, stacked
from visual.drawing.theme import Theme
from visual.window.intents import Do, Intent

TARGET = 44.0  # pixels: the smallest side of a click target
DENSE_TARGET = 24.0  # in dense lists

Kind: TypeAlias = Literal["plain", "primary", "quiet", "title", "entry"]


@dataclass(frozen=True)
class Look:
    """Colours and sizes: `unit` pixels per logical pixel of the 1920x1080 design.

    Buttons and the space around them use `control` pixels, which do not grow for presenting as text does.
    """

    theme: Theme
    unit: float
    control: float
    is_narrow: bool = False  # as a phone held upright
    has_keys: bool = True

    @property
    def presenting(self) -> bool:
        """Whether text is enlarged for presenting."""
        return self.unit > self.control

    @property
    def sentence(self) -> float:
        """The text size of the sentence at the bottom."""
        return 25 * self.control * (1.55 if self.presenting else 1.0)

    @property
    def lines(self) -> int:
        """The maximal number of lines of the sentence."""
        return 2 if self.presenting or self.is_narrow else 1

    @property
    def sentence_room(self) -> float:
        """The height for the sentence in the bar at the bottom."""
        return self.sentence * (2.3 if self.lines > 1 else 1.45)

    def px(self, logical: float) -> float:
        """A length in logical pixels, in pixels."""
        return logical * self.unit

    def bar(self, logical: float) -> float:
        """A length or text size in the bar at the bottom, which grows less for presenting."""
        return logical * self.control * (1.25 if self.presenting else 1.0)

    @property
    def target(self) -> float:
        """The side of a click target, in pixels."""
        return max(TARGET, self.theme.sizes.target * self.control)

    @property
    def title(self) -> float:
        """The text size of the algorithm's name."""
        return self.theme.sizes.title * self.control * (1.4 if self.presenting else 1.0)

    @property
    def least_title(self) -> float:
        """The smallest text size of a long name, still legible in the last row."""
        return self.title * (0.92 if self.presenting else 0.75)

    @property
    def button(self) -> float:
        """The height of the buttons of the transport bar."""
        return max(TARGET, 52 * self.control)

    @property
    def dense(self) -> float:
        """The height of a line in a dense list."""
        return max(DENSE_TARGET, 34 * self.unit)

    @property
    def gap(self) -> float:
        return self.theme.sizes.gap * self.unit

    @property
    def radius(self) -> float:
        return self.theme.sizes.radius * self.unit

    @property
    def rule(self) -> float:
        return max(1.0, self.theme.sizes.rule * self.unit)

    def size(self, name: str) -> float:
        """A text size of the theme in pixels."""
        return float(getattr(self.theme.sizes, name)) * self.unit


class Touch(NamedTuple):
    """Which widgets the pointer and the keyboard are on."""

    hover: str = ""
    pressed: str = ""
    focus: str = ""


class Button(NamedTuple):
    """A button. `caption` stands in small letters before the label; `on` is the state of a toggle."""

    id: str
    box: Rect
    does: Do
    label: str = ""
    caption: str = ""
    icon: str = ""
    hint: str = ""  # its description
    kind: Kind = "plain"
    on: bool = False
    drops: bool = False  # opens a menu, with a small triangle
    align: Literal["start", "middle"] = "middle"
    tab: float = 0.0  # in a line of a menu: the x of its note, from the left
    is_off: bool = False  # cannot be used now; a press says why
    size: float = 20.0  # of the label, in logical pixels


class Slider(NamedTuple):
    """A slider of a value from 0 to 1, which `slides` receives."""

    id: str
    box: Rect
    value: float
    slides: Intent[float]
    hint: str = ""
    ready: float = 0.0  # the share of the track that is drawn darker, as executed
    words: str = ""  # the value in words


class TextField(NamedTuple):
    """A line of text; `caret` is -1 while it is not being edited."""

    id: str
    box: Rect
    text: str
    caret: int = -1
    marked: bool = False  # typing replaces everything
    hint: str = ""


class Scroller(NamedTuple):
    """An area with higher content, scrolled by the wheel, with a bar at its right edge."""

    id: str
    box: Rect
    content: float  # height in pixels
    offset: float


class Target(NamedTuple):
    """An invisible area to click. A `dense` one, a line of a list, may be low; `on` is the open one of several.

    `name` is of its texts the one that tells what it is, also where that is out of sight.
    """

    id: str
    box: Rect
    does: Do
    hint: str = ""
    dense: bool = False
    on: bool = False
    name: str = ""


Widget: TypeAlias = Button | Slider | TextField | Scroller | Target


def widget_at(widgets: tuple[Widget, ...], x: float, y: float) -> Widget | None:
    """The topmost widget under the pointer; a scroller only if there is no other."""
    hits = [w for w in widgets if contains(w.box, x, y)]
    return next((w for w in reversed(hits) if not isinstance(w, Scroller)), hits[-1] if hits else None)


def can_focus(widget: Widget) -> bool:
    """Whether Tab stops at it: sliders have keys of their own, and scrollers follow the focus."""
    return isinstance(widget, Button | TextField | Target)


def share_at(slider: Slider, x: float) -> float:
    """The value of a slider with the pointer at x."""
    return min(max((x - slider.box.x) / slider.box.w, 0.0), 1.0) if slider.box.w else 0.0


# ---- drawing -----------------------------------------------------------------------------------------------


def draw(widget: Widget, look: Look, touch: Touch) -> tuple[Shape, ...]:
    """The widget as shapes."""
    match widget:
        case Button():
            return _button(widget, look, touch)
        case Slider():
            return _slider(widget, look, touch)
        case TextField():
            return _text_field(widget, look, touch)
        case Scroller():
            return _scroller(widget, look)
        case Target():
            return _target(widget, look, touch)


def _button(button: Button, look: Look, touch: Touch) -> tuple[Shape, ...]:
    theme, box = look.theme, button.box
    fill, stroke, ink = _button_colours(button, theme)
    is_lit = touch.hover == button.id or (button.kind == "entry" and touch.focus == button.id)
    if is_lit and not _is_solid(button):
        fill = theme.lit_now if touch.pressed == button.id else theme.lit
        stroke = theme.accent if button.kind != "entry" else None
    if theme.lit == theme.paper and is_lit and stroke is None:
        stroke = theme.ink
    shapes: list[Shape] = []
    if fill or stroke:
        shapes.append(
            Box(*box, fill, stroke, look.rule * (2 if is_lit else 1), look.radius if button.kind != "entry" else 0)
        )
    shapes += _button_content(button, look, ink)
    return (*shapes, *(_ring(box, look) if touch.focus == button.id and button.kind != "entry" else ()))


def _is_solid(button: Button) -> bool:
    """Whether it is filled with the accent, even under the pointer, since its text is light."""
    return button.kind == "primary" or (button.on and button.kind == "plain")


def _button_colours(button: Button, theme: Theme) -> tuple[Colour | None, Colour | None, Colour]:
    if _is_solid(button):
        return theme.accent, theme.ink, theme.on_accent
    if button.kind in ("quiet", "title", "entry"):
        return None, None, theme.ink
    if button.is_off:
        return theme.chrome, theme.edge, theme.muted
    return theme.card, theme.ink, theme.ink


def _button_content(button: Button, look: Look, ink: Colour) -> list[Shape]:
    x, y, w, h = button.box
    middle = y + h / 2
    size, pad = look.size("body"), look.px(14)
    if button.kind == "title":
        return _title_content(button, look, ink)
    if button.kind == "entry":
        return _entry_content(button, look, ink)
    if button.icon:
        side = min(look.px(26), 0.55 * min(w, h))
        return icon_shapes(button.icon, x + w / 2, middle, side, ink, look.theme.card)
    shapes: list[Shape] = []
    left, right = x + pad, x + w - pad
    if button.drops:
        shapes += icon_shapes("down", right - look.px(5), middle + look.px(1), look.px(11), ink, look.theme.card)
        right -= look.px(18)
    if button.caption:
        shapes.append(Text(left, middle, button.caption, look.size("body"), look.theme.muted, baseline="middle"))
        if button.label:
            shapes.append(Text(right, middle, button.label, look.px(20), ink, "bold", anchor="end", baseline="middle"))
        return shapes
    if button.align == "start":
        return [*shapes, Text(left, middle, button.label, size, ink, baseline="middle")]
    return [
        *shapes,
        Text(
            (left + right) / 2,
            middle,
            button.label,
            look.px(button.size),
            ink,
            "bold",
            anchor="middle",
            baseline="middle",
        ),
    ]


def _title_content(button: Button, look: Look, ink: Colour) -> list[Shape]:
    """A large label, in two lines if it is too long for one, and the triangle of a menu."""
    x, y, w, h = button.box
    middle, left, room = y + h / 2, x + look.px(10), w - look.px(38)
    size = fonts.shrink(button.label, room, look.title, min(look.least_title, 0.5 * h), weight="bold")
    lines = fonts.lines(button.label, room, size, 2, weight="bold")
    at = left + max(fonts.width(line, size, weight="bold") for line in lines) + look.px(14)
    return [
        *stacked(lines, left, middle, size, ink, "bold"),
        *icon_shapes("down", at, middle + look.px(2), look.px(12), ink, look.theme.card),
    ]


def _entry_content(button: Button, look: Look, ink: Colour) -> list[Shape]:
    """A line of a menu: a tick if it is the present choice, the label, and a note."""
    x, y, _, h = button.box
    middle, size = y + h / 2, look.size("body")
    shapes: list[Shape] = []
    if button.on:
        shapes += icon_shapes("tick", x + look.px(18), middle, look.px(13), ink, look.theme.card)
    weight: fonts.Weight = "bold" if button.on else "normal"
    shapes.append(Text(x + look.px(34), middle, button.label, size, ink, weight, baseline="middle"))
    if button.caption:
        small, muted = look.size("small"), look.theme.muted
        shapes.append(Text(x + button.tab, middle, button.caption, small, muted, baseline="middle"))
    return shapes


def button_width(look: Look, label: str = "", caption: str = "", drops: bool = False) -> float:
    """The width of a button with that content."""
    width = 2 * look.px(14) + (look.px(18) if drops else 0.0)
    width += fonts.width(caption, look.size("body")) + (look.px(14) if caption and label else 0.0)
    return max(width + fonts.width(label, look.px(20), weight="bold"), look.target)


def _slider(slider: Slider, look: Look, touch: Touch) -> tuple[Shape, ...]:
    theme = look.theme
    x, y, w, h = slider.box
    middle, thick = y + h / 2, look.px(10)
    at = x + w * slider.value
    knob = look.px(14 if slider.id in (touch.hover, touch.pressed) else 12)
    outline = theme.ink if theme.track == theme.paper else None
    shapes: list[Shape] = [Box(x, middle - thick / 2, w, thick, theme.track, outline, look.rule, thick / 2)]
    if slider.ready > slider.value:
        ready: Fill = Pattern("hatch", theme.ink, theme.paper, look.px(6)) if outline else theme.edge
        shapes.append(Box(x, middle - thick / 2, w * slider.ready, thick, ready, outline, look.rule, thick / 2))
    if slider.value > 0:
        shapes.append(Box(x, middle - thick / 2, max(w * slider.value, thick), thick, theme.accent, None, 0, thick / 2))
    return (*shapes, Circle(at, middle, knob, theme.card, theme.accent, look.px(3)))


def _text_field(field: TextField, look: Look, touch: Touch) -> tuple[Shape, ...]:
    theme, (x, y, w, h) = look.theme, field.box
    size, pad, middle = look.px(20), look.px(12), y + h / 2
    editing = field.caret >= 0
    room = w - 2 * pad
    text = fonts.shorten(field.text, room, size, weight="bold")
    stroke, width = (theme.accent, 2 * look.rule) if editing else (theme.ink, look.rule)
    shapes: list[Shape] = [Box(x, y, w, h, theme.card, stroke, width, look.radius)]
    if editing and field.marked and text:
        wide = fonts.width(text, size, weight="bold")
        shapes.append(Box(x + pad - 2, middle - 0.62 * size, wide + 4, 1.24 * size, theme.lit_now, None, 0))
    shapes.append(Text(x + pad, middle, text, size, theme.ink, "bold", baseline="middle"))
    if editing:
        at = x + pad + min(fonts.width(field.text[: field.caret], size, weight="bold"), room)
        shapes.append(Line(at, middle - 0.7 * size, at, middle + 0.7 * size, theme.accent, look.px(2)))
    return (*shapes, *(_ring(field.box, look) if touch.focus == field.id else ()))


def _scroller(scroller: Scroller, look: Look) -> tuple[Shape, ...]:
    x, y, w, h = scroller.box
    if scroller.content <= h:
        return ()
    thick = look.px(6)
    long = max(h * h / scroller.content, look.px(24))
    at = y + (h - long) * min(scroller.offset / (scroller.content - h), 1.0)
    return (Box(x + w - thick - look.px(2), at, thick, long, look.theme.edge, None, 0, thick / 2),)


def _target(target: Target, look: Look, touch: Touch) -> tuple[Shape, ...]:
    """An outline while the pointer or the keyboard is on it."""
    if touch.focus == target.id:
        return _ring(target.box, look)
    if touch.hover == target.id:
        return (Box(*target.box, None, look.theme.accent, look.px(3), look.radius),)
    return ()


def _ring(box: Rect, look: Look) -> tuple[Shape, ...]:
    """The focus ring, outside the widget."""
    off = look.px(3)
    around = Rect(box.x - off, box.y - off, box.w + 2 * off, box.h + 2 * off)
    return (Box(*around, None, look.theme.accent, off, look.radius + off),)
