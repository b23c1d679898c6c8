"""Rules and terms in writing, as Memo 440 prints them: `(Q | (x, d), H) → (Q | (x, φ_x), H ⊕ d)`."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from algorithms.engine.rewrite.rewriting import PHI, Anything, Bag, Call, Data, Filled, History, Rule, Term, Variable

_NAMES = {"Hz": "H_z"}
_WRITTEN: dict[str, Callable[..., str]] = {  # functions that are not written as their name alone
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
    """left → right, and under which condition, in the words of the function that says it."""
    where = f" for any {rule.any_node.name}" if rule.any_node else ""
    said = (rule.condition and rule.condition.__doc__) or ""
    condition = f" if {said.splitlines()[0].rstrip('.')}" if said else ""
    return f"{_listed(rule.left)} → {_listed(rule.right)}{where}{condition}"


def term_text(term: Term) -> str:
    """A term of a rule or of a state."""
    if isinstance(term, Variable):
        return _NAMES.get(term.name, term.name)
    if isinstance(term, Anything):
        return "-"
    if isinstance(term, Filled):
        return " | ".join(map(term_text, (term.rest, *term.items)))
    if isinstance(term, Call):
        arguments = [term_text(argument) for argument in term.arguments]
        written = _WRITTEN.get(term.name)
        return written(*arguments) if written else term.name
    if isinstance(term, History | Data):
        return " ".join(map(_event, term)) or "∅"
    if isinstance(term, Bag):
        return " | ".join(map(term_text, term)) or "∅"
    if isinstance(term, tuple):
        return f"τ_{term_text(term[1])}" if len(term) == 2 and term[0] == "τ" else _listed(term)
    return str(term)


def sentence(rule: Rule, bound: Iterable[tuple[str, Term]]) -> str:
    """What the rule does where its variables are these: "rule 7: P0 lends the token to P2"."""
    names = {name: f"P{term}" if isinstance(term, int) else term_text(term) for name, term in bound}
    return f"rule {rule.number}: {rule.words.format(**names)}"


def _event(event: tuple[str, int] | tuple[int, int]) -> str:
    """A mark φ_x of the circulation, or the k-th datum of x."""
    return f"φ_{event[1]}" if event[0] == PHI else f"d_{event[0]},{event[1]}"


def _listed(terms: tuple[Term, ...]) -> str:
    return f"({', '.join(map(term_text, terms))})"
