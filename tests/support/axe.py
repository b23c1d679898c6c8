"""axe-core, which finds what keeps people with disabilities out of a page: fetched with npm, and for tests only."""

from __future__ import annotations

import hashlib
import shutil
import subprocess
import tarfile
from pathlib import Path
from typing import Any

import pytest

FILE, DIGEST = "axe-core-4.14.1.tgz", "e6b0ce02b84d892e2e33e403485e7f3d6c29e2be6df65daf44d89ba564139745"
TAGS = ("wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice")
SERIOUS = ("serious", "critical")

_RUN = (
    "const done = arguments[1]; axe.run(document, {runOnly: {type: 'tag', values: arguments[0]}}).then((found) =>"
    " done(found.violations.map((one) => [one.id, one.impact, one.nodes.map((node) => node.html).slice(0, 3)])))"
)


def fetched(folder: Path) -> str:
    """The program, fetched unless it is there. Skips the test, with a sentence, where it cannot be."""
    if not _is_there(folder):
        if shutil.which("npm") is None:
            pytest.skip("needs npm, which fetches axe-core")
        command = ("npm", "pack", "--silent", "axe-core@4.14.1")
        done = subprocess.run(command, cwd=folder, capture_output=True, check=False)
        if done.returncode:
            pytest.skip("axe-core cannot be fetched here")
    assert _is_there(folder)
    with tarfile.open(folder / FILE) as archive:
        member = archive.extractfile("package/axe.min.js")
        assert member is not None
        return member.read().decode()


def _is_there(folder: Path) -> bool:
    file = folder / FILE
    return file.is_file() and hashlib.sha256(file.read_bytes()).hexdigest() == DIGEST


def serious(driver: Any, program: str) -> list[Any]:
    """Serious findings on the present page: the rule, its impact, and the elements."""
    driver.execute_script(program)
    return [found for found in driver.execute_async_script(_RUN, TAGS) if found[1] in SERIOUS]
