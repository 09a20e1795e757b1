"""The page fits: phones, tablets, laptops; fingers, keyboards, and eyes that want no motion."""

import pytest

from app.language.words import LANGUAGES
from tests.browser.sheet import Sheet

SIZES = [(390, 844), (768, 1024), (1600, 1000)]
SENTENCES = {
    3: "the dog runs",
    8: "the quick brown fox jumps over lazy dogs",
    16: "one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen",
}
STEPS = ["tokens", "x", "q", "scores", "masked", "weights", "concat", "out"]
WIDE = "[document.documentElement.scrollWidth, innerWidth]"


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("count", SENTENCES)
def test_no_page_scrolls_sideways(sheet: Sheet, count: int, lang: str) -> None:
    too_wide = []
    sheet.open(f"text={SENTENCES[count]}&mask=causal&at=tokens", lang)
    for step in STEPS:
        sheet.page.locator(f".stop[value={step}]").evaluate("button => button.click()")
        sheet.at(step)
        for width, height in SIZES:
            sheet.page.set_viewport_size({"width": width, "height": height})
            scroll, inner = sheet.page.evaluate(WIDE)
            if scroll > inner:
                too_wide.append((step, width, scroll))
    assert too_wide == []


@pytest.mark.parametrize(
    "query", ["text=the dog runs&head=all&at=weights", f"text={SENTENCES[16]} more&at=weights", "text=" + "a" * 300]
)
def test_figures_and_long_words_fit_too(sheet: Sheet, query: str) -> None:
    for width, height in SIZES:
        sheet.page.set_viewport_size({"width": width, "height": height})
        sheet.open(query)
        if sheet.page.locator(".figure").count():
            sheet.figure_is_drawn()
        scroll, inner = sheet.page.evaluate(WIDE)
        assert scroll <= inner


@pytest.mark.parametrize("count", SENTENCES)
@pytest.mark.parametrize("step", ["q", "scores", "weights"])
def test_every_cell_is_large_enough_for_a_finger(sheet: Sheet, step: str, count: int) -> None:
    for width, height in SIZES:
        sheet.page.set_viewport_size({"width": width, "height": height})
        sheet.open(f"text={SENTENCES[count]}&at={step}")
        sizes = sheet.page.locator(".grid .c").evaluate_all("all => all.map(cell => [cell.offsetWidth, cell.offsetHeight])")
        assert min(min(size) for size in sizes) >= 24


@pytest.mark.parametrize("count", SENTENCES)
def test_no_number_is_cut_off(sheet: Sheet, count: int) -> None:
    cut = "all => all.filter(cell => cell.scrollWidth > cell.clientWidth).map(cell => cell.value + ' ' + cell.textContent)"
    for width, height in SIZES:
        sheet.page.set_viewport_size({"width": width, "height": height})
        for step in ("scores", "weights"):
            sheet.open(f"text={SENTENCES[count]}&at={step}")
            assert sheet.page.locator(".grid .c").evaluate_all(cut) == []


FOCUS = """() => {
  const here = document.activeElement;
  const style = getComputedStyle(here);
  const box = here.getBoundingClientRect();
  const middle = (low, high, most) => (Math.max(low, 0) + Math.min(high, most)) / 2;  // of the part that is in the window
  const top = document.elementFromPoint(middle(box.left, box.right, innerWidth), middle(box.top, box.bottom, innerHeight));
  return {
    what: `${here.tagName} ${here.className} ${here.name || ''} ${here.value || ''}`,
    seen: parseFloat(style.outlineWidth) >= 2 && style.outlineStyle !== 'none',
    covered: !(top && (here.contains(top) || top.contains(here))),
    body: here === document.body,
  };
}"""


@pytest.mark.parametrize(("width", "height"), [(1600, 1000), (390, 844)])
def test_the_focus_is_always_seen_and_never_covered(sheet: Sheet, width: int, height: int) -> None:
    sheet.page.set_viewport_size({"width": width, "height": height})
    sheet.open("text=the quick brown fox jumps&n_heads=2&at=scores")
    stops = []
    for _ in range(80):
        sheet.page.keyboard.press("Tab")
        found = sheet.page.evaluate(FOCUS)
        if found["body"]:
            break
        stops.append(found)
    assert len(stops) > 30
    assert [stop["what"] for stop in stops if not stop["seen"]] == []
    assert [stop["what"] for stop in stops if stop["covered"]] == []


def test_nothing_moves_for_those_who_want_no_motion(sheet: Sheet) -> None:
    sheet.page.emulate_media(reduced_motion="reduce")
    sheet.open()
    moving = """[...document.querySelectorAll('*')].filter(element => {
      const style = getComputedStyle(element);
      return style.transitionDuration.split(', ').some(time => parseFloat(time) > 0) || style.animationName !== 'none';
    }).map(element => element.className)"""
    assert sheet.page.evaluate(moving) == []
    assert sheet.page.evaluate("getComputedStyle(document.documentElement).scrollBehavior") == "auto"


def test_the_dark_theme_can_be_chosen_and_stays(sheet: Sheet) -> None:
    sheet.open("text=the dog runs")
    light = sheet.page.evaluate("getComputedStyle(document.body).backgroundColor")
    sheet.page.locator("[data-theme-switch]").click()
    sheet.page.wait_for_url("**theme=dark**")
    dark = sheet.page.evaluate("getComputedStyle(document.body).backgroundColor")
    assert dark != light
    sheet.type("a cat")
    sheet.shows_words("a", "cat")
    assert "theme=dark" in sheet.address
    assert sheet.page.evaluate("getComputedStyle(document.body).backgroundColor") == dark
