"""The requests that the window understands, each with the type of its value.

    intents.seek_tenth(3)        # a Do: what a key, a button or a menu's entry holds
    @handles(intents.seek_tenth) # marks the function that performs it, in the module of its feature

Importing this module loads no feature.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, Generic, Literal, NamedTuple, TypeAlias, TypeVar, overload

from algorithms.engine.scenario import Scenario

if TYPE_CHECKING:
    from algorithms.engine.topology import Edge
    from algorithms.engine.workload import Load

V = TypeVar("V")

Tool: TypeAlias = Literal["", "pointer", "spotlight", "magnifier", "pen"]
"""A thing to point with, over the picture; "" is none."""


class Do(NamedTuple, Generic[V]):
    """An intent with its value."""

    intent: Intent[V]
    value: V


class Intent(Generic[V]):
    """A kind of request. Calling it with a value gives a Do; an Intent[None] takes none.

    With `repeats` it goes on while its key is down; others happen once, since a toggle would flicker.
    """

    name = ""

    def __init__(self, *, repeats: bool = False) -> None:
        self.repeats = repeats

    def __repr__(self) -> str:
        return self.name

    @overload
    def __call__(self: Intent[None]) -> Do[None]: ...

    @overload
    def __call__(self, value: V) -> Do[V]: ...

    def __call__(self, value: Any = None) -> Do[Any]:
        return Do(self, value)


# ---- playing and seeking -----------------------------------------------------------------------------------

play_pause: Intent[None] = Intent()
step_forward: Intent[None] = Intent(repeats=True)
step_back: Intent[None] = Intent(repeats=True)
next_of_node: Intent[None] = Intent(repeats=True)
previous_of_node: Intent[None] = Intent(repeats=True)
next_marker: Intent[None] = Intent(repeats=True)
previous_marker: Intent[None] = Intent(repeats=True)
seek_start: Intent[None] = Intent()
seek_end: Intent[None] = Intent()
play_past_end: Intent[None] = Intent()
stop_at_marks: Intent[None] = Intent()
seek_tenth: Intent[int] = Intent()
seek_step: Intent[int] = Intent()
seek_share: Intent[float] = Intent()
go_to_event: Intent[int] = Intent()
go_to_message: Intent[int] = Intent()
go_to_breach: Intent[tuple[int, str]] = Intent()
go_to_line: Intent[tuple[str, float, int]] = Intent()
go_to_moment: Intent[tuple[str, float, float]] = Intent()
faster: Intent[None] = Intent(repeats=True)
slower: Intent[None] = Intent(repeats=True)
normal_speed: Intent[None] = Intent()
slide_speed: Intent[float] = Intent()

# ---- presenting --------------------------------------------------------------------------------------------

present: Intent[None] = Intent()
next_stop: Intent[None] = Intent()
previous_stop: Intent[None] = Intent()
mark_moment: Intent[None] = Intent()
hide_future: Intent[None] = Intent()
select_number: Intent[int] = Intent()
choose_tool: Intent[Tool] = Intent()
move_tool: Intent[tuple[int, int]] = Intent(repeats=True)
draw: Intent[tuple[int, int]] = Intent(repeats=True)
presenter: Intent[None] = Intent()
speaker_notes: Intent[None] = Intent()

# ---- acting on the run -------------------------------------------------------------------------------------

select: Intent[str] = Intent()
open_actions: Intent[tuple[str, float, float]] = Intent()
select_next_node: Intent[None] = Intent(repeats=True)
select_previous_node: Intent[None] = Intent(repeats=True)
select_next_message: Intent[None] = Intent(repeats=True)
select_previous_message: Intent[None] = Intent(repeats=True)
intervene: Intent[tuple[str, tuple[tuple[str, Any], ...]]] = Intent()
request: Intent[None] = Intent()
crash_or_recover: Intent[None] = Intent()
pause_or_resume: Intent[None] = Intent()
drop: Intent[None] = Intent()
delay: Intent[None] = Intent()
lose_token: Intent[None] = Intent()
undo: Intent[None] = Intent()
restart: Intent[None] = Intent()
new_seed: Intent[None] = Intent()
choose_seed: Intent[int] = Intent()
seed_typed: Intent[str] = Intent()
choose_algorithm: Intent[tuple[str, str | None]] = Intent()
choose_nodes: Intent[int] = Intent()
nodes_typed: Intent[str] = Intent()
change_load: Intent[Load] = Intent()
offer: Intent[float] = Intent()
slide_load: Intent[float] = Intent()
more_load: Intent[None] = Intent()
less_load: Intent[None] = Intent()
schedule: Intent[bool] = Intent()
other_scheduler: Intent[None] = Intent()
pick: Intent[int] = Intent()
pick_number: Intent[int] = Intent()

# ---- lessons -----------------------------------------------------------------------------------------------

open_lesson: Intent[str] = Intent()
end_lesson: Intent[None] = Intent()
lesson_on: Intent[None] = Intent()
lesson_back: Intent[None] = Intent()
choose_option: Intent[int] = Intent()
focus_option: Intent[int] = Intent()
move_line: Intent[int] = Intent()
answer: Intent[None] = Intent()
hint: Intent[None] = Intent()
show_answer: Intent[None] = Intent()
skip_step: Intent[None] = Intent()
see_where: Intent[None] = Intent()
see_proof: Intent[int] = Intent()
change_room: Intent[str] = Intent()
take_over: Intent[int] = Intent()
edit_votes: Intent[None] = Intent()
take_votes: Intent[str] = Intent()
practise: Intent[None] = Intent()
cannot_be_done: Intent[None] = Intent()

# ---- branches ----------------------------------------------------------------------------------------------

go_to_branch: Intent[str] = Intent()
name_branch: Intent[None] = Intent()
rename_branch: Intent[str] = Intent()
delete_branch: Intent[str] = Intent()
delete_line: Intent[None] = Intent()

# ---- two runs ----------------------------------------------------------------------------------------------

compare: Intent[Rival] = Intent()
compare_typed: Intent[str] = Intent()
compare_menu: Intent[None] = Intent()
other_run: Intent[None] = Intent()
bring_to_front: Intent[int] = Intent()
next_aim: Intent[None] = Intent()

# ---- the graph ---------------------------------------------------------------------------------------------

choose_topology: Intent[str] = Intent()
graph_file_typed: Intent[str] = Intent()
add_node: Intent[None] = Intent()
remove_node: Intent[int] = Intent()
toggle_link: Intent[Edge] = Intent()
choose_layout: Intent[str] = Intent()
reset_positions: Intent[None] = Intent()
nudge: Intent[tuple[int, int]] = Intent(repeats=True)
fit: Intent[None] = Intent()
local_view: Intent[None] = Intent()

# ---- the space-time diagram --------------------------------------------------------------------------------

fit_diagram: Intent[None] = Intent()
logical_axis: Intent[None] = Intent()
downwards: Intent[None] = Intent()
everybody: Intent[None] = Intent()
diagram_closer: Intent[None] = Intent(repeats=True)
diagram_farther: Intent[None] = Intent(repeats=True)
diagram_later: Intent[None] = Intent(repeats=True)
diagram_earlier: Intent[None] = Intent(repeats=True)

# ---- pages -------------------------------------------------------------------------------------------------

open_page: Intent[str] = Intent()
turn_page: Intent[int] = Intent()
turn_plots: Intent[int] = Intent()
filter_kind: Intent[str] = Intent()
filter_node: Intent[None] = Intent()
look_at_variable: Intent[str] = Intent()
change_budget: Intent[tuple[str, int]] = Intent()
check: Intent[None] = Intent()
open_example: Intent[str] = Intent()
leave_example: Intent[None] = Intent()

# ---- gallery and labs --------------------------------------------------------------------------------------

open_gallery: Intent[None] = Intent()
gallery_section: Intent[str] = Intent()
gallery_turn: Intent[int] = Intent()
gallery_move: Intent[int] = Intent(repeats=True)
gallery_row: Intent[int] = Intent(repeats=True)
gallery_choose: Intent[None] = Intent()
edit_card_filter: Intent[None] = Intent()
filter_cards: Intent[str] = Intent()
open_scenario: Intent[str] = Intent()
open_file: Intent[str] = Intent()
open_unsaved: Intent[str] = Intent()
open_trusted: Intent[tuple[str, str]] = Intent()
open_lab: Intent[str] = Intent()
close_lab: Intent[None] = Intent()
measure: Intent[bool] = Intent()
scroll_lab: Intent[float] = Intent(repeats=True)

# ---- menus and text fields ---------------------------------------------------------------------------------

open_menu: Intent[str] = Intent()
menu_move: Intent[int] = Intent(repeats=True)
menu_choose: Intent[None] = Intent()
choose_entry: Intent[int] = Intent()
edit_field: Intent[None] = Intent()
field_accept: Intent[None] = Intent()
field_caret: Intent[int] = Intent(repeats=True)
field_erase: Intent[int] = Intent(repeats=True)
field_leave: Intent[None] = Intent()
field_all: Intent[None] = Intent()
choose_network: Intent[dict[str, Any]] = Intent()

# ---- the window --------------------------------------------------------------------------------------------

next_view: Intent[None] = Intent()
toggle: Intent[str] = Intent()
next_theme: Intent[None] = Intent()
larger: Intent[None] = Intent(repeats=True)
smaller: Intent[None] = Intent(repeats=True)
normal_size: Intent[None] = Intent()
reduce_motion: Intent[None] = Intent()
full_screen: Intent[None] = Intent()
blank: Intent[None] = Intent()
hide_chrome: Intent[None] = Intent()
help: Intent[None] = Intent()
help_scroll: Intent[int] = Intent(repeats=True)
close: Intent[None] = Intent()
say: Intent[str] = Intent()
save_picture: Intent[None] = Intent()
copy_picture: Intent[None] = Intent()
save_run: Intent[None] = Intent()
quit: Intent[None] = Intent()
focus_next: Intent[None] = Intent(repeats=True)
focus_previous: Intent[None] = Intent(repeats=True)
focus_line: Intent[int] = Intent(repeats=True)
press_focused: Intent[None] = Intent()

for _name, _intent in list(globals().items()):
    if isinstance(_intent, Intent):
        _intent.name = _name


class Rival(NamedTuple):
    """The scenario of a run to compare with. The notes name the difference where the algorithms are the same."""

    scenario: Scenario
    note: str = ""
    other_note: str = ""  # on the present run
    path: Path | None = None
