"""What is to be remembered of elections in a state: whether one is under way, and who has learnt what in it.

The same as `elections.Elections` reads off a run's trace, in as few bits as E1 and E2 need.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple


class Story(NamedTuple):
    """The elections so far."""

    any: bool = False  # there has been one
    under_way: bool = False
    fresh: frozenset[int] = frozenset()  # who has learnt something in the one under way
    missing: frozenset[int] = frozenset()  # who is up and has yet to learn

    def counts(self, node: int) -> bool:
        """Whether it matters at present whom the node takes for the leader."""
        return not self.under_way or node in self.fresh


class News(NamedTuple):
    """What one process did for an election in a step."""

    node: int
    calls: bool  # of its own accord it called for one
    opens: bool  # of its own accord it made an outcome known, which opens one where none is under way
    learnt: bool
    forgot: bool = False  # it has come back without memory


def told(story: Story, news: Iterable[News], beliefs: Mapping[int, int | None]) -> Story:
    """The story after a step with that news; `beliefs` are those of everybody who is up, after the step."""
    news = list(news)
    for each in news:
        if each.forgot:
            story = _returned(story, each.node, beliefs)
    if not story.under_way and any(each.calls or each.opens for each in news):
        story = Story(True, True, frozenset(), frozenset(beliefs))
    learnt = {each.node for each in news if each.learnt}
    story = story._replace(fresh=story.fresh | learnt, missing=story.missing - learnt)
    return _closed(story, beliefs)


def without(story: Story, node: int, beliefs: Mapping[int, int | None]) -> Story:
    """The story when a node has crashed; `beliefs` are those of the others."""
    return _closed(story._replace(fresh=story.fresh - {node}, missing=story.missing - {node}), beliefs)


def _returned(story: Story, node: int, beliefs: Mapping[int, int | None]) -> Story:
    """The story when a node has crashed and is back without memory."""
    story = without(story, node, {other: belief for other, belief in beliefs.items() if other != node})
    return story._replace(missing=story.missing | {node}) if story.any else story


def _closed(story: Story, beliefs: Mapping[int, int | None]) -> Story:
    """An election is over when all who are up have learnt, and agree."""
    leaders = {belief for node, belief in beliefs.items() if belief is not None and story.counts(node)}
    if story.under_way and not story.missing and len(leaders) == 1:
        story = story._replace(under_way=False)
    return story if story.under_way else story._replace(fresh=frozenset())
