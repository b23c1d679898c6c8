"""Copying a picture to the system's clipboard, by the program that each system has for it.

The window's own library can copy text only.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

PATIENCE = 10.0  # seconds

_WAYLAND = ("wl-copy", "--type", "image/png")
_X11 = ("xclip", "-selection", "clipboard", "-t", "image/png")
_MAC = 'set the clipboard to (read (POSIX file "{file}") as «class PNGf»)'
_WINDOWS = (
    "Add-Type -AssemblyName System.Windows.Forms, System.Drawing; "
    "[System.Windows.Forms.Clipboard]::SetImage([System.Drawing.Image]::FromFile('{file}'))"
)


def copy_image(png: bytes) -> str:
    """Put a PNG on the clipboard; returns the reason why that failed, or ""."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "picture.png"
        file.write_bytes(png)
        command = _command(file)
        if command is None:
            return f"install {'wl-clipboard' if 'WAYLAND_DISPLAY' in os.environ else 'xclip'} to copy pictures"
        with file.open("rb") as stream:
            return _run(command, stream.fileno())


def _command(file: Path) -> tuple[str, ...] | None:
    """The command that copies a file, or its standard input; None if its program is not installed."""
    if sys.platform == "darwin":
        return "osascript", "-e", _MAC.format(file=file)
    if sys.platform == "win32":
        return "powershell", "-NoProfile", "-STA", "-Command", _WINDOWS.format(file=file)
    command = _WAYLAND if "WAYLAND_DISPLAY" in os.environ else _X11
    return command if shutil.which(command[0]) else None


def _run(command: tuple[str, ...], picture: int) -> str:
    quiet = subprocess.DEVNULL  # the program lives on to hand the picture out, and would hold a pipe open
    try:
        subprocess.run(command, stdin=picture, stdout=quiet, stderr=quiet, timeout=PATIENCE, check=True)
    except subprocess.TimeoutExpired:
        return f"{command[0]} does not answer"
    except subprocess.CalledProcessError:
        return f"{command[0]} could not copy it"
    except OSError as error:
        return f"{command[0]}: {error.strerror}"
    return ""
