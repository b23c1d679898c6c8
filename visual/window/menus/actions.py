"""Actions in menus and their text fields."""

from __future__ import annotations

from dataclasses import replace

from visual.window import intents
from visual.window.action_table import handles, perform
from visual.window.desk import Desk
from visual.window.menus import contents
from visual.window.state import Field, Interface


@handles(intents.open_menu)
def open_menu(interface: Interface, desk: Desk, menu: str) -> Interface:
    """Open that menu, its text field ready for typing; close it if it is open."""
    if interface.menu == menu:
        return close_menu(interface)
    interface = replace(interface, menu=menu, field=None, focus="")
    content = contents.menu_of(interface, desk)
    if content is None:
        return close_menu(interface)
    places = content.choosable()
    ticked = [place for place in places if content.entries[place].on]
    field = Field(content.field, len(content.field)) if content.field else None
    first = ticked if len(ticked) == 1 else places  # several ticks are switches, not the present choice
    return replace(interface, menu_at=(first or [0])[0], field=field).scroll_to("menu", 0.0)


def close_menu(interface: Interface) -> Interface:
    return replace(interface, menu="", field=None)


@handles(intents.menu_move)
def menu_move(interface: Interface, desk: Desk, by: int) -> Interface:
    """Highlight another entry; above the first one is the text field."""
    menu = contents.menu_of(interface, desk)
    places = menu.choosable() if menu else []
    if menu is None or not places:
        return close_menu(interface)
    at = places.index(interface.menu_at) if interface.menu_at in places else 0
    if at + by < 0 and abs(by) == 1:
        return _edit(interface, menu) if menu.field else replace(interface, menu_at=places[-1])
    if at + by >= len(places) and abs(by) == 1:
        return replace(interface, menu_at=places[0])
    return replace(interface, menu_at=places[min(max(at + by, 0), len(places) - 1)])


def _edit(interface: Interface, menu: contents.Menu) -> Interface:
    return replace(interface, field=Field(menu.field, len(menu.field)))


@handles(intents.menu_choose)
def menu_choose(interface: Interface, desk: Desk, value: None) -> Interface:
    """Do what the highlighted entry says."""
    menu = contents.menu_of(interface, desk)
    if menu is None or interface.menu_at not in menu.choosable():
        return close_menu(interface)
    return choose_entry(interface, desk, interface.menu_at)


@handles(intents.choose_entry)
def choose_entry(interface: Interface, desk: Desk, place: int) -> Interface:
    """Do what that entry of the open menu says; the menu closes unless another one opens."""
    menu = contents.menu_of(interface, desk)
    does = menu.entries[place].does if menu and place < len(menu.entries) else None
    if does is None:
        return interface
    return perform(close_menu(interface), desk, does)


@handles(intents.edit_field)
def edit_field(interface: Interface, desk: Desk, value: None) -> Interface:
    menu = contents.menu_of(interface, desk)
    return _edit(interface, menu) if menu and menu.field else interface


@handles(intents.field_accept)
def field_accept(interface: Interface, desk: Desk, value: None) -> Interface:
    menu, field = contents.menu_of(interface, desk), interface.field
    interface = close_menu(interface)
    if field is None or (menu and field.text == menu.field):
        return interface
    takes = field.takes or (menu.takes if menu else None)
    return perform(interface, desk, takes(field.text)) if takes else interface


@handles(intents.field_caret)
def field_caret(interface: Interface, desk: Desk, by: int) -> Interface:
    field = interface.field or Field("", 0)
    caret = min(max(field.caret + by, 0), len(field.text))
    return replace(interface, field=field._replace(caret=caret, fresh=False))


@handles(intents.field_erase)
def field_erase(interface: Interface, desk: Desk, offset: int) -> Interface:
    """Erase the character at the caret's place plus `offset`; all of a text nobody has touched yet."""
    field = interface.field or Field("", 0)
    at = field.caret + offset
    if field.fresh:
        return _changed(interface, desk, "", 0)
    if not 0 <= at < len(field.text):
        return interface
    return _changed(interface, desk, field.text[:at] + field.text[at + 1 :], at)


@handles(intents.field_leave)
def field_leave(interface: Interface, desk: Desk, value: None) -> Interface:
    return replace(interface, field=None)


def field_type(interface: Interface, desk: Desk, text: str) -> Interface:
    """Put typed text in at the caret."""
    field = interface.field or Field("", 0)
    before = "" if field.fresh else field.text[: field.caret]
    after = "" if field.fresh else field.text[field.caret :]
    return _changed(interface, desk, before + text + after, len(before + text))


def _changed(interface: Interface, desk: Desk, text: str, caret: int) -> Interface:
    """The field with another text; what is sought is sought while it is typed."""
    field = interface.field or Field("", 0)
    interface = replace(interface, field=field._replace(text=text, caret=caret, fresh=False))
    return perform(interface, desk, field.takes(text)) if field.takes is intents.seek_cards else interface
