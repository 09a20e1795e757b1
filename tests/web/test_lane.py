"""The lane: big work one piece at a time, and never for a reader who has gone; small work does not wait for it."""

import asyncio
import gzip
import threading
import time
from collections.abc import Callable
from typing import Any
from urllib.parse import parse_qsl

import anyio
import httpx
import pytest

from app.main import create_app
from app.pages import downloads
from app.run.run import Run, compute
from app.scenario.table import Scenario
from app.web.lane import GONE, is_large
from tests.support.asking import Api
from tests.support.patience import SECONDS

SMALL = ["text=a b c", "text=the dog runs over the hill", "text=犬が走る", "q=1,0;0,1&k=1,0;0,1&v=1;2", "text=a b c&n_layers=2"]
LARGE = [
    "text=a b c d e f g h i j k l m n o p q r",
    "text=abcdefghijklmnopqrstu&split=characters",
    "text=" + "犬" * 20,
    "text=a b c&n_layers=4&n_experts=8",
    "text=a b c d e f g&mechanism=tiled&tile_q=1&tile_k=1",
    "text=a b c d e f g h i&pin=mask=causal",
    "text=a&good=text%3D" + "a+" * 30,
    "text=a b c d e f g&n_layers=9999&mechanism=nothing",  # refused or not
    "x=" + ";".join(["1,2"] * 20).replace(";", "%3B"),
]


def fields(query: str) -> dict[str, object]:
    return dict(parse_qsl(query))


@pytest.mark.parametrize("query", SMALL)
def test_a_sentence_of_a_few_words_does_not_wait(query: str) -> None:
    assert not is_large(fields(query))


@pytest.mark.parametrize("query", LARGE)
def test_what_takes_far_longer_waits_for_its_turn(query: str) -> None:
    assert is_large(fields(query))


@pytest.mark.parametrize("value", ["", "x", "-1", "9" * 400, None, 1.5, [], {}, True])
@pytest.mark.parametrize("name", ["text", "n_layers", "n_experts", "mechanism", "split", "x", "pin", "good"])
def test_anything_at_all_can_be_estimated(name: str, value: object) -> None:
    assert is_large({"text": "a b", name: value}) in (True, False)


class Stop:
    """A computation that waits until it is let go, and counts how many do so at once."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.begun, self.at_once, self.most, self.go = 0, 0, 0, threading.Event()
        monkeypatch.setattr(downloads, "compute", self.compute)

    def compute(self, scenario: Scenario) -> Run:
        self.begun += 1
        self.at_once += 1
        self.most = max(self.most, self.at_once)
        self.go.wait(SECONDS)
        self.at_once -= 1
        return compute(scenario)


async def until(true: Callable[[], bool]) -> None:
    with anyio.fail_after(SECONDS):
        while not true():
            await asyncio.sleep(0.005)


def test_files_are_made_one_at_a_time_and_a_small_sheet_passes_them(monkeypatch: pytest.MonkeyPatch) -> None:
    stop = Stop(monkeypatch)

    async def ask() -> list[int]:
        transport = httpx.ASGITransport(app=create_app())
        async with httpx.AsyncClient(transport=transport, base_url="http://haibun.test") as client:
            files = [asyncio.create_task(client.get(f"/export.csv?text=a b {number}")) for number in range(60)]
            await until(lambda: stop.begun == 1)
            sheet = await client.get("/?text=a b")
            assert (sheet.status_code, stop.begun) == (200, 1)
            stop.go.set()
            return [(await file).status_code for file in files]

    assert asyncio.run(ask()) == [200] * 60
    assert (stop.begun, stop.most) == (60, 1)


def test_what_waits_is_never_begun_for_a_reader_who_has_gone(monkeypatch: pytest.MonkeyPatch) -> None:
    stop = Stop(monkeypatch)

    async def ask() -> list[int]:
        app, left = create_app(), asyncio.Event()
        tasks = [asyncio.create_task(answered(app, None))]
        await until(lambda: stop.begun == 1)
        tasks += [asyncio.create_task(answered(app, left)) for _ in range(40)]
        await until(lambda: app.state.lane.statistics().tasks_waiting == 40)
        left.set()
        stop.go.set()
        return await asyncio.gather(*tasks)

    assert asyncio.run(ask()) == [200] + [GONE] * 40
    assert stop.begun == 1


async def answered(app: Any, left: asyncio.Event | None) -> int:
    """The status of an answer to a reader who hangs up when ``left`` is set."""
    statuses: list[int] = []
    asked = iter([{"type": "http.request", "body": b"", "more_body": False}])

    async def receive() -> dict[str, Any]:
        if left and left.is_set():
            return {"type": "http.disconnect"}
        if message := next(asked, None):
            return message
        await asyncio.Event().wait()
        raise AssertionError

    async def send(message: dict[str, Any]) -> None:
        statuses.extend([message["status"]] if "status" in message else [])

    headers = [(b"host", b"haibun.test")]
    scope = {"type": "http", "method": "GET", "path": "/export.csv", "raw_path": b"/export.csv", "query_string": b"text=a+b"}
    scope |= {"headers": headers, "scheme": "http", "http_version": "1.1", "server": ("haibun.test", 80), "root_path": ""}
    await app(scope, receive, send)
    return statuses[0]


@pytest.mark.parametrize("path", ["/export.html", "/worksheet", "/api/v1/attention"])
def test_a_large_answer_is_the_same_packed_and_unpacked(api: Api, path: str) -> None:
    query = "text=a b c d e f g h i j k l m n o p q r"
    plain = api.get(path, query, headers={"accept-encoding": "identity"})
    packed = api.get(path, query, headers={"accept-encoding": "gzip"})
    assert "content-encoding" not in plain.headers
    assert packed.headers["content-encoding"] == "gzip"
    assert "accept-encoding" in packed.headers["vary"].lower()
    assert packed.content == plain.content
    assert int(packed.headers["content-length"]) < len(gzip.compress(plain.content, 1)) * 1.5


def test_a_long_body_is_read_aside_of_the_loop(api: Api) -> None:
    body = b'{"text": "a b", ' + b",".join(b'"f%d": 1' % number for number in range(80_000)) + b"}"

    async def asleep() -> float:
        most, sent = (
            0.0,
            asyncio.create_task(
                api._client.post("/api/v1/attention", content=body, headers={"content-type": "application/json"})
            ),
        )
        while not sent.done():
            before = time.thread_time()
            await asyncio.sleep(0)
            most = max(most, time.thread_time() - before)
        assert (await sent).status_code == 422
        return most

    longest = api.wait(asleep())
    assert longest < 0.1, longest
