"""The folder that `mutoscope web` writes, and a server of it."""

from __future__ import annotations

import os
import shutil
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from filelock import FileLock

from algorithms.bad_input import BadInput
from visual.commands.serve import server
from visual.commands.web import build


@pytest.fixture(scope="session")
def parts(tmp_path_factory: pytest.TempPathFactory, pytestconfig: pytest.Config) -> Path:
    """Where what is fetched once serves further sessions; each part is checked against its hash."""
    cache = getattr(pytestconfig, "cache", None)  # none with -p no:cacheprovider
    return cache.mkdir("parts") if cache else tmp_path_factory.mktemp("parts")


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory, parts: Path) -> Path:
    if shutil.which("npm") is None or shutil.which("node") is None:
        pytest.skip("needs npm, which fetches Pyodide, and node, which runs it")
    own = tmp_path_factory.getbasetemp()
    base = own.parent if "PYTEST_XDIST_WORKER" in os.environ else own  # one for all workers: it takes half a minute
    with FileLock(base / "site.lock"):
        if not (base / "site").exists():
            try:
                build(base / "site", str(parts))
            except BadInput as error:
                pytest.skip(f"Pyodide cannot be fetched here: {error}")
    return base / "site"


@pytest.fixture(scope="session")
def address(site: Path) -> Iterator[str]:
    with server(site) as serving:
        threading.Thread(target=serving.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{serving.server_port}/index.html"
        serving.shutdown()
