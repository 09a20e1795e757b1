"""The doorkeeper: what a connection may send before a request is whole, and what is said to the one that sends more."""

import asyncio
import json
from collections.abc import Callable
from contextlib import closing
from typing import Any

import pytest
from starlette.types import Receive, Scope, Send

from app import limits
from app.web.doorkeeper import Doorkeeper

uvicorn = pytest.importorskip("uvicorn")


async def length(scope: Scope, receive: Receive, send: Send) -> None:
    """Answer with the number of bytes in the body."""
    size, more = 0, True
    while more:
        message = await receive()
        if message["type"] == "http.disconnect":
            return
        size, more = size + len(message["body"]), message["more_body"]
    text = str(size).encode()
    await send({"type": "http.response.start", "status": 200, "headers": [(b"content-length", str(len(text)).encode())]})
    await send({"type": "http.response.body", "body": text})


def conversation(*parts: bytes) -> bytes:
    """What a server behind the doorkeeper answers, until it closes or has nothing more to say."""

    async def talk() -> bytes:
        loop = asyncio.get_running_loop()
        config = uvicorn.Config(length, lifespan="off", log_level="critical")
        config.load()
        state = uvicorn.server.ServerState()
        make: Callable[[], Doorkeeper] = lambda: Doorkeeper(config=config, server_state=state, app_state={}, _loop=loop)  # noqa: E731
        server = await loop.create_server(make, "127.0.0.1", 0)
        reader, writer = await asyncio.open_connection(*server.sockets[0].getsockname()[:2])
        with closing(server), closing(writer):
            for part in parts:
                writer.write(part)
                await asyncio.sleep(0.01)
            answer = b""
            while data := await asyncio.wait_for(reader.read(65_536), 20):
                answer += data
            return answer

    return asyncio.run(talk())


def problem(answer: bytes) -> dict[str, Any]:
    head, _, body = answer.partition(b"\r\n\r\n")
    assert b"application/problem+json" in head
    document: dict[str, Any] = json.loads(body)
    assert document["status"] == int(head.split()[1])
    return document


LAST = b"Connection: close\r\n"


def test_requests_pass_whole_in_pieces_and_one_after_the_other() -> None:
    first = b"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 7\r\n\r\n1234567"
    second = b"POST / HTTP/1.1\r\nHost: a\r\n" + LAST + b"Content-Length: 3\r\n\r\nabc"
    answer = conversation(*(bytes([byte]) for byte in first[:30]), first[30:] + second)
    assert [part[-1:] for part in answer.split(b"HTTP/1.1 200 OK")[1:]] == [b"7", b"3"]


def test_a_body_may_be_larger_than_a_head_may_be() -> None:
    body = b"x" * (3 * limits.HEAD)
    assert conversation(b"POST / HTTP/1.1\r\nHost: a\r\n" + LAST + b"Content-Length: %d\r\n\r\n" % len(body), body).endswith(
        str(len(body)).encode()
    )


@pytest.mark.parametrize(
    "head",
    [
        b"GET /" + b"a" * limits.HEAD + b" HTTP/1.1\r\nHost: a\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost: a\r\nX: " + b"a" * limits.HEAD,  # the end of this header never comes
        b"GET / HTTP/1.1\r\nHost: a\r\n" + b"X: 1234567\r\n" * (limits.HEAD // 8),
    ],
    ids=["address", "header", "headers"],
)
def test_a_head_that_is_too_long_is_refused_with_what_to_do(head: bytes) -> None:
    document = problem(conversation(*(head[start : start + 20_000] for start in range(0, len(head), 20_000))))
    assert document["status"] == 431
    assert f"{limits.HEAD // 1000} kB" in document["detail"]


def test_the_bound_is_that_of_one_head_not_of_a_connection() -> None:
    one = b"GET / HTTP/1.1\r\nHost: a\r\nX: " + b"a" * (limits.HEAD * 2 // 3) + b"\r\n"
    answer = conversation(one + b"\r\n", one + LAST + b"\r\n")
    assert answer.count(b"200 OK") == 2


def test_what_is_no_http_is_answered_in_the_language_of_the_caller() -> None:
    document = problem(conversation(b"POST / HTTP/1.1\r\nAccept-Language: ja\r\nHost: a\r\nbad\x01name: x\r\n\r\n"))
    assert document["status"] == 400
    assert "リクエスト" in document["detail"]


@pytest.mark.parametrize(
    "half", [b"GET / HT", b"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 100\r\n\r\nx"], ids=["head", "body"]
)
def test_a_request_that_never_becomes_whole_is_ended(half: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "REQUEST_SECONDS", 0.2)
    assert problem(conversation(half))["status"] == 408


def test_a_connection_that_says_nothing_is_closed_without_a_word(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "REQUEST_SECONDS", 0.2)
    assert conversation() == b""


def test_an_answer_that_takes_long_is_not_cut_off(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "REQUEST_SECONDS", 0.2)

    quick = length

    async def slow(scope: Scope, receive: Receive, send: Send) -> None:
        await asyncio.sleep(0.6)
        await quick(scope, receive, send)

    monkeypatch.setitem(conversation.__globals__, "length", slow)
    request = b"POST / HTTP/1.1\r\nHost: a\r\n" + LAST + b"Content-Length: 2\r\n\r\nab"
    assert conversation(request).endswith(b"2")
