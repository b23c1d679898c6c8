"""The lines of an algorithm that run in a step.

The step is executed, or re-executed, under `sys.settrace`; other steps run untraced, at no cost.
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
from typing import Any, NamedTuple, TypeVar, cast

from algorithms.engine.observe.caption_text import values
from algorithms.engine.part import parts_of
from algorithms.engine.process import Guard, Process
from algorithms.engine.timeline import Timeline

_ENGINE = Path(__file__).parents[1]
_STARTED = time.time()
_texts: dict[str, str] = {}  # file -> its text, of a file that was loaded from that text
_caches: list[Any] = []  # functions whose results depend on the text of a file
Reader = TypeVar("Reader", bound=Callable[..., Any])


def cached_by_file(function: Reader) -> Reader:
    """Cache the results of a function of a source file until a file is loaded again."""
    _caches.append(cached := cache(function))
    return cast(Reader, cached)


def remember_text(file: str, text: str) -> None:
    """Show this text as the source of a file, which has just been loaded from it."""
    _texts[file] = text
    for cached in _caches:
        cached.cache_clear()


class ExecutedLine(NamedTuple):
    """One line that has run."""

    file: str
    number: int  # from 1
    function: str
    node: int = -1  # the process that ran it; -1 if unknown
    values: tuple[object, ...] = ()  # of the placeholders in its comment, before it ran


class GuardValue(NamedTuple):
    """The value of a rule's guard: true if the rule ran in the step."""

    file: str
    number: int  # of the line with @when
    rule: str
    true: bool


@dataclass(frozen=True)
class Execution:
    """The lines that ran in one step, in order, and the values of guards."""

    lines: tuple[ExecutedLine, ...] = ()
    guards: tuple[GuardValue, ...] = ()


def execution(timeline: Timeline, step: int) -> Execution:
    """What runs in step `step`, counted from 0; the timeline stays where it is.

    ValueError if the timeline has not executed that step.
    """
    if not 0 <= step < timeline.frontier:
        raise ValueError(f"step {step} has not been executed")
    return timeline.look_back(step, lambda: execution_in(timeline, timeline.repeat))


def execution_in(timeline: Timeline, move: Callable[[], object]) -> Execution:
    """What runs in the single step that `move` executes."""
    before = sys.gettrace()
    tracer = _Tracer(timeline.simulation.process_class)
    sys.settrace(tracer.enter)
    try:
        move()
    finally:
        sys.settrace(before)
    return Execution(tuple(tracer.lines), tuple(tracer.guards.values()))


def guard_values(process: Process) -> tuple[GuardValue, ...]:
    """The present values of all guards of a process and its parts."""
    parts = ((process._parts[name], part.process) for name, part in parts_of(type(process)).items())
    return tuple(value for owner, cls in ((process, type(process)), *parts) for value in _values(owner, cls))


def _values(owner: Any, cls: type[Process]) -> Iterator[GuardValue]:
    """The values for one process or part; a rule overridden by a subclass counts once, as overridden."""
    for name in dict.fromkeys(name for base in reversed(cls.__mro__) for name in vars(base)):
        guard = getattr(getattr(cls, name, None), "guard", None)
        code = getattr(guard, "__code__", None)
        if guard is not None and code is not None:
            yield GuardValue(code.co_filename, code.co_firstlineno, name, _is_true(guard, owner))


def _is_true(guard: Guard, owner: Any) -> bool:
    """The value of a guard; False if it raises an error."""
    try:
        return bool(guard(owner))
    except Exception:  # the run itself reports it when it gets there
        return False


def source_files(process: type[Process]) -> tuple[str, ...]:
    """The source files of a process class, its bases and parts, without the engine's; its own first."""
    classes = [*process.__mro__, *(cls for part in parts_of(process).values() for cls in part.process.__mro__)]
    modules = (sys.modules[cls.__module__] for cls in classes)
    files = (getattr(module, "__file__", None) for module in modules if module.__name__ != "builtins")
    return tuple(dict.fromkeys(file for file in files if file and _ENGINE not in Path(file).parents))


@cached_by_file
def has_changed(file: str) -> bool:
    """Whether a source file was edited after it was loaded."""
    if file in _texts:
        return False
    loaded = [
        module for module in list(sys.modules.values()) if type(module) is ModuleType
    ]  # asking a lazy module loads it
    if not any(getattr(module, "__file__", None) == file for module in loaded):
        return False
    try:
        return Path(file).stat().st_mtime > _STARTED
    except OSError:
        return True


@cached_by_file
def source_text(file: str) -> str:
    """The text of a source file, or a remark if it has changed."""
    if file in _texts:
        return _texts[file]
    if has_changed(file):
        return f"# {Path(file).name} has changed since the program was started:\n# start it again to see it\n"
    with tokenize.open(file) as source:  # with a byte order mark, or another encoding that its first lines name
        return source.read()


@cached_by_file
def comments(file: str) -> MappingProxyType[int, str]:
    """Line number -> the comment at the end of its statement."""
    text = source_text(file)
    by_line: dict[int, str] = {}
    first, comment = 0, ""
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type == tokenize.COMMENT and first:
            comment = token.string.lstrip("# ").rstrip()
        elif token.type == tokenize.NEWLINE:
            if comment:
                by_line.update(dict.fromkeys(range(first, token.start[0] + 1), comment))
            first, comment = 0, ""
        elif not first and token.type not in (tokenize.NL, tokenize.INDENT, tokenize.DEDENT, tokenize.COMMENT):
            first = token.start[0]
    return MappingProxyType(by_line)


@cached_by_file
def class_lines(file: str) -> MappingProxyType[str, tuple[int, int]]:
    """Name of each class in a file -> its first and its last line.

    `inspect` gives the same, but would load every lazy module to find the file.
    """
    classes = (node for node in ast.walk(ast.parse(source_text(file))) if isinstance(node, ast.ClassDef))
    return MappingProxyType({node.name: (node.lineno, node.end_lineno or node.lineno) for node in classes})


class _Tracer:
    """Records what runs in the files of an algorithm."""

    def __init__(self, process: type[Process]) -> None:
        self.lines: list[ExecutedLine] = []
        self.guards: dict[CodeType, GuardValue] = {}
        traced: Any = process  # mypy: a class whose instances may be unhashable
        self._files, self._rules = _traced(traced)

    def enter(self, frame: FrameType, event: str, argument: Any) -> Any:
        """Trace a function that is called, if it is the algorithm's."""
        code = frame.f_code
        if code in self._rules:
            return self._in_guard
        return self._in_function if code.co_filename in self._files else None

    def _in_function(self, frame: FrameType, event: str, argument: Any) -> Any:
        if event == "line":
            file, number, method = frame.f_code.co_filename, frame.f_lineno, _method(frame)
            comment = comments(file).get(number, "")
            node = getattr(method.f_locals.get("self"), "id", -1)
            self.lines.append(ExecutedLine(file, number, method.f_code.co_name, node, values(comment, method)))
        return self._in_function

    def _in_guard(self, frame: FrameType, event: str, argument: Any) -> Any:
        if event == "return":
            code = frame.f_code
            fired = code in self.guards and self.guards[code].true
            rule = self._rules[code]
            self.guards[code] = GuardValue(code.co_filename, rule.number, rule.name, fired or bool(argument))
        return self._in_guard


def _method(frame: FrameType) -> FrameType:
    """The frame of the method that a comprehension or a lambda is part of."""
    while frame.f_code.co_name.startswith("<") and frame.f_back is not None:
        frame = frame.f_back
    return frame


@cache
def _traced(process: Any) -> tuple[frozenset[str], dict[CodeType, _Rule]]:
    """The files of a process class, and its guards."""
    return frozenset(source_files(process)), _guards(process)


class _Rule(NamedTuple):
    name: str
    number: int


def _guards(process: type[Process]) -> dict[CodeType, _Rule]:
    """Code of each guard -> its rule, with its line."""
    classes = [*process.__mro__, *(cls for part in parts_of(process).values() for cls in part.process.__mro__)]
    methods = (method for cls in classes for method in vars(cls).values() if hasattr(method, "guard"))
    codes = ((method, getattr(method.guard, "__code__", None)) for method in methods)
    return {code: _Rule(method.__name__, code.co_firstlineno) for method, code in codes if code is not None}
