"""Fitting: what is shown where not all fits that was asked for."""

from app.address.presentation import Presentation, split_fields
from app.address.unknown_fields import without_unknown
from app.errors import Refusal
from app.run.run import Notice, Run, compute
from app.scenario.opening import opening
from app.scenario.table import Scenario
from app.web.requests import Pairs, read_query


def run_dropping_misfits(pairs: Pairs, changed: str) -> tuple[Pairs, Run, list[Notice]]:
    """Compute a scenario without the edits and matrices that no longer fit a text or size that was just changed.

    Errors: Refusal for everything else.
    """
    dropped: list[Notice] = []
    while True:
        try:
            return pairs, compute(Scenario.from_query(pairs)), dropped
        except Refusal as refusal:
            misfits = {problem.field for problem in refusal.problems if problem.code in _MISFITS}
            if changed not in _RESIZING or not misfits or changed in misfits:
                raise
        dropped += [Notice("dropped", {"field": name}) for name in sorted(misfits)]
        pairs = [(name, text) for name, text in pairs if name not in misfits]


_MISFITS = ("shape", "edit_cell", "edit_step", "table_width", "labels_count", "labels_with_text")
_RESIZING = ("text", "text_k", "split", "d_model", "d_head", "n_heads", "n_kv_heads", "position", "mask", "mechanism", "n_layers")


def last_good(presentation: Presentation, lang: str) -> Run:
    """The picture that the form last held, or the opening example."""
    try:
        pairs, _ = split_fields(read_query(presentation.form.good.encode("utf-8", "replace")))
        return compute(Scenario.from_query(without_unknown(pairs)[0]))
    except Refusal:
        return _opened(lang)


def _opened(lang: str) -> Run:
    return compute(Scenario.from_query(opening(lang)))
