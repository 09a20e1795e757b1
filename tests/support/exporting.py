"""Scenarios to take home, and how the files are read back."""

import csv
import io
import json
import math
from typing import Any
from urllib.parse import urlencode

from app.core.positions import BETWEEN
from app.exports import EXPORTS
from app.scenario.presets import PRESETS, fields_of
from tests.support.asking import ATTENTION, Api, Json, good

ENDINGS = tuple(EXPORTS)
SCENES: dict[str, dict[str, str]] = {
    "japanese": {"text": "川に架かるはし", "mask": "causal"},
    "emoji": {"text": "👨‍👩‍👧 🏳️‍🌈 é", "split": "spaces"},
    "right-to-left": {"text": "שלום עולם", "d_model": "3", "n_heads": "1"},
    "formula": {"text": "=1+1 @x -2 +3 '", "split": "spaces"},
    "script": {"text": "</script> <b>&amp; $x$ \\end{document} %", "split": "spaces"},
    "repeated": {"text": "the dog the dog the", "position": "sinusoidal"},
    "one": {"text": "犬"},
    "forty": {"text": " ".join(f"word{number}" for number in range(40)), "d_model": "4"},
    "direct": {
        "q": "1,0,2",
        "k": "2,1,1;0,3,0;1,1,1",
        "v": "2,5,1;0,1,3;4,0,2",
        "labels_q": "=走る",
        "labels_k": 'a"b,が\nよ,走る',
        "normalizer": "division",
        "scale": "none",
    },
    "edited": {"text": "a b c", "edits": "mask[0,1]=0;scores[0,0,0]=5;w_q[0,0]=3;weights[0,1,1]=-0.5;x[0,1]=2;z[1,0,0]=1"},
    "blind": {"text": "a b c", "allow": "000;010;111", "normalizer": "division"},
    "shared": {"text": "a b c", "d_model": "8", "n_heads": "4", "n_kv_heads": "2", "heads_off": "1", "mask": "causal"},
    **{name: {"text": "a b", "n_layers": "1", "d_model": "2", "activation": name} for name in ("relu", "silu", "gelu_tanh")},
    **{
        f"cached-{position}": {"text": "a b c", "d_model": "4", "n_heads": "2", "mechanism": "cached", "mask": "causal"}
        | {"position": position}
        for position in BETWEEN
    },
    "vectors": {"x": "1,2;3,4;5,6.5", "labels_q": "\\begin,_,^", "n_heads": "1"},
}
FORMS = {preset.name: dict(fields_of(preset, "en")) for group in PRESETS.values() for preset in group}
EVERY = {**SCENES, **FORMS}


def sheet_of(api: Api, fields: dict[str, str], lang: str = "en") -> Json:
    return good(api.get(ATTENTION, f"{urlencode(fields)}&lang={lang}"))


def export(api: Api, ending: str, fields: dict[str, str], lang: str = "en", **more: str) -> bytes:
    """The content of a file."""
    answer = api.get(f"/export.{ending}", urlencode({**fields, "lang": lang, **more}))
    assert answer.status_code == 200, answer.text
    return answer.content


def blocks(content: bytes) -> dict[str, Json]:
    """The blocks of a CSV file by the name of the step: title, axes, and the rows as they stand."""
    rows = list(csv.reader(io.StringIO(content.decode("utf-8-sig"), newline=""), strict=True))
    found: dict[str, Json] = {}
    while rows:
        end = rows.index([])
        (_, name, title), (_, *axes), head, *body = rows[:end]
        found[name] = {"title": title, "axes": axes, "head": head, "body": body}
        rows = rows[end + 1 :]
    return found


def flat(values: Any) -> list[float]:
    """Every number of nested lists, in reading order."""
    if isinstance(values, list):
        return [number for row in values for number in flat(row)]
    return [-math.inf if values == "-Infinity" else float(values)]


def cells(notebook: bytes, library: str = "") -> list[str]:
    """The code cells of a notebook: all, or those before (``numpy``) or from (``torch``) its second half on."""
    sources = ["".join(cell["source"]) for cell in json.loads(notebook)["cells"] if cell["cell_type"] == "code"]
    half = next(place for place, source in enumerate(sources) if "import torch" in source)
    return {"": sources, "numpy": sources[:half], "torch": sources[half:]}[library]
