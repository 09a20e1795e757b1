"""Take it home in a browser: pictures in pixels, code to the clipboard, long vectors, an exported file opened again."""

import json
import struct
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Download, Page, expect

from tests.browser.chromium import OTHER_HOST
from tests.browser.conftest import NewContext
from tests.browser.sheet import DIRECT, Sheet

LONG = ";".join(",".join(f"{(7 * row + 3 * column) % 41 / 7 - 3:.15f}" for column in range(64)) for row in range(20))
"""Vectors that the page puts into no address."""


def saved(page: Page, selector: str) -> Download:
    with page.expect_download() as waiting:
        page.locator(selector).click()
    return waiting.value


def pixels(file: Path) -> tuple[int, int, set[bytes]]:
    """Width and height of a PNG, and its colours, read without any library."""
    content = file.read_bytes()
    assert content.startswith(b"\x89PNG\r\n\x1a\n")
    width, height = struct.unpack(">II", content[16:24])
    depth, kind = content[24], content[25]
    assert (depth, kind in (2, 6)) == (8, True)
    place, packed = 8, b""
    while place < len(content):
        size, name = struct.unpack(">I4s", content[place : place + 8])
        packed += content[place + 8 : place + 8 + size] if name == b"IDAT" else b""
        place += size + 12
    lines, step = zlib.decompress(packed), 3 if kind == 2 else 4
    row = 1 + width * step
    return width, height, {lines[start : start + row] for start in range(0, len(lines), row)}


def test_a_picture_is_saved_in_pixels_at_twice_its_size(sheet: Sheet) -> None:
    sheet.open("text=犬 が 走る&mask=causal&at=masked", "ja")
    picture = saved(sheet.page, ".step [data-save=svg]")
    assert picture.suggested_filename == "haibun-犬-が-走る-masked.svg"
    svg = Path(picture.path()).read_text("utf-8")
    file = saved(sheet.page, ".step [data-save=png]")
    assert file.suggested_filename == "haibun-犬-が-走る-masked.png"
    width, height, lines = pixels(Path(file.path()))
    assert abs(width - 2 * float(svg.split('width="')[1].split('"')[0])) <= 1
    assert abs(height - 2 * float(svg.split('height="')[1].split('"')[0])) <= 1
    assert len(lines) > 100, "the picture is not blank"


def test_a_figure_of_plotly_is_saved_as_it_stands(sheet: Sheet) -> None:
    sheet.open("text=the dog runs&n_heads=2&at=weights")
    sheet.page.locator(".heads [value=all]").click()
    sheet.figure_is_drawn()
    picture = saved(sheet.page, ".step [data-save=svg]")
    assert picture.suggested_filename == "haibun-the-dog-runs-weights.svg"
    svg = Path(picture.path()).read_text("utf-8")
    assert svg.startswith("<svg")
    assert "Head 2" in svg
    file = saved(sheet.page, ".step [data-save=png]")
    width, height, lines = pixels(Path(file.path()))
    assert min(width, height) > 600
    assert len(lines) > 50
    sheet.page.locator("nav.map .stop[value=space]").click()
    sheet.at("space")
    sheet.figure_is_drawn()
    picture = saved(sheet.page, ".step [data-save=svg]")
    assert picture.suggested_filename == "haibun-the-dog-runs-space.svg"
    assert "runs" in Path(picture.path()).read_text("utf-8")


@pytest.mark.parametrize(("ending", "said"), [("py", "import numpy as np"), ("torch.py", "import torch")])
def test_code_is_copied(sheet: Sheet, server: str, ending: str, said: str) -> None:
    page = sheet.page
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    sheet.open("text=the dog runs")
    page.locator(".export summary").click()
    page.locator(f"[data-copy='{ending}']").click()
    expect(page.locator("[data-copied]")).to_have_text("Copied")
    code = page.evaluate("navigator.clipboard.readText()")
    assert said in code
    assert code == page.request.get(f"{server}/export.{ending}?text=the dog runs&lang=en").text()


@pytest.fixture
def classroom(new_context: NewContext, server: str) -> Iterator[Sheet]:
    """A sheet over plain HTTP under another host name, where there is no clipboard."""
    origin = server.replace("127.0.0.1", OTHER_HOST)
    made = Sheet(new_context().new_page(), origin)
    yield made
    assert made.faults == []


def test_where_there_is_no_clipboard_the_text_stands_selected(classroom: Sheet) -> None:
    page = classroom.page
    classroom.open("text=犬 が 走る", "ja")
    assert page.evaluate("navigator.clipboard === undefined")
    page.locator(".export summary").click()
    page.locator("[data-copy=py]").click()
    field = page.locator("dialog.copying textarea")
    expect(field).to_be_focused()
    whole = "document.activeElement.selectionEnd - document.activeElement.selectionStart === document.activeElement.value.length"
    assert page.evaluate(whole)
    assert "import numpy as np" in field.input_value()
    page.keyboard.press("Control+C")
    expect(page.locator("[data-copied]")).to_have_text("コピーしました")
    page.keyboard.press("Escape")
    expect(page.locator("dialog")).to_have_count(0)
    expect(page.locator("[data-copy=py]")).to_be_focused()
    classroom.at("scores")


def choose(page: Page, content: bytes, name: str = "haibun.json") -> None:
    page.locator("[data-open]").set_input_files({"name": name, "mimeType": "application/json", "buffer": content})


def looks(sheet: Sheet, step: str) -> str:
    """All of a step as it stands on the page, after going there."""
    sheet.page.locator(f"nav.map .stop[value='{step}']").click()
    sheet.at(step)
    return str(sheet.page.locator(".step").evaluate("step => step.outerHTML")) + sheet.page.locator("nav.map").inner_html()


@pytest.mark.parametrize("query", [f"{DIRECT}&edits=scores[0,0,1]=2.5", "text=犬 が 走る&mask=causal&position=rope&d_model=4"])
def test_an_exported_file_opens_as_the_same_sheet(sheet: Sheet, query: str) -> None:
    page = sheet.page
    sheet.open(query)
    steps = page.locator("nav.map .stop").evaluate_all("all => all.map(step => step.value)")[::3]
    before, canonical = [looks(sheet, step) for step in steps], sheet.query
    page.locator(".export summary").click()
    file = Path(saved(page, ".export [data-ending=json]").path()).read_bytes()
    sheet.open("text=another sentence")
    choose(page, file)
    expect(page.locator(".step")).to_have_attribute("data-query", canonical)
    assert [looks(sheet, step) for step in steps] == before
    sheet.agrees_with_the_api()


def test_a_file_dropped_on_the_page_is_opened(sheet: Sheet, server: str) -> None:
    sheet.open("text=one two")
    file = sheet.page.request.get(f"{server}/export.json?text=犬 が 走る&mask=causal").text()
    drop = """([text, name]) => {
        const dataTransfer = new DataTransfer();
        dataTransfer.items.add(new File([text], name));
        const how = { dataTransfer, bubbles: true, cancelable: true };
        const target = document.querySelector("h1");
        target.dispatchEvent(new DragEvent("dragover", how));
        const hint = document.querySelector(".drop-hint")?.textContent;
        target.dispatchEvent(new DragEvent("drop", how));
        return hint;
    }"""
    assert sheet.page.evaluate(drop, [file, "a.json"]) == "Drop the exported .json here"
    sheet.shows_words("犬", "が", "走る")
    expect(sheet.sentence).to_have_value("犬 が 走る")
    expect(sheet.page.locator(".drop-hint")).to_have_count(0)


@pytest.mark.parametrize("text", ["the dog runs", "word " * 17])
def test_two_scenarios_that_are_compared_are_saved_in_one_picture(sheet: Sheet, text: str) -> None:
    sheet.open(f"text={text}&n_heads=1&mask=causal&at=weights&pin=mask=")
    page = sheet.page
    if len(text) > 20:
        expect(page.locator("[data-ready]")).to_have_count(3)
    svg = Path(saved(page, ".step [data-save=svg]").path()).read_text("utf-8")
    assert all(f"<title>{side}: weights" in svg for side in ("A", "B", "B − A"))
    for place in (".step", ".export"):
        if place == ".export":
            page.locator(".export summary").click()
        file = saved(page, f"{place} [data-save=png]")
        assert file.suggested_filename.endswith("-weights.png")
        assert abs(pixels(Path(file.path()))[0] - 2 * float(svg.split('width="')[1].split('"')[0])) <= 1


def test_a_page_without_the_menu_takes_no_files(sheet: Sheet) -> None:
    sheet.open("text=the dog runs&hide=tools")
    expect(sheet.page.locator(".export")).to_have_count(0)
    drag = "new DragEvent('dragover', { dataTransfer: data, bubbles: true, cancelable: true })"
    sheet.page.evaluate(
        f"() => {{ const data = new DataTransfer(); data.items.add(new File(['x'], 'a')); document.body.dispatchEvent({drag}); }}"
    )
    expect(sheet.page.locator(".drop-hint")).to_have_count(0)


OTHERS = {
    b"": "途中で切れています",
    b'{"query": "text=a", "st': "途中で切れています",
    b"\xff\xfe\x00": "JSON ではない",
    b"[1, 2]": "Haibun が書き出したものではありません",
    b"null": "Haibun が書き出したものではありません",
    b'{"query": 5, "steps": []}': "Haibun が書き出したものではありません",
    b'{"query": "text=a&d_model=9999", "steps": []}': "d_model",
}
"""Files that are no export, and what is said of them."""


def test_another_file_is_refused_and_nothing_is_lost(sheet: Sheet) -> None:
    sheet.refusals_expected = True
    sheet.open("text=one two&mask=causal", "ja")
    page = sheet.page
    for content, message in OTHERS.items():
        choose(page, content)
        expect(page.locator(".error", has_text=message).first).to_be_visible()
        sheet.shows_words("one", "two")
        expect(sheet.sentence).to_have_value("one two")
        assert "mask=causal" in sheet.query
    choose(page, b'{"query": "text=three four five&wings=2", "steps": []}')  # of a later version
    expect(page.locator(".notice", has_text="wings")).to_be_visible()
    sheet.shows_words("three", "four", "five")
    sheet.open("text=one two", "ja")
    page.locator(".export").evaluate("menu => { menu.dataset.largest = '0.00001'; }")
    choose(page, b'{"query": "text=a", "steps": []}')
    expect(page.locator("[data-live=errors]")).to_contain_text("大きすぎます（1 MB）")
    sheet.shows_words("one", "two")


def test_a_file_of_another_version_opens_without_what_is_unknown_here(sheet: Sheet) -> None:
    sheet.open("text=one two")
    choose(sheet.page, b'{"query": "text=a&wings=2", "steps": []}')
    sheet.shows_words("a")
    expect(sheet.page.locator(".notice[data-code=unknown]")).to_contain_text("wings")
    assert "wings" not in sheet.address


def test_vectors_too_long_for_an_address_are_opened_and_exported(sheet: Sheet, server: str) -> None:
    page = sheet.page
    fields: dict[str, str | float | bool] = {"x": LONG, "d_model": "64", "n_heads": "2", "mask": "causal", "lang": "en"}
    document: Any = page.request.post(f"{server}/export.json", form=fields).json()
    assert len(document["query"]) > 20_000
    page.context.grant_permissions(["clipboard-write"])
    sheet.open("text=one two")
    choose(page, json.dumps(document).encode())
    expect(page.locator(".step")).to_have_attribute("data-query", document["query"])
    page.locator(".export summary").click()
    table = saved(page, ".export [data-ending=csv]")
    assert table.suggested_filename == "haibun-scores.csv"
    assert Path(table.path()).read_bytes() == page.request.post(f"{server}/export.csv", form=fields).body()
    page.locator("[data-copy=py]").click()
    expect(page.locator("[data-copied]")).to_have_text("Copied")
    page.locator("nav.map .stop[value=weights]").click()
    sheet.figure_is_drawn()
    with page.expect_download() as waiting:
        page.locator(".step [data-save=png]").click()
    assert pixels(Path(waiting.value.path()))[0] > 600
