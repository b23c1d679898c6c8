"""The channels: delay, loss, duplication, order, cut links.

The k-th message on a channel meets the same fate in every branch and under every algorithm compared under one
seed: its random numbers are a pure function of seed, channel and k.
"""

from __future__ import annotations

from typing import NamedTuple

from algorithms.engine.events import DELIVER, LOST
from algorithms.engine.randomness import Fixed, key, uniform
from algorithms.engine.scenario import Network

Link = tuple[int, int]


class Fate(NamedTuple):
    """What becomes of one copy of a message: DELIVER, or LOST on the way; and when it is due."""

    kind: int
    due: float


class SavedChannels(NamedTuple):
    """The state of the channels at a checkpoint."""

    sent: dict[int, dict[int, int]]
    last_due: dict[Link, float]
    cut: frozenset[Link]


class Channels:
    """The state of all channels of a run, and what they do to a message."""

    def __init__(self, network: Network, seed: int) -> None:
        self.network = network
        self.cut: frozenset[Link] = frozenset()  # directed links that carry nothing
        self._seed = seed
        self._sent: dict[int, dict[int, int]] = {}  # sender -> receiver -> how many messages so far
        self._last_due: dict[Link, float] = {}  # for FIFO: when the latest message of a channel arrives
        self._keys: dict[Link, int] = {}
        self._flights = {(flight.node, flight.to): flight.takes for flight in network.flights}

    def plain_delay(self) -> float | None:
        """The delay, if every message simply arrives after the same one; otherwise None."""
        network = self.network
        odd = network.loss or network.duplicate or network.flights or self.cut
        plain = isinstance(network.delay, Fixed) and not odd
        return network.delay.value if plain and isinstance(network.delay, Fixed) else None

    def fates(self, sender: int, receiver: int, now: float) -> list[Fate]:
        """What becomes of the next message from `sender` to `receiver`: one or two copies."""
        network, link = self.network, (sender, receiver)
        if link not in self._keys:
            self._keys[link] = key(self._seed, "network", sender, receiver)
        counts = self._sent.setdefault(sender, {})
        k = counts[receiver] = counts.get(receiver, 0) + 1
        draw = self._keys[link]
        # four numbers a message, whether they are needed or not, so that k alone fixes its fate
        due = self._due(link, now + self._takes(link, k), now)
        if link in self.cut or (network.loss and uniform(draw, 4 * k + 1) < network.loss):
            return [Fate(LOST, due)]
        fates = [Fate(DELIVER, due)]
        if network.duplicate and uniform(draw, 4 * k + 2) < network.duplicate:
            copy = self._due(link, now + network.delay.draw(uniform(draw, 4 * k + 3)), now)
            fates.append(Fate(DELIVER, copy))
        return fates

    def _takes(self, link: Link, k: int) -> float:
        """How long the k-th message of a link is on its way: by the script, or drawn."""
        script = self._flights.get(link, ())
        return script[k - 1] if k <= len(script) else self.network.delay.draw(uniform(self._keys[link], 4 * k))

    def _due(self, link: Link, due: float, now: float) -> float:
        if not self.network.fifo or (isinstance(self.network.delay, Fixed) and not self._flights):
            return due
        due = max(due, self._last_due.get(link, now))
        self._last_due[link] = due
        return due

    def hold_back(self, link: Link, due: float) -> None:
        """Nothing sent on the link from now on arrives before `due`."""
        self._last_due[link] = max(due, self._last_due.get(link, due))

    def save(self, now: float, before: SavedChannels | None) -> SavedChannels:
        """The state, sharing with the checkpoint `before` what has not changed since."""
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
