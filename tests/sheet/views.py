"""The views of every step of every form, as digests that are kept beside the tests.

``python -m tests.sheet.views`` writes the file anew; read the names of what changed before you commit it.
"""

import dataclasses
import hashlib
import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from app.address.presentation import split_fields
from app.pages.forms.cards import cards
from app.pages.sheet.request import SheetRequest
from app.pages.sheet.view import View, make_view
from app.run.run import Run, compute
from app.scenario.presets import PRESETS, fields_of
from app.scenario.table import Scenario

KEPT = Path(__file__).parents[1] / "reference" / "views.json"
LANG = "en"
_DIGITS = 6
"""Hexadecimal digits of one field's digest."""

Digests = dict[str, dict[str, str]]
"""Name of a view, such as ``causal/weights``, to field, to digest."""


def runs() -> Iterator[tuple[str, Run]]:
    """Every form card, computed."""
    assert sum(map(len, cards(LANG).values())) == sum(map(len, PRESETS.values()))
    for presets in PRESETS.values():
        for preset in presets:
            yield preset.name, compute(Scenario.from_query(fields_of(preset, LANG)))


def views() -> Iterator[tuple[str, View]]:
    """The view of every step of every form, with the sentence first and the meaning space last."""
    for name, made in runs():
        for step in ("tokens", *made.trace, "space"):
            _, presentation = split_fields([("at", step), ("lang", LANG)])
            yield f"{name}/{step}", make_view(SheetRequest(LANG, presentation, dict(made.query), made, []))


def plain(value: object) -> Any:
    """A value as JSON: data classes by their fields, numbers with 9 digits, so that machines agree."""
    if dataclasses.is_dataclass(value):
        names = [field.name for field in dataclasses.fields(value) if not field.name.startswith("_")]  # as in JSON
        return {name: plain(getattr(value, name)) for name in names}
    if isinstance(value, Mapping):
        return {str(key): plain(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(item) for item in value]
    if isinstance(value, np.ndarray):
        return plain(value.tolist())
    if isinstance(value, float):
        return f"{value:.9g}"
    return value if value is None or isinstance(value, (bool, int)) else str(value)


def digest(value: object) -> str:
    """A few digits that change when anything in the value does."""
    return hashlib.sha256(json.dumps(plain(value), sort_keys=True).encode()).hexdigest()[:_DIGITS]


def digests() -> Digests:
    """One digest a field of every panel of every view."""
    return {name: {field: digest(value) for field, value in fields_of_panels(view)} for name, view in views()}


def fields_of_panels(view: View) -> Iterator[tuple[str, object]]:
    """The fields of each panel, such as ``step.formula``."""
    for panel in dataclasses.fields(view):
        shown = getattr(view, panel.name)
        for field in dataclasses.fields(shown):
            yield f"{panel.name}.{field.name}", getattr(shown, field.name)


def read() -> Digests:
    """The kept digests."""
    kept = json.loads(KEPT.read_text("utf-8"))
    fields = kept["fields"]
    return {name: dict(zip(fields, line.split(), strict=True)) for name, line in kept["views"].items()}


def write(found: Digests) -> None:
    """Keep these digests: a line a view."""
    fields = list(next(iter(found.values())))
    lines = {name: " ".join(each[field] for field in fields) for name, each in found.items()}
    KEPT.write_text(json.dumps({"fields": fields, "views": lines}, ensure_ascii=False, indent=0) + "\n", "utf-8")


def differences(kept: Digests, found: Digests) -> list[str]:
    """The views and fields that differ, in words."""
    gone = [f"{name}: gone" for name in kept if name not in found]
    new = [f"{name}: new" for name in found if name not in kept]
    changed = [
        f"{name}: {', '.join(fields)}"
        for name in kept
        if name in found and (fields := [field for field in found[name] if kept[name].get(field) != found[name][field]])
    ]
    return [*gone, *new, *changed]


if __name__ == "__main__":
    before, after = read() if KEPT.exists() else {}, digests()
    for line in differences(before, after):
        print(line)
    write(after)
