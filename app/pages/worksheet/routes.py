"""The worksheet's page: routes only. The query of the sheet, at another path, is a page to print."""

from dataclasses import dataclass, replace
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Request
from starlette.responses import HTMLResponse, RedirectResponse, Response

from app import limits
from app.address.address import Address
from app.address.links import chosen, link_fields, write_link, write_readable
from app.address.presentation import Presentation, find_place
from app.address.unknown_fields import without_unknown
from app.core.operations.numbers import PLACES
from app.errors import Problem, Refusal, refuse
from app.language.words import LANGUAGES, words_of
from app.pages.frame import message_page, page_frame
from app.pages.worksheet import LEVELS, PAPERS, STEPS, Worksheet, make_worksheet
from app.run.run import Run, compute
from app.scenario.opening import with_opening
from app.scenario.table import Scenario
from app.sheet.cells import reference
from app.sheet.steps import notices_in_words
from app.text.languages import script_language
from app.web.answers import HEADERS
from app.web.dependencies import Fields, Origin, PageOrigin, fields_in
from app.web.lan import find_base
from app.web.lane import in_lane
from app.web.qr import make_qr
from app.web.render import render
from app.web.requests import query_pairs

router = APIRouter(include_in_schema=False)
_ANSWERS = ("yes", "no")
_PRINTED_LINK = 240
"""Characters of a link that somebody may be asked to type."""


@dataclass(frozen=True, slots=True)
class WorksheetRequest:
    """What is to be printed, and the blank that was pressed in the page."""

    fields: Fields
    pressed: str
    origin: Origin


async def read_worksheet(request: Request, origin: PageOrigin) -> WorksheetRequest:
    """Read the fields; what cannot be read is refused on the page."""
    asked, refusal = [], None
    try:
        asked = query_pairs(request)
    except Refusal as unreadable:
        refusal = unreadable
    pressed = [text for name, text in asked if name == "toggle"]
    fields = fields_in([pair for pair in asked if pair[0] != "toggle"], request, refusal)
    return WorksheetRequest(fields, pressed[-1] if pressed else "", origin)


@router.api_route("/worksheet", methods=["GET", "HEAD"])
async def worksheet(request: Request, asked: Annotated[WorksheetRequest, Depends(read_worksheet)]) -> Response:
    """The scenario on paper."""
    return await in_lane(request, _worksheet, asked)


def _worksheet(request: WorksheetRequest) -> Response:
    fields = request.fields
    lang = fields.presentation.reader.lang if fields.presentation.reader.lang in LANGUAGES else fields.lang
    try:
        if fields.refusal:
            raise fields.refusal
        pairs, unknown = without_unknown(fields.pairs)
        run = compute(Scenario.from_query(with_opening(pairs, lang)))
        return _answer(request, replace(run, notices=(*run.notices, *unknown)), lang)
    except Refusal as refusal:
        words = words_of(lang)
        problems = [words.problem(problem) for problem in refusal.problems]
        page = message_page(lang, refusal.status, words("worksheet.refused"), problems)
        page.headers.update(HEADERS)
        return page


def _answer(request: WorksheetRequest, run: Run, lang: str) -> Response:
    words, presentation, pressed = words_of(lang), request.fields.presentation, request.pressed
    sheet = make_worksheet(run, presentation, words)
    asked = Address.of(run.query, **_looked(run, presentation)).to("/worksheet")
    if pressed:
        blanks = [ref for ref in sheet.blanks if ref != pressed] + [pressed] * (pressed not in sheet.blanks)
        chosen = {**_choices(sheet, presentation), "blanks": ";".join(blanks) or "none"}
        return RedirectResponse(str(asked.with_(**_changed(chosen))), 303, HEADERS)
    problems = [*sheet.problems, *_wrong(presentation)]
    context = {**page_frame(lang, presentation, "worksheet"), **_context(request, run, sheet, asked, lang)}
    context["problems"] = [words.problem(problem) for problem in problems]
    return HTMLResponse(render("worksheet/page.html", context), 422 if problems else 200, headers=HEADERS)


def _context(request: WorksheetRequest, run: Run, sheet: Worksheet, asked: Address, lang: str) -> dict[str, Any]:
    words, presentation, origin, han = words_of(lang), request.fields.presentation, request.origin, request.fields.han
    choices, here = _choices(sheet, presentation), asked.without("lang")
    own = chosen(presentation.reader).lang
    base = find_base(origin.scheme, origin.host)
    link, readable = _links(base.address, run, sheet, lang)
    return {
        "sheet": sheet,
        "fields": [*run.query, *asked.said.items()],
        "choices": choices,
        "here": here.with_(**_changed(choices), lang=own),
        "sheet_address": here.to("/").with_(lang=own),
        "sentences": [text for text in (run.scenario.text, run.scenario.text_k) if text],
        "text_lang": script_language("".join((*run.names_q, *run.names_k)), han) or lang,
        "toy": words("page.toy" if run.tokens else "page.given"),
        "notices": notices_in_words(run.notices, words),
        "levels": LEVELS,
        "papers": tuple(PAPERS),
        "places": PLACES,
        "limit": limits.NUMBERS_IN_CELLS,
        "qr": make_qr(link),
        "link": readable if len(readable) <= _PRINTED_LINK else "",
        "only_here": bool(base.trouble),
        "origin": base.address,
    }


def _looked(run: Run, presentation: Presentation) -> dict[str, str]:
    """The place that is looked at, as the sheet writes it; language and appearance where chosen."""
    place, reader = find_place(run, presentation), presentation.reader
    here = {"cell": reference(place.step, place.index)} if place.step in run.steps else {"at": place.step}
    return {**here, "head": "all" if place.all_heads else "", "lang": reader.lang, "theme": reader.theme}


def _choices(sheet: Worksheet, presentation: Presentation) -> dict[str, str]:
    """The choices of the worksheet as they are in force."""
    return {
        "blanks": sheet.level,
        "steps": sheet.steps,
        "paper": presentation.printing.paper if presentation.printing.paper in PAPERS else "a4",
        "answers": presentation.printing.answers if presentation.printing.answers in _ANSWERS else "yes",
    }


_DEFAULTS = {"blanks": "row", "steps": STEPS[0], "paper": "a4", "answers": "yes"}


def _changed(choices: dict[str, str]) -> dict[str, str]:
    """Only the choices that differ from the defaults."""
    return {name: text for name, text in choices.items() if text != _DEFAULTS[name]}


def _wrong(presentation: Presentation) -> list[Problem]:
    """The choices of the worksheet that cannot be read."""
    known = {"paper": (presentation.printing.paper, tuple(PAPERS)), "answers": (presentation.printing.answers, _ANSWERS)}
    return [
        refuse(name, "not_choice", choices=", ".join(choices)).problems[0]
        for name, (text, choices) in known.items()
        if text and text not in choices
    ]


def _links(base: str, run: Run, sheet: Worksheet, lang: str) -> tuple[str, str]:
    """The sheet's address, for a phone and for a person to type."""
    pairs = link_fields(run, sheet.place, Presentation.of(lang=lang))
    return write_link(base, pairs), write_readable(base, pairs)
