"""Packing: what goes out goes out compressed, and is kept that way.

Pages are packed quickly, at the lowest level; files are packed once, so they may be packed well.
"""

import gzip
import hashlib
import re
from collections.abc import Mapping
from functools import cache
from mimetypes import guess_type
from pathlib import Path

import brotli
from starlette.datastructures import Headers
from starlette.responses import HTMLResponse, Response
from starlette.types import ASGIApp, Receive, Scope, Send

_LEVEL = 1
_LARGE = 50_000
"""Bytes from which an answer is compressed by the thread that made it."""


class AcceptedEncodings:
    """Leave in the request only the encodings that its reader takes, so that ``gzip;q=0`` is no gzip for all that follows.

    Source: RFC 9110, section 12.4.2: a weight of 0 means "not acceptable".
    """

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http":
            headers = [(name, _taken(value) if name == b"accept-encoding" else value) for name, value in scope["headers"]]
            scope = {**scope, "headers": headers}
        await self.app(scope, receive, send)


def _taken(accepted: bytes) -> bytes:
    return b",".join(choice for choice in accepted.split(b",") if not _REFUSED.search(choice))


_REFUSED = re.compile(rb";\s*[qQ]\s*=\s*0(?:\.0{0,3})?\s*$")


def pack(page: bytes) -> bytes:
    """Compress a page, always to the same bytes."""
    return gzip.compress(page, _LEVEL, mtime=0)


def packed_response(asked: Headers, packed: bytes, headers: Mapping[str, str]) -> Response:
    """Answer with a compressed page; uncompressed to a reader who does not take gzip."""
    vary = {**headers, "Vary": f"{headers['Vary']}, Accept-Encoding"}
    if _encoding(asked, "gzip"):
        return HTMLResponse(packed, headers={**vary, "Content-Encoding": "gzip"})
    return HTMLResponse(gzip.decompress(packed), headers=vary)


def pack_answer(asked: Headers, answer: Response) -> Response:
    """Compress a large answer where it was made, in a thread, rather than on its way out, where all wait for it."""
    if len(answer.body) < _LARGE or "content-encoding" in answer.headers or not _encoding(asked, "gzip"):
        return answer
    answer.body = pack(bytes(answer.body))
    answer.headers["Content-Encoding"], answer.headers["Content-Length"] = "gzip", str(len(answer.body))
    answer.headers.add_vary_header("Accept-Encoding")
    return answer


def packed_file(path: Path, asked: Headers, changed: int = 0) -> Response:
    """Answer with a file from memory, packed if the reader can. ``changed``: when it was written, where it may change."""
    encoding = _encoding(asked, "br", "gzip")
    headers = {"Vary": "Accept-Encoding", "ETag": f'"{_tag(path, changed)}-{encoding or "identity"}"'}
    if encoding:
        headers["Content-Encoding"] = encoding
    return Response(_packed(path, changed, encoding), media_type=guess_type(path.name)[0], headers=headers)


def _encoding(asked: Headers, *known: str) -> str:
    """The first of these that the reader takes; nothing where he takes none."""
    accepted = asked.get("accept-encoding", "")
    return next((name for name in known if name in accepted), "")


@cache
def _tag(path: Path, changed: int) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()[:10]


@cache
def _packed(path: Path, changed: int, encoding: str) -> bytes:
    content = path.read_bytes()
    if encoding == "br":
        return bytes(brotli.compress(content, quality=5))
    return gzip.compress(content, 6, mtime=0) if encoding == "gzip" else content
