"""Everything that can be done, by name: (interface, session, value) -> interface."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any, TypeAlias

from algorithms.engine.events import NODE, SENDER, SEQ
from algorithms.engine.faults import CRASHED
from algorithms.engine.workload import Load
from visual import theme
from visual.interface import menus, playing
from visual.interface.inputs import Do
from visual.interface.session import Session
from visual.interface.state import SCALE_STEPS, SLOWEST, UNBOUND, VIEWS, Camera, Field, Interface

Action: TypeAlias = Callable[[Interface, Session, Any], Interface]

_UNVEILING = ("quit", "blank", "close", "full_screen", "present", "save_picture")  # what a blank screen lets through


def perform(interface: Interface, session: Session, do: Do) -> Interface:
    """Do it; on a blank screen the picture comes back first."""
    if interface.blank and do.action not in _UNVEILING:
        return replace(interface, blank=False)
    return ACTIONS[do.action](interface, session, do.value)


# ---- time --------------------------------------------------------------------------------------------------


def play_pause(interface: Interface, session: Session, value: None) -> Interface:
    """Play, or pause where the picture is."""
    if interface.glide is not None and interface.glide.step and not interface.playing:
        return replace(interface, glide=None, playing=True, help_open=False)
    starts = not interface.playing
    interface = replace(interface, playing=starts, goal=None, help_open=interface.help_open and not starts)
    return playing.refresh(interface, session)


def step_forward(interface: Interface, session: Session, value: None) -> Interface:
    return playing.step(interface, session)


def step_back(interface: Interface, session: Session, value: None) -> Interface:
    return playing.step_back(interface, session)


def seek_step(interface: Interface, session: Session, step: int) -> Interface:
    """Pause right after so many steps."""
    session.seek(step)
    return playing.settle(replace(interface, playing=False), session)


def go_to_breach(interface: Interface, session: Session, where: tuple[int, str]) -> Interface:
    """Pause right after the step that broke something, and say what."""
    step, words = where
    return seek_step(interface, session, step).say(words, 8.0)


def say(interface: Interface, session: Session, words: str) -> Interface:
    return interface.say(words)


def seek_start(interface: Interface, session: Session, value: None) -> Interface:
    return seek_step(interface, session, 0)


def seek_end(interface: Interface, session: Session, value: None) -> Interface:
    return playing.seek(interface, session, session.horizon)


def seek_tenth(interface: Interface, session: Session, tenth: int) -> Interface:
    return seek_share(interface, session, tenth / 10)


def seek_share(interface: Interface, session: Session, share: float) -> Interface:
    """To that share of the timeline's length."""
    return (
        seek_start(interface, session, None)
        if share <= 0
        else playing.seek(interface, session, share * session.horizon)
    )


def go_to_node(interface: Interface, session: Session, direction: int) -> Interface:
    """To the nearest event of the selected node; those that lie ahead have to have happened already."""
    node = menus.selected(interface).get("node")
    if node is None:
        return interface.say("Select a node first: click it, or press ↓.")
    step = session.step_of_node(node, direction)
    if step is None:
        return interface.say(f"No {'later' if direction > 0 else 'earlier'} event of P{node} has been seen.")
    return seek_step(interface, session, step)


def go_to_marker(interface: Interface, session: Session, direction: int) -> Interface:
    """To the nearest marker; where a scenario has none, to the nearest entry or fault."""
    times = [marker.at for marker in session.scenario.markers]
    if not times:
        return _go_to_notable(interface, session, direction)
    ahead = [time for time in times if (time - interface.time) * direction > 1e-9]
    if not ahead:
        return interface.say(f"There is no {'later' if direction > 0 else 'earlier'} marker.")
    return playing.seek(interface, session, min(ahead) if direction > 0 else max(ahead))


def _go_to_notable(interface: Interface, session: Session, direction: int) -> Interface:
    found = session.seek_notable(direction)
    interface = playing.settle(replace(interface, playing=False), session)
    return (
        interface if found else interface.say(f"There is no {'later' if direction > 0 else 'earlier'} entry or fault.")
    )


def set_speed(interface: Interface, session: Session, speed: int) -> Interface:
    return replace(interface, speed=min(max(speed, SLOWEST), UNBOUND), beat=0.0)


def slide_speed(interface: Interface, session: Session, share: float) -> Interface:
    """The speed at that share of the slider, 1/8x at 0 and as fast as it can at 1."""
    return set_speed(interface, session, round(SLOWEST + share * (UNBOUND - SLOWEST)))


# ---- selection ---------------------------------------------------------------------------------------------


def select(interface: Interface, session: Session, what: str) -> Interface:
    """Select a node or message by id and open the inspector on it, which pauses; "" selects nothing."""
    if not what:
        return replace(interface, selection="")
    panels = interface.panels | {"inspector"}
    return playing.refresh(replace(interface, selection=what, panels=panels, playing=False), session)


def select_node(interface: Interface, session: Session, direction: int) -> Interface:
    """Select the neighbouring node in order of ids."""
    present = menus.selected(interface).get("node")
    count = session.scenario.nodes
    node = (0 if direction > 0 else count - 1) if present is None else (present + direction) % count
    return replace(interface, selection=f"node:{node}")


def select_message(interface: Interface, session: Session, direction: int) -> Interface:
    """Select the neighbouring message in flight in order of arrival."""
    flying = [entry[SEQ] for entry in session.run.post.in_flight() if entry[NODE] != entry[SENDER]]
    if not flying:
        return interface.say("No message is on its way.")
    present = menus.selected(interface).get("message")
    if present in flying:
        place = (flying.index(present) + direction) % len(flying)
    else:
        place = 0 if direction > 0 else len(flying) - 1
    return replace(interface, selection=f"message:{flying[place]}")


# ---- acting ------------------------------------------------------------------------------------------------


def intervene(interface: Interface, session: Session, what: tuple[str, tuple[tuple[str, Any], ...]]) -> Interface:
    """Do something of the table of faults at the moment that is shown."""
    do, fields = what
    session.act(do, interface.time, **dict(fields))
    return _acted(interface, session)


def _acted(interface: Interface, session: Session) -> Interface:
    """Playing goes on after an intervention, from the moment it was made."""
    return playing.settle(interface, session, max(interface.time, session.now))


def at_node(interface: Interface, session: Session, do: str) -> Interface:
    """Do something to the selected node."""
    node = menus.selected(interface).get("node")
    if node is None:
        return interface.say("Select a node first: click it, or press ↓.")
    return intervene(interface, session, (do, (("node", node),)))


def crash_or_recover(interface: Interface, session: Session, value: None) -> Interface:
    node = menus.selected(interface).get("node", -1)
    return at_node(interface, session, "recover" if session.run.down.get(node) == CRASHED else "crash")


def pause_or_resume(interface: Interface, session: Session, value: None) -> Interface:
    node = menus.selected(interface).get("node", -1)
    return at_node(interface, session, "resume" if node in session.run.down else "pause")


def at_message(interface: Interface, session: Session, do: str) -> Interface:
    """Do something to the selected message."""
    serial = menus.selected(interface).get("message")
    if serial is None or session.message(serial) is None:
        return interface.say("Select a message first: click it, or press Shift+↓.")
    fields: tuple[tuple[str, Any], ...] = (("message", serial),)
    if do == "delay":
        fields += (("delay", 2 * (session.scenario.network.delay.mean or 1.0)),)
    return intervene(interface, session, (do, fields))


def lose_token(interface: Interface, session: Session, value: None) -> Interface:
    if session.run.algorithm.token is None:
        return interface.say(f"{session.run.algorithm.title} has no token.")
    return intervene(interface, session, ("lose-token", ()))


def change_load(interface: Interface, session: Session, load: Load) -> Interface:
    session.change_load(load, interface.time)
    return _acted(interface, session)


def undo(interface: Interface, session: Session, value: None) -> Interface:
    if not session.undo():
        return interface.say("There is nothing to undo.")
    return playing.settle(replace(interface, playing=False), session)


def restart(interface: Interface, session: Session, seed: int | None) -> Interface:
    session.restart(seed)
    return _begun(interface, session)


def new_seed(interface: Interface, session: Session, value: None) -> Interface:
    return restart(interface, session, session.scenario.seed + 1)


def choose_algorithm(interface: Interface, session: Session, which: tuple[str, str | None]) -> Interface:
    session.choose_algorithm(*which)
    return _begun(interface, session)


def choose_nodes(interface: Interface, session: Session, nodes: int) -> Interface:
    session.choose_nodes(nodes)
    return _begun(interface, session)


def nodes_typed(interface: Interface, session: Session, text: str) -> Interface:
    if text.strip().isdecimal() and 2 <= int(text) <= menus.MOST_NODES:
        return choose_nodes(interface, session, int(text))
    return interface.say(f"The number of nodes is a whole number from 2 to {menus.MOST_NODES}.")


def seed_typed(interface: Interface, session: Session, text: str) -> Interface:
    if text.strip().isdecimal():
        return restart(interface, session, int(text))
    return interface.say("A seed is a whole number, 0 or larger.")


def _begun(interface: Interface, session: Session) -> Interface:
    interface = replace(interface, selection="", camera=Camera(), scrolled=())
    return playing.settle(interface, session)


# ---- looking -----------------------------------------------------------------------------------------------


def next_view(interface: Interface, session: Session, value: None) -> Interface:
    return replace(interface, view=VIEWS[(VIEWS.index(interface.view) + 1) % len(VIEWS)])


def toggle(interface: Interface, session: Session, panel: str) -> Interface:
    """Open or close a panel; opening the inspector pauses."""
    panels = interface.panels ^ {panel}
    pauses = panel == "inspector" and panel in panels
    return replace(interface, panels=panels, playing=interface.playing and not pauses)


def next_theme(interface: Interface, session: Session, value: None) -> Interface:
    names = theme.NAMES
    return replace(interface, theme=names[(names.index(interface.theme) + 1) % len(names)])


def resize_text(interface: Interface, session: Session, direction: int) -> Interface:
    """The next larger or smaller of the text sizes."""
    others = [s for s in SCALE_STEPS if (s - interface.scale) * direction > 1e-9]
    return replace(interface, scale=min(others, key=lambda s: abs(s - interface.scale), default=interface.scale))


def help_scroll(interface: Interface, session: Session, pages: int) -> Interface:
    return replace(interface, help_page=max(0, interface.help_page + pages))


def show_help(interface: Interface, session: Session, value: None) -> Interface:
    """Open the help, which pauses; or close it."""
    opens = not interface.help_open
    return replace(interface, help_open=opens, help_page=0, playing=interface.playing and not opens)


def close(interface: Interface, session: Session, value: None) -> Interface:
    """Close what is open, the topmost first; never the program."""
    if interface.blank:
        return replace(interface, blank=False)
    if interface.menu or interface.field:
        return replace(interface, menu="", field=None)
    if interface.help_open:
        return replace(interface, help_open=False)
    if interface.presenting or interface.chrome_hidden:
        return replace(interface, presenting=False, chrome_hidden=False)
    if "inspector" in interface.panels and interface.selection:
        return replace(interface, panels=interface.panels - {"inspector"})
    return replace(interface, selection="", focus="", notice=None)


# ---- menus and their text field ----------------------------------------------------------------------------


def open_menu(interface: Interface, session: Session, menu: str) -> Interface:
    """Open that menu, its text field ready for typing; close it if it is open."""
    if interface.menu == menu:
        return close_menu(interface)
    interface = replace(interface, menu=menu, field=None, focus="")
    content = menus.menu_of(interface, session)
    if content is None:
        return close_menu(interface)
    places = content.choosable()
    ticked = [place for place in places if content.entries[place].on]
    field = Field(content.field, len(content.field)) if content.field else None
    return replace(interface, menu_at=(ticked or places or [0])[0], field=field).scroll_to("menu", 0.0)


def close_menu(interface: Interface) -> Interface:
    return replace(interface, menu="", field=None)


def menu_move(interface: Interface, session: Session, by: int) -> Interface:
    """Highlight another entry; above the first one is the text field."""
    menu = menus.menu_of(interface, session)
    places = menu.choosable() if menu else []
    if menu is None or not places:
        return close_menu(interface)
    at = places.index(interface.menu_at) if interface.menu_at in places else 0
    if at + by < 0 and abs(by) == 1:
        return _edit(interface, menu) if menu.field else replace(interface, menu_at=places[-1])
    if at + by >= len(places) and abs(by) == 1:
        return replace(interface, menu_at=places[0])
    return replace(interface, menu_at=places[min(max(at + by, 0), len(places) - 1)])


def _edit(interface: Interface, menu: menus.Menu) -> Interface:
    return replace(interface, field=Field(menu.field, len(menu.field)))


def menu_choose(interface: Interface, session: Session, value: None) -> Interface:
    """Do what the highlighted entry says."""
    menu = menus.menu_of(interface, session)
    if menu is None or interface.menu_at not in menu.choosable():
        return close_menu(interface)
    return choose_entry(interface, session, interface.menu_at)


def choose_entry(interface: Interface, session: Session, place: int) -> Interface:
    """Do what that entry of the open menu says; the menu closes unless another one opens."""
    menu = menus.menu_of(interface, session)
    does = menu.entries[place].does if menu and place < len(menu.entries) else None
    if does is None:
        return interface
    return perform(close_menu(interface), session, does)


def edit_field(interface: Interface, session: Session, value: None) -> Interface:
    menu = menus.menu_of(interface, session)
    return _edit(interface, menu) if menu and menu.field else interface


def field_accept(interface: Interface, session: Session, value: None) -> Interface:
    menu, field = menus.menu_of(interface, session), interface.field
    interface = close_menu(interface)
    if menu is None or field is None or field.text == menu.field:
        return interface
    return perform(interface, session, Do(menu.takes, field.text))


def field_caret(interface: Interface, session: Session, by: int) -> Interface:
    field = interface.field or Field("", 0)
    caret = min(max(field.caret + by, 0), len(field.text))
    return replace(interface, field=Field(field.text, caret, fresh=False))


def field_erase(interface: Interface, session: Session, offset: int) -> Interface:
    """Erase the character at the caret's place plus `offset`; all of a text nobody has touched yet."""
    field = interface.field or Field("", 0)
    at = field.caret + offset
    if field.fresh:
        return replace(interface, field=Field("", 0, fresh=False))
    if not 0 <= at < len(field.text):
        return interface
    return replace(interface, field=Field(field.text[:at] + field.text[at + 1 :], at, fresh=False))


def field_leave(interface: Interface, session: Session, value: None) -> Interface:
    return replace(interface, field=None)


def field_type(interface: Interface, text: str) -> Interface:
    """Put typed text in at the caret."""
    field = interface.field or Field("", 0)
    before = "" if field.fresh else field.text[: field.caret]
    after = "" if field.fresh else field.text[field.caret :]
    return replace(interface, field=Field(before + text + after, len(before + text), fresh=False))


def _constant(**changes: Any) -> Action:
    return lambda interface, session, value: replace(interface, **changes)


def _flip(name: str) -> Action:
    return lambda interface, session, value: _constant(**{name: not getattr(interface, name)})(interface, session, None)


def _with(action: Action, value: Any) -> Action:
    return lambda interface, session, ignored: action(interface, session, value)


def _faster(by: int) -> Action:
    return lambda interface, session, value: set_speed(interface, session, interface.speed + by)


ACTIONS: dict[str, Action] = {
    "play_pause": play_pause,
    "step_forward": step_forward,
    "step_back": step_back,
    "next_of_node": _with(go_to_node, 1),
    "previous_of_node": _with(go_to_node, -1),
    "next_marker": _with(go_to_marker, 1),
    "previous_marker": _with(go_to_marker, -1),
    "seek_start": seek_start,
    "seek_end": seek_end,
    "seek_tenth": seek_tenth,
    "seek_share": seek_share,
    "seek_step": seek_step,
    "go_to_breach": go_to_breach,
    "say": say,
    "faster": _faster(1),
    "slower": _faster(-1),
    "normal_speed": _with(set_speed, 0),
    "slide_speed": slide_speed,
    "select": select,
    "select_next_node": _with(select_node, 1),
    "select_previous_node": _with(select_node, -1),
    "select_next_message": _with(select_message, 1),
    "select_previous_message": _with(select_message, -1),
    "intervene": intervene,
    "request": _with(at_node, "request"),
    "crash_or_recover": crash_or_recover,
    "pause_or_resume": pause_or_resume,
    "drop": _with(at_message, "drop"),
    "delay": _with(at_message, "delay"),
    "lose_token": lose_token,
    "change_load": change_load,
    "undo": undo,
    "restart": _with(restart, None),
    "new_seed": new_seed,
    "choose_seed": restart,
    "choose_algorithm": choose_algorithm,
    "choose_nodes": choose_nodes,
    "nodes_typed": nodes_typed,
    "seed_typed": seed_typed,
    "next_view": next_view,
    "toggle": toggle,
    "fit": _constant(camera=Camera()),
    "next_theme": next_theme,
    "larger": _with(resize_text, 1),
    "smaller": _with(resize_text, -1),
    "normal_size": _constant(scale=1.0),
    "full_screen": _flip("full_screen"),
    "present": _flip("presenting"),
    "blank": _flip("blank"),
    "hide_chrome": _flip("chrome_hidden"),
    "help": show_help,
    "help_scroll": help_scroll,
    "close": close,
    "save_picture": lambda interface, session, value: interface.wish("save"),
    "quit": lambda interface, session, value: interface.wish("quit"),
    "open_menu": open_menu,
    "choose_entry": choose_entry,
    "menu_move": menu_move,
    "menu_choose": menu_choose,
    "edit_field": edit_field,
    "field_accept": field_accept,
    "field_caret": field_caret,
    "field_erase": field_erase,
    "field_leave": field_leave,
}
