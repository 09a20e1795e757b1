"""The real server, as its command starts it."""

import http.client
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from tests.support.patience import SECONDS

ROOT = Path(__file__).parents[2]


@dataclass(frozen=True, slots=True)
class Server:
    """A server that answers: where, as which process, and how long it took to start."""

    address: str
    pid: int
    seconds_to_start: float


@contextmanager
def running() -> Iterator[Server]:
    """Start ``python -m app`` on a free port and stop it at the end."""
    port = _free_port()
    start = time.perf_counter()
    with tempfile.TemporaryFile() as log:
        process = subprocess.Popen([sys.executable, "-m", "app", "--port", str(port)], cwd=ROOT, stdout=log, stderr=log)
        try:
            while not _answers(port):
                if process.poll() is not None or time.perf_counter() - start > SECONDS:
                    log.seek(0)
                    raise RuntimeError(f"the server did not start:\n{log.read().decode()}")
                time.sleep(0.02)
            yield Server(f"http://127.0.0.1:{port}", process.pid, time.perf_counter() - start)
        finally:
            process.terminate()
            process.wait(SECONDS)


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def _answers(port: int) -> bool:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=SECONDS)
    try:
        connection.request("GET", "/healthz")
        return connection.getresponse().status == 200
    except OSError:
        return False
    finally:
        connection.close()
