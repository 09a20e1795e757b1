"""Rendering: the templates, and the few filters that turn values into text and sizes."""

import re
from collections.abc import Mapping
from functools import cache, lru_cache
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup, escape

from app.address.address import Address
from app.core.operations.numbers import show, signed
from app.drawing.formulas import formula_html
from app.drawing.picture import Cell, Grid, Picture
from app.glossary import base_of, entry_of
from app.language.words import words_of
from app.sheet.cells import reference
from app.sheet.why import grouped_parts
from app.text.widths import counted, shorten_name
from app.web.assets import TEMPLATES, asset
from app.web.script_words import script_words

_COLUMNS = 16
"""Columns of cells that stand side by side; matrices that need more stand below each other."""
_PHONE = 19.0
"""What fits side by side on a phone, in rem."""
_KEPT = 200
"""Characters of a control's value up to which its panel is kept."""
_SMALLER = 0.9
"""The size of a slope's letters beside a number's."""


Menu = tuple[tuple[str, tuple[tuple[str, Any], ...]], ...]
"""The groups of the Export menu: name, and for each row the ending of the file and what is known of it."""


def render(template: str, context: Mapping[str, Any]) -> str:
    """Render a template in the language that the context names."""
    return environment(context["lang"]).get_template(template).render(context)


@cache
def environment(lang: str) -> Environment:
    """The templates in one language, with the few filters that turn values into text."""
    env = Environment(
        loader=FileSystemLoader(TEMPLATES),
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=StrictUndefined,
        auto_reload=False,  # the files do not change while the server runs
    )
    env.globals.update(
        _=words_of(lang), lang=lang, asset=asset, panel=_panel, export_menu=_export_menu, script_words=script_words
    )
    env.filters.update(
        symbol=lambda tex: formula_html(tex),
        longest=lambda rows: max((_letters(cell) for row in rows for cell in row), default=1),
        room=_room,
        wide=_is_wide,
        names=lambda grid: _names([grid]),
        base=base_of,
        last_name=lambda step: step.rpartition(".")[2],
        ref=lambda term: reference(term.step, tuple(term.index)),
        hue=lambda step: entry_of(step).hue,
        groups=grouped_parts,
        shorten=shorten_name,
        show=lambda value: show(float(value)),
        signed=signed,
        dashes=_dashes,
        isolate=lambda text: Markup("&#8296;") + text + Markup("&#8297;"),
    )
    return env


def _panel(group: Any, lang: str) -> Markup:
    """Render the panel of a group of controls. Most pages show the same panels, so what is drawn is kept; long values are not."""
    long = any(len(control.value) > _KEPT for control in group.controls)
    return _draw_panel(group, lang) if long else _kept_panel(group, lang)


def _draw_panel(group: Any, lang: str) -> Markup:
    return Markup(environment(lang).get_template("sheet/group.html").render(group=group))


_kept_panel = lru_cache(maxsize=256)(_draw_panel)


def _dashes(drawing: str) -> str:
    """A minus sign in each negative cell of a small heatmap, so that signs do not rest on colour."""
    negative = re.findall(r'class="neg[^"]*" d="([^"]*)"', drawing)
    return re.sub(r"h[^M]*", "m.27 .44h.34", "".join(negative))


def _export_menu(here: Address, posted: bool, lang: str, theme: str, menu: Menu) -> Markup:
    """The Export menu; all pages show the same one but for the query in its links. Where a form is posted it has buttons."""
    query = "" if posted else here.without("lang", "theme").written
    return Markup(_kept_menu(posted, lang, theme, menu).replace(_ADDRESS, escape(query)))


_ADDRESS = "HERE-STANDS-THE-QUERY"


@cache
def _kept_menu(posted: bool, lang: str, theme: str, menu: Menu) -> str:
    here = Address(_ADDRESS).with_(lang=lang, theme=theme)
    return environment(lang).get_template("sheet/export_menu.html").render(here=here, posted=posted, menu=menu)


def _room(picture: Picture) -> str:
    """How many columns stand side by side and how wide names and numbers are, for the style sheet to share out the space."""
    grids = [grid for grid in (picture.left, *picture.parts, picture.result) if grid]
    drawn = [*grids, *([picture.above] if picture.above else [])]
    columns = [len(grid.columns) for grid in grids]
    abreast = picture.layout == "product" or sum(columns) <= _COLUMNS
    longest = max(_letters(cell) for grid in drawn for row in grid.cells for cell in row)
    room = {
        "columns": sum(columns) if abreast else max(columns),
        "grids": len(grids) if abreast else 1,
        "widest": max(len(grid.columns) for grid in drawn),
        "longest": longest,
        "names-left": _names([picture.left] if picture.left else picture.parts or grids),
        "names-right": _names([picture.result, *([picture.above] if picture.above else [])]),
        "names": _names(drawn),
        "all-names": sum(_names([grid]) for grid in grids) if abreast else _names(grids),
    }
    return ";".join(f"--{name}:{value:g}" for name, value in room.items())


def _letters(cell: Cell) -> float:
    """How many letters of the usual size a cell must hold: its number, and under it a slope in smaller letters."""
    return max(len(cell.text), len(cell.slope) * _SMALLER)


def _is_wide(picture: Picture) -> bool:
    """True where a product does not fit beside itself on a phone, so that its matrices stand below each other there."""
    grids = [grid for grid in (picture.left, picture.result) if grid]
    longest = max(_letters(cell) for grid in grids for row in grid.cells for cell in row)
    return sum(len(grid.columns) for grid in grids) * max(2.3, longest * 0.5) + sum(_names([grid]) for grid in grids) > _PHONE


def _names(grids: list[Grid]) -> float:
    """The width of the grids' row names, in letters; a kana or kanji counts one, a Latin letter less."""
    widths = [counted(line, 0.64) for grid in grids for name in grid.rows for line in name.split("\n")]
    return min(7.0, max(widths, default=1.0))
