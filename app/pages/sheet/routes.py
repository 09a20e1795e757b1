"""The sheet: routes only."""

from collections.abc import Sequence
from dataclasses import replace

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import Response

from app.address.pin import is_pinned, pinned_scenario, run_pinned
from app.address.presentation import Presentation
from app.address.unknown_fields import without_unknown
from app.errors import Refusal
from app.language.words import LANGUAGES, words_of
from app.pages.dropping_misfits import last_good, run_dropping_misfits
from app.pages.sheet.page import draw
from app.pages.sheet.request import SheetRequest
from app.run.run import Notice, Run
from app.scenario.opening import with_opening
from app.scenario.table import SCENARIO_FIELDS
from app.sheet.slopes import Influence, find_influence
from app.text.tokens import shorten
from app.web.dependencies import Fields, FormFields, PageFields
from app.web.lane import by_size, is_large
from app.web.page_cache import KeptRoute
from app.web.requests import Pairs

router = APIRouter(include_in_schema=False)


async def sheet(request: Request, asked: PageFields) -> Response:
    """The sheet. Where the request cannot be answered, the last good picture stays and the fields say why."""
    return await by_size(request, is_large(asked.all), _sheet, asked)


router.add_api_route("/", sheet, methods=["GET", "HEAD"], route_class_override=KeptRoute)


@router.post("/")
async def sheet_of_a_long_form(request: Request, asked: FormFields) -> Response:
    """The sheet for fields that are too long for an address: a large matrix, a text far too long."""
    return await by_size(request, is_large(asked.all), _answer, asked)


def _sheet(asked: Fields) -> Response:
    if asked.refusal:
        return _refused(asked, asked.lang, asked.pairs, asked.refusal)
    return _answer(asked)


def _answer(asked: Fields) -> Response:
    presentation = asked.presentation
    lang = presentation.reader.lang if presentation.reader.lang in LANGUAGES else asked.lang
    pairs, unknown = without_unknown(asked.pairs)
    pairs = with_opening(pairs, lang)
    try:
        pairs, run, dropped = run_dropping_misfits(pairs, presentation.form.changed)
    except Refusal as refusal:
        return _refused(asked, lang, pairs, refusal, unknown)
    influence, gone = _influence(run, presentation)
    pinned, unread = _pinned(presentation, pairs, lang)
    run = replace(run, notices=(*run.notices, *unknown, *dropped, *gone, *unread))
    return draw(SheetRequest(lang, presentation, _typed(pairs), run, [], 200, influence, pinned, asked.han))


def _pinned(presentation: Presentation, pairs: Pairs, lang: str) -> tuple[Run | None, list[Notice]]:
    """The scenario that is pinned beside this one; where it cannot be computed, a notice that says why."""
    if not is_pinned(presentation):
        return None, []
    try:
        return run_pinned(pinned_scenario(presentation, pairs)), []
    except Refusal as refusal:
        why = " ".join(words_of(lang).problem(problem) for problem in refusal.problems)
        return None, [Notice("pin_refused", {"why": why})]


def _refused(asked: Fields, lang: str, typed: Pairs, refusal: Refusal, notices: Sequence[Notice] = ()) -> Response:
    """What was typed and what is wrong with it, around the last good picture."""
    presentation, problems = asked.presentation, list(refusal.problems)
    run = last_good(presentation, lang)
    run = replace(run, notices=(*run.notices, *notices))
    influence, _ = _influence(run, presentation)
    pinned, unread = _pinned(presentation, run.query, lang)
    run = replace(run, notices=(*run.notices, *unread))
    return draw(SheetRequest(lang, presentation, _typed(typed), run, problems, refusal.status, influence, pinned, asked.han))


def _influence(run: Run, presentation: Presentation) -> tuple[Influence | None, list[Notice]]:
    """The slopes of the cell that is asked about; where it is not there any more, it is said and forgotten."""
    if not presentation.beside.of or presentation.projecting.view == "projector":
        return None, []
    try:
        return find_influence(run, presentation.beside.of), []
    except Refusal as refusal:
        steep = refusal.problems[0].code == "slope_large"
        return None, [Notice("of_steep" if steep else "of_gone", {"cell": shorten(presentation.beside.of, _CELL_NAME)})]


_CELL_NAME = 40
"""Characters of a cell's name that a notice repeats."""


def _typed(pairs: Pairs) -> dict[str, str]:
    return {name: text for name, text in pairs if name in SCENARIO_FIELDS}
