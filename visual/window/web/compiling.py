"""Compiles Python's library and the program for a page, in the page's own Python, when the folder is written."""

from __future__ import annotations

import ast
import marshal
import sys
import zipfile
from importlib.util import MAGIC_NUMBER
from pathlib import Path
from tempfile import TemporaryDirectory

from algorithms.catalog import FAMILIES
from visual.window.web.live import LiveWindow

STARTS = ("", "open=deferred-reply")
SHOWN = tuple(f"algorithms/{package}/" for package in (*FAMILIES, "components"))  # the window shows these sources
UNUSED = (
    *("_pyio", "_pyrepl", "bdb", "configparser", "doctest", "email", "ftplib", "http", "imaplib", "mailbox", "pdb"),
    *("multiprocessing", "optparse", "plistlib", "poplib", "profile", "pstats", "pydoc", "smtplib", "socketserver"),
    *("sqlite3", "trace", "unittest", "urllib", "wave", "webbrowser", "wsgiref", "xml", "xmlrpc"),
)
"""Modules of the library for the network, other processes, formats of files and development."""
ENCODINGS = ("ascii", "latin_1", "iso8859_1", "iso8859_15", "cp1252", "utf_16", "utf_16_be", "utf_16_le", "utf_32")


def compile_all(archive: str, program: str, target: str) -> None:
    """Write the library without what no page uses, and code for what a start imports, which took half of it."""
    with TemporaryDirectory() as folder:
        for asked in STARTS:
            LiveWindow(1280, 720, folder, asked).frame("", 0.0)
    imported = {str(getattr(module, "__file__", "")) for module in sys.modules.values()}
    with zipfile.ZipFile(archive) as source, zipfile.ZipFile(f"{target}/library.zip", "w") as compiled:
        for entry in source.infolist():
            name, data, is_needed = f"{archive}/{entry.filename}", source.read(entry), is_used(entry.filename)
            if name in imported:
                entry.filename, data, is_needed = f"{entry.filename}c", code_of(data, name), True
            if is_needed:
                compiled.writestr(entry, data, zipfile.ZIP_DEFLATED, 9)
    for file in Path(program).rglob("*.py"):
        name = file.relative_to(program).as_posix()
        if str(file) in imported and not name.startswith(SHOWN):
            code = Path(target, f"{name}c")
            code.parent.mkdir(parents=True, exist_ok=True)
            code.write_bytes(code_of(file.read_bytes(), str(file), is_typed=False))


def is_used(file: str) -> bool:
    """Whether a page, or an algorithm in it, may import this file of the library."""
    package, _, module = file.removesuffix(".py").partition("/")
    return module in ENCODINGS if package == "encodings" else package not in UNUSED


def code_of(source: bytes, name: str, is_typed: bool = True) -> bytes:
    """A module's code, without docstrings, as in a .pyc file that is never compared with its source."""
    tree = None if is_typed else ast.parse(source)
    for node in ast.walk(tree) if tree else ():
        if isinstance(node, ast.arg):
            node.annotation = None
        elif isinstance(node, ast.FunctionDef):
            node.returns = None
    code = compile(tree or source, name, "exec", dont_inherit=True, optimize=2)
    return MAGIC_NUMBER + (1).to_bytes(4, "little") + bytes(8) + marshal.dumps(code)
