"""Take it home: a computed scenario as a file, one module a format."""

from collections.abc import Callable
from dataclasses import dataclass

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

__all__ = ["EXPORTS", "Export", "ExportRequest", "disposition", "picture_name"]


@dataclass(frozen=True, slots=True)
class Export:
    """A format of export: its media type and the function that writes it."""

    kind: str
    make: Callable[[ExportRequest], bytes]
    of_step: bool = False
    """True for a file that holds one step only."""


EXPORTS = {
    "svg": Export("image/svg+xml", make_svg, of_step=True),
    "html": Export("text/html; charset=utf-8", make_html),
    "csv": Export("text/csv; charset=utf-8", make_csv),
    "json": Export("application/json", make_json),
    "npz": Export("application/octet-stream", make_npz),
    "ipynb": Export("application/x-ipynb+json", make_notebook),
    "py": Export("text/x-python; charset=utf-8", make_python),
    "torch.py": Export("text/x-python; charset=utf-8", make_torch),
    "tex": Export("application/x-tex; charset=utf-8", make_tex),
}
"""The formats by the ending of the file, in the order of the menu."""
