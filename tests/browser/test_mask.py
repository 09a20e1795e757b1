"""Masks: what is hidden looks hidden, and weighs nothing."""

import pytest
from playwright.sync_api import expect

from app.language.words import LANGUAGES
from tests.browser.sheet import Sheet

CAUSAL = "text=the dog runs far&mask=causal"


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_causal_mask_hatches_the_future_and_gives_it_no_weight(sheet: Sheet, lang: str) -> None:
    sheet.open(f"{CAUSAL}&at=masked", lang)
    hidden = sheet.page.locator(".result .c.hidden")
    expect(hidden).to_have_text(["−∞"] * 6)
    assert "repeating-linear-gradient" in hidden.first.evaluate("cell => getComputedStyle(cell).backgroundImage")
    sheet.agrees_with_the_api()
    sheet.page.locator(".stop[value=weights]").click()
    sheet.at("weights")
    shown = sheet.printed(".result")
    weights = next(step["values"] for step in sheet.api()["steps"] if step["name"] == "weights")
    for head, rows in enumerate(weights):
        for row, values in enumerate(rows):
            assert values[row + 1 :] == [0] * (3 - row)
            assert abs(sum(values) - 1) <= 1e-15
            assert head > 0 or [shown[f"weights[0,{row},{column}]"] for column in range(row + 1, 4)] == ["0"] * (3 - row)
    assert shown["weights[0,0,0]"] == "1"


def test_the_mask_step_shows_ones_and_zeros(sheet: Sheet) -> None:
    sheet.open(f"{CAUSAL}&at=mask")
    texts = sheet.page.locator(".result .c").all_inner_texts()
    assert texts == ["1" if column <= row else "0" for row in range(4) for column in range(4)]
    expect(sheet.page.locator(".legend")).to_have_text("01")


def test_a_row_that_may_see_nothing_is_noticed(sheet: Sheet) -> None:
    sheet.open("text=the dog runs")
    sheet.open_group("mask")
    sheet.refusals_expected = True  # until the rows are there, the custom mask is refused
    expect(sheet.page.locator("#c-allow")).to_be_hidden()
    sheet.page.locator("#c-mask").select_option("custom")
    expect(sheet.page.locator("#error-allow")).to_be_visible()
    sheet.page.locator("#c-allow").fill("100;000;111")
    expect(sheet.page.locator(".notice:visible").last).to_contain_text("dog")
    sheet.page.locator(".stop[value=weights]").click()
    sheet.at("weights")
    shown = sheet.printed(".result")
    assert [shown[f"weights[0,1,{column}]"] for column in range(3)] == ["0", "0", "0"]
    sheet.page.locator(".result [value='weights[0,1,0]']").click()
    expect(sheet.page.locator(".why .note")).to_be_visible()
    sheet.page.locator("[data-group=mask] summary").click()
    sheet.page.locator("#c-mask").select_option("none")
    expect(sheet.page.locator(".notice:visible")).to_have_count(0)
    expect(sheet.page.locator("#c-allow")).to_have_value("100;000;111")  # nothing typed is lost


def test_a_hidden_cell_explains_itself(sheet: Sheet) -> None:
    sheet.open(f"{CAUSAL}&cell=masked[0,0,2]")
    sheet.asks_why("masked[0,0,2]")
    expect(sheet.page.locator("#why-value")).to_have_text("−∞")
    sheet.why_agrees_with_the_api("en")


def test_a_cell_of_the_own_mask_is_turned_over_by_each_press_and_never_typed_in(sheet: Sheet) -> None:
    sheet.open("text=the dog runs&n_heads=1&mask=custom&allow=111;111;111&at=mask")
    box = sheet.page.locator(".result .c[value='mask[0,1]']")
    for text in ("0", "1"):
        box.click()
        expect(box).to_have_text(text)
    box.dblclick()
    expect(sheet.page.locator(".edit")).to_have_count(0)
    assert "allow=" in sheet.address
