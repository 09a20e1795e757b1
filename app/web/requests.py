"""What comes in: the fields of a query string and of a JSON body, read strictly and within bounds."""

import json
from dataclasses import dataclass
from typing import Any
from urllib.parse import parse_qsl

from starlette.requests import Request

from app import limits
from app.errors import refuse
from app.language.words import choose_han, choose_language
from app.scenario.table import clean
from app.web.lane import read_aside

Pairs = list[tuple[str, str]]


def query_pairs(request: Request) -> Pairs:
    """Read the fields of the query string of a request. Errors: Refusal where it is too long or not UTF-8."""
    path = request.scope["path"]
    return read_query(request.scope["query_string"], path if path.startswith("/export.") else _POSTED_TO)


_POSTED_TO = "/api/v1/attention"


def read_query(raw: bytes, path: str = _POSTED_TO) -> Pairs:
    """Read a query string. Errors: Refusal where it is not UTF-8, or too long: then it can be posted to ``path``."""
    if len(raw) > limits.QUERY:
        raise refuse("query", "query_long", 414, length=len(raw), limit=limits.QUERY, path=path)
    return _pairs(raw)


def is_form(request: Request) -> bool:
    """True for a form that was posted, false for JSON."""
    return request.headers.get("content-type", "").startswith("application/x-www-form-urlencoded")


async def form_pairs(request: Request) -> Pairs:
    """Read the fields of a posted form, such as a query too long for an address. Errors: Refusal as for a query."""
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind != "application/x-www-form-urlencoded":
        raise refuse("body", "content_type_form", 415)
    body = await _body(request)
    return await read_aside(request, len(body), _pairs, body)


def typed_pairs(request: Request) -> Pairs:
    """Read what was typed, however wrong, so that the form can show it again."""
    raw = request.scope["query_string"].decode("utf-8", "replace")
    return parse_qsl(raw, keep_blank_values=True, errors="replace")


def _pairs(raw: bytes) -> Pairs:
    text = raw.decode("utf-8", "surrogateescape")
    pairs = parse_qsl(text, keep_blank_values=True, encoding="utf-8", errors="surrogateescape")
    for name, value in pairs:
        if any(0xD800 <= ord(char) <= 0xDFFF for char in name + value):
            raise refuse("query", "encoding", 400)
    return pairs


def language_of(request: Request) -> str:
    """The reader's language, found even where the rest of the request cannot be read."""
    return choose_language(_wanted(request), request.headers.get("accept-language", ""))


def han_language_of(request: Request, asked: str = "") -> str:
    """For whom shared Chinese characters are drawn; ``asked``: the language that a posted form asks for."""
    wanted, accept = asked or _wanted(request), request.headers.get("accept-language", "")
    return choose_han(choose_language(wanted, accept), wanted, accept)


def _wanted(request: Request) -> str | None:
    raw = request.scope["query_string"][: limits.QUERY].decode("latin-1")
    return getattr(request.state, "lang", None) or dict(parse_qsl(raw)).get("lang")


def remember_language(request: Request, wanted: str | None) -> None:
    """Keep the language that a body asks for, so that what is refused later is said in it too."""
    request.state.lang = wanted


async def json_fields(request: Request) -> dict[str, Any]:
    """Read the fields of a JSON body. Errors: Refusal for a wrong type, encoding or size, or for what is no JSON object."""
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind != "application/json" and not (kind.startswith("application/") and kind.endswith("+json")):
        raise refuse("body", "content_type", 415)
    body = await _body(request)
    fields = await read_aside(request, len(body), _parse, body)
    if not isinstance(fields, dict):
        raise refuse("body", "body_not_object")
    return fields


async def _body(request: Request) -> bytes:
    body = bytearray()
    async for chunk in request.stream():
        body += chunk
        if len(body) > limits.BODY:
            raise refuse("body", "body_large", 413, limit=limits.BODY)
    return bytes(body)


def _parse(body: bytes) -> Any:
    try:
        text = body.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise refuse("body", "encoding", 400) from None
    if not text.strip():
        raise refuse("body", "body_empty", 400)
    try:
        fields = json.loads(text, parse_constant=_NotFinite, parse_int=_whole, object_pairs_hook=_no_twins)
    except (json.JSONDecodeError, RecursionError):
        raise refuse("body", "body_json", 400) from None
    named = isinstance(fields, dict)
    for name, value in fields.items() if named else [("body", fields)]:
        if found := _not_finite(value):
            raise refuse(clean(name), "not_finite", 422 if named else 400, given=found.name)
    return fields


@dataclass(frozen=True, slots=True)
class _NotFinite:
    """NaN or Infinity, which Python reads in JSON though JSON has none."""

    name: str


def _not_finite(value: Any) -> _NotFinite | None:
    """Find the first one in a field's value, however deep."""
    left = [value]
    while left:
        item = left.pop()
        if isinstance(item, _NotFinite):
            return item
        if isinstance(item, list | dict):
            left.extend(reversed(item if isinstance(item, list) else list(item.values())))
    return None


def _whole(digits: str) -> int:
    """A whole number; one of hundreds of digits is out of any range and need not be converted."""
    return int(digits[:400])


def _no_twins(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    fields: dict[str, Any] = {}
    for name, value in pairs:
        if name in fields:
            raise refuse(clean(name), "given_twice")
        fields[name] = value
    return fields
