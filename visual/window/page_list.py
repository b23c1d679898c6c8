"""The pages that the column at the right can show: one is open at a time."""

from __future__ import annotations

from typing import NamedTuple


class Page(NamedTuple):
    """What the column can show: the word on its tab, what it is for, and the function that builds it.

    The function is "module.name", imported when the page is opened first; the page without one
    is that of the counters and the source, which are panels of their own.
    """

    name: str
    hint: str
    build: str = ""


PAGES: tuple[Page, ...] = (
    Page("run", "counters, concurrency and source"),
    Page("plots", "what has been measured, as plots", "visual.window.pages.plots.plots"),
    Page("source", "the algorithm as it runs, and its guards", "visual.window.pages.source.code"),
    Page("events", "everything that has happened, to go there", "visual.window.pages.events.events"),
    Page("choose", "who decides what happens next: the clock, or you", "visual.window.pages.choose.choose"),
    Page(
        "branches",
        "the courses that the run has taken, to go there and to name",
        "visual.window.pages.branches.branches",
    ),
    Page("history", "what a node's variables have been; a message's way", "visual.window.pages.history.history"),
    Page("check", "try every order in which things can happen", "visual.window.pages.check.check"),
    Page("notes", "notes and markers, assumptions and promises", "visual.window.pages.notes.notes"),
)

NAMES = tuple(page.name for page in PAGES)


def page(name: str) -> Page:
    """The page of that name."""
    return PAGES[NAMES.index(name)]


def beside(name: str, by: int) -> str:
    """The name of the page `by` places after that one, round and round."""
    return NAMES[(NAMES.index(name) + by) % len(NAMES)]
