"""The keys of each table of a lesson file: type, bounds, and the words for them in an error message."""

from __future__ import annotations

from typing import Annotated, Any

from msgspec import Meta

from algorithms.scenario_format.schema import AnyTable, Count, Flag, Name, Node, Nodes, Tables, Whole, Words

FORMAT = 1

Title = Annotated[str, Meta(min_length=1, max_length=60, description="a title of at most 60 characters")]
Minutes = Annotated[int, Meta(ge=5, le=9, description="a whole number from 5 to 9")]
Passing = Annotated[float, Meta(ge=0.5, le=1, description="a share from 0.5 to 1")]
Names = Annotated[tuple[str, ...], Meta(description="a list of names")]
Ideas = Annotated[tuple[str, ...], Meta(min_length=1, max_length=2, description="one or two ideas")]
Texts = Annotated[tuple[str, ...], Meta(description="a list of texts")]
Hints = Annotated[tuple[str, ...], Meta(max_length=3, description="a list of at most 3 texts")]
Points = Annotated[int, Meta(ge=0, le=3, description="a whole number from 0 to 3")]
NodeCounts = Annotated[tuple[Nodes, ...], Meta(description="a list of numbers of nodes")]
Numbers = Annotated[tuple[int, ...], Meta(description="a list of nodes, such as [1, 2]")]
Time = Annotated[float, Meta(ge=0, le=1e9, description="a time of at least 0, at most 1e+09")]
Speed = Annotated[int, Meta(ge=-3, le=3, description="a whole number from -3 to 3")]
Share = Annotated[float, Meta(gt=0, le=1, description="a share above 0, at most 1")]
Fault = Annotated[int, Meta(ge=0, le=2, description="a whole number from 0 to 2")]
Requests = Annotated[int, Meta(ge=1, le=3, description="a whole number from 1 to 3")]
Moves = Annotated[int, Meta(ge=1, le=40, description="a whole number from 1 to 40")]
States = Annotated[int, Meta(ge=1, le=1_000_000, description="a whole number from 1 to 1000000")]
Seeds = Annotated[int, Meta(ge=1, le=200, description="a whole number from 1 to 200")]
Anything = Annotated[Any, Meta(description="a value")]
ConditionTable = Annotated[Any, Meta(description="a time, or a table with one condition")]

Moments = Annotated[list[Any], Meta(min_length=2, max_length=2, description="a list of two moments")]
SmallNodes = Annotated[int, Meta(ge=1, le=6, description="a whole number from 1 to 6")]
Varied = Annotated[tuple[Any, ...], Meta(min_length=2, max_length=8, description="a list of 2 to 8 values")]
FewSeeds = Annotated[int, Meta(ge=1, le=20, description="a whole number from 1 to 20")]
Few = Annotated[int, Meta(ge=2, le=7, description="a whole number from 2 to 7")]

FRONT = {
    "format": Whole,
    "title": Title,
    "path": Name,
    "minutes": Minutes,
    "ideas": Ideas,
    "misconceptions": Names,
    "after": Names,
    "pass": Passing,
    "sources": Texts,
    "scenario": AnyTable,
    "fresh": AnyTable,
}
REQUIRED = ("format", "title", "minutes", "ideas", "misconceptions", "scenario")

FRESH = {"seed": Flag, "exchange": Numbers, "jitter": Time, "nodes": NodeCounts, "shuffle": Names, "scenario": AnyTable}

VIEWS = ("both", "graph", "space-time", "local", "source")

COMMON = {
    "id": Name,
    "scenario": Name,
    "at": ConditionTable,
    "show": Texts,
    "view": Name,
    "node": Node,
    "about": Names,
    "points": Points,
    "hints": Hints,
}
"""The keys of every task."""

_BOUNDS = {
    "requests": Requests,
    **dict.fromkeys(("crashes", "losses", "duplicates", "resets"), Fault),
    "timeouts": Count,
    "synchronous": Flag,
    "states": States,
}
"""The keys of the checker's bounds."""

QUESTION_KEYS = {
    **_BOUNDS,
    "variable": Name,
    "count": Count,
    "type": Name,
    "by": Node,
    "beside": Name,
    "light": Name,
    "seeds": Seeds,
    "measure": Name,
    "system": Name,
    "events": Moments,
}

TASKS: dict[str, dict[str, Any]] = {
    "look": {},
    "run": {"until": ConditionTable, "speed": Speed, "jump": Flag},
    "act": {"do": AnyTable, "until": ConditionTable},
    "predict": {
        "ask": Name,
        **QUESTION_KEYS,
        "until": ConditionTable,
        "within": Share,
        "wrong": Tables,
        "other": Words,
    },
    "quiz": {"ask": Words, "right": Words, "wrong": Tables},
    "be-node": {"until": ConditionTable, "decide": Names, "fields": Names, "source": Flag},
    "challenge": {"goal": ConditionTable, "moves": Moves, "allow": Names, "why": Words, **_BOUNDS},
    "order": {"what": Name, "between": Moments, "count": Few, "variable": Name},
    "repair": {"form": Name, "method": Name, "variants": Names, "intruders": Names, "nodes": SmallNodes, **_BOUNDS},
    "experiment": {
        **dict.fromkeys(("vary", "measure", "ask"), Name),
        "values": Varied,
        "seeds": FewSeeds,
        "until": ConditionTable,
        "for": Anything,
        "above": Time,
        "within": Share,
        "wrong": Tables,
        "other": Words,
    },
    "explain": {},
}
"""Kind of task -> its own keys."""

NEEDS = {
    "run": ("until",),
    "act": ("do",),
    "predict": ("ask",),
    "quiz": ("ask", "right", "wrong"),
    "be-node": ("node", "until"),
    "challenge": ("goal",),
    "order": ("what", "between"),
    "repair": ("form", "method"),
    "experiment": ("vary", "values", "measure", "ask"),
}

WRONG = {"is": AnyTable, "why": Words, "misconception": Name}
QUIZ_WRONG = {"text": Words, "why": Words, "misconception": Name}

OTHERWISE = {"ask": Name, "at": ConditionTable, "until": ConditionTable, "node": Node, **QUESTION_KEYS}
"""The keys of a wrong option that is the answer to another question."""

CONDITION_VALUES: dict[str, Any] = {
    "time": Time,
    **dict.fromkeys(("step", "tokens"), Count),
    **dict.fromkeys(("end", "quiet"), Flag),
    **dict.fromkeys(("holds", "leader", "at", "from", "by", "to", "node"), Node),
    **dict.fromkeys(("applies", "is", "has", "enters", "leaves", "asks"), Anything),
    **dict.fromkeys(("arrives", "sent", "light", "variable", "fires", "edge"), Name),
    "nth": Annotated[int, Meta(ge=1, description="a whole number of at least 1")],
}
