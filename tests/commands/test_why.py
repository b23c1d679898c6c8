"""The command `mutoscope why`: the sentences of the window's card, at a moment of a run."""

from __future__ import annotations

import json

import pytest

from visual.command_line import main

WAIT = ["why", "deferred-reply", "--at", "marker:the wait"]
DEFERRED = "P1 has deferred its reply to P3: (2,1) is older than (2,3)."


def test_one_process_is_explained(capsys):
    assert main([*WAIT, "--node", "3"]) == 0
    title, *lines = capsys.readouterr().out.splitlines()
    assert title == "Why is P3 waiting? (t = 5.6, step 19)"
    assert f"  {DEFERRED}" in lines
    assert not any("reply to P1 is in transit" in line for line in lines), "its own reply is no reason"


def test_a_program_reads_them_as_json(capsys):
    assert main([*WAIT, "--node", "P3", "--json"]) == 0
    answer = json.loads(capsys.readouterr().out)
    (process,) = answer["processes"]
    assert (answer["time"], answer["step"], process["node"], process["waiting"]) == (5.6, 19, 3, True)
    assert {"words": DEFERRED, "permanent": False, "nodes": [1], "messages": []} in process["reasons"]


def test_without_a_node_all_that_wait_are_explained(capsys):
    assert main(WAIT) == 0
    titles = [line for line in capsys.readouterr().out.splitlines() if not line.startswith(" ")]
    assert [title.split()[2] for title in titles] == ["P1", "P3"]
    assert main(["why", "coordinator", "--at", "step:1"]) == 0
    assert capsys.readouterr().out == "No process is waiting (t = 0, step 1).\n"
    assert main([*WAIT, "--node", "2"]) == 0
    assert capsys.readouterr().out == "P2 is not waiting (t = 5.6, step 19).\n"


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ([*WAIT, "--node", "9"], '--node: expected a process from 0 to 4, got "9"'),
        ([*WAIT, "--node", "all"], '--node: expected a process from 0 to 4, got "all"'),
        (["why", "deferred-reply", "--at", "1,2"], '--at: expected one moment, got "1,2"'),
        (["why", "deferred-reply", "--at", "step:900"], "--at: the run ends after 31 steps, before step 900"),
        (["why", "deferred-reply", "--at", "step:x"], '--at: expected step: with a number up to 1000000, got "step:x"'),
        (["why", "deferred-reply", "--at", "noon"], "step:NUMBER, marker:NAME"),
    ],
)
def test_a_mistake_is_one_sentence(capsys, words, said):
    assert main(words) == 2
    assert said in capsys.readouterr().err
