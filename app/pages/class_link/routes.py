"""The class page: routes only."""

from dataclasses import replace
from urllib.parse import parse_qsl

from anyio import to_thread
from fastapi import APIRouter, Request
from starlette.responses import HTMLResponse, Response

from app.address.presentation import Presentation, find_place, split_fields
from app.address.unknown_fields import without_unknown
from app.errors import Problem, Refusal
from app.language.words import words_of
from app.pages.class_link.page import OWN_FIELDS, ClassPage, make_class_page, read_wishes
from app.pages.dropping_misfits import last_good, run_dropping_misfits
from app.run.run import Notice, Run
from app.scenario.opening import with_opening
from app.text.tokens import script_language
from app.web.frame import HEADERS, page_frame
from app.web.lan import find_base
from app.web.render import render
from app.web.requests import Pairs, language_of, query_pairs, typed_pairs

router = APIRouter(include_in_schema=False)


@router.api_route("/class", methods=["GET", "HEAD"])
async def class_page(request: Request) -> Response:
    """Prepare a link for a class: as text and as a QR code; with ``screen`` both fill the screen."""
    lang = language_of(request)
    refusal: Refusal | None = None
    try:
        asked = query_pairs(request)
    except Refusal as unreadable:
        asked, refusal = typed_pairs(request), unreadable
    own = {name: text for name, text in asked if name in OWN_FIELDS}
    pairs, presentation = split_fields((name, text) for name, text in asked if name not in OWN_FIELDS)
    pairs, notices = without_unknown(pairs)
    pairs, run, dropped, refusal = await _computed(with_opening(pairs, lang), presentation, lang, refusal)
    page = await to_thread.run_sync(_gather, request, run, pairs, (own, presentation, lang), [*notices, *dropped], refusal)
    context = {
        **page_frame(lang, replace(presentation, hide=""), "class"),
        "page": page,
        "tokens": [token.text for token in run.tokens],
        "text_lang": script_language("".join(run.names_q)) or lang,
    }
    html = render("class_link/screen.html" if own.get("screen") else "class_link/page.html", context)
    status = refusal.status if refusal else 200
    return HTMLResponse(html, status, headers=HEADERS)


async def _computed(
    pairs: Pairs, presentation: Presentation, lang: str, refusal: Refusal | None
) -> tuple[Pairs, Run, list[Notice], Refusal | None]:
    """What is asked for; where it cannot be computed, the last good picture and why."""
    try:
        if refusal:
            raise refusal
        pairs, run, dropped = await run_dropping_misfits(pairs, _changed(pairs, presentation))
    except Refusal as found:
        return pairs, last_good(presentation, lang), [], found
    return pairs, run, dropped, None


def _changed(pairs: Pairs, presentation: Presentation) -> str:
    """The sentence, where it is another than in the last good picture: what no longer fits gives way to it."""
    before = dict(parse_qsl(presentation.good, errors="replace")).get("text")
    return "text" if before is not None and dict(pairs).get("text") != before else ""


def _gather(
    request: Request,
    run: Run,
    typed: Pairs,
    reader: tuple[dict[str, str], Presentation, str],
    notices: list[Notice],
    refusal: Refusal | None,
) -> ClassPage:
    """Gather the page in a thread of its own: a large QR code takes a while."""
    own, shown, lang = reader
    base = find_base(request.scope["scheme"], request.headers.get("host", ""), own.get("room", ""))
    problems: list[Problem] = list(refusal.problems) if refusal else []
    wishes = read_wishes(own, shown)
    return make_class_page(run, find_place(run, shown, space=True), typed, wishes, base, problems, notices, words_of(lang))
