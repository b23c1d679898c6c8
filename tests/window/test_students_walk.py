"""The walk of a student, by mouse alone, through the six scenarios of “Start here”.

What the screen shows at each stop is written down here as it follows from the papers and from the scenario's times.
"""

from __future__ import annotations

from collections.abc import Iterable

import pytest

from tests.support.desks import desk_of
from tests.support.interfaces import interface_of
from tests.support.screens import placed_texts
from visual.drawing.picking import middle_of
from visual.drawing.shapes import Rect
from visual.window.gallery import cards
from visual.window.gallery.cards import scenario_of
from visual.window.inputs import Input, Motion, Press, Release, Tick
from visual.window.intents import open_scenario
from visual.window.screen import Screen
from visual.window.state import Interface
from visual.window.update import update
from visual.window.widgets import Button, Slider, Target, Widget

SIZE = (1280, 720)
FRAME = 0.1  # seconds


class Student:
    """Somebody with a mouse before the window, who sees its texts."""

    def __init__(self) -> None:
        cards.items("scenarios", Interface())  # cached: no frame has to load them
        self.screen = Screen(desk_of(scenario_of("idle-ring")))
        self.interface = interface_of(*SIZE)

    def _give(self, inputs: Iterable[Input]) -> None:
        for given in inputs:
            self.interface = update(self.interface, self.screen, given)

    def _click(self, x: float, y: float) -> None:
        self._give([Motion(x, y), Press(x, y), Release(x, y), *[Tick(FRAME)] * 10])

    def _widgets(self) -> tuple[Widget, ...]:
        self.texts()
        return self.screen.widgets(self.interface)

    def texts(self) -> list[str]:
        """All texts on the screen, in the order in which they are drawn."""
        shapes = tuple(self.screen.shapes(self.interface))
        return [text.words for text in placed_texts(shapes, Rect(0, 0, *SIZE))]

    def press(self, name: str) -> None:
        """Press the button with that id or label."""
        found = [
            w for w in self._widgets() if isinstance(w, Button | Target) and name in (w.id, getattr(w, "label", ""))
        ]
        assert found, name
        self._click(*middle_of(found[0].box))

    def open(self, scenario: str) -> None:
        """Go to the gallery through the menu, and open one of the first six cards."""
        if not self.interface.section:
            self.press("header.more")
            self.press("open another …")
        self.press("scenarios")
        assert "Start here" in self.texts()
        (card,) = [
            w
            for w in self._widgets()
            if isinstance(w, Target) and (w.does.intent, w.does.value) == (open_scenario, scenario)
        ]
        self._click(*middle_of(card.box))
        self.press("tabs.run")

    def select(self, node: int) -> None:
        self._click(*self.screen.middle_of(self.interface, node))

    def drag_to(self, time: float) -> None:
        """Drag the knob of the timeline to a time."""
        (timeline,) = [w for w in self._widgets() if isinstance(w, Slider) and w.id == "transport.timeline"]
        x, y = middle_of(timeline.box)
        self._give([Motion(x, y), Press(x, y)])
        low, high = timeline.box.x, timeline.box.x + timeline.box.w
        while high - low > 1e-6:
            x = (low + high) / 2
            self._give([Motion(x, y)])
            low, high = (x, high) if self.interface.playback.time < time else (low, x)
        self._give([Motion(high, y), Release(high, y)])

    def play(self) -> None:
        """Play up to the end of the run."""
        self.press("transport.play")
        while self.interface.playback.playing:
            self._give([Tick(FRAME)])

    def sees(self, *words: str) -> None:
        """These texts are on the screen, also if they are broken into lines there."""
        shown = " ".join(self.texts())
        missing = [text for text in words if text not in shown]
        assert not missing, f"{missing} not in {shown}"

    def sees_not(self, *words: str) -> None:
        shown = " ".join(self.texts())
        assert not [text for text in words if text in shown], shown


@pytest.fixture(scope="module")
def student() -> Student:
    return Student()


def test_two_cash_machines(student: Student) -> None:
    """P1 is inside from 5 to 8, and P0 enters at 6.5: nobody asks, so no message is sent."""
    student.open("two-cash-machines")
    student.sees("Nothing has happened yet.", "safety not promised; holds")
    for _ in range(5):
        student.press("transport.forward")
    student.sees(
        "P0 requests the critical section and enters: no other process is asked.",
        "“Safety” fails: P0 enters while P1 is inside",
        "safety not promised; broken at step 5",
        "liveness holds so far",
        "total 0",
        "entries 3",
        "6.5 of 12",
    )


def test_the_coordinator(student: Student) -> None:
    """Each message takes 1. P1 asks at 1 and is inside from 3 to 6; P3's and P4's requests arrive at 3 and 3.5."""
    student.open("coordinator")
    student.drag_to(4.0)
    student.sees(
        "P0 receives a request from P4 and queues the request: P1's release has not arrived.",
        "liveness P3, P4 pending",
        "total 4",  # three requests and a grant
        "4 so far for 3 open requests",
    )
    student.select(4)
    student.sees(
        "Why is P4 waiting?",
        "It waits for a grant from P0.",
        "P0 has granted entry to P1, and P4 is number 2 of 2 in its queue.",
    )
    student.play()
    student.press("cards.close")
    student.sees(
        "total 12",  # request, grant and release of P1, P3, P4 and P2; the coordinator's own entry is free
        "entries 5",
        "per entry 3.0 3",
        "safety holds so far liveness holds so far",
    )


def test_the_coordinator_crashes(student: Student) -> None:
    """It is down from 20 on: whoever asks waits for its grant forever."""
    student.open("coordinator-crash")
    student.play()
    student.select(2)
    student.sees(
        "Why is P2 waiting?",
        "It waits for a grant from P0.",
        "P0 has crashed: it will never answer.",
        "P1's request reaches P0, which has crashed, and is lost. “Liveness” fails:",
        "can never be served",
        "liveness broken at step 37",
        "safety holds so far",
    )


def test_the_token_is_lost(student: Student) -> None:
    """It is lost in transit at 20.5: no process can notice, and none can enter any more. P1 is the last to ask."""
    student.open("lost-token")
    student.drag_to(40.0)
    student.sees("one token broken at step 26", "tokens alive 0 0: 49 %  1: 51 %", "liveness broken at step 28")
    student.sees("At t = 23.25: P1 requests the critical section. “Liveness” fails: P3's request (since 11.3)")
    student.select(2)
    student.sees("P2 waits for the token.", "The token has been lost; P2 cannot know this.")
    student.sees_not("Deadlock")


def test_a_reply_is_deferred(student: Student) -> None:
    """P1's request (2,1) of 4.0 is older than P3's (2,3) of 4.5, and P2, with (1,2), is inside."""
    student.open("deferred-reply")
    student.drag_to(5.6)
    student.select(3)
    student.sees(
        "Why is P3 waiting?",
        "It waits for a reply from each of P0, P1, P2 and P4.",
        "P1 has deferred its reply to P3: (2,1) is older than (2,3).",
        "P2 is in the critical section and has deferred its reply to P3: (1,2) is older than (2,3).",
        "P2 receives P3's request (2,3) and defers its reply: its own (1,2) is older than (2,3).",
        "liveness P1, P3 pending",
    )
    student.play()
    student.press("cards.close")
    student.sees("total 24", "entries 3", "per entry 8.0 2(N−1) = 8", "liveness holds so far")  # 2(N − 1) = 8 for each
