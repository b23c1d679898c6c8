"""update(interface, screen, input) -> interface: the effect of every key, click, drag and tick."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from math import hypot, inf
from typing import Any

from visual.drawing.picking import contains, middle_of
from visual.window import intents, keys
from visual.window.actions import perform
from visual.window.arrangement import Pane, panes, place_at, regions
from visual.window.diagram import scrolling
from visual.window.graph.editing import put
from visual.window.inputs import (
    Dropped,
    FillField,
    Focus,
    Input,
    Key,
    Mirrored,
    Motion,
    MoveSlider,
    Press,
    Release,
    Resize,
    SecondaryPress,
    Tick,
    Typed,
    Use,
    Wheel,
)
from visual.window.intents import Intent
from visual.window.menus.contents import field_fill, field_type
from visual.window.own_files import begin_again_if_saved
from visual.window.panel import Panel
from visual.window.playback import playing
from visual.window.presenting.tools import drawn_to, with_tool_at
from visual.window.screen import Screen
from visual.window.state import (
    FARTHEST,
    NEAREST,
    NO_NODE,
    Blank,
    Camera,
    DiagramDrag,
    Drag,
    Field,
    GraphDrag,
    Interface,
    NodeDrag,
    OpenMenu,
    PenDrag,
    ScrollDrag,
    WidgetPress,
)
from visual.window.widgets import Button, Scroller, Slider, Target, TextField, Widget, can_focus, share_at, widget_at

NO_COLUMN = "The pages have no room beside the graph here: make the text smaller (Ctrl+−) or the window larger."
ZOOM = 1.15  # per notch of the wheel
SCROLL = 60.0  # pixels per notch
TREMBLE = 6.0  # pixels of a drag that count as a click
NUDGE = 0.02  # share of the window's height by which a key moves a node


def update(interface: Interface, screen: Screen, input_: Input) -> Interface:
    """The interface after an input; the runs on `screen.desk` may have moved too."""
    match input_:
        case Tick(seconds):
            return playing.tick(begin_again_if_saved(interface, screen.desk), screen.desk, seconds)
        case Key(chord, again):
            return _key(_without_hint(interface), screen, chord, again)
        case Typed(text):
            return field_type(interface, screen.desk, text) if interface.field is not None else interface
        case Press(x, y):
            return _press(_without_hint(interface), screen, x, y)
        case Motion(x, y):
            return _move(interface, screen, x, y)
        case Release(x, y):
            return _release(interface, screen, x, y)
        case Wheel(x, y, notches):
            return _wheel(interface, screen, x, y, notches)
        case SecondaryPress(x, y):
            shape = "" if interface.overlays else screen.under(interface, x, y)
            does = intents.open_actions((shape, x, y)) if shape.startswith(("node:", "message:")) else None
            return perform(interface, screen.desk, does) if does else interface.without(OpenMenu)
        case Dropped(path):
            return perform(interface, screen.desk, intents.open_file(path))
        case Focus() | Use() | MoveSlider() | FillField():
            return _mirrored(_without_hint(interface), screen, input_)
        case Resize(width, height, is_full):
            resized = interface.resized(width, height)
            return dragging(resized if is_full is None else resized.with_display(full_screen=is_full), None)


def _without_hint(interface: Interface) -> Interface:
    """A copy that shows no hint until the pointer comes to another widget."""
    return interface.with_pointer(hover_seconds=-inf)


# ---- keys --------------------------------------------------------------------------------------------------


def _key(interface: Interface, screen: Screen, chord: str, again: bool) -> Interface:
    does = keys.action(interface.mode(screen.desk.is_manual), chord)
    if does is None or (again and not does.intent.repeats):
        return interface
    if does.intent in _FOCUSING and not interface.is_blank:
        return _FOCUSING[does.intent](interface, screen, does.value)
    return perform(interface, screen.desk, does)


def _focus(interface: Interface, screen: Screen, by: int) -> Interface:
    """Focus the next (+1) or previous (-1) widget that can be pressed, header first."""
    names = [widget.id for widget in screen.widgets(interface) if can_focus(widget)]
    names.sort(key=lambda name: not name.startswith("header."))
    if not names:
        return interface.focused()
    focus = interface.pointer.focus
    if focus not in names:
        if interface.mode(screen.desk.is_manual) == "listing":
            return _focus_line(interface, screen, by)
        return interface.focused(names[0 if by > 0 else -1])
    return interface.focused(names[(names.index(focus) + by) % len(names)])


def _focus_line(interface: Interface, screen: Screen, by: int) -> Interface:
    """Focus the next (+1) or previous (-1) line or button of the open page, and scroll its list along."""
    page = interface.display.page
    panel = screen.panel(interface, page)
    if not panel.shapes:
        return interface.focused().say(NO_COLUMN)
    names = [widget.id for widget in panel.widgets if can_focus(widget)]
    lines, focus = _lines(panel), interface.pointer.focus
    if not names:
        scrollers = [widget for widget in panel.widgets if isinstance(widget, Scroller)]
        return _scrolled(interface, screen, scrollers[0], by * SCROLL) if scrollers else interface
    if focus not in names:
        return interface.focused(panel.start or (lines or names)[0])
    if lines and focus == lines[-1 if by > 0 else 0]:
        scrolled = _scroll_line(interface, screen, panel, by)
        if scrolled.scrolls.of(page) != interface.scrolls.of(page):
            return scrolled
    return interface.focused(names[min(max(names.index(focus) + by, 0), len(names) - 1)])


def _lines(panel: Panel) -> list[str]:
    """The ids of the visible lines of a page's list."""
    lists = [widget.box for widget in panel.widgets if isinstance(widget, Scroller)]
    return [w.id for w in panel.widgets if can_focus(w) and any(contains(box, *middle_of(w.box)) for box in lists)]


def _scroll_line(interface: Interface, screen: Screen, panel: Panel, by: int) -> Interface:
    """Scroll a page's list by a line, and focus the line that comes into view."""
    scroller = next(widget for widget in panel.widgets if isinstance(widget, Scroller))
    at = _widget_of(panel.widgets, interface.pointer.focus)
    interface = _scrolled(interface, screen, scroller, by * at.box.h if at else 0.0)
    lines = _lines(screen.panel(interface, interface.display.page))
    return interface.focused(lines[-1 if by > 0 else 0]) if lines else interface


def _press_focused(interface: Interface, screen: Screen) -> Interface:
    widget = _widget_of(screen.widgets(interface), interface.pointer.focus)
    return _use(interface, screen, widget) if widget else interface


def _nudge(interface: Interface, screen: Screen, by: tuple[int, int]) -> Interface:
    """Move the selected node by a step of the keyboard."""
    node = interface.node
    if node is None:
        return interface.say(NO_NODE)
    if not panes(interface, screen.desk.is_pair)[0].graph.w:
        return interface.say("There is no graph on screen: V brings it back.")
    x, y = screen.middle_of(interface, node)
    length = NUDGE * interface.display.height
    return put(interface, node, screen.share(interface, x + by[0] * length, y + by[1] * length))


_FOCUSING: dict[Intent[Any], Callable[[Interface, Screen, Any], Interface]] = {
    intents.focus_next: lambda interface, screen, value: _focus(interface, screen, 1),
    intents.focus_previous: lambda interface, screen, value: _focus(interface, screen, -1),
    intents.focus_line: _focus_line,
    intents.nudge: _nudge,
    intents.press_focused: lambda interface, screen, value: _press_focused(interface, screen),
}


# ---- the elements of a page --------------------------------------------------------------------------------


def _mirrored(interface: Interface, screen: Screen, input_: Mirrored) -> Interface:
    """Do what a person did to an element of a page; nothing if its widget is gone."""
    if isinstance(input_, FillField):
        return field_fill(interface, screen.desk, input_.text, input_.caret)
    widget = _widget_of(screen.widgets(interface), input_.widget)
    if isinstance(input_, Focus):
        return _focused_in_page(interface, screen, widget)
    if isinstance(input_, MoveSlider) and isinstance(widget, Slider):
        return perform(interface, screen.desk, widget.slides(min(max(input_.share, 0.0), 1.0)))
    return _use(interface, screen, widget) if widget else interface


def _focused_in_page(interface: Interface, screen: Screen, widget: Widget | None) -> Interface:
    """Follow the page's keyboard: to a line of a menu, a card of the gallery, a text field, or any other widget."""
    if isinstance(widget, TextField):
        return interface if interface.field else _use(interface, screen, widget)
    interface = interface.without(Field)
    panel, _, place = widget.id.partition(".") if widget else ("", "", "")
    if interface.menu and panel == "menu" and place.isdigit():
        return interface.over(interface.menu._replace(at=int(place)))
    if panel == "gallery" and place.isdigit():
        interface = replace(interface, gallery=interface.gallery._replace(card=int(place)))
    return interface.focused(widget.id) if widget else _unfocused(interface)


# ---- the pointer -------------------------------------------------------------------------------------------


def _press(interface: Interface, screen: Screen, x: float, y: float) -> Interface:
    if interface.is_blank:
        return interface.without(Blank)
    if interface.presentation.tool == "pen":
        return dragging(drawn_to(interface, x, y, begins=True), PenDrag())
    widget = widget_at(screen.widgets(interface), x, y)
    if interface.menu and (widget is None or not widget.id.startswith("menu.")):
        return interface.without(OpenMenu, Field)  # a click beside an open menu closes it, and does no more
    if interface.field is not None and not interface.menu and not isinstance(widget, TextField):
        interface = interface.without(Field)
    if isinstance(widget, Slider):
        return _slide(dragging(interface, WidgetPress(widget.id, y)), screen, widget, x)
    if widget is not None:
        return dragging(_unfocused(interface), WidgetPress(widget.id, y))
    interface = _unfocused(interface)
    if screen.desk.is_pair:
        interface = perform(interface, screen.desk, intents.bring_to_front(place_at(interface, screen.desk, x, y)))
    if contains(_pane_at(interface, screen, x, y).strip, x, y):
        return _press_diagram(interface, screen, x, y)
    shape = screen.under(interface, x, y)
    if shape.startswith("node:"):
        interface = dragging(interface, NodeDrag(int(shape.removeprefix("node:")), x, y))
    if shape:
        return perform(interface, screen.desk, intents.select(shape))
    return dragging(interface, GraphDrag(x, y)) if contains(regions(interface).graph, x, y) else interface


def _unfocused(interface: Interface) -> Interface:
    """A copy without a focus, after a click elsewhere; an option chosen in a lesson stays chosen."""
    return interface if interface.pointer.focus.startswith("lesson.") else interface.focused()


def _move(interface: Interface, screen: Screen, x: float, y: float) -> Interface:
    if interface.presentation.tool:
        interface = with_tool_at(interface, x, y)
    match interface.pointer.drag:
        case PenDrag():
            return drawn_to(interface, x, y)
        case NodeDrag() as drag:
            return _drag_node(interface, screen, drag, x, y)
        case DiagramDrag() as drag:
            return _drag_diagram(interface, screen, drag, x, y)
        case GraphDrag() as drag:
            return _drag_graph(interface, screen, drag, x, y)
        case ScrollDrag() as drag:
            return _drag_list(interface, screen, drag, y)
    widgets = screen.widgets(interface)
    pressed = _widget_of(widgets, interface.pointer.pressed)
    if isinstance(pressed, Slider):
        return _slide(interface, screen, pressed, x)
    if isinstance(interface.pointer.drag, WidgetPress) and abs(y - interface.pointer.drag.y) >= TREMBLE:
        beneath = [w for w in widgets if isinstance(w, Scroller) and contains(w.box, x, interface.pointer.drag.y)]
        if beneath and beneath[-1].content > beneath[-1].box.h:
            drag = ScrollDrag(beneath[-1].id, interface.pointer.drag.y, beneath[-1].offset)
            return _drag_list(interface.with_pointer(hover=""), screen, drag, y)
    under = widget_at(widgets, x, y)
    name = under.id if under is not None and not isinstance(under, Scroller) else ""
    if name == interface.pointer.hover:
        return interface
    return interface.with_pointer(hover=name, hover_seconds=0.0)


def _press_diagram(interface: Interface, screen: Screen, x: float, y: float) -> Interface:
    """Go to the event or select the process under the pointer, or start to drag the diagram."""
    kind, _, number = screen.under_in_diagram(interface, x, y).partition(":")
    if kind in _IN_DIAGRAM:
        return perform(interface, screen.desk, _IN_DIAGRAM[kind](int(number)))
    if kind == "node":
        return perform(interface, screen.desk, intents.select(f"node:{number}"))
    return dragging(interface, DiagramDrag(x, y))


_IN_DIAGRAM = {"event": intents.go_to_event, "message": intents.go_to_message}


def dragging(interface: Interface, drag: Drag | None) -> Interface:
    """A copy with that drag in progress; None for none."""
    return interface.with_pointer(drag=drag)


def _drag_diagram(interface: Interface, screen: Screen, drag: DiagramDrag, x: float, y: float) -> Interface:
    """Move the diagram with the pointer."""
    frame = screen.diagram_at(interface, *drag)
    by = frame.moment(*drag) - frame.moment(x, y)
    return scrolling.scrolled(dragging(interface, DiagramDrag(x, y)), screen.desk, by)


def _drag_list(interface: Interface, screen: Screen, drag: ScrollDrag, y: float) -> Interface:
    """Scroll a list with the pointer, as a finger does."""
    scroller = _widget_of(screen.widgets(interface), drag.scroller)
    if not isinstance(scroller, Scroller):
        return dragging(interface, None)
    return _scrolled(dragging(interface, drag), screen, scroller, drag.offset + drag.y - y - scroller.offset)


def _drag_graph(interface: Interface, screen: Screen, drag: GraphDrag, x: float, y: float) -> Interface:
    """Move a magnified graph with the pointer."""
    camera = interface.graph.camera
    camera = _clamped(interface, screen, camera._replace(x=camera.x + x - drag.x, y=camera.y + y - drag.y))
    return dragging(replace(interface, graph=interface.graph._replace(camera=camera)), GraphDrag(x, y))


def _drag_node(interface: Interface, screen: Screen, drag: NodeDrag, x: float, y: float) -> Interface:
    """Move the pressed node with the pointer, once that has left the place of the press."""
    if not drag.has_moved and hypot(x - drag.x, y - drag.y) < TREMBLE:
        return interface
    if not _pane_at(interface, screen, x, y).graph.w:
        return interface
    return put(dragging(interface, drag._replace(has_moved=True)), drag.node, screen.share(interface, x, y))


def _release(interface: Interface, screen: Screen, x: float, y: float) -> Interface:
    pressed, drag = interface.pointer.pressed, interface.pointer.drag
    interface = dragging(interface, None)
    if isinstance(drag, GraphDrag):
        return interface if interface.graph.camera.zoom > 1 else replace(interface, selection=None)
    widget = widget_at(screen.widgets(interface), x, y)
    if widget is None or widget.id != pressed or isinstance(widget, Slider):
        return interface
    return _use(interface, screen, widget)


def _use(interface: Interface, screen: Screen, widget: Widget) -> Interface:
    """Press a widget, by a click or Enter."""
    if isinstance(widget, Button | Target):
        return perform(interface, screen.desk, widget.does)
    if isinstance(widget, TextField):
        return perform(interface, screen.desk, intents.edit_field())
    return interface


def _slide(interface: Interface, screen: Screen, slider: Slider, x: float) -> Interface:
    return perform(interface, screen.desk, slider.slides(share_at(slider, x)))


def _wheel(interface: Interface, screen: Screen, x: float, y: float, notches: float) -> Interface:
    scrollers = [w for w in screen.widgets(interface) if isinstance(w, Scroller) and contains(w.box, x, y)]
    if scrollers:
        return _scrolled(interface, screen, scrollers[-1], -notches * SCROLL)
    if interface.menu or interface.help or interface.section:
        return interface
    if contains(_pane_at(interface, screen, x, y).strip, x, y):
        moment = screen.diagram_at(interface, x, y).moment(x, y)
        return scrolling.zoomed(interface, screen.desk, ZOOM**notches, moment)
    if not contains(_pane_at(interface, screen, x, y).graph, x, y):
        return interface
    return replace(interface, graph=interface.graph._replace(camera=_zoomed(interface, screen, x, y, ZOOM**notches)))


def _scrolled(interface: Interface, screen: Screen, scroller: Scroller, by: float) -> Interface:
    """Scroll by a number of pixels, within the content."""
    most = max(0.0, scroller.content - scroller.box.h)
    panel = scroller.id.partition(".")[0]  # of a menu the highlighted line is what a step is of the others
    step = interface.menu.at if panel == "menu" and interface.menu else screen.desk.front.timeline.step
    return interface.browsed(panel, min(max(scroller.offset + by, 0.0), most), step)


def _zoomed(interface: Interface, screen: Screen, x: float, y: float, factor: float) -> Camera:
    """The camera zoomed by a factor around the point under the pointer."""
    area, camera = _pane_at(interface, screen, x, y).graph, interface.graph.camera
    zoom = min(max(camera.zoom * factor, FARTHEST), NEAREST)
    by = zoom / camera.zoom
    dx, dy = x - (area.x + area.w / 2), y - (area.y + area.h / 2)
    return _clamped(interface, screen, Camera(zoom, dx - (dx - camera.x) * by, dy - (dy - camera.y) * by))


def _pane_at(interface: Interface, screen: Screen, x: float, y: float) -> Pane:
    """The pane of the run at that point."""
    return panes(interface, screen.desk.is_pair)[place_at(interface, screen.desk, x, y)]


def _clamped(interface: Interface, screen: Screen, camera: Camera) -> Camera:
    """The camera, moved so that the graph fills its region."""
    area = panes(interface, screen.desk.is_pair)[0].graph
    most_x, most_y = area.w * (camera.zoom - 1) / 2, area.h * (camera.zoom - 1) / 2
    return Camera(camera.zoom, min(max(camera.x, -most_x), most_x), min(max(camera.y, -most_y), most_y))


def _widget_of(widgets: tuple[Widget, ...], name: str) -> Widget | None:
    return next((widget for widget in widgets if widget.id == name), None) if name else None
