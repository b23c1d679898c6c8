"""Write the whole program as a folder for a course page, where it runs in the browser.

The folder needs no Python on the server, and makes no request to another one. Building it fetches Pyodide (with npm)
and two wheels (with pip), once; each is checked against a known hash. Pyodide, run by Node, then compiles the
program, and what it imports from Python's library.
"""

from __future__ import annotations

import argparse
import hashlib
import io
import lzma
import shutil
import subprocess
import sys
import tarfile
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from algorithms.bad_input import BadInput
from algorithms.files import write_whole
from visual.drawing import fonts

EXAMPLES = """\
  mutoscope web course/mutoscope
  mutoscope web site --parts downloads"""

ROOT = Path(__file__).parents[2]
PACKAGES = ("algorithms", "assets", "lessons", "visual")
LEFT_OUT = (
    *("algorithms/examination", "assets/templates", "assets/web", "lessons/linting", "visual/commands"),
    *("visual/command_line", "visual/drawing/deck", "visual/drawing/film", "visual/drawing/paint", "visual/window/app"),
    *("visual/window/presenting/presenter", "visual/window/classroom/phone"),
    *("visual/window/classroom/server", "visual/window/web/recording"),
)
"""Folders and files that no page uses: they need processes, pygame, a network or a command line."""
PAGES = ("draw.js", "live.html", "page.js", "worker.js")  # of assets/web
PYODIDE = ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "python_stdlib.zip", "pyodide-lock.json")
LETTERS = (
    *((0x20, 0x17F), (0x370, 0x45F), (0x2010, 0x205E), (0x2070, 0x209C), (0x2100, 0x23FF), (0x2500, 0x25FF)),
    *((0x2605, 0x2606), (0x2610, 0x2612), (0x2713, 0x2718)),
)
"""Code points that the page can show: Latin, Greek, Cyrillic, punctuation, indexes, arrows, mathematics, ticks."""

_LIBRARY, _PROGRAM = "python_stdlib.zip", "mutoscope.pack"
_COMPILE = """
import { readFileSync } from "fs";
const folder = process.argv[1], { loadPyodide } = await import(`file://${folder}/pyodide.mjs`);
const python = await loadPyodide({ indexURL: `${folder}/`, env: { PYTHONNODEBUGRANGES: "1" } });
for (const wheel of ["msgspec.whl", "platformdirs.whl"]) {
  python.unpackArchive(readFileSync(`${folder}/${wheel}`).buffer, "zip", { extractDir: "/app" });
}
python.FS.mkdirTree("/site");
python.FS.mount(python.FS.filesystems.NODEFS, { root: folder }, "/site");
try {
  python.runPython(`
import sys, tarfile
tarfile.open("/site/mutoscope.pack").extractall("/app", filter="fully_trusted")
sys.path.append("/app")
from visual.window.web.compiling import compile_all
compile_all(next(path for path in sys.path if path.endswith(".zip")), "/app", "/site/compiled")
`);
} catch ({ message }) {
  console.error(message);
  process.exit(1);
}
"""
_EPOCH = 1_577_836_800  # 2020: a source that is newer than the page's start counts as edited


class Download(NamedTuple):
    """A file that is not the program's own, its SHA-256, and the command that fetches it into the current folder."""

    file: str
    digest: str
    command: tuple[str, ...]


_PIP = (sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--only-binary=:all:")
_BROWSER = (
    *("--platform", "pyemscripten_2026_0_wasm32"),
    *("--python-version", "3.14", "--implementation", "cp", "--abi", "cp314"),
)
PARTS = {
    "pyodide": Download(
        "pyodide-314.0.7.tgz",
        "66b7949e5a0cba2250b586d7e368bf12fb482800748d182c4618254b685ffaa0",
        ("npm", "pack", "--silent", "pyodide@314.0.7"),
    ),
    "msgspec.whl": Download(
        "msgspec-0.22.0-cp314-cp314-pyemscripten_2026_0_wasm32.whl",
        "a66b1766311e42371e509c996c3933b161c7ae0eabdf361af5316dec197e1022",
        (*_PIP, *_BROWSER, "msgspec==0.22.0"),
    ),
    "platformdirs.whl": Download(
        "platformdirs-4.14.8-py3-none-any.whl",
        "1e34af590de4d978631b751eb2202f2fee4497537a17c1720b12fcf57b331392",
        (*_PIP, "platformdirs==4.14.8"),
    ),
}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("folder", metavar="FOLDER", help="the folder to write, made if there is none")
    parser.add_argument("--parts", metavar="FOLDER", help="where Pyodide and the wheels are, or are kept when fetched")


def run(arguments: argparse.Namespace) -> int:
    """Write the folder and print the page's name."""
    print(build(Path(arguments.folder), arguments.parts))
    return 0


def build(folder: Path, parts: str | None = None) -> Path:
    """Write the folder; its page. BadInput if something cannot be fetched or written."""
    if folder.exists() and not folder.is_dir():
        raise BadInput(f"{folder}: expected a folder, found a file")
    with tempfile.TemporaryDirectory() as temporary:
        kept = Path(parts or temporary)
        try:
            kept.mkdir(parents=True, exist_ok=True)
            files = {name: _fetched(part, kept) for name, part in PARTS.items()}
            program = {**dict(_sources()), **dict(_fonts())}
            contents = _compiled({**dict(_contents(files)), _PROGRAM: _archive(program, preset=0)}, program)
            folder.mkdir(parents=True, exist_ok=True)
            for name, data in contents.items():
                write_whole(str(folder / name), [data])
        except OSError as error:
            raise BadInput(f"{error.filename or folder}: cannot be written ({error.strerror})") from None
    return folder / "index.html"


def _fetched(part: Download, folder: Path) -> Path:
    """The file of a part, fetched unless it is there. BadInput if it is another file, or cannot be fetched."""
    file = folder / part.file
    if not file.is_file():
        tool = Path(part.command[0]).name
        if shutil.which(part.command[0]) is None:
            raise BadInput(f"{part.file}: {tool} is needed to fetch it; install that, or put the file into --parts")
        done = subprocess.run(part.command, cwd=folder, capture_output=True, text=True, check=False)
        if done.returncode or not file.is_file():
            reason = (done.stderr.strip().splitlines() or ["no reason given"])[-1]
            raise BadInput(f"{part.file}: cannot be fetched ({reason}); put the file into --parts")
    digest = hashlib.sha256(file.read_bytes()).hexdigest()
    if digest != part.digest:
        raise BadInput(f"{file}: expected the SHA-256 {part.digest}, got {digest}; delete the file to fetch it again")
    return file


def _contents(parts: dict[str, Path]) -> Iterator[tuple[str, bytes]]:
    """The files of the folder."""
    with tarfile.open(parts["pyodide"]) as archive:
        for name in PYODIDE:
            member = archive.extractfile(f"package/{name}")
            assert member is not None
            yield name, member.read()
    for name in ("msgspec.whl", "platformdirs.whl"):
        yield name, parts[name].read_bytes()
    for name in PAGES:
        yield "index.html" if name == "live.html" else name, (ROOT / "assets" / "web" / name).read_bytes()


def _compiled(contents: dict[str, bytes], program: dict[str, bytes]) -> dict[str, bytes]:
    """The files, with code instead of sources in Python's library and the program. BadInput without Node."""
    if shutil.which("node") is None:
        raise BadInput("node is needed to compile Python's library for a page; install Node.js")
    with tempfile.TemporaryDirectory() as temporary:
        folder, compiled = Path(temporary), Path(temporary, "compiled")
        compiled.mkdir()
        for name, data in contents.items():
            (folder / name).write_bytes(data)
        words = ("node", "--input-type=module", "--eval", _COMPILE, temporary)
        done = subprocess.run(words, capture_output=True, text=True, check=False)
        if done.returncode:
            reason = (done.stderr.strip().splitlines() or ["no reason given"])[-1]
            raise BadInput(f"node cannot compile Python's library ({reason[:200]})")
        codes = {file.relative_to(compiled).as_posix(): file.read_bytes() for file in compiled.rglob("*.pyc")}
        sources = {name: data for name, data in program.items() if f"{name}c" not in codes}
        return contents | {_LIBRARY: (compiled / "library.zip").read_bytes(), _PROGRAM: _archive(sources | codes)}


def _archive(files: dict[str, bytes], preset: int = 9 | lzma.PRESET_EXTREME) -> bytes:
    """Files as a .tar.xz, similar ones side by side; with that ending some servers would unpack it on the way."""
    data = io.BytesIO()
    with tarfile.open(fileobj=data, mode="w") as archive:
        for name, content in sorted(files.items(), key=lambda file: (Path(file[0]).suffix, file[0])):
            info = tarfile.TarInfo(name)
            info.size, info.mtime = len(content), _EPOCH
            archive.addfile(info, io.BytesIO(content))
    words = {"id": lzma.FILTER_LZMA2, "preset": preset, "lc": 4, "pb": 0}  # for bytes, not for numbers of four
    return lzma.compress(data.getvalue(), filters=[words])


def _sources() -> Iterator[tuple[str, bytes]]:
    for package in PACKAGES:
        for file in sorted((ROOT / package).rglob("*")):
            name = file.relative_to(ROOT).as_posix()
            if file.is_file() and "__pycache__" not in file.parts and not name.startswith(LEFT_OUT):
                yield name, file.read_bytes()


def _fonts() -> Iterator[tuple[str, bytes]]:
    letters = "".join(chr(code) for first, last in LETTERS for code in range(first, last + 1))
    for face in fonts.FACES:
        yield f"assets/fonts/{fonts.path(*face).name}", fonts.subset(*face, letters, None)
