"""States as numbers: the layout of the digits, and what a channel may hold."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from algorithms.engine.check.encoding import (
    DIGIT_MASK,
    ELECTIONS_OFFSET,
    ChannelContents,
    Numbering,
    channel_offset,
    offset_of,
    process_offset,
)
from algorithms.mutual_exclusion.ricart_agrawala import Request
from tests.support.state_counts import exploration

MESSAGES = st.lists(st.integers(0, 3), max_size=5)


def test_the_example_of_the_module_is_a_state_of_ricart_and_agrawala():
    system = exploration("ricart-agrawala", None, 2, "").system
    state = 1 << offset_of(4) | 1 << offset_of(3) | 2 << offset_of(2)
    [idle] = system.initial()
    assert [after for move, after in system.successors(idle).requests if move.node == 0] == [state]
    assert system.messages(state) == {(0, 1): [Request((1, 0))]}
    assert [system.process(node, system.process_state(n)).wants for node, n in enumerate((2, 1))] == [True, False]
    assert state >> offset_of(2) & DIGIT_MASK == 2
    assert system.process_numbers(state + ((1 - 2) << offset_of(2))) == (1, 1)


@given(nodes=st.integers(1, 16), channels=st.integers(0, 20))
def test_no_two_components_share_a_digit(nodes, channels):
    offsets = [0, ELECTIONS_OFFSET, *map(process_offset, range(nodes))]
    offsets += [channel_offset(nodes, index) for index in range(channels)]
    assert offsets == [offset_of(digit) for digit in range(len(offsets))]


def test_a_numbering_gives_equal_values_one_number_and_refuses_more_than_a_digit_holds(monkeypatch):
    monkeypatch.setattr("algorithms.engine.check.encoding.DIGIT_MASK", 2)
    numbering = Numbering("first")
    assert [numbering.number(value) for value in ("first", "b", "c", "b")] == [0, 1, 2, 1]
    assert [numbering[n] for n in range(3)] == ["first", "b", "c"]
    with pytest.raises(OverflowError):
        numbering.number("d")


@given(MESSAGES)
def test_a_fifo_channel_gives_its_messages_back_in_order(sent):
    channel = ChannelContents(fifo=True)
    contents = 0
    for message in sent:
        contents = channel.with_message(contents, message)
    received = []
    while contents:
        [(message, contents)] = channel.removals(contents)
        received.append(message)
    assert received == sent
    assert channel.removals(0) == ()


@given(MESSAGES)
def test_an_unordered_channel_gives_any_message_back_and_forgets_the_order(sent):
    channel = ChannelContents(fifo=False)
    forwards, backwards = 0, 0
    for message, other in zip(sent, reversed(sent), strict=True):
        forwards, backwards = channel.with_message(forwards, message), channel.with_message(backwards, other)
    assert forwards == backwards
    assert {message for message, _ in channel.removals(forwards)} == {*sent}
    for message, rest in channel.removals(forwards):
        assert Counter(channel.messages(rest)) == Counter(sent) - Counter([message])


@given(st.booleans(), MESSAGES.filter(bool))
def test_a_duplicate_is_one_message_more_right_behind_the_original(fifo, sent):
    channel = ChannelContents(fifo)
    contents = 0
    for message in sent:
        contents = channel.with_message(contents, message)
    for removal in channel.removals(contents):
        doubled = channel.messages(channel.with_duplicate(removal))
        assert Counter(doubled) == Counter([*sent, removal.message])
        assert not fifo or doubled == (sent[0], *sent)
