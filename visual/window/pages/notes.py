"""The page of notes for a speaker, with markers and the algorithm's promises."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from algorithms.engine.observe.verdicts import NAMES
from algorithms.engine.scenario import Marker
from visual.drawing import fonts
from visual.drawing.shapes import Rect, Shape, Text
from visual.window import intents
from visual.window.pages.run import formula_words
from visual.window.panel import Panel, View, flow_lines, highlight
from visual.window.run_view import RunView
from visual.window.widgets import Look, Scroller, Target, Widget
from visual.words import assumption_words

_BETWEEN = 0.6  # of the letters' size, between two paragraphs


class Paragraph(NamedTuple):
    """A heading, a text, or with a marker a line to click."""

    words: str
    is_heading: bool = False
    marker: Marker | None = None


def notes(view: View) -> Panel:
    """Notes, markers and promises in one list; a click goes to a marker."""
    look, region = view.look, view.region
    lines = _wrapped(look, _paragraphs(view.run), region.w - look.px(24))
    passed = [
        place
        for place, line in enumerate(lines)
        if line.marker and line.marker.at <= view.interface.playback.time + 1e-9
    ]
    present = passed[-1] if passed else None
    visible, scroller = flow_lines(view, "notes", region, [_height(look, line) for line in lines])
    shapes: list[Shape] = []
    widgets: list[Widget] = [scroller]
    for place, rect in visible:
        line = lines[place]
        if line.marker is not None:
            target = _target(scroller, place, line.marker, rect, look)
            widgets.append(target)
            if place == present:
                shapes.append(highlight(look, target.box))
        shapes += _line(look, line, rect)
    return Panel(tuple(shapes), tuple(widgets), f"notes.{present}" if present is not None else "")


def _paragraphs(run: RunView) -> Iterator[Paragraph]:
    scenario, algorithm = run.scenario, run.simulation.algorithm
    yield Paragraph(scenario.title or algorithm.title, is_heading=True)
    for words in scenario.notes.splitlines() or [algorithm.summary]:
        yield Paragraph(words)
    if scenario.markers:
        yield Paragraph("Markers", is_heading=True)
        for marker in sorted(scenario.markers, key=lambda marker: marker.at):
            yield Paragraph(marker.name, marker=marker)
    if scenario.speaker:
        yield Paragraph("For the speaker", is_heading=True)
        for words in scenario.speaker.splitlines():
            yield Paragraph(words)
    if algorithm.explanation:
        yield Paragraph("How it works", is_heading=True)
        yield Paragraph(algorithm.explanation)
        for letter, meaning in algorithm.symbols.items():
            yield Paragraph(f"{letter}: {meaning}")
    if scenario.variant:
        yield Paragraph(f"Variant {scenario.variant}: {algorithm.variants[scenario.variant].summary}")
    yield Paragraph("Assumptions", is_heading=True)
    yield Paragraph(assumption_words(algorithm.assumes))
    promised = [verdict for verdict in run.ledger.verdicts if verdict.promised]
    yield Paragraph("Guarantees", is_heading=True)
    if not promised:
        yield Paragraph("none")
    for verdict in promised:
        yield Paragraph(f"{NAMES.get(verdict.name, verdict.name)}: {verdict.words}")
    if algorithm.cost is not None:
        yield Paragraph("Cost", is_heading=True)
        note = f" ({algorithm.cost.note})" if algorithm.cost.note else ""
        yield Paragraph(f"{formula_words(scenario, algorithm)} messages{note}")
    yield Paragraph("Source", is_heading=True)
    yield Paragraph(algorithm.source)


def _wrapped(look: Look, paragraphs: Iterator[Paragraph], room: float) -> list[Paragraph]:
    """The paragraphs in lines, with empty lines between them."""
    lines: list[Paragraph] = []
    for paragraph in paragraphs:
        if lines and not (lines[-1].is_heading or paragraph.marker):
            lines.append(Paragraph(""))
        if paragraph.marker is not None:
            lines.append(paragraph)
        else:
            size, weight = _type(look, paragraph)
            lines += [
                paragraph._replace(words=words) for words in fonts.wrap(paragraph.words, room, size, weight=weight)
            ]
    return lines


def _height(look: Look, line: Paragraph) -> float:
    if line.marker is not None or line.is_heading:
        return look.dense
    return (fonts.LINE_HEIGHT if line.words else _BETWEEN) * look.size("small")


def _type(look: Look, paragraph: Paragraph) -> tuple[float, fonts.Weight]:
    return (look.px(18), "bold") if paragraph.is_heading else (look.size("small"), "normal")


def _target(scroller: Scroller, place: int, marker: Marker, rect: Rect, look: Look) -> Target:
    box = rect._replace(w=rect.w - look.px(12))
    return Target(f"notes.{place}", box, intents.go_to_moment(("notes", scroller.offset, marker.at)), dense=True)


def _line(look: Look, line: Paragraph, rect: Rect) -> list[Shape]:
    if not line.words:
        return []
    theme, middle = look.theme, rect.y + rect.h / 2
    size, weight = _type(look, line)
    ink = theme.muted if line.is_heading else theme.ink
    if line.marker is None:
        return [Text(rect.x, middle, line.words, size, ink, weight, baseline="middle")]
    left = rect.x + look.px(90)
    words = fonts.shorten(line.words, rect.x + rect.w - look.px(20) - left, size)
    time = f"{line.marker.at:.1f}"
    return [
        Text(left - look.px(16), middle, time, size, theme.muted, "normal", "mono", "end", "middle"),
        Text(left, middle, words, size, ink, weight, baseline="middle"),
    ]
