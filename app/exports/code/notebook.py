"""A notebook that recomputes the scenario from its inputs, in NumPy and in PyTorch, and compares every step."""

import html
import json
import re
from collections.abc import Iterator
from typing import Any

from app.exports.code.code import lines, variable
from app.exports.code.dialects import NUMPY, TORCH, Dialect, nested
from app.exports.code.helpers import needed
from app.exports.request import ExportRequest
from app.sheet.steps import HIDDEN, Sheet, Step, make_sheet

CHECK = '''def check(name, computed):
    """Stop where a step differs from the values on the sheet."""
    expected = np.array(shown[name], dtype=float)
    computed = np.array(computed.tolist(), dtype=float)
    assert computed.shape == expected.shape, name
    largest = np.abs(expected[np.isfinite(expected)]).max(initial=1)
    assert np.allclose(computed, expected, rtol=1e-9, atol=1e-9 * largest), name'''

Cell = dict[str, Any]


def make(request: ExportRequest) -> bytes:
    """Write the notebook as JSON, format 4.5."""
    sheet = make_sheet(request.run, request.words)
    cells = [*_opening(request, sheet), *_half(request, sheet, NUMPY), *_half(request, sheet, TORCH)]
    for number, cell in enumerate(cells):
        cell["id"] = f"cell-{number}"
    kernel = {"display_name": "Python 3", "language": "python", "name": "python3"}
    metadata = {"kernelspec": kernel, "language_info": {"name": "python"}}
    notebook = {"cells": cells, "metadata": metadata, "nbformat": 4, "nbformat_minor": 5}
    return json.dumps(notebook, ensure_ascii=False, indent=1).encode()


def _opening(request: ExportRequest, sheet: Sheet) -> Iterator[Cell]:
    """The sentence, and the values that everything is compared with."""
    w = request.words
    tokens = [token.text for token in sheet.tokens]
    title = " ".join(map(plain, tokens)) or w("page.vectors")
    yield prose(f"# {title}\n\n{w('page.toy') if tokens else w('page.given')}\n\n{w('export.notebook')}")
    yield prose(w("export.notebook_shown"))
    yield code(_shown(sheet), hidden=True)


def _shown(sheet: Sheet) -> str:
    steps = "".join(f"    {step.name!r}: {nested(_numbers(step.values), 2)},\n" for step in sheet.steps)
    return f"import numpy as np\nfrom math import inf\n\nshown = {{\n{steps}}}\n\n\n{CHECK}"


def _numbers(values: object) -> object:
    """Nested lists in which a hidden score is a number."""
    if isinstance(values, list):
        return [_numbers(value) for value in values]
    return float("-inf") if values == HIDDEN else values


def _half(request: ExportRequest, sheet: Sheet, dialect: Dialect) -> Iterator[Cell]:
    """All steps in one library."""
    written = list(lines(request.run, dialect))
    helpers = needed("\n".join(line.code for line in written), dialect.helpers)
    yield prose(f"## {request.words(f'export.notebook_{dialect.module}')}")
    yield code("\n\n\n".join([dialect.head, *helpers]))
    for step, line in zip(sheet.steps, written, strict=True):
        yield prose(_said(step))
        yield code(f"{line.code}\ncheck({step.name!r}, {variable(step.name)})\n{variable(step.name)}")


def _said(step: Step) -> str:
    return f"### {plain(step.title)} `{step.name}`\n\n{plain(step.caption)}\n\n$${step.formula}$$"


def plain(text: str) -> str:
    """Escape a text for Markdown, so that it is printed as it was typed."""
    text = re.sub(r"([\\`*_{}\[\]()#+\-.!|$~])", r"\\\1", re.sub(r"\s+", " ", text))
    return html.escape(text, quote=False)


def prose(text: str) -> Cell:
    return {"cell_type": "markdown", "metadata": {}, "source": text.splitlines(keepends=True)}


def code(text: str, *, hidden: bool = False) -> Cell:
    metadata = {"jupyter": {"source_hidden": True}} if hidden else {}
    source = text.split("\n")
    kept = [f"{line}\n" for line in source[:-1]] + source[-1:]
    return {"cell_type": "code", "metadata": metadata, "source": kept, "outputs": [], "execution_count": None}
