"""The panel of links: what is shown, as it stands in addresses."""

from dataclasses import dataclass

from app.glossary import TOKENS
from app.pages.sheet.request import SheetRequest
from app.sheet.cells import Place, reference
from app.sheet.steps import write_query


@dataclass(frozen=True, slots=True)
class LinksPanel:
    """The scenario and the place, as all links of the page hold them."""

    query: str
    place: Place
    cell: str
    """The chosen cell as it is written in an address; at the words as points, the vector of the chosen word."""


def make_links(page: SheetRequest) -> LinksPanel:
    """Gather what links hold."""
    place = page.place
    cell = "" if place.step == TOKENS else reference(place.step if page.at_step else "x", place.index)
    return LinksPanel(write_query(page.run.query), place, cell)
