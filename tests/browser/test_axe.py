"""Accessibility: axe finds nothing, in any state, language, theme or size."""

from functools import cache
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

from app.language.words import LANGUAGES
from tests.browser.sheet import Sheet

WORDS = "text=the quick brown fox&n_heads=2"
STATES = {
    "opening": "",
    "weights": f"{WORDS}&at=weights",
    "masked": f"{WORDS}&at=masked&mask=causal",
    "tokens": f"{WORDS}&at=tokens",
    "all-heads": f"{WORDS}&at=weights&head=all",
    "error": f"{WORDS}&w_q=1,2;3",
    "panel": WORDS,
}
SIZES = [(1600, 1000), (390, 844)]
OPTIONS = {"resultTypes": ["violations"], "rules": {"target-size": {"enabled": True}}}


@cache
def axe() -> Any:
    return Axe()


def faults(sheet: Sheet) -> list[str]:
    found = axe().run(sheet.page, options=OPTIONS).response["violations"]
    nodes = [(fault["id"], node) for fault in found for node in fault["nodes"]]
    return [f"{name}: {node['html'][:160]} {node['failureSummary'][:300]}" for name, node in nodes]


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("state", STATES)
def test_axe_finds_nothing(sheet: Sheet, state: str, lang: str, theme: str) -> None:
    sheet.refusals_expected = state == "error"
    sheet.page.emulate_media(color_scheme="dark" if theme == "dark" else "light", reduced_motion="reduce")
    sheet.open(STATES[state], lang)
    if state == "panel":
        sheet.open_group("heads")
    if state == "all-heads":
        sheet.figure_is_drawn()
    if state == "error":
        expect(sheet.page.locator("#error-w_q")).to_be_visible()
    for width, height in SIZES:
        sheet.page.set_viewport_size({"width": width, "height": height})
        assert faults(sheet) == [], (width, height)


def test_axe_finds_nothing_where_there_is_no_page(sheet: Sheet) -> None:
    sheet.refusals_expected = True
    sheet.page.goto("/nowhere?lang=en", wait_until="load")
    assert faults(sheet) == []
    sheet.faults = [fault for fault in sheet.faults if "404" not in fault]
