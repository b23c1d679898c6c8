"""Whether the window releases a run when it shows another one."""

from __future__ import annotations

import weakref

import pytest

from algorithms import catalog
from algorithms.engine.rewrite import system_of
from algorithms.engine.scenario import Scenario
from algorithms.engine.workload import Closed
from tests.support.collection import is_collected, pass_over_old_objects
from tests.support.interfaces import interface_of
from tests.support.screens import check_draws
from visual.window.desk import Desk
from visual.window.run_view import RunView
from visual.window.screen import Screen

PAGES = ("run", "events", "choose", "branches", "check", "history", "plots", "source", "notes")


@pytest.mark.parametrize(
    ("name", "nodes"), [("ricart-agrawala", 5), ("binary-search-token", 40), ("end-to-end", 12), ("system-search", 3)]
)
def test_the_window_releases_a_run_that_it_no_longer_shows(name: str, nodes: int) -> None:
    pass_over_old_objects()
    is_system = system_of(catalog.find(name)) is not None
    view = RunView(Scenario(name, nodes=nodes, **({} if is_system else {"load": Closed(think=4.0)})))
    desk, run = Desk(view), weakref.ref(view.simulation)
    screen = Screen(desk)
    view.seek(30)
    for page in PAGES:
        for selection in ("", "node:1"):
            check_draws(interface_of(1280, 720, page=page, selection=selection, time=desk.now), screen)
    view.open(Scenario("bully", nodes=3))
    for _ in range(2):  # the first frame may still show what was there before
        screen.shapes(interface_of(1280, 720, time=desk.now))
    assert is_collected(run)
