"""One sitting: change a score, see what follows, undo, compare with another mask, take everything home, open it again."""

import io
import json
import re
import zipfile
from pathlib import Path

import numpy as np
from playwright.sync_api import expect

from tests.browser.sheet import Sheet
from tests.browser.test_compare import agrees_with_the_api, change_mask, press, side
from tests.browser.test_edits import cell, change
from tests.browser.test_take import choose, looks, saved

STEPS = ("x", "scores", "masked", "weights", "out")
BEGINS = {
    "json": b'{"query"',
    "csv": "\ufeff".encode(),
    "npz": b"PK",
    "ipynb": b"{",
    "html": b"<!doctype html>",
    "py": b"import math",
    "torch.py": b"import math",
    "tex": rb"\documentclass",
    "svg": b"<?xml",
}


def test_change_undo_compare_take_home_and_open_again(sheet: Sheet) -> None:
    page = sheet.page
    sheet.open("", "ja")
    change(sheet, "scores[0,2,2]", "5")
    expect(cell(sheet, "scores[0,2,2]")).to_have_class(re.compile("edited"))
    marked = page.locator(".stop.changed").evaluate_all("all => all.map(stop => stop.value)")
    assert {"weights", "out"} <= set(marked)
    page.locator("[data-undo]").click()
    expect(page.locator(".stop.changed")).to_have_count(0)
    expect(cell(sheet, "scores[0,2,2]")).to_have_text("3")

    press(sheet, "ピン")
    change_mask(sheet, "causal")
    page.locator("nav.map .stop[value=weights]").click()
    sheet.at("weights")
    agrees_with_the_api(sheet, "weights")
    # 犬 sees itself alone under the mask; without it, it saw three words with scores 3, 6, 3, each divided by √3
    powers = np.exp(np.array([3, 6, 3]) / np.sqrt(3))
    assert side(sheet, "difference")["weights[0,0,0]"] == f"+{1 - powers[0] / powers.sum():.3f}"
    page.locator(".compare-bar a", has_text="ピンを外す").click()
    expect(page.locator(".compare-bar")).to_have_count(0)

    before, canonical = {step: looks(sheet, step) for step in STEPS}, sheet.query
    page.locator(".export summary").click()
    for ending, begins in BEGINS.items():
        content = Path(saved(page, f".export [data-ending='{ending}']").path()).read_bytes()
        assert content.startswith(begins), ending
        if ending == "json":
            kept = content
        if ending == "npz":
            with zipfile.ZipFile(io.BytesIO(content)) as file, file.open("weights.npy") as weights:
                assert np.load(weights)[0, 0].tolist() == [1, 0, 0]
    assert json.loads(kept)["query"] == canonical

    sheet.open("text=another sentence", "ja")
    choose(page, kept)
    expect(page.locator(".step")).to_have_attribute("data-query", canonical)
    assert {step: looks(sheet, step) for step in STEPS} == before
