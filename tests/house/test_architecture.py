"""Which module may import which, read off the import statements."""

from __future__ import annotations

import ast
import io
import os
import subprocess
import sys
import tokenize
from collections import Counter
from functools import cache
from pathlib import Path

import networkx
import pytest

from algorithms import catalog
from algorithms.engine.part import parts_of
from tests.support.sources import (
    FLOORS,
    PACKAGES,
    ROOT,
    files,
    import_graph,
    imports,
    is_within,
    module_name,
    statements,
    tree,
)

SURFACES = (
    "visual.drawing.paint",
    "visual.drawing.export",
    "visual.window.app",
    "visual.window.presenting.presenter_window",
)  # who may import pygame: drawing, saving, the window


def test_the_engine_imports_the_standard_library_and_itself():
    names = [(path, name) for path in files("algorithms/engine") for name in imports(path)]
    foreign = [(path, name) for path, name in names if name.split(".")[0] not in sys.stdlib_module_names]
    assert not [(path, name) for path, name in foreign if not is_within(name, "algorithms.engine")]


MOST_CORE_LINES = 2_500
CORE = sorted((ROOT / "algorithms/engine").glob("*.py"))
"""The core of the engine; the folders beside it are layers upon it."""


def lines_of_code(path: Path) -> int:
    """The number of lines of a file that hold code: not blank, comment or docstring."""
    source = path.read_text(encoding="utf-8")
    statements = (node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Expr))
    texts = (s for s in statements if isinstance(s.value, ast.Constant) and isinstance(s.value.value, str))
    documented = {line for text in texts for line in _lines(text.lineno, text.end_lineno)}
    tokens = (t for t in tokenize.generate_tokens(io.StringIO(source).readline) if t.type not in _NO_CODE)
    return len({line for token in tokens for line in _lines(token.start[0], token.end[0])} - documented)


_NO_CODE = {
    *(tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE),
    *(tokenize.INDENT, tokenize.DEDENT, tokenize.ENDMARKER),
}


def _lines(first: int, last: int) -> range:
    return range(first, last + 1)


def test_the_core_of_the_engine_stays_small():
    sizes = {path.name: lines_of_code(path) for path in CORE}
    assert sum(sizes.values()) <= MOST_CORE_LINES, sizes


def test_only_code_counts_as_code(tmp_path):
    path = tmp_path / "one.py"
    path.write_text(
        '"""Doc\nstring."""\n\n# comment\nx = (  # one\n    1,\n)\n\n\ndef f():\n    """Doc."""\n    return x\n'
    )
    assert lines_of_code(path) == 5


def test_the_core_of_the_engine_imports_no_layer():
    layers = [
        f"algorithms.engine.{folder.name}" for folder in (ROOT / "algorithms/engine").iterdir() if folder.is_dir()
    ]
    assert not [(path, name) for path in CORE for name in imports(path) if is_within(name, *layers)]


FAMILIES = ("components", "mutual_exclusion", "election", "peer_to_peer")
PAPERS = tuple(f"algorithms.{family}" for family in (*FAMILIES, "rewriting_systems"))


def test_an_algorithm_imports_the_vocabulary_and_its_family():
    """Another family is reached through the vocabulary of components only, never the simulation or the explorer."""
    forbidden = {module_name(p) for p in files("algorithms/engine") if p.stem not in ("process", "__init__")}
    for path, name in [(p, name) for f in FAMILIES for p in files(f"algorithms/{f}") for name in imports(p)]:
        assert name.split(".")[0] in sys.stdlib_module_names or is_within(name, "algorithms"), (path, name)
        assert not is_within(name, *forbidden), (path, name)


@pytest.mark.parametrize("package", ["algorithms", "lessons", "assets"])
def test_nothing_imports_the_visual_part(package):
    for path in files(package):
        assert not any(is_within(name, "visual") for name in imports(path)), path


@cache
def floor_of(module: str) -> int:
    """The place in FLOORS of the innermost package that a module belongs to."""
    return FLOORS.index(max((floor for floor in FLOORS if is_within(module, floor)), key=len))


ON_A_FLOOR = [path for package in PACKAGES for path in files(package) if is_within(module_name(path), *FLOORS)]
KNOWN = {module_name(path) for path in ON_A_FLOOR}


def test_no_arrow_runs_up():
    arrows = [(module_name(path), name) for path in ON_A_FLOOR for name in imports(path) & KNOWN]
    assert not [(module, name) for module, name in arrows if floor_of(name) > floor_of(module)]


def test_every_module_is_on_a_floor():
    packages = {"algorithms", "visual"}  # their __init__ alone
    assert {module_name(p) for package in PACKAGES for p in files(package)} - packages == KNOWN


MOST_ROOMS = 13  # with the Python interface


def test_the_house_has_few_rooms():
    """With visual/ opened, because it is the largest; `visual` itself is one of them."""
    modules = [module_name(path) for package in PACKAGES for path in files(package)]
    rooms = {".".join(name.split(".")[: 2 if is_within(name, "visual") else 1]) for name in modules}
    assert len(rooms) <= MOST_ROOMS, sorted(rooms)


TYPE_ONLY_CYCLE = {
    *("algorithms.engine.applications", "algorithms.engine.faults", "algorithms.engine.network"),
    *("algorithms.engine.played", "algorithms.engine.simulation", "algorithms.engine.timers"),
}
"""The simulation and its parts: each part names the type of the simulation that it belongs to."""


@pytest.mark.parametrize(("late", "expected"), [(True, [TYPE_ONLY_CYCLE]), (False, [])], ids=["all", "when-loaded"])
def test_modules_import_each_other_in_one_cycle_only_and_none_when_loaded(late, expected):
    graph = networkx.DiGraph(import_graph(late=late))
    assert [cycle for cycle in networkx.strongly_connected_components(graph) if len(cycle) > 1] == expected


MOST_FILES_IN_VISUAL = 195
MOST_LINES = 75_300


def test_the_house_stays_small():
    assert len(files("visual")) <= MOST_FILES_IN_VISUAL
    lines = sum(len(path.read_text(encoding="utf-8").splitlines()) for package in PACKAGES for path in files(package))
    assert lines <= MOST_LINES


def test_no_two_public_classes_share_a_name():
    """Algorithms apart: their names are those of the papers."""
    paths = [path for package in PACKAGES for path in files(package) if not is_within(module_name(path), *PAPERS)]
    classes = Counter(
        node.name
        for path in paths
        for node in tree(path).body
        if isinstance(node, ast.ClassDef) and not node.name.startswith("_")
    )
    assert not [name for name, count in classes.items() if count > 1]


def test_only_a_few_modules_import_pygame():
    users = [
        module_name(p)
        for package in PACKAGES
        for p in files(package)
        if any(is_within(n, "pygame") for n in imports(p))
    ]
    assert all(is_within(name, *SURFACES) for name in users), users


DEEPEST = 3  # a variant, its algorithm, the base of its family
MOST_CLASSES = 5  # these three, and two mixins beside them


def is_own(cls: type) -> bool:
    """Whether an author of an algorithm wrote the class, not the engine."""
    return is_within(cls.__module__, "algorithms") and not is_within(cls.__module__, "algorithms.engine")


def depth(cls: type) -> int:
    """The number of own classes on the longest chain of subclassing from a class upwards, itself included."""
    return 1 + max(map(depth, cls.__bases__)) if is_own(cls) else 0


def process_classes() -> dict[str, type]:
    """The process class of each algorithm and each variant in the catalogue, and those of their parts."""
    algorithms = {a.name: a for a in catalog.by_name().values()}
    variants = {f"{a.name}/{v}": a.of(v) for a in algorithms.values() for v in a.variants}
    whole = {name: algorithm.process for name, algorithm in {**algorithms, **variants}.items()}
    parts = {f"{name}.{p}": part.process for name, cls in whole.items() for p, part in parts_of(cls).items()}
    return {**whole, **parts}


def test_a_variant_is_read_in_three_classes_and_the_mixins_beside_them():
    """Own classes are those outside the engine, the base of a family and mixins included.

    The depth is the longest chain of subclassing among them: variant, algorithm, base. Mixins stand beside the chain,
    so the number of all own classes in the method resolution order is bounded as well.
    """
    classes = process_classes()
    deep = {name: depth(cls) for name, cls in classes.items() if depth(cls) > DEEPEST}
    many = {name: n for name, cls in classes.items() if (n := sum(map(is_own, cls.__mro__))) > MOST_CLASSES}
    assert not deep
    assert not many


CLOCK_READERS = (
    "algorithms.clock",
    "algorithms.authoring.watchdog",  # processor time, and a sleep
    "algorithms.engine.observe.line_trace",  # compares the start with the times of files
    "visual.window.memory.unsaved",  # the date and time in a file's name
)


def test_one_module_reads_the_clock():
    readers = [
        module_name(path)
        for package in PACKAGES
        for path in files(package)
        if any(is_within(name, "time", "datetime") for name in imports(path))
    ]
    assert all(is_within(name, *CLOCK_READERS) for name in readers), readers


SLOW = ("networkx", "numpy", "matplotlib", "joblib")
WRAPPERS = (  # modules that are all about a slow library; themselves imported late
    "visual.drawing.film.animation",
    "visual.drawing.film.frame",
    "visual.drawing.film.video",
    "visual.drawing.paint.frames",
)


def test_slow_libraries_are_imported_where_they_are_used():
    for path in [p for package in PACKAGES for p in files(package)]:
        slow = () if module_name(path) in WRAPPERS else (*SLOW, *WRAPPERS)
        at_once = [name for name in imports(path, late=False) if is_within(name, *slow)]
        assert not at_once, f"{path} imports {at_once} when it is loaded"


def test_a_late_import_says_why():
    """In a comment beside it; of several in a row, beside the first."""
    silent = []
    for path in [p for package in PACKAGES for p in files(package)]:
        lines, last = path.read_text(encoding="utf-8").splitlines(), 0
        functions = (node for node in statements(path) if isinstance(node, ast.FunctionDef))
        for node in (inner for function in functions for inner in ast.walk(function)):
            if isinstance(node, ast.Import | ast.ImportFrom):
                if node.lineno != last + 1 and "#" not in lines[node.lineno - 1]:
                    silent.append(f"{path}:{node.lineno}")
                last = node.end_lineno or node.lineno
    assert not silent


@pytest.mark.parametrize("package", PACKAGES)
def test_files_and_functions_stay_readable_at_one_sitting(package):
    for path in files(package):
        assert len(path.read_text(encoding="utf-8").splitlines()) <= 600, path
        functions = (node for node in statements(path) if isinstance(node, ast.FunctionDef))
        assert not [node.name for node in functions if (node.end_lineno or 0) - node.lineno >= 50], path


FIRST_FRAME = """
import os, sys
from visual.window import app
def first_frame(self, shapes):
    print(*sys.modules)
    sys.stdout.flush()
    os._exit(0)
app.Window.paint = first_frame
from visual.command_line import main
main(["play"])
"""


@pytest.mark.parametrize(
    "late",
    [
        "visual.scene.graph.run_graph",
        "visual.scene.graph.layout",
        "algorithms.engine.observe.line_trace",
        "algorithms.engine.rewrite.rewriting",
        "algorithms.engine.check.explore",
        "numpy",
        "networkx",
    ],
)
def test_the_first_frame_does_without(late, at_first_frame):
    assert "visual.window.app" in at_first_frame
    assert late not in at_first_frame


@pytest.fixture(scope="module")
def at_first_frame():
    """The modules that are there when the gallery's first frame is."""
    environment = {**os.environ, "SDL_VIDEODRIVER": "dummy", "PYGAME_HIDE_SUPPORT_PROMPT": "1"}
    done = subprocess.run(
        [sys.executable, "-c", FIRST_FRAME], env=environment, cwd=ROOT, capture_output=True, text=True, check=True
    )
    return done.stdout.split()


def test_no_test_module_is_imported():
    """What tests share is in tests/support."""
    shared = [(path, name) for path in files("tests") for name in imports(path) if is_within(name, "tests")]
    assert not [(path, name) for path, name in shared if ".test_" in name]


def test_support_imports_no_test():
    own = [(path, name) for path in files("tests/support") for name in imports(path) if is_within(name, "tests")]
    assert not [(path, name) for path, name in own if not is_within(name, "tests.support") and name != "tests"]
