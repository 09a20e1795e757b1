"""The worked examples, as they stand on the page."""

import pytest
from playwright.sync_api import expect

from tests.browser.sheet import DIRECT, Sheet

CARDS = (
    "q=7,4,2&k=8,3,2;6,8,3;3,9,1&v=4.5;4.2;4&scale=none"
    "&labels_q=カリン&labels_k=りんご,みかん,レモン&labels_d=甘さ,酸味,色&labels_v=評価"
)
OPENINGS = [("ja", ["犬", "が", "走る"], (0, 1, 2)), ("en", ["the", "dog", "runs"], (1, 0, 2))]


def row(sheet: Sheet, step: str, number: int) -> list[str]:
    """The numbers in one row of the result."""
    rows = sheet.page.locator(f".result table[data-step={step}] tbody tr")
    return rows.nth(number).locator(".c").all_inner_texts()


@pytest.mark.parametrize(("lang", "words", "order"), OPENINGS)
def test_the_opening_example_has_its_known_numbers(sheet: Sheet, lang: str, words: list[str], order: tuple[int, ...]) -> None:
    sheet.open(lang=lang)
    sheet.at("scores")
    sheet.shows_words(*words)
    assert row(sheet, "scores", 2) == [["4", "0", "3"][place] for place in order]
    expect(sheet.page.locator("#why-value")).to_have_text("4")
    sheet.page.locator(".stop[value=q]").click()
    sheet.at("q")
    assert row(sheet, "q", 2) == ["1", "0", "2"]
    sheet.page.locator(".stop[value=weights]").click()
    sheet.at("weights")
    assert row(sheet, "weights", 2) == [["0.602", "0.060", "0.338"][place] for place in order]
    assert sheet.page.locator(".arcs .weight").all_text_contents() == row(sheet, "weights", 2)


def test_another_word_keeps_the_matrices_of_the_opening_example(sheet: Sheet) -> None:
    sheet.open()
    matrices = sheet.page.locator("#c-w_k").input_value()
    sheet.type("the cat runs")
    sheet.shows_words("the", "cat", "runs")
    assert sheet.page.locator("#c-w_k").input_value() == matrices
    assert f"w_k={matrices}" in sheet.query
    sheet.page.locator(".stop[value=q]").click()
    sheet.at("q")
    assert row(sheet, "q", 2) == ["1", "0", "2"]
    sheet.agrees_with_the_api()


def test_the_first_worked_example_opens_by_its_address(sheet: Sheet) -> None:
    sheet.open(DIRECT, "ja")
    assert row(sheet, "scores", 0) == ["4", "0", "3"]
    expect(sheet.page.locator("#why-sum")).to_contain_text("1×2 + 0×1 + 2×1")
    sheet.page.locator(".stop[value=weights]").click()
    sheet.at("weights")
    assert row(sheet, "weights", 0) == ["0.571", "0", "0.429"]
    sheet.why_agrees_with_the_api("ja")
    sheet.page.locator(".stop[value=z]").click()
    sheet.at("z")
    assert row(sheet, "z", 0) == ["2.857", "2.857", "1.429"]
    assert sheet.page.locator(".chip").count() == 0


def test_the_third_worked_example_opens_by_its_address(sheet: Sheet) -> None:
    sheet.open(CARDS, "ja")
    assert row(sheet, "scores", 0) == ["72", "80", "59"]
    assert sheet.page.locator(".result thead th").all_inner_texts() == ["りんご", "みかん", "レモン"]
    sheet.page.locator(".stop[value=weights]").click()
    sheet.at("weights")
    sheet.agrees_with_the_api()
    sheet.page.locator(".stop[value=z]").click()
    sheet.at("z")
    assert row(sheet, "z", 0) == ["4.200"]
    steps = {step["name"]: step["values"] for step in sheet.api()["steps"]}
    assert steps["z"][0][0][0] == pytest.approx(4.2001006048874645, abs=1e-12)
