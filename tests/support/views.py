"""Every view of the window with the keys that lead there, for tests that measure them and for pictures.

python -m tests.support.views FOLDER       every view at four sizes, light, dark and print, as PNG files
python -m tests.support.views FOLDER --only compare --size 1920x1080 --theme dark
"""

from __future__ import annotations

import argparse
import os
import tempfile
import time
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

os.environ.setdefault("SDL_VIDEODRIVER", "dummy")

from algorithms.engine.scenario import Scenario
from tests.support.desks import desk_of
from tests.support.interfaces import changed, interface_of
from visual.drawing import theme
from visual.window.desk import Desk
from visual.window.gallery.cards import scenario_of
from visual.window.inputs import Key, Resize, Tick, Typed
from visual.window.memory import unsaved
from visual.window.screen import Screen
from visual.window.state import Interface
from visual.window.update import update

SIZES = ((1024, 768), (1280, 720), (1920, 1080), (3840, 2160))
MOST_TABS = 80
MOMENT = 30  # the step at which a view begins
PATIENCE = 120.0  # seconds to wait for work in the background


class View(NamedTuple):
    """The keys that lead to a view from a run some steps old.

    "Tab:ID" is Tab until that widget has the focus, "Type:WORD" types, "Wait" waits for work in the background,
    "Measure" measures a lab unless its report is there already, and "Keep" saves the run as the window does every
    second.
    """

    scenario: str
    keys: str = ""
    nodes: int = 0  # 0: those of the scenario


VIEWS: dict[str, View] = {
    "run": View("deferred-reply"),
    "node": View("deferred-reply", "Down Down I"),
    "waiting": View("deferred-reply", "Left Left Left Up Up I"),
    "message": View("deferred-reply", "Left Left Left Shift+Down"),
    "election": View("bully-two-crashes"),
    "token": View("lost-token-replaced"),
    "wandering": View("wandering-token-domino"),
    "peer-to-peer": View("p2p-figure-1"),
    "peer-to-peer-breach": View("p2p-overwritten-vote", "PageUp"),
    "peer-to-peer-breach-notes": View("p2p-overtaken-token", "PageUp N"),
    "peer-to-peer-stuck": View("p2p-lost-enqueue", "End"),
    "peer-to-peer-resources": View("p2p-two-resources", "Right Right"),
    "peer-to-peer-churn": View("p2p-churn", "PageDown PageDown PageDown Right Right"),
    "peer-to-peer-node": View("p2p-figure-1", "Down Down I"),
    "peer-to-peer-message": View("p2p-two-resources", "Right Right Shift+Down I"),
    "peer-to-peer-crowd": View("p2p-crowd", "PageDown"),
    "peer-to-peer-crowd-node": View("p2p-crowd", "PageDown Down Down Down"),
    "rules": View("system-search"),
    "binary-search": View("binary-search"),
    "binary-search-64": View("binary-search-64"),
    "crowd": View("ftp-subscribers"),
    "breach": View("two-cash-machines", "End"),
    "graph": View("deferred-reply", "V"),
    "space-time": View("deferred-reply", "V V"),
    "space-time-menu": View("deferred-reply", "V V Shift+V"),
    "space-time-logical": View("deferred-reply", "V V Shift+V Down Enter"),
    "space-time-down": View("deferred-reply", "V V Shift+V Down Down Down Enter"),
    "past-and-future": View("deferred-reply", "V V Left Left Left Left Shift+V End Up Enter"),
    "local-compare": View("lost-token", "A Enter Enter Down L"),
    "choose-compare": View("token-ring", "A Enter Enter Shift+J 1"),
    "local": View("deferred-reply", "Down L"),
    "plots": View("wandering-token-overload", "9 Y Wait"),
    "plots-2": View("wandering-token-overload", "9 Y Shift+Y Shift+Y Wait"),
    "plots-hard": View("deferred-reply", "End Y"),
    "plots-election": View("bully-two-crashes", "End Y"),
    "events": View("deferred-reply", "E"),
    "events-of-a-node": View("deferred-reply", "Down E Tab:events.messages Enter Tab:events.node Enter"),
    "choose": View("deferred-reply", "Shift+J"),
    "branches": View("lost-token", "X Left Left X Shift+B"),
    "branches-of-branches": View("lost-token", f"Down {'Left Left Q ' * 10} Shift+B"),
    "branches-compare": View("token-ring", "A Enter Enter Left Left X Left Left X Shift+B"),
    "check": View("deferred-reply", "Tab:tabs.check Enter"),
    "checking": View("deferred-reply", "Shift+C Tab:check.start Enter"),
    "checked": View("two-cash-machines", "Shift+C Tab:check.start Enter Wait"),
    "counter-example": View("two-cash-machines", "Shift+C Tab:check.start Enter Wait Tab:check.ME1 Enter"),
    "source": View("deferred-reply", "Tab:tabs.source Enter"),
    "source-rules": View("system-search", "Shift+U"),
    "source-long": View("binary-search", "Shift+U"),
    "history": View("deferred-reply", "Down Down Tab:tabs.history Enter"),
    "history-message": View("deferred-reply", "Left Left Left Shift+Down Shift+I"),
    "notes": View("deferred-reply", "N"),
    "compare-menu": View("token-ring", "A"),
    "compare-algorithms": View("token-ring", "A Enter"),
    "compare": View("token-ring", "A Enter Enter"),
    "algorithms": View("deferred-reply", "Tab:header.algorithm Enter"),
    "faults": View("deferred-reply", "Down Tab:header.faults Enter"),
    "topology": View("deferred-reply", "Ctrl+T"),
    "more": View("deferred-reply", "Tab:header.more Enter"),
    "nodes": View("deferred-reply", "Tab:header.nodes Enter"),
    "seed": View("deferred-reply", "Tab:header.seed Enter"),
    "load": View("deferred-reply", "Tab:header.load Enter"),
    "load-soft": View("wandering-token-overload", "Tab:header.load Enter"),
    "bad-input": View("deferred-reply", "Tab:header.nodes Enter Up Type:many Enter"),
    "help": View("deferred-reply", "?"),
    "help-2": View("deferred-reply", "? Right"),
    "presenting": View("deferred-reply", "F5"),
    "presenting-node": View("deferred-reply", "Down F5"),
    "presenting-resources": View("p2p-two-resources", "Right Right F5"),
    "presenting-peer-to-peer-crowd": View("p2p-crowd", "PageDown F5"),
    "presenting-waiting": View("deferred-reply", "F5 Left Left Left Up Up"),
    "presenting-waiting-16": View("ricart-agrawala", "F5 Up", nodes=16),
    "presenting-queue-16": View("centralized", "F5 Down Down", nodes=16),
    "presenting-inspector": View("deferred-reply", "F5 Left Left Left Up Up I"),
    "presenting-breach": View("two-cash-machines", "F5 ["),
    "presenting-token": View("lost-token-replaced", "F5"),
    "presenting-binary-search": View("binary-search", "F5"),
    "presenting-peer-to-peer": View("p2p-figure-1", "F5 Down"),
    "presenting-rules": View("system-search", "F5"),
    "presenting-compare": View("token-ring", "A Enter Enter F5 Down Down"),
    "presenting-crowd": View("ftp-subscribers", "F5"),
    "presenting-election": View("bully-two-crashes", "F5"),
    "presenting-space-time": View("deferred-reply", "F5 V V"),
    "presenting-space-time-16": View("ricart-agrawala", "F5 V V", nodes=16),
    "no-chrome": View("deferred-reply", "H"),
    "larger-text": View("deferred-reply", "Ctrl++ Ctrl++"),
    "smaller-text": View("deferred-reply", "Ctrl+- Ctrl+-"),
    "gallery": View("deferred-reply", "Ctrl+O Tab"),
    "gallery-algorithms": View("deferred-reply", "Ctrl+O Tab Tab"),
    "gallery-labs": View("deferred-reply", "Ctrl+O Tab Tab Tab"),
    "gallery-yours": View("lost-token", "X Keep Ctrl+O Tab Tab Tab Tab"),
    "gallery-yours-two": View("lost-token", "A Enter Enter X Keep Ctrl+O Tab Tab Tab Tab"),
    "lab": View("deferred-reply", "Ctrl+O Tab Tab Tab Enter"),
    "lab-running": View("deferred-reply", "Ctrl+O Tab Tab Tab Enter Enter"),
    "lab-finished": View("deferred-reply", "Ctrl+O Tab Tab Tab Right Right Right Right Right Enter Measure"),
    "blank": View("deferred-reply", "B"),
}


def screen_of(view: View) -> Screen:
    """A screen with a run of the view's scenario or algorithm at step 30."""
    scenario: Scenario = scenario_of(view.scenario)
    scenario = replace(scenario, nodes=view.nodes or scenario.nodes)
    desk = desk_of(scenario)
    desk.front.seek(MOMENT)
    return Screen(desk)


def reached(view: View, size: tuple[int, int] = (1280, 720), theme: str = "light") -> tuple[Interface, Screen]:
    """The interface after the view's keys, once nothing moves."""
    screen = screen_of(view)
    interface = interface_of(*size, theme=theme, reduced_motion=True)
    interface = changed(interface, time=screen.desk.front.now)
    for chord in view.keys.split():
        interface = pressed(interface, screen, chord)
        for _ in range(3):
            interface = update(interface, screen, Tick(0.2))
        while interface.playback.goal is not None:
            interface = update(interface, screen, Tick(0.2))
        screen.shapes(interface)  # as in the window: a menu opens at its button in the previous frame
    return settled(interface, screen), screen


def resized(interface: Interface, screen: Screen, size: tuple[int, int]) -> Interface:
    """The same view in a window of another size."""
    return settled(update(interface, screen, Resize(*size)), screen)


def settled(interface: Interface, screen: Screen) -> Interface:
    """The interface once the gallery's pictures have been made."""
    screen.shapes(interface)
    while screen.gallery_work.is_waiting:
        screen.shapes(interface)
    return interface


def pressed(interface: Interface, screen: Screen, chord: str) -> Interface:
    """The interface after a key, or after one of a view's other words."""
    word, _, value = chord.partition(":")
    if word == "Type" and value:
        return update(interface, screen, Typed(value))
    if word == "Tab" and value:
        return focused(interface, screen, value)
    if word == "Measure":
        return interface if screen.desk.measurement.report else waited(update(interface, screen, Key("Enter")), screen)
    if word == "Wait":
        return waited(interface, screen)
    if word == "Keep":
        unsaved.Autosave(unsaved.folder()).keep_up(screen.desk)
        return interface
    return update(interface, screen, Key(chord))


def focused(interface: Interface, screen: Screen, widget: str) -> Interface:
    """The interface once Tab has moved the focus to that widget. LookupError if it never does."""
    for _ in range(MOST_TABS):
        interface = update(interface, screen, Key("Tab"))
        if interface.pointer.focus == widget:
            return interface
    raise LookupError(f"Tab does not lead to {widget}")


def waited(interface: Interface, screen: Screen) -> Interface:
    """The interface after the check or measurement in progress. TimeoutError if it takes too long."""
    end = time.monotonic() + PATIENCE
    while _is_busy(screen.desk):
        if time.monotonic() > end:
            raise TimeoutError("what goes on has not come to an end")
        time.sleep(0.05)
        interface = update(interface, screen, Tick(0.5))
    return interface


def _is_busy(desk: Desk) -> bool:
    if desk.measurement is not None:  # a lab covers the run, which has no work meanwhile
        return desk.measurement.is_running
    checked = desk.check is not None and desk.check.outcome is None
    studies = desk.front.ledger.studies
    return checked or any(s and s.reached < desk.front.now for s in (studies.baseline, studies.variable))


def own_folders(folder: Path) -> None:
    """Let the window save its settings, runs and reports there instead of in the person's own folders."""
    for kind in ("CACHE", "CONFIG", "STATE"):
        os.environ[f"XDG_{kind}_HOME"] = str(folder / kind.lower())


def save(name: str, size: tuple[int, int], colours: str, folder: Path) -> Path:
    """The view as a PNG file."""
    import pygame

    from visual.drawing.paint import Painter

    interface, screen = reached(VIEWS[name], size, colours)
    surface = pygame.Surface(size)
    Painter(theme.load(colours)).draw(surface, screen.shapes(interface))
    screen.desk.close()
    path = folder / f"{name}-{size[1]}p-{colours}.png"
    pygame.image.save(surface, path)
    return path


def main() -> None:
    import pygame

    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--only", nargs="*", choices=VIEWS, default=list(VIEWS))
    parser.add_argument("--size", help="1920x1080; by default all four")
    parser.add_argument("--theme", choices=theme.NAMES, help="by default all three")
    arguments = parser.parse_args()
    sizes = [tuple(map(int, arguments.size.split("x")))] if arguments.size else SIZES
    arguments.folder.mkdir(parents=True, exist_ok=True)
    pygame.display.init()
    pygame.display.set_mode((1, 1))
    with tempfile.TemporaryDirectory() as own:
        own_folders(Path(own))
        for name in arguments.only:
            for size in sizes:
                for colours in [arguments.theme] if arguments.theme else theme.NAMES:
                    print(save(name, size, colours, arguments.folder), flush=True)


if __name__ == "__main__":
    main()
