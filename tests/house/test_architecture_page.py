"""docs/architecture.md names the floors in their order, and files and functions that exist; docs/found.md tests."""

from __future__ import annotations

import ast
import re
from functools import cache
from pathlib import Path

from tests.support.sources import FLOORS, PACKAGES, ROOT, files, tree

PAGE = (ROOT / "docs/architecture.md").read_text(encoding="utf-8")
SPANS = re.findall(r"`([^`\n]+)`", PAGE.replace("```", ""))
PATHS = sorted({span for span in SPANS if re.fullmatch(r"[\w./]+(/|\.py|\.toml|\.md)", span)})
NAMES = sorted({span.removeprefix("self.") for span in SPANS if re.fullmatch(r"\w+(\.\w+)?", span)} - {*PATHS})
IN_FILES = sorted(set(re.findall(r"`([\w/]+\.py)`:\s+`([\w.]+)`", PAGE)))
FOLDERS = ("", "algorithms", "algorithms/engine", "assets", "lessons", "visual/window")  # paths may start there
MOST_CHARACTERS = 12_000  # two pages


@cache
def defined_in(path: Path) -> frozenset[str]:
    """The functions, classes, methods, fields and constants that a file defines, as "name" and as "Class.name"."""
    return frozenset(_definitions(tree(path), ""))


def _definitions(tree: ast.AST, owner: str) -> set[str]:
    names: set[str] = set()
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.expr):
            continue
        own = _own_names(node)
        names |= {*own, *(f"{owner}.{name}" for name in own)}
        names |= _definitions(node, node.name if isinstance(node, ast.ClassDef) else owner)
    return names


def _own_names(node: ast.AST) -> list[str]:
    if isinstance(node, ast.ClassDef | ast.FunctionDef):
        return [node.name]
    targets = node.targets if isinstance(node, ast.Assign) else [node.target] if isinstance(node, ast.AnnAssign) else []
    return [target.id for target in targets if isinstance(target, ast.Name)]


def test_the_picture_shows_all_floors_from_the_top_down():
    (picture,) = re.findall(r"```\n(.*?)```", PAGE, flags=re.DOTALL)
    assert [line.split()[0] for line in picture.splitlines()] == [*reversed(FLOORS)]


def test_its_paths_exist():
    assert not [path for path in PATHS if not any((ROOT / folder / path).exists() for folder in FOLDERS)]


def test_a_name_is_defined_somewhere():
    everywhere = frozenset().union(*(defined_in(path) for package in PACKAGES for path in files(package)))
    assert not [name for name in NAMES if name not in everywhere]


def test_names_are_defined_in_their_files():
    assert not [(path, name) for path, name in IN_FILES if name not in defined_in(ROOT / path)]


def test_the_page_stays_short():
    assert len(PAGE) <= MOST_CHARACTERS


def test_every_finding_is_mended_with_a_test_that_exists_or_declined():
    lines = re.findall(r"^(\d+)\. (.+)$", (ROOT / "docs/found.md").read_text(encoding="utf-8"), re.MULTILINE)
    assert [int(number) for number, _ in lines] == [*range(1, 73)]
    for number, line in lines:
        tests = re.findall(r"tests/[\w/]+\.py", line)
        assert tests or "declined" in line, number
        assert all((ROOT / test).is_file() for test in tests), number
