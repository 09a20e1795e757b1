"""The sheet as a page, and the same as a screen for the projector."""

from dataclasses import fields, replace
from typing import Any
from urllib.parse import parse_qsl

from starlette.responses import HTMLResponse, Response

from app import limits
from app.address.links import link_fields, link_options_of, write_link
from app.address.presentation import Presentation
from app.exports import MENU, picture_name
from app.pages.frame import page_frame
from app.pages.projector import project
from app.pages.sheet.ready_pairs import ready_pairs
from app.pages.sheet.request import SheetRequest
from app.pages.sheet.view import View, make_view
from app.sheet.steps import write_query
from app.web.answers import HEADERS
from app.web.assets import PLOTLY_ADDRESS, plotly_style_ids
from app.web.render import render
from app.web.requests import Pairs


def draw(page: SheetRequest) -> Response:
    """The page, or the screen where a projector is asked for."""
    html = _screen(page) if page.presentation.view == "projector" else _sheet(page)
    return HTMLResponse(html, page.status, headers=HEADERS)


def _sheet(page: SheetRequest) -> str:
    view = make_view(page)
    context = {
        **page_frame(page.lang, page.presentation, "sheet"),
        **{panel.name: getattr(view, panel.name) for panel in fields(view)},
        "text_lang": page.text_lang,
        "plotly": {"address": PLOTLY_ADDRESS, "styleIds": plotly_style_ids()},
        **_links(page, view),
        **_posting(page, view),
    }
    return render("sheet/page.html", context)


def _links(page: SheetRequest, view: View) -> dict[str, Any]:
    """Where the links of the page lead."""
    presentation, pin = page.presentation, view.beside.contrast.pin if view.beside.contrast else ""
    of, turn = view.beside.moved.ref if view.beside.moved else "", view.picture.space.turned if view.picture.space else ""
    carried, wishes = [pair for pair in presentation.carried if pair[0] not in _OWN], link_options_of(presentation)
    picture = write_query([], lang=page.lang, theme=wishes.theme)
    place = _place_query(page, view, "")
    return {
        "place_query": _place_query(page, view, pin),
        "place_only": place,
        "ended_query": _place_query(page, replace(view, beside=replace(view.beside, moved=None)), pin)
        if view.beside.moved
        else "",
        "waiting_of": presentation.of
        if presentation.changed and not of
        else "",  # a sentence being typed may have its cell again
        "unpinned": f"{view.links.query}{place}",
        "kept": _kept(presentation),
        "picture_address": f"/export.svg?{view.links.query}{_place_query(page, view, pin)}&{picture}",
        "pairs": ready_pairs(view.links.query, page.lang),
        "carried": carried,
        "carried_query": write_query(carried),
        "link": write_link("", link_fields(page.run, view.links.place, link_options_of(presentation, of, pin, turn))),
    }


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
    place = parse_qsl(_place_query(page, view, view.beside.contrast.pin if view.beside.contrast else ""))
    theme = [("theme", page.presentation.theme)] if page.presentation.theme else []
    return [*page.run.query, *place, ("lang", page.lang), *theme]


_OWN = ("hide", "of", "pin", "pinned")
"""What the place writes in its own way."""


def _place_query(page: SheetRequest, view: View, pin: str) -> str:
    place = write_query(
        [],
        at=view.links.place.step if not page.at_step else "",
        cell=view.links.cell,
        head="all" if view.links.place.all_heads else "",
        of=view.beside.moved.ref if view.beside.moved else "",
        turn=view.picture.space.turned if view.picture.space else "",
        hide=",".join(view.controls.hidden),
        pin=pin,
    )
    return f"&{place}" if place else ""


def _kept(presentation: Presentation) -> str:
    """Language and appearance, where they were chosen, for links that stay on the page."""
    wishes = link_options_of(presentation)
    kept = write_query([], lang=wishes.lang, theme=wishes.theme)
    return f"&{kept}" if kept else ""


def _screen(page: SheetRequest) -> str:
    """One step on a whole screen; light, whatever the system wishes, unless dark is asked for."""
    context = {
        **page_frame(page.lang, page.presentation, "sheet"),
        "theme": "dark" if page.presentation.theme == "dark" else "light",
        "screen": project(page.run, page.presentation, page.problems, page.words),
        "wrong": write_query(list(page.typed.items()), **dict(page.presentation.carried)) if page.problems else "",
        "text_lang": page.text_lang,
    }
    return render("projector/page.html", context)
