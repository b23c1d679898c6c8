"""Names and docstrings use the words of docs/glossary.md, and none that it advises against."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.support.sources import HELP, NAMED_BY_PAPERS, PACKAGES, ROOT, files, is_within, module_name, statements, tree


class Entry(NamedTuple):
    """A line of the glossary: the word to use, and the words not to use for it."""

    word: str
    not_in_names: tuple[str, ...]
    not_in_docstrings: tuple[str, ...]


def read_glossary(text: str) -> list[Entry]:
    """The entries of all tables with four columns."""
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in text.splitlines() if line[:1] == "|"]
    rows = [row for row in rows if row[0] != "say" and not row[0].startswith("---")]
    return [Entry(word, _words(names), _words(docs)) for word, _, names, docs in rows]


def _words(cell: str) -> tuple[str, ...]:
    return tuple(filter(None, (word.strip() for word in cell.split(","))))


GLOSSARY = read_glossary((ROOT / "docs/glossary.md").read_text(encoding="utf-8"))
ANSWERS = ("is", "has", "have", "are", "was", "on")  # first words of yes-or-no questions and of observers' methods


def spaced(name: str) -> str:
    """A name as lower-case words: `KnownMessage` -> "known message"."""
    return " ".join(re.findall(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+", name)).lower()


def is_bad_name(name: str, word: str) -> bool:
    """Whether a name contains the word or, if that begins with "…", ends with it."""
    words = spaced(name)
    if word.startswith("…"):
        return words.split()[-1:] == [word[1:]] and words.split()[0] not in ANSWERS
    return contains(words, word)


def contains(text: str, words: str) -> bool:
    return re.search(rf"\b{re.escape(words)}(s|es)?\b", text) is not None


def prose(docstring: str) -> str:
    """A docstring in lower case and on one line, without code and quotations."""
    return " ".join(re.sub(r"`[^`]*`|\"[^\"]*\"|“[^”]*”", " ", docstring).split()).lower()


def definitions(path: Path) -> Iterator[ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef]:
    return (n for n in statements(path) if isinstance(n, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef))


def bad_names(path: Path) -> list[str]:
    """The names in a file that a word not to use is part of, with the word to use."""
    defined = [(n.name, n.lineno) for n in definitions(path)]
    names = [(path.stem, 1), *((name, line) for name, line in defined if not name.startswith("_"))]
    return [
        f"{path.relative_to(ROOT)}:{line}: {name} ({word.strip('…')}): say {entry.word}"
        for name, line in names
        for entry in GLOSSARY
        for word in entry.not_in_names
        if is_bad_name(name, word)
    ]


def bad_docstrings(path: Path) -> list[str]:
    """The docstrings in a file that a phrase not to use is in, with the word to use."""
    own = () if is_within(module_name(path), *HELP) else (tree(path),)
    inner = () if is_within(module_name(path), *NAMED_BY_PAPERS) else definitions(path)
    return [
        f"{path.relative_to(ROOT)}:{getattr(node, 'lineno', 1)}: {word}: say {entry.word}"
        for node in (*own, *inner)
        for text in [prose(ast.get_docstring(node) or "")]
        for entry in GLOSSARY
        for word in entry.not_in_docstrings
        if contains(text, word.lower())
    ]


SOURCES = [path for package in PACKAGES for path in files(package)]
NAMED = [path for path in SOURCES if not is_within(module_name(path), *NAMED_BY_PAPERS)]


def test_names_use_the_words_of_the_glossary():
    assert not [bad for path in NAMED for bad in bad_names(path)]


def test_docstrings_use_the_words_of_the_glossary():
    assert not [bad for path in SOURCES for bad in bad_docstrings(path)]


def test_each_word_is_explained_once_and_is_not_advised_against():
    words = [word.strip() for entry in GLOSSARY for word in entry.word.split(",")]
    assert len(words) == len(set(words))
    avoided = {word for entry in GLOSSARY for word in (*entry.not_in_names, *entry.not_in_docstrings)}
    assert not avoided & set(words)


@pytest.mark.parametrize(
    ("name", "word", "bad"),
    [
        ("letter_count", "letter", True),
        ("LettersInTransit", "letter", True),
        ("lettering", "letter", False),
        ("all_found", "…found", True),
        ("is_found", "…found", False),
        ("found_states", "…found", False),
        ("messages_in_flight", "in flight", True),
    ],
)
def test_words_in_names(name, word, bad):
    assert is_bad_name(name, word) is bad


def test_code_and_quotations_are_free():
    assert prose('The `deeds` of "whoever"\n    waits.') == "the of waits."
