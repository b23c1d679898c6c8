"""Python as a live page runs it, without a browser: Pyodide in Node, with the folder that `mutoscope web` writes."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

from tests.support.sources import ROOT


def in_pyodide(site: Path, source: str) -> tuple[Any, float]:
    """The value of the last expression of a source, which is JSON, and the megabytes of Python's memory after it."""
    words = json.dumps(f"import sys; sys.path.insert(0, '/app')\n{source}")
    script = f"""
    import {{ readFileSync }} from "fs";
    const {{ loadPyodide }} = await import("file://{site}/pyodide.mjs");
    const python = await loadPyodide({{ indexURL: "{site}/" }});
    for (const file of ["mutoscope.pack", "msgspec.whl", "platformdirs.whl"]) {{
      const kind = file.endsWith("whl") ? "zip" : "xztar";
      python.unpackArchive(readFileSync(`{site}/${{file}}`).buffer, kind, {{ extractDir: "/app" }});
    }}
    for (const folder of ["/app/tests", "/own"]) python.FS.mkdirTree(folder);
    python.FS.mount(python.FS.filesystems.NODEFS, {{ root: "{ROOT}/tests" }}, "/app/tests");
    const value = python.runPython({words});
    console.log(JSON.stringify([JSON.parse(value), python._module.HEAPU8.length / 1e6]));
    """
    command = ("node", "--input-type=module", "--eval", script)
    done = subprocess.run(command, capture_output=True, text=True, cwd=ROOT, check=False)
    if done.returncode:
        raise RuntimeError(done.stderr)
    value, megabytes = json.loads(done.stdout.splitlines()[-1])
    return value, megabytes
