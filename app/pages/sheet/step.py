"""The panel of a step: what it is, how it is computed, what is checked and said of it, and the ways to its neighbours."""

from dataclasses import dataclass

from markupsafe import Markup

from app.address.looking import head_tabs, stops_of
from app.drawing.formulas import formula_html
from app.drawing.picture import Legend, legend_of
from app.pages.sheet.request import SheetRequest
from app.run.run import Run
from app.sheet.cells import reference
from app.sheet.facts import facts
from app.sheet.labels import part_title, place_of, shape_of
from app.sheet.steps import Check, NoticeOut, Step, checks_of, formula, make_step, notices_in_words


@dataclass(frozen=True, slots=True)
class StepPanel:
    """A step in words; ``described`` is None at the sentence and at the words as points."""

    part: str
    described: Step | None
    formula: Markup
    legend: Legend | None
    checks: list[Check]
    shape: str
    notices: list[NoticeOut]
    facts: list[NoticeOut]
    heads: list[tuple[str, str]]
    edits: list[str]
    previous: str
    following: str


def make_step_panel(page: SheetRequest) -> StepPanel:
    """Gather what is said of the step that is looked at."""
    run, place, words, name = page.run, page.place, page.words, page.place.step
    before, after = _neighbours(run, name)
    return StepPanel(
        part=part_title(run, place_of(name), words),
        described=make_step(run, name, words) if page.at_step else None,
        formula=formula_html(formula(run, name)) if page.at_step else Markup(""),
        legend=legend_of(run, name) if page.at_step else None,
        checks=checks_of(run, name, words) if page.at_step else [],
        shape=shape_of(run, name, words) if page.at_step else "",
        notices=notices_in_words(run.notices, words),
        facts=notices_in_words(facts(run), words),
        heads=head_tabs(run, place, words),
        edits=[reference(step, index) for step, cells in (run.scenario.edits or {}).items() for index in cells],
        previous=before,
        following=after,
    )


def _neighbours(run: Run, name: str) -> tuple[str, str]:
    """The steps before and after, in the order of the page."""
    order = ["", *stops_of(run, space=True), ""]
    at = order.index(name)
    return order[at - 1], order[at + 1]
