"""The window in a web page: Python runs in the page, which sends inputs and draws shapes. See assets/web/worker.js."""

from __future__ import annotations

import json
import zlib
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Iterable
from math import inf
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs

import msgspec

from algorithms import scenario_file
from algorithms.authoring import own_file
from algorithms.bad_input import BadInput
from algorithms.clock import wall_clock
from visual.drawing import fonts
from visual.drawing.encoding import FAMILIES, ShapeStream
from visual.drawing.shapes import Shape
from visual.drawing.theme import NAMES, load
from visual.narration.alt_text import alt_text
from visual.window import inputs as kinds
from visual.window import intents, keys
from visual.window.actions import perform
from visual.window.compare import pair_of
from visual.window.desk import Desk
from visual.window.gallery.cards import SECTIONS
from visual.window.inputs import Input
from visual.window.loop import LONGEST_TICK, Loop
from visual.window.memory import settings, unsaved
from visual.window.memory.unsaved import Memory
from visual.window.menus.contents import close_menu
from visual.window.run_view import RunView
from visual.window.state import Interface, OpenGallery
from visual.window.web.mirror import PACE, Mirror

OTHER_VERSION = "This page and the program in it are of different versions. Reload the page."
BUILDING = 0.015  # seconds of a frame after which still panels are postponed: Python takes longer in a page

_KINDS: dict[str, Any] = {
    kind.__name__: kind
    for kind in (
        *(kinds.Key, kinds.Typed, kinds.Press, kinds.Motion, kinds.Release),
        *(kinds.Wheel, kinds.Resize, kinds.SecondaryPress, kinds.Dropped),
        *(kinds.Focus, kinds.Use, kinds.MoveSlider, kinds.FillField),
    )
}


class LiveWindow:
    """The window of a page of some size, in pixels. It opens what the address asks for, or by default the gallery.

    `folder` is where files are saved and dropped; the page offers what is new there for download. `asked` is what
    follows ? and # in the address, and "touch" on a screen without a keyboard. `is_dark` and `is_still` are the wishes
    of the system: a dark theme, for a person who has not chosen one here, and reduced motion.
    """

    def __init__(
        self, width: int, height: int, folder: str, asked: str = "", is_dark: bool = False, is_still: bool = False
    ) -> None:
        parts = parts_of_address(asked)
        try:
            scenario, trouble = scenario_file.load(scenario_file.find(parts.get("open", scenario_file.DEFAULT))), ""
        except BadInput as error:
            scenario, trouble = scenario_file.load(scenario_file.find(scenario_file.DEFAULT)), str(error)
            parts = {name: parts[name] for name in ("theme", "touch") if name in parts}
        self._folder = Path(folder)
        has_chosen = settings.path().exists()
        self._loop = Loop(Desk(RunView(scenario)), Interface(), Memory(settings.path(), unsaved.folder()))
        interface = self._loop.interface.resized(width, height)
        usual = "dark" if is_dark and not has_chosen else interface.display.theme
        theme = parts.get("theme") if parts.get("theme") in NAMES else usual
        still, has_keys = is_still or interface.display.reduced_motion, "touch" not in parts
        interface = interface.with_display(theme=theme, reduced_motion=still, has_keys=has_keys)
        self._known_run = text_of(self._loop.desk) if "open" in parts else ""
        if not parts.keys() & {"open", "run"}:
            interface = interface.over(OpenGallery(SECTIONS[0]))
        self._loop.interface = self._opened(interface, parts) if not trouble else interface.say(trouble, 12.0)
        self._stream = ShapeStream(load(self._loop.interface.display.theme))
        self._mirror = Mirror()
        self._known = self._files()
        self._said, self._link = ("", ""), ""
        self._linked: object = None  # the moment that the latest link leads to
        self._described: object = None  # the moment that the latest description is of
        self._taken = self._told = 0  # the keys and letters so far, and those of which the page knows it
        self._is_full = False  # whether the page fills the screen, as it was asked to or has said
        self._is_due, self._seen = True, 0.0  # whether the elements may have changed; the time of the latest look

    def _opened(self, interface: Interface, parts: dict[str, str]) -> Interface:
        """The run and the step that the address asks for; `again` is the latest run that was not saved."""
        desk = self._loop.desk
        try:
            if "run" in parts:
                file = self._folder / "link.toml"
                file.write_text(unpacked(parts["run"]), "utf-8")
                interface = perform(interface, desk, intents.open_file(str(file)))
            elif "again" in parts and (kept := unsaved.files(unsaved.folder())):
                return perform(interface, desk, intents.open_unsaved(str(kept[0])))
            if desk.is_pair and parts.get("side") == "right":
                desk.place = 1
            return perform(interface, desk, intents.seek_step(step)) if (step := step_of(parts)) else interface
        except BadInput as error:
            return interface.say(str(error), 12.0)

    @staticmethod
    def keys() -> str:
        """The chords that the page takes, as JSON."""
        return json.dumps(sorted(keys.in_a_page()))

    @staticmethod
    def faces() -> str:
        """The family, weight and file of each font, as JSON."""
        return json.dumps([(FAMILIES[face[0]], face[1], str(fonts.path(*face))) for face in fonts.FACES])

    def frame(self, inputs: str, seconds: float) -> str:
        """What the page draws, says and offers after these inputs and so much time, as JSON; "" for nothing new.

        While a check is under way it is at least "{}", so that the next frame, which goes on with it, comes at once.
        An input is a list of the name of its kind and its values: ["Key", "Space"].
        """
        stop = wall_clock() + BUILDING if seconds else inf  # the first picture is whole
        leaves = False
        for kind, *values in json.loads(inputs) if inputs else ():
            leaves = self._receive(kind, values)
        menu = self._loop.interface.menu
        if picks := menu is not None and menu.name == "files":  # the browser's own dialog takes its place
            self._loop.interface = close_menu(self._loop.interface)
        self._loop.tick(min(seconds, LONGEST_TICK), is_quiet=not inputs)
        shapes = self._loop.shapes(stop, again=False)
        self._loop.tidy_up()
        news = self._news() if inputs or not self._loop.interface.is_moving else {}
        answer = {**self._picture(shapes), **self._words(), **news, **self._elements(shapes is not None)}
        if picks:
            answer["pick"] = True
        if leaves:
            answer["leave"] = True
        full = self._loop.interface.display.full_screen
        if full != self._is_full:
            answer["full"] = self._is_full = full
        return msgspec.json.encode(answer).decode() if answer or self._loop.desk.is_checking else ""

    def _receive(self, kind: str, values: list[Any]) -> bool:
        """Apply an input as `_apply` does. One that no page of this version sends is answered with a notice."""
        try:
            one = msgspec.convert(values, _KINDS[kind])
        except (KeyError, msgspec.ValidationError):
            self._loop.interface = self._loop.interface.say(OTHER_VERSION, 12.0)
            return False
        return self._apply(one)

    def _apply(self, one: Input) -> bool:
        """Apply an input; whether it was Esc and there was nothing to close, so that the keyboard leaves."""
        before = self._state()
        if isinstance(one, kinds.Dropped):
            self._known.add(one.path)  # the person has that file
        if isinstance(one, kinds.Resize):
            self._is_full = bool(one.is_full)
        self._loop.apply(one)
        if isinstance(one, kinds.Key | kinds.Typed):
            self._taken, self._is_due = self._taken + 1, True
        if isinstance(one, kinds.Focus):
            self._mirror.follow(self._loop.interface)
        return one == kinds.Key("Esc") and before == self._state()

    def _state(self) -> tuple[object, ...]:
        interface = self._loop.interface
        return interface.with_pointer(focus="", hover_seconds=0.0), self._loop.desk.revision, self._loop.desk.is_manual

    def _elements(self, is_new: bool) -> dict[str, Any]:
        """What has changed in the page's elements, its keyboard and its link; less often while the run plays."""
        interface, screen = self._loop.interface, self._loop.screen
        self._is_due = self._is_due or is_new
        is_early = interface.is_moving and interface.clock < self._seen + PACE
        if not self._is_due or is_early or screen.is_behind:
            return {}
        self._is_due, self._seen = False, interface.clock
        answer = {**self._mirror.changes(interface, screen), **self._mirror.focus(interface), **self._links()}
        if self._taken != self._told or "focus" in answer:
            answer["taken"] = self._told = self._taken
        return answer

    def _links(self) -> dict[str, str]:
        """The link to the present moment, if it is another and the run rests."""
        interface, desk = self._loop.interface, self._loop.desk
        if interface.is_moving:
            return {}
        is_run = not interface.section and desk.lesson is None
        present = [(run.timeline, run.timeline.branch.interventions, run.timeline.step) for run in desk.runs]
        if (is_run, present) == self._linked:
            return {}
        self._linked = (is_run, present)
        before, self._link = self._link, link_to(desk, self._known_run) if is_run else ""
        return {"link": self._link} if self._link != before else {}

    def _picture(self, shapes: Iterable[Shape] | None) -> dict[str, Any]:
        if shapes is None:
            return {}
        theme = load(self._loop.interface.display.theme)
        if theme.name != self._stream.theme.name:
            self._stream = ShapeStream(theme)
        fresh, gone, drawn = self._stream.picture(shapes)
        return {"picture": {"fresh": fresh, "gone": gone, "draw": drawn, "paper": theme.paper}}

    def _words(self) -> dict[str, str]:
        """What a screen reader hears, if it is new: a notice or the last step, a lesson's card, and the description.

        Nothing while the run plays.
        """
        interface, desk = self._loop.interface, self._loop.desk
        if interface.is_moving:
            return {}
        said = (interface.notice.words if interface.notice else desk.sentence, self._card())
        timeline = desk.front.timeline
        present = (interface.section, timeline, timeline.branch.interventions, timeline.step)
        if (said, present) == (self._said, self._described):
            return {}
        new = " ".join(words for words, before in zip(said, self._said, strict=True) if words != before and words)
        self._said, self._described = said, present
        return {**({"say": new} if new else {}), "description": self._description()}

    def _description(self) -> str:
        """The picture in words."""
        if section := self._loop.interface.section:
            return f"Gallery, {section}"
        run = self._loop.desk.front
        return alt_text(run.simulation, self._loop.interface.playback.time, run.ledger.breaches)

    def _card(self) -> str:
        """The words on the card of the open lesson."""
        desk = self._loop.desk
        if desk.lesson is None:
            return ""
        from visual.window.lesson.proof import moves_made  # only in a lesson
        from visual.window.lesson.rows import spoken  # the window without a lesson does without

        return spoken(desk.lesson, moves_made(desk))

    def _news(self) -> dict[str, list[str]]:
        """The files that are new in the folder."""
        before, self._known = self._known, self._files()
        new = sorted(self._known - before)
        return {"files": new} if new else {}

    def _files(self) -> set[str]:
        return {str(file) for file in self._folder.iterdir() if file.is_file()}


# ---- the part of an address after the #: a link to a moment ---------------------------------

CUT_OFF = "The link's run cannot be read; it may have been cut off. Copy the whole address."


def parts_of_address(words: str) -> dict[str, str]:
    """What an address asks for: "open=deferred-reply&step=14" -> its parts; of two equal ones the last counts."""
    return {name: values[-1] for name, values in parse_qs(words).items()}


def step_of(parts: dict[str, str]) -> int:
    """The step that an address asks for, by default the start. BadInput if it is none."""
    words = parts.get("step", "0")
    if not (words.isascii() and words.isdigit() and len(words) < 8):
        raise BadInput(f'step: expected a whole number from 0, got "{words}"')
    return int(words)


def link_to(desk: Desk, known: str) -> str:
    """The link to the latest step; "" for a run with an algorithm from a file, which no link can hold.

    `known` is the text of the run that the rest of the address opens.
    """
    if any(own_file.is_file(run.scenario.algorithm) for run in desk.runs):
        return ""
    run = desk.last_mover
    text, step = text_of(desk), f"step={run.timeline.step}{'&side=right' * desk.is_right(run)}"
    packed = urlsafe_b64encode(zlib.compress(text.encode(), 9)).decode().rstrip("=")
    return step if text == known else f"run={packed}&{step}"


def text_of(desk: Desk) -> str:
    """The run, or the two of them, as a file holds them."""
    return scenario_file.dumps(*pair_of(desk))


def unpacked(word: str) -> str:
    """The text of a run in a link. BadInput if there is none."""
    try:
        data, packer = urlsafe_b64decode(word + "=" * (-len(word) % 4)), zlib.decompressobj()
        text = packer.decompress(data, scenario_file.MOST_BYTES).decode()
    except (ValueError, zlib.error):
        raise BadInput(CUT_OFF) from None
    if not packer.eof:
        raise BadInput(CUT_OFF)
    return text
