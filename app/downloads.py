"""Downloads: routes only. The query of the page, at another path, is a file."""

from anyio import to_thread
from fastapi import APIRouter, Request
from starlette.exceptions import HTTPException
from starlette.responses import Response

from app.errors import Refusal, refuse
from app.exports import EXPORTS, Asked, NoCode, disposition
from app.pages import message_page
from app.presentation import split_fields
from app.requests import language_of, query_pairs
from app.run import run
from app.scenario import Scenario
from app.words import words

router = APIRouter(include_in_schema=False)
_CACHE = {"Cache-Control": "no-cache", "Vary": "Accept-Language"}


@router.api_route("/export.{ending}", methods=["GET", "HEAD"])
async def export(request: Request, ending: str) -> Response:
    """A scenario as a file. It is written in another thread, so that nobody waits for somebody else's file."""
    if ending not in EXPORTS:
        raise HTTPException(404)
    try:
        pairs, shown = split_fields(query_pairs(request))
        scenario, lang = Scenario.from_query(pairs), language_of(request)
        return await to_thread.run_sync(lambda: _file(Asked(run(scenario), words(lang), shown), ending))
    except Refusal as refusal:
        if "text/html" not in request.headers.get("accept", ""):
            raise
        return _refused(refusal, language_of(request))


def _file(asked: Asked, ending: str) -> Response:
    try:
        content = EXPORTS[ending].make(asked)
    except NoCode as missing:
        raise refuse("export", "export_code", ending=ending, step=missing.step) from None
    headers = {**_CACHE, "Content-Disposition": disposition(asked, ending)}
    return Response(content, headers=headers, media_type=EXPORTS[ending].kind)


def _refused(refusal: Refusal, lang: str) -> Response:
    """A page for people: what is wrong, and the way back."""
    w = words(lang)
    page = message_page(lang, refusal.status, w("export.refused"), [w.problem(problem) for problem in refusal.problems])
    page.headers.update(_CACHE)
    return page
