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
_TAKEN_FOR_A_DATE = re.compile(
    r"(jan(uary)?|feb(ruary)?|mar(ch)?|apr(il)?|may|june?|july?|aug(ust)?|sept?(ember)?|oct(ober)?|nov(ember)?|dec(ember)?"
    r"|明治|大正|昭和|平成|令和)[-–./ ]?\d",
    re.IGNORECASE,
)


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
    *lead, columns = [_names(axis, names) for axis, names in zip(step.axes, step.labels, strict=True)]
    yield [*(step.axes[:-1] or [""]), *columns]
    for index in product(*map(range, step.shape[:-1])):
        row = step.values
        for place in index:
            row = row[place]
        names = [names[place] for names, place in zip(lead, index, strict=True)]
        yield [*(names or [""]), *map(_number, row)]


def _number(value: float | str) -> float:
    return Hidden(-math.inf) if value == HIDDEN else float(value) if isinstance(value, str) else value


def _names(axis: str, names: list[str]) -> list[str]:
    """The names along an axis. Component 10 of head 1 is 1·10: a spreadsheet would take 1.10 for 1.1."""
    side_by_side = axis.startswith(("n_heads", "n_kv_heads"))
    return [name.replace(".", "·") for name in names] if side_by_side else [guard(name) for name in names]


def guard(text: str) -> str:
    """Quote a text so that no spreadsheet takes it for a formula, a date or another number; numbers are not sent through here.

    A plain whole number, such as the number of a column, is shown as it is written, and needs no guard.
    """
    bare = text.strip()
    formula = bare[:1] in _FORMULA and bare
    changed = _TAKEN_FOR_A_NUMBER.match(bare) or _TAKEN_FOR_A_DATE.match(bare)
    return f"'{text}" if formula or (changed and not _PLAIN.fullmatch(text)) else text
