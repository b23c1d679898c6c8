"""Compiles what a page imports from Python's library. Runs in the page's own Python, when the folder is written."""

from __future__ import annotations

import sys
import tempfile
import zipfile
from pathlib import Path
from py_compile import PycInvalidationMode
from py_compile import compile as compile_file

from visual.window.web.live import LiveWindow

STARTS = ("", "open=deferred-reply")


def compile_library(archive: str, target: str) -> None:
    """Write the library's archive again, with the code of all modules that a start imports instead of their source.

    Python compiles the modules of an archive anew at each start, which took half of it. The code has no docstrings.
    """
    with tempfile.TemporaryDirectory() as folder:
        for asked in STARTS:
            LiveWindow(1280, 720, folder, asked).frame("", 0.0)
        imported = {str(getattr(module, "__file__", "")) for module in sys.modules.values()}
        with zipfile.ZipFile(archive) as source, zipfile.ZipFile(target, "w") as compiled:
            for entry in source.infolist():
                name, data = f"{archive}/{entry.filename}", source.read(entry)
                if name in imported:
                    entry.filename, data = f"{entry.filename}c", _code(data, name, Path(folder))
                compiled.writestr(entry, data, zipfile.ZIP_DEFLATED, 9)


def _code(source: bytes, name: str, folder: Path) -> bytes:
    """A module's code as in a .pyc file that is never compared with its source."""
    file, code = folder / "module.py", folder / "module.pyc"
    file.write_bytes(source)
    compile_file(
        str(file), str(code), name, doraise=True, optimize=2, invalidation_mode=PycInvalidationMode.UNCHECKED_HASH
    )
    return code.read_bytes()
