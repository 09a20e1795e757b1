"""Addresses of the sheet: where its links lead. All start from ``here``."""

from typing import Any

from app import limits
from app.address.address import Address
from app.address.fields import Link
from app.address.links import chosen, link_fields, write_link
from app.address.presentation import Presentation
from app.pages.sheet.ready_pairs import ready_pairs
from app.pages.sheet.request import SheetRequest
from app.pages.sheet.view import View


def make_addresses(page: SheetRequest, view: View) -> dict[str, Any]:
    """Gather where the links of the page lead."""
    here, asked = here_of(page, view), page.presentation.travelling(Link.ONWARD)
    onward = {name: text for name, text in asked.items() if name not in ("lang", "theme")}
    return {
        "here": here,
        "asked": here.without("lang", "theme").with_(**asked),
        "onward": onward,
        "address": _own(here, onward),
        "waiting_of": _waiting(page.presentation, view),
        "figure": _figure(page, view),
        "picture_address": here.to("/export.svg").with_(lang=page.lang),
        "pairs": ready_pairs(view.links.query, page.lang),
        "link": write_link("", link_fields(page.run, page.place, _shared(here))),
    }


def here_of(page: SheetRequest, view: View) -> Address:
    """What is shown, for this reader."""
    reader, contrast, moved, space = chosen(page.presentation.reader), view.beside.contrast, view.beside.moved, view.picture.space
    return Address(view.links.query).with_(
        at="" if page.at_step else page.place.step,
        cell=view.links.cell,
        head="all" if page.place.all_heads else "",
        of=moved.ref if moved else "",
        turn=space.turned if space else "",
        hide=",".join(view.controls.hidden),
        pin=contrast.pin if contrast else "",
        lang=reader.lang,
        theme=reader.theme,
    )


def _own(here: Address, onward: dict[str, str]) -> str:
    """The page's own address for the address bar, from what seldom changes to what often does; nothing where it is too long."""
    said = here.said
    address = str(
        Address(here.query).with_(
            lang=said.get("lang", ""),
            theme=said.get("theme", ""),
            **onward,
            **{name: said.get(name, "") for name in ("hide", "head", "at", "turn", "cell", "pin", "of")},
        )
    )
    return address if len(address) <= limits.ADDRESS else ""


def _waiting(presentation: Presentation, view: View) -> str:
    """The cell whose slopes were shown: a sentence that is being typed may have it again."""
    return presentation.beside.of if presentation.form.changed and not view.beside.moved else ""


def _figure(page: SheetRequest, view: View) -> Address:
    """What Plotly draws of the step: one head of it, and of two scenarios one side."""
    place, contrast, moved, space = page.place, view.beside.contrast, view.beside.moved, view.picture.space
    figure = Address(view.links.query).to(f"/api/v1/figures/{place.step}")
    if space:
        return figure.with_(lang=page.lang, cell=view.links.cell, turn=space.turn)
    return figure.with_(
        pin=contrast.pin if contrast else "",
        side="",
        lang=page.lang,
        head=str(place.index[0]) if view.step.heads and not place.all_heads else "",
        of=moved.ref if moved and not contrast else "",
    )


def _shared(here: Address) -> Presentation:
    """What is shown, to be given to others."""
    return Presentation.of(**{name: text for name, text in here.said.items() if name not in ("at", "cell", "head")})
