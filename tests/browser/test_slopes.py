"""A number traced both ways: where it goes, and what it depends on."""

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.browser.sheet import Sheet, is_printed, value_at
from tests.browser.test_axe import faults

WORDS = "text=the dog runs&n_heads=2&mask=causal"
ASK, END = ".of-ask button", ".of-end"


def slopes(sheet: Sheet) -> dict[str, str]:
    """Every slope that is printed, by the name of the cell it stands under."""
    read: Callable[[str], Any] = sheet.page.locator(".picture .slope").evaluate_all
    return dict(read("all => all.map(slope => [slope.previousElementSibling.value, slope.textContent])"))


def thumb(sheet: Sheet, step: str) -> str:
    return sheet.page.locator(f".stop[value='{step}'] .thumb").inner_html()


def slopes_agree_with_the_api(sheet: Sheet, of: str) -> None:
    steps = {step["name"]: step["values"] for step in sheet.api("/gradient", of=of)["steps"]}
    printed = slopes(sheet)
    assert printed
    for ref, text in printed.items():
        assert is_printed(text, value_at(steps, ref)), (ref, text)


def test_a_score_is_followed_to_the_weights_that_it_moves(sheet: Sheet) -> None:
    sheet.open(f"{WORDS}&cell=masked[1,2,0]")
    use = sheet.page.locator(".goes li button").first
    assert (use.get_attribute("value") or "").startswith("weights[1,2,")
    target = use.get_attribute("value") or ""
    value = use.locator("b").inner_text()
    use.click()
    sheet.at("weights")
    sheet.asks_why(target)
    assert sheet.page.locator("#why-value").inner_text() == value


def test_what_an_output_depends_on_is_asked_carried_along_and_ended(sheet: Sheet) -> None:
    sheet.open(f"{WORDS}&cell=out[2,1]", "ja")
    before = thumb(sheet, "scores")
    sheet.page.locator(ASK).click()
    expect(sheet.page.locator(ASK)).to_have_attribute("aria-pressed", "true")
    assert thumb(sheet, "scores") != before
    assert "&of=out[2,1]" in sheet.address
    slopes_agree_with_the_api(sheet, "out[2,1]")
    for step in ("scores", "k", "x"):
        sheet.page.locator(f".stop[value={step}]").click()
        sheet.at(step)
        slopes_agree_with_the_api(sheet, "out[2,1]")
    sheet.page.locator("[hreflang=en]").click()
    expect(sheet.page.locator("html")).to_have_attribute("lang", "en")
    expect(sheet.page.locator("html")).to_have_class("scripted")
    sheet.page.locator(".result .c").first.click()
    expect(sheet.page.locator(".of-said")).to_contain_text("If this number grows by 1")
    sheet.type("the dog barks")  # other words, the same places: the question goes on
    sheet.shows_words("the", "dog", "barks")
    expect(sheet.page.locator(".of-bar")).to_contain_text("new vector of “barks”")
    slopes_agree_with_the_api(sheet, "out[2,1]")
    sheet.page.locator(END).click()
    expect(sheet.page.locator(".of-bar")).to_have_count(0)
    assert slopes(sheet) == {}
    assert "of=" not in sheet.address
    sheet.page.go_back()
    expect(sheet.page.locator(".of-bar")).to_be_visible()


def test_a_shorter_sentence_ends_the_question_and_says_so(sheet: Sheet) -> None:
    sheet.open(f"{WORDS}&of=out[2,1]")
    sheet.type("the dog")
    sheet.shows_words("the", "dog")
    expect(sheet.page.locator("[data-code=of_gone]")).to_contain_text("out[2,1]")
    assert "of=" not in sheet.address
    expect(sheet.page.locator(".of-bar")).to_have_count(0)


def test_a_question_outlives_the_letters_of_a_sentence_that_is_typed(sheet: Sheet) -> None:
    sheet.open(f"{WORDS}&of=out[2,1]")
    for text in ("t", "the", "the cat"):
        sheet.sentence.fill(text)
        sheet.shows_words(*text.split())
        expect(sheet.page.locator("[data-code=of_gone]")).to_be_visible()
        assert "of=" not in sheet.address
    sheet.sentence.fill("the cat sleeps")
    expect(sheet.page.locator(".of-bar")).to_contain_text("new vector of “sleeps”")
    slopes_agree_with_the_api(sheet, "out[2,1]")
    assert "&of=out[2,1]" in sheet.address
    sheet.sentence.fill("the cat")
    sheet.shows_words("the", "cat")
    sheet.page.locator(".stop[value=weights]").click()  # whoever goes on without it has let it go
    sheet.at("weights")
    expect(sheet.page.locator("[data-live=state] [name=of]")).to_have_count(0)


def test_both_ways_by_keyboard_alone(sheet: Sheet) -> None:
    sheet.open(f"{WORDS}&cell=weights[0,2,0]")
    sheet.page.locator(".goes li button").first.focus()
    sheet.page.keyboard.press("Enter")
    sheet.at("z")
    sheet.page.locator(ASK).focus()
    sheet.page.keyboard.press("Enter")
    expect(sheet.page.locator(END)).to_be_focused()
    sheet.page.locator(".result .c.chosen").focus()
    above = (sheet.chosen.get_attribute("value") or "").replace("z[0,2", "z[0,1")
    sheet.page.keyboard.press("ArrowUp")
    sheet.asks_why(above)
    expect(sheet.page.locator(".of-bar")).to_be_visible()
    sheet.page.locator(END).focus()
    sheet.page.keyboard.press("Space")
    expect(sheet.page.locator(".of-bar")).to_have_count(0)
    expect(sheet.page.locator(ASK)).to_be_focused()


def test_without_scripts_the_buttons_ask_carry_along_and_end(plain_sheet: Sheet) -> None:
    sheet = plain_sheet
    sheet.open(f"{WORDS}&cell=out[2,1]")
    sheet.page.locator(ASK).click()
    expect(sheet.page.locator(".of-bar")).to_be_visible()
    sheet.page.locator(".stop[value=weights]").click()
    sheet.at("weights")
    slopes_agree_with_the_api(sheet, "out[2,1]")
    sheet.page.locator(".goes li button").first.click()
    sheet.at("z")
    sheet.page.locator(END).click()
    expect(sheet.page.locator(".of-bar")).to_have_count(0)
    sheet.at("z")


@pytest.mark.parametrize(("theme", "lang", "width", "height"), [("light", "en", 1600, 1000), ("dark", "ja", 390, 844)])
def test_axe_finds_nothing_while_a_number_is_followed_back(sheet: Sheet, theme: Any, lang: str, width: int, height: int) -> None:
    sheet.page.emulate_media(color_scheme=theme, reduced_motion="reduce")
    sheet.page.set_viewport_size({"width": width, "height": height})
    sheet.open(f"{WORDS}&cell=scores[1,2,1]&of=out[2,1]", lang)
    assert faults(sheet) == []
    assert sheet.page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    cut = sheet.page.locator(".picture .slope").evaluate_all("all => all.filter(s => s.scrollWidth > s.clientWidth + 1)")
    assert cut == []
