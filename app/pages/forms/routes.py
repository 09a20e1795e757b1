"""The page of all forms: routes only."""

from fastapi import APIRouter
from starlette.responses import HTMLResponse, Response

from app.pages.forms.cards import cards
from app.pages.frame import page_frame
from app.web.answers import HEADERS
from app.web.dependencies import ReadableFields
from app.web.render import render

router = APIRouter(include_in_schema=False)


@router.api_route("/forms", methods=["GET", "HEAD"])
def forms(asked: ReadableFields) -> Response:
    """Every form of attention as a small card with a link."""
    frame = page_frame(asked.lang, asked.presentation, "forms")
    context = {**frame, "here": frame["top"].to("/forms"), "cards": cards(asked.lang)}
    return HTMLResponse(render("forms/page.html", context), headers=HEADERS)
