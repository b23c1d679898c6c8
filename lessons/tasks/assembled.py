"""A method of an algorithm with its own statements in another order, as a variant that the checker can explore.

Nothing but syntax trees of the algorithm's own files is compiled: no text of a lesson gets here.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator, Sequence
from copy import deepcopy
from dataclasses import replace
from typing import NamedTuple

from algorithms.engine.observe.line_trace import source_text
from algorithms.engine.process import Algorithm, Process
from algorithms.engine.rewrite.rewriter import Rewriter
from algorithms.engine.rewrite.rewriting import Rule
from algorithms.engine.rewrite.rule_text import rule_text


class MethodSource(NamedTuple):
    """A method as it is defined: the class that defines it, and its syntax tree."""

    owner: type[Process]
    tree: ast.FunctionDef

    @property
    def name(self) -> str:
        """The name of the method."""
        return self.tree.name

    @property
    def statements(self) -> list[ast.stmt]:
        """Its statements, without the docstring."""
        body = self.tree.body
        return body[1:] if ast.get_docstring(self.tree) is not None else list(body)

    @property
    def head(self) -> str:
        """Its first line."""
        return f"def {self.tree.name}({ast.unparse(self.tree.args)}):"

    @property
    def body(self) -> str:
        """The text of its statements, without comments, which would tell."""
        return "\n".join(map(ast.unparse, self.statements))


class RuleSource(NamedTuple):
    """A rule of a rewriting system as the text of a repair."""

    rule: Rule

    @property
    def name(self) -> str:
        """What a lesson calls it."""
        return f"rule {self.rule.number}"

    @property
    def head(self) -> str:
        """Its first line."""
        return f"{self.name}:"

    @property
    def body(self) -> str:
        """The rule in the notation of its paper, the right-hand side on a line of its own."""
        left, arrow, right = rule_text(self.rule).partition(" → ")
        return f"{left}\n  {arrow.strip()} {right}"


def rule_of(process: type[Process], name: str) -> RuleSource | None:
    """The rule of that name, such as "rule 3", of a process that applies rules; None if it has no such rule."""
    rules = process.system.rules if issubclass(process, Rewriter) else ()
    return next((RuleSource(rule) for rule in rules if RuleSource(rule).name == name), None)


def method_of(process: type[Process], name: str) -> MethodSource | None:
    """The method of that name, as the class or its nearest base defines it; None if nobody does."""
    for owner in process.__mro__:
        if name in vars(owner):
            found = next(_definitions(owner, name), None)
            return None if found is None else MethodSource(owner, found)
    return None


def _definitions(owner: type, name: str) -> Iterator[ast.FunctionDef]:
    file = getattr(sys.modules[owner.__module__], "__file__", None)
    for cls in ast.parse(source_text(file)).body if file else ():
        if isinstance(cls, ast.ClassDef) and cls.name == owner.__name__:
            yield from (node for node in cls.body if isinstance(node, ast.FunctionDef) and node.name == name)


def changed_methods(process: type[Process], base: type[Process]) -> list[str]:
    """The methods that a variant defines in place of its base's, apart from those that only tell."""
    found = dict.fromkeys(name for owner in process.__mro__ if owner not in base.__mro__ for name in vars(owner))
    return [name for name in found if not name.startswith("__") and callable(getattr(process, name))]


def assembled(algorithm: Algorithm, method: MethodSource, statements: Sequence[ast.stmt]) -> Algorithm:
    """The algorithm whose method consists of these statements, each of a method of its own files."""
    tree = deepcopy(method.tree)
    tree.body, tree.decorator_list = list(statements) or [ast.Pass()], []
    module = ast.fix_missing_locations(ast.Module([tree], type_ignores=[]))
    namespace = dict(vars(sys.modules[method.owner.__module__]))
    exec(compile(module, f"<{algorithm.name}>", "exec"), namespace)
    members = {method.tree.name: namespace[method.tree.name], "__module__": method.owner.__module__}
    process = type(algorithm.process.__name__, (algorithm.process,), members)
    return replace(algorithm, process=process, variants={})
