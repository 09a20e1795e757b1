"""The main walk: a typed sentence, followed from its tokens to the output and back, with the numbers of the API."""

import pytest
from playwright.sync_api import expect

from tests.browser.sheet import Sheet

SENTENCES = pytest.mark.parametrize(
    ("lang", "sentence", "words"), [("ja", "犬が走る", ("犬", "が", "走る")), ("en", "the dog runs", ("the", "dog", "runs"))]
)

MOVES = [  # from the dog column of the last row; at the border nothing moves
    ("ArrowUp", "scores[0,1,1]"),
    ("ArrowRight", "scores[0,1,2]"),
    ("Home", "scores[0,1,0]"),
    ("End", "scores[0,1,2]"),
    ("ArrowDown", "scores[0,2,2]"),
    ("ArrowDown", "scores[0,2,2]"),
    ("ArrowLeft", "scores[0,2,1]"),
]


def steps_of(sheet: Sheet) -> list[str]:
    return ["tokens", *(step["name"] for step in sheet.api()["steps"]), "space"]


@SENTENCES
def test_the_arrow_keys_go_through_every_step_with_the_numbers_of_the_api(
    sheet: Sheet, lang: str, sentence: str, words: tuple[str, ...]
) -> None:
    sheet.open("text=x", lang)
    sheet.type(sentence)
    sheet.shows_words(*words)
    steps = steps_of(sheet)
    sheet.page.locator(".stop[aria-current]").focus()
    for step in reversed(steps[: steps.index(sheet.step)]):
        sheet.page.keyboard.press("ArrowLeft")
        sheet.at(step)
    for place, step in enumerate(steps):
        sheet.at(step)
        if step == "tokens":
            expect(sheet.page.locator(".tokens tbody th")).to_have_text(list(words))
        elif step == "space":
            expect(sheet.page.locator(".of-words tbody th")).to_have_text(list(words))
        else:
            sheet.agrees_with_the_api()
            sheet.why_agrees_with_the_api(lang)
        if place + 1 < len(steps):
            sheet.page.keyboard.press("ArrowRight")
    sheet.page.keyboard.press("ArrowRight")  # there is nothing after the last step
    for step in reversed(steps):
        sheet.at(step)
        sheet.page.keyboard.press("ArrowLeft")
    sheet.at("tokens")


@SENTENCES
def test_an_operand_is_followed_back_to_the_vectors(sheet: Sheet, lang: str, sentence: str, words: tuple[str, ...]) -> None:
    sheet.open(lang=lang)
    sheet.type(sentence)
    sheet.shows_words(*words)
    sheet.page.locator(".result .c").nth(2).click()
    sheet.asks_why("scores[0,0,2]")
    sheet.why_agrees_with_the_api(lang)
    for step in ("q", "x"):
        term = sheet.page.locator("#why-sum .term").first
        cell = term.get_attribute("value") or ""
        text = term.inner_text()
        term.click()
        sheet.at(step)
        sheet.asks_why(cell)
        assert sheet.page.locator("#why-value").inner_text() == text
        sheet.agrees_with_the_api()
        sheet.why_agrees_with_the_api(lang)
    assert sheet.page.locator("#why-sum").count() == 0
    expect(sheet.page.locator(".why .note")).to_be_visible()


def test_why_is_opened_and_followed_by_keyboard_alone(sheet: Sheet) -> None:
    sheet.open()
    sheet.chosen.focus()
    for key, ref in MOVES:
        sheet.page.keyboard.press(key)
        sheet.asks_why(ref)
        expect(sheet.page.locator(f".result [value='{ref}']")).to_be_focused()
    sheet.page.locator("#why-sum .term").first.focus()
    sheet.page.keyboard.press("Enter")
    sheet.asks_why("q[0,2,0]")
    sheet.page.locator(".left .c").first.focus()
    sheet.page.keyboard.press("ArrowDown")  # in an operand the keys only move; Enter chooses
    sheet.page.keyboard.press("Enter")
    sheet.asks_why("x[1,0]")


def test_esc_leaves_a_matrix_and_closes_a_panel(sheet: Sheet) -> None:
    sheet.open()
    sheet.chosen.focus()
    sheet.page.keyboard.press("Escape")
    expect(sheet.page.locator(".stop[aria-current]")).to_be_focused()
    sheet.open_group("mask")
    sheet.page.locator("#c-mask").focus()
    sheet.page.keyboard.press("Escape")
    expect(sheet.page.locator("#c-mask")).to_be_hidden()
    expect(sheet.page.locator("[data-group=mask] summary")).to_be_focused()


def test_each_matrix_is_one_stop_of_the_tab_key(sheet: Sheet) -> None:
    sheet.open()
    grids = sheet.page.locator(".grid")
    assert grids.count() == 3
    for place in range(3):
        expect(grids.nth(place).locator(".c[tabindex='0']")).to_have_count(1)
        expect(grids.nth(place).locator(".c[tabindex='-1']")).to_have_count(8)


def test_another_language_shows_the_same_numbers_and_the_same_cell(sheet: Sheet) -> None:
    sheet.open("text=the dog runs far&mask=causal&cell=weights[1,2,0]", lang="ja")
    numbers = sheet.printed()
    title = sheet.page.locator("h1").inner_text()
    sheet.page.locator("[hreflang=en]").click()
    expect(sheet.page.locator("html")).to_have_attribute("lang", "en")
    expect(sheet.page.locator("html")).to_have_class("scripted")
    assert sheet.printed() == numbers
    sheet.asks_why("weights[1,2,0]")
    assert sheet.page.locator("h1").inner_text() != title
    sheet.why_agrees_with_the_api("en")


def test_the_language_follows_the_browser_until_one_is_chosen(sheet: Sheet) -> None:
    sheet.page.set_extra_http_headers({"Accept-Language": "ja,en;q=0.5"})
    sheet.page.goto("/")
    expect(sheet.page.locator("html")).to_have_attribute("lang", "ja")
    sheet.type("犬")
    sheet.shows_words("犬")
    assert "lang=" not in sheet.address


def test_a_hovered_cell_lights_its_row_and_its_column(sheet: Sheet) -> None:
    sheet.open()
    sheet.page.locator(".result [value='scores[0,0,2]']").hover()
    lit = sheet.page.locator(".grid .c.on").evaluate_all("all => all.map(cell => cell.value)")
    assert sorted(lit) == sorted([*(f"q[0,0,{d}]" for d in range(3)), *(f"k[0,2,{d}]" for d in range(3))])
    assert sheet.page.locator(".grid th.on").all_inner_texts() == ["runs", "the", "runs", "the"]


def test_a_chip_looks_at_its_word(sheet: Sheet) -> None:
    sheet.open()
    sheet.page.locator(".chip", has_text="dog").click()
    sheet.asks_why("scores[0,1,1]")
    expect(sheet.page.locator(".arcs figcaption")).to_contain_text("dog")
    expect(sheet.page.locator(".chip[aria-current]")).to_have_text("dog")
