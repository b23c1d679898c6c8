"""The source files of the house, and what each imports."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[2]
PACKAGES = ("algorithms", "lessons", "visual", "assets", "mutoscope")

FLOORS = (
    "assets",
    "algorithms.bad_input",
    "algorithms.files",
    "algorithms.machine",
    "algorithms.clock",
    "algorithms.engine",
    "algorithms.engine.rewrite",
    "algorithms.engine.observe",
    "algorithms.engine.check",
    "algorithms.components",
    "algorithms.election",
    "algorithms.mutual_exclusion",
    "algorithms.peer_to_peer",
    "algorithms.rewriting_systems",
    "algorithms.authoring",
    "algorithms.catalog",
    "algorithms.scenario_format",
    "algorithms.scenario_file",
    "algorithms.trace_file",
    "algorithms.examination",
    "lessons",
    "visual.drawing",
    "visual.words",
    "visual.analysis",
    "visual.narration",
    "visual.scene",
    "visual.window",
    "visual.commands",
    "visual.command_line",
    "mutoscope",
)
"""The packages of the house from the ground up: a module imports its own package and those below it."""

NAMED_BY_PAPERS = (
    "algorithms.components",
    "algorithms.election",
    "algorithms.mutual_exclusion",
    "algorithms.peer_to_peer",
    "algorithms.rewriting_systems",
)
"""Their names are those of the papers. The window shows their files as they stand, from the first class on."""

HELP = ("visual.commands",)
"""Packages whose modules' docstrings are the help of a command: words for a user, as in the window."""


@cache
def files(package: str) -> tuple[Path, ...]:
    """The Python files of a folder, given as "a/b"."""
    return tuple(sorted((ROOT / package).rglob("*.py")))


@cache
def tree(path: Path) -> ast.Module:
    """The syntax tree of a file. Nobody changes it: each file is parsed once for all tests."""
    return ast.parse(path.read_text(encoding="utf-8"))


@cache
def statements(path: Path) -> tuple[ast.stmt, ...]:
    """All statements of a file, those within functions and classes too."""
    return tuple(_statements(tree(path), lambda node: True))


def _statements(node: ast.AST, enters: Callable[[ast.stmt], bool]) -> Iterator[ast.stmt]:
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.stmt):
            if not enters(child):
                continue
            yield child
            yield from _statements(child, enters)
        elif isinstance(child, ast.ExceptHandler | ast.match_case):
            yield from _statements(child, enters)


@cache
def module_name(path: Path) -> str:
    """`ROOT/a/b/__init__.py` -> "a.b"."""
    name = ".".join(path.relative_to(ROOT).with_suffix("").parts)
    return name.removesuffix(".__init__")


def is_within(name: str, *packages: str) -> bool:
    """Whether a module is one of the packages, or in one of them."""
    return any(name == package or name.startswith(package + ".") for package in packages)


@cache
def imports(path: Path, *, late: bool = True) -> frozenset[str]:
    """The modules a file imports; without `late`, only those imported when it is loaded."""
    names = set()
    for node in statements(path) if late else _statements(tree(path), _is_at_once):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            names |= {_imported(node.module, alias.name) for alias in node.names}
    return frozenset(names)


@cache
def _imported(module: str, name: str) -> str:
    """What `from module import name` imports: the module of that name in a package, otherwise the module itself."""
    inner = ROOT.joinpath(*module.split("."), name)
    is_module = inner.with_suffix(".py").is_file() or (inner / "__init__.py").is_file()
    return f"{module}.{name}" if is_module else module


def import_graph(*, late: bool = True) -> dict[str, frozenset[str]]:
    """Each module with those of the house that it imports; without `late`, only those imported when it is loaded."""
    paths = {module_name(path): path for package in PACKAGES for path in files(package)}
    return {name: imports(path, late=late).intersection(paths) - {name} for name, path in paths.items()}


def _is_at_once(node: ast.stmt) -> bool:
    """Whether a statement, and those within it, run when the file is loaded."""
    if isinstance(node, ast.If):
        return "TYPE_CHECKING" not in ast.dump(node.test)
    return not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
