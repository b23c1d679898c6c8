"""A class for tests: a room around a scenario or a lesson, and what its phones show."""

from __future__ import annotations

import html
import json
import re
from dataclasses import replace
from typing import Any

from algorithms import scenario_file
from lessons.attempt import Attempt
from lessons.reading.reading import find
from visual.window.classroom.phone import page
from visual.window.classroom.room import Room, Seat
from visual.window.run_view import RunView


def room_of(scenario: str = "deferred-reply") -> Room:
    """A room around a scenario that comes with the program."""
    return Room(RunView(scenario_file.load(scenario_file.find(scenario))))


def room_of_nodes(nodes: int) -> Room:
    """A room around Ricart–Agrawala with that many nodes."""
    return Room(RunView(replace(scenario_file.load(scenario_file.find("deferred-reply")), nodes=nodes, names=())))


def lesson_room(lesson: str = "deferral") -> Room:
    """A room around a lesson of the course."""
    attempt = Attempt(find(lesson))
    return Room(RunView(attempt.lesson.scenarios[attempt.step.task.scenario]), attempt)


def seats(room: Room, count: int) -> list[Seat]:
    """The seats of that many phones that come in."""
    entered = [room.enter(room.code, "") for _ in range(count)]
    assert all(entered)
    return [seat for seat in entered if seat]


def offered(text: str) -> list[tuple[str, dict[str, Any]]]:
    """The buttons of a page: what stands on each, and what a press of it says."""
    found = re.findall(r'<button[^>]*data-say="([^"]*)">([^<]*)<', text)
    return [(html.unescape(words), json.loads(html.unescape(said))) for said, words in found]


def press(room: Room, seat: Seat, words: str) -> None:
    """Press the button of a seat that begins with these words."""
    buttons = offered(page(room, seat))
    said = next((said for label, said in buttons if label.startswith(words)), None)
    assert said is not None, (words, buttons)
    room.receive(seat, said)
