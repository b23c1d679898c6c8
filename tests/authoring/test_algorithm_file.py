"""A mistake in an author's file: one sentence says where, and the other algorithms can still be used."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from algorithms import catalog

ROOT = Path(__file__).parents[2]
NAME = "ricart-agrawala-token"
FILE = "algorithms/mutual_exclusion/ricart_agrawala_token.py"
MISTAKES = [
    ("def setup(self):", "def setup(self)", "line 15: SyntaxError: expected ':'"),
    ("import Algorithm,", "import Algorythm,", "line 3: ImportError: cannot import name 'Algorythm'"),
    ("engine.process", "engine.proces", "line 3: ModuleNotFoundError: No module named 'algorithms.engine.proces'"),
    ("class Token(Message)", "class Tok(Message)", "NameError: name 'Token' is not defined"),
    ("cost=Cost(", "cosst=Cost(", "TypeError: Algorithm.__init__() got an unexpected keyword argument 'cosst'"),
    ("def on_request(", "def on_reqest(", "TypeError: RicartAgrawalaToken has no on_request"),
    ('Token: "token"', 'Token: "blue"', "ValueError: Token looks 'blue'; expected one of ask, grant, announce, token"),
]
IN_A_STEP = [
    (
        "self.send(self.token, to=first)",
        "self.send(self.token, to=99)",
        "sends Token to P99, and there is no such node",
    ),
    ("self.token = token\n", "self.tokn = token\n", "AttributeError"),
]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A copy of the program's packages."""
    copy = tmp_path_factory.mktemp("own")
    for package in ("algorithms", "visual", "lessons", "assets"):
        shutil.copytree(ROOT / package, copy / package, ignore=shutil.ignore_patterns("__pycache__"))
    return copy


def written(folder: Path, right: str, wrong: str) -> None:
    """The README's algorithm with a mistake."""
    text = (ROOT / "README.md").read_text("utf-8").partition("```python\n")[2].partition("```")[0]
    assert right in text
    (folder / FILE).write_text(text.replace(right, wrong, 1), "utf-8")


def said(folder: Path, *words: str) -> tuple[int, str, str]:
    command = [sys.executable, "-B", "-c", "import sys; from visual.command_line import main; sys.exit(main())", *words]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    return done.returncode, done.stdout, done.stderr


@pytest.mark.parametrize(("right", "wrong", "words"), MISTAKES, ids=[words for *_, words in MISTAKES])
def test_a_mistake_in_the_file_is_reported_with_its_line(folder, right, wrong, words):
    written(folder, right, wrong)
    code, _, errors = said(folder, "run", "--algorithm", NAME)
    assert code == 2
    assert errors.startswith(f"mutoscope: {FILE}")
    assert words in errors
    assert errors.count("\n") == 1


@pytest.mark.parametrize(("right", "wrong", "words"), IN_A_STEP, ids=[words for *_, words in IN_A_STEP])
def test_a_mistake_in_a_step_is_reported_with_the_step(folder, right, wrong, words):
    written(folder, right, wrong)
    code, _, errors = said(folder, "run", "--algorithm", NAME, "--load", "closed:5")
    assert code == 2
    assert errors.startswith(f"mutoscope: {NAME} fails in step ")
    assert words in errors
    assert errors.count("\n") == 1


def test_all_others_can_be_used_and_listed(folder):
    written(folder, *MISTAKES[0][:2])
    assert said(folder, "run", "--algorithm", "token-ring", "--until", "9")[0] == 0
    code, listed, errors = said(folder, "list")
    assert code == 2
    assert all(name in listed for name in catalog.by_name() if name != NAME)
    assert errors.startswith(f"mutoscope: {FILE}, line 15")


def test_the_shipped_files_have_no_mistakes():
    assert catalog.broken() == []
