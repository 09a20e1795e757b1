"""The worksheet on a screen and on paper: it prints what it says, on the paper that was chosen, and nothing is cut."""

import re
from typing import Any
from urllib.parse import quote

import pytest
from playwright.sync_api import expect

from tests.browser.sheet import SAFE, Sheet
from tests.browser.test_axe import faults

WORDS = "text=the quick brown fox jumps over lazy dogs&d_model=8&n_heads=1"
LONG = "Donaudampfschifffahrtsgesellschaft サンプリング周波数変換"
SCENES = {
    "opening": "",
    "wide": f"{WORDS}&blanks=step&paper=letter",
    "softmax": f"{WORDS}&mask=causal&cell=weights[0,7,7]",
    "long words": f"text={LONG} a&split=spaces&x=123456.789,-0.001;1,2;3,4&n_heads=1&blanks=all",
    "layer": "text=a b c&n_layers=1&cell=layer.0.activated[0,0]&blanks=step",
}
MEDIA_BOX = {"a4": (595, 842), "letter": (612, 792)}
MM = 96 / 25.4
TOO_WIDE = """() => [...document.querySelectorAll('.on-paper *')].filter(element => {
  const style = getComputedStyle(element);
  const seen = element.clientWidth && style.display !== 'inline' && !element.closest('.unseen, svg');
  return seen && element.scrollWidth > element.clientWidth + 1;
}).map(element => `${element.tagName} ${element.className} ${element.scrollWidth} > ${element.clientWidth}`)"""


def open_worksheet(sheet: Sheet, query: str = "", lang: str = "en") -> None:
    sheet.page.goto(f"{sheet.origin}/worksheet?lang={lang}{'&' if query else ''}{quote(query, safe=SAFE)}")


def pages_of(pdf: bytes) -> list[tuple[int, int]]:
    """The width and height of every page, in points, read off the file itself."""
    boxes = re.findall(rb"/MediaBox\s*\[\s*([^\]]+)\]", pdf)
    return [(round(float(box.split()[2])), round(float(box.split()[3]))) for box in boxes]


def boxes(sheet: Sheet, css: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = sheet.page.locator(css).evaluate_all(
        "all => all.map(one => one.getBoundingClientRect().toJSON())"
    )
    return found


@pytest.mark.parametrize("paper", MEDIA_BOX)
def test_it_prints_on_the_paper_that_was_chosen_with_the_answers_on_a_page_of_their_own(sheet: Sheet, paper: str) -> None:
    open_worksheet(sheet, f"paper={paper}&steps=near")
    whole = pages_of(sheet.page.pdf(prefer_css_page_size=True))
    assert whole == [MEDIA_BOX[paper]] * 2
    open_worksheet(sheet, f"paper={paper}&steps=near&answers=no")
    assert pages_of(sheet.page.pdf(prefer_css_page_size=True)) == [MEDIA_BOX[paper]]


def test_nothing_on_paper_is_cut_or_torn_and_no_control_is_printed(sheet: Sheet) -> None:
    sheet.page.emulate_media(media="print", color_scheme="dark")
    for name, query in SCENES.items():
        letter = "paper=letter" in query
        width, height = (196, 252) if letter else (190, 270)
        sheet.page.set_viewport_size({"width": round(width * MM), "height": 1000})
        open_worksheet(sheet, query)
        assert sheet.page.evaluate(TOO_WIDE) == [], name
        assert sheet.page.evaluate("document.documentElement.scrollWidth <= innerWidth"), name
        assert all(box["height"] <= height * MM for box in boxes(sheet, ".matrix, .cross, .start")), name
        assert not sheet.page.locator(".choices").is_visible()
        assert not sheet.page.locator(".top").is_visible()
        blanks = boxes(sheet, ".blank")
        assert blanks, name
        assert min(box["width"] for box in blanks) >= 10 * MM - 0.5, name
        assert min(box["height"] for box in blanks) >= 8 * MM - 0.5, name
    ground, ink = sheet.page.locator(".on-paper").evaluate(
        "paper => [getComputedStyle(document.body).backgroundColor, getComputedStyle(paper).color]"
    )
    assert ground == "rgba(0, 0, 0, 0)", "a dark screen prints no dark page"
    assert ink == "rgb(26, 27, 32)"


@pytest.mark.parametrize(("lang", "theme", "steps"), [("ja", "dark", "way"), ("en", "light", "near")])
def test_axe_finds_nothing(sheet: Sheet, lang: str, theme: str, steps: str) -> None:
    sheet.refusals_expected = True
    sheet.page.emulate_media(color_scheme="dark" if theme == "dark" else "light", reduced_motion="reduce")
    open_worksheet(sheet, f"text=犬 が 走る&mask=causal&blanks=weights[0,2,0];z[0,1,0]&paper=a3&steps={steps}", lang)
    for width, height in [(1600, 1000), (390, 844)]:
        sheet.page.set_viewport_size({"width": width, "height": height})
        assert faults(sheet) == []
        assert sheet.page.evaluate("document.documentElement.scrollWidth <= innerWidth"), "only the paper scrolls sideways"


def test_without_scripts_levels_are_chosen_and_numbers_pressed(plain_sheet: Sheet) -> None:
    page = plain_sheet.page
    open_worksheet(plain_sheet)
    expect(page.locator(".blank")).to_have_count(3)
    expect(page.locator("[data-print]")).to_be_hidden()
    page.get_by_label("Blanks").first.select_option("step")
    page.get_by_role("button", name="Show").click()
    expect(page.locator(".blank")).to_have_count(9)
    page.locator(".blank button").first.click()
    expect(page.locator(".blank")).to_have_count(8)
    page.locator("button[value='weights[0,0,0]']").click()
    expect(page.locator("[data-step=weights] .blank")).to_have_count(1)
    page.get_by_role("link", name="Back to the sheet").click()
    expect(page.locator(".step")).to_have_attribute("data-step", "scores")


def test_the_print_button_prints(sheet: Sheet) -> None:
    sheet.page.add_init_script("window.print = () => { document.title = 'printed'; }")
    open_worksheet(sheet, lang="ja")
    sheet.page.get_by_role("button", name="印刷").press("Enter")
    expect(sheet.page).to_have_title("printed")
