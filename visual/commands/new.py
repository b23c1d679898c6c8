"""Write a complete algorithm with comments, for you to change into your own."""

from __future__ import annotations

import argparse
from importlib.resources import files
from pathlib import Path

from algorithms.authoring.declaration import is_name
from algorithms.bad_input import BadInput
from visual.commands.output import write

EXAMPLES = """\
  mutoscope new bakery
  mutoscope new my-ring --family ring
  mutoscope new naimi-trehel --family tree -o submissions/team-7.py"""

FAMILIES = {
    "mutex": "a coordinator grants entry",
    "ring": "a token goes round a ring",
    "tree": "requests climb a tree",
    "election": "a leader is elected",
}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    families = "; ".join(f"{name}: {words}" for name, words in FAMILIES.items())
    parser.add_argument("name", metavar="NAME", help="small letters, digits and hyphens, such as lazy-ring")
    parser.add_argument("--family", metavar="FAMILY", default="mutex", help=f"{families} (default: mutex)")
    parser.add_argument("-o", "--output", metavar="FILE", help="file to write (default: NAME.py, with underscores)")


def run(arguments: argparse.Namespace) -> int:
    """Write the template under that name, and say what to do with it. BadInput if there is such a file already."""
    name, family = arguments.name.removesuffix(".py").replace("_", "-"), arguments.family
    if not is_name(name):
        raise BadInput(f"{arguments.name}: expected a name of small letters, digits and hyphens, such as lazy-ring")
    if family not in FAMILIES:
        raise BadInput(f"--family: expected one of {', '.join(FAMILIES)}, got {family}")
    file = Path(arguments.output or f"{name.replace('-', '_')}.py")
    if file.suffix != ".py":
        raise BadInput(f"-o: expected a name that ends in .py, got {file}")
    if file.exists():
        raise BadInput(f"{file}: this file exists already; expected another name")
    write(str(file), [template(name, family).encode()])
    print(f"{file}: an algorithm that runs. Change it into yours; the window restarts the run each time you save it.")
    for command in (f"play {_shown(file)}", f"test {_shown(file)}"):
        print(f"  mutoscope {command}")
    return 0


def _shown(file: Path) -> str:
    return str(file) if file.parent != Path() else f"./{file}"


def template(name: str, family: str) -> str:
    """The text of a new algorithm's file."""
    text = (files("assets") / "templates" / f"{family}.template").read_text("utf-8")
    words = [word.capitalize() for word in name.split("-")]
    identifier = "".join(words) if not words[0][0].isdigit() else f"Algorithm{''.join(words)}"
    for placeholder, value in (("CLASS", identifier), ("TITLE", " ".join(words)), ("NAME", name)):
        text = text.replace(placeholder, value)
    return text
