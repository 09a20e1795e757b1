"""The class page: routes only."""

from dataclasses import replace
from urllib.parse import parse_qsl

from anyio import to_thread
from fastapi import APIRouter, Request
from starlette.responses import HTMLResponse, Response

from app.address.presentation import Presentation, find_place, split_fields
from app.address.unknown_fields import without_unknown
from app.errors import Problem, Refusal
from app.language.words import words
from app.pages.class_link.page import OWN_FIELDS, ClassPage, make_class_page, read_wishes
from app.pages.fitting import fitting, last_good
from app.run.run import Notice, Run
from app.scenario.opening import with_opening
from app.text.tokens import script_language
from app.web.frame import page_frame
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
    pairs, shown = split_fields((name, text) for name, text in asked if name not in OWN_FIELDS)
    pairs, notices = without_unknown(pairs)
    pairs, made, dropped, refusal = await _computed(with_opening(pairs, lang), shown, lang, refusal)
    page = await to_thread.run_sync(_gather, request, made, pairs, (own, shown, lang), [*notices, *dropped], refusal)
    context = {
        **page_frame(lang, replace(shown, hide=""), "class"),
        "page": page,
        "tokens": [token.text for token in made.tokens],
        "text_lang": script_language("".join(made.names_q)) or lang,
    }
    html = render("class_link/screen.html" if own.get("screen") else "class_link/page.html", context)
    status = refusal.status if refusal else 200
    return HTMLResponse(html, status, headers={"Cache-Control": "no-cache", "Vary": "Accept-Language"})


async def _computed(
    pairs: Pairs, shown: Presentation, lang: str, refusal: Refusal | None
) -> tuple[Pairs, Run, list[Notice], Refusal | None]:
    """What is asked for; where it cannot be computed, the last good picture and why."""
    try:
        if refusal:
            raise refusal
        pairs, made, dropped = await fitting(pairs, _changed(pairs, shown))
    except Refusal as found:
        return pairs, last_good(shown, lang), [], found
    return pairs, made, dropped, None


def _changed(pairs: Pairs, shown: Presentation) -> str:
    """The sentence, where it is another than in the last good picture: what no longer fits gives way to it."""
    before = dict(parse_qsl(shown.good, errors="replace")).get("text")
    return "text" if before is not None and dict(pairs).get("text") != before else ""


def _gather(
    request: Request,
    made: Run,
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
    return make_class_page(made, find_place(made, shown, space=True), typed, wishes, base, problems, notices, words(lang))
