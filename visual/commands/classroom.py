"""Let a class play: each phone is a node of a run, or votes on the questions of a lesson.

The phones need this machine's address on their network, which --bind lets them reach; without it only this machine can.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import socket
from pathlib import Path

from algorithms import scenario_file
from algorithms.bad_input import BadInput
from algorithms.clock import wall_clock
from lessons.reading import curriculum
from visual.commands.output import require_extra, require_pygame_ce
from visual.commands.picture_options import whole
from visual.window.desk import Desk
from visual.window.loop import LONGEST_TICK, Loop
from visual.window.run_view import RunView
from visual.window.state import Interface

EXAMPLES = """\
  mutoscope classroom deferred-reply
  mutoscope classroom deferred-reply --bind 192.168.1.20 --port 8080
  mutoscope classroom deferral --bind 0.0.0.0     # a lesson; on all networks of this machine"""

HERE, EVERYWHERE = "127.0.0.1", "0.0.0.0"
FRAME = 1 / 60  # seconds
SIZE = (1280, 720)  # of the screen that a class without a window would have


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    add("name", metavar="SCENARIO", help="a scenario or a lesson, by name or as a file (.toml, .md)")
    add("--bind", metavar="ADDRESS", default=HERE, help=f"this machine's address for the phones (default: {HERE})")
    add("--port", metavar="N", default="0", help="the port (default: any that is free)")
    add(
        "--window", action=argparse.BooleanOptionalAction, default=True, help="open the teacher's window (default: yes)"
    )


def run(arguments: argparse.Namespace) -> int:
    """Serve the class until the window is closed, or until Ctrl-C."""
    port = whole("--port", arguments.port, 0, 65_535)
    if not arguments.bind:
        raise BadInput(f"--bind: expected an address of this machine, or {EVERYWHERE} for all of its networks")
    for module in ("aiohttp", "segno"):
        require_extra(module, "classroom", "a class needs")
    loop = _opened(arguments.name, arguments.window)
    with contextlib.suppress(KeyboardInterrupt):
        return asyncio.run(hold(loop, arguments.bind, port))
    return 0


def _opened(name: str, has_window: bool) -> Loop:
    """The window, or a loop without one, with the scenario or the lesson."""
    is_lesson = name in curriculum.names_of_files() or name.endswith(".md")
    scenario = scenario_file.load(scenario_file.find(scenario_file.DEFAULT if is_lesson else name))
    desk = Desk(RunView(scenario, None if is_lesson or not name.endswith(".toml") else Path(name)))
    loop = Loop(desk, Interface().resized(*SIZE)) if not has_window else _window(desk)
    if is_lesson:
        from visual.window import intents  # a scenario does without
        from visual.window.actions import perform

        loop.interface = perform(loop.interface.with_display(presenting=True), desk, intents.open_lesson(name))
        if desk.lesson is None:
            raise BadInput(f"{name}: the lesson cannot be opened")
    return loop


def _window(desk: Desk) -> Loop:
    require_pygame_ce()
    from visual.window.app import NoDisplay, Window  # pygame, which a class without a window does without

    try:
        return Window(desk)
    except NoDisplay as reason:
        raise BadInput(f"{reason}; --no-window serves a class without the teacher's") from None


async def hold(loop: Loop, bind: str, port: int) -> int:
    """Serve the class and draw the teacher's window by turns, on one thread."""
    from visual.window.classroom.card import with_band  # with the extra, which has been looked for
    from visual.window.classroom.room import Room
    from visual.window.classroom.server import Server
    from visual.window.playback import playing

    desk = loop.desk
    room = desk.room = Room(desk.front, desk.lesson)
    server = Server(room)
    port = await server.start(bind, port)
    host = _reachable(bind)
    room.address = f"http://{host}:{port}/"
    print(f"{room.link} (Ctrl-C ends it)", flush=True)
    if host in (HERE, "[::1]", "localhost"):
        print("Only this machine can reach it; --bind with this machine's address lets phones in.", flush=True)
    loop.begin()
    before, moves, goes_on = wall_clock(), 0, True
    try:
        while goes_on:
            now = wall_clock()
            room.tick(now - before)
            if room.moves != moves:
                moves, loop.interface = room.moves, playing.settle(loop.interface.paused(), desk)
            loop.interface = with_band(loop.interface, desk)
            goes_on = loop.turn(min(now - before, LONGEST_TICK))
            before = now
            server.show()
            await asyncio.sleep(max(0.0, FRAME - (wall_clock() - now)))
    finally:
        await server.stop()
        loop.end()
    return 0


def _reachable(bind: str) -> str:
    """The address to type into a phone: that of this machine on its network, where it listens on all."""
    if bind not in (EVERYWHERE, "::"):
        return f"[{bind}]" if ":" in bind else bind
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))  # nothing is sent: this only chooses the network
            return str(probe.getsockname()[0])
        except OSError:
            return HERE
