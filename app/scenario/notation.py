"""How values are written in a query string, and read back: numbers, matrices, tables, labels, edits.

Rows are split by ``;`` and numbers by ``,``. In a row with tabs, as a spreadsheet copies it, only tabs split, and a comma
is a decimal comma. In words, a backslash keeps ``; , :`` and itself from splitting.
"""

import math
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from app import limits
from app.text.spelling import same_word

Row = tuple[float, ...]
Matrix = tuple[Row, ...]
Table = dict[str, Row]
Edits = dict[str, dict[tuple[int, ...], float]]

_NUMBER = re.compile(r"[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d+)?", re.ASCII)
_DECIMAL_COMMA = re.compile(r"([+-]?\d*),(\d+([eE][+-]?\d+)?)", re.ASCII)
_THOUSANDS = re.compile(r"[+-]?[1-9]\d{0,2},\d{3}", re.ASCII)
_NUMBER_LETTERS = 400
"""Letters of the longest text that is read as a number: no pattern meets a longer one."""
_WHOLE = re.compile(r"[+-]?\d{1,20}", re.ASCII)
_EDIT = re.compile(r"([A-Za-z_][A-Za-z0-9_.]*)\[([0-9,\s]*)\]=(.*)", re.DOTALL)


class Unreadable(ValueError):
    """A text that is not written as it should be. ``code`` and ``details`` make the message."""

    def __init__(self, code: str, **details: str | int | float) -> None:
        super().__init__(code)
        self.code, self.details = code, details


@dataclass(frozen=True, slots=True)
class Notation:
    """How one kind of field is read from a query string and written into it."""

    read: Callable[[str], Any]
    write: Callable[[Any], str]


_PLAIN = {wide: wide - 0xFEE0 for wide in range(0xFF01, 0xFF5F)} | {0x2212: "-", **dict.fromkeys((0xA0, 0x202F, 0x3000), " ")}


def plain(text: str) -> str:
    """Full-width digits and signs, as a Japanese keyboard gives them, become plain ones; superscripts stay what they are."""
    return text.translate(_PLAIN).strip()


def read_number(text: str) -> float:
    """A decimal number. Errors: Unreadable for anything else, NaN and Infinity included."""
    text = plain(text)
    if len(text) > _NUMBER_LETTERS or not _NUMBER.fullmatch(text):
        raise Unreadable("not_number", given=text)
    if not math.isfinite(value := float(text)):
        raise Unreadable("not_finite", given=text)
    return value + 0.0  # -0 becomes 0


def write_number(value: float) -> str:
    """The shortest text that reads back as the same number."""
    return repr(int(value)) if float(value).is_integer() and abs(value) < 1e15 else repr(float(value))


def read_whole(text: str) -> int:
    """A whole number. Errors: Unreadable."""
    text = plain(text)
    if not _WHOLE.fullmatch(text):
        raise Unreadable("not_whole", given=text)
    return int(text)


def read_matrix(text: str) -> Matrix:
    """``1,2;3,4``: rows by semicolon or line, numbers by comma, tab or space; NumPy's and MATLAB's brackets are understood.

    Errors: Unreadable.
    """
    text = plain(text)
    rows = [row for part in _bracketed(text) for row in re.split(r"[;\n]", part.strip(";\n "))]
    return tuple(read_row(row) for row in rows)


def _bracketed(text: str) -> list[str]:
    """What stands inside the innermost brackets; the text itself where there are none."""
    inside = re.findall(r"\[([^\[\]]*)\]", text)
    return inside or [text.replace("[", "").replace("]", "")]


def read_row(text: str) -> Row:
    """``1,2`` or ``1 2``; between tabs a comma is a decimal comma. Errors: Unreadable."""
    if "\t" in text.strip():
        return tuple(read_single_number(cell) for cell in text.strip("\r\n ").split("\t"))
    return tuple(read_number(cell) for cell in re.split(r"\s*,\s*|\s+", text.strip()))


def read_single_number(text: str) -> float:
    """A number that stands alone, in which a comma can only be a decimal comma: ``1,5``.

    Errors: Unreadable; also for ``1,234`` and ``1,234.5``, where the comma may part thousands.
    """
    text = plain(text)
    if "," not in text:
        return read_number(text)
    if len(text) > _NUMBER_LETTERS or _THOUSANDS.fullmatch(text) or not (found := _DECIMAL_COMMA.fullmatch(text)):
        raise Unreadable("comma_unclear", given=text)
    return read_number(f"{found[1]}.{found[2]}")


def read_learned(text: str) -> Matrix | str:
    """A matrix, or the name of one: ``identity``, ``zero``, ``permutation``, ``random:7``. Errors: Unreadable."""
    name = plain(text).lower()
    return name if NAMED.fullmatch(name) else read_matrix(text)


def write_learned(matrix: Matrix | str) -> str:
    return matrix if isinstance(matrix, str) else write_matrix(matrix)


NAMED = re.compile(r"identity|zero|permutation|random(:\d{1,9})?", re.ASCII)
"""Matrices that have a name; ``random:7`` is a toy matrix from seed 7."""


def write_matrix(matrix: Matrix) -> str:
    return ";".join(write_row(row) for row in matrix)


def write_row(row: Row) -> str:
    return ",".join(write_number(cell) for cell in row)


def read_bits(text: str) -> list[list[str]]:
    """``100;110``, or with commas; which characters may stand there is checked with the field."""
    rows = re.split(r"[;\n]", plain(text).strip(";\n "))
    return [[bit for bit in row if bit not in ", \t\r"] for row in rows]


def write_bits(matrix: tuple[tuple[int, ...], ...]) -> str:
    return ";".join("".join(map(str, row)) for row in matrix)


def read_table(text: str) -> Table:
    """``word:1,2;word:0,1``. Errors: Unreadable."""
    table: Table = {}
    seen: set[str] = set()
    for entry in _split(text, ";"):
        if not entry.strip():
            continue
        word, *rest = _split(entry, ":")
        if len(rest) != 1 or not word.strip():
            raise Unreadable("table_entry", given=_clear(entry))
        if same_word(word := _clear(word.strip())) in seen:
            raise Unreadable("table_twice", word=word)
        seen.add(same_word(word))
        table[word] = read_row(rest[0])
    return table


def write_table(table: Table) -> str:
    return ";".join(f"{_guard(word)}:{write_row(row)}" for word, row in table.items())


def read_labels(text: str) -> list[str]:
    """``走る,犬``."""
    return [_clear(label) for label in _split(text, ",")]


def write_labels(labels: tuple[str, ...]) -> str:
    return ",".join(_guard(label) for label in labels)


class ReadEdits(Edits):
    """Edits that were read from their text; in a JSON body an object is no edit."""


def read_edits(text: str) -> ReadEdits:
    """``scores[0,2,1]=5;x[0,1]=2``. Errors: Unreadable."""
    edits = ReadEdits()
    for entry in filter(str.strip, text.split(";")):
        if not (found := _EDIT.fullmatch(plain(entry))):
            raise Unreadable("edit_form", given=entry.strip())
        step, places, value = found.groups()
        index = tuple(read_whole(place) for place in places.split(","))
        if index in edits.setdefault(step, {}):
            raise Unreadable("edit_twice", given=entry.strip())
        edits[step][index] = read_single_number(value)
    return edits


def write_edits(edits: Edits) -> str:
    cells = ((step, index, value) for step, changed in sorted(edits.items()) for index, value in sorted(changed.items()))
    return ";".join(f"{step}[{','.join(map(str, index))}]={write_number(value)}" for step, index, value in cells)


def read_scale(text: str) -> str | float:
    """``sqrt``, ``none`` or a number."""
    try:
        return text if text in ("sqrt", "none") else read_single_number(text)
    except Unreadable as error:
        if error.code == "comma_unclear":
            raise
        raise Unreadable("scale_form", limit=int(limits.SCALE)) from None


def write_scale(scale: str | float) -> str:
    return scale if isinstance(scale, str) else write_number(scale)


YES_NO_WORDS = ("no", "yes")


def write_yes_no(value: bool) -> str:
    return YES_NO_WORDS[value]


def _split(text: str, mark: str) -> list[str]:
    """Split at a mark that has no backslash before it; the backslashes stay."""
    parts, part, kept = [], "", False
    for char in text:
        if char == mark and not kept:
            parts.append(part)
            part = ""
        else:
            part += char
        kept = char == "\\" and not kept
    return [*parts, part]


def _clear(text: str) -> str:
    return re.sub(r"\\(.)", r"\1", text, flags=re.DOTALL)


def _guard(text: str) -> str:
    return re.sub(r"([;,:\\])", r"\\\1", text)


TEXT = Notation(str, str)
YES_NO = Notation(str, write_yes_no)
WHOLE = Notation(read_whole, str)
SCALE = Notation(read_scale, write_scale)
NUMBER = Notation(read_single_number, write_number)
WHOLES = Notation(lambda text: [read_whole(part) for part in text.split(",")], lambda wholes: ",".join(map(str, wholes)))
MATRIX = Notation(read_matrix, write_matrix)
LEARNED = Notation(read_learned, write_learned)
BITS = Notation(read_bits, write_bits)
TABLE = Notation(read_table, write_table)
LABELS = Notation(read_labels, write_labels)
EDITS = Notation(read_edits, write_edits)
