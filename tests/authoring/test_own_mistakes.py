"""Mistakes in an algorithm of one's own: every command and the window report the mistake and its place in one sentence.

The README's algorithm is the start; each case changes a few words of it.
"""

from __future__ import annotations

import random
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

import algorithms.mutual_exclusion
from algorithms import catalog
from algorithms.authoring import watchdog
from algorithms.authoring.repeatability import may_differ
from algorithms.bad_input import BadInput
from algorithms.engine.scenario import Scenario
from algorithms.engine.workload import Closed
from tests.support.desks import desk_of
from tests.support.interfaces import changed
from tests.support.modules import forget_own
from tests.support.random_inputs import random_input, refuse_measurement
from visual.command_line import main
from visual.commands import execution
from visual.window.desk import Desk
from visual.window.inputs import Key, Tick
from visual.window.lab.measurement import Measurement
from visual.window.screen import Screen
from visual.window.state import Interface
from visual.window.update import update

README = (Path(__file__).parents[2] / "README.md").read_text("utf-8")
OWN = README.partition("```python\n")[2].partition("```")[0]
FILE = "algorithms/mutual_exclusion/ricart_agrawala_token.py"

FIRST = "self.token = None  # the token, if it is here"
TURN = "self.enter()  # only the token holder may"
SEND = "self.send(self.token, to=first)"
HOLDING, WAITING = "return self.token is not None", "return any_of(self.peers, Token)"
LAST = '    chips="asked",'
CLASS = "class RicartAgrawalaToken(MutexProcess):"

DEEPER = "for _ in range(2000): self.deep = (self.deep,)"
WHEN = "from algorithms.engine.process import when"

DECLARED = {  # mistakes before there is a run
    "name": (
        'name="ricart-agrawala-token"',
        'name="Ricart Agrawala"',
        "name is 'Ricart Agrawala'; expected small letters",
    ),
    "no-algorithm": ("ALGORITHM = Algorithm(", "ALGO = Algorithm(", "expected ALGORITHM = Algorithm(name="),
    "no-cost": ('Cost("0 or N", lambda n: 0, lambda n: n)', '"N"', "cost is 'N'; expected Cost(formula, low, high)"),
    "cost-raises": ("lambda n: n)", "lambda n: n / 0)", "line 67: ZeroDivisionError: division by zero"),
    "cost-number": ("lambda n: 0, lambda n: n)", "3)", "the cost's low is 3; expected lambda n: 3"),
    "handler": ("def on_request(", "def on_requst(", "has no on_request, but on_requst; did you mean on_request?"),
    "hook": (
        "def release(",
        "def relase(",
        "RicartAgrawalaToken has relase, which nothing calls; did you mean release?",
    ),
    "cost-text": ("lambda n: n)", 'lambda n: "N")', "the cost's high is 'N' for 2 nodes; expected a number"),
    "process": ("process=RicartAgrawalaToken", "process=5", "process is 5; expected a class made from MutexProcess"),
    "init": (CLASS, f"{CLASS}\n    def __init__(self, x): pass\n", "RicartAgrawalaToken has __init__; expected setup"),
    "assumption": (LAST, '    assumes=("Reliable", "fifo"),', "assumes has 'Reliable'; did you mean 'reliable'?"),
    "topology": (LAST, '    topology="circle",', "topology is 'circle'; expected one of complete"),
    "promises": (LAST, '    promises=("ME9",),', "promises is ('ME9',); expected a tuple of ME1"),
    "chips": (LAST, "    chips=3,", "chips is 3; expected the name of a variable"),
    "chips-of-nothing": (LAST, '    chips="askd",', "has no such variable; did you mean 'asked'?"),
    "pointers": (LAST, '    pointers={"asked": "wavy"},', "pointers is {'asked': 'wavy'}; expected {variable: one of"),
    "pointer-of-nothing": (LAST, '    pointers={"askd": "solid"},', "pointers is 'askd', and"),
    "region-of-nothing": (LAST, '    region="askd",', "region is 'askd', and"),
    "end-of-nothing": (LAST, '    at_edges={"asked": "tokn"},', "at_edges is 'tokn', and"),
    "three-rows": (LAST, '    chips=("asked", "token", "id"),', "expected the name of a variable, or two"),
    "invariant-of-nothing": (
        LAST,
        '    invariants={"one": lambda: True},',
        "expected {name: function of the processes, or of them and the messages in transit, …}",
    ),
    "invariant-that-is-no-key": (
        LAST,
        '    invariants={"one": type("Same", (), {"__hash__": None, "__call__": lambda self, p: True})()},',
        "expected {name: function of the",
    ),
    "invariant-of-three": (LAST, '    invariants={"one": lambda p, q, r: True},', "expected {name: function of the"),
    "excludes": (LAST, '    excludes="some",', "excludes is 'some'; expected all or neighbours"),
    "own-baseline": (
        LAST,
        '    baseline="ricart-agrawala-token",',
        "baseline is 'ricart-agrawala-token', the algorithm itself; expected the name of another",
    ),
    "badge-of-nothing": (
        LAST,
        '    badge="leader",',
        "badge is 'leader', and RicartAgrawalaToken has no such variable",
    ),
    "pace-of-nothing": (
        LAST,
        '    paced_by="token",',
        "paced_by is 'token', and RicartAgrawalaToken has no such parameter",
    ),
    "send": (CLASS, f"{CLASS}\n    send = 3\n", "RicartAgrawalaToken has send of its own, which is lent to it"),
    "peers": (CLASS, f"{CLASS}\n    def peers(self): pass\n", "RicartAgrawalaToken has peers of its own"),
    "no-method": (
        "    def release(self):",
        "    release = True\n    def x(self):",
        "release of RicartAgrawalaToken is True; expected",
    ),
    "no-handler": (
        "    def on_token(self,",
        "    on_token = 5\n    def x(self,",
        "on_token of RicartAgrawalaToken is 5; expected",
    ),
    "generator-handler": (TURN, "yield self.enter()", "on_token of RicartAgrawalaToken has yield, or is async"),
    "async-handler": ("def on_token", "async def on_token", "on_token of RicartAgrawalaToken has yield, or is async"),
    "no-guard": (
        CLASS,
        f"{CLASS}\n    {WHEN}\n    @when\n    def go(self): pass\n",
        "go of RicartAgrawalaToken has no guard",
    ),
    "odd-guard": (
        CLASS,
        f"{CLASS}\n    {WHEN}\n    @when(True)\n    def go(self): pass\n",
        "go of RicartAgrawalaToken has no",
    ),
    "variants": (LAST, '    variants={"x": 3},', "variant 'x' is 3; expected Variant("),
    "invariants": (LAST, '    invariants={"x": 3},', "expected {name: function of the processes"),
    "token": ("token=Token", 'token="Token"', "token is 'Token'; expected the class of a message"),
    "looks": ('looks={Request: "ask", Token: "token"}', "looks=None", "looks is None; expected {Message: look"),
    "no-message": ("class Request(Message)", "class Request", "looks has Request, which is no message; expected class"),
    "no-sender": (
        "def on_token(self, token, sender)",
        "def on_token(self, token)",
        "has on_token(self, token); expected on_token(self, message, sender)",
    ),
    "exit": ("ALGORITHM = Algorithm(", "raise SystemExit(3)\nALGORITHM = Algorithm(", "SystemExit: 3"),
    "missing": ("from algorithms.engine", "import numppy\nfrom algorithms.engine", "No module named 'numppy'"),
    "default": (
        CLASS,
        f"{CLASS}\n    from algorithms.engine.process import Parameter\n    gap = Parameter(0, 'how long', low=1)\n",
        "the default of gap is 0; expected at least 1",
    ),
    "default-kind": (
        CLASS,
        f"{CLASS}\n    from algorithms.engine.process import Parameter\n    gap = Parameter([1], 'how long')\n",
        "the default of gap is the list [1]; expected the tuple (1,)",
    ),
    "setup": (FIRST, "self.token = 1 / 0", "cannot be set up, in setup of P0: ZeroDivisionError"),
    "identity": (FIRST, "self.id = 7", "cannot be set up: P0 changes its own id"),
}
IN_A_STEP = {  # what shows in a run, which stops before that step
    "launch": ("self.create_token()", "self.make_token()", "in launch of P0: AttributeError"),
    "acquire": ("self.asked[self.id] += 1", "self.asked[99] += 1", "IndexError list index out of range"),
    "send-far": (SEND, "self.send(self.token, to=99)", "it sends Token to P99, and there is no such node"),
    "send-below": (SEND, "self.send(self.token, to=-1)", "it sends Token to P-1, and there is no such node"),
    "send-none": (SEND, "self.send(self.token, to=None)", "it sends Token to None; expected a node's number"),
    "send-text": (SEND, "self.send(self.token, to='P1')", "it sends Token to 'P1'; expected a node's number"),
    "release": (
        "    def release(self):",
        "    def release(self, x):",
        "RicartAgrawalaToken.release() missing 1 required",
    ),
    "long-stay": (TURN, "self.enter('long')", "it enters for 'long'; expected a time of at least 0"),
    "endless-stay": (TURN, "self.enter(float('nan'))", "it enters for nan; expected a time of at least 0"),
    "timer": (TURN, "self.set_timer('x', -5)", "it sets the timer x to -5; expected a time of at least 0"),
    "timer-number": (TURN, "self.set_timer(5, 1.0)", "it sets a timer called 5; expected a text"),
    "deaf-timer": (TURN, f"self.set_timer('x', 1)\n        {TURN}", "has no on_x for its timer 'x'; expected on_x"),
    "timer-spelling": (TURN, f"self.set_timer('tokn', 1)\n        {TURN}", "its timer 'tokn'; did you mean on_token?"),
    "enters-twice": (TURN, "self.enter(); self.enter()", "enters while it is inside; expected one enter() for each"),
    "enters-unasked": ("self.pass_on()  # it does not need the token", "self.enter()", "enters without a request"),
    "nested-later": (TURN, "self.odd = [0]; self.odd.append([]); self.enter()", "keeps [0, []] in self.odd; expected"),
    "itself-later": (TURN, "self.odd = [1]; self.odd.append(self.odd); self.enter()", "keeps [1, [...]] in self.odd"),
    "exit-in-a-step": (TURN, "raise SystemExit(5)", "SystemExit 5"),
    "base-exception": (TURN, "raise GeneratorExit", "in on_token of P"),
    "weird-exception": (TURN, "raise type('E', (Exception,), {'__str__': lambda self: 1 / 0})", "in on_token of P"),
    "long-exception": (TURN, "raise ValueError('x' * 10_000)", f"ValueError {'x' * 199}…"),
    "recursion": (TURN, "self.on_token(token, sender)", "RecursionError maximum recursion depth exceeded"),
    "hidden-method": (FIRST, "self.token, self.release = None, True", "has a variable release, which hides the method"),
    "hidden-way": (TURN, "self.send = 3; self.pass_on()", "changes how it reaches the others"),
    "unknown-message": (
        SEND,
        "self.send(type('Odd', (Message,), {})(), to=first)",
        "RicartAgrawalaToken has no on_odd",
    ),
    "choice": (TURN, "self.random.choice(())", "it draws one of none"),
    "library": (TURN, "import json; json.loads('')", "in on_token of P"),
    "frozen": ("self.token = token\n", "token.served = 1\n", "cannot assign to field 'served'"),
    "rules": (
        "    def release(self):",
        "    from algorithms.engine.process import when\n    @when(lambda self: True)\n    def go(self): pass\n\n"
        "    def release(self):",
        "the rules of P0 never settle",
    ),
}
KEPT = {  # what a run cannot undo
    "itself": (FIRST, "self.token, self.deep = None, []; self.deep.append(self.deep)", "P0 keeps [[...]] in self.deep"),
    "deep": (FIRST, f"self.token, self.deep = None, ()\n        {DEEPER}", "P0 keeps a tuple in self.deep"),
    "nested": (FIRST, "self.token, self.deep = None, [[0]]", "P0 keeps [[0]] in self.deep; expected a number, a text"),
    "not-first": (
        FIRST,
        'self.token, self.deep = None, {"n": 0, "who": []}',
        "P0 keeps {'n': 0, 'who': []} in self.deep; expected a number, a text",
    ),
    "object": (FIRST, "self.token, self.deep = None, object()", "keeps <object object"),
    "generator": (FIRST, "self.token, self.deep = None, (i for i in ())", "keeps <generator object"),
}
SENT = {  # what arrives, but cannot be shown on its way
    "class": (
        SEND,
        "self.send(Token, to=first)",
        "it sends the class Token; expected a message, Token(…)",
    ),
    "text": (SEND, "self.send('token', to=first)", "it sends 'token'; expected a message"),
    "deep": (
        SEND,
        "t = ()\n            for _ in range(2000): t = (t,)\n            self.send(Token(t), to=first)",
        "too deep",
    ),
    "mutable": (
        "Token(tuple(served))",
        "Token(served)",
        "which could be changed in transit",
    ),
    **{
        name: ("Token(tuple(served))", f"Token({value})", f"{words}; expected numbers, texts, tuples, frozensets")
        for name, value, words in (
            ("bytes", "b'x'", "with b'x', of type bytes"),
            ("complex", "(1, (2, 1j))", "with 1j, of type complex"),
            ("range", "range(3)", "of type range"),
            ("enum", "__import__('enum').Enum('Sort', 'A').A", "of type Sort"),
            ("function", "len", "of type builtin_function_or_method"),
            ("itself", "self", "of type RicartAgrawalaToken"),
            ("surrogate", "'\\ud800'", "which is not Unicode"),
            ("endless-number", "10**5000", "with a number of too many digits"),
        )
    },
}
ASKED = {  # what only a picture asks
    "holding": (HOLDING, "return self.tokn is not None", "in holding of P"),
    "waiting": (WAITING, "return self.pers", "in waiting_for of P"),
    "waiting-for": (WAITING, "return (99, 'x')", "waiting_for of P"),
}
SHOWN = {  # odd, and yet shown
    "no-look": ('Request: "ask", ', "", ""),
    "endless-text": (TURN, "self.odd = 'x' * 10**6; self.enter()", ""),
    "chips-by-name": (FIRST, "self.token = None; setattr(self, 'odd', {1})\n        chips = 'odd'", ""),
    "generated": (WAITING, "yield from self.peers", ""),
    "chips-of-one": (LAST, '    chips="wants",', ""),
    "mixed": (FIRST, "self.token, self.mixed = None, {1, None, 'a'}", ""),
    "no-docstring": (OWN.splitlines()[0], "", ""),
}

FICKLE = {  # algorithms that go differently when re-executed
    "sends": (
        "self.pass_on()  # it does not need the token",
        "import random; random.random() < 0.5 and self.pass_on()",
        "",
    ),
    "clock": ("Request(self.asked[self.id])", "Request(__import__('time').perf_counter_ns() % 7)", ""),
    "fails": (TURN, "import random; 1 / (random.random() > 0.1); self.enter(random.random())", ""),
    "misuse": ("to=self.peers)", "to=__import__('random').choice([self.peers, 99, (), 1]))", ""),
    "asked": (WAITING, "import random; return 1 / random.randrange(3)", ""),
    "variables": (
        "self.token = token\n",
        "import random; setattr(self, random.choice('abc'), 1); self.token = token\n",
        "",
    ),
}


@pytest.fixture
def own(tmp_path, monkeypatch):
    """A function that writes the README's algorithm with a mistake into the catalogue."""
    monkeypatch.setattr(algorithms.mutual_exclusion, "__path__", [str(tmp_path), *algorithms.mutual_exclusion.__path__])
    monkeypatch.chdir(tmp_path)

    def write(right: str, wrong: str) -> None:
        assert right in OWN
        (tmp_path / "ricart_agrawala_token.py").write_text(OWN.replace(right, wrong, 1), "utf-8")

    forget_own()
    yield write
    forget_own()


def sentence_of(capsys, *words: str) -> str:
    """The one sentence that a command ends with."""
    assert main(words) == 2
    sentence = capsys.readouterr().err
    assert sentence.startswith("mutoscope: ")
    assert sentence.count("\n") == 1
    return sentence


def shown_run(keys: str = "Down I Down Down Down V Shift+U Y N", steps: int = 6) -> Desk:
    """A run in the window, one page after another open, played on each for that number of steps or until it stops."""
    screen = Screen(desk_of(Scenario("ricart-agrawala-token", nodes=3, load=Closed(think=2.0))))
    interface = Interface()
    for key in ["", *keys.split()]:
        interface = update(interface, screen, Key(key)) if key else interface
        for _ in range(steps):
            screen.desk.front.forward()
        interface = update(interface, screen, Tick(0.2))
        screen.shapes(interface)
    return screen.desk


def cases(table):
    return pytest.mark.parametrize(("right", "wrong", "words"), table.values(), ids=table)


@cases(DECLARED)
def test_a_wrong_declaration_is_reported_before_there_is_a_run(own, capsys, right, wrong, words):
    own(right, wrong)
    sentence = sentence_of(capsys, "run", "ricart-agrawala-token")
    assert words in sentence
    assert FILE in sentence
    with pytest.raises(BadInput):
        desk_of(Scenario("ricart-agrawala-token"))


@pytest.mark.parametrize(
    ("right", "wrong", "words"),
    [
        ("lambda n: n)", "lambda n: n / (n - 7))", "ZeroDivisionError division by zero"),
        ("lambda n: n)", "lambda n: n if n != 7 else 'N')", "the cost's high is 'N' for 7 nodes; expected a number"),
        ("def release(", "def offered(self):\n        return 'much'\n\n    def release(", "offered() of P0 is 'much'"),
    ],
)
def test_an_answer_that_is_wrong_for_one_size_is_reported_before_the_run(own, capsys, right, wrong, words):
    own(right, wrong)
    for command in (["run"], ["trace"], ["shot", "-o", "p.svg"]):
        assert words in sentence_of(capsys, *command, "ricart-agrawala-token", "--nodes", "7")
    with pytest.raises(BadInput):
        desk_of(Scenario("ricart-agrawala-token", nodes=7))


def test_a_file_as_other_systems_write_it_is_read(own, capsys):
    own("", "")
    file = Path(algorithms.mutual_exclusion.__path__[0]) / "ricart_agrawala_token.py"
    file.write_bytes(b"\xef\xbb\xbf" + file.read_bytes().replace(b"\n", b"\r\n"))
    assert main(["run", "ricart-agrawala-token"]) == 0
    assert capsys.readouterr().err == ""
    assert shown_run().failure == ""


@cases(IN_A_STEP)
def test_a_step_that_fails_stops_the_run_before_it(own, capsys, right, wrong, words):
    own(right, wrong)
    for command in ("run", "trace"):
        sentence = sentence_of(capsys, command, "ricart-agrawala-token", "--load", "closed:2")
        assert "ricart-agrawala-token fails in step " in sentence
        assert words in sentence
        assert FILE in sentence
    desk = shown_run() if right == SEND else shown_run("V", steps=30)  # all pages show the state before, whatever fails
    assert words in desk.front.failure
    assert desk.front.timeline.step == desk.front.timeline.frontier
    if ", line " in desk.front.failure:
        assert desk.front.execution.lines[0].file.endswith("ricart_agrawala_token.py"), "the line is lit"
    while desk.front.back():
        assert not desk.front.failure


@cases(KEPT)
def test_a_state_that_cannot_be_restored_is_refused_everywhere(own, capsys, right, wrong, words):
    own(right, wrong)
    for command in (["run"], ["trace"], ["shot", "-o", "p.svg"]):
        assert words in sentence_of(capsys, *command, "ricart-agrawala-token")
    with pytest.raises(BadInput):
        desk_of(Scenario("ricart-agrawala-token"))


@pytest.mark.parametrize(("kept", "words"), [("itself", "what can be changed"), ("deep", "is nested too deep")])
def test_states_that_cannot_be_compared_cannot_be_checked(own, capsys, kept, words):
    own(*KEPT[kept][:2])
    sentence = sentence_of(capsys, "check", "ricart-agrawala-token", "--nodes", "2")
    assert "ricart-agrawala-token cannot be checked: " in sentence
    assert words in sentence


@pytest.mark.parametrize("right", [HOLDING, TURN, "ALGORITHM = "])
def test_the_prints_of_an_algorithm_are_not_part_of_the_output(own, capfd, right):
    own(right, f"print('mine'); {right}" if right != "ALGORITHM = " else f"print('mine')\n{right}")
    for command in ("run", "trace", "shot", "check"):
        load = [] if command == "check" else ["--load", "closed:2"]
        where = ["--at", "9", "-o", "-"] if command == "shot" else ["--nodes", "2"] if command == "check" else []
        forget_own()
        assert main([command, "ricart-agrawala-token", *load, *where]) == 0
        assert "mine" not in capfd.readouterr().out


@cases(SENT)
def test_a_bad_message_is_reported_where_it_is_sent(own, capsys, right, wrong, words):
    own(right, wrong)
    sentence = sentence_of(capsys, "shot", "ricart-agrawala-token", "--load", "closed:2", "--at", "40", "-o", "p.svg")
    assert words in sentence
    assert f"({FILE}, line " in sentence
    assert words in shown_run().failure
    for command in ("run", "trace"):
        told = sentence_of(capsys, command, "ricart-agrawala-token", "--load", "closed:2", "--until", "40")
        assert words in told
        assert f"({FILE}, line " in told


def test_the_checker_refuses_the_messages_that_a_run_refuses(own, capsys):
    own("Request(self.asked[self.id])", "Request(__import__('enum').Enum('Sort', 'A').A)")
    told = sentence_of(capsys, "check", "ricart-agrawala-token", "--nodes", "2")
    assert "it sends Request with <Sort.A: 1>, of type Sort; expected numbers, texts, tuples, frozensets" in told
    assert f"({FILE}, line " in told


@cases(ASKED)
def test_a_failing_query_of_a_picture_pauses_the_window_but_does_not_close_it(own, capsys, right, wrong, words):
    own(right, wrong)
    assert main(["run", "ricart-agrawala-token"]) == 0
    capsys.readouterr()
    desk = shown_run()
    assert words in desk.front.failure
    assert desk.front.next_time is None


@cases(SHOWN)
def test_odd_values_are_shown(own, right, wrong, words):
    own(right, wrong)
    assert shown_run().failure == ""


@cases(FICKLE)
def test_values_that_never_repeat_do_not_close_the_window(own, monkeypatch, right, wrong, words):
    monkeypatch.setattr(Measurement, "start", refuse_measurement)
    own(right, wrong)
    dice = random.Random(right)
    screen = Screen(desk_of(Scenario("ricart-agrawala-token", nodes=3, load=Closed(think=2.0))))
    interface = Interface().resized(640, 400)
    for _ in range(120):
        interface = update(interface, screen, random_input(dice, interface))
        interface = update(changed(interface, wishes=()), screen, Tick(0.2))
        screen.shapes(interface)
    screen.desk.close()


def test_a_step_that_goes_differently_again_is_reported_in_one_sentence(own):
    own("Request(self.asked[self.id])", "Request(__import__('time').perf_counter_ns())")
    desk = desk_of(Scenario("ricart-agrawala-token", nodes=3, load=Closed(think=2.0)))
    desk.front.seek(20)
    desk.front.seek(0)
    desk.front.seek(15)
    assert "went differently when it was executed again; expected chance from self.random" in desk.front.failure
    assert desk.front.failure.endswith(f"({FILE})")
    assert desk.front.forward(), "and the run goes on"


WORDS = ("red", "green", "blue", "white", "black", "brown", "pink", "grey")  # enough for two orders never to be alike
CHANGING = {  # algorithms that go differently in another process
    "words": (
        "to=self.peers)  #",
        f"to=self.peers); [self.set_timer(word, 1.0) for word in {{{str(WORDS)[1:-1]}}}]  #",
    ),
    "clock": ("Request(self.asked[self.id])", "Request(__import__('time').perf_counter_ns())"),
    "chance": ("Request(self.asked[self.id])", "Request(__import__('random').randrange(10**9))"),
}
MUTE = "    def release(self):"
MUTED = "\n".join(f"    def on_{word}(self): pass\n" for word in WORDS)


@pytest.mark.parametrize(("right", "wrong"), CHANGING.values(), ids=CHANGING)
def test_what_depends_on_the_process_is_told_by_a_twin_with_another_hash_seed(own, capsys, right, wrong):
    own(right, wrong)
    file = Path("ricart_agrawala_token.py")
    file.write_text(file.read_text("utf-8").replace(MUTE, f"{MUTED}\n{MUTE}"), "utf-8")
    for command in (["run"], ["trace"], ["check", "--nodes", "2"])[: 3 if wrong == CHANGING["words"][1] else 1]:
        sentence = sentence_of(capsys, *command, "ricart-agrawala-token")
        assert " goes differently in another process; expected chance from self.random" in sentence
        assert FILE in sentence


def test_a_set_of_texts_in_a_sorted_order_is_no_mistake(own, capsys):
    right, wrong = CHANGING["words"]
    own(right, wrong.replace("in {", "in sorted({").replace("}]", "})]"))
    file = Path("ricart_agrawala_token.py")
    file.write_text(file.read_text("utf-8").replace(MUTE, f"{MUTED}\n{MUTE}"), "utf-8")
    assert main(["run", "ricart-agrawala-token"]) == 0
    assert main(["trace", "ricart-agrawala-token", "-o", "-"]) == 0


def test_no_algorithm_of_the_program_needs_a_twin():
    variants = [algorithm.of(v) for algorithm in catalog.by_name().values() for v in (None, *algorithm.variants)]
    assert not [algorithm.name for algorithm in variants if may_differ(algorithm.process)]


MAIN_ONLY = pytest.mark.skipif(
    threading.current_thread() is not threading.main_thread(), reason="no other thread can be interrupted"
)
ENDLESS = "while True: pass"


@pytest.fixture
def impatient(monkeypatch):
    """A watchdog that interrupts soon."""
    monkeypatch.setattr(watchdog, "PATIENCE", 0.1)
    monkeypatch.setattr(watchdog, "INTERVAL", 0.02)


@MAIN_ONLY
@pytest.mark.parametrize(
    ("right", "wrong", "where"),
    [
        (FIRST, ENDLESS, "in setup of P0"),
        (TURN, ENDLESS, "in on_token of P"),
        ("ALGORITHM = ", f"{ENDLESS}\nALGORITHM = ", f"{FILE}, line 60"),
        ("lambda n: 0", "lambda n: max(n for _ in iter(int, 1))", f"{FILE}, line 67"),
    ],
    ids=["setup", "handler", "file", "cost"],
)
def test_an_endless_call_is_interrupted(own, impatient, capsys, right, wrong, where):
    own(right, wrong)
    sentence = sentence_of(capsys, "run", "ricart-agrawala-token", "--load", "closed:2")
    assert where in sentence
    assert "it does not come to an end" in sentence
    assert f"{FILE}, line " in sentence


@MAIN_ONLY
def test_a_failing_sample_does_not_end_the_watchdog(own, impatient, capsys, monkeypatch):
    """The frames of another thread may change while they are read."""
    look, failed = watchdog._Watchdog._call, []

    def failing_once(dog):
        if failed:
            return look(dog)
        failed.append(True)
        raise AttributeError("'int' object has no attribute 'f_globals'")

    monkeypatch.setattr(watchdog._Watchdog, "_call", failing_once)
    own("ALGORITHM = ", f"{ENDLESS}\nALGORITHM = ")
    assert "it does not come to an end" in sentence_of(capsys, "run", "ricart-agrawala-token", "--load", "closed:2")
    assert failed


SLOW_END = """
import time
from algorithms.authoring import watchdog

class Large:
    def __del__(self, used=time.process_time):
        end = used() + 0.3
        while used() < end:
            pass

large = Large()  # freed after Python has given up its handlers of signals
watchdog.PATIENCE, watchdog.HOPELESS, watchdog.INTERVAL = 0.1, 0.2, 0.02
with watchdog.no_endless_call():
    time.sleep(0.1)
"""


def test_a_program_that_takes_long_to_end_is_not_ended_by_the_watchdog():
    ended = subprocess.run([sys.executable, "-c", SLOW_END], capture_output=True, text=True, timeout=60, check=False)
    assert (ended.returncode, ended.stderr) == (0, "")


@MAIN_ONLY
@pytest.mark.parametrize("right", [HOLDING, WAITING])
def test_an_endless_query_is_not_repeated(own, impatient, capsys, right):
    own(right, ENDLESS)
    if right == HOLDING:
        sentence = sentence_of(
            capsys, "shot", "ricart-agrawala-token", "--load", "closed:2", "--at", "9", "-o", "p.svg"
        )
        assert "it does not come to an end" in sentence
    begin = time.process_time()
    desk = shown_run("Down Y Right Left I V")
    assert time.process_time() - begin < 5
    assert "it does not come to an end" in str(desk.front.simulation.query_error)
    desk.front.seek(desk.front.simulation.query_error.step)
    assert f"({FILE}, line " in desk.front.failure
    assert desk.front.forward()


def test_a_flood_of_messages_is_reported_before_it_fills_the_memory(own, capsys, monkeypatch):
    monkeypatch.setattr(execution, "MOST_IN_TRANSIT", 1_000)
    monkeypatch.setattr(execution, "CHUNK", 200)
    own(TURN, "self.send(token, to=self.peers); self.send(token, to=self.peers)")
    sentence = sentence_of(capsys, "run", "ricart-agrawala-token", "--load", "closed:2")
    assert "more than 1,000 messages are in transit; expected an earlier time" in sentence


def test_the_name_of_another_algorithm_is_rejected(own, capsys):
    own('name="ricart-agrawala-token"', 'name="token-ring"')
    assert f"{FILE}: the name 'token-ring' is that of algorithms/mutual_exclusion/token_ring.py" in sentence_of(
        capsys, "list"
    )
    assert catalog.find("token-ring").title == "Token ring"


def test_the_checker_finds_the_mistake_or_says_that_it_cannot_check(own, capsys):
    own("self.token = token\n", "self.tokn = token\n")
    assert main(["check", "ricart-agrawala-token", "--nodes", "2"]) == 1
    assert "AttributeError" in capsys.readouterr().out
    own(LAST, '    invariants={"odd": lambda processes: processes[99].token},')
    forget_own()
    assert "cannot be checked" in sentence_of(capsys, "check", "ricart-agrawala-token", "--nodes", "2")
