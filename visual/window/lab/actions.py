"""Actions of labs: open the sheet, measure in the background, close."""

from __future__ import annotations

from visual.window import intents
from visual.window.action_table import handles
from visual.window.desk import Desk
from visual.window.lab.measurement import Measurement
from visual.window.state import Interface, LabSheet


@handles(intents.open_lab)
def open_lab(interface: Interface, desk: Desk, name: str) -> Interface:
    """Open the sheet of a lab."""
    if desk.measurement is None or desk.measurement.lab.name != name:
        desk.close()
        desk.measurement = Measurement(name)
    return interface.focused("lab.quick").over(LabSheet(name)).scrolled("lab", 0.0)


@handles(intents.close_lab)
def close_lab(interface: Interface, desk: Desk, value: None) -> Interface:
    """Go back to the gallery, and stop a measurement in progress."""
    desk.close()
    return interface.focused().without(LabSheet)


@handles(intents.measure)
def measure(interface: Interface, desk: Desk, quick: bool) -> Interface:
    """Measure the open lab, or stop its measurement."""
    measurement = desk.measurement
    if measurement is None:
        return interface
    if measurement.is_running:
        measurement.stop()
        return interface.say("Stopped. Finished runs are kept; the next measurement resumes from here.")
    try:
        measurement.start(quick=quick)
    except OSError as error:
        return interface.say(f"The lab cannot be measured: {error.strerror}, {error.filename}.", 8.0)
    return interface


@handles(intents.scroll_lab)
def scroll_lab(interface: Interface, desk: Desk, by: float) -> Interface:
    return interface.scrolled("lab", interface.scrolls.of("lab") + by)
