"""No text that a person reads has a phrase that the rules of the program's English advise against.

Texts are the strings of the source that have a space, the docstrings of commands and of algorithms, the comments of
algorithms, which are captions, and the files that people read: scenarios, lessons, README and docs.
"""

from __future__ import annotations

import ast
import io
import re
import tokenize
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.sources import HELP, NAMED_BY_PAPERS, PACKAGES, ROOT, files, is_within, module_name, tree

INSTEAD = {
    r"on (its|their) way": "in transit",
    r"in all(?=[.,;:)]|$)": "total",
    r"takes? [^.,;:]+ for (a |the )?(leader|coordinator|lost|dead|vote|token)": "accepts … as leader, mistakes … for",
    r"so many": "number of",
    r"for ever": "forever",
    r"time-outs?": "timeout",
    r"(?<!\.)wants(?! to\b| the critical section)": "is waiting",
    r"gets": "receives",
    r"(is|are) not there": "is down",
    r"dead": "crashed, down",
    r"(not|unless) given": "default: …",
    r"as far as": "up to, where",
    r"of late": "recently",
    r"receipts?": "acknowledgement",
    r"stays? (away|out)": "does not come back",
    r"deeds?": "event, fault",
    r"(measured|published) again": "reproduced",
    r"in the place of": "instead of",
    r"(?:(?<=^)|(?<=[.;:!?] ))(Who(ever)?|Whom|What(ever)?|Where(ver)?) [^.?!:;,]*\.": "a subject: “a process that …”",
}
"""A phrase not to use, as a regular expression -> what to say."""

QUOTING = ("docs/glossary.md", "docs/found.md")
"""Files that quote such phrases: as words not to use, and as they were found."""


def strings(path: Path) -> Iterator[str]:
    """The texts in a source file."""
    source = path.read_text(encoding="utf-8")
    docs = {id(node.value) for node in ast.walk(tree(path)) if isinstance(node, ast.Expr)}
    constants = (n.value for n in ast.walk(tree(path)) if isinstance(n, ast.Constant) and id(n) not in docs)
    yield from (value for value in constants if isinstance(value, str))
    if is_within(module_name(path), *HELP, *NAMED_BY_PAPERS):
        yield ast.get_docstring(tree(path)) or ""
    if is_within(module_name(path), *NAMED_BY_PAPERS):
        tokens = tokenize.generate_tokens(io.StringIO(source).readline)
        yield from (token.string for token in tokens if token.type == tokenize.COMMENT)


def paragraphs(path: Path) -> list[str]:
    """The paragraphs of a file that is not source."""
    return re.split(r"\n\s*\n", path.read_text(encoding="utf-8"))


def phrases(text: str) -> list[str]:
    """The phrases in a text that are not to be used. Single words in quotes are names, and no text."""
    if " " not in text:
        return []
    prose = re.sub(r"\s+", " ", re.sub(r"\"[^\"\s]*\"|`[^`]*`", " ", text))
    if " " not in prose.strip() or not ANY_PHRASE.search(prose):  # nearly every text: one search instead of twenty
        return []
    return [match[0] for pattern in INSTEAD for match in re.finditer(_whole(pattern), prose)]


def _whole(pattern: str) -> str:
    """The pattern, not within a word."""
    return rf"(?<!\w)(?:{pattern})(?!\w)"


ANY_PHRASE = re.compile("|".join(map(_whole, INSTEAD)))


SOURCES = [path for package in PACKAGES for path in files(package)]
DOCUMENTS = [
    ROOT / "README.md",
    *(ROOT / "docs").glob("*.md"),
    *(ROOT / "assets").rglob("*.toml"),
    *(path for path in (ROOT / "lessons/course").iterdir() if path.suffix in (".md", ".toml")),
]


def test_the_strings_of_the_source():
    found = [(str(path.relative_to(ROOT)), text, phrases(text)) for path in SOURCES for text in strings(path)]
    assert not [each for each in found if each[-1]]


def test_the_files_that_people_read():
    read = [path for path in DOCUMENTS if str(path.relative_to(ROOT)) not in QUOTING]
    found = [(str(path.relative_to(ROOT)), text, phrases(text)) for path in read for text in paragraphs(path)]
    assert not [each for each in found if each[-1]]


@pytest.mark.parametrize(
    ("text", "phrase"),
    [
        ("The token is on its way to P3.", "on its way"),
        ("8 messages in all", "in all"),
        ("holds in all 589 states", None),
        ("P3 takes P4 for the leader", "takes P4 for the leader"),
        ("P1 wants nothing", "wants"),
        ("P1 wants to enter", None),
        ("Ask first. Who waits asks again.", "Who waits asks again."),
        ("Who enters next? P1 has asked.", None),
        ('first = ["dead-neighbour"]', None),
    ],
)
def test_phrases(text, phrase):
    assert phrases(text) == ([phrase] if phrase else [])
