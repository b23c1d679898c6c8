"""Which lines of an algorithm run in a step: the step is executed, once more if it has been, under `sys.settrace`.

The engine itself is never traced, so watching costs nothing while nobody looks.
"""

from __future__ import annotations

import ast
import io
import sys
import time
import tokenize
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import CodeType, FrameType, MappingProxyType, ModuleType
from typing import Any, NamedTuple

from algorithms.engine.part import parts_of
from algorithms.engine.process import Guard, Process
from algorithms.engine.timeline import Timeline

_ENGINE = Path(__file__).parent
_STARTED = time.time()


class ExecutedLine(NamedTuple):
    """One line that ran."""

    file: str
    number: int  # from 1
    function: str


class GuardValue(NamedTuple):
    """What the guard of a rule came to: true if the rule ran in the step."""

    file: str
    number: int  # of the line with @when
    rule: str
    true: bool


@dataclass(frozen=True)
class Execution:
    """What ran in one step: lines in the order of running, and the guards that were asked, each once."""

    lines: tuple[ExecutedLine, ...] = ()
    guards: tuple[GuardValue, ...] = ()


def execution(timeline: Timeline, step: int) -> Execution:
    """What runs in step `step`, counted from 0, which the timeline has executed before. It stays where it is."""
    if not 0 <= step < timeline.frontier:
        raise ValueError(f"step {step} has not been executed")
    return timeline.look_back(step, lambda: execution_in(timeline, timeline.repeat))


def execution_in(timeline: Timeline, move: Callable[[], object]) -> Execution:
    """What runs in the one step that the move executes: for this step nothing has to be executed once more."""
    before = sys.gettrace()
    watcher = _Watcher(timeline.simulation.process_class)
    sys.settrace(watcher.enter)
    try:
        move()
    finally:
        sys.settrace(before)
    return Execution(tuple(watcher.lines), tuple(watcher.guards.values()))


def guard_values(process: Process) -> tuple[GuardValue, ...]:
    """What the guards of a process's rules come to in its present state, those of its parts included."""
    parts = ((process._parts[name], part.process) for name, part in parts_of(type(process)).items())
    return tuple(value for owner, cls in ((process, type(process)), *parts) for value in _values(owner, cls))


def _values(owner: Any, cls: type[Process]) -> Iterator[GuardValue]:
    """The same for one process or part, of rules that a subclass overrides the subclass's."""
    for name in dict.fromkeys(name for base in reversed(cls.__mro__) for name in vars(base)):
        guard = getattr(getattr(cls, name, None), "guard", None)
        code = getattr(guard, "__code__", None)
        if guard is not None and code is not None:
            yield GuardValue(code.co_filename, code.co_firstlineno, name, _is_true(guard, owner))


def _is_true(guard: Guard, owner: Any) -> bool:
    """What a guard comes to; one that fails lets its rule run no more than a false one."""
    try:
        return bool(guard(owner))
    except Exception:  # the run, when it gets there, stops with a sentence
        return False


def source_files(process: type[Process]) -> tuple[str, ...]:
    """The files in which a process class and what it is made of are written, its own first, the engine's left out."""
    classes = [*process.__mro__, *(cls for part in parts_of(process).values() for cls in part.process.__mro__)]
    modules = (sys.modules[cls.__module__] for cls in classes)
    files = (getattr(module, "__file__", None) for module in modules if module.__name__ != "builtins")
    return tuple(dict.fromkeys(file for file in files if file and _ENGINE not in Path(file).parents))


@cache
def has_changed(file: str) -> bool:
    """Whether a file of the program is no longer what runs: whoever writes an algorithm edits it while it is shown."""
    loaded = [module for module in list(sys.modules.values()) if type(module) is ModuleType]  # to ask others loads them
    if not any(getattr(module, "__file__", None) == file for module in loaded):
        return False
    try:
        return Path(file).stat().st_mtime > _STARTED
    except OSError:
        return True


@cache
def source_text(file: str) -> str:
    """What stands in a source file; a remark instead where its lines are no longer those that run."""
    if has_changed(file):
        return f"# {Path(file).name} has changed since the program was started:\n# start it again to see it\n"
    return Path(file).read_text("utf-8")


@cache
def comments(file: str) -> MappingProxyType[int, str]:
    """Line number -> the comment at the end of that line, or of the statement that the line is part of."""
    text = source_text(file)
    found: dict[int, str] = {}
    first, comment = 0, ""
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type == tokenize.COMMENT and first:
            comment = token.string.lstrip("# ").rstrip()
        elif token.type == tokenize.NEWLINE:
            if comment:
                found.update(dict.fromkeys(range(first, token.start[0] + 1), comment))
            first, comment = 0, ""
        elif not first and token.type not in (tokenize.NL, tokenize.INDENT, tokenize.DEDENT, tokenize.COMMENT):
            first = token.start[0]
    return MappingProxyType(found)


@cache
def class_lines(file: str) -> MappingProxyType[str, tuple[int, int]]:
    """Name of each class in a file -> its first and its last line.

    `inspect` would tell the same, and load every module that waits to be loaded to find the file.
    """
    classes = (node for node in ast.walk(ast.parse(source_text(file))) if isinstance(node, ast.ClassDef))
    return MappingProxyType({node.name: (node.lineno, node.end_lineno or node.lineno) for node in classes})


class _Watcher:
    """Notes what runs in the files of an algorithm."""

    def __init__(self, process: type[Process]) -> None:
        self.lines: list[ExecutedLine] = []
        self.guards: dict[CodeType, GuardValue] = {}
        watched: Any = process  # mypy takes what a class's instances can't do for what the class can't
        self._files, self._rules = _watched(watched)

    def enter(self, frame: FrameType, event: str, argument: Any) -> Any:
        """A function is called: look into it if it is the algorithm's."""
        code = frame.f_code
        if code in self._rules:
            return self._in_guard
        return self._in_function if code.co_filename in self._files else None

    def _in_function(self, frame: FrameType, event: str, argument: Any) -> Any:
        if event == "line":
            self.lines.append(ExecutedLine(frame.f_code.co_filename, frame.f_lineno, frame.f_code.co_name))
        return self._in_function

    def _in_guard(self, frame: FrameType, event: str, argument: Any) -> Any:
        if event == "return":
            code = frame.f_code
            fired = code in self.guards and self.guards[code].true
            rule = self._rules[code]
            self.guards[code] = GuardValue(code.co_filename, rule.number, rule.name, fired or bool(argument))
        return self._in_guard


@cache
def _watched(process: Any) -> tuple[frozenset[str], dict[CodeType, _Rule]]:
    """What of a process class is watched: its files and its guards."""
    return frozenset(source_files(process)), _guards(process)


class _Rule(NamedTuple):
    name: str
    number: int


def _guards(process: type[Process]) -> dict[CodeType, _Rule]:
    """The code of each guard -> its rule and the line it is on."""
    classes = [*process.__mro__, *(cls for part in parts_of(process).values() for cls in part.process.__mro__)]
    methods = (method for cls in classes for method in vars(cls).values() if hasattr(method, "guard"))
    codes = ((method, getattr(method.guard, "__code__", None)) for method in methods)
    return {code: _Rule(method.__name__, code.co_firstlineno) for method, code in codes if code is not None}
