"""A lesson by finger, on a phone: nothing names keys that are not there, and nothing covers what is to be touched."""

from __future__ import annotations

import re

import pytest

from lessons.reading import curriculum
from lessons.tasks.watching import ActTask
from tests.support.lesson_windows import after, opened
from tests.support.shapes import flat
from visual.drawing.picking import bounds, overlap
from visual.drawing.shapes import Box, Text
from visual.window.inputs import Resize, Tick
from visual.window.lesson.actions import show_step
from visual.window.update import update
from visual.window.widgets import Button, Scroller, Target

LESSONS = curriculum.names_of_files()


@pytest.mark.parametrize("name", LESSONS)
@pytest.mark.parametrize("size", [(390, 844), (844, 390)])
def test_a_lesson_by_finger_names_no_keys_and_has_options_that_a_finger_meets(name, size):
    interface, screen = opened(name)
    interface = update(interface, screen, Resize(*size)).with_display(has_keys=False)
    attempt = screen.desk.lesson
    for place in range(len(attempt.lesson.steps)):
        attempt.go_to(place)
        card = screen.panel(show_step(interface, screen.desk), "lesson")
        keyed = [
            text.text
            for text in flat(card.shapes)
            if isinstance(text, Text) and re.search(r"\b(Enter:|Shift\+\w|number: (choose|mark|make))", text.text)
        ]
        assert not keyed
        texts = [one.box for one in card.widgets if isinstance(one, Scroller)]
        for box in (widget.box for widget in card.widgets if widget.id[7:].isdigit()):
            assert box.h >= 30 or any(box.y + box.h > text.y + text.h - 1 for text in texts), (
                "or one may scroll to the rest of it"
            )


@pytest.mark.parametrize("size", [(390, 844), (844, 390), (1280, 720), (768, 1024)])
@pytest.mark.parametrize("words", ["Choose one first.", "A hint costs a quarter of the points. " * 3])
def test_no_notice_covers_a_button_of_a_lesson(size, words):
    interface, screen = opened("lost-token")
    interface = update(interface, screen, Resize(*size)).say(words)
    (box,) = [bounds(shape) for shape in screen.panel(interface, "notice").shapes if isinstance(shape, Box)]
    for widget in screen.widgets(interface):
        if widget.id.startswith(("lesson.", "transport.")) and not isinstance(widget, Scroller | Target):
            shared = overlap(box, widget.box)
            assert min(shared.w, shared.h) <= 0, widget.id


def test_watch_watches_also_after_a_pause():
    """The button says so until the moment that the step leads to has been reached."""
    interface, screen = opened("lost-token")
    interface = show_step(at_act(interface, screen), screen.desk)
    interface = after(interface, screen, "X", "Enter")
    assert interface.is_moving
    at = screen.desk.lesson.at
    interface = after(interface, screen, "Space")
    assert "Watch" in [one.label for one in screen.panel(interface, "lesson").widgets if isinstance(one, Button)]
    interface = after(interface, screen, "Enter")
    assert interface.is_moving
    while interface.is_moving:
        interface = update(interface, screen, Tick(0.2))
    assert screen.desk.lesson.at == at
    after(interface, screen, "Enter")
    assert screen.desk.lesson.at == at + 1


def at_act(interface, screen):
    """The interface at the first step of the lesson that asks for an intervention."""
    attempt = screen.desk.lesson
    attempt.go_to(next(i for i, step in enumerate(attempt.lesson.steps) if isinstance(step.task, ActTask)))
    return interface
