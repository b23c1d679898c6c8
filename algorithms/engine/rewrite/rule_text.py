"""Rules and terms as text, in the notation of Memo 440: `(Q | (x, d), H) → (Q | (x, φ_x), H ⊕ d)`."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from algorithms.engine.rewrite.rewriting import PHI, Anything, Bag, Call, Data, Filled, History, Rule, Term, Variable

_NAMES = {"Hz": "H_z"}
_NOTATION: dict[str, Callable[..., str]] = {  # of functions that are not written as their name alone
    "⊕": lambda left, right: f"{left} ⊕ {right}",
    "φ": lambda x: f"φ_{x}",
    "τ": lambda x: f"τ_{x}",
    "new": lambda x: f"new_{x}",
    "+1": lambda x: f"{x}⁺¹",
    "+N/2": lambda x: f"{x}⁺ᴺᐟ²",
    "marked": lambda history, x: f"{history} ⊕ φ_{x}",
    "trap": lambda bag, term: f"{bag} | {term}",
    "without": lambda bag, term: f"{bag} ∖ {term}",
}


def rule_text(rule: Rule) -> str:
    """A rule as left → right, with the condition in the words of its function's docstring."""
    where = f" for any {rule.any_node.name}" if rule.any_node else ""
    words = (rule.condition and rule.condition.__doc__) or ""
    condition = f" if {words.splitlines()[0].rstrip('.')}" if words else ""
    return f"{_tuple_text(rule.left)} → {_tuple_text(rule.right)}{where}{condition}"


def term_text(term: Term) -> str:
    """A term of a rule or a state."""
    if isinstance(term, Variable):
        return _NAMES.get(term.name, term.name)
    if isinstance(term, Anything):
        return "-"
    if isinstance(term, Filled):
        return " | ".join(map(term_text, (term.rest, *term.items)))
    if isinstance(term, Call):
        arguments = [term_text(argument) for argument in term.arguments]
        notation = _NOTATION.get(term.name)
        return notation(*arguments) if notation else term.name
    if isinstance(term, History | Data):
        return " ".join(map(_event, term)) or "∅"
    if isinstance(term, Bag):
        return " | ".join(map(term_text, term)) or "∅"
    if isinstance(term, tuple):
        return f"τ_{term_text(term[1])}" if len(term) == 2 and term[0] == "τ" else _tuple_text(term)
    return str(term)


def rule_in_general(rule: Rule) -> str:
    """The effect of a rule, with its variables by name."""
    return rule.words.format(**{name: name for name in ("x", "y", "z", "u", "d", "m")})


def sentence(rule: Rule, bindings: Iterable[tuple[str, Term]]) -> str:
    """An application of a rule in words: "rule 7: P0 lends the token to P2"."""
    names = {name: _named(term) for name, term in bindings}
    return f"rule {rule.number}: {rule.words.format(**names)}"


def _named(term: Term) -> str:
    """A term in a sentence: a node, the kind of a message, or as in the rule."""
    if isinstance(term, int):
        return f"P{term}"
    return term[0] if isinstance(term, tuple) and term and isinstance(term[0], str) else term_text(term)


def _event(event: tuple[str, int] | tuple[int, int]) -> str:
    """A mark φ_x of the token's circulation, or the k-th datum of x."""
    return f"φ_{event[1]}" if event[0] == PHI else f"d_{event[0]},{event[1]}"


def _tuple_text(terms: tuple[Term, ...]) -> str:
    return f"({', '.join(map(term_text, terms))})"
