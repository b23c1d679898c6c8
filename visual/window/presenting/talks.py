"""A talk in the window: its runs one after the other."""

from __future__ import annotations

from dataclasses import replace
from math import log2

from visual.window.compare import compare, end_comparison
from visual.window.desk import Desk
from visual.window.playback import playing
from visual.window.presenting.acts import Act, RunningTalk
from visual.window.run_actions import begin_run
from visual.window.state import SLOWEST, UNBOUND, Interface, Selection, View


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
