"""Assets: style sheets, scripts and the Plotly bundle, under versioned addresses that may be kept for ever."""

import hashlib
import os
import re
from functools import cache
from pathlib import Path

import plotly
from fastapi import APIRouter, Request
from plotly.offline import get_plotlyjs_version
from starlette.datastructures import Headers
from starlette.responses import Response
from starlette.staticfiles import NotModifiedResponse, StaticFiles
from starlette.types import Scope

from app.drawing.theme import style_sheet
from app.web.packing import packed_file

router = APIRouter(include_in_schema=False)
_KEEP = "public, max-age=31536000, immutable"
_PLOTLY = Path(plotly.__file__).parent / "package_data" / "plotly.min.js"
PLOTLY_ADDRESS = f"/assets/plotly-{get_plotlyjs_version()}.min.js"


def _folder(name: str) -> Path:
    """A folder of ours: inside the package where it is installed, else beside it in a checkout."""
    app = Path(__file__).parents[1]
    inside = app / "web" / name
    return inside if inside.is_dir() else app.parent / name


TEMPLATES, STATIC = _folder("templates"), _folder("static")


@cache
def asset(name: str) -> str:
    """The address of an asset; it changes when the content changes. Errors: FileNotFoundError."""
    if name == "theme.css":
        return f"/assets/theme.css?v={_digest(style_sheet().encode())}"
    if not (STATIC / name).is_file():
        raise FileNotFoundError(name)
    return f"/static/{_version()}/{name}"


@cache
def _version() -> str:
    """One version for all static files, since scripts load each other by their place in the folder."""
    files = sorted(file for file in STATIC.rglob("*") if file.is_file())
    return "v" + _digest(b"".join(file.relative_to(STATIC).as_posix().encode() + file.read_bytes() for file in files))


def _digest(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()[:10]


class Static(StaticFiles):
    """Static files, packed once and sent from memory, since a class opens them all at once.

    What is asked for as it is now may be kept for ever: ``/static/v0123456789/css/base.css``. Another version, as a page asks
    for that was opened before the server was renewed, is answered with what there is now.
    """

    _VERSION = re.compile(r"v[0-9a-f]{10}[/\\](?=.)")

    def get_path(self, scope: Scope) -> str:
        path = super().get_path(scope)
        version = self._VERSION.match(path)
        return path[version.end() :] if version else path

    def file_response(
        self, full_path: str | os.PathLike[str], stat_result: os.stat_result, scope: Scope, status_code: int = 200
    ) -> Response:
        asked = Headers(scope=scope)
        response = packed_file(Path(full_path), asked, stat_result.st_mtime_ns)
        response.headers["Cache-Control"] = _KEEP if f"/{_version()}/" in scope["path"] else "no-cache"
        return NotModifiedResponse(response.headers) if self.is_not_modified(response.headers, asked) else response


@router.get("/assets/theme.css")
def theme() -> Response:
    """The colours, as custom properties."""
    return Response(style_sheet(), media_type="text/css", headers={"Cache-Control": _KEEP})


@router.get(PLOTLY_ADDRESS)
def plotly_bundle(request: Request) -> Response:
    """Plotly, as its Python package ships it."""
    response = packed_file(_PLOTLY, request.headers)
    response.headers["Cache-Control"] = _KEEP
    return response


@cache
def plotly_style_ids() -> list[str]:
    """The ids of style elements that the bundle would put into the page, had the page none of these ids.

    The page's policy refuses styles that are put in by scripts, so it holds empty elements of these ids instead.
    """
    found = re.findall(rb'getElementById\("([0-9a-f]{64})"\)', _PLOTLY.read_bytes())
    return sorted({name.decode() for name in found})
