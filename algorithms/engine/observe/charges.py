"""The messages of a run, counted, and charged to requests, so that the cost of an entry is that of its own messages.

* A message is charged to the request that caused it: that of the message, request or exit in whose step it was sent,
  or, on a timeout, that of the process itself.
* An answer (a message whose look is "grant" or "deny") is charged to the request that it answers, even when it was
  deferred until another process left.
* What no request has caused, and each move of a token, is charged to the next entry.
* An entry is complete when its process has left and none of its messages is in transit. The messages of a request that
  a crash has ended are charged to no entry.
"""

from __future__ import annotations

from typing import NamedTuple

from algorithms.engine.dispatch import messages_of
from algorithms.engine.events import MESSAGE, NODE, SENDER, SEQ, Record
from algorithms.engine.observe.observer import Observer, Seat, Situation
from algorithms.engine.observe.series import Sums, Tally
from algorithms.engine.process import Algorithm

_NOBODY = 0  # the account of messages that no request has caused; requests have accounts 1, 2, …
_MESSAGE = 1 << 20  # a message in a balance, which counts in its lower half those in transit
_SENT = _MESSAGE + 1  # a message in transit


class ChargeTotals(NamedTuple):
    """What has been charged up to some step."""

    complete: int = 0  # entries that are complete
    messages: int = 0  # theirs
    free: int = 0  # complete entries without any message
    opened: int = 0  # requests that a process has begun to pursue, and entries of its own accord
    ended: int = 0  # of these, those that a crash has ended
    written_off: int = 0  # messages of the ended ones


class Traffic(Observer):
    """Counts messages sent, by class, and handled, by node."""

    def __init__(self) -> None:
        self.sent = Tally()
        self.handled = Tally()

    def on_sent(self, step: int, record: Record) -> None:
        if record[NODE] != record[SENDER]:
            self.sent.steps[type(record[MESSAGE])].append(step)

    def on_copied(self, step: int, time: float, record: Record) -> None:
        if record[NODE] != record[SENDER]:
            self.sent.steps[type(record[MESSAGE])].append(step)

    def on_received(self, step: int, record: Record) -> None:
        if record[NODE] != record[SENDER]:
            self.handled.steps[record[NODE]].append(step)


class Charges(Traffic):
    """Keeps an account for each request until its entry is complete.

    It counts as well, rather than beside another observer: messages are most of what happens in a run.
    """

    def __init__(self, situation: Situation, algorithm: Algorithm) -> None:
        super().__init__()
        self.totals = Sums(len(ChargeTotals._fields))
        self._here = situation
        self._grants = messages_of(algorithm, "grant")
        self._answers = self._grants | messages_of(algorithm, "deny")
        self._asks = messages_of(algorithm, "ask") if self._answers else set()
        self._token = algorithm.token
        self._newest = _NOBODY  # the latest account
        self._cause: int | None = None  # account of the step's event; None: the sender's
        self._account_of: dict[Seat, int] = {}  # seat that waits or is inside -> its account
        self._balance = {_NOBODY: 0}  # account -> its messages, and those in transit; nobody's are for the next entry
        self._carried: dict[int, int] = {}  # serial number of a message in transit -> its account
        self._closing: dict[int, bool] = {}  # account whose process has left, or (False) has crashed
        self._due: set[int] = set()  # of these, those to be closed after this step if no message is in transit
        self._asked: dict[tuple[int, int], tuple[int, ...]] = {}  # (asked, asker) -> accounts to be answered
        self._question: tuple[int, int] | None = None  # (asked, asker) of the step's event, if it awaits an answer

    def at(self, step: int) -> ChargeTotals:
        """The totals after `step` steps."""
        return ChargeTotals(*self.totals.at(step))

    # ---- messages ------------------------------------------------------------------------------------------

    def on_received(self, step: int, record: Record) -> None:
        node = record[NODE]
        if node != record[SENDER]:
            self.handled.steps[node].append(step)
        self.on_lost(step, record)  # it is not in transit any more
        account = self._cause
        if account and account not in self._closing and type(record[MESSAGE]) in self._asks:
            self._question = link = (node, record[SENDER])
            earlier = self._asked.get(link)
            self._asked[link] = (*self._open_among(earlier), account) if earlier else (account,)

    def on_lost(self, step: int, record: Record) -> None:
        self._cause = account = self._carried.pop(record[SEQ], _NOBODY)
        if account:
            self._balance[account] -= 1
            if account in self._closing:
                self._due.add(account)

    def on_sent(self, step: int, record: Record) -> None:
        account, kind = self._cause, type(record[MESSAGE])
        if kind is self._token:
            account = _NOBODY
        elif kind in self._answers:
            account = self._answered(record, kind in self._grants)
        elif account is None:
            account = self._own(record[SENDER])
        if record[NODE] != record[SENDER]:
            self.sent.steps[kind].append(step)
            self._balance[account] += _SENT if account else _MESSAGE
        elif account:
            self._balance[account] += 1
        if account:
            self._carried[record[SEQ]] = account

    def on_copied(self, step: int, time: float, record: Record) -> None:
        super().on_copied(step, time, record)
        self._balance[_NOBODY] += _MESSAGE

    # ---- requests ------------------------------------------------------------------------------------------

    def on_asked(self, step: int, time: float, node: int) -> None:
        self._cause = self._open(step, (self._here.resource, node))

    def on_entered(self, step: int, time: float, node: int, asked: float | None) -> None:
        seat = (self._here.resource, node)
        account = self._account_of.get(seat) or self._open(step, seat)
        self._balance[account] += self._balance[_NOBODY]
        self._balance[_NOBODY] = 0

    def on_left(self, step: int, time: float, node: int) -> None:
        self._cause = account = self._account_of.pop((self._here.resource, node), _NOBODY)
        self._close(account, True)

    def on_gone(self, step: int, time: float, node: int) -> None:
        for seat in self._here.seats_of(node):
            self._close(self._account_of.pop(seat, _NOBODY), False)

    def on_back(self, step: int, time: float, node: int, memory: bool) -> None:
        for seat in self._here.seats_of(node):
            if seat in self._here.waiting:
                self._open(step, seat)

    def on_end(self, step: int, event: Record) -> None:
        self._cause = self._question = None
        if self._due:
            for account in self._due:
                messages, in_transit = divmod(self._balance[account], _MESSAGE)
                if not in_transit:
                    self._settle(step, account, messages)
            self._due.clear()

    # ---- within --------------------------------------------------------------------------------------------

    def _open(self, step: int, seat: Seat) -> int:
        self._newest = account = self._newest + 1
        self._account_of[seat] = account
        self._balance[account] = 0
        self.totals.add(step, ChargeTotals(opened=1))
        return account

    def _close(self, account: int, has_left: bool) -> None:
        """Let an account be settled as soon as none of its messages is in transit."""
        if account:
            self._closing[account] = has_left
            self._due.add(account)

    def _settle(self, step: int, account: int, messages: int) -> None:
        del self._balance[account]
        if self._closing.pop(account):
            self.totals.add(step, ChargeTotals(complete=1, messages=messages, free=not messages))
        else:
            self.totals.add(step, ChargeTotals(ended=1, written_off=messages))

    def _own(self, node: int) -> int:
        """The account of a node's own request, if it has one."""
        accounts = (self._account_of.get(seat) for seat in self._here.seats_of(node))
        return next(filter(None, accounts), _NOBODY)

    def _answered(self, record: Record, is_last: bool) -> int:
        """The account of an answer; a refusal may be followed by another one, so that it is not the last."""
        link = (record[SENDER], record[NODE])
        accounts = self._asked.pop(link, ())
        if is_last and len(accounts) == 1 and accounts[0] in self._balance:  # by far the most frequent
            return accounts[0]
        waiting = self._open_among(accounts)
        cause = self._own(record[SENDER]) if self._cause is None else self._cause
        account = cause if cause in waiting or not waiting else waiting[0]
        if is_last and link == self._question and waiting:
            waiting.pop()
            self._question = None
        elif is_last and waiting:
            waiting.remove(account)
        if waiting:
            self._asked[link] = tuple(waiting)
        return account

    def _open_among(self, accounts: tuple[int, ...]) -> list[int]:
        return [account for account in accounts if account in self._balance]
