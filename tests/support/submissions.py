"""Faulty submissions, as students write them: a working file, and what each student did instead of a few words of it.

Each has the words in which its fault must be named.
"""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from algorithms import catalog
from visual.commands.new import FAMILIES, template

RIGHT = {family: template("mine", family) for family in FAMILIES}
RIGHT["ricart"] = (Path(catalog.__file__).parent / "mutual_exclusion/ricart_agrawala.py").read_text("utf-8")
RIGHT = {name: text.replace(', note="the coordinator\'s own entries cost nothing"', "") for name, text in RIGHT.items()}


class Submission(NamedTuple):
    """A fault: these words of the right file, the student's words, and words of the sentence that names the fault."""

    name: str
    base: str
    right: str
    wrong: str
    words: str

    @property
    def text(self) -> str:
        """The student's file."""
        assert RIGHT[self.base].count(self.right) >= 1, self.name
        return RIGHT[self.base].replace(self.right, self.wrong, 1)


_ACQUIRE = "        self.send(Request(), to=COORDINATOR)  # it asks P{COORDINATOR}, the coordinator"
_QUEUE = "        self.queue = []  # the coordinator's: processes that wait, in the order of their requests\n"
_RELEASE = "self.send(Reply(), to=self.deferred)  # it replies to P{deferred}, which it kept waiting"

FAULTY = [
    Submission(*case)
    for case in (
        # Ricart–Agrawala
        ("no-tie-break", "ricart", "return self.stamp < request", "return self.stamp[0] < request.stamp[0] #", "(ME1)"),
        ("always-defers", "ricart", "return self.stamp < request.stamp", "return True", "liveness (ME2) fails"),
        ("never-defers", "ricart", "return self.stamp < request.stamp", "return False", "safety (ME1) fails"),
        ("wrong-way-round", "ricart", "self.stamp < request.stamp", "self.stamp[::-1] < request.stamp", "ME"),
        ("silent-exit", "ricart", _RELEASE, "pass", "liveness (ME2) fails"),
        ("replies-twice", "ricart", "        self.deferred = set()\n\n", "\n", "in on_reply of P"),
        ("does-not-wait", "ricart", "to=self.peers)  # it asks", "to=self.peers); self.enter()  # it", "(ME1) fails"),
        ("waits-for-too-few", "ricart", "set(self.peers)\n", "set(self.peers[1:])\n", "in on_reply of P"),
        (
            "own-random",
            "ricart",
            "(self.clock, self.id)\n",
            "(__import__('random').random(), self.id)\n",
            "differently",
        ),
        ("wall-clock", "ricart", "(self.clock, self.id)\n", "(self.now, self.id)\n", "it acts on the time"),
        (
            "answers-everybody",
            "ricart",
            "to=sender)  # it replies at once: it",
            "to=self.peers)  #",
            "in on_reply of P",
        ),
        ("forgets-to-compare", "ricart", "elif self.goes_before(request)", "elif self.goes_before", "ME2"),
        # a coordinator
        ("grants-at-once", "mutex", "if self.busy_with is None:", "if True:", "safety (ME1) fails"),
        ("forgets-the-queue", "mutex", "self.queue.append(sender)", "pass", "liveness (ME2) fails"),
        ("never-leaves", "mutex", "self.send(Release(), to=COORDINATOR)", "pass", "liveness (ME2) fails"),
        ("lost-handler", "mutex", "def on_grant(", "def on_granted(", "has no on_grant"),
        (
            "too-few-arguments",
            "mutex",
            "on_request(self, request, sender)",
            "on_request(self, sender)",
            "expected on_request(self, message, sender)",
        ),
        ("syntax", "mutex", "def acquire(self):", "def acquire(self)", "SyntaxError: expected ':'"),
        ("constructor", "mutex", "def setup(self)", "def __init__(self)", "has __init__; expected setup"),
        ("typing-error", "mutex", "self.queue.append", "self.queu.append", "no attribute 'queu'"),
        (
            "busy-waiting",
            "mutex",
            "        else:\n            self.queue",
            "        while self.busy_with != None: pass\n        if 1:\n            self.queue",
            "does not come to an end",
        ),
        ("blocks", "mutex", "def acquire(self):\n", "def acquire(self):\n        yield\n", "has yield, or is async"),
        (
            "quits",
            "mutex",
            "def acquire(self):\n",
            "def acquire(self):\n        __import__('os')._exit(0)\n",
            "ended in this",
        ),
        (
            "list-in-a-message",
            "mutex",
            "to=COORDINATOR)  # it asks",
            "to=COORDINATOR); self.send(Release(), to=self)  #",
            "sends Release to",
        ),
        ("shared-queue", "mutex", _QUEUE, "        Mine.queue = getattr(Mine, 'queue', [])\n", "share Mine.queue"),
        (
            "global-lock",
            "mutex",
            _ACQUIRE,
            "        global LOCK\n        LOCK = self.id\n" + _ACQUIRE,
            "share the global LOCK",
        ),
        (
            "looks-inside",
            "mutex",
            _ACQUIRE,
            "        if not any(p.inside for p in self._host.processes): self.enter()\n" + _ACQUIRE,
            "self._host",
        ),
        ("nested-state", "mutex", "self.queue = []", "self.queue = [[]]", "keeps [[]] in self.queue"),
        ("promises-nothing", "mutex", 'promises=("ME1", "ME2")', "promises=()", "does not promise ME1 and ME2"),
        ("caption", "mutex", "P{COORDINATOR}, the", "P{COORDINATER}, the", "{COORDINATER} in the comment has no value"),
        ("assumption", "mutex", '"nobody crashes"', '"noboddy crashes"', "did you mean 'nobody crashes'?"),
        (
            "waits-for-all",
            "mutex",
            "return all_of({COORDINATOR}, Grant)",
            "return all_of(self.peers, Grant)",
            "it waits for",
        ),
        (
            "too-expensive",
            "mutex",
            "self.send(Grant(), to=process)",
            "self.send([Grant(), Grant()][0], to=process); self.send(Release(), to=3 % self.size) if process else 0",
            "ME",
        ),
        (
            "wrong-formula",
            "mutex",
            'exactly("3", lambda n: 3)',
            'exactly("2", lambda n: 2)',
            "costs 3 messages; expected 2",
        ),
        # a ring
        ("two-tokens", "ring", "if self.id == 0:", "if self.id < 2:", "“one token” fails"),
        ("leaves-early", "ring", "not self.wants and not self.inside)", "not self.wants)", "safety (ME1) fails"),
        ("off-the-end", "ring", "(self.id + 1) % self.size", "self.id + 1", "and there is no such node"),
        (
            "keeps-the-token",
            "ring",
            "lambda self: self.has_token and not self.wants",
            "lambda self: False",
            "(ME2) fails",
        ),
        # a tree
        ("forgets-its-child", "tree", "self.queue.append(origin)", "pass", "liveness (ME2) fails"),
        # an election
        ("i-am-the-leader", "election", "Coordinator(self.highest)", "Coordinator(self.id)", "agreement (E1) fails"),
        (
            "says-nothing",
            "election",
            "self.send(Coordinator(self.highest), to=self.peers)",
            "pass",
            "termination (E2) fails",
        ),
        ("first-answer-counts", "election", "if not self.awaiting:", "if True:", "agreement (E1) fails"),
        (
            "announces-endlessly",
            "election",
            "self.elect(coordinator.number)",
            "self.elect(coordinator.number); self.send(coordinator, to=sender)",
            "messages are still sent",
        ),
        ("nobody-leads", "election", "self.elect(self.highest)", "pass", "(E2) fails"),
    )
]
"""At least thirty."""

TOO_FAR = [
    Submission(*case)
    for case in (
        (
            "short-cut",
            "ring",
            "to=self.next())",
            "to=(self.id + 2) % self.size if self.size > 4 else self.next())",
            "not its neighbour",
        ),
        ("straight-down", "tree", "to=self.child_towards(origin))", "to=origin)", "which is not its neighbour"),
    )
]
"""Those that send beyond the neighbours in their graph: wrong only if the exercise demands that graph."""
