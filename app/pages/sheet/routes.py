"""The pages: routes only."""

from collections.abc import Sequence
from dataclasses import replace
from functools import partial

from fastapi import APIRouter, Request
from starlette.responses import HTMLResponse, Response

from app.address.pin import is_pinned, pinned_scenario, run_pinned
from app.address.presentation import Presentation, split_fields
from app.address.unknown_fields import without_unknown
from app.errors import Refusal
from app.language.words import LANGUAGES, choose_language, words_of
from app.pages.dropping_misfits import last_good, run_dropping_misfits
from app.pages.forms_page import cards
from app.pages.sheet.page import SheetPage, draw
from app.run.run import Notice, Run
from app.scenario.opening import with_opening
from app.scenario.table import SCENARIO_FIELDS
from app.sheet.slopes import Influence
from app.text.tokens import shorten
from app.web.answers import computed, followed_back
from app.web.frame import HEADERS, page_frame
from app.web.packing import pack, packed_response
from app.web.page_cache import Kept
from app.web.render import render
from app.web.requests import Pairs, form_pairs, language_of, query_pairs, typed_pairs

router = APIRouter(include_in_schema=False)


@router.api_route("/", methods=["GET", "HEAD"])
async def sheet(request: Request) -> Response:
    """The sheet. Where the request cannot be answered, the last good picture stays and the fields say why."""
    lang = language_of(request)
    try:
        pairs = query_pairs(request)
    except Refusal as refusal:
        typed, presentation = split_fields(typed_pairs(request))
        return await _refused(lang, presentation, typed, refusal)
    kept: Kept = request.app.state.kept
    query = request.scope["query_string"]
    page = kept.get(query, lang)
    if page is None:
        answer = await _answer(pairs, lang)
        if answer.status_code != 200:
            return answer
        page = pack(bytes(answer.body))
        kept.put(query, lang, page)
    return packed_response(request.headers, page, HEADERS)


@router.post("/")
async def sheet_of_a_long_form(request: Request) -> Response:
    """The sheet for fields that are too long for an address: a large matrix, a text far too long."""
    return await _answer(await form_pairs(request), language_of(request))


async def _answer(asked: Pairs, lang: str) -> Response:
    pairs, presentation = split_fields(asked)
    lang = choose_language(presentation.lang) if presentation.lang in LANGUAGES else lang
    pairs, unknown = without_unknown(pairs)
    pairs = with_opening(pairs, lang)
    try:
        pairs, run, dropped = await run_dropping_misfits(pairs, presentation.changed)
    except Refusal as refusal:
        return await _refused(lang, presentation, pairs, refusal, unknown)
    influence, gone = await _influence(run, presentation)
    pinned, unread = await _pinned(presentation, pairs, lang)
    run = replace(run, notices=(*run.notices, *unknown, *dropped, *gone, *unread))
    page = SheetPage(lang, presentation, _typed(pairs), run, [], 200, influence, pinned)
    return draw(page) if pinned is None else await computed(run.requested, partial(draw, page))


async def _pinned(presentation: Presentation, pairs: Pairs, lang: str) -> tuple[Run | None, list[Notice]]:
    """The scenario that is pinned beside this one; where it cannot be computed, a notice that says why."""
    if not is_pinned(presentation):
        return None, []
    try:
        scenario = pinned_scenario(presentation, pairs)
        return await computed(scenario, partial(run_pinned, scenario)), []
    except Refusal as refusal:
        why = " ".join(words_of(lang).problem(problem) for problem in refusal.problems)
        return None, [Notice("pin_refused", {"why": why})]


async def _refused(
    lang: str, presentation: Presentation, typed: Pairs, refusal: Refusal, notices: Sequence[Notice] = ()
) -> Response:
    """What was typed and what is wrong with it, around the last good picture."""
    run = last_good(presentation, lang)
    run = replace(run, notices=(*run.notices, *notices))
    influence, _ = await _influence(run, presentation)
    pinned, unread = await _pinned(presentation, run.query, lang)
    run = replace(run, notices=(*run.notices, *unread))
    return draw(SheetPage(lang, presentation, _typed(typed), run, list(refusal.problems), refusal.status, influence, pinned))


async def _influence(run: Run, presentation: Presentation) -> tuple[Influence | None, list[Notice]]:
    """The slopes of the cell that is asked about; where it is not there any more, it is said and forgotten."""
    if not presentation.of or presentation.view == "projector":
        return None, []
    try:
        return await followed_back(run, presentation.of), []
    except Refusal as refusal:
        steep = refusal.problems[0].code == "slope_large"
        return None, [Notice("of_steep" if steep else "of_gone", {"cell": shorten(presentation.of, _CELL_NAME)})]


_CELL_NAME = 40
"""Characters of a cell's name that a notice repeats."""


def _typed(pairs: Pairs) -> dict[str, str]:
    return {name: text for name, text in pairs if name in SCENARIO_FIELDS}


@router.api_route("/forms", methods=["GET", "HEAD"])
async def forms(request: Request) -> Response:
    """Every form of attention as a small card with a link."""
    lang = language_of(request)
    presentation = split_fields(query_pairs(request))[1]
    context = {**page_frame(lang, presentation, "forms"), "cards": cards(lang)}
    return HTMLResponse(render("forms/page.html", context), headers=HEADERS)
