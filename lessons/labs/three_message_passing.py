"""Every case of three-message token passing: is there never more than one token?"""

from __future__ import annotations

from typing import Any

from algorithms.engine.errors import count_words
from lessons.experiments.fates import LOST, all_cases
from lessons.laboratory import plots
from lessons.laboratory.lab import Case, Lab, LabRow, Results, Topic

PROMPT = 0.12
DELAYS = (PROMPT, 0.41, 0.73, 1.09, 1.61)  # in units of Δskip, the time that both sides wait for an answer
ALL_FATES = (*DELAYS, 2.57, LOST)
CLAIMS = {1: (6, 1, 1), 2: (36, 14, 14), 3: (216, 148, 148)}  # attempts -> cases kept, passed, lost
DIES = "no message is lost, but the receiver gives up before the commitment arrives"
MIXED_UP: dict[str, Any] = {
    "holds": False,
    "note": "a late acknowledgement from the first neighbour is taken for the second's",
}
ELSEWHERE, SAME = (1, 2), (1, 1)  # whom the second attempt goes to: another neighbour, or the same


def one_case(targets: tuple[int, ...], fates: tuple[float, ...], **more: object) -> Case:
    return Case(all_cases, {"targets": targets, "fates": fates, **more})


LOSSES = {f"losses, {n} attempts": one_case(tuple(range(1, n + 1)), (PROMPT, LOST)) for n in CLAIMS}
ONE = {"one attempt": one_case((1,), DELAYS)}
IDENTIFIED = {f"with identifiers, {k}": one_case(ELSEWHERE, DELAYS, first=k) for k in range(len(DELAYS))}
ALIKE = {
    f"without identifiers, {k}": one_case(ELSEWHERE, DELAYS, first=k, identifier=False) for k in range(len(DELAYS))
}
AGAIN = {f"same neighbour, {k}": one_case(SAME, ALL_FATES, first=k) for k in range(len(ALL_FATES))}


def cases_in(results: Results, group: dict[str, Case], what: str) -> int:
    """The number of cases of the group, over all its parts, with that outcome."""
    return sum(results[name][0]["cases"].get(what, 0) for name in group)


def rows(results: Results) -> list[LabRow]:
    table = []
    for (name, case), (attempts, claims) in zip(LOSSES.items(), CLAIMS.items(), strict=True):
        for outcome, claim in zip(("kept", "passed", "lost"), claims, strict=True):
            count = cases_in(results, {name: case}, outcome)
            words = f"{count_words(attempts, 'attempt')}, any messages lost, {8**attempts} cases: {outcome}"
            table.append(LabRow(words, claim, count, band=(claim, claim)))
    holders = max(runs[0]["holders"] for runs in results.values())
    unexpected = results["one attempt"][0]["unexpected"]
    pairs = len(DELAYS) ** 6
    return [
        *table,
        LabRow("most holders of the token at a time, in all cases", 1, holders, band=(1, 1)),
        LabRow("1 attempt, any delays, 125 cases: lost", 0, cases_in(results, ONE, "lost"), holds=False, note=DIES),
        LabRow("… of these, not predicted by d1 + d2 ≤ timeout < d2 + d3", None, unexpected, band=(0, 0)),
        LabRow(f"2 neighbours, with identifiers, {pairs:,} cases: lost", None, cases_in(results, IDENTIFIED, "lost")),
        LabRow(
            "… of these, although the commitment came in time",
            0,
            cases_in(results, IDENTIFIED, "lost in time"),
            band=(0, 0),
        ),
        LabRow(f"2 neighbours, without identifiers, {pairs:,} cases: lost", None, cases_in(results, ALIKE, "lost")),
        LabRow(
            "… of these, although the commitment came in time", 0, cases_in(results, ALIKE, "lost in time"), **MIXED_UP
        ),
        LabRow(
            "same neighbour twice, 117,649 cases: lost although it came in time",
            0,
            cases_in(results, AGAIN, "lost in time"),
            band=(0, 0),
        ),
    ]


def plot(results: Results) -> plots.Figure:
    figure, [left, right] = plots.panels(2, "Outcome for the token, over all combinations of faults")
    looks = {"kept": (plots.SKY, ""), "passed": (plots.GREEN, "//"), "lost": (plots.ORANGE, "..")}
    groups = {
        left: {count_words(n, "attempt"): {name: case} for n, (name, case) in zip(CLAIMS, LOSSES.items(), strict=True)},
        right: {"1 attempt": ONE, "2, with id": IDENTIFIED, "2, without": ALIKE},
    }
    for axis, columns in groups.items():
        for place, group in enumerate(columns.values()):
            total, below = sum(cases_in(results, group, outcome) for outcome in looks), 0.0
            for outcome, (colour, hatch) in looks.items():
                share = 100 * cases_in(results, group, outcome) / total
                label = outcome if axis is left and place == 0 else None
                axis.bar(place, share, bottom=below, color=colour, edgecolor=plots.INK, hatch=hatch, label=label)
                below += share
        axis.set_xticks(range(len(columns)), list(columns), fontsize=10)
    left.set(title="messages lost", ylabel="% of all cases")
    right.set(title="messages late")
    figure.legend(loc="outside right center")
    return figure


LAB = Lab(
    name="three-message-passing",
    title="Three-message passing",
    topic=Topic.REPORT,
    question="Can passing the token by offer, acknowledgement and commitment ever lose or double it?",
    picture="""\
The share of all cases in which the sender keeps the token, passes it on, or the token is lost. Left: any messages
are lost. Right: messages are late but not lost.""",
    source="A. Ciuffoletti, The Wandering Token (report), section 4",
    cases={**LOSSES, **ONE, **IDENTIFIED, **ALIKE, **AGAIN},
    seeds=1,
    quick_seeds=1,
    rows=rows,
    plot=plot,
    paragraph="""\
The claim holds for losses: whichever messages of up to three attempts are lost, there is at most one holder, and the
token is lost only with the commitment. Delays are different. There is still never more than one holder, but the
token can be lost without any lost message: when the acknowledgement arrives in time and the commitment does not,
that is, when d1 + d2 ≤ timeout < d2 + d3 (the delays of offer, acknowledgement and commitment). If acknowledgement
and commitment carry only the token's fields, as in the text, a late acknowledgement from the first neighbour is
taken for the second's, which has not requested anything yet; the commitment reaches it in time, and the token is
lost. An identifier for each attempt repairs this. The number of such cases depends on the delays tried, here 0.12,
0.41, 0.73, 1.09 and 1.61 timeouts. With an identifier, and with receivers that replace an older offer by a newer one
of the same sender, a retry to the same neighbour is safe as well, whatever the order in which the messages arrive.""",
)
