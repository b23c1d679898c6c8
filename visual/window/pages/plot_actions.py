"""Actions on the page of plots."""

from __future__ import annotations

from visual.window.action_table import action
from visual.window.session import Session
from visual.window.state import Interface


@action
def turn_plots(interface: Interface, session: Session, by: int) -> Interface:
    """Show the plots that come after, or before, those on the page."""
    return interface.scroll_to("plots", interface.scroll_of("plots") + by)
