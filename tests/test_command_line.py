"""The command line: what it refuses, what it prints, and that it answers and stops."""

import json
import re
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest
import segno

from app import __main__ as command
from app.web import lan
from app.web.qr import terminal_qr
from tests.support.patience import SECONDS

ROOT = Path(__file__).parents[1]


def start(*arguments: str) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "app", *arguments]
    return subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


@contextmanager
def running(*arguments: str) -> Iterator[subprocess.Popen[str]]:
    """The server, ended at the end whatever happened."""
    with start(*arguments) as process:
        try:
            yield process
        finally:
            process.kill()


def free_port() -> int:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return int(found.getsockname()[1])


def wait_for(address: str) -> httpx.Response:
    """The first answer."""
    end = time.monotonic() + SECONDS
    while True:
        try:
            return httpx.get(address, timeout=SECONDS)
        except httpx.TransportError:
            if time.monotonic() > end:
                raise
            time.sleep(0.05)


@pytest.mark.parametrize("workers", ["1", "2"])
def test_it_prints_its_address_answers_and_stops(workers: str) -> None:
    port = free_port()
    with running("--port", str(port), "--workers", workers) as process:
        assert process.stdout
        line = process.stdout.readline()
        found = re.search(r"http://\S+", line)
        assert found
        assert found[0] == f"http://127.0.0.1:{port}/"
        assert wait_for(f"{found[0]}healthz").json() == {"status": "ok"}
        assert wait_for(f"{found[0]}api/v1/attention?text=a").status_code == 200
        process.send_signal(signal.SIGTERM)
        assert process.wait(timeout=SECONDS) in (0, -signal.SIGTERM)
        with pytest.raises(httpx.TransportError):
            httpx.get(f"{found[0]}healthz")


@pytest.mark.parametrize(
    ("target", "more", "status", "said"),
    [
        ("/?text=犬", "", 400, "percent-encoded"),
        (f"/api/v1/attention?x={'1,2;' * 17_000}", "", 431, "send what is longer with POST"),
    ],
)
def test_what_is_no_http_is_answered_with_what_to_do_instead(target: str, more: str, status: int, said: str) -> None:
    port = free_port()
    with running("--port", str(port)):
        wait_for(f"http://127.0.0.1:{port}/healthz")
        with socket.create_connection(("127.0.0.1", port), timeout=SECONDS) as line:
            line.sendall(f"GET {target} HTTP/1.1\r\nHost: a\r\n{more}\r\n".encode())
            answer = b"".join(iter(lambda: line.recv(65_536), b"")).decode()
        head, _, body = answer.partition("\r\n\r\n")
        assert head.startswith(f"HTTP/1.1 {status} ")
        assert "application/problem+json" in head
        problem = json.loads(body)
        assert said in problem["detail"]
        assert problem["errors"] == [{"field": "request", "message": problem["detail"]}]
        assert wait_for(f"http://127.0.0.1:{port}/healthz").status_code == 200


@pytest.mark.parametrize(
    ("option", "text"),
    [
        *(("--port", text) for text in ("0", "65536", "-1", "x", "80.5", "８０", "9" * 5000)),
        *(("--workers", text) for text in ("0", "65", "many", "9" * 5000)),
        ("--host", ""),
        ("--host", "not a host"),
        ("--host", "999.1.1.1"),
    ],
    ids=lambda text: text[:12],
)
def test_an_option_that_cannot_be_is_refused_by_name(option: str, text: str) -> None:
    with start(f"{option}={text}") as process:
        try:
            _, error = process.communicate(timeout=SECONDS)
        finally:
            process.kill()
    assert process.returncode == 2
    assert option in error
    assert "Traceback" not in error
    assert len(error) < 1000


def test_help_names_every_option() -> None:
    with start("--help") as process:
        text, _ = process.communicate(timeout=SECONDS)
    assert process.returncode == 0
    assert all(option in text for option in ("--host", "--lan", "--port", "--workers"))


def test_a_port_that_is_taken_is_said_and_not_a_traceback() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = int(taken.getsockname()[1])
        with start("--port", str(port)) as process:
            try:
                text, error = process.communicate(timeout=SECONDS)
            finally:
                process.kill()
    assert process.returncode == 1
    assert text == "", "no address is printed that leads to another server"
    found = re.search(rf"Port {port} is taken .* Try: --port (\d+)\n", error)
    assert found
    assert int(found[1]) > port
    assert "Traceback" not in error


def test_an_address_that_is_printed_answers_at_once() -> None:
    port = free_port()
    with running("--port", str(port)) as process:
        assert process.stdout
        process.stdout.readline()
        assert httpx.get(f"http://127.0.0.1:{port}/healthz").status_code == 200


@pytest.mark.parametrize("workers", ["1", "2"])
def test_half_a_body_does_not_keep_the_server_from_ending(workers: str) -> None:
    port = free_port()
    with running("--port", str(port), "--workers", workers) as process:
        assert process.stdout
        process.stdout.readline()
        with socket.create_connection(("127.0.0.1", port)) as line:
            line.sendall(b"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 100\r\n\r\nx")
            assert httpx.get(f"http://127.0.0.1:{port}/healthz").status_code == 200
            process.send_signal(signal.SIGTERM)
            assert process.wait(timeout=SECONDS) in (0, -signal.SIGTERM)


def test_a_room_is_told_its_address_and_its_code(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setenv(lan.PORT, "")
    monkeypatch.setenv("LC_ALL", "en_US.UTF-8")
    monkeypatch.setattr(lan, "addresses", lambda: ["192.168.1.5", "10.0.0.7"])
    command._let_pages_know(8123)
    command._open_to_the_room(8123)
    said = capsys.readouterr().out
    assert "In this room: http://192.168.1.5:8123/\n" in said
    assert terminal_qr("http://192.168.1.5:8123/", coloured=False) in said
    assert re.search(r"try: http://10\.0\.0\.7:8123/\n", said)
    assert lan.open_port() == 8123  # the pages read it


@pytest.mark.parametrize(("language", "part"), [("ja_JP.UTF-8", "つながっていません"), ("C", "not connected to any network")])
def test_a_machine_without_a_network_is_told_so(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], language: str, part: str
) -> None:
    monkeypatch.setenv(lan.PORT, "")
    monkeypatch.setenv("LC_ALL", language)
    monkeypatch.setattr(lan, "addresses", list)
    command._open_to_the_room(8123)
    said = capsys.readouterr().out
    assert part in said
    assert "http" not in said
    assert "█" not in said


def test_the_code_for_a_terminal_is_the_code_of_the_link() -> None:
    lines = terminal_qr("http://192.168.1.5:8000/", coloured=False).split("\n")
    halves = {" ": "11", "█": "00", "▀": "01", "▄": "10"}  # light is drawn, dark is left out
    pairs = [[halves[char] for char in line] for line in lines]
    drawn = [[int(pair[half]) for pair in row] for row in pairs for half in (0, 1)]
    matrix = [list(row) for row in segno.make_qr("http://192.168.1.5:8000/", error="l").matrix]
    assert [row[4:-4] for row in drawn[4 : 4 + len(matrix)]] == matrix
    coloured = terminal_qr("http://192.168.1.5:8000/", coloured=True)
    assert re.sub(r"\x1b\[[\d;]*m", "", coloured).split("\n") == lines


def test_it_listens_to_the_whole_room() -> None:
    port = free_port()
    with running("--lan", "--port", str(port)) as process:
        assert process.stdout
        assert process.stdout.readline() == f"Haibun: http://localhost:{port}/\n"
        for address in ["127.0.0.1", *lan.addresses()]:
            assert wait_for(f"http://{address}:{port}/healthz").status_code == 200
        page = wait_for(f"http://localhost:{port}/class?text=a&lang=en").text
        assert "--lan" not in page


def test_one_address_and_the_whole_room_cannot_both_be_asked_for() -> None:
    with start("--lan", "--host=127.0.0.1") as process:
        _, error = process.communicate(timeout=SECONDS)
    assert process.returncode == 2
    assert "--lan" in error
