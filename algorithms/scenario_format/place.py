"""The place of a value in a scenario file, and the sentences that say what is wrong there."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from difflib import get_close_matches
from pathlib import Path
from typing import Any

from algorithms.bad_input import BadInput
from algorithms.engine.errors import short

_LONGEST = 40  # characters of a wrong value that are worth repeating
_LONGEST_NAME = 100  # characters of a wrong name that is compared with the right ones


@dataclass(frozen=True)
class Place:
    """A key of a scenario file, or of a part of it that an option of the command line has set.

    `options` maps such keys to their options: a mistake there is reported as the option's.
    """

    source: str
    key: str = ""
    options: Mapping[str, str] = field(default_factory=dict)

    def at(self, key: str | int) -> Place:
        """The place one level further in: a key of this table, or an item of this list."""
        if isinstance(key, int):
            return replace(self, key=f"{self.key}[{key}]")
        plain = key if len(key) <= _LONGEST and re.fullmatch(r"[\w-]+", key) else quoted(key)
        return replace(self, key=f"{self.key}.{plain}".lstrip("."))

    def wrong(self, sentence: str) -> BadInput:
        """The error to raise: the file or option, the key, and the sentence."""
        return BadInput(f"{self}: {sentence}")

    def missing(self, key: str, description: str) -> BadInput:
        """The error for a key that the table at this place needs; items of lists count from 1 here."""
        item = re.fullmatch(r"(.+)\[(\d+)\]", self.key)
        if item is None or self.key in self.options:
            return self.at(key).wrong(f"expected {description}, got nothing")
        name = f"{item[1]} {int(item[2]) + 1}" if "." not in item[1] else f"item {int(item[2]) + 1} of {item[1]}"
        return BadInput(f"{self.source}: {name} has no `{key}`; expected {description}")

    def expected(self, description: str, value: Any) -> BadInput:
        """The error for a wrong value, which is quoted."""
        return self.wrong(f"expected {description}, got {quoted(value)}")

    def unknown(self, what: str, name: Any, choices: Iterable[str]) -> BadInput:
        """The error for a name that is not among `choices`, with the most similar ones, or all."""
        return self.wrong(f"unknown {what} {quoted(name)}; {suggestion(str(name), choices)}")

    def check_known(self, what: str, name: Any, choices: Iterable[str]) -> None:
        """Raise the error for an unknown name unless it is among `choices`."""
        if name not in choices:
            raise self.unknown(what, name, choices)

    def __str__(self) -> str:
        owners = [key for key in self.options if self.key == key or self.key.startswith((f"{key}.", f"{key}["))]
        if not owners:
            return f"{self.source}: {self.key}" if self.key else self.source
        owner = max(owners, key=len)
        inner = self.key[len(owner) :].lstrip(".")
        return f"{self.options[owner]}: {inner}" if inner else self.options[owner]


def suggestion(name: str, choices: Iterable[str]) -> str:
    """ "did you mean …?" where a choice is similar to the name, otherwise all choices."""
    names = list(choices)
    if not names:
        return "there are none"
    near = _nearest(name, names)
    names = [f'"{choice}"' if " " in choice else choice for choice in near or names]
    if near:
        return f"did you mean {' or '.join(names)}?"
    return f"expected {' or '.join(names)}" if len(names) < 3 else f"expected one of {', '.join(names)}"


def is_near(name: str, choices: Iterable[str]) -> bool:
    """Whether a choice is similar to the name."""
    return bool(_nearest(name, list(choices)))


def _nearest(name: str, choices: list[str]) -> list[str]:
    """At most three choices that are similar to the name, or contain it."""
    wanted = name.lower()
    if not 0 < len(wanted) <= _LONGEST_NAME:
        return []
    return get_close_matches(wanted, choices, n=2) or [choice for choice in choices if wanted in choice][:3]


def find_file(what: str, name: str, folder: Path, names: Iterable[str], ending: str, hint: str) -> Path:
    """The file of that name in a folder of `names`, or a person's own. BadInput, with the hint, if there is none."""
    shipped = list(names)
    if name in shipped:
        return folder / f"{name}{ending}"
    if os.path.isfile(name):
        return Path(name)
    if name.endswith(ending):
        raise BadInput(f"{path_words(name)}: there is no such file")
    near = f"{suggestion(name, shipped)} " if is_near(name, shipped) else ""
    raise BadInput(f"unknown {what} {short(name)}; {near}{hint}")


def quoted(value: Any) -> str:
    """A value as it would stand in the file, shortened if it is long."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, dict):
        return "a table"
    return shortened(f'"{value}"' if isinstance(value, str) else short(value))


def shortened(text: str, most: int = _LONGEST) -> str:
    """A text of a person, in one line and shortened if it is long."""
    text = " ".join(text[:1000].split())
    return text if len(text) <= most else text[: most - 1] + "…"


def path_words(path: str | Path) -> str:
    """A path, shortened if it is longer than a usual one."""
    return shortened(str(path), 200)
