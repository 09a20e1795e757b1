"""Editing in the cell: a number is changed where it stands, and what follows from it is marked."""

import pytest
from playwright.sync_api import Locator, expect

from tests.browser.sheet import Sheet

OPENING = ""
PASTE = """text => { const data = new DataTransfer(); data.setData("text", text);
  document.querySelector(".edit").dispatchEvent(
    new ClipboardEvent("paste", { clipboardData: data, bubbles: true, cancelable: true })); }"""


def cell(sheet: Sheet, ref: str) -> Locator:
    return sheet.page.locator(f".result .c[value='{ref}']")


def change(sheet: Sheet, ref: str, text: str) -> None:
    """Choose a cell, press it twice, type a number, Enter."""
    cell(sheet, ref).click()
    sheet.asks_why(ref)
    cell(sheet, ref).dblclick()
    expect(sheet.page.locator(".edit")).to_be_focused()
    sheet.page.keyboard.type(text)
    sheet.page.keyboard.press("Enter")


def test_a_changed_score_marks_all_that_follows_with_old_and_new(sheet: Sheet) -> None:
    sheet.open(OPENING)
    change(sheet, "scores[0,2,2]", "5")
    expect(cell(sheet, "scores[0,2,2]")).to_have_class("c pos chosen edited changed")
    expect(cell(sheet, "scores[0,2,2]")).to_have_attribute("title", "3 → 5")
    assert "edits=scores[0,2,2]=5" in sheet.address
    marked = sheet.page.locator(".stop.changed").evaluate_all("all => all.map(stop => stop.value)")
    assert marked == ["scores", "scaled", "masked", "weights", "z", "concat", "out"]
    sheet.page.locator(".stop[value=weights]").click()
    sheet.at("weights")
    changed = sheet.page.locator(".result .c.changed").evaluate_all("all => all.map(cell => cell.value)")
    assert changed == ["weights[0,2,0]", "weights[0,2,1]", "weights[0,2,2]"]
    cell(sheet, "weights[0,2,2]").click()
    expect(sheet.page.locator(".was")).to_contain_text("0.338 → 0.618")
    sheet.agrees_with_the_api()


def test_undo_redo_and_clear_go_back_and_forth(sheet: Sheet) -> None:
    sheet.open(OPENING)
    change(sheet, "scores[0,0,0]", "7")
    expect(cell(sheet, "scores[0,0,0]")).to_have_text("7")
    change(sheet, "scores[0,1,1]", "-2")
    expect(cell(sheet, "scores[0,1,1]")).to_have_text("−2")
    sheet.page.locator("[data-undo]").click()
    expect(cell(sheet, "scores[0,1,1]")).to_have_text("3")
    expect(cell(sheet, "scores[0,0,0]")).to_have_text("7")
    sheet.page.locator("[data-redo]").click()
    expect(cell(sheet, "scores[0,1,1]")).to_have_text("−2")
    sheet.page.locator("[data-clear]").click()
    expect(sheet.page.locator("[data-edits]")).to_have_count(0)
    assert cell(sheet, "scores[0,0,0]").inner_text() == "3"
    assert "edits" not in sheet.address
    sheet.page.go_back()
    expect(cell(sheet, "scores[0,0,0]")).to_have_text("7")


def press_twice(sheet: Sheet, ref: str, between: str = "", end: str = "", pause: str = "") -> None:
    """Two presses on a cell; while the button is held the second time a script runs, or the pointer goes to another cell.

    ``pause``: the step that is there before the second press.
    """
    mouse = sheet.page.mouse
    sheet.page.locator(f".picture .c[value='{ref}']").first.hover()
    mouse.down(click_count=1)
    mouse.up(click_count=1)
    if pause:
        sheet.at(pause)
    mouse.down(click_count=2)
    if between:
        sheet.page.evaluate(between)
    if end:
        cell(sheet, end).hover()
    mouse.up(click_count=2)


def test_a_double_press_opens_also_a_cell_that_is_renewed_while_the_button_is_held(sheet: Sheet) -> None:
    sheet.open(OPENING)
    press_twice(
        sheet, "scores[0,0,1]", "document.querySelectorAll('.result').forEach(old => old.replaceWith(old.cloneNode(true)))"
    )
    expect(sheet.page.locator(".edit")).to_be_focused()
    sheet.page.keyboard.type("8")
    sheet.page.keyboard.press("Enter")
    expect(cell(sheet, "scores[0,0,1]")).to_have_text("8")


@pytest.mark.parametrize("ref", ["q[0,2,0]", "k[0,1,0]"])
def test_a_double_press_means_the_cell_of_its_first_press_though_another_picture_comes_between(sheet: Sheet, ref: str) -> None:
    sheet.open(OPENING)
    sheet.page.evaluate("document.addEventListener('click', () => { window.clicks = (window.clicks || 0) + 1; })")
    press_twice(sheet, ref, pause=ref[0])
    editor = sheet.page.locator(".edit")
    expect(editor).to_be_focused()
    assert editor.get_attribute("aria-label") == f"New number for {ref}"
    assert sheet.page.evaluate("window.clicks") == 1, "the second press does nothing to what came under the pointer"
    sheet.page.keyboard.type("8")
    sheet.page.keyboard.press("Enter")
    expect(cell(sheet, ref)).to_have_text("8")
    sheet.asks_why(ref)


def test_a_double_press_on_something_else_opens_nothing(sheet: Sheet) -> None:
    sheet.open(OPENING)
    sheet.page.locator("[data-turn=following]").dblclick()
    sheet.at("scaled")
    expect(sheet.page.locator(".edit")).to_have_count(0)


def test_a_press_that_ends_on_another_cell_opens_nothing(sheet: Sheet) -> None:
    sheet.open(OPENING)
    press_twice(sheet, "scores[0,0,1]", end="scores[0,1,1]")
    sheet.asks_why("scores[0,0,1]")
    expect(sheet.page.locator(".edit")).to_have_count(0)


def test_by_keyboard_enter_opens_escape_cancels_tab_moves_on(sheet: Sheet) -> None:
    sheet.open(OPENING)
    sheet.chosen.focus()
    sheet.page.keyboard.press("Enter")
    editor = sheet.page.locator(".edit")
    expect(editor).to_be_focused()
    assert editor.get_attribute("aria-label") == "New number for scores[0,2,1]"
    sheet.page.keyboard.type("9")
    sheet.page.keyboard.press("Escape")
    expect(editor).to_have_count(0)
    expect(sheet.chosen).to_be_focused()
    assert sheet.chosen.inner_text() == "4"
    sheet.page.keyboard.press("Enter")
    sheet.page.keyboard.type("９")  # as a Japanese keyboard gives it
    sheet.page.keyboard.press("Tab")
    expect(editor).to_have_attribute("aria-label", "New number for scores[0,2,2]")
    sheet.page.keyboard.type("−1.5")
    sheet.page.keyboard.press("Enter")
    expect(cell(sheet, "scores[0,2,2]")).to_have_text("−1.5")
    expect(cell(sheet, "scores[0,2,1]")).to_have_text("9")
    assert sheet.page.locator("#c-edits").input_value() == "scores[0,2,1]=9;scores[0,2,2]=-1.5"


def test_a_pasted_block_fills_a_block(sheet: Sheet) -> None:
    sheet.open("text=the dog runs&at=x")
    cell(sheet, "x[1,1]").dblclick()
    sheet.page.evaluate(PASTE, "1\t２\r\n−3\t4\r\n")
    expect(cell(sheet, "x[2,2]")).to_have_text("4")
    assert [cell(sheet, f"x[{row},{column}]").inner_text() for row in (1, 2) for column in (1, 2)] == ["1", "2", "−3", "4"]
    sheet.agrees_with_the_api()


def test_what_is_no_number_is_refused_by_name_and_nothing_else_changes(sheet: Sheet) -> None:
    sheet.refusals_expected = True
    sheet.open(OPENING)
    before = sheet.printed()
    change(sheet, "scores[0,0,0]", "many")
    expect(sheet.page.locator("#error-edits")).to_contain_text("many")
    assert sheet.printed() == before
    assert sheet.page.locator("#c-edits").input_value() == ""


def test_edited_weights_that_no_longer_sum_to_one_are_said_not_mended(sheet: Sheet) -> None:
    sheet.open("text=the dog runs&n_heads=1&at=weights")
    change(sheet, "weights[0,0,0]", "0.9")
    expect(sheet.page.locator(".check.wrong")).to_contain_text("differs from 1")
    assert cell(sheet, "weights[0,0,0]").inner_text() == "0.9"


def test_a_shorter_sentence_drops_an_edit_that_no_longer_fits_and_back_restores_it(sheet: Sheet) -> None:
    sheet.open("text=the dog runs&n_heads=1")
    change(sheet, "scores[0,2,2]", "5")
    expect(cell(sheet, "scores[0,2,2]")).to_have_text("5")
    sheet.sentence.fill("the dog")
    sheet.shows_words("the", "dog")
    expect(sheet.page.locator(".notice[data-code=dropped]")).to_contain_text("edits")
    assert "edits" not in sheet.address
    sheet.page.go_back()
    sheet.shows_words("the", "dog", "runs")
    expect(cell(sheet, "scores[0,2,2]")).to_have_text("5")


@pytest.mark.parametrize("ref", ["q[0,2,0]", "k[0,1,0]"])
def test_a_number_of_an_operand_can_be_changed_where_it_stands(sheet: Sheet, ref: str) -> None:
    sheet.open(OPENING)
    sheet.page.locator(f".picture .c[value='{ref}']").first.focus()
    sheet.page.locator(f".picture .c[value='{ref}']").first.dblclick()
    sheet.page.keyboard.type("8")
    sheet.page.keyboard.press("Enter")
    expect(sheet.page.locator(f".c.edited[value='{ref}']").first).to_have_text("8")


def test_a_long_press_opens_the_field_on_a_touch_screen(sheet: Sheet) -> None:
    sheet.open(OPENING)
    target = cell(sheet, "scores[0,0,1]")
    target.dispatch_event("pointerdown", {"pointerType": "touch", "bubbles": True})
    expect(sheet.page.locator(".edit")).to_be_visible()
    assert sheet.page.locator(".edit").get_attribute("aria-label") == "New number for scores[0,0,1]"
