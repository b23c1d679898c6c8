"""Actions in menus and their text fields."""

from __future__ import annotations

from visual.window import intents
from visual.window.action_table import handles, perform
from visual.window.desk import Desk
from visual.window.menus import contents
from visual.window.state import Field, Interface, OpenMenu


@handles(intents.open_menu)
def open_menu(interface: Interface, desk: Desk, menu: str) -> Interface:
    """Open a menu, ready to type in its text field; close it if it is open."""
    if interface.menu is not None and interface.menu.name == menu:
        return close_menu(interface)
    interface = close_menu(interface.focused()).over(OpenMenu(menu))
    content = contents.menu_of(interface, desk)
    if content is None:
        return close_menu(interface)
    places = content.choosable()
    ticked = [place for place in places if content.entries[place].on]
    first = ticked if len(ticked) == 1 else places  # several ticks are switches, not the present choice
    interface = interface.over(OpenMenu(menu, (first or [0])[0])).scrolled("menu", 0.0)
    return _edit(interface, content) if content.field else interface


def close_menu(interface: Interface) -> Interface:
    """The interface without a menu and a text field."""
    return interface.without(OpenMenu, Field)


@handles(intents.menu_move)
def menu_move(interface: Interface, desk: Desk, by: int) -> Interface:
    """Highlight the entry `by` places further on; above the first entry is the text field."""
    content, current = contents.menu_of(interface, desk), interface.menu
    places = content.choosable() if content else []
    if content is None or current is None or not places:
        return close_menu(interface)
    at = places.index(current.at) if current.at in places else 0
    if at + by < 0 and abs(by) == 1:
        return _edit(interface, content) if content.field else interface.over(current._replace(at=places[-1]))
    if at + by >= len(places) and abs(by) == 1:
        return interface.over(current._replace(at=places[0]))
    return interface.over(current._replace(at=places[min(max(at + by, 0), len(places) - 1)]))


def _edit(interface: Interface, menu: contents.Menu) -> Interface:
    return interface.over(Field(menu.field, len(menu.field)))


@handles(intents.menu_choose)
def menu_choose(interface: Interface, desk: Desk, value: None) -> Interface:
    """Perform the highlighted entry."""
    content, current = contents.menu_of(interface, desk), interface.menu
    if content is None or current is None or current.at not in content.choosable():
        return close_menu(interface)
    return choose_entry(interface, desk, current.at)


@handles(intents.choose_entry)
def choose_entry(interface: Interface, desk: Desk, place: int) -> Interface:
    """Perform an entry of the open menu, and close the menu unless the entry opens another one."""
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
    return interface.over(field._replace(caret=caret, fresh=False))


@handles(intents.field_erase)
def field_erase(interface: Interface, desk: Desk, offset: int) -> Interface:
    """Erase the character at the caret plus `offset`, or the whole text while it is unedited."""
    field = interface.field or Field("", 0)
    at = field.caret + offset
    if field.fresh:
        return _edited(interface, desk, "", 0)
    if not 0 <= at < len(field.text):
        return interface
    return _edited(interface, desk, field.text[:at] + field.text[at + 1 :], at)


@handles(intents.field_leave)
def field_leave(interface: Interface, desk: Desk, value: None) -> Interface:
    return interface.without(Field)


@handles(intents.field_all)
def field_all(interface: Interface, desk: Desk, value: None) -> Interface:
    """Select the whole text: typing replaces it."""
    field = interface.field or Field("", 0)
    return interface.over(field._replace(caret=len(field.text), fresh=True))


def field_type(interface: Interface, desk: Desk, text: str) -> Interface:
    """Insert typed text at the caret."""
    field = interface.field or Field("", 0)
    before = "" if field.fresh else field.text[: field.caret]
    after = "" if field.fresh else field.text[field.caret :]
    return _edited(interface, desk, before + text + after, len(before + text))


def field_fill(interface: Interface, desk: Desk, text: str, caret: int) -> Interface:
    """The text of the field being edited, and its caret, as a page's own field has them."""
    field = interface.field
    is_same = field is None or (field.text, field.caret) == (text, caret)
    return interface if is_same else _edited(interface, desk, text, min(max(caret, 0), len(text)))


def _edited(interface: Interface, desk: Desk, text: str, caret: int) -> Interface:
    """The interface with another text in its field; the gallery filters as you type."""
    field = interface.field or Field("", 0)
    interface = interface.over(field._replace(text=text, caret=caret, fresh=False))
    return perform(interface, desk, field.takes(text)) if field.takes is intents.filter_cards else interface
