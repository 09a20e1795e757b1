"""The page of all forms: a small card for each, with a thumbnail of what is special about it."""

from dataclasses import dataclass
from functools import cache

from app.address.address import Address
from app.drawing.thumbnail import Thumbnail, make_thumbnail
from app.glossary import entry_of
from app.run.run import compute
from app.scenario.presets import PRESETS, Preset, fields_of
from app.scenario.table import Scenario


@dataclass(frozen=True, slots=True)
class Card:
    """One form: its key in the catalogues, its link, its thumbnail."""

    name: str
    address: Address
    thumbnail: Thumbnail
    hue: str


@cache
def cards(lang: str) -> dict[str, list[Card]]:
    """The cards by group; made once a language."""
    return {group: [_card(preset, lang) for preset in presets] for group, presets in PRESETS.items()}


def _card(preset: Preset, lang: str) -> Card:
    run = compute(Scenario.from_query(fields_of(preset, lang)))
    address = Address.of(run.query, at=preset.at)
    return Card(preset.name, address, make_thumbnail(run, preset.at), entry_of(preset.at).hue)
