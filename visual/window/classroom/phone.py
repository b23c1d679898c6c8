"""What a phone shows, as HTML that the server has finished: only what its node knows, and what it may answer."""

from __future__ import annotations

import json
from html import escape
from typing import Any

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
from visual.window.lesson.rows import question_rows, vote_rows
from visual.words import node_name

SIZE = (360, 280)  # of the picture, in pixels of a phone: letters have the size of the 1920x1080 design
MOST_PICTURED = 40  # nodes
EVENTS = 3  # at the node: the latest are listed

ASK_FOR_CODE = (
    '<h1>Mutoscope</h1><form><label for="code">Room code</label>'
    '<input id="code" name="code" maxlength="12" autocomplete="off" autocapitalize="characters" required>'
    "<button>Take a seat</button></form>"
)


def page(room: Room, seat: Seat) -> str:
    """Everything on the phone at a seat."""
    state, said = _boxed(room.obstacle(seat)), _boxed(seat.said if seat.said_on == room.topic else "")
    if room.is_lesson:
        return _votes(room, seat) + state + said
    if seat.node is None:
        return f"<h1>All seats are taken</h1><p>You will get the next one that is free.</p>{said}"
    head, picks = f"<h1>You are {node_name(seat.node)}</h1>{state}{said}", ""
    if not state:
        picks = _question(room, seat) if seat.question else _picks(room, seat.node)
    return head + picks + _known(room, seat, seat.node)


def _boxed(words: str) -> str:
    return f'<p class="said" role="status">{escape(words)}</p>' if words else ""


def _known(room: Room, seat: Seat, node: int) -> str:
    """What the node knows, made anew only when something has happened at it: a picture takes some milliseconds."""
    moment = f"{node} {room.moment(node)}"
    if seat.known[0] != moment:
        knowledge = local_knowledge(room.run.ledger, node)
        now = f'<p class="now">{escape(knowledge.sentence)}</p>'
        seat.known = moment, f"{_picture(room, knowledge)}{now}{_facts(knowledge)}"
    return seat.known[1]


def _button(words: str, chosen: bool = False, **said: Any) -> str:
    return f'<button{" class=chosen" * chosen} data-say="{escape(json.dumps(said))}">{escape(words)}</button>'


def _picks(room: Room, node: int) -> str:
    moment, buttons = room.moment(node), list[str]()
    if room.own_acts(node):
        buttons.append(_button("Do something of your own accord", pick=OF_ONESELF, step=moment))
    buttons += (_button(words, pick=pick, step=moment) for pick, (_, words) in room.picks(node).items())
    return f"<h2>What happens next at your node?</h2>{''.join(buttons)}" if buttons else "<p>Nothing to pick now.</p>"


def _question(room: Room, seat: Seat) -> str:
    question = seat.question
    assert question is not None
    words = ""
    if question.event.do == "request":
        words = f"You are about to {room.pick_words('request').lower()}. "
    elif question.pick != OF_ONESELF:
        words = f"{event_words(question.decision.event, room.run.simulation)} "
    answers = [
        _button(label[:1].upper() + label[1:], pick=question.pick, step=question.moment, answer=place)
        for place, label in enumerate(map(acts_words, question.decision.options))
    ]
    back = _button("Not yet", cancel=question.pick)
    return f'<h2>{escape(words)}What do you do?</h2>{"".join(answers)}<p class="back">{back}</p>'


def _picture(room: Room, knowledge: LocalKnowledge) -> str:
    """The graph as the node knows it."""
    run = room.run.simulation
    if len(run.processes) > MOST_PICTURED:
        return ""
    theme, area = load("light"), Rect(0, 0, *SIZE)
    ground = Box(*area, theme.paper)
    shapes = local_graph(knowledge, run, arrange(run, area), theme, Options(), ground)
    name = node_name(knowledge.node)
    return svg([Group(tuple(shapes), clip=area)], SIZE, theme, prefix=name, title=f"What {name} knows")


def _facts(knowledge: LocalKnowledge) -> str:
    rows = "".join(
        f"<tr{' class=changed' * fact.changed}><th>{escape(fact.name)}"
        f"<small>{escape(fact.gloss)}</small></th><td>{escape(fact.value)}</td></tr>"
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
        again = _boxed("Second round: vote again." if room.question.endswith(".1") else "")
        return f"{title}{asked}{''.join(buttons)}{again}"  # below: a button that moved would get another's vote
    if attempt.verdict is None or not options:
        return f"{title}<p>Look at the teacher’s picture.</p>"
    told, signs = "", {"tick": "✓ ", "cross": "✗ "}
    if own is not None:
        told_rows = vote_rows(attempt, own)
        told = f"{signs[told_rows[0].sign]}You voted {options[own].label}. {' '.join(row.words for row in told_rows)}"
        options[own] = options[own]._replace(sign=told_rows[0].sign)
    elif attempt.way == CHOOSE:
        told = "You did not vote on this question."
    items = (
        f"<li{' class=chosen' * (row.option == own)}>"
        f"{signs.get(row.sign, '')}{escape(f'{row.label}  {row.words}')}</li>"
        for row in options
    )
    return f'{title}{asked}{_boxed(told)}<ul class="options">{"".join(items)}</ul>'
