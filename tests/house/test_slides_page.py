"""docs/slides.md: every command on it that makes a picture or a table does what the page says."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

from visual.command_line import main
from visual.commands.shot import SNIPPETS

PAGE = (Path(__file__).parents[2] / "docs" / "slides.md").read_text("utf-8")
COMMANDS = re.findall(r"^ {4}mutoscope ((?:shot|trace) .+)$", PAGE, re.M)


@pytest.mark.parametrize("command", COMMANDS)
def test_a_command_writes_the_files_that_it_names(command, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    words = shlex.split(command)
    assert main(words) == 0
    printed = capsys.readouterr().out
    output = words[words.index("-o") + 1]
    written = {file.name for file in tmp_path.iterdir()}
    pattern = re.escape(output).replace(re.escape("{n}"), r"\d+")
    if output == "-":
        assert printed.startswith("|")
        assert not written
    else:
        assert written
        assert all(re.fullmatch(pattern, name) for name in written)
    if "--emit" in words:
        assert all(name in printed for name in written)


def test_the_page_has_every_snippet_format_and_table():
    used = " ".join(COMMANDS)
    assert all(f"--emit {name}" in used for name in SNIPPETS)
    for words in ("--table counters", "--table waits", "--table trace", "--csv", ".svg", ".pdf", ".png"):
        assert words in used


def test_the_options_on_the_page_exist(capsys):
    assert main(["shot", "--help"]) == 0
    known = set(re.findall(r"--[a-z][a-z-]+", capsys.readouterr().out))
    pictures = PAGE.partition("## Pictures")[2].partition("\n## ")[0]
    assert set(re.findall(r"(?<![\w-])--[a-z][a-z-]+", pictures)) - known <= {"--csv", "--allow-local-files"}
