"""The sheet as a page, and the same as a screen for the projector."""

from dataclasses import dataclass, replace
from typing import Any
from urllib.parse import parse_qsl

from starlette.responses import HTMLResponse, Response

from app import limits
from app.address.links import link_fields, link_options_of, write_link
from app.address.presentation import Presentation
from app.errors import Problem
from app.exports import picture_name
from app.language.words import words_of
from app.pages.projector import project
from app.pages.sheet.ready_pairs import ready_pairs
from app.pages.sheet.tables import matrices, slopes, vectors
from app.pages.sheet.view import View, make_view
from app.run.run import Run
from app.sheet.slopes import Influence
from app.sheet.steps import write_query
from app.text.tokens import script_language
from app.web.assets import PLOTLY_ADDRESS, plotly_style_ids
from app.web.frame import HEADERS, page_frame
from app.web.render import render
from app.web.requests import Pairs


@dataclass(frozen=True, slots=True)
class SheetPage:
    """A sheet to be drawn: for whom, what is looked at, what was typed, what was computed, and what is wrong."""

    lang: str
    presentation: Presentation
    typed: dict[str, str]
    run: Run
    problems: list[Problem]
    status: int = 200
    influence: Influence | None = None
    pinned: Run | None = None

    @property
    def text_lang(self) -> str:
        """The language of the sentence, as its script tells it; else the reader's."""
        return script_language("".join(self.run.names_q)) or self.lang


def draw(page: SheetPage) -> Response:
    """The page, or the screen where a projector is asked for."""
    html = _screen(page) if page.presentation.view == "projector" else _sheet(page)
    return HTMLResponse(html, page.status, headers=HEADERS)


def _sheet(page: SheetPage) -> str:
    view = make_view(page.run, page.typed, page.presentation, page.problems, words_of(page.lang), page.influence, page.pinned)
    context = {
        **page_frame(page.lang, page.presentation, "sheet"),
        "view": view,
        "text_lang": page.text_lang,
        "plotly": {"address": PLOTLY_ADDRESS, "styleIds": plotly_style_ids()},
        **_links(page, view),
        **_numbers(page, view),
        **_posting(page, view),
    }
    return render("sheet/page.html", context)


def _links(page: SheetPage, view: View) -> dict[str, Any]:
    """Where the links of the page lead."""
    presentation, pin = page.presentation, view.contrast.pin if view.contrast else ""
    of, turn = view.moved.ref if view.moved else "", view.space.turned if view.space else ""
    carried, wishes = [pair for pair in presentation.carried if pair[0] not in _OWN], link_options_of(presentation)
    picture = write_query([], lang=page.lang, theme=wishes.theme)
    place = _place_query(view, "")
    return {
        "place_query": _place_query(view, pin),
        "place_only": place,
        "ended_query": _place_query(replace(view, moved=None), pin) if view.moved else "",
        "waiting_of": presentation.of
        if presentation.changed and not of
        else "",  # a sentence being typed may have its cell again
        "unpinned": f"{view.query}{place}",
        "kept": _kept(presentation),
        "picture_address": f"/export.svg?{view.query}{_place_query(view, pin)}&{picture}",
        "pairs": ready_pairs(view.query, page.lang),
        "carried": carried,
        "carried_query": write_query(carried),
        "link": write_link("", link_fields(page.run, view.place, link_options_of(presentation, of, pin, turn))),
    }


def _numbers(page: SheetPage, view: View) -> dict[str, Any]:
    """The tokens, and the numbers that stand in plain tables."""
    return {
        "tokens": page.run.tokens,
        "vectors": vectors(page.run),
        "split": page.run.scenario.split,
        "matrices": matrices(view, view.step.values if view.step else []),
        "slopes": slopes(view, page.influence),
    }


def _posting(page: SheetPage, view: View) -> dict[str, Any]:
    """What the scripts need to know of files and of what is too long for an address."""
    return {
        "picture_name": picture_name(page.run.tokens, view.place.step),
        "longest_address": limits.ADDRESS,
        "largest_file": limits.FILE,
        "posted_fields": _posted(page, view) if len(view.query) > limits.ADDRESS else [],
    }


def _posted(page: SheetPage, view: View) -> Pairs:
    """The fields of a form that asks for what is shown, where they are too long for an address."""
    place = parse_qsl(_place_query(view, view.contrast.pin if view.contrast else ""))
    theme = [("theme", page.presentation.theme)] if page.presentation.theme else []
    return [*page.run.query, *place, ("lang", page.lang), *theme]


_OWN = ("hide", "of", "pin", "pinned")
"""What the place writes in its own way."""


def _place_query(view: View, pin: str) -> str:
    place = write_query(
        [],
        at=view.place.step if view.step is None else "",
        cell=view.cell,
        head="all" if view.place.all_heads else "",
        of=view.moved.ref if view.moved else "",
        turn=view.space.turned if view.space else "",
        hide=",".join(view.hidden),
        pin=pin,
    )
    return f"&{place}" if place else ""


def _kept(presentation: Presentation) -> str:
    """Language and appearance, where they were chosen, for links that stay on the page."""
    wishes = link_options_of(presentation)
    kept = write_query([], lang=wishes.lang, theme=wishes.theme)
    return f"&{kept}" if kept else ""


def _screen(page: SheetPage) -> str:
    """One step on a whole screen; light, whatever the system wishes, unless dark is asked for."""
    context = {
        **page_frame(page.lang, page.presentation, "sheet"),
        "theme": "dark" if page.presentation.theme == "dark" else "light",
        "screen": project(page.run, page.presentation, page.problems, words_of(page.lang)),
        "wrong": write_query(list(page.typed.items()), **dict(page.presentation.carried)) if page.problems else "",
        "text_lang": page.text_lang,
    }
    return render("projector/page.html", context)
