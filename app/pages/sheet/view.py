"""View: everything the sheet shows of one run, a panel for each part of the page and its own template."""

from dataclasses import dataclass

from app.pages.sheet.beside import BesidePanel, make_beside
from app.pages.sheet.controls import ControlsPanel, make_controls_panel
from app.pages.sheet.links import LinksPanel, make_links
from app.pages.sheet.picture import PicturePanel, make_picture
from app.pages.sheet.request import SheetRequest
from app.pages.sheet.sentence import SentencePanel, make_sentence
from app.pages.sheet.step import StepPanel, make_step_panel
from app.pages.sheet.step_map import MapPanel, make_map_panel
from app.pages.sheet.why import WhyPanel, make_why_panel


@dataclass(frozen=True, slots=True)
class View:
    """The page, all words included."""

    sentence: SentencePanel
    controls: ControlsPanel
    map: MapPanel
    step: StepPanel
    picture: PicturePanel
    why: WhyPanel
    beside: BesidePanel
    links: LinksPanel


def make_view(page: SheetRequest) -> View:
    """Gather what the page shows, panel by panel."""
    beside, step, controls = make_beside(page), make_step_panel(page), make_controls_panel(page)
    sections, picture = make_map_panel(page, beside), make_picture(page, step, beside)
    why, links = make_why_panel(page, step, beside), make_links(page)
    return View(make_sentence(page), controls, sections, step, picture, why, beside, links)
