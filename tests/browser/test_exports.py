"""Take it home in a browser: the menu, and the page that opens from the disk without a network."""

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest
from playwright.sync_api import expect

from app.exports import EXPORTS
from app.language.words import LANGUAGES
from tests.browser.conftest import NewContext
from tests.browser.sheet import DIRECT, SAFE, Sheet, squeezed
from tests.browser.test_axe import faults

SCENES = {
    "japanese": "text=犬 が 走る&mask=causal&d_model=4",
    "script": "text=</script> =1%2B1 <b> 👨‍👩‍👧 שלום&split=spaces&mask=causal",
    "direct": DIRECT,
    "edited": "text=the dog runs&edits=scores[0,0,0]=5;mask[0,1]=0",
    "layer": "text=a b c&n_layers=1&mask=causal&position=alibi",
    "blind": "text=a b c&allow=000;010;111",
}
ENDINGS = tuple(EXPORTS)
Open = Callable[..., Sheet]


@pytest.fixture
def from_disk(new_context: NewContext, server: str, tmp_path: Path) -> Iterator[Open]:
    """Opens the page that a scenario is exported to, with the network cut; it must have behaved at the end."""
    opened: list[Sheet] = []

    def open_file(query: str, lang: str = "en") -> Sheet:
        context = new_context()
        address = f"{server}/export.html?{quote(query, safe=SAFE + '%')}&lang={lang}"
        file = tmp_path / f"page-{len(opened)}.html"
        answer = context.request.get(address)
        assert answer.ok, answer.text()
        file.write_bytes(answer.body())
        context.set_offline(True)
        sheet = Sheet(context.new_page(), file.as_uri())
        sheet.page.goto(file.as_uri())
        opened.append(sheet)
        return sheet

    yield open_file
    for sheet in opened:
        assert [fault for fault in sheet.faults if not fault.startswith("left the origin: file:")] == []
        assert [url for url in sheet.requested if not url.startswith(("file:", "data:"))] == []
        assert len([url for url in sheet.requested if url.startswith("file:")]) == 1


def why(sheet: Sheet, server: str, query: str, ref: str, lang: str) -> Any:
    """What the API says of a cell."""
    step, places = ref.rstrip("]").split("[")
    address = f"{server}/api/v1/attention/explain?{quote(query, safe=SAFE + '%')}&step={step}&index={places}&lang={lang}"
    return sheet.page.request.get(address).json()


def says(sheet: Sheet, answer: Any) -> None:
    """The panel says what the API says."""
    page = sheet.page
    expect(page.locator("#why-ref")).to_have_text(f"{answer['step']}[{','.join(map(str, answer['index']))}]")
    expect(page.locator("#why-name")).to_have_text(answer["name"])
    expect(page.locator("#why-value")).to_have_text(answer["text"])
    expect(page.locator("#why-spoken")).to_have_text(f"{answer['name']}: {answer['expression']}")
    expect(page.locator("#why-note")).to_have_text(answer["note"])
    if answer["parts"]:
        assert squeezed(page.locator("#why-sum").text_content() or "") == squeezed(answer["expression"])


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("scene", SCENES)
def test_every_cell_that_is_pressed_says_what_the_api_says(from_disk: Open, server: str, scene: str, lang: str) -> None:
    sheet = from_disk(SCENES[scene], lang)
    online = sheet.page.context.browser.new_context().new_page()  # type: ignore[union-attr]
    cells = sheet.page.locator("button[data-ref]")
    refs = cells.evaluate_all("all => all.map(cell => cell.dataset.ref)")
    for ref in refs[:: max(1, len(refs) // 25)]:
        sheet.page.locator(f'[data-ref="{ref}"]').click()
        says(sheet, why(Sheet(online, server), server, SCENES[scene], ref, lang))
    online.context.close()


def test_the_sum_of_another_cell_would_be_noticed(from_disk: Open, server: str) -> None:
    sheet = from_disk(SCENES["japanese"])
    online = Sheet(sheet.page.context.browser.new_context().new_page(), server)  # type: ignore[union-attr]
    answer = why(online, server, SCENES["japanese"], "scores[0,1,1]", "en")
    other = why(online, server, SCENES["japanese"], "scores[0,1,0]", "en")
    sheet.page.locator('[data-ref="scores[0,1,1]"]').click()
    says(sheet, answer)
    with pytest.raises(AssertionError):
        says(sheet, {**answer, "expression": other["expression"]})
    online.page.context.close()


def test_an_operand_leads_to_its_cell(from_disk: Open) -> None:
    sheet = from_disk(SCENES["japanese"], "ja")
    page = sheet.page
    page.locator('[data-ref="scores[0,2,1]"]').click()
    operand = page.locator("#why-sum [data-to]").first
    expect(operand).to_have_attribute("data-to", "q[0,2,0]")
    operand.click()
    expect(page.locator("#why-ref")).to_have_text("q[0,2,0]")
    expect(page.locator('[data-ref="q[0,2,0]"]')).to_be_focused()
    expect(page.locator('[data-ref="q[0,2,0]"]')).to_be_in_viewport()
    page.keyboard.press("ArrowRight")
    expect(page.locator("#why-ref")).to_have_text("q[0,2,1]")
    page.keyboard.press("ArrowUp")
    expect(page.locator("#why-ref")).to_have_text("q[0,1,1]")


def test_words_stand_as_they_are_and_nothing_is_run(from_disk: Open) -> None:
    sheet = from_disk(SCENES["script"])
    expect(sheet.page.locator("h1 .token")).to_have_text(["</script>", "=1+1", "<b>", "👨‍👩‍👧", "שלום"])
    assert sheet.page.locator("script").count() == 2
    assert sheet.page.locator("h1 b").count() == 0


def test_a_long_page_says_which_steps_show_only_numbers(from_disk: Open) -> None:
    sheet = from_disk("text=" + " ".join(f"word{number}" for number in range(40)))
    left_out = sheet.page.locator("#left-out")
    expect(left_out).to_contain_text("3000")
    for name in ("scores", "weights"):
        expect(left_out).to_contain_text(name)
        assert sheet.page.locator(f"[data-step={name}] button").count() == 0
        assert sheet.page.locator(f"[data-step={name}] .c").count() == 3200
    sheet.page.locator('[data-ref="z[0,39,0]"]').click()
    sheet.page.locator("#why-sum [data-to]").first.click()
    expect(sheet.page.locator("#why-note")).to_contain_text("without its arithmetic")


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("scene", ["japanese", "layer", "edited"])
def test_axe_finds_nothing_in_the_page_from_the_disk(from_disk: Open, scene: str, scheme: str) -> None:
    sheet = from_disk(SCENES[scene], "ja")
    sheet.page.emulate_media(color_scheme="dark" if scheme == "dark" else "light", reduced_motion="reduce")
    sheet.page.locator("button[data-ref]").nth(30).click()
    for width, height in ((1600, 1000), (390, 844)):
        sheet.page.set_viewport_size({"width": width, "height": height})
        assert faults(sheet) == []
        assert sheet.page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_paper_is_white_and_holds_no_panel(from_disk: Open) -> None:
    page = from_disk(SCENES["japanese"]).page
    ink = "getComputedStyle(document.documentElement).getPropertyValue('--ink')"
    light = page.evaluate(ink)
    page.emulate_media(color_scheme="dark")
    assert page.evaluate(ink) != light
    page.emulate_media(color_scheme="dark", media="print")
    assert page.evaluate(ink) == light
    expect(page.locator("aside")).to_be_hidden()


def test_the_menu_opens_and_downloads_by_keyboard(sheet: Sheet) -> None:
    sheet.open("text=the dog runs&mask=causal")
    page = sheet.page
    summary = page.locator(".export summary")
    summary.focus()
    page.keyboard.press("Enter")
    links = page.locator(".export a")
    expect(links).to_have_count(len(ENDINGS))
    expect(links.first).to_be_visible()
    assert faults(sheet) == []
    page.keyboard.press("Tab")
    expect(links.first).to_be_focused()
    for _ in range(3):  # past pixels and the page, to the table
        page.keyboard.press("Tab")
    with page.expect_download() as waiting:
        page.keyboard.press("Enter")
    assert waiting.value.suggested_filename == "haibun-the-dog-runs.csv"
    assert Path(waiting.value.path()).read_bytes().startswith(b'\xef\xbb\xbf"step",')


def test_the_menu_carries_what_is_shown_now(sheet: Sheet) -> None:
    sheet.open("text=the dog runs")
    sheet.type("a cat")
    sheet.shows_words("a", "cat")
    hrefs = sheet.page.locator(".export a").evaluate_all("all => all.map(link => link.getAttribute('href'))")
    assert [re.match(r"/export\.([\w.]+)\?", href)[1] for href in hrefs] == list(ENDINGS)  # type: ignore[index]
    assert all("text=a%20cat" in href for href in hrefs)


def test_the_menu_works_without_scripts(plain_sheet: Sheet) -> None:
    plain_sheet.open("text=犬 が 走る", "ja")
    page = plain_sheet.page
    page.locator(".export summary").click()
    for ending in ENDINGS:
        with page.expect_download() as waiting:
            page.locator(f".export a[href^='/export.{ending}?']").click()
        step = "-scores" if ending == "svg" else ""
        assert waiting.value.suggested_filename == f"haibun-犬-が-走る{step}.{ending}"
        assert Path(waiting.value.path()).stat().st_size > 500


@pytest.mark.parametrize(("width", "height"), [(1600, 1000), (390, 844), (768, 1024)])
def test_the_menu_fits_on_the_screen(sheet: Sheet, width: int, height: int) -> None:
    sheet.page.set_viewport_size({"width": width, "height": height})
    sheet.open("text=犬 が 走る", "ja")
    sheet.page.locator(".export summary").click()
    box = sheet.page.locator(".export .menu").bounding_box()
    assert box
    assert box["x"] >= 0
    assert box["x"] + box["width"] <= width
    assert box["y"] + box["height"] <= height
