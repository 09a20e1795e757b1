"""Server: whether the port is free, when the server answers, and an end that waits for nobody for long."""

import http.client
import os
import socket
import threading
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress

import uvicorn
from starlette.applications import Starlette

from app import limits

_TRIED = 20
"""Ports tried for a free one."""
_LEAVING_SECONDS = 0.5
"""Seconds from the last answer to the end of the process, whatever other threads still compute."""


class PortTaken(Exception):
    """Another program listens on this port. ``free``: the nearest port on which nobody does, or None."""

    def __init__(self, port: int, free: int | None) -> None:
        super().__init__(f"port {port} is taken")
        self.port, self.free = port, free


def check_port(host: str, port: int) -> None:
    """Make sure that nobody listens there. Errors: PortTaken."""
    if _is_taken(host, port):
        near = range(port + 1, min(port + _TRIED, 65536))
        raise PortTaken(port, next((other for other in near if not _is_taken(host, other)), None))


def _is_taken(host: str, port: int) -> bool:
    family = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0][0]
    try:
        socket.create_server((host, port), family=family).close()
    except OSError:
        return True
    return False


def serve(host: str, port: int, workers: int, ready: Callable[[], None]) -> None:
    """Answer until a signal ends it. ``ready`` is called once, when the first request has been answered."""
    raise_open_files()
    threading.Thread(target=_announce, args=(host, port, ready), daemon=True).start()
    with suppress(KeyboardInterrupt):
        uvicorn.run(
            "app.main:create_served_app",
            factory=True,
            http="app.web.doorkeeper:Doorkeeper",
            ws="none",
            host=host,
            port=port,
            workers=workers,
            log_level="warning",
            timeout_graceful_shutdown=limits.GRACE_SECONDS,
        )


def _announce(host: str, port: int, ready: Callable[[], None]) -> None:
    """Ask until there is an answer, then say so."""
    here = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(host, host)
    while not _answers(here, port):
        time.sleep(0.05)
    ready()


def _answers(host: str, port: int) -> bool:
    try:
        asked = http.client.HTTPConnection(host, port, timeout=5)
        asked.request("GET", "/healthz")
        return asked.getresponse().status == 200
    except (OSError, http.client.HTTPException):
        return False
    finally:
        asked.close()


@asynccontextmanager
async def leave_promptly(app: Starlette) -> AsyncIterator[None]:
    """Let the process end soon after its last answer, even where a thread still computes for a reader who has gone."""
    yield
    leaving = threading.Timer(_LEAVING_SECONDS, os._exit, (0,))
    leaving.daemon = True
    leaving.start()


def raise_open_files() -> None:
    """Ask the system for as many open connections as it allows: some systems begin with 256."""
    with suppress(ImportError, OSError, ValueError):
        import resource

        soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        wanted = limits.OPEN_FILES if hard == resource.RLIM_INFINITY else min(hard, limits.OPEN_FILES)
        if soft != resource.RLIM_INFINITY and soft < wanted:
            resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
