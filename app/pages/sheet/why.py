"""The panel of the chosen cell: where its number comes from, where it goes, and the ways to other cells."""

from dataclasses import dataclass

from app.pages.sheet.beside import BesidePanel
from app.pages.sheet.request import SheetRequest
from app.pages.sheet.step import StepPanel
from app.sheet.cells import Place, reference
from app.sheet.spoken import make_spoken_why
from app.sheet.steps import Step
from app.sheet.uses import Onward, make_onward
from app.sheet.why import Why

Chooser = tuple[str, list[tuple[str, str, bool]]]
"""An axis, and the cells along it: reference, name, and whether it is the chosen one."""


@dataclass(frozen=True, slots=True)
class WhyPanel:
    """The chosen cell; ``cell`` is None at the sentence and at the words as points."""

    cell: Why | None
    onward: Onward | None
    was: str
    """What the chosen cell was before the edits."""
    choosers: list[Chooser]


def make_why_panel(page: SheetRequest, step: StepPanel, beside: BesidePanel) -> WhyPanel:
    """Gather what is said of the chosen cell."""
    run, place, words = page.run, page.place, page.words
    if step.described is None:
        return WhyPanel(None, None, "", [])
    return WhyPanel(
        cell=make_spoken_why(run, place.step, place.index, words),
        onward=make_onward(run, place.step, place.index, words),
        was=beside.changes.was(place.step, place.index),
        choosers=[
            (words(f"axis.{name}"), _along(step.described, place, axis))
            for axis, name in enumerate(step.described.axes)
            if step.described.shape[axis] > 1
        ],
    )


def _along(step: Step, place: Place, axis: int) -> list[tuple[str, str, bool]]:
    """The cells that differ from the chosen one along one axis: a way to any cell without a pointer."""
    cells = []
    for number, label in enumerate(step.labels[axis]):
        index = (*place.index[:axis], number, *place.index[axis + 1 :])
        cells.append((reference(step.name, index), label, number == place.index[axis]))
    return cells
