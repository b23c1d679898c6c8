"""The settings of the window, such as theme and text size, as JSON in the person's folder."""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Annotated

import msgspec
import platformdirs
from msgspec import Meta

from algorithms.files import read_text, write_whole
from visual.drawing import theme
from visual.window.state import LARGEST, SMALLEST, VIEWS, Display, Interface

_USUAL = Display()


@dataclass(frozen=True)
class Settings:
    """The fields of the interface that are saved."""

    theme: str = _USUAL.theme
    scale: Annotated[float, Meta(ge=SMALLEST, le=LARGEST)] = _USUAL.scale
    view: str = _USUAL.view
    panels: frozenset[str] = _USUAL.panels
    reduced_motion: bool = _USUAL.reduced_motion
    recent: tuple[str, ...] = ()  # files, most recently opened first
    stops: bool = _USUAL.stops
    folder: str = ""  # for saved pictures and runs; by default the one that the program was started in


_CHOICES = {"theme": theme.NAMES, "view": VIEWS}  # the valid values of these settings
_OF_THE_DISPLAY = tuple(field.name for field in fields(Settings) if field.name not in ("recent", "folder"))


def path() -> Path:
    """The file of the settings."""
    return Path(platformdirs.user_config_dir("mutoscope")) / "settings.json"


def load(file: Path) -> tuple[Settings, str]:
    """The settings of a file, and a sentence about an error; "" if there was none.

    An invalid file is renamed, so that nothing written by a person is lost.
    """
    try:
        return _checked(msgspec.json.decode(read_text(file), type=Settings)), ""
    except FileNotFoundError:
        return Settings(), ""
    except OSError as error:
        return Settings(), f"{file}: the settings cannot be read ({error.strerror}); the usual ones are used."
    except (ValueError, RecursionError) as error:  # the bases of msgspec's errors
        return (
            Settings(),
            f"{file}: {_error_words(error)}; the usual settings are used, and the file is {set_aside(file)}.",
        )


def _checked(settings: Settings) -> Settings:
    for key, choices in _CHOICES.items():
        value = getattr(settings, key)
        if value not in choices:
            raise ValueError(f"{key}: expected one of {', '.join(choices)}, got {value!r}")
    return settings


def _error_words(error: Exception) -> str:
    """The error with the setting's name first; msgspec has it at the end, "… - at `$.scale`"."""
    if isinstance(error, UnicodeDecodeError):
        return f"expected text in UTF-8, got other bytes at {error.start}"
    words, _, key = str(error).partition(" - at `$.")
    return f"{key.rstrip('`')}: {words[0].lower()}{words[1:]}" if key else words


def set_aside(file: Path) -> str:
    """Rename a file that cannot be read, so that it is not lost; the outcome in words: "kept as …"."""
    backup = file.with_suffix(".broken.json")
    try:
        file.replace(backup)
    except OSError:
        return "left as it is"
    return f"kept as {backup.name}"


def save(settings: Settings, file: Path) -> None:
    """Write the file atomically. Raises OSError if it cannot be written."""
    file.parent.mkdir(parents=True, exist_ok=True)
    plain = msgspec.json.encode(settings, order="sorted")
    write_whole(file, [msgspec.json.format(plain, indent=2), b"\n"])


def applied(settings: Settings, interface: Interface) -> Interface:
    """The interface with these settings."""
    changes = {name: getattr(settings, name) for name in _OF_THE_DISPLAY}
    return replace(interface.with_display(**changes), recent=settings.recent, folder=settings.folder)


def from_interface(interface: Interface) -> Settings:
    """The settings of an interface."""
    values = {name: getattr(interface.display, name) for name in _OF_THE_DISPLAY}
    return Settings(**values, recent=interface.recent, folder=interface.folder)
