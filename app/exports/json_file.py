"""The answer of the API as a file: it can be sent back to the API as it is."""

import orjson

from app.exports.asked import Asked
from app.sheet.steps import make_sheet


def make(asked: Asked) -> bytes:
    """The same bytes that the API answers with."""
    return orjson.dumps(make_sheet(asked.run, asked.words), option=orjson.OPT_SERIALIZE_NUMPY)
