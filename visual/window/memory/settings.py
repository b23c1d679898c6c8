"""How the window was left: theme, text size, what is shown. Kept as JSON in the person's folder for settings."""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Annotated

import msgspec
import platformdirs
from msgspec import Meta

from algorithms.files import write_whole
from visual.drawing import theme
from visual.window.state import LARGEST, SMALLEST, VIEWS, Display, Interface

_USUAL = Display()


@dataclass(frozen=True)
class Settings:
    """The fields of the interface that outlive it."""

    theme: str = _USUAL.theme
    scale: Annotated[float, Meta(ge=SMALLEST, le=LARGEST)] = _USUAL.scale
    view: str = _USUAL.view
    panels: frozenset[str] = _USUAL.panels
    reduced_motion: bool = _USUAL.reduced_motion
    recent: tuple[str, ...] = ()  # files opened last, the latest first


_CHOICES = {"theme": theme.NAMES, "view": VIEWS}  # what may stand under these keys
_OF_THE_DISPLAY = tuple(field.name for field in fields(Settings) if field.name != "recent")


def path() -> Path:
    """The file of the settings."""
    return Path(platformdirs.user_config_dir("mutoscope")) / "settings.json"


def load(file: Path) -> tuple[Settings, str]:
    """The settings of the file, and a sentence about what was wrong with it; "" if nothing was.

    A file that makes no sense is kept beside under another name, so that nothing a person has written is lost.
    """
    try:
        return _checked(msgspec.json.decode(file.read_bytes(), type=Settings)), ""
    except FileNotFoundError:
        return Settings(), ""
    except OSError as error:
        return Settings(), f"{file}: the settings cannot be read ({error.strerror}); the usual ones are used."
    except ValueError as error:  # msgspec's errors are such
        return Settings(), f"{file}: {_in_words(error)}; the usual settings are used, and the file is {_aside(file)}."


def _checked(settings: Settings) -> Settings:
    for key, choices in _CHOICES.items():
        found = getattr(settings, key)
        if found not in choices:
            raise ValueError(f"{key}: expected one of {', '.join(choices)}, got {found!r}")
    return settings


def _in_words(error: ValueError) -> str:
    """The error with the key before it, as everywhere: msgspec has it at the end, "… - at `$.scale`"."""
    words, _, key = str(error).partition(" - at `$.")
    return f"{key.rstrip('`')}: {words[0].lower()}{words[1:]}" if key else words


def _aside(file: Path) -> str:
    """Rename the file; what has become of it, in words."""
    beside = file.with_suffix(".broken.json")
    try:
        file.replace(beside)
    except OSError:
        return "left as it is"
    return f"kept as {beside.name}"


def save(settings: Settings, file: Path) -> None:
    """Write the file, whole or not at all. OSError if that cannot be done."""
    file.parent.mkdir(parents=True, exist_ok=True)
    plain = msgspec.json.encode(settings, order="sorted")
    write_whole(file, [msgspec.json.format(plain, indent=2), b"\n"])


def applied(settings: Settings, interface: Interface) -> Interface:
    """The interface as it was left."""
    display = interface.display._replace(**{name: getattr(settings, name) for name in _OF_THE_DISPLAY})
    return replace(interface, display=display, recent=settings.recent)


def from_interface(interface: Interface) -> Settings:
    """What is to be remembered of the interface."""
    kept = {name: getattr(interface.display, name) for name in _OF_THE_DISPLAY}
    return Settings(**kept, recent=interface.recent)
