"""The transport of messages: sending, and what happens to them in transit."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, NamedTuple

from algorithms.engine.errors import refuse
from algorithms.engine.events import DELIVER, DUE, KIND, LOST, NODE, SENDER, SEQ, Record
from algorithms.engine.process import Message, Send
from algorithms.engine.randomness import Distribution, Fixed, key, uniform
from algorithms.engine.scenario import Network

if TYPE_CHECKING:
    from algorithms.engine.simulation import Simulation


class SavedPost(NamedTuple):
    """The state of the post at a checkpoint."""

    channels: SavedChannels
    marks: dict[int, str]


class Post:
    """The channels of a run, and the messages in transit.

    `marks` holds the fate of the next token that a node sends, "lose" or "duplicate": a holder does not notice that
    its token has been lost.
    """

    def __init__(self, run: Simulation) -> None:
        self.channels = Channels(run.scenario.network, run.scenario.seed)
        self.marks: dict[int, str] = {}
        self._run = run
        self._token = run.algorithm.token
        self.choose_way()

    def choose_way(self) -> None:
        """Choose the fast or the careful way to send, after a change."""
        self._plain_delay = None if self.marks else self.channels.plain_delay()

    def sender(self, node: int) -> Send:
        """The `send` of one process; its most frequent case, one receiver, is inlined."""
        run, nodes = self._run, self._run.scenario.nodes
        lane, push, record = run.queue.lane.append, run.queue.push, run.trace.records.append

        def send(message: Message, to: int | Iterable[int]) -> None:
            delay = self._plain_delay
            now = run.now
            if type(to) is int and 0 <= to < nodes and to != node and delay is not None:
                run.seq = seq = run.seq + 1
                entry = (now + delay, seq, DELIVER, to, message, node, now)
                lane(entry)
                record(entry)
                return
            try:
                receivers = (to,) if type(to) is int else sorted(to)  # type: ignore[arg-type]
                if receivers and not 0 <= receivers[0] <= receivers[-1] < nodes:
                    refuse(message, to, nodes)
            except TypeError:
                refuse(message, to, nodes)
            if delay is None:
                for receiver in receivers:
                    self._send_with_care(message, node, receiver)
                return
            due, seq = now + delay, run.seq
            for receiver in receivers:
                seq += 1
                if receiver != node:
                    entry = (due, seq, DELIVER, receiver, message, node, now)
                    lane(entry)
                else:  # to oneself: without delay
                    entry = (now, seq, DELIVER, receiver, message, node, now)
                    push(entry)
                record(entry)
            run.seq = seq

        return send

    # ---- messages in transit -------------------------------------------------------------------------------

    def find(self, serial: int) -> Record | None:
        """The message in transit with this serial number, if there is one."""
        return next((entry for entry in self._run.queue.in_transit() if entry[SEQ] == serial), None)

    def lose(self, message: Record) -> None:
        """Record the loss of a message that is no longer in the queue."""
        due = message[DUE] if message[KIND] == LOST else message[0]
        self._run.trace.records.append((self._run.now, message[SEQ], LOST, *message[3:7], due))

    def drop(self, message: Record) -> None:
        """Lose a message in transit."""
        self._run.queue.take(message)
        self.lose(message)

    def delay(self, message: Record, by: float) -> None:
        """Delay a message; on FIFO channels later messages do not overtake it."""
        later = (message[0] + by, *message[1:])
        if message[KIND] == LOST:
            later = (*later[:DUE], message[DUE] + by)
        self._run.queue.take(message)
        self._run.queue.push(later)
        if self.channels.network.fifo:
            self._keep_order(later)
            self.choose_way()

    def copy(self, message: Record) -> None:
        """Add a copy with its own serial number, due with the original; now, if that has arrived."""
        twin = (max(message[0], self._run.now), self._run.number(), *message[2:])
        self._run.queue.push(twin)
        self._run.trace.records.append(_as_sent(twin))

    def cut(self, links: Iterable[tuple[int, int]]) -> None:
        """Cut directed links; messages on them are lost."""
        dead = frozenset(links)
        self.channels.cut |= dead
        self.choose_way()
        for message in self._run.queue.remove(
            lambda entry: entry[KIND] in (DELIVER, LOST) and (entry[SENDER], entry[NODE]) in dead
        ):
            self.lose(message)

    def heal(self, links: Iterable[tuple[int, int]]) -> None:
        """Heal directed links."""
        self.channels.cut -= frozenset(links)
        self.choose_way()

    def mark(self, holder: int, fate: str) -> None:
        """Let the next token that `holder` sends be lost or duplicated."""
        self.marks[holder] = fate
        self.choose_way()

    def unmark(self, node: int) -> None:
        """Remove the mark of `node`, whose token no longer exists."""
        if self.marks.pop(node, None):
            self.choose_way()

    def destroyed(self, node: int) -> None:
        """Remove the mark of a lost token that `node` destroys."""
        if self.marks.get(node) == "lose":
            self.unmark(node)

    # ---- checkpoints ---------------------------------------------------------------------------------------

    def save(self, before: SavedPost | None) -> SavedPost:
        """The present state, sharing unchanged parts with the checkpoint `before`."""
        return SavedPost(self.channels.save(self._run.now, before.channels if before else None), self.marks.copy())

    def restore(self, saved: SavedPost) -> None:
        """Go back to a saved state."""
        self.channels.restore(saved.channels)
        self.marks = saved.marks.copy()
        self.choose_way()

    # ---- within --------------------------------------------------------------------------------------------

    def _send_with_care(self, message: Message, sender: int, receiver: int) -> None:
        """Send a message over a channel that may delay, lose or duplicate it."""
        mark = self.marks.pop(sender, None) if type(message) is self._token else None
        if mark:
            self.choose_way()
        now = self._run.now
        for kind, due in self.channels.fates(sender, receiver, now) if receiver != sender else [(DELIVER, now)]:
            vanishes = now if mark == "lose" else (now + due) / 2
            self._dispatch(LOST if mark == "lose" else kind, due, message, sender, receiver, vanishes)
            if mark == "duplicate":
                self._dispatch(kind, due, message, sender, receiver, vanishes)

    def _dispatch(self, kind: int, due: float, message: Message, sender: int, receiver: int, vanishes: float) -> None:
        """Enqueue a message; one that will be lost vanishes at `vanishes`, and looks normal until then."""
        now, seq = self._run.now, self._run.number()
        if kind == LOST:
            entry: Record = (vanishes, seq, LOST, receiver, message, sender, now, due)
        else:
            entry = (due, seq, DELIVER, receiver, message, sender, now)
        self._run.queue.push(entry)
        self._run.trace.records.append(_as_sent(entry))

    def _keep_order(self, late: Record) -> None:
        """Keep FIFO order: messages after the late one on its channel arrive no earlier."""
        link, due = (late[SENDER], late[NODE]), late[0]

        def overtakes(entry: Record) -> bool:
            same = entry[KIND] == DELIVER and (entry[SENDER], entry[NODE]) == link
            return same and entry[SEQ] > late[SEQ] and entry[0] < due

        for entry in self._run.queue.remove(overtakes):
            self._run.queue.push((due, *entry[1:]))
        self.channels.hold_back(link, due)


def _as_sent(entry: Record) -> Record:
    """The record of a message's sending, which does not reveal a loss."""
    if entry[KIND] == DELIVER:
        return entry
    return (entry[DUE], entry[SEQ], DELIVER, *entry[3:7])


Link = tuple[int, int]


class Fate(NamedTuple):
    """The fate of one copy of a message: DELIVER or LOST, and when it is due."""

    kind: int
    due: float


class Behaviour(NamedTuple):
    """The delay of the messages on a channel, and the probabilities of a loss and of a duplicate."""

    delay: Distribution
    loss: float
    duplicate: float


def _behaviours(network: Network, usual: Behaviour) -> dict[Link, Behaviour]:
    """The behaviour of each channel that differs from the others."""
    return {
        link: Behaviour(
            usual.delay if own.delay is None else own.delay,
            usual.loss if own.loss is None else own.loss,
            usual.duplicate if own.duplicate is None else own.duplicate,
        )
        for link, own in network.channels().items()
    }


class SavedChannels(NamedTuple):
    """The state of the channels at a checkpoint."""

    sent: dict[int, dict[int, int]]
    last_due: dict[Link, float]
    cut: frozenset[Link]


class Channels:
    """All channels of a run: their state, and the fate of each message."""

    def __init__(self, network: Network, seed: int) -> None:
        self.network = network
        self.cut: frozenset[Link] = frozenset()  # directed links that are cut
        self._seed = seed
        self._sent: dict[int, dict[int, int]] = {}  # sender -> receiver -> number of messages so far
        self._last_due: dict[Link, float] = {}  # for FIFO: when the latest message of a channel arrives
        self._keys: dict[Link, int] = {}
        self._flights = {(flight.node, flight.to): flight.takes for flight in network.flights}
        self._usual = Behaviour(network.delay, network.loss, network.duplicate)
        self._own = _behaviours(network, self._usual)  # of the links that differ from the others
        delays = [network.delay, *(own.delay for own in self._own.values())]
        self._in_order = not network.flights and all(isinstance(delay, Fixed) for delay in delays)

    def plain_delay(self) -> float | None:
        """The delay, if all messages arrive after the same one; otherwise None."""
        network = self.network
        odd = network.loss or network.duplicate or network.flights or self._own or self.cut
        if odd or (network.fifo and self._last_due):
            return None
        return network.delay.value if isinstance(network.delay, Fixed) else None

    def fates(self, sender: int, receiver: int, now: float) -> list[Fate]:
        """The fates of the next message from `sender` to `receiver`: of one or two copies."""
        link = (sender, receiver)
        delay, loss, duplicate = self._own.get(link, self._usual)
        if link not in self._keys:
            self._keys[link] = key(self._seed, "network", sender, receiver)
        counts = self._sent.setdefault(sender, {})
        k = counts[receiver] = counts.get(receiver, 0) + 1
        draw = self._keys[link]
        # four numbers per message, needed or not, so that k alone determines its fate
        script = self._flights.get(link, ())
        takes = script[k - 1] if k <= len(script) else delay.draw(uniform(draw, 4 * k))
        due = self._due(link, now + takes, now)
        if link in self.cut or (loss and uniform(draw, 4 * k + 1) < loss):
            return [Fate(LOST, due)]
        fates = [Fate(DELIVER, due)]
        if duplicate and uniform(draw, 4 * k + 2) < duplicate:
            copy = self._due(link, now + delay.draw(uniform(draw, 4 * k + 3)), now)
            fates.append(Fate(DELIVER, copy))
        return fates

    def _due(self, link: Link, due: float, now: float) -> float:
        """When a message arrives that would arrive at `due`: on a FIFO channel not before earlier ones."""
        if not self.network.fifo:
            return due
        due = max(due, self._last_due.get(link, now))
        if not self._in_order:
            self._last_due[link] = due
        return due

    def hold_back(self, link: Link, due: float) -> None:
        """Let nothing sent on the link from now on arrive before `due`."""
        self._last_due[link] = max(due, self._last_due.get(link, due))

    def save(self, now: float, before: SavedChannels | None) -> SavedChannels:
        """The present state, sharing unchanged parts with the checkpoint `before`."""
        earlier = before.sent if before else {}
        sent = {
            sender: earlier[sender] if earlier.get(sender) == counts else counts.copy()
            for sender, counts in self._sent.items()
        }
        last_due = {link: due for link, due in self._last_due.items() if due > now}
        return SavedChannels(sent, last_due, self.cut)

    def restore(self, saved: SavedChannels) -> None:
        """Go back to a saved state."""
        self._sent = {sender: counts.copy() for sender, counts in saved.sent.items()}
        self._last_due = dict(saved.last_due)
        self.cut = saved.cut
