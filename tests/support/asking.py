"""Ask the application without a network, and read its answers strictly."""

import asyncio
import json
import threading
from collections.abc import Coroutine, Mapping, Sequence
from typing import Any, Self, TypeVar
from urllib.parse import quote

import httpx
import numpy as np
import numpy.typing as npt

from app.language.words import words_of
from app.main import create_app

T = TypeVar("T")
ATTENTION, EXPLAIN, FIGURES = "/api/v1/attention", "/api/v1/attention/explain", "/api/v1/figures/"
PROBLEM = "application/problem+json"
Json = dict[str, Any]


class Api:
    """The application behind a client that waits for its answer; an exception inside it is raised here.

    It runs in a thread of its own, so that a browser test in the same process may have a loop of its own.
    """

    def __enter__(self) -> Self:
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)
        self._thread.start()
        self.app = create_app()
        transport = httpx.ASGITransport(app=self.app)
        self._client = httpx.AsyncClient(transport=transport, base_url="http://haibun.test")
        return self

    def __exit__(self, *_: object) -> None:
        self.wait(self._client.aclose())
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()

    def wait(self, work: Coroutine[Any, Any, T]) -> T:
        return asyncio.run_coroutine_threadsafe(work, self._loop).result()

    def ask(self, method: str, path: str, **more: Any) -> httpx.Response:
        return self.wait(self._client.request(method, path, **more))

    def get(self, path: str, query: str = "", **more: Any) -> httpx.Response:
        return self.ask("GET", f"{path}?{query}" if query else path, **more)

    def post(self, body: bytes, kind: str = "application/json", query: str = "", **headers: str) -> httpx.Response:
        return self.ask("POST", f"{ATTENTION}?{query}", content=body, headers={"content-type": kind, **headers})

    def raw(self, path: str, query: bytes) -> httpx.Response:
        """The answer to a query string of any bytes, which no client would send."""
        request = self._client.build_request("GET", path)
        request.url = _RawUrl(request.url, query)
        return self.wait(self._client.send(request))

    def together(self, paths: Sequence[str]) -> list[bytes]:
        """The answers to requests that are all under way at once."""

        async def gather() -> list[httpx.Response]:
            return await asyncio.gather(*(self._client.get(path) for path in paths))

        return [answer.content for answer in self.wait(gather())]

    def sheet(self, /, **fields: Any) -> Json:
        """The answer to a scenario whose fields are written as in a query string."""
        return good(self.get(ATTENTION, write(fields)))

    def body(self, fields: Mapping[str, Any]) -> Json:
        """The answer to a scenario sent as a JSON object."""
        return good(self.post(json.dumps(fields).encode()))

    def why(self, query: str, step: str, *index: int) -> Json:
        return good(self.get(EXPLAIN, f"{query}&step={step}&index={','.join(map(str, index))}"))

    def figure(self, step: str, /, **fields: Any) -> Json:
        return good(self.get(FIGURES + step, write(fields)))


class _RawUrl(httpx.URL):
    """An address whose query string is sent byte by byte as it stands."""

    def __init__(self, url: httpx.URL, query: bytes) -> None:
        super().__init__(url)
        self._bytes = query

    @property
    def query(self) -> bytes:
        return self._bytes


def write(fields: Mapping[str, Any]) -> str:
    """Fields as a query string; matrices are nested lists."""
    return "&".join(f"{name}={quote(cell(value))}" for name, value in fields.items())


def cell(value: Any) -> str:
    """A value as it stands in a query string; rows by semicolon, numbers by comma."""
    if isinstance(value, list | tuple):
        mark = ";" if isinstance(value[0], list | tuple) else ","
        return mark.join(map(cell, value))
    return str(int(value)) if isinstance(value, bool) else str(value)


def strict(text: str | bytes) -> Any:
    """Read JSON that holds no NaN and no Infinity."""
    return json.loads(text, parse_constant=_refuse)


def _refuse(name: str) -> Any:
    raise AssertionError(f"{name} is no JSON")


def in_words(lang: str, text: str) -> bool:
    """True for a message in the letters of that language: those of its own name."""
    return _is_latin(text) == _is_latin(words_of(lang)("language.name"))


def _is_latin(text: str) -> bool:
    return not any(ord(char) > 0x3000 for char in text)


def good(response: httpx.Response) -> Json:
    """The document of an answer that went well."""
    assert response.status_code == 200, response.text
    assert response.headers["content-type"] == "application/json"
    document: Json = strict(response.content)
    return document


def wrong(response: httpx.Response, *fields: str) -> Json:
    """The document of a refusal: its shape, its size, the fields it names; every message names its field."""
    assert 400 <= response.status_code < 500, response.text
    assert response.headers["content-type"] == PROBLEM
    assert len(response.content) < 8_000
    document: Json = strict(response.content)
    assert set(document) == {"type", "title", "status", "detail", "errors"}
    assert document["status"] == response.status_code
    assert document["errors"]
    for error in document["errors"]:
        assert set(error) - {"offer"} == {"field", "message"}
        assert error["message"] in document["detail"]
    if fields:
        assert tuple(error["field"] for error in document["errors"]) == fields
        assert all(error["field"] in error["message"] for error in document["errors"]), document
    return document


def message(response: httpx.Response, field: str) -> str:
    """The message of a refusal that names one field."""
    text: str = wrong(response, field)["errors"][0]["message"]
    return text


def step(sheet: Json, name: str) -> Json:
    """One step of an answer."""
    found: Json = next(step for step in sheet["steps"] if step["name"] == name)
    return found


def values(sheet: Json, name: str) -> npt.NDArray[np.float64]:
    """The numbers of a step; a hidden score is −∞."""
    return numbers(step(sheet, name)["values"])


def numbers(nested: Any) -> npt.NDArray[np.float64]:
    return np.array(nested, dtype=object).astype(float)  # float("-Infinity") is what it says


def same(got: Any, expected: Any, tolerance: float = 1e-9) -> bool:
    """Equal within a tolerance, absolute plus relative; shapes must be the same, NaN is never the same."""
    left, right = np.asarray(got, dtype=float), np.asarray(expected, dtype=float)
    return left.shape == right.shape and bool(np.allclose(left, right, rtol=tolerance, atol=tolerance))
