"""Take it home: a computed scenario as a file, one module a format."""

from collections.abc import Callable
from dataclasses import dataclass
from itertools import groupby
from typing import Literal

from app.exports.code.notebook import make as make_notebook
from app.exports.code.python_file import make as make_python
from app.exports.code.python_file import make_torch
from app.exports.csv_file import make as make_csv
from app.exports.html_file import make as make_html
from app.exports.json_file import make as make_json
from app.exports.names import disposition, picture_name
from app.exports.npz_file import make as make_npz
from app.exports.request import ExportRequest
from app.exports.svg.file import make as make_svg
from app.exports.tex_file import make as make_tex

__all__ = ["EXPORTS", "MENU", "Export", "ExportRequest", "disposition", "picture_name"]


@dataclass(frozen=True, slots=True)
class Export:
    """A format of export: its group in the menu, its media type and the function that writes it."""

    group: Literal["picture", "data", "code"]
    kind: str
    make: Callable[[ExportRequest], bytes]
    of_step: bool = False
    """True for a file that holds one step only."""
    is_drawn: bool = False
    """True for a file that is light or dark."""
    is_copied: bool = False
    """True for a text that is copied as often as it is saved."""


EXPORTS = {
    "svg": Export("picture", "image/svg+xml", make_svg, of_step=True, is_drawn=True),
    "html": Export("data", "text/html; charset=utf-8", make_html, is_drawn=True),
    "csv": Export("data", "text/csv; charset=utf-8", make_csv),
    "json": Export("data", "application/json", make_json),
    "npz": Export("data", "application/octet-stream", make_npz),
    "ipynb": Export("code", "application/x-ipynb+json", make_notebook),
    "py": Export("code", "text/x-python; charset=utf-8", make_python, is_copied=True),
    "torch.py": Export("code", "text/x-python; charset=utf-8", make_torch, is_copied=True),
    "tex": Export("code", "application/x-tex; charset=utf-8", make_tex),
}
"""The formats by the ending of the file, in the order of the menu."""
MENU = tuple((group, tuple(rows)) for group, rows in groupby(EXPORTS.items(), lambda row: row[1].group))
"""The rows of the menu, group by group."""
