"""Downloads: routes only. The query of the page, at another path, is a file; what is too long for an address is posted."""

from dataclasses import dataclass
from typing import Annotated

from fastapi import APIRouter, Depends, Request
from starlette.exceptions import HTTPException
from starlette.responses import Response

from app.address.pin import is_pinned, pinned_scenario, run_pinned
from app.errors import Refusal
from app.exports import EXPORTS, Export, ExportRequest, disposition
from app.language.words import words_of
from app.pages.frame import message_page
from app.run.run import compute
from app.web.answers import HEADERS
from app.web.dependencies import ScenarioRequest, read_scenario
from app.web.lane import in_lane
from app.web.requests import language_of

router = APIRouter(include_in_schema=False)


@dataclass(frozen=True, slots=True)
class Order:
    """A file that is asked for: its format, and what it holds, or why that cannot be."""

    ending: str
    asked: ScenarioRequest | Refusal
    lang: str
    by_person: bool
    """True where a browser asks, which shows a refusal to a person."""


async def read_order(request: Request, ending: str) -> Order:
    """Read what is asked for. Errors: HTTPException where there is no such format."""
    if ending not in EXPORTS:
        raise HTTPException(404)
    asked: ScenarioRequest | Refusal
    try:
        asked = await read_scenario(request)
    except Refusal as refusal:
        asked = refusal
    return Order(ending, asked, language_of(request), "text/html" in request.headers.get("accept", ""))


@router.api_route("/export.{ending}", methods=["GET", "HEAD", "POST"])
async def export(request: Request, order: Annotated[Order, Depends(read_order)]) -> Response:
    """A scenario as a file."""
    return await in_lane(request, _export, order)


def _export(order: Order) -> Response:
    try:
        if isinstance(order.asked, Refusal):
            raise order.asked
        return _file(_gather(order.asked, EXPORTS[order.ending]), order.ending)
    except Refusal as refusal:
        if not order.by_person:
            raise
        return _refused(refusal, order.lang)


def _gather(asked: ScenarioRequest, export: Export) -> ExportRequest:
    """Compute what is taken home, and beside it what is pinned, where the format shows both."""
    run, presentation = compute(asked.scenario), asked.presentation
    pinned = run_pinned(pinned_scenario(presentation, run.query)) if export.of_step and is_pinned(presentation) else None
    return ExportRequest(run, asked.words, presentation, pinned, asked.han)


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
