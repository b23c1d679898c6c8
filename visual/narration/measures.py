"""The measures of lessons in words."""

from __future__ import annotations

_NAMES = {
    "messages-per-entry": "number of messages per entry",
    "messages": "number of messages",
    "entries": "number of entries",
    "false-suspicions": "number of false suspicions",
    "waiting": "mean waiting time",
    "waiting-max": "longest waiting time",
    "synchronisation-delay": "mean synchronization delay",
    "responsiveness": "mean responsiveness",
    "responsiveness-max": "worst responsiveness",
    "idle": "share of time with nobody inside",
    "alone": "share of time with one process inside",
    "two-or-more": "share of time with two or more inside",
    "more-than-two": "share of time with more than two inside",
    "tokens-none": "share of time without a token",
    "tokens-several": "share of time with several tokens",
    "generations": "number of tokens made",
    "election-messages": "number of messages per election",
    "election-time": "mean time until an election is over",
}


def measure_words(name: str) -> str:
    """A measure in words."""
    return _NAMES.get(name, name)
