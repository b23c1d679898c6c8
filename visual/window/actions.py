"""All actions: importing this module fills the table of `visual.window.action_table`."""

import visual.window.classroom.card
import visual.window.compare
import visual.window.diagram.panel
import visual.window.display_actions
import visual.window.gallery.actions
import visual.window.graph.editing
import visual.window.lab.sheet
import visual.window.lesson.actions
import visual.window.menus.contents
import visual.window.own_files
import visual.window.pages.branches
import visual.window.pages.check
import visual.window.pages.choose
import visual.window.pages.events
import visual.window.pages.plots
import visual.window.playback.playing
import visual.window.presenting.actions
import visual.window.run_actions  # noqa: F401
from visual.window.action_table import HANDLERS, perform

__all__ = ["HANDLERS", "perform"]
