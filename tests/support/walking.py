"""Every form on a short sentence, and every cell of it."""

from collections.abc import Iterator
from functools import cache
from itertools import islice

import numpy as np

from app.language.words import words_of
from app.run.run import Run, compute
from app.scenario.opening import opening
from app.scenario.presets import PRESETS
from app.scenario.table import Scenario
from app.sheet.spoken import make_spoken_why
from app.sheet.why import Why

SENTENCE = "dog runs"
_FIELDS = {preset.name: dict(preset.fields) for presets in PRESETS.values() for preset in presets}
_SHORTER = {"padding": "10", "text_k": "a bird"}
FORMS = ["opening", *_FIELDS]


@cache
def short(form: str) -> Run:
    """A form, computed for two words."""
    if form == "opening":
        return compute(Scenario.from_query(opening("en")))
    fields = {name: _SHORTER.get(name, text) for name, text in _FIELDS[form].items()}
    return compute(Scenario.from_query([("text", SENTENCE), *fields.items()]))


@cache
def reasons(form: str, lang: str) -> list[Why]:
    """Why every cell of every step is what it is; of what was given only the first cells."""
    return list(_reasons(short(form), lang))


def _reasons(run: Run, lang: str) -> Iterator[Why]:
    for step in run.trace:
        cells = np.ndindex(run.trace[step].shape)
        for index in cells if run.trace[step].operation else islice(cells, 3):
            yield make_spoken_why(run, step, index, words_of(lang))
