"""Unreadable: what is no HTTP, such as a raw 犬 in an address, or an address of 64 kB, is answered with what to do instead."""

import orjson
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from app.errors import Problem
from app.language.words import choose_language, words_of
from app.web.answers import problem_document

_HEAD = (
    "HTTP/1.1 400 Bad Request\r\ncontent-type: application/problem+json; charset=utf-8\r\n"
    "content-length: {length}\r\nconnection: close\r\n\r\n"
)


class Protocol(HttpToolsProtocol):
    """The server's reader of requests, with an answer in words for what it cannot read."""

    def send_400_response(self, msg: str) -> None:
        """Answer in the caller's language, where that could be read."""
        accept = next((value for name, value in getattr(self, "headers", []) if name == b"accept-language"), b"")
        words = words_of(choose_language(None, accept.decode("latin-1")))
        body = orjson.dumps(problem_document((Problem("request", "unreadable"),), 400, words))
        self.transport.write(_HEAD.format(length=len(body)).encode() + body)
        self.transport.close()
