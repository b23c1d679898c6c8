"""Actions of a presentation: begin and end it, go from stop to stop and run to run, mark a moment, point and draw."""

from __future__ import annotations

from dataclasses import replace
from math import log2
from typing import NamedTuple

from algorithms.engine.scenario import Marker
from visual.window import intents, keys
from visual.window.action_table import handle, handles
from visual.window.compare import compare, end_comparison
from visual.window.desk import Desk
from visual.window.intents import Tool
from visual.window.playback import playing
from visual.window.playback.playing import go_to_marker
from visual.window.presenting.acts import Act, RunningTalk
from visual.window.presenting.questions import SAME, open_question, question_at
from visual.window.presenting.tools import drawn_to
from visual.window.run_actions import begin_run
from visual.window.state import SLOWEST, UNBOUND, Interface, PresenterView, Selection, View
from visual.words import node_name

STEP = 0.02  # share of the window's height by which a key moves a tool
PRESENTER_SIZE = (1280, 720)  # of the presenter's window before it has a display of its own


# ---- from stop to stop -------------------------------------------------------------------------------------


@handles(intents.next_stop)
def next_stop(interface: Interface, desk: Desk, value: None) -> Interface:
    """Answer the open question; else play to the next marker, or jump there if that goes on already.

    Past the last marker a talk goes on with its next scene.
    """
    asked = open_question(interface, desk)
    if asked is not None:
        return interface.with_presentation(answered=asked.at)
    interface = playing.interrupted(interface, desk)
    has_later = any(interface.playback.time < marker.at <= desk.horizon for marker in desk.markers)
    if not has_later:
        scene = turned(interface, desk, 1)
        if scene is None and desk.talk is not None and desk.talk.act.scenes:
            return interface.say("The talk has ended.")
        return go_to_marker(interface, desk, 1) if scene is None else scene
    if interface.playback.playing:
        return go_to_marker(interface, desk, 1)
    time = interface.playback.time
    interface = towards(interface.at(time + SAME), desk).at(time).with_presentation(answered=None)
    return playing.refresh(interface.with_playback(playing=True, glide=None), desk)


@handles(intents.previous_stop)
def previous_stop(interface: Interface, desk: Desk, value: None) -> Interface:
    """Ask the question again whose answer is visible; else go to the previous marker, or to the scene before."""
    asked, is_open = question_at(interface, desk), open_question(interface, desk) is not None
    interface = playing.interrupted(interface.with_presentation(answered=None), desk)
    if asked is not None and asked.answer and not is_open:
        return interface
    if any(marker.at < interface.playback.time for marker in desk.markers):
        return towards(go_to_marker(interface, desk, -1), desk)
    if (scene := turned(interface, desk, -1)) is not None:
        return scene
    return playing.seek(interface, desk, 0.0) if interface.playback.time > 0 else go_to_marker(interface, desk, -1)


@handles(intents.mark_moment)
def mark_moment(interface: Interface, desk: Desk, value: None) -> Interface:
    """Put a marker at the present moment; saving the run keeps it."""
    time = interface.playback.time
    if any(abs(marker.at - time) < SAME for marker in desk.front.scenario.markers):
        return interface.say("This moment has a marker already.")
    name = f"moment {time:.4g}"
    desk.front.mark(Marker(time, name))
    return playing.refresh(
        interface.say(f"Marked as “{name}”; {keys.hint(intents.save_run())} keeps it in a file."), desk
    )


# ---- selecting by number -----------------------------------------------------------------------------------


@handles(intents.select_number)
def select_number(interface: Interface, desk: Desk, node: int) -> Interface:
    """Select the node of that number."""
    if node >= desk.front.scenario.nodes:
        return interface.say(
            f"There is no {node_name(node)}: the last node is {node_name(desk.front.scenario.nodes - 1)}."
        )
    return replace(interface, selection=Selection("node", node))


# ---- pointing and drawing ----------------------------------------------------------------------------------


@handles(intents.choose_tool)
def choose_tool(interface: Interface, desk: Desk, tool: Tool) -> Interface:
    """Take a tool, or put it away; what has been drawn stays until it is wiped."""
    return interface.with_presentation(tool="" if interface.presentation.tool == tool else tool)


def moved_tool(interface: Interface, by: tuple[int, int], *, draws: bool) -> Interface:
    """A copy with the tool moved by a step of the keyboard, drawing a line on the way or not."""
    presentation, display = interface.presentation, interface.display
    if not presentation.tool:
        tools = (intents.choose_tool("pointer"), intents.choose_tool("spotlight"), intents.choose_tool("pen"))
        return interface.say(f"Take a tool first: {', '.join(keys.hint(tool) for tool in tools)} …")
    x, y = presentation.at
    step = STEP * display.height
    to = (min(max(x + by[0] * step / display.width, 0.0), 1.0), min(max(y + by[1] * STEP, 0.0), 1.0))
    if not draws:
        return interface.with_presentation(at=to)
    continues = presentation.strokes and presentation.strokes[-1][-1] == (x, y)
    begun = interface if continues else drawn_to(interface, x * display.width, y * display.height, begins=True)
    return drawn_to(begun, to[0] * display.width, to[1] * display.height)


handle(intents.move_tool, lambda interface, desk, by: moved_tool(interface, by, draws=False))
handle(intents.draw, lambda interface, desk, by: moved_tool(interface, by, draws=True))


# ---- the presenter's own -----------------------------------------------------------------------------------


@handles(intents.presenter)
def presenter(interface: Interface, desk: Desk, value: None) -> Interface:
    """Open the presenter's window, or close it."""
    if interface.presenter is not None:
        return replace(interface, presenter=None)
    began = interface.clock if interface.presentation.began is None else interface.presentation.began
    return replace(interface.with_presentation(began=began), presenter=PresenterView(*PRESENTER_SIZE))


@handles(intents.speaker_notes)
def speaker_notes(interface: Interface, desk: Desk, value: None) -> Interface:
    """Show the speaker's notes over the picture, or hide them, where there is no window for them."""
    if interface.presenter is not None:
        return interface.say("The notes are in the presenter's window.")
    return interface.with_presentation(notes=not interface.presentation.notes)


class Opening(NamedTuple):
    """How the window opens; None leaves that to the settings."""

    view: View | None = None
    theme: str | None = None
    selected: int | None = None  # a node
    speed: int = 0  # a power of two, or UNBOUND
    presenting: bool = False
    full_screen: bool = False
    presenter: bool = False  # the presenter's window too
    talk: RunningTalk | None = None


def begun(interface: Interface, desk: Desk, how: Opening) -> Interface:
    """The interface opened like that; a talk is at its first stop."""
    look = {"view": how.view, "theme": how.theme}
    interface = interface.with_display(
        presenting=how.presenting or how.talk is not None,
        full_screen=how.full_screen,
        **{name: value for name, value in look.items() if value is not None},
    )
    interface = interface.with_playback(speed=how.speed).with_presentation(
        began=interface.clock if interface.display.presenting else None, was_full=False
    )
    if how.selected is not None:
        interface = replace(interface, selection=Selection("node", how.selected))
    if how.presenter:
        interface = replace(interface, presenter=PresenterView(*PRESENTER_SIZE))
    if how.talk is not None:
        desk.talk = how.talk
        interface = first_stop(interface, desk)
    return interface


def turned(interface: Interface, desk: Desk, by: int) -> Interface | None:
    """The next act (+1) at its beginning, or the one before (-1) at its last stop; None if there is none."""
    talk = desk.talk
    if talk is None or not 0 <= talk.place + by < len(talk.acts):
        return None
    talk.place += by
    interface = _begun(interface, desk, talk.act)
    if by < 0:
        markers = talk.act.scenario.markers
        return towards(playing.seek(interface, desk, max((marker.at for marker in markers), default=0.0)), desk)
    return first_stop(interface, desk)


def first_stop(interface: Interface, desk: Desk) -> Interface:
    """The present act where it begins: at the first scene's moment, or playing the film that leads to it."""
    assert desk.talk is not None
    act = desk.talk.act
    if not act.scenes:
        return interface
    interface, scene = towards(interface, desk), act.scenes[0]
    if scene.film is None:
        return playing.seek(interface, desk, act.scenario.markers[0].at)
    interface = playing.seek(interface, desk, scene.film.start or 0.0)
    return interface.with_playback(playing=True)


def towards(interface: Interface, desk: Desk) -> Interface:
    """A copy with the view, theme, selection and speed of the scene at the next stop, or at the present one."""
    if desk.talk is None or not desk.talk.act.scenes:
        return interface
    act, time = desk.talk.act, interface.playback.time
    stops = [marker for marker in act.scenario.markers if marker.at >= time] or act.scenario.markers[-1:]
    place = act.scenario.markers.index(stops[0])
    scene = act.scenes[place]
    before = act.scenes[place - 1].theme if place else _theme_before(desk.talk)
    view: View = scene.view  # type: ignore[assignment]
    interface = interface.with_display(view=view)
    if scene.theme != before:
        interface = interface.with_display(theme=scene.theme)
    if scene.film is not None:
        speed = min(max(round(log2(scene.film.speed)), SLOWEST), UNBOUND - 1)
        interface = interface.with_playback(speed=speed)
    selection = None if scene.selected is None else Selection("node", scene.selected)
    return replace(interface, selection=selection)


def _theme_before(talk: RunningTalk) -> str:
    return talk.acts[talk.place - 1].scenes[-1].theme if talk.place and talk.acts[talk.place - 1].scenes else "light"


def _begun(interface: Interface, desk: Desk, act: Act) -> Interface:
    """The window with the act's run before its first step."""
    if desk.is_pair:
        interface = end_comparison(interface, desk)
    desk.front.open(act.scenario, act.path)
    interface = begin_run(interface.with_presentation(answered=None, strokes=()), desk).paused()
    return compare(interface, desk, act.rival) if act.rival else interface
