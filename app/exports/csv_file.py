"""Every step as a block of a CSV file: its name and title, its axes, then a row a line, head below head.

Every text is quoted and every number is not: whatever separates lists where the file is opened, a text stays one cell.
"""

import csv
import io
import math
import re
from collections.abc import Iterator
from itertools import product

from app.exports.request import ExportRequest
from app.sheet.steps import HIDDEN, Step, make_sheet

_FORMULA = "=+-@＝＋－＠"
"""A text that begins so would be computed by a spreadsheet."""
_PLAIN = re.compile(r"0|[1-9]\d{0,14}", re.ASCII)
"""A whole number that a spreadsheet shows as it was written."""
_TAKEN_FOR_A_NUMBER = re.compile(r"[.,($¥￥€£₩]*\d|true$|false$", re.IGNORECASE)
_TAKEN_FOR_A_DATE = re.compile(r"(jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*[-–./ ]?\d", re.IGNORECASE)


class Hidden(float):
    """A hidden score: a number, so that it is not quoted, written as in JSON."""

    def __str__(self) -> str:
        return HIDDEN


def make(request: ExportRequest) -> bytes:
    """Write every step as CSV, with a byte order mark so that Excel reads UTF-8."""
    out = io.StringIO(newline="")
    writer = csv.writer(out, quoting=csv.QUOTE_NONNUMERIC)
    for step in make_sheet(request.run, request.words).steps:
        writer.writerows(block(step))
        writer.writerow([])
    return out.getvalue().encode("utf-8-sig")


def block(step: Step) -> Iterator[list[object]]:
    """Write the lines of one step. The names of a row stand before its numbers, the names of the columns above them."""
    yield ["step", guard(step.name), guard(step.title)]
    yield ["axes", *map(guard, step.axes)]
    *lead, columns = [[guard(_of_head(name)) for name in names] for names in step.labels]
    yield [*(step.axes[:-1] or [""]), *columns]
    for index in product(*map(range, step.shape[:-1])):
        row = step.values
        for place in index:
            row = row[place]
        names = [names[place] for names, place in zip(lead, index, strict=True)]
        yield [*(names or [""]), *map(_number, row)]


def _number(value: float | str) -> float:
    return Hidden(-math.inf) if value == HIDDEN else float(value) if isinstance(value, str) else value


def _of_head(name: str) -> str:
    """A component of a head, 1.10, as a spreadsheet keeps it apart from 1.1: 1·10."""
    return re.sub(r"^(\d+)\.(\d+)$", r"\1·\2", name, flags=re.ASCII)


def guard(text: str) -> str:
    """Quote a text so that no spreadsheet takes it for a formula, a date or another number; numbers are not sent through here.

    A plain whole number, such as the number of a column, is shown as it is written, and needs no guard.
    """
    bare = text.strip()
    formula = bare[:1] in _FORMULA and bare
    changed = _TAKEN_FOR_A_NUMBER.match(bare) or _TAKEN_FOR_A_DATE.match(bare)
    return f"'{text}" if formula or (changed and not _PLAIN.fullmatch(text)) else text
