"""The projector: walked with the keyboard alone, predicted, played, blanked, swiped; always whole and readable."""

import re
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from app.language.words import LANGUAGES
from tests.browser.conftest import NewContext
from tests.browser.screen import Screen
from tests.browser.sheet import Sheet
from tests.browser.test_axe import faults

OPENING = "mask=causal"
EIGHT = "text=the quick brown fox jumps over lazy dogs&d_model=8&n_heads=1&mask=causal"
STEPS = [
    *("tokens", "x", "w_q", "w_k", "w_v", "q", "k", "v", "scores"),
    *("scaled", "mask", "masked", "weights", "z", "concat", "w_o", "out"),
]


@pytest.fixture
def screen(page: Page, server: str) -> Iterator[Screen]:
    made = Screen(page, server)
    page.set_viewport_size({"width": 1920, "height": 1080})
    page.emulate_media(reduced_motion="reduce")
    yield made
    assert made.faults == []


@pytest.mark.parametrize(("width", "height"), [(1920, 1080), (1280, 720)])
def test_the_opening_example_is_walked_by_keyboard_alone(screen: Screen, width: int, height: int) -> None:
    screen.page.set_viewport_size({"width": width, "height": height})
    screen.open(f"{OPENING}&at=tokens")
    for place, step in enumerate(STEPS):
        screen.at(step)
        screen.fits()
        if place + 1 < len(STEPS):
            screen.press("ArrowRight" if place % 2 else "PageDown")
    screen.press("ArrowRight")
    screen.at(STEPS[-1])
    screen.press("ArrowLeft", "PageUp")
    screen.at(STEPS[-3])


def test_numbers_are_predicted_and_shown_one_by_one(screen: Screen) -> None:
    screen.open(f"{OPENING}&cell=scaled[0,2,0]")
    assert screen.row == ["2.309", "0", "1.732"], "what is opened is not covered"
    screen.press("9")
    screen.at("scores")
    assert screen.row == ["4", "0", "3"], "nor what is jumped to"
    screen.press("ArrowRight")
    screen.looks_at("scaled[0,2,0]")
    assert screen.row == ["?", "?", "?"]
    assert "2.309" not in screen.main.inner_text() + screen.live
    expect(screen.page.locator("[data-result]")).to_have_text("?")
    expect(screen.page.locator(".panel .sum")).to_be_hidden()
    screen.press("Space")
    expect(screen.page.locator("[data-result]")).to_have_text("2.309")
    expect(screen.page.locator(".panel .sum")).to_be_visible()
    assert screen.row == ["2.309", "?", "?"]
    assert "2.309" in screen.live
    screen.press("Space")
    screen.looks_at("scaled[0,2,1]")
    assert screen.row == ["2.309", "0", "?"]
    assert "cell=scaled[0,2,1]" in screen.address
    screen.press("Shift+Space")
    expect(screen.page.locator("[data-result]")).to_have_text("?")
    assert screen.row == ["2.309", "?", "?"]


def test_what_is_covered_stays_so_in_another_language_size_and_row(screen: Screen) -> None:
    screen.open(f"{OPENING}&cell=scores[0,1,0]&hide=x")
    screen.press("ArrowRight", "Space")
    screen.looks_at("scaled[0,1,0]")
    expect(screen.page.locator("[data-result]")).to_have_text("1.732")
    screen.press("l")
    expect(screen.page.locator("html")).to_have_attribute("lang", "en")
    before = screen.sizes
    screen.press("-", "-")
    screen.page.wait_for_url("**zoom=80**")
    assert sum(screen.sizes) < sum(before)
    screen.fits()
    screen.press("+", "+", "+")
    screen.page.wait_for_url("**zoom=115**")
    assert min(screen.sizes) >= min(before)
    screen.fits()
    assert screen.row == ["1.732", "?", "?"]
    assert "hide=x" in screen.address
    screen.press("ArrowUp")
    screen.looks_at("scaled[0,0,0]")
    assert "?" not in screen.row, "rows above stay as worked examples"
    screen.press("ArrowDown")
    screen.looks_at("scaled[0,1,0]")
    for cell in ("scaled[0,1,1]", "scaled[0,1,2]", "scaled[0,2,0]", "scaled[0,2,1]", "scaled[0,2,2]"):
        screen.press("Space")
        screen.looks_at(cell)
        if cell == "scaled[0,1,2]":
            expect(screen.page.locator("#toast")).to_contain_text("This row is complete")
    expect(screen.page.locator("#toast")).to_contain_text("All numbers are shown")
    assert "?" not in screen.row


def test_a_product_is_played_term_by_term(screen: Screen) -> None:
    screen.open("cell=scores[0,2,0]")
    lines, result = screen.page.locator(".line:not(.later)"), screen.page.locator("[data-result]")
    screen.press("p")
    expect(lines).to_have_count(1)
    expect(result).to_have_text("?")
    assert sorted(screen.page.locator(".c.now").evaluate_all("all => all.map(cell => cell.value)")) == ["k[0,0,0]", "q[0,2,0]"]
    screen.press("p", "Space")
    expect(lines).to_have_count(3)
    screen.press("Shift+Space")
    expect(lines).to_have_count(2)
    screen.press("Space", "Space")
    expect(result).to_have_text("4")
    expect(screen.page.locator(".c.now")).to_have_count(0)
    screen.press("Space")
    screen.looks_at("scores[0,2,1]")
    expect(lines).to_have_count(1)
    expect(result).to_have_text("?")
    screen.press("Escape")
    expect(screen.page.locator("[data-bar=play]")).to_be_hidden()
    expect(lines).to_have_count(3)
    expect(result).to_have_text("0")


def test_it_plays_by_itself_at_the_speed_that_is_set_and_pauses(screen: Screen) -> None:
    screen.page.emulate_media(reduced_motion="no-preference")
    screen.page.clock.install(time="2026-01-01T08:00")
    screen.open("cell=scores[0,1,2]")
    screen.page.clock.pause_at("2026-01-01T09:00")
    screen.press("]", "p")
    lines, result = screen.page.locator(".line:not(.later)"), screen.page.locator("[data-result]")
    expect(screen.page.locator("[data-speed]")).to_have_text("0.7秒")
    for terms in (1, 2, 3):
        expect(result).to_have_text("?")
        expect(lines).to_have_count(terms)
        screen.page.clock.run_for(700)
    expect(result).to_have_text("2")
    screen.page.clock.run_for(700)
    screen.looks_at("scores[0,2,0]")  # the row and the column move on
    screen.press("p")
    screen.page.clock.run_for(5000)
    expect(lines).to_have_count(1)
    expect(screen.page.locator(".ghost")).to_have_count(0)
    screen.press("ArrowRight")
    screen.at("scaled")
    expect(screen.page.locator("[data-bar=play]")).to_be_hidden()


def test_digits_jump_and_the_screen_is_blanked_and_esc_leaves_to_the_same_state(screen: Screen) -> None:
    screen.open("text=the dog runs&n_heads=2&d_model=4&mask=causal&at=x", "en")
    screen.press("1", "3")
    screen.at("weights")
    screen.press("9", "h")
    screen.at("scores")
    screen.looks_at("scores[1,2,2]")
    expect(screen.page.locator(".head")).to_have_text("Head 2 of 2")
    for key in (".", "b"):
        screen.press(key)
        expect(screen.page.locator("#blank")).to_be_visible()
        screen.press("ArrowRight")
        expect(screen.page.locator("#blank")).to_be_hidden()
        screen.at("scores")
    screen.press("?")
    expect(screen.page.locator("#keys")).to_be_visible()
    expect(screen.page.locator("#keys .key")).to_be_focused()
    screen.press("Escape")
    expect(screen.page.locator("#keys")).to_be_hidden()
    screen.at("scores")
    screen.press("Escape")
    expect(screen.page.locator(".step")).to_have_attribute("data-step", "scores")
    expect(screen.chosen).to_have_attribute("value", "scores[1,2,2]")
    expect(screen.page.locator("html")).to_have_attribute("lang", "en")
    screen.page.locator("[data-present]").click()
    screen.at("scores")
    screen.looks_at("scores[1,2,2]")


@pytest.mark.parametrize("step", ["q", "scores", "scaled", "masked", "weights", "z", "concat"])
def test_eight_words_with_eight_numbers_a_head_fit_too(screen: Screen, step: str) -> None:
    screen.open(f"{EIGHT}&at={step}", "en")
    screen.fits()
    assert screen.page.locator(".result .c").count() == 64
    if step == "scores":
        for width, height in [(1280, 720), (3840, 2160), (960, 540), (800, 600)]:
            screen.page.set_viewport_size({"width": width, "height": height})
            screen.fits()


def test_of_a_large_step_the_colours_come_first_and_the_chosen_row_in_numbers(screen: Screen) -> None:
    screen.open(f"text={' '.join(f'w{number}' for number in range(40))}&n_heads=1&at=weights", "en")
    screen.fits()
    first = screen.page.locator(".strip .c").first.get_attribute("value") or ""
    assert 10 < screen.page.locator(".strip .c").count() < 40
    expect(screen.page.locator(".strip-name")).to_contain_text("of 40")
    box = screen.page.locator("[data-map]").bounding_box()
    assert box
    screen.page.mouse.click(box["x"] + box["width"] * 5.5 / 40, box["y"] + box["height"] * 3.5 / 40)
    screen.looks_at("weights[0,3,5]")
    screen.press("ArrowLeft")
    screen.at("masked")
    screen.press("ArrowRight")
    screen.at("weights")
    assert set(screen.page.locator(".strip .c").all_inner_texts()) == {"?"}
    screen.press("Space")
    expect(screen.page.locator(".strip .c.unknown")).to_have_count(screen.page.locator(".strip .c").count() - 1)
    assert first.startswith("weights[0,39,")


@pytest.mark.parametrize("theme", ["", "dark"])
def test_every_text_has_a_contrast_of_seven_to_one(screen: Screen, theme: str) -> None:
    screen.page.emulate_media(color_scheme="dark", reduced_motion="reduce")
    screen.open(f"{OPENING}&at=masked{'&theme=dark' if theme else ''}", "en")
    shade = screen.page.evaluate("getComputedStyle(document.body).backgroundColor")
    assert (shade == "rgb(255, 255, 255)") == (not theme), "light, unless dark is asked for"
    for step in ("masked", "weights", "z", "k"):
        if step != "masked":
            screen.press(*str(STEPS.index(step) + 1))
        screen.at(step)
        screen.is_clear()
    screen.press("ArrowRight", "?")
    screen.is_clear()


@pytest.mark.parametrize("lang", LANGUAGES)
def test_axe_finds_nothing_on_the_projector(screen: Screen, lang: str) -> None:
    screen.open(f"{OPENING}&at=scores", lang)
    assert faults(screen) == []
    screen.press("ArrowRight", "Space")
    screen.page.set_viewport_size({"width": 800, "height": 600})
    assert faults(screen) == []
    screen.press("?")
    assert faults(screen) == []
    screen.page.set_viewport_size({"width": 390, "height": 844})
    screen.open(f"text={' '.join(f'w{number}' for number in range(20))}&at=weights", lang)
    assert faults(screen) == []
    assert screen.page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_fingers_swipe_and_tap(new_context: NewContext, server: str) -> None:
    page = new_context(has_touch=True, reduced_motion="reduce").new_page()
    page.set_viewport_size({"width": 1280, "height": 720})
    screen = Screen(page, server)
    screen.open("cell=scores[0,2,0]")
    client = page.context.new_cdp_session(page)

    def swipe(start: int, end: int) -> None:
        touch: dict[str, Any] = {"type": "touchStart", "touchPoints": [{"x": start, "y": 300}]}
        client.send("Input.dispatchTouchEvent", touch)
        for part in range(1, 5):
            x = start + (end - start) * part // 4
            client.send("Input.dispatchTouchEvent", {"type": "touchMove", "touchPoints": [{"x": x, "y": 300}]})
        client.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})

    swipe(900, 500)
    screen.at("scaled")
    assert screen.row == ["?", "?", "?"]
    page.touchscreen.tap(640, 690)
    screen.looks_at("scaled[0,2,0]")
    expect(page.locator("[data-result]")).to_have_text("2.309")
    page.locator("footer [data-act=reveal]").tap()
    screen.looks_at("scaled[0,2,1]")
    page.locator("[value='scaled[0,1,1]']").tap()
    screen.looks_at("scaled[0,1,1]")
    assert "?" not in screen.row
    swipe(500, 900)
    screen.at("scores")
    assert screen.faults == []


def test_f_fills_the_screen_and_esc_comes_back_from_there_first(screen: Screen) -> None:
    screen.open("at=scores")
    screen.press("f")
    screen.page.wait_for_function("document.fullscreenElement !== null")
    screen.press("ArrowRight")
    screen.at("scaled")
    assert screen.page.evaluate("document.fullscreenElement !== null"), "a step further it is still full"
    screen.press("Escape")
    screen.page.wait_for_function("document.fullscreenElement === null")
    screen.at("scaled")


def test_the_sheet_says_a_new_cell_in_words_and_names_a_new_step(sheet: Sheet) -> None:
    sheet.open("cell=scores[0,2,1]")
    said = sheet.page.locator("body > [role=status]")
    expect(said).to_be_empty()
    sheet.chosen.focus()
    sheet.page.keyboard.press("ArrowRight")
    sheet.asks_why("scores[0,2,2]")
    expect(said).to_have_text("the score of “runs” for “runs” is 3: 1 times 1, plus 0 times 1, plus 2 times 1")
    sheet.page.locator("[data-turn=following]").click()
    sheet.at("scaled")
    expect(said).to_have_text(re.compile("^scaled scores. the scaled score of “runs” for “runs” is about 1.732: 3 divided by"))


def test_without_scripts_nothing_is_covered_and_links_lead_on(new_context: NewContext, server: str) -> None:
    screen = Screen(new_context(java_script_enabled=False).new_page(), server, scripts=False)
    screen.open(f"{OPENING}&at=q&hide=x")
    screen.page.locator("[data-act=following]").first.click()
    screen.at("k")
    assert screen.page.locator(".result .c").all_inner_texts().count("?") == 0
    screen.page.locator("footer [data-act=reveal]").click()
    screen.looks_at("k[0,0,1]" if "k[0,0" in (screen.main.get_attribute("data-cell") or "") else "k[0,2,1]")
    screen.page.locator(".result .c").first.click()
    screen.looks_at("k[0,0,0]")
    screen.page.locator(".dot").nth(8).click()
    screen.at("scores")
    assert "hide=x" in screen.address
    expect(screen.page.locator("[data-act=play]").first).to_be_hidden()
    screen.page.locator("[data-act=leave]").first.click()
    expect(screen.page.locator(".step")).to_have_attribute("data-step", "scores")
    assert screen.faults == []


def test_bad_input_says_what_is_wrong_and_leads_to_where_it_is_mended(screen: Screen) -> None:
    screen.refusals_expected = True
    screen.open("text=the dog runs&w_q=1,2;3", "en")
    expect(screen.page.locator(".wrong")).to_contain_text("w_q")
    screen.fits()
    screen.page.locator(".wrong a").click()
    expect(screen.page.locator("#error-w_q")).to_be_visible()
