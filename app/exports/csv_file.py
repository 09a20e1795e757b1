"""Every step as a block of a CSV file: its name and title, its axes, then a row a line, head below head."""

import csv
import io
from collections.abc import Iterator
from itertools import product

from app.exports.request import ExportRequest
from app.sheet.steps import Step, make_sheet

_FORMULA = "=+-@＝＋－＠"
"""A text that begins so would be computed by a spreadsheet."""


def make(request: ExportRequest) -> bytes:
    """Write every step as CSV, with a byte order mark so that Excel reads UTF-8."""
    out = io.StringIO(newline="")
    writer = csv.writer(out)
    for step in make_sheet(request.run, request.words).steps:
        writer.writerows(block(step))
        writer.writerow([])
    return out.getvalue().encode("utf-8-sig")


def block(step: Step) -> Iterator[list[object]]:
    """Write the lines of one step. The names of a row stand before its numbers, the names of the columns above them."""
    yield ["step", guard(step.name), guard(step.title)]
    yield ["axes", *map(guard, step.axes)]
    *lead, columns = step.labels
    yield [*(step.axes[:-1] or [""]), *map(guard, columns)]
    for index in product(*map(range, step.shape[:-1])):
        row = step.values
        for place in index:
            row = row[place]
        names = [names[place] for names, place in zip(lead, index, strict=True)]
        yield [*map(guard, names or [""]), *row]


def guard(text: str) -> str:
    """Quote a text so that no spreadsheet takes it for a formula; numbers are not sent through here."""
    return f"'{text}" if text.lstrip()[:1] in _FORMULA and text.strip() else text
