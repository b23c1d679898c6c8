"""Where pictures go: one name, or a pattern for a series, and the format that follows from it."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Literal, cast

from algorithms.scenario_format.place import Place

Format = Literal["png", "svg"]
FORMATS: tuple[Format, ...] = ("png", "svg")


@dataclass(frozen=True)
class Target:
    """The pattern of the files' names, in which {name} and {n} stand for the run's name and the picture's number."""

    pattern: str
    format: Format

    def file(self, name: str, number: int) -> str:
        """The name of one file; "-" is the program's output."""
        return self.pattern.replace("{name}", name).replace("{n}", str(number))


def target_of(output: str | None, form: str | None, pictures: int) -> Target:
    """Where so many pictures go, given -o and --format. BadInput if that cannot be."""
    if form is not None and form not in FORMATS:
        raise Place("--format").unknown("format", form, FORMATS)
    chosen = cast(Format | None, form)
    if output is None:
        return Target(("{name}" if pictures == 1 else "{name}-{n}") + f".{chosen or 'png'}", chosen or "png")
    if output == "-":
        if pictures > 1:
            raise Place("-o").wrong(f"expected one picture for the output, got {pictures}")
        return Target("-", chosen or "svg")
    ending = Path(output).suffix.lower().removeprefix(".")
    if ending not in FORMATS:
        raise Place("-o").expected("a name that ends in .png or .svg", output)
    if chosen not in (None, ending):
        raise Place("--format").expected(f"{ending}, as the name has it", chosen)
    if pictures > 1 and "{n}" not in output:
        raise Place("-o").expected(f"a name with {{n}} for a series of {pictures}, such as wait-{{n}}.{ending}", output)
    return Target(output, cast(Format, ending))
