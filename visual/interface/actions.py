"""All that can be done: importing this module fills the table of `visual.interface.doing`."""

from visual.interface import (
    acting,
    branching,
    browsing,
    charting,
    checking,
    choosing,
    comparing,
    graph_editing,
    listing,
    looking,
    measuring,
    moving,
    offering,
    plotting,
    scheduling,
)
from visual.interface.doing import ACTIONS, perform

__all__ = [
    "ACTIONS",
    "acting",
    "branching",
    "browsing",
    "charting",
    "checking",
    "choosing",
    "comparing",
    "graph_editing",
    "listing",
    "looking",
    "measuring",
    "moving",
    "offering",
    "perform",
    "plotting",
    "scheduling",
]
