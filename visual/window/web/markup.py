"""What a recorded page has beside its pictures, as HTML: properties, counters, the lines of a source, and markers."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape

from algorithms.engine.observe.verdicts import BROKEN, NAMES, OVERDUE, PENDING, Verdict
from visual.scene.source_listing import Listing
from visual.window.pages.run import CounterRow, status_words

_HUES = {BROKEN: "broken", PENDING: "pending", OVERDUE: "pending"}


_GRAPH = '<canvas role="img"></canvas>'
_DIAGRAM = '<canvas role="img" aria-label="space-time diagram"></canvas>'


def section(name: str, pictures: int, has_counters: bool) -> str:
    """The part of the page for a run with one or two pictures; the player fills it."""
    return f"""<section>
<h2>{escape(name)}</h2>
<div class="pictures">{_GRAPH}{_DIAGRAM * (pictures - 1)}</div>
<div class="side">
<ul class="lights"></ul>
<table{"" if has_counters else " hidden"}>
<thead><tr><th scope="col">messages</th><th scope="col">measured</th><th scope="col">formula</th></tr></thead>
<tbody class="counters"></tbody>
</table>
<div class="source"><h3></h3><pre tabindex="0"><code></code></pre></div>
</div>
</section>"""


def lights(verdicts: Iterable[Verdict]) -> str:
    """The properties with their status."""
    return "".join(map(_light, verdicts))


def _light(verdict: Verdict) -> str:
    look = _HUES.get(verdict.status, "ok") + ("" if verdict.promised else " spare")
    name, status = escape(NAMES.get(verdict.name, verdict.name)), escape(status_words(verdict))
    return f'<li class="{look}"><b>{name}</b><span>{status}</span></li>'


def counters(rows: Iterable[CounterRow]) -> str:
    """The rows of the table of counters; an indented one is part of the total."""
    return "".join(map(_counter, rows))


def _counter(row: CounterRow) -> str:
    look = "strong" if row.strong else "part" if row.words.startswith(" ") else ""
    words, measured, formula = (escape(words.strip()) for words in row[:3])
    return f'<tr class="{look}"><th scope="row">{words}</th><td>{measured}</td><td>{formula}</td></tr>'


def source(listing: Listing) -> str:
    """The lines of a source that are shown, each with its number."""
    numbered = enumerate(listing.lines, listing.first)
    shown = ((number, line) for number, line in numbered if number not in listing.hidden)
    return "".join(f'<span data-line="{number}">{escape(line)}\n</span>' for number, line in shown)


def markers(places: Sequence[tuple[str, int]]) -> str:
    """The buttons of markers, given by name and place."""
    return "".join(f'<button data-place="{place}">{escape(name)}</button>' for name, place in places)
