"""The command `mutoscope`: runs a subcommand, and reports any failure in one sentence and an exit code.

0: done. 1: a promise of an algorithm is broken, 3: undecided; see `visual.commands.exit_codes`.
2: bad input, one sentence on the error stream. 130: stopped by Ctrl-C. 141: the output's reader has gone.
"""

from __future__ import annotations

import argparse
import codecs
import io
import os
import sys
import unicodedata
from collections.abc import Sequence
from difflib import get_close_matches
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import NoReturn

from algorithms.bad_input import BadInput

# In the order of --help. Each is a module of visual.commands whose docstring's first line is its help, with
# EXAMPLES, add_arguments(parser) and run(arguments) -> exit code.
COMMANDS = (
    *("play", "run", "trace", "shot", "film", "deck", "export", "web", "serve", "classroom"),
    *("why", "check", "sweep", "compare", "new", "test", "lesson", "lab", "rules", "list"),
)
DEFAULT = "play"

_LONGEST_SENTENCE = 1_000  # characters
BAD_INPUT, STOPPED, NO_READER = 2, 130, 141


def main(words: Sequence[str] | None = None) -> int:
    """Run the command line `words` (by default the program's own) and return the exit code."""
    words = list(sys.argv[1:] if words is None else words)
    _open_closed_streams()
    _bound_memory()
    codecs.register_error(_PLAINLY, _plainly)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors=_PLAINLY)  # an old terminal without "−" is no reason to stop
    try:
        code = _run(words)
        sys.stdout.flush()
        return code
    except BadInput as error:
        print("mutoscope:", _shortened(" ".join(str(error).split())), file=sys.stderr)
        return BAD_INPUT
    except KeyboardInterrupt:
        print("mutoscope: stopped", file=sys.stderr)
        return STOPPED
    except MemoryError:
        print("mutoscope: the memory is full; expected a smaller system or a shorter run", file=sys.stderr)
        return BAD_INPUT
    except BrokenPipeError:  # as in `mutoscope trace | head`
        _close_output()
        return NO_READER
    except OSError as error:  # as in `mutoscope trace > file` on a full disk
        if error.filename is not None:  # not the output: other files are reported where they are opened
            raise
        _close_output()
        print(f"mutoscope: the output cannot be written ({error.strerror})", file=sys.stderr)
        return BAD_INPUT


_PLAINLY = "plainly"  # a name among Python's encoding error handlers
_PLAIN = {"✓": "ok", "✗": "no", "−": "-", "–": "-", "→": "->", "←": "<-", "≤": "<=", "≥": ">=", "×": "x", "…": "..."}
_PLAIN |= {
    "“": '"',
    "”": '"',
    "’": "'",
    "·": "-",
    "Σ": "sum",
    "Δ": "Delta ",
    "∞": "inf",
    "━": "=",
    "─": "-",
    "│": "|",
    "′": "'",
    "⌈": "ceil(",
    "⌉": ")",
}


def _plainly(error: UnicodeError) -> tuple[str, int]:
    """An encoding error handler that writes other characters, or words, with the same meaning."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    missing = error.object[error.start : error.end]
    return "".join(_PLAIN.get(sign) or _letters_of(sign) for sign in missing), error.end


def _shortened(sentence: str) -> str:
    """The sentence, cut in its middle if it holds far more than a person reads."""
    half = _LONGEST_SENTENCE // 2
    return sentence if len(sentence) <= _LONGEST_SENTENCE else f"{sentence[:half]} … {sentence[-half:]}"


def _letters_of(sign: str) -> str:
    """The plain letters in a sign, "1" in "₁"; "?" for none."""
    return unicodedata.normalize("NFKD", sign).encode("ascii", "ignore").decode() or "?"


def _bound_memory() -> None:
    """Leave the rest of the machine a quarter of its memory: an endless run is reported, not killed."""
    try:
        import resource  # not on Windows
    except ImportError:
        return
    low, high = resource.getrlimit(resource.RLIMIT_DATA)
    bound = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") * 3 // 4
    if bound > 0 and (low == resource.RLIM_INFINITY or low > bound):
        resource.setrlimit(resource.RLIMIT_DATA, (bound, high))


def _open_closed_streams() -> None:
    """Replace an output that was closed at the start by one that fails, and a closed error stream by a silent one."""
    if sys.stdout is None:
        sys.stdout = io.TextIOWrapper(io.FileIO(os.open(os.devnull, os.O_RDONLY), "w"), encoding="utf-8")
    if sys.stderr is None:
        sys.stderr = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115


def _close_output() -> None:
    """Discard all further output."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


class Parser(argparse.ArgumentParser):
    """A parser that raises BadInput instead of printing its usage."""

    def error(self, message: str) -> NoReturn:
        raise BadInput(f"{message} ({self.prog} --help lists the options)")


def _run(words: list[str]) -> int:
    if words and words[0] in ("-h", "--help"):
        print(_help())
        return 0
    if words and words[0] == "--version":
        print(f"mutoscope {_version()}")
        return 0
    if not words or words[0].startswith("-"):
        words = [DEFAULT, *words]
    if words[0] not in COMMANDS:
        raise BadInput(_unknown_command(words[0]))
    module = import_module(f"visual.commands.{words[0]}")
    parser = _parser(words[0], module)
    try:
        arguments, rest = parser.parse_known_args(words[1:])
    except SystemExit as end:  # after --help
        return int(end.code or 0)
    if rest:
        raise BadInput(_unknown_words(rest, parser))
    return int(module.run(arguments))


def _parser(name: str, module: ModuleType) -> Parser:
    """The parser of one command."""
    parser = Parser(
        prog=f"mutoscope {name}",
        description=module.__doc__,
        epilog=f"examples:\n{module.EXAMPLES}",
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    module.add_arguments(parser)
    return parser


def _help() -> str:
    """The commands, each with the first line of its module."""
    width = max(map(len, COMMANDS))
    return "\n".join(
        [
            "usage: mutoscope [COMMAND] …",
            "",
            "Watch distributed processes take turns. Without a command: open the window.",
            "",
            "commands:",
            *(f"  {name:{width}}  {_summary(name)}" for name in COMMANDS),
            "",
            "examples:",
            "  mutoscope play lost-token",
            "  mutoscope run token-ring --until 500",
            "  mutoscope run --help",
        ]
    )


def _summary(name: str) -> str:
    """The first line of a command's file, which is its docstring's: importing all of them would take long."""
    with open(Path(__file__).with_name("commands") / f"{name}.py", encoding="utf-8") as source:
        return source.readline().strip(' "\n')


def _version() -> str:
    from importlib.metadata import PackageNotFoundError, version  # as slow to import as the rest together

    try:
        return version("mutoscope")
    except PackageNotFoundError:
        return "(a working copy that is not installed)"


def _unknown_command(word: str) -> str:
    if os.path.exists(word) or word.endswith(".toml"):
        return f"unknown command {word!r}; to open the file, mutoscope play {word}"
    near = get_close_matches(word, COMMANDS, n=1)
    hint = f"did you mean {near[0]}?" if near else f"expected one of {', '.join(COMMANDS)}"
    return f"unknown command {word!r}; {hint}"


def _unknown_words(rest: list[str], parser: Parser) -> str:
    options = [option for action in parser._actions for option in action.option_strings]
    near = get_close_matches(rest[0].partition("=")[0], options, n=1)
    hint = f"did you mean {near[0]}?" if near else f"{parser.prog} --help lists the options"
    what = "option" if rest[0].startswith("-") else "argument"
    return f"unknown {what} {rest[0]!r}; {hint}"
