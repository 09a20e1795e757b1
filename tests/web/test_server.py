"""The server's process: it ends soon after its application, and only where it has nothing else to do."""

import asyncio
import threading

import pytest
from fastapi import FastAPI

from app.main import create_app, create_served_app
from app.web import server


def timers(app: FastAPI) -> list[threading.Timer]:
    """What still waits to happen after an application has run."""

    async def live() -> None:
        async with app.router.lifespan_context(app):
            pass

    asyncio.run(live())
    return [thread for thread in threading.enumerate() if isinstance(thread, threading.Timer)]


def test_an_application_inside_another_program_does_not_end_it() -> None:
    assert timers(create_app()) == []


def test_the_served_application_ends_its_process(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(server, "_LEAVING_SECONDS", 3600)
    (leaving,) = timers(create_served_app())
    leaving.cancel()
    leaving.join()
    assert leaving.daemon
