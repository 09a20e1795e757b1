"""Bad input: the message stands beside its field, the last good picture and everything typed stay."""

import pytest
from playwright.sync_api import Locator, expect

from app.language.words import LANGUAGES
from tests.browser.sheet import Sheet

GOOD = "text=the dog runs&d_model=4&n_heads=2&cell=scores[1,0,2]"
CASES = [  # group, field, what is typed, a part of the message
    ("", "text", "", "empty"),
    ("", "text", "a" * 10_000, "10000"),
    ("", "text", "犬" * 10_000, "10000"),
    ("", "text", "w " * 100, "100"),
    ("matrices", "w_q", "1,2,3,4;5,6", "equally long"),
    ("matrices", "x", "1,2;3,4", "3 × 4"),
    ("matrices", "w_v", "1,2,NaN,4", "NaN"),
    ("matrices", "table", "dog=1", "dog=1"),
    ("matrices", "edits", "nothing[0]=1", "nothing"),
    ("heads", "n_heads", "3", "3"),
    ("sizes", "seed", "1e999", "1e999"),
    ("scale", "scale", "huge", "sqrt"),
]
IDS = [
    "empty",
    "10000-letters",
    "10000-kanji",
    "100-words",
    "ragged",
    "wrong-shape",
    "nan",
    "table",
    "edits",
    "heads",
    "seed",
    "scale",
]


def field_of(sheet: Sheet, name: str) -> Locator:
    return sheet.page.locator(f"#f [name={name}]:not([type=hidden])")


def message_of(sheet: Sheet, name: str) -> Locator:
    """The message that a screen reader reads with the field."""
    described = field_of(sheet, name).get_attribute("aria-describedby") or ""
    assert f"error-{name}" in described.split()
    return sheet.page.locator(f"#error-{name}")


@pytest.mark.parametrize(("group", "name", "typed", "part"), CASES, ids=IDS)
def test_what_is_wrong_is_said_beside_its_field_while_typing(sheet: Sheet, group: str, name: str, typed: str, part: str) -> None:
    sheet.refusals_expected = True
    sheet.open(GOOD)
    cells, address, good = sheet.printed(), sheet.address, field_of(sheet, name).input_value()
    if group:
        sheet.open_group(group)
    field = field_of(sheet, name)
    field.fill(typed)
    message = message_of(sheet, name)
    expect(message).to_contain_text(part)
    expect(message).to_be_visible()
    expect(field).to_have_value(typed)
    expect(field).to_have_attribute("aria-invalid", "true")
    assert sheet.printed() == cells
    assert sheet.address == address
    sheet.asks_why("scores[1,0,2]")
    field.fill(good)
    expect(message).to_be_empty()
    expect(field).not_to_have_attribute("aria-invalid", "true")
    assert sheet.printed() == cells


LONGEST_TYPED = 5_000
"""A field without scripts takes no more, so that the address stays short enough for the server to read."""
PLAIN_CASES = [(group, name, typed[:LONGEST_TYPED], part.replace("10000", "5000")) for group, name, typed, part in CASES]


@pytest.mark.parametrize(("group", "name", "typed", "part"), PLAIN_CASES, ids=IDS)
def test_without_scripts_a_wrong_form_comes_back_as_it_was_typed(
    plain_sheet: Sheet, group: str, name: str, typed: str, part: str
) -> None:
    sheet = plain_sheet
    sheet.refusals_expected = True
    sheet.open(GOOD)
    cells, good = sheet.printed(), field_of(sheet, name).input_value()
    if group:
        sheet.open_group(group)
    field_of(sheet, name).fill(typed)
    sheet.page.locator(".show").click()
    message = message_of(sheet, name)
    expect(message).to_contain_text(part)
    expect(message).to_be_visible()
    expect(field_of(sheet, name)).to_have_value(typed)
    expect(field_of(sheet, name)).to_have_attribute("aria-invalid", "true")
    assert sheet.printed() == cells
    sheet.asks_why("scores[1,0,2]")
    field_of(sheet, name).fill(good)
    sheet.page.locator(".show").click()
    expect(message_of(sheet, name)).to_be_empty()
    assert sheet.printed() == cells


def test_a_mistake_in_one_field_keeps_what_is_typed_in_the_others(sheet: Sheet) -> None:
    sheet.refusals_expected = True
    sheet.open(GOOD)
    sheet.open_group("heads")
    field_of(sheet, "n_heads").fill("3")
    expect(message_of(sheet, "n_heads")).to_be_visible()
    sheet.sentence.fill("a cat")
    sheet.page.wait_for_load_state("networkidle")
    expect(field_of(sheet, "n_heads")).to_have_value("3")
    expect(message_of(sheet, "n_heads")).not_to_be_empty()
    sheet.shows_words("the", "dog", "runs")
    field_of(sheet, "n_heads").evaluate("field => { field.closest('details').open = true; }")
    field_of(sheet, "n_heads").fill("1")
    sheet.shows_words("a", "cat")


@pytest.mark.parametrize("lang", LANGUAGES)
def test_an_unknown_field_in_the_address_is_left_out_and_named(sheet: Sheet, lang: str) -> None:
    sheet.open("text=the dog&colour=red", lang)
    notice = sheet.page.locator(".notice[data-code=unknown]")
    expect(notice).to_contain_text("colour")
    expect(notice).to_be_visible()
    sheet.shows_words("the", "dog")
    sheet.sentence.fill("the cat")
    sheet.shows_words("the", "cat")
    expect(notice).to_have_count(0)
    assert "colour" not in sheet.address


def test_a_wrong_address_opens_with_its_message_and_its_panel(sheet: Sheet) -> None:
    sheet.refusals_expected = True
    sheet.open("text=the dog runs&d_model=4&n_heads=3")
    expect(message_of(sheet, "n_heads")).to_be_visible()
    expect(sheet.sentence).to_have_value("the dog runs")
    sheet.shows_words("the", "dog", "runs")  # the opening example stands in
    field_of(sheet, "n_heads").fill("2")
    expect(message_of(sheet, "n_heads")).to_be_empty()
    assert sheet.query == "text=the%20dog%20runs"  # 4 and 2 are the defaults


def test_a_panel_that_opens_because_of_a_wrong_matrix_shows_it_first(sheet: Sheet) -> None:
    sheet.refusals_expected = True
    sheet.page.set_viewport_size({"width": 390, "height": 844})
    sheet.open("text=the dog runs&w_v=1,2;3")
    expect(field_of(sheet, "w_v")).to_be_in_viewport(ratio=1)
    expect(message_of(sheet, "w_v")).to_be_in_viewport(ratio=1)
