"""The class page: routes only."""

from dataclasses import dataclass
from typing import Annotated
from urllib.parse import parse_qsl

from fastapi import APIRouter, Depends, Request
from starlette.responses import HTMLResponse, Response

from app.address.links import chosen
from app.address.presentation import Presentation, find_place
from app.address.unknown_fields import without_unknown
from app.errors import Refusal
from app.language.words import words_of
from app.pages.class_link.page import OWN_FIELDS, ClassPage, make_class_page, read_wishes
from app.pages.dropping_misfits import last_good, run_dropping_misfits
from app.pages.frame import page_frame
from app.run.run import Notice, Run
from app.scenario.opening import with_opening
from app.text.languages import script_language
from app.web.answers import HEADERS
from app.web.dependencies import Fields, Origin, PageOrigin, fields_in
from app.web.lan import find_base
from app.web.lane import by_size, is_large
from app.web.render import render
from app.web.requests import Pairs, query_pairs, typed_pairs

router = APIRouter(include_in_schema=False)


@dataclass(frozen=True, slots=True)
class ClassRequest:
    """What the page is asked for: its own choices, and the fields of the sheet that the link leads to."""

    own: dict[str, str]
    sheet: Fields
    origin: Origin


async def read_class(request: Request, origin: PageOrigin) -> ClassRequest:
    """Part the fields of this page from those of the sheet; what cannot be read stays as it was typed."""
    refusal: Refusal | None = None
    try:
        asked = query_pairs(request)
    except Refusal as unreadable:
        asked, refusal = typed_pairs(request), unreadable
    own = {name: text for name, text in asked if name in OWN_FIELDS}
    rest = ((name, text) for name, text in asked if name not in OWN_FIELDS)
    return ClassRequest(own, fields_in(rest, request, refusal), origin)


@router.api_route("/class", methods=["GET", "HEAD"])
async def class_page(request: Request, asked: Annotated[ClassRequest, Depends(read_class)]) -> Response:
    """Prepare a link for a class: as text and as a QR code; with ``screen`` both fill the screen."""
    return await by_size(request, is_large(asked.sheet.all), _class_page, asked)


def _class_page(request: ClassRequest) -> Response:
    lang, presentation = request.sheet.lang, request.sheet.presentation
    pairs, notices = without_unknown(request.sheet.pairs)
    typed, run, dropped, refusal = _computed(with_opening(pairs, lang), presentation, lang, request.sheet.refusal)
    page, reader = _gather(request, run, typed, [*notices, *dropped], refusal), chosen(presentation.reader)
    context = {
        **page_frame(lang, presentation.with_(hide=""), "class"),
        "page": page,
        "here": page.here.with_(lang=reader.lang, theme=reader.theme),
        "tokens": [token.text for token in run.tokens],
        "text_lang": script_language("".join(run.names_q), request.sheet.han) or lang,
    }
    html = render("class_link/screen.html" if request.own.get("screen") else "class_link/page.html", context)
    return HTMLResponse(html, refusal.status if refusal else 200, headers=HEADERS)


def _computed(
    pairs: Pairs, presentation: Presentation, lang: str, refusal: Refusal | None
) -> tuple[Pairs, Run, list[Notice], Refusal | None]:
    """What is asked for; where it cannot be computed, the last good picture and why."""
    try:
        if refusal:
            raise refusal
        pairs, run, dropped = run_dropping_misfits(pairs, _changed(pairs, presentation))
    except Refusal as found:
        return pairs, last_good(presentation, lang), [], found
    return pairs, run, dropped, None


def _changed(pairs: Pairs, presentation: Presentation) -> str:
    """The sentence, where it is another than in the last good picture: what no longer fits gives way to it."""
    before = dict(parse_qsl(presentation.form.good, errors="replace")).get("text")
    return "text" if before is not None and dict(pairs).get("text") != before else ""


def _gather(request: ClassRequest, run: Run, typed: Pairs, notices: list[Notice], refusal: Refusal | None) -> ClassPage:
    own, presentation = request.own, request.sheet.presentation
    base = find_base(request.origin.scheme, request.origin.host, own.get("room", ""))
    place, wishes = find_place(run, presentation, space=True), read_wishes(own, presentation)
    problems = list(refusal.problems) if refusal else []
    good = bool(presentation.form.good) or not problems
    return make_class_page(run, place, typed, wishes, base, problems, notices, words_of(request.sheet.lang), good)
