"""All that can be done: importing this module fills the table of `visual.interface.doing`."""

from visual.interface import acting, choosing, listing, looking, moving
from visual.interface.doing import ACTIONS, perform

__all__ = ["ACTIONS", "acting", "choosing", "listing", "looking", "moving", "perform"]
