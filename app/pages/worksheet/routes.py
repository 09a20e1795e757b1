"""The worksheet's page: routes only. The query of the sheet, at another path, is a page to print."""

from dataclasses import replace
from functools import partial
from typing import Any

from anyio import to_thread
from fastapi import APIRouter, Request
from starlette.responses import HTMLResponse, RedirectResponse, Response

from app import limits
from app.address.links import LinkOptions, link_fields, write_link, write_readable
from app.address.presentation import Presentation, find_place, split_fields
from app.address.unknown_fields import without_unknown
from app.core.operations.numbers import PLACES
from app.errors import Problem, Refusal, refuse
from app.language.words import LANGUAGES, choose_language, words_of
from app.pages.worksheet import LEVELS, PAPERS, STEPS, Worksheet, make_worksheet
from app.run.run import Run, compute
from app.scenario.opening import with_opening
from app.scenario.table import Scenario
from app.sheet.cells import reference
from app.sheet.steps import notices_in_words, write_query
from app.text.tokens import script_language
from app.web.answers import computed
from app.web.frame import HEADERS, message_page, page_frame
from app.web.lan import find_base
from app.web.qr import make_qr
from app.web.render import render
from app.web.requests import Pairs, language_of, query_pairs

router = APIRouter(include_in_schema=False)
_ANSWERS = ("yes", "no")
_PRINTED_LINK = 240
"""Characters of a link that somebody may be asked to type."""


@router.api_route("/worksheet", methods=["GET", "HEAD"])
async def worksheet(request: Request) -> Response:
    """The scenario on paper. It is put together in another thread, so that nobody waits for somebody else's paper."""
    lang = language_of(request)
    try:
        asked = query_pairs(request)
        pressed = [text for name, text in asked if name == "toggle"]
        pairs, presentation = split_fields([pair for pair in asked if pair[0] != "toggle"])
        lang = choose_language(presentation.lang) if presentation.lang in LANGUAGES else lang
        pairs, unknown = without_unknown(pairs)
        scenario = Scenario.from_query(with_opening(pairs, lang))
        made = await computed(scenario, partial(compute, scenario))
        made = replace(made, notices=(*made.notices, *unknown))
        return await to_thread.run_sync(partial(_answer, request, made, presentation, lang, pressed[-1] if pressed else ""))
    except Refusal as refusal:
        words = words_of(lang)
        page = message_page(
            lang, refusal.status, words("worksheet.refused"), [words.problem(problem) for problem in refusal.problems]
        )
        page.headers.update(HEADERS)
        return page


def _answer(request: Request, run: Run, presentation: Presentation, lang: str, pressed: str) -> Response:
    words = words_of(lang)
    sheet = make_worksheet(run, presentation, words)
    fields = _fields(run, presentation)
    if pressed:
        blanks = [ref for ref in sheet.blanks if ref != pressed] + [pressed] * (pressed not in sheet.blanks)
        chosen = {**_choices(sheet, presentation), "blanks": ";".join(blanks) or "none"}
        return RedirectResponse(f"/worksheet?{write_query(fields, **_changed(chosen))}", 303, HEADERS)
    problems = [*sheet.problems, *_wrong(presentation)]
    context = {**page_frame(lang, presentation, "worksheet"), **_context(request, run, presentation, sheet, fields, lang)}
    context["problems"] = [words.problem(problem) for problem in problems]
    return HTMLResponse(render("worksheet/page.html", context), 422 if problems else 200, headers=HEADERS)


def _context(
    request: Request, run: Run, presentation: Presentation, sheet: Worksheet, fields: Pairs, lang: str
) -> dict[str, Any]:
    words = words_of(lang)
    choices = _choices(sheet, presentation)
    base = find_base(request.url.scheme, request.headers.get("host", ""))
    link, readable = _links(base.address, run, sheet, lang)
    return {
        "sheet": sheet,
        "fields": fields,
        "choices": choices,
        "query": write_query([field for field in fields if field[0] != "lang"]),
        "chosen": write_query([], **_changed(choices)),
        "sentences": [text for text in (run.scenario.text, run.scenario.text_k) if text],
        "text_lang": script_language("".join((*run.names_q, *run.names_k))) or lang,
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


def _fields(run: Run, presentation: Presentation) -> Pairs:
    """The scenario and the place that is looked at, as the sheet writes them; language and appearance where chosen."""
    place = find_place(run, presentation)
    here = {"cell": reference(place.step, place.index)} if place.step in run.trace else {"at": place.step}
    looked = {**here, "head": "all" if place.all_heads else "", "lang": presentation.lang, "theme": presentation.theme}
    return [*run.query, *((name, text) for name, text in looked.items() if text)]


def _choices(sheet: Worksheet, presentation: Presentation) -> dict[str, str]:
    """The choices of the worksheet as they are in force."""
    return {
        "blanks": sheet.level,
        "steps": sheet.steps,
        "paper": presentation.paper if presentation.paper in PAPERS else "a4",
        "answers": presentation.answers if presentation.answers in _ANSWERS else "yes",
    }


_DEFAULTS = {"blanks": "row", "steps": STEPS[0], "paper": "a4", "answers": "yes"}


def _changed(choices: dict[str, str]) -> dict[str, str]:
    """Only the choices that differ from the defaults."""
    return {name: text for name, text in choices.items() if text != _DEFAULTS[name]}


def _wrong(presentation: Presentation) -> list[Problem]:
    """The choices of the worksheet that cannot be read."""
    known = {"paper": (presentation.paper, tuple(PAPERS)), "answers": (presentation.answers, _ANSWERS)}
    return [
        refuse(name, "not_choice", choices=", ".join(choices)).problems[0]
        for name, (text, choices) in known.items()
        if text and text not in choices
    ]


def _links(base: str, run: Run, sheet: Worksheet, lang: str) -> tuple[str, str]:
    """The sheet's address, for a phone and for a person to type."""
    pairs = link_fields(run, sheet.place, LinkOptions(lang=lang))
    return write_link(base, pairs), write_readable(base, pairs)
