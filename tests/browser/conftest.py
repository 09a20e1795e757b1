"""The server, the browser, and a sheet that must behave until the end of the test."""

import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, Playwright, expect

from tests.browser.chromium import launch_args
from tests.browser.server import running
from tests.browser.sheet import Sheet
from tests.support.patience import MILLISECONDS

NewContext = Callable[..., Any]

expect.set_options(timeout=MILLISECONDS)


@pytest.fixture(scope="session")
def browser_type_launch_args(playwright: Playwright, browser_type_launch_args: dict[str, Any]) -> dict[str, Any]:
    args = {**browser_type_launch_args, **launch_args()}
    if not Path(args.get("executable_path") or playwright.chromium.executable_path).exists():
        message = "no Chromium: install one, or set CHROMIUM to its path"
        (pytest.fail if os.environ.get("CI") else pytest.skip)(message)
    return args


@pytest.fixture(scope="session")
def server(browser: Browser) -> Iterator[str]:
    """The address of the running server; started only where there is a browser."""
    with running() as started:
        yield started.address


@pytest.fixture(scope="session")
def base_url(server: str) -> str:
    """Where relative addresses lead. (It also stands in for a plugin's fixture that warns under the newest pytest.)"""
    return server


@pytest.fixture(scope="session")
def browser_context_args(browser_context_args: dict[str, Any]) -> dict[str, Any]:
    return {**browser_context_args, "viewport": {"width": 1600, "height": 1000}, "color_scheme": "light"}


@pytest.fixture
def sheet(page: Page, server: str) -> Iterator[Sheet]:
    """A sheet; at the end of the test it must have behaved."""
    made = Sheet(page, server)
    yield made
    assert made.faults == []


@pytest.fixture
def plain_sheet(new_context: NewContext, server: str) -> Iterator[Sheet]:
    """A sheet in a browser that runs no scripts."""
    made = Sheet(new_context(java_script_enabled=False).new_page(), server, scripts=False)
    yield made
    assert made.faults == []
