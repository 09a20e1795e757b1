"""What the fields of a scenario may hold: each type checks strictly and says in a code what is wrong.

Strict: a text is no number, true is no number, NaN and Infinity are nothing.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated

from pydantic import BeforeValidator, GetCoreSchemaHandler, PlainSerializer, WithJsonSchema
from pydantic.config import JsonDict
from pydantic_core import PydanticCustomError
from pydantic_core.core_schema import CoreSchema, literal_schema

from app import limits
from app.core.operations.numbers import write
from app.scenario import notation
from app.text.spelling import same_word


@dataclass(frozen=True, slots=True)
class OneOf:
    """A field that is one of these words. Where a registry knows them, they are read from there: ``one_of(*MASKS)``."""

    words: tuple[str, ...]

    def __get_pydantic_core_schema__(self, source: object, handler: GetCoreSchemaHandler) -> CoreSchema:
        return literal_schema(list(self.words))


def one_of(*words: str) -> OneOf:
    """One of these words, to stand in ``Annotated[str, ...]``."""
    return OneOf(words)


def _yes_no(value: object) -> bool:
    """Yes or no, as they are written in a query string and in JSON. Errors: a code for anything else, true and false too."""
    if value not in notation.YES_NO_WORDS or not isinstance(value, str):
        raise PydanticCustomError("not_choice", "yes or no")
    return value == "yes"


def _number(value: object) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise PydanticCustomError("not_number", "a number is needed")
    if not abs(value) <= limits.NUMBER:
        raise PydanticCustomError("number_too_large", "too large", {"limit": write(limits.NUMBER)})
    return float(value) + 0.0  # -0 becomes 0: a query string writes both as 0


def _row(value: object, place: str) -> notation.Row:
    if not isinstance(value, list | tuple):
        raise PydanticCustomError("not_matrix", "a matrix is rows of numbers")
    if len(value) > limits.WIDTH:
        raise PydanticCustomError("matrix_too_large", "too large", {"limit": limits.WIDTH})
    row = []
    for column, cell in enumerate(value):
        try:
            row.append(_number(cell))
        except PydanticCustomError as error:
            code = f"cell_{error.type}"
            raise PydanticCustomError(code, "bad cell", {"cell": f"{place}{column}]", **(error.context or {})}) from None
    return tuple(row)


def _matrix(value: object) -> notation.Matrix:
    """Rows of numbers, all of one length. Errors: a code that names the cell or the lengths."""
    if not isinstance(value, list | tuple) or not value:
        raise PydanticCustomError("not_matrix", "a matrix is rows of numbers")
    if len(value) > limits.WIDTH:
        raise PydanticCustomError("matrix_too_large", "too large", {"limit": limits.WIDTH})
    rows = tuple(_row(row, f"[{place},") for place, row in enumerate(value))
    if not rows[0]:
        raise PydanticCustomError("not_matrix", "a matrix is rows of numbers")
    for number, row in enumerate(rows, start=1):
        if len(row) != len(rows[0]):
            details = {"row": number, "length": len(row), "first": len(rows[0])}
            raise PydanticCustomError("ragged", "rows of different lengths", details)
    return rows


def _learned(value: object) -> notation.Matrix | str:
    """A matrix, or the name of one."""
    return value if isinstance(value, str) and notation.NAMED.fullmatch(value) else _matrix(value)


def _bits(value: object) -> tuple[tuple[int, ...], ...]:
    """Rows of 0 and 1 (or false and true), all of one length; a row may be a text of 0 and 1."""
    if not isinstance(value, list | tuple) or not value or len(value) > limits.WIDTH:
        raise PydanticCustomError("not_bits", "rows of 0 and 1")
    rows = [list(row) if isinstance(row, str | list | tuple) else [] for row in value]
    known: dict[object, int] = {"0": 0, "1": 1}
    bits = tuple(tuple(known.get(bit, -1) if isinstance(bit, str) else _bit(bit) for bit in row) for row in rows)
    if not bits[0] or any(-1 in row or len(row) != len(bits[0]) for row in bits):
        raise PydanticCustomError("not_bits", "rows of 0 and 1")
    return bits


def _bit(value: object) -> int:
    return int(value) if isinstance(value, bool | int) and value in (0, 1) else -1


def _table(value: object) -> notation.Table:
    """Words and the vectors they are given."""
    if not isinstance(value, Mapping) or not value or len(value) > limits.WIDTH:
        raise PydanticCustomError("not_table", "an object of word and numbers")
    table: notation.Table = {}
    seen: set[str] = set()
    for word in value:
        if same_word(name := _word(word)) in seen:
            raise PydanticCustomError("table_twice", "there twice", {"word": name})
        seen.add(same_word(name))
        table[name] = _row(value[word], f"[{name},")
    return table


def _word(value: object) -> str:
    """A word or name; the spaces around it do not count."""
    if not isinstance(value, str) or len(value) > limits.LABEL or not value.strip():
        raise PydanticCustomError("not_label", "a short text", {"limit": limits.LABEL})
    return _text(value.strip())


def _labels(value: object) -> tuple[str, ...]:
    """Names for rows or columns."""
    if not isinstance(value, list | tuple) or not value or len(value) > limits.WIDTH:
        raise PydanticCustomError("not_labels", "a list of texts")
    return tuple(_word(label) for label in value)


def _text(value: object) -> str:
    """A text that can be shown: no lone surrogate, no control character but tab and line break."""
    if not isinstance(value, str):
        raise PydanticCustomError("not_text", "a text is needed")
    for char in value:
        if 0xD800 <= ord(char) <= 0xDFFF or (ord(char) < 32 and char not in "\t\n\r") or 0x7F <= ord(char) < 0xA0:
            raise PydanticCustomError("bad_character", "a character that cannot be shown", {"char": f"U+{ord(char):04X}"})
    return value


def _sentence(value: object) -> str:
    if isinstance(value, str) and len(value) > limits.TEXT:
        raise PydanticCustomError("text_long", "too long", {"length": len(value), "limit": limits.TEXT})
    return _text(value)


def _scale(value: object) -> str | float:
    if value in ("sqrt", "none"):
        return str(value)
    if isinstance(value, bool) or not isinstance(value, int | float) or not abs(value) <= limits.SCALE:
        raise PydanticCustomError("scale_form", "sqrt, none or a number", {"limit": int(limits.SCALE)})
    return float(value) + 0.0


def _edits(value: object) -> notation.Edits | None:
    """Cells and the numbers put into them, written as in a query string; None where there are none."""
    try:
        edits = value if isinstance(value, notation.ReadEdits) else notation.read_edits(_text(value))
    except notation.Unreadable as error:
        raise PydanticCustomError(error.code, "unreadable", error.details) from None
    if sum(map(len, edits.values())) > limits.EDITS:
        raise PydanticCustomError("edits_many", "too many", {"limit": limits.EDITS})
    for cells in edits.values():
        for number in cells.values():
            _number(number)
    return edits or None


def _positive(value: object) -> float:
    """A number above 0."""
    if isinstance(value, bool) or not isinstance(value, int | float) or not limits.SMALLEST <= value <= limits.SCALE:
        raise PydanticCustomError("not_positive", "above 0", {"low": limits.SMALLEST, "high": int(limits.SCALE)})
    return float(value)


def _wholes(value: object) -> tuple[int, ...]:
    """Whole numbers from 0, each once."""
    if not isinstance(value, list | tuple) or not value or len(value) > limits.HEADS:
        raise PydanticCustomError("not_wholes", "a list of whole numbers")
    if any(isinstance(item, bool) or not isinstance(item, int) or item < 0 for item in value):
        raise PydanticCustomError("not_wholes", "a list of whole numbers")
    return tuple(sorted(set(value)))


def write_default(schema: JsonDict) -> None:
    """Write the default of a yes-or-no field in its JSON schema as it is written in JSON."""
    schema["default"] = notation.write_yes_no(bool(schema["default"]))


YesNo = Annotated[
    bool,
    BeforeValidator(_yes_no),
    PlainSerializer(notation.write_yes_no),
    WithJsonSchema({"enum": list(notation.YES_NO_WORDS), "type": "string"}),
]
_NUMBERS = {"type": "array", "items": {"type": "number"}, "minItems": 1}
Matrix = Annotated[notation.Matrix, BeforeValidator(_matrix), WithJsonSchema({"type": "array", "items": _NUMBERS, "minItems": 1})]
_NAMED = {"type": "string", "pattern": f"^({notation.NAMED.pattern})$"}
Learned = Annotated[
    notation.Matrix | str,
    BeforeValidator(_learned),
    WithJsonSchema({"anyOf": [{"type": "array", "items": _NUMBERS, "minItems": 1}, _NAMED]}),
]
_BIT_ROWS = {"type": "array", "items": {"type": "array", "items": {"enum": [0, 1]}, "minItems": 1}, "minItems": 1}
Bits = Annotated[tuple[tuple[int, ...], ...], BeforeValidator(_bits), WithJsonSchema(_BIT_ROWS)]
Table = Annotated[
    notation.Table,
    BeforeValidator(_table),
    WithJsonSchema({"type": "object", "additionalProperties": _NUMBERS, "minProperties": 1}),
]
Labels = Annotated[
    tuple[str, ...], BeforeValidator(_labels), WithJsonSchema({"type": "array", "items": {"type": "string"}, "minItems": 1})
]
Sentence = Annotated[str, BeforeValidator(_sentence), WithJsonSchema({"type": "string", "maxLength": limits.TEXT})]
_SCALE_NUMBER = {"type": "number", "minimum": -limits.SCALE, "maximum": limits.SCALE}
Scale = Annotated[
    str | float,
    BeforeValidator(_scale),
    WithJsonSchema({"anyOf": [{"enum": ["sqrt", "none"]}, _SCALE_NUMBER]}),
]
Positive = Annotated[
    float, BeforeValidator(_positive), WithJsonSchema({"type": "number", "minimum": limits.SMALLEST, "maximum": limits.SCALE})
]
Wholes = Annotated[
    tuple[int, ...],
    BeforeValidator(_wholes),
    WithJsonSchema({"type": "array", "items": {"type": "integer", "minimum": 0}, "minItems": 1}),
]
Edits = Annotated[notation.Edits | None, BeforeValidator(_edits), WithJsonSchema({"type": "string"})]
