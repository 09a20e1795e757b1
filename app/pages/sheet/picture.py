"""The panel of the picture: the matrices of a step, or its numbers as plain tables, and the drawings under them."""

from dataclasses import dataclass
from typing import Any

from app.drawing.arcs import Arcs, make_arcs
from app.drawing.diagrams import Dial, Sharing, make_dials, make_sharing
from app.drawing.painter import Painter
from app.drawing.picture import Picture, fits
from app.drawing.space.table import SpaceView, make_space_view
from app.glossary import SPACE
from app.pages.sheet.beside import BesidePanel
from app.pages.sheet.request import SheetRequest
from app.pages.sheet.step import StepPanel
from app.sheet.cells import Place


@dataclass(frozen=True, slots=True)
class PicturePanel:
    """What is drawn of a step."""

    matrices: Picture | None
    """The step and what it is made from, as numbers in cells, where they fit."""
    space: SpaceView | None
    """The words as points."""
    tables: list[Any]
    """The plain tables for a page without scripts, where numbers do not fit into the picture."""
    slopes: list[Any]
    """The slopes that stand in these tables."""
    arcs: Arcs | None
    arcs_head: int
    dials: list[Dial]
    sharing: Sharing | None


def make_picture(page: SheetRequest, step: StepPanel, beside: BesidePanel) -> PicturePanel:
    """Draw the step that is looked at."""
    run, place, (head, query) = page.run, page.place, page.looked_at
    matrices = _matrices(page, beside)
    values = step.described.values if step.described and not matrices else None
    slopes = page.influence if page.influence and page.influence.bond(place.step) == "moves" else None
    return PicturePanel(
        matrices=matrices,
        space=make_space_view(run, place, page.presentation.target.turn, page.words) if place.step == SPACE else None,
        tables=_tables(values, place) if values else [],
        slopes=_tables(slopes.of_step(place.step).tolist(), place) if values and slopes else [],
        arcs=make_arcs(run, place.step, head, query),
        arcs_head=head + 1 if run.sizes.n_heads > 1 else 0,
        dials=make_dials(run, place) if page.at_step else [],
        sharing=make_sharing(run),
    )


def _matrices(page: SheetRequest, beside: BesidePanel) -> Picture | None:
    """The picture of both scenarios where one is pinned; else of the step, where its numbers fit into cells."""
    if beside.contrast:
        return beside.contrast.picture
    run, place = page.run, page.place
    if not page.at_step or place.all_heads or not fits(run, place.step):
        return None
    return Painter(run, place.step, place.index, page.words, beside.changes, page.influence).picture()


def _tables(values: list[Any], place: Place) -> list[Any]:
    """The matrices to print: all heads or the one that is looked at; a vector is a matrix of one row."""
    if len(place.index) < 3:
        return [values if len(place.index) == 2 else [values]]
    return values if place.all_heads else [values[place.index[0]]]
