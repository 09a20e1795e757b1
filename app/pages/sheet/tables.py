"""Tables: the numbers of a page as plain tables, where there is no picture of them."""

from typing import Any

from app.core.operations.numbers import show
from app.pages.sheet.view import View
from app.run.run import Run
from app.sheet.slopes import Influence


def vectors(run: Run) -> list[str]:
    """The vector of each token, in the table of tokens; of a long one the first eight numbers."""
    rows = run.trace.x.value.tolist() if run.tokens else []
    return [", ".join(show(number) for number in row[:8]) + (", …" if len(row) > 8 else "") for row in rows]


def matrices(view: View, values: list[Any]) -> list[Any]:
    """The plain tables for a page without scripts, where numbers do not fit into the picture."""
    if view.step is None or view.picture:
        return []
    if len(view.step.shape) < 3:
        return [values if len(view.step.shape) == 2 else [values]]
    return values if view.place.all_heads else [values[view.place.index[0]]]


def slopes(view: View, influence: Influence | None) -> list[Any]:
    """The slopes that stand in these tables."""
    if view.step is None or view.picture or influence is None or influence.bond(view.step.name) != "moves":
        return []
    return matrices(view, influence.of_step(view.step.name).tolist())
