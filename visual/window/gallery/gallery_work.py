"""What of the gallery is still to be made. Each frame does a little of it, so that none waits for all."""

from __future__ import annotations

from collections.abc import Iterator
from time import perf_counter

from visual.window.gallery.cards import finding, is_found
from visual.window.gallery.thumbnails import Thumbnails

WORK = 0.012  # seconds in a frame


class GalleryWork:
    """First the cards of the open section are found, then the pictures are made that are to be seen."""

    def __init__(self, thumbnails: Thumbnails) -> None:
        self._thumbnails = thumbnails
        self._finding: tuple[str, Iterator[None]] | None = None  # the cards of that section

    @property
    def is_waiting(self) -> bool:
        """Whether there is more to do: the next frame will show it."""
        return self._finding is not None or self._thumbnails.is_waiting

    def go_on(self, section: str) -> None:
        """Do a little for that section; for none if "", the gallery being closed."""
        if not section or is_found(section):
            self._finding = None
            self._thumbnails.go_on(WORK)
            return
        if self._finding is None or self._finding[0] != section:
            self._finding = (section, finding(section))
        stop = perf_counter() + WORK
        for _ in self._finding[1]:
            if perf_counter() >= stop:
                break
