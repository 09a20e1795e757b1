"""Doorkeeper: bounds what a connection may send before a request is whole, and answers in words what is no HTTP.

It stands between the network and uvicorn's own reader. Both are plain asyncio protocols, and httptools reads the bytes
a second time here, so that nothing inside uvicorn is relied upon.
"""

import asyncio
from typing import Any, cast

import httptools
import orjson
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from app import limits
from app.errors import Problem
from app.language.words import choose_language, words_of
from app.web.answers import problem_document

_STATUS = {400: "Bad Request", 408: "Request Timeout", 431: "Request Header Fields Too Large"}
_HEAD = (
    "HTTP/1.1 {status} {phrase}\r\ncontent-type: application/problem+json; charset=utf-8\r\n"
    "content-length: {length}\r\nconnection: close\r\n\r\n"
)


class Head:
    """Counts the bytes of the present request line and headers; httptools calls its methods as it reads."""

    def __init__(self) -> None:
        self.bytes = 0
        self.reading = False
        """True from the first byte of a request until its headers are complete."""
        self.whole = True
        """True while no request is half received."""
        self.language = b""

    def on_message_begin(self) -> None:
        """Begin with a new request."""
        self.bytes, self.reading, self.whole, self.language = 0, True, False, b""

    def on_url(self, url: bytes) -> None:
        """Count a piece of the address."""
        self.bytes += len(url)

    def on_header(self, name: bytes, value: bytes) -> None:
        """Count a header, and keep the language in which the caller wants to be answered."""
        self.bytes += len(name) + len(value)
        if name.lower() == b"accept-language":
            self.language = value

    def on_headers_complete(self) -> None:
        """The body follows, if there is one."""
        self.reading = False

    def on_message_complete(self) -> None:
        """The request is whole."""
        self.whole = True


class Doorkeeper(asyncio.Protocol):
    """One connection: hands on what is in order, and ends what is too long, too slow, or not HTTP."""

    def __init__(self, **settings: Any) -> None:
        self.inner = HttpToolsProtocol(**settings)
        self.head = Head()
        self.reader = httptools.HttpRequestParser(self.head)
        self.reader.set_dangerous_leniencies(lenient_data_after_close=True)  # as uvicorn reads
        self.pending = 0
        """Bytes received since the head of a request began."""
        self.clock: asyncio.TimerHandle | None = None
        self.closed = False

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Start the clock: a request must be whole in time."""
        self.transport = cast(asyncio.Transport, transport)
        self.inner.connection_made(self.transport)
        self._start_clock()

    def data_received(self, data: bytes) -> None:
        """Look at some bytes, then hand them on."""
        if self.closed:
            return
        self._start_clock()
        if status := self._trouble(data):
            self._refuse(status)
            return
        if self.head.whole:
            self._stop_clock()
        self.inner.data_received(data)

    def eof_received(self) -> None:
        """The other side has sent all it will."""
        self.inner.eof_received()

    def connection_lost(self, exc: Exception | None) -> None:
        """The connection is gone."""
        self._stop_clock()
        self.inner.connection_lost(exc)

    def pause_writing(self) -> None:
        """The other side reads slowly."""
        self.inner.pause_writing()

    def resume_writing(self) -> None:
        """The other side has caught up."""
        self.inner.resume_writing()

    def _trouble(self, data: bytes) -> int:
        """The status with which these bytes are refused, or 0."""
        try:
            self.reader.feed_data(data)
        except httptools.HttpParserUpgrade:
            pass  # nothing here speaks another protocol: the request is answered as it is
        except httptools.HttpParserError:
            return 400
        self.pending = self.pending + len(data) if self.head.reading else 0
        return 431 if max(self.pending, self.head.bytes) > limits.HEAD else 0

    def _refuse(self, status: int) -> None:
        """Answer in the caller's language, as far as it could be read, and close."""
        self.closed = True
        self._stop_clock()
        words = words_of(choose_language(None, self.head.language.decode("latin-1")))
        code = {400: "unreadable", 408: "too_slow", 431: "head_large"}[status]
        problem = Problem("request", code, {"limit": limits.HEAD // 1000, "seconds": limits.REQUEST_SECONDS})
        body = orjson.dumps(problem_document((problem,), status, words))
        self.transport.write(_HEAD.format(status=status, phrase=_STATUS[status], length=len(body)).encode() + body)
        self.transport.close()

    def _start_clock(self) -> None:
        if self.clock is None:
            self.clock = asyncio.get_running_loop().call_later(limits.REQUEST_SECONDS, self._too_slow)

    def _stop_clock(self) -> None:
        if self.clock is not None:
            self.clock.cancel()
            self.clock = None

    def _too_slow(self) -> None:
        """Close a connection that has said nothing; tell one that is in the middle of a request."""
        self.clock = None
        if self.head.whole:
            self.transport.close()
        else:
            self._refuse(408)
