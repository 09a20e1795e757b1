"""Every step as an array for NumPy, under its own name."""

import io
import json
from typing import Any

import numpy as np

from app.exports.request import ExportRequest
from app.sheet.steps import Sheet, make_sheet

ABOUT = "haibun"
"""The one array that is no step: a text in JSON with the query, the tokens, and each step's axes and labels."""


def make(request: ExportRequest) -> bytes:
    """Write a file that ``numpy.load`` reads without pickle: float64, and bool for a mask."""
    arrays = {name: request.run.values(name) for name in request.run.steps}
    about = json.dumps(_about(make_sheet(request.run, request.words)), ensure_ascii=False)
    out = io.BytesIO()
    np.savez_compressed(out, allow_pickle=False, **{ABOUT: np.array(about)}, **arrays)
    return out.getvalue()


def _about(sheet: Sheet) -> dict[str, Any]:
    steps = {step.name: {"title": step.title, "axes": step.axes, "labels": step.labels} for step in sheet.steps}
    return {"query": sheet.query, "tokens": [token.text for token in sheet.tokens], "steps": steps}
