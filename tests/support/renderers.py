"""Programs that draw SVG files, each in its own way, by name: those that this machine has."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path

import pytest

PATIENCE = 180  # seconds for a program with many files


def librsvg(files: list[Path], folder: Path) -> None:
    for file in files:
        subprocess.run(["rsvg-convert", str(file), "-o", str(folder / f"{file.stem}.png")], check=True)


def cairosvg(files: list[Path], folder: Path) -> None:
    try:
        import cairosvg  # takes most of a second
    except OSError as error:
        pytest.skip(f"the library that it needs is missing: {error}")
    for file in files:
        cairosvg.svg2png(url=str(file), write_to=str(folder / f"{file.stem}.png"))


def inkscape(files: list[Path], folder: Path) -> None:
    for file in files:
        command = ["inkscape", str(file), "--export-type=png", f"--export-filename={folder / file.stem}.png"]
        subprocess.run(command, check=True, capture_output=True, timeout=PATIENCE)


def libreoffice(files: list[Path], folder: Path) -> None:
    """By way of PDF, whose pages are as large as the pictures."""
    home = f"-env:UserInstallation=file://{folder}/profile"
    command = ["soffice", home, "--headless", "--convert-to", "pdf:draw_pdf_Export", "--outdir", str(folder)]
    subprocess.run([*command, *map(str, files)], check=True, capture_output=True, timeout=PATIENCE)
    import pypdfium2

    for file in files:
        page = pypdfium2.PdfDocument(folder / f"{file.stem}.pdf")[0]
        drawn = page.render(scale=96 / 72).to_pil()  # its margin is a pixel or two
        drawn.crop((0, 0, *_size_of(file))).save(folder / f"{file.stem}.png")


def chromium(files: list[Path], folder: Path) -> None:
    """All files on one page, one below the other."""
    from PIL import Image

    sizes = [_size_of(file) for file in files]
    width, height = max(w for w, _ in sizes), sum(h for _, h in sizes)
    images = "".join(f'<img src="{file}" style="display:block">' for file in files)
    page = folder / "page.html"
    page.write_text(f'<body style="margin:0">{images}', "utf-8")
    command = ["chromium", "--headless", "--no-sandbox", "--disable-gpu", f"--user-data-dir={folder}/profile"]
    shown = folder / "page.png"
    options = [f"--window-size={width},{height}", f"--screenshot={shown}", "--hide-scrollbars"]
    subprocess.run([*command, *options, str(page)], check=True, capture_output=True, timeout=PATIENCE)
    whole, top = Image.open(shown), 0
    for file, (w, h) in zip(files, sizes, strict=True):
        whole.crop((0, top, w, top + h)).save(folder / f"{file.stem}.png")
        top += h


def _size_of(file: Path) -> tuple[int, int]:
    words = file.read_text("utf-8").split('viewBox="0 0 ', 1)[1].split('"', 1)[0].split()
    return int(words[0]), int(words[1])


def _has_font() -> bool:
    """Whether these programs find the font that the files name; with another one all letters differ."""
    if not shutil.which("fc-match"):
        return False
    command = ["fc-match", "--format=%{family}", "DejaVu Sans Mono:bold"]
    return "DejaVu Sans Mono" in subprocess.run(command, capture_output=True, text=True).stdout


_FONT = _has_font()

RENDERERS: dict[str, tuple[Callable[[list[Path], Path], None], bool]] = {
    "librsvg": (librsvg, _FONT and shutil.which("rsvg-convert") is not None),
    "CairoSVG": (cairosvg, _FONT and find_spec("cairosvg") is not None),
    "Inkscape": (inkscape, _FONT and shutil.which("inkscape") is not None),
    "LibreOffice": (libreoffice, _FONT and shutil.which("soffice") is not None),
    "Chromium": (chromium, _FONT and shutil.which("chromium") is not None),
}
"""Name -> how it draws files as PNG into a folder, and whether it is there, with the font."""
