"""Why a node of a rewriting system has not sent what it has to send: where the token is, and which rules could act."""

from __future__ import annotations

from collections.abc import Iterator

from algorithms.engine.rewrite import CARRIER
from algorithms.engine.simulation import Simulation
from visual.analysis.term_layout import Sheet, present
from visual.words.names import listed, node_name, nodes_listed


def sentences(run: Simulation, node: int) -> Iterator[str]:
    """What there is to say of a node that has something to send; nothing of others."""
    sheet = present(run)
    data = [chip.text for chip in sheet.lanes[node].data if chip.light != "gone"]
    if not data:
        return
    yield f"{node_name(node)} has {listed(data)} to send."
    if "T" in sheet.components:
        yield from _of_token(sheet, node)
    steps = [step.application for step in run.processes[CARRIER].choices()]
    rules = sorted({application.rule.number for application in steps if application.node == node})
    if rules:
        yield f"Rule{'s' if len(rules) > 1 else ''} {listed(rules)} can be applied at it."
    else:
        yield "No rule can be applied at it now."


def _of_token(sheet: Sheet, node: int) -> Iterator[str]:
    holders = [lane.node for lane in sheet.lanes if lane.holds and lane.token_light != "gone"]
    if node in holders:
        yield "It has the token."
    elif holders:
        yield f"{nodes_listed(holders)} has the token."
    else:
        yield "The token is on its way: it is in a message."
