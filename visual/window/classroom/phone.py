"""What a phone shows, as HTML that the server has finished: only what its node knows, and what it may answer."""

from __future__ import annotations

import json
from html import escape
from typing import Any

from algorithms.engine.events import DELIVER, KIND
from lessons.task import CHOOSE
from visual.drawing.shapes import Box, Group, Rect
from visual.drawing.svg import svg
from visual.drawing.theme import load
from visual.narration.answers import acts_words, event_words
from visual.narration.local_knowledge import LocalKnowledge, local_knowledge
from visual.scene.graph.layout import arrange
from visual.scene.options import Options
from visual.window.classroom.room import OF_ONESELF, Room, Seat
from visual.window.graph.local_view import local_graph
from visual.window.lesson.rows import mark_row, question_rows
from visual.words import message_label, naming, node_name

SIZE = (360, 240)  # of the picture
SCALE = 0.62  # pixels per logical pixel of the 1920x1080 design
MOST_PICTURED = 40  # nodes
EVENTS = 3  # at the node: the latest are listed

ASK_FOR_CODE = (
    '<h1>Mutoscope</h1><form><label for="code">Room code</label>'
    '<input id="code" name="code" maxlength="12" autocomplete="off" autocapitalize="characters" required>'
    "<button>Take a seat</button></form>"
)


def page(room: Room, seat: Seat) -> str:
    """Everything on the phone at a seat."""
    said = _said(seat.said)
    if room.is_lesson:
        return _votes(room, seat) + said
    if seat.node is None:
        return f"<h1>All seats are taken</h1><p>You will get the next one that is free.</p>{said}"
    head = f"<h1>You are {node_name(seat.node)}</h1>{_state(room, seat)}{said}"
    return (
        head
        + (_question(room, seat) if seat.question else _picks(room, seat, seat.node))
        + _known(room, seat, seat.node)
    )


def _said(words: str) -> str:
    return f'<p class="said" role="status">{escape(words)}</p>' if words else ""


def _known(room: Room, seat: Seat, node: int) -> str:
    """What the node knows, made anew only when something has happened at it: a picture takes some milliseconds."""
    moment = f"{node} {room.moment(node)}"
    if seat.known[0] != moment:
        knowledge = local_knowledge(room.run.ledger, node)
        now = f'<p class="now">{escape(knowledge.sentence)}</p>'
        seat.known = moment, f"{_picture(room, knowledge)}{now}{_facts(knowledge)}"
    return seat.known[1]


def _state(room: Room, seat: Seat) -> str:
    words = "The teacher has locked the room." if room.is_locked else ""
    if seat.is_taken_over:
        words = "The algorithm plays your node for now."
    return f'<p class="state">{words}</p>' if words else ""


def _button(words: str, chosen: bool = False, **said: Any) -> str:
    return f'<button{" class=chosen" * chosen} data-say="{escape(json.dumps(said))}">{escape(words)}</button>'


def _picks(room: Room, seat: Seat, node: int) -> str:
    if seat.is_taken_over or room.is_locked:
        return ""
    moment = room.moment(node)
    buttons = [_button(words, pick=pick, step=moment) for pick, (_, words) in room.picks(node).items()]
    if room.own_acts(node):
        buttons.append(_button("Do something of your own accord", pick=OF_ONESELF, step=moment))
    return f"<h2>What happens next at your node?</h2>{''.join(buttons)}" if buttons else "<p>Nothing to pick now.</p>"


def _question(room: Room, seat: Seat) -> str:
    question = seat.question
    assert question is not None
    event, names = question.decision.event, naming(room.run.simulation)
    words = ""
    if event[KIND] == DELIVER:
        words = f"{message_label(event[4], names)} arrives from {node_name(event[5])}."
    elif question.event.do == "request":
        words = f"You are about to {room.pick_words('request').lower()}."
    elif question.pick != OF_ONESELF:
        words = event_words(event, room.run.simulation)
    answers = [
        _button(label[:1].upper() + label[1:], pick=question.pick, step=question.moment, answer=place)
        for place, label in enumerate(map(acts_words, question.decision.options))
    ]
    back, heading = _button("Not yet", cancel=question.pick), escape(words[:1].upper() + words[1:])
    return f'<h2>{heading} What do you do?</h2>{"".join(answers)}<p class="back">{back}</p>'


def _picture(room: Room, knowledge: LocalKnowledge) -> str:
    """The graph as the node knows it."""
    run = room.run.simulation
    if len(run.processes) > MOST_PICTURED:
        return ""
    theme, area = load("light"), Rect(0, 0, *SIZE)
    ground = Box(*area, theme.paper)
    shapes = local_graph(knowledge, run, arrange(run, area), theme, Options(SCALE), ground)
    name = node_name(knowledge.node)
    return svg([Group(tuple(shapes), clip=area)], SIZE, theme, prefix=name, title=f"What {name} knows")


def _facts(knowledge: LocalKnowledge) -> str:
    rows = "".join(
        f"<tr{' class=changed' * fact.changed}><th>{escape(fact.name)}</th><td>{escape(fact.value)}</td></tr>"
        for fact in knowledge.variables
    )
    events = "".join(f"<li>{escape(words)}</li>" for words in knowledge.events[: -EVENTS - 1 : -1])
    return f"<table>{rows}</table><h2>What has happened here</h2><ul>{events}</ul>"


def _votes(room: Room, seat: Seat) -> str:
    """The lesson's question with its options; after the answer, what is right, and the student's own vote."""
    attempt = room.lesson
    assert attempt is not None
    title = f"<h1>{escape(attempt.step.heading)}</h1>"
    rows = question_rows(attempt, is_lecture=True)
    options = [row for row in rows if row.option is not None]
    asked = "".join(f"<h2>{escape(row.words)}</h2>" for row in rows if row.option is None and row.weight == "bold")
    own = room.voted(seat)
    if own is not None:
        options[own] = options[own]._replace(words=f"{options[own].words} (your vote)")
    if room.question:
        buttons = (
            _button(f"{row.label}  {row.words}", row.option == own, vote=row.option, question=room.question)
            for row in options
        )
        again = "<p>Second round: vote again.</p>" if room.question.endswith(".1") else ""
        return f"{title}{asked}{again}{''.join(buttons)}"
    if attempt.verdict is None or not options:
        return f"{title}<p>Look at the teacher’s picture.</p>"
    told, signs = "", {"tick": "✓ ", "cross": "✗ "}
    if own is not None:
        mark = mark_row(attempt.verdict_on(own))
        told = f"{signs[mark.sign]}You voted {options[own].label}. {mark.words}"
        options[own] = options[own]._replace(sign=mark.sign)
    elif attempt.way == CHOOSE:
        told = "You did not vote on this question."
    items = (
        f"<li{' class=chosen' * (row.option == own)}>"
        f"{signs.get(row.sign, '')}{escape(f'{row.label}  {row.words}')}</li>"
        for row in options
    )
    return f"{title}{asked}{_said(told)}<ul>{''.join(items)}</ul>"
