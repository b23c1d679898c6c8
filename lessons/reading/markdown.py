"""The text of a lesson file -> front matter, sections, and the blocks in them. Knows no keys."""

from __future__ import annotations

import re
import tomllib
from typing import Any, NamedTuple

from algorithms.bad_input import BadInput
from algorithms.scenario_format.place import Place, suggestion
from lessons.lesson import Passage

FENCE = "~~~"
FRONT = "+++"
NOTES = "notes"
LONGEST_HEADING = 60
MOST_BYTES = 200_000

_OTHER_MARKDOWN = (  # what looks like Markdown and has no meaning here
    (re.compile(r"!\[[^\]]*\]\("), "a picture"),
    (re.compile(r"\[[^\]]+\]\([^)]*\)"), "a link"),
    (re.compile(r"^\s*\|.*\|\s*$"), "a table"),
    (re.compile(r"^\s*```"), "a block of ```"),
    (re.compile(r"^#{1,6} "), "a heading of another level"),
    (re.compile(r"^\s*(\d+\.|[*+]) "), "a list of another kind"),
    (re.compile(r"^\s*> "), "a quotation"),
    (re.compile(r"</?[A-Za-z][^>]*>"), "HTML"),
)


class Block(NamedTuple):
    """A fenced block with a task: its kind, its table, and the line on which it begins."""

    kind: str
    table: dict[str, Any]
    line: int


class LessonSection(NamedTuple):
    """What stands under one heading."""

    heading: str
    line: int
    paragraphs: tuple[Passage, ...]
    block: Block | None
    notes: str


def split(text: str, file: str, kinds: tuple[str, ...]) -> tuple[dict[str, Any], list[LessonSection]]:
    """The front matter and the sections of a lesson's text. BadInput, with the line, for anything else."""
    lines = _lines(text)
    if lines[0].strip() != FRONT:
        raise at_line(file, 1).expected(f"{FRONT} and the front matter of a lesson", lines[0].strip()[:40])
    end = next((i for i, line in enumerate(lines[1:], 1) if line.strip() == FRONT), None)
    if end is None:
        raise _wrong(file, 1, f"the front matter does not end: expected {FRONT}")
    front = _toml("\n".join(lines[1:end]), file, 1)
    return front, _Sections(lines, end + 1, file, kinds).read()


def _lines(text: str) -> list[str]:
    return text.replace("\r\n", "\n").replace("\r", "\n").split("\n")


def with_line(sentence: str, file: str, text: str) -> str:
    """A sentence about a key of a lesson's front matter with the key's line, or that of the table it belongs in."""
    if not sentence.startswith(f"{file}: "):
        return sentence  # it has its line
    keys = re.findall(r"[^.\[\]]+", sentence.removeprefix(f"{file}: ").partition(": ")[0])
    found, depth, table = 1, 0, list[str]()
    for number, line in enumerate(_lines(text), 1):
        if number > 1 and line.strip() == FRONT:
            break
        header, name = re.match(r"\[+([^\]]+)\]", line), re.match(r"([\w-]+)\s*=", line)
        table = header[1].split(".") if header else table
        path = [*table, name[1]] if name else table if header else []
        if depth < len(path) and path == keys[: len(path)]:
            found, depth = number, len(path)
    return f"{file}:{found}: {sentence.removeprefix(f'{file}: ')}"


def at_line(file: str, line: int) -> Place:
    """The place of a line of a lesson file, counted from 1."""
    return Place(f"{file}:{line}")


class _Sections:
    """Reads the sections of a file line by line."""

    def __init__(self, lines: list[str], first: int, file: str, kinds: tuple[str, ...]) -> None:
        self._lines = lines
        self._at = first
        self._file = file
        self._kinds = kinds

    def read(self) -> list[LessonSection]:
        sections = []
        while self._at < len(self._lines):
            line = self._lines[self._at]
            if line.startswith("## "):
                sections.append(self._section(line[3:].strip()))
            elif line.strip():
                raise self._wrong(f'expected ## and the heading of a step, got "{line.strip()[:40]}"')
            else:
                self._at += 1
        if not sections:
            raise self._wrong("expected at least one step: ## and its heading")
        return sections

    def _section(self, heading: str) -> LessonSection:
        line = self._at + 1
        if not 0 < len(heading) <= LONGEST_HEADING:
            raise self._wrong(f"expected a heading of 1 to {LONGEST_HEADING} characters, got {len(heading)}")
        self._at += 1
        paragraphs: list[Passage] = []
        block, notes = None, ""
        is_open = False  # whether the next line continues the last paragraph
        while self._at < len(self._lines) and not self._lines[self._at].startswith("## "):
            text = self._lines[self._at]
            if text.startswith(FENCE):
                kind, body, begun = self._fenced()
                if kind == NOTES:
                    if notes:
                        raise _wrong(self._file, begun, "expected one block of notes under a heading, got a second one")
                    notes = "\n".join(body).strip()
                elif block is not None:
                    raise _wrong(self._file, begun, "expected one task under a heading, got a second one")
                else:
                    block = Block(kind, _toml("\n".join(body), self._file, begun), begun)
                is_open = False
                continue
            is_open = self._text(text, paragraphs, is_open)
            self._at += 1
        return LessonSection(heading, line, tuple(paragraphs), block, notes)

    def _text(self, text: str, paragraphs: list[Passage], is_open: bool) -> bool:
        """Add a line of text; whether the next one continues it."""
        words = text.strip()
        if not words:
            return False
        for pattern, what in _OTHER_MARKDOWN:
            if pattern.search(text):
                raise self._wrong(f"expected plain text, a list, code or bold, got {what}")
        if words.startswith("- "):
            paragraphs.append(Passage(words[2:].strip(), is_item=True))
        elif is_open:
            last = paragraphs.pop()
            paragraphs.append(Passage(f"{last.words} {words}", last.is_item))
        else:
            paragraphs.append(Passage(words))
        return True

    def _fenced(self) -> tuple[str, list[str], int]:
        """The kind, the lines and the first line number of a block."""
        begun = self._at + 1
        kind = self._lines[self._at][len(FENCE) :].strip()
        if kind != NOTES and kind not in self._kinds:
            raise self._wrong(f'unknown kind "{kind}"; {suggestion(kind, self._kinds)}')
        end = next((i for i in range(self._at + 1, len(self._lines)) if self._lines[i].strip() == FENCE), None)
        if end is None:
            raise self._wrong(f"the block begun here does not end: expected {FENCE}")
        body = self._lines[self._at + 1 : end]
        self._at = end + 1
        return kind, body, begun

    def _wrong(self, sentence: str) -> BadInput:
        return _wrong(self._file, self._at + 1, sentence)


def _toml(text: str, file: str, line: int) -> dict[str, Any]:
    """The table of a block whose fence stands on `line`."""
    try:
        return tomllib.loads(text)
    except RecursionError:
        raise _wrong(file, line, "not TOML that can be read (nested too deeply)") from None
    except ValueError as error:
        words = str(error).splitlines()[0]
        where = re.search(r" \(at line (\d+), column \d+\)$", words)
        if where:
            line += int(where.group(1))
            words = words[: where.start()]
        raise _wrong(file, line, f"not valid TOML ({words[:120]})") from None


def _wrong(file: str, line: int, sentence: str) -> BadInput:
    return at_line(file, line).wrong(sentence)
