"""Every pixel of the window belongs to a panel that paints it, and every page fits into any window, however small."""

from __future__ import annotations

import itertools
import random

import pygame
import pytest

from algorithms.engine.scenario import Scenario
from algorithms.engine.workload import Closed
from tests.support.desks import desk_of
from tests.support.interfaces import interface_of
from visual.drawing.paint import Painter
from visual.drawing.theme import load
from visual.window.desk import Desk
from visual.window.gallery.cards import SECTIONS
from visual.window.run_view import RunView
from visual.window.screen import PAGES, Screen
from visual.window.state import SCALE_STEPS, VIEWS, Help, Interface

UNPAINTED = (255, 0, 254)  # a colour of no theme
dice = random.Random(651)


def desk_with(runs: int) -> Desk:
    scenario = Scenario("token-ring", nodes=4, load=Closed(think=3.0))
    desk = desk_of(scenario)
    if runs == 2:
        desk.join(RunView(Scenario("ricart-agrawala", nodes=4, load=Closed(think=3.0))))
    desk.seek_step(9)
    return desk


DESKS = {1: desk_with(1), 2: desk_with(2)}
SIZES = [(1920, 1080), (1280, 720), (1366, 768), (1023, 767), (640, 360), (320, 240)]


def unpainted(interface: Interface, desk: Desk) -> int:
    """The number of pixels that a frame leaves as they were."""
    size = (interface.display.width, interface.display.height)
    surface = pygame.Surface(size)
    surface.fill(UNPAINTED)
    Painter(load("light")).draw(surface, Screen(desk).shapes(interface))
    return pygame.mask.from_threshold(surface, UNPAINTED, (1, 1, 1, 255)).count()


def odd_interfaces(runs: int) -> list[Interface]:
    """Interfaces in windows of ordinary and odd sizes."""
    sizes = [*SIZES, *((dice.randrange(320, 1500), dice.randrange(240, 1000)) for _ in range(6))]
    return [
        interface_of(
            *size,
            scale=dice.choice(SCALE_STEPS),
            view=view,
            presenting=dice.random() < 0.4,
            time=DESKS[runs].now,
        )
        for size, view in zip(sizes, itertools.cycle(VIEWS), strict=False)
    ]


@pytest.mark.parametrize("runs", [1, 2])
def test_every_pixel_is_painted_at_any_size(runs):
    desk = DESKS[runs]
    presented = [interface_of(1920, 1080, presenting=True, time=desk.now, view=view) for view in VIEWS]
    for interface in (*presented, *odd_interfaces(runs)):
        assert not unpainted(interface, desk), interface.display


FLAT = [(1280, 360), (1920, 540), (1000, 250), (1400, 300)]  # pages of a row or two


@pytest.mark.parametrize("page", [*PAGES, "run"])
def test_pages_end_in_windows_with_room_for_one_row(page):
    """The listing of the source once turned its pages forever where one row fits."""
    screen = Screen(DESKS[1])
    for size, scale in itertools.product(FLAT, (0.75, 1.0, 1.5)):
        for node in ("node:1", None):
            assert screen.shapes(interface_of(*size, scale=scale, page=page, selection=node))


def test_help_and_gallery_end_in_windows_with_room_for_one_row():
    screen = Screen(DESKS[1])
    for size, scale in itertools.product([*FLAT, (320, 240)], (1.0, 3.0)):
        assert screen.shapes(interface_of(*size, scale=scale).over(Help()))
        assert screen.shapes(interface_of(*size, scale=scale, section=SECTIONS[0]))
