"""The command line: what it refuses, what it prints, and that it answers and stops."""

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
    """The first answer, within twenty seconds."""
    end = time.monotonic() + 20
    while True:
        try:
            return httpx.get(address)
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
        assert process.wait(timeout=15) in (0, -signal.SIGTERM)
        with pytest.raises(httpx.TransportError):
            httpx.get(f"{found[0]}healthz")


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
            _, error = process.communicate(timeout=10)
        finally:
            process.kill()
    assert process.returncode == 2
    assert option in error
    assert "Traceback" not in error
    assert len(error) < 1000


def test_help_names_every_option() -> None:
    with start("--help") as process:
        text, _ = process.communicate(timeout=10)
    assert process.returncode == 0
    assert all(option in text for option in ("--host", "--port", "--workers"))


def test_a_port_that_is_taken_is_said_and_not_a_traceback() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        with start("--port", str(taken.getsockname()[1])) as process:
            try:
                _, error = process.communicate(timeout=20)
            finally:
                process.kill()
    assert process.returncode != 0
    assert "address already in use" in error.lower()
    assert "Traceback" not in error
