"""What the live page has of Python's library: no module of the program asks for one that is left out."""

from __future__ import annotations

import marshal
import re
import types

from visual.commands.web import LEFT_OUT, PACKAGES, ROOT
from visual.window.web.compiling import code_of, is_used

ALWAYS = {"multiprocessing", "urllib"}  # a start imports what it needs of these, so that they are there


def test_the_program_imports_no_module_that_is_left_out():
    files = [file for package in PACKAGES for file in (ROOT / package).rglob("*.py")]
    shown = [file for file in files if not file.relative_to(ROOT).as_posix().startswith(LEFT_OUT)]
    text = "\n".join(file.read_text("utf-8") for file in shown)
    imported = set(re.findall(r"^ *(?:import|from) (\w+)", text, re.MULTILINE))
    assert len(imported) > 50
    assert {name for name in imported if not is_used(f"{name}.py")} <= ALWAYS
    own = {name.replace(".", "/") for name in re.findall(r"^from (visual[\w.]+) import", text, re.MULTILINE)}
    assert len(own) > 50
    assert [name for name in own if name.startswith(LEFT_OUT)] == []


def test_code_without_types_computes_the_same():
    source = b'def twice(x: "no such type", *, by: int = 2) -> "none either":\n    "words"\n    return by * x\n'
    code = marshal.loads(code_of(source, "a.py", is_typed=False)[16:])
    module = types.ModuleType("a")
    exec(code, vars(module))
    assert module.twice(3) == 6
    assert (module.twice.__annotations__, module.twice.__doc__) == ({}, None)
