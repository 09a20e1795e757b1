"""The sheet as a page, and the same as a screen for the projector."""

from dataclasses import fields
from typing import Any

from starlette.responses import HTMLResponse, Response

from app import limits
from app.address.address import Address
from app.address.fields import Link
from app.drawing.theme import drawn_in
from app.exports import MENU, picture_name
from app.pages.frame import page_frame
from app.pages.projector import project
from app.pages.sheet.addresses import here_of, make_addresses
from app.pages.sheet.request import SheetRequest
from app.pages.sheet.view import View, make_view
from app.web.answers import HEADERS
from app.web.assets import PLOTLY_ADDRESS, plotly_style_ids
from app.web.render import render
from app.web.requests import Pairs


def draw(page: SheetRequest) -> Response:
    """The page, or the screen where a projector is asked for."""
    html = _screen(page) if page.presentation.projecting.view == "projector" else _sheet(page)
    return HTMLResponse(html, page.status, headers=HEADERS)


def _sheet(page: SheetRequest) -> str:
    view = make_view(page)
    context = {
        **page_frame(page.lang, page.presentation, "sheet"),
        **{panel.name: getattr(view, panel.name) for panel in fields(view)},
        "text_lang": page.text_lang,
        "plotly": {"address": PLOTLY_ADDRESS, "styleIds": plotly_style_ids()},
        **make_addresses(page, view),
        **_posting(page, view),
    }
    return render("sheet/page.html", context)


def _posting(page: SheetRequest, view: View) -> dict[str, Any]:
    """What the scripts need to know of files and of what is too long for an address."""
    return {
        "picture_name": picture_name(page.run.tokens, view.links.place.step),
        "export_menu_rows": MENU,
        "longest_address": limits.ADDRESS,
        "largest_file": limits.FILE,
        "posted_fields": _posted(page, view) if len(view.links.query) > limits.ADDRESS else [],
    }


def _posted(page: SheetRequest, view: View) -> Pairs:
    """The fields of a form that asks for what is shown, where they are too long for an address."""
    said = here_of(page, view).with_(lang="", theme="").said
    theme = [("theme", page.presentation.reader.theme)] if page.presentation.reader.theme else []
    return [*page.run.query, *said.items(), ("lang", page.lang), *theme]


def _screen(page: SheetRequest) -> str:
    """One step on a whole screen; light, whatever the system wishes, unless dark is asked for."""
    context = {
        **page_frame(page.lang, page.presentation, "sheet"),
        "theme": drawn_in(page.presentation.reader.theme),
        "screen": project(page.run, page.presentation, page.problems, page.words),
        "wrong": Address.of(list(page.typed.items()), **page.presentation.travelling(Link.SCREEN)) if page.problems else "",
        "text_lang": page.text_lang,
    }
    return render("projector/page.html", context)
