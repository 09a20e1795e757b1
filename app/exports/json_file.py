"""The answer of the API as a file: it can be sent back to the API as it is."""

import orjson

from app.exports.request import ExportRequest
from app.sheet.steps import make_sheet


def make(request: ExportRequest) -> bytes:
    """Write the sheet as JSON, byte for byte what the API answers."""
    return orjson.dumps(make_sheet(request.run, request.words), option=orjson.OPT_SERIALIZE_NUMPY)
