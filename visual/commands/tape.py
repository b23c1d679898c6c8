"""Tapes: scripts of films, one command on a line.

    at 5            play on to a time, or to marker:NAME; the first one is where the film begins
    wait 2          keep the picture for two seconds
    speed 0.5       play at half the speed
    act crash 3     intervene in the run; the values that the event needs, or NAME=VALUE
    select P3       select a node; select none
    view graph      both, graph or space-time
    note WORDS      show these words instead of the caption; without words, the caption again

Empty lines are left out, and those that begin with #.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from algorithms import catalog
from algorithms.authoring.failures import guard_timeline
from algorithms.bad_input import BadInput
from algorithms.engine.faults import FAULTS
from algorithms.engine.scenario import Scenario
from algorithms.files import read_text
from algorithms.scenario_file import saved_run
from algorithms.scenario_format import shorthand
from algorithms.scenario_format.events import read_event
from algorithms.scenario_format.place import Place, path_words
from lessons.reading.markdown import at_line
from visual.commands.filming import Shown, moments
from visual.commands.picture_options import decimal, selected_of
from visual.commands.pictures import Instant, go_to, time_of
from visual.scene.still import CROP_OF_VIEW, Still

MOST_WAITED = 600.0  # seconds of one wait, or of a stop
SPEEDS = 0.001, 1_000.0  # the lowest and the highest


class Tape:
    """A tape while it is read: the run with its interventions so far, and the moments that the film shows."""

    def __init__(self, scenario: Scenario, look: Still, speed: float, fps: int) -> None:
        self._timeline = catalog.timeline(scenario)
        self._look, self._speed, self._fps = look, speed, fps
        self._time: float | None = None  # where the tape is; None before the first `at`
        self.shown: list[Shown] = []

    @property
    def scenario(self) -> Scenario:
        """The scenario with the interventions of the tape."""
        return saved_run(self._timeline)

    def read(self, line: str, place: Place) -> None:
        """Follow one line. BadInput if it makes no sense."""
        name, _, rest = line.strip().partition(" ")
        if not name or name.startswith("#"):
            return
        if name not in _COMMANDS:
            raise place.unknown("command", name, _COMMANDS)
        _COMMANDS[name](self, rest.strip(), place)

    def at(self, word: str, place: Place) -> None:
        """Play on to a moment."""
        time, before = time_of(place, word, self._timeline.scenario), self._time
        if before is not None:
            if time <= before:
                raise place.expected(f"a time after {before:g}, where the tape is", word)
            _, *after = moments(self.scenario, before, time, self._look, speed=self._speed, fps=self._fps)
            self.shown += after[:-1]
        self._time = time
        go_to(self._timeline, Instant(time=time))
        self._show(1)

    def wait(self, word: str, place: Place) -> None:
        """Keep the picture."""
        self._show(max(1, round(decimal(place, word, 0.0, MOST_WAITED) * self._fps)))

    def speed(self, word: str, place: Place) -> None:
        """Change the speed."""
        self._speed = decimal(place, word, *SPEEDS)

    def act(self, words: str, place: Place) -> None:
        """Intervene in the run."""
        do, *values = words.split() or [""]
        if do not in FAULTS:
            raise place.unknown("event", do, FAULTS)
        needs = [need for need in FAULTS[do].needs if not any(value.startswith(f"{need}=") for value in values)]
        bare = [value for value in values if "=" not in value]
        if len(bare) > len(needs):
            raise place.expected(f"at most {len(needs)} value{'s' * (len(needs) != 1)} for {do}", words)
        named = [f"{need}={value}" for need, value in zip(needs, bare, strict=False)]
        others = [value for value in values if "=" in value]
        table = shorthand.event(" ".join([str(self._time or 0.0), do, *named, *others]), place)
        scenario = self._timeline.scenario
        event = read_event(table, self._timeline.algorithm, scenario.nodes, place)
        if self._time is None:
            raise place.wrong("expected at, and when the film begins, before an intervention")
        with guard_timeline(self._timeline):
            self._timeline.act(event)

    def select(self, word: str, place: Place) -> None:
        """Select a node."""
        try:
            selected = "" if word == "none" else selected_of(word)
        except BadInput:
            raise place.expected("a node such as P3, or none", word) from None
        self._look = replace(self._look, selected=selected)

    def view(self, word: str, place: Place) -> None:
        """Change the view."""
        if word not in CROP_OF_VIEW:
            raise place.unknown("view", word, CROP_OF_VIEW)
        self._look = replace(self._look, crop=CROP_OF_VIEW[word])

    def note(self, words: str, place: Place) -> None:
        """Show words instead of the caption."""
        self._look = replace(self._look, caption=words or None)

    def _show(self, ticks: int) -> None:
        """Show the present state, without what a later line does at the same time."""
        step = self._timeline.step
        self.shown.append(Shown(0.0 if self._time is None else self._time, ticks, self._look, step))


_COMMANDS: dict[str, Callable[[Tape, str, Place], None]] = {
    "at": Tape.at,
    "wait": Tape.wait,
    "speed": Tape.speed,
    "act": Tape.act,
    "select": Tape.select,
    "view": Tape.view,
    "note": Tape.note,
}


def read_tape(path: Path, scenario: Scenario, look: Still, speed: float, fps: int) -> Tape:
    """The tape in a file. BadInput, with file and line, if it makes no sense."""
    try:
        lines = read_text(path).splitlines()
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is not text in UTF-8"
        raise BadInput(f"{path_words(path)}: cannot be read ({reason})") from None
    tape = Tape(scenario, look, speed, fps)
    for number, line in enumerate(lines, 1):
        tape.read(line, at_line(path.name, number))
    if not tape.shown:
        raise BadInput(f"{path.name}: expected a line with at, and when the film begins")
    return tape
