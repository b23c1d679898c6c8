"""The moves that a person has made in a run, as the checker names them."""

from __future__ import annotations

from collections.abc import Mapping

from algorithms.engine.check.moves import Move
from algorithms.engine.check.process_steps import Envelope
from algorithms.engine.events import DELIVER, KIND, MESSAGE, NODE, SENDER, SEQ, Record
from algorithms.engine.scenario import Event
from algorithms.engine.timeline import Timeline


def moves_of(run: Timeline) -> list[Move]:
    """The moves up to the present step, in order; a restart without memory is one move."""
    moves: list[Move] = []
    sent = {record[SEQ]: record for k in range(run.step) for record in run.trace.step(k) if record[KIND] == DELIVER}
    for event in run.branch.interventions:
        if event.do == "recover" and not event.memory and moves and moves[-1][:2] == ("crash", event.node):
            moves[-1] = moves[-1]._replace(do="reset", draws=event.draws)
        elif event.by_hand and event.steps_before < run.step:
            moves.append(_move_of(event, sent))
    return moves


def _move_of(event: Event, sent: Mapping[int, Record]) -> Move:
    message = None if event.message is None else sent.get(event.message)
    if message is None:
        return Move(event.do, event.node or 0, timer=event.timer, draws=event.draws)
    return Move(event.do, message[NODE], message[SENDER], Envelope(message[MESSAGE]), draws=event.draws)
