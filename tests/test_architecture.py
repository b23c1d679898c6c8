"""Who may import whom, read off the import statements."""

from __future__ import annotations

import ast
import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
PACKAGES = ("algorithms", "lessons", "visual", "assets")
SURFACES = ("visual.paint", "visual.export", "visual.window")  # who may import pygame: drawing, saving, the window


def module_name(path: Path) -> str:
    name = ".".join(path.relative_to(ROOT).with_suffix("").parts)
    return name.removesuffix(".__init__")


def imports(path: Path, *, late: bool = True) -> set[str]:
    """The modules a file imports; without `late`, only those imported when it is loaded."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    nodes = ast.walk(tree) if late else _loaded_at_once(tree)
    found = set()
    for node in nodes:
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            found |= {node.module} | {f"{node.module}.{alias.name}" for alias in node.names}
    return found


def _loaded_at_once(tree: ast.AST):
    """The nodes outside of functions and of `if TYPE_CHECKING`."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
            continue
        if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.dump(node.test):
            continue
        yield node
        yield from _loaded_at_once(node)


def files(package: str) -> list[Path]:
    return sorted((ROOT / package).rglob("*.py"))


def is_within(name: str, *packages: str) -> bool:
    return any(name == package or name.startswith(package + ".") for package in packages)


@pytest.mark.parametrize("path", files("algorithms/engine"), ids=module_name)
def test_the_engine_imports_the_standard_library_and_itself(path):
    for name in imports(path):
        assert name.split(".")[0] in sys.stdlib_module_names or is_within(name, "algorithms.engine"), name


FAMILIES = ("components", "mutual_exclusion", "election", "peer_to_peer")


@pytest.mark.parametrize("path", [p for f in FAMILIES for p in files(f"algorithms/{f}")], ids=module_name)
def test_an_algorithm_imports_the_vocabulary_and_its_family(path):
    """Another family is reached through the vocabulary of components only, never the simulation or the explorer."""
    forbidden = {
        f"algorithms.engine.{p.stem}" for p in files("algorithms/engine") if p.stem not in ("process", "__init__")
    }
    for name in imports(path):
        assert name.split(".")[0] in sys.stdlib_module_names or is_within(name, "algorithms"), name
        assert not is_within(name, *forbidden), name


@pytest.mark.parametrize("package", ["algorithms", "lessons", "assets"])
def test_nothing_imports_the_visual_part(package):
    for path in files(package):
        assert not any(is_within(name, "visual") for name in imports(path)), path


LAYERS = ("visual.scene", "visual.insight", "visual.interface")  # each knows those before it


@pytest.mark.parametrize("layer", LAYERS)
def test_what_tells_of_a_run_does_not_know_the_window(layer):
    above = (*LAYERS[LAYERS.index(layer) + 1 :], "visual.commands", "visual.window")
    for path in files(layer.replace(".", "/")):
        assert not any(is_within(name, *above) for name in imports(path)), path


def test_only_a_few_modules_import_pygame():
    users = [
        module_name(p)
        for package in PACKAGES
        for p in files(package)
        if any(is_within(n, "pygame") for n in imports(p))
    ]
    assert all(is_within(name, *SURFACES) for name in users), users


SLOW = ("networkx", "numpy", "matplotlib", "joblib", "pptx", "PIL", "av")
WRAPPERS = ("lessons.laboratory.plots",)  # modules that are all about a slow library; themselves imported late


def test_slow_libraries_are_imported_where_they_are_used():
    for path in [p for package in PACKAGES for p in files(package)]:
        slow = WRAPPERS if module_name(path) in WRAPPERS else (*SLOW, *WRAPPERS)
        at_once = [name for name in imports(path, late=False) if is_within(name, *slow)]
        assert not at_once, f"{path} imports {at_once} when it is loaded"


@pytest.mark.parametrize("package", PACKAGES)
def test_files_stay_readable_at_one_sitting(package):
    for path in files(package):
        assert len(path.read_text(encoding="utf-8").splitlines()) <= 400, path


FIRST_FRAME = """
import os, sys
from visual import window
def first_frame(self, shapes):
    print(*sys.modules)
    sys.stdout.flush()
    os._exit(0)
window.Window.paint = first_frame
from visual.command_line import main
main(["play"])
"""


@pytest.mark.parametrize(
    "late", ["visual.scene.graph", "algorithms.engine.rewriting", "algorithms.engine.explore", "numpy", "networkx"]
)
def test_the_first_frame_does_without(late, at_first_frame):
    assert "visual.window" in at_first_frame
    assert late not in at_first_frame


@pytest.fixture(scope="module")
def at_first_frame():
    """The modules that are there when the gallery's first frame is."""
    environment = {**os.environ, "SDL_VIDEODRIVER": "dummy", "PYGAME_HIDE_SUPPORT_PROMPT": "1"}
    done = subprocess.run(
        [sys.executable, "-c", FIRST_FRAME], env=environment, cwd=ROOT, capture_output=True, text=True, check=True
    )
    return done.stdout.split()
