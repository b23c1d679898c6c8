"""Executes a notebook's cells in order, as Jupyter would, and says what each has printed and shown.

python -m tests.support.notebook     # writes the outputs into docs/notebook.ipynb, pictures apart
"""

from __future__ import annotations

import ast
import io
import json
from contextlib import redirect_stdout
from pathlib import Path
from typing import Any, NamedTuple

NOTEBOOK = Path(__file__).parents[2] / "docs/notebook.ipynb"


class CellResult(NamedTuple):
    """What a cell has printed, and the value of its last expression; None for none."""

    printed: str
    value: Any


def code_cells(notebook: dict[str, Any]) -> list[dict[str, Any]]:
    """The cells with code, in order."""
    return [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]


def executed(notebook: dict[str, Any]) -> list[CellResult]:
    """The results of all cells with code."""
    names: dict[str, Any] = {}
    return [_execute("".join(cell["source"]), names) for cell in code_cells(notebook)]


def _execute(source: str, names: dict[str, Any]) -> CellResult:
    tree, printed, value = ast.parse(source), io.StringIO(), None
    last = tree.body.pop() if isinstance(tree.body[-1], ast.Expr) else None
    with redirect_stdout(printed):
        exec(compile(tree, "<cell>", "exec"), names)
        if last is not None:
            value = eval(compile(ast.Expression(last.value), "<cell>", "eval"), names)
    return CellResult(printed.getvalue(), value)


def outputs(result: CellResult, number: int) -> list[dict[str, Any]]:
    """A cell's outputs as a notebook stores them; a picture is drawn when the notebook is run."""
    found: list[dict[str, Any]] = []
    if result.printed:
        found.append({"name": "stdout", "output_type": "stream", "text": result.printed.splitlines(keepends=True)})
    if result.value is not None and not hasattr(result.value, "_repr_svg_"):
        data = {"text/plain": [repr(result.value)]}
        found.append({"data": data, "execution_count": number, "metadata": {}, "output_type": "execute_result"})
    return found


def main() -> None:
    """Write the outputs into the notebook."""
    notebook = json.loads(NOTEBOOK.read_text("utf-8"))
    for number, (cell, result) in enumerate(zip(code_cells(notebook), executed(notebook), strict=True), start=1):
        cell["execution_count"], cell["outputs"] = number, outputs(result, number)
    NOTEBOOK.write_text(json.dumps(notebook, ensure_ascii=False, indent=1) + "\n", "utf-8")


if __name__ == "__main__":
    main()
