"""Actions on how much is asked of the critical section, as k_load: the processes inside if nobody ever had to wait."""

from __future__ import annotations

from algorithms.engine.observe.offered_load import LOADS, load_for, offered_load, pace_for
from visual.window.action_table import action, front_of, with_value
from visual.window.compare.actions import aimed
from visual.window.playback import playing
from visual.window.session import Session
from visual.window.state import Interface


@action
def offer(interface: Interface, session: Session, load: float) -> Interface:
    """From now on that load is offered, by whoever does so."""
    if session.run.algorithm.is_election():
        return interface.say("Elections are held when they are called for: there is no load.")
    for run in aimed(interface, session, "load", {}):
        _take_back_the_last(run, interface.time)
        _offer(run, load, interface.time)
    interface = playing.settle(interface, session)  # playing goes on from there
    return interface.say(f"From now on k_load = {load:g}.")


@action
def slide_load(interface: Interface, session: Session, share: float) -> Interface:
    """The load at that share of the slider; each is offered once, however slowly the slider is drawn over it."""
    load = LOADS[round(share * (len(LOADS) - 1))]
    present = offered_load(front_of(interface, session).run)
    if present is not None and abs(present - load) < 0.005:
        return interface
    return offer(interface, session, load)


def _change(interface: Interface, session: Session, by: int) -> Interface:
    """The next larger or smaller of the loads."""
    present = offered_load(front_of(interface, session).run) or 0.0
    others = [load for load in LOADS if (load - present) * by > 0.005]
    return offer(interface, session, min(others, key=lambda load: abs(load - present))) if others else interface


def share_of(load: float | None) -> float:
    """Where a load is on the slider."""
    nearest = min(range(len(LOADS)), key=lambda place: abs(LOADS[place] - (load or 0.0)))
    return nearest / (len(LOADS) - 1)


def _offer(session: Session, load: float, time: float) -> None:
    run = session.run
    pace = pace_for(run, load)
    if pace is None:
        session.change_load(load_for(run, load), time)
    else:
        session.act("tune", time, parameter=run.algorithm.paced_by, value=pace)


def _take_back_the_last(session: Session, time: float) -> None:
    """Of several changes at one moment only the last counts."""
    timeline = session.timeline
    done = [event for event in timeline.branch.interventions if event.by_hand]
    if done and done[-1].do in ("load", "tune") and done[-1].step == timeline.step - 1 and done[-1].at >= time:
        session.undo()


with_value("more_load", _change, 1)
with_value("less_load", _change, -1)
