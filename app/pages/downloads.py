"""Downloads: routes only. The query of the page, at another path, is a file; what is too long for an address is posted."""

from anyio import to_thread
from fastapi import APIRouter, Request
from starlette.exceptions import HTTPException
from starlette.responses import Response

from app.address.pin import is_pinned, pinned_scenario, run_pinned
from app.address.presentation import Presentation
from app.errors import Refusal
from app.exports import EXPORTS, Export, ExportRequest, disposition
from app.language.words import words_of
from app.run.run import compute
from app.scenario.table import Scenario
from app.web.frame import HEADERS, message_page
from app.web.requests import language_of, scenario_of

router = APIRouter(include_in_schema=False)


@router.api_route("/export.{ending}", methods=["GET", "HEAD", "POST"])
async def export(request: Request, ending: str) -> Response:
    """A scenario as a file. It is written in another thread, so that nobody waits for somebody else's file."""
    if ending not in EXPORTS:
        raise HTTPException(404)
    try:
        scenario, presentation = await scenario_of(request)
        lang = language_of(request)
        return await to_thread.run_sync(lambda: _file(_asked(scenario, presentation, lang, EXPORTS[ending]), ending))
    except Refusal as refusal:
        if "text/html" not in request.headers.get("accept", ""):
            raise
        return _refused(refusal, language_of(request))


def _asked(scenario: Scenario, presentation: Presentation, lang: str, export: Export) -> ExportRequest:
    """Compute what is taken home, and beside it what is pinned, where the format shows both."""
    run = compute(scenario)
    pinned = run_pinned(pinned_scenario(presentation, run.query)) if export.of_step and is_pinned(presentation) else None
    return ExportRequest(run, words_of(lang), presentation, pinned)


def _file(request: ExportRequest, ending: str) -> Response:
    export = EXPORTS[ending]
    content = export.make(request)
    named = disposition(request, ending, request.place.step if export.of_step else "")
    return Response(content, headers={**HEADERS, "Content-Disposition": named}, media_type=export.kind)


def _refused(refusal: Refusal, lang: str) -> Response:
    """A page for people: what is wrong, and the way back."""
    words = words_of(lang)
    page = message_page(lang, refusal.status, words("export.refused"), [words.problem(problem) for problem in refusal.problems])
    page.headers.update(HEADERS)
    return page
