"""What is typed, pasted and copied is what is meant: decimal commas, a minus on phones, tables to and from a spreadsheet."""

import pytest
from playwright.sync_api import expect

from tests.browser.sheet import Sheet
from tests.browser.test_edits import OPENING, PASTE, cell, change

COPY = """([from, to]) => { const range = document.createRange();
  range.setStartBefore(document.querySelector(from)); range.setEndAfter(document.querySelector(to));
  getSelection().removeAllRanges(); getSelection().addRange(range);
  const data = new DataTransfer();
  const event = new ClipboardEvent("copy", { clipboardData: data, bubbles: true, cancelable: true });
  document.querySelector(from).dispatchEvent(event);
  return event.defaultPrevented ? data.getData("text/plain") : null; }"""


def paste(sheet: Sheet, ref: str, text: str) -> None:
    cell(sheet, ref).dblclick()
    expect(sheet.page.locator(".edit")).to_be_focused()
    sheet.page.evaluate(PASTE, text)


@pytest.mark.parametrize(
    ("text", "numbers"),
    [
        ("1,5\t2,5\r\n3,5\t-4,5\r\n", ["1.5", "2.5", "3.5", "−4.5"]),
        ("1.5\t2.5\n3.5\t−4.5", ["1.5", "2.5", "3.5", "−4.5"]),
        ("1,2;3,4", ["1", "2", "3", "4"]),
        ("1.5, 2 ; 3, -4", ["1.5", "2", "3", "−4"]),
    ],
)
def test_a_block_fills_a_block_as_it_was_written(sheet: Sheet, text: str, numbers: list[str]) -> None:
    sheet.open("text=the dog runs&d_model=3&n_heads=1&at=x")
    paste(sheet, "x[1,1]", text)
    expect(cell(sheet, "x[2,2]")).to_have_text(numbers[3])
    assert [cell(sheet, f"x[{row},{column}]").inner_text() for row in (1, 2) for column in (1, 2)] == numbers
    sheet.agrees_with_the_api()


def test_a_column_of_decimal_commas_fills_a_column(sheet: Sheet) -> None:
    sheet.open("text=the dog runs&d_model=3&n_heads=1&at=x")
    paste(sheet, "x[1,1]", "0,5\n-1,5\n")
    expect(cell(sheet, "x[2,1]")).to_have_text("−1.5")
    expect(cell(sheet, "x[1,1]")).to_have_text("0.5")


@pytest.mark.parametrize("text", ["1,234.5\t2", "1,234\t2", "2\t1,234", "10⁶\t2"])
def test_what_may_be_two_numbers_is_refused_and_nothing_changes(sheet: Sheet, text: str) -> None:
    sheet.refusals_expected = True
    sheet.open("text=the dog runs&d_model=3&n_heads=1&at=x")
    before = sheet.printed()
    paste(sheet, "x[1,1]", text)
    expect(sheet.page.locator("#error-edits")).to_contain_text("10⁶" if "⁶" in text else "1,234")
    assert sheet.printed() == before
    assert sheet.page.locator("#c-edits").input_value() == ""


@pytest.mark.parametrize("text", ["0,5", "1,234", "1,234,567", "−1.5"])
def test_one_number_goes_into_the_field_as_it_stands(sheet: Sheet, text: str) -> None:
    sheet.open(OPENING)
    cell(sheet, "scores[0,0,0]").dblclick()
    taken = sheet.page.evaluate(
        PASTE.replace('document.querySelector(".edit").dispatchEvent(', 'return document.querySelector(".edit").dispatchEvent('),
        text,
    )
    assert taken is True, "the browser itself pastes it"
    expect(sheet.page.locator(".edit")).to_be_focused()


def test_a_decimal_comma_of_a_keypad_is_a_decimal(sheet: Sheet) -> None:
    sheet.open(OPENING)
    change(sheet, "scores[0,0,0]", "-0,5")
    expect(cell(sheet, "scores[0,0,0]")).to_have_text("−0.5")
    sheet.agrees_with_the_api()


def test_a_comma_that_may_part_thousands_is_refused(sheet: Sheet) -> None:
    sheet.refusals_expected = True
    sheet.open(OPENING)
    before = sheet.printed()
    change(sheet, "scores[0,0,0]", "1,234")
    expect(sheet.page.locator("#error-edits")).to_contain_text("1,234")
    assert sheet.printed() == before


def test_a_phone_shows_a_keyboard_that_has_a_minus_and_corrects_nothing(sheet: Sheet) -> None:
    sheet.open(OPENING)
    cell(sheet, "scores[0,0,0]").dblclick()
    assert sheet.page.locator(".edit").get_attribute("inputmode") == "text"
    fields = sheet.page.locator("#f input:not([type=hidden]), #f textarea")
    for field in fields.all():
        name = field.get_attribute("name")
        assert field.get_attribute("inputmode") in (None, "numeric"), name
        if field.get_attribute("inputmode") is None:
            wishes = [field.get_attribute(wish) for wish in ("autocapitalize", "autocorrect", "spellcheck", "autocomplete")]
            assert wishes == ["none", "off", "false", "off"], name


def test_a_large_number_opens_in_its_cell_as_it_is_typed(sheet: Sheet) -> None:
    sheet.open("text=the dog runs&n_heads=1&edits=scores[0,0,0]=-3.4e38")
    expect(cell(sheet, "scores[0,0,0]")).to_have_text("−3.4×10³⁸")
    cell(sheet, "scores[0,0,0]").click()
    cell(sheet, "scores[0,0,0]").dblclick()
    assert sheet.page.locator(".edit").input_value() == "-3.4e38"


def test_copied_numbers_keep_their_table_and_carry_a_minus_that_programs_read(sheet: Sheet) -> None:
    sheet.open("text=the dog runs&d_model=2&n_heads=1&x=-1.5,2;0,-3;4,1e30&at=x")
    block = sheet.page.evaluate(COPY, [".c[value='x[0,0]']", ".c[value='x[1,1]']"])
    lines = [line.split("\t") for line in block.split("\n")]
    assert [line[-2:] for line in lines] == [["-1.5", "2"], ["0", "-3"]]
    assert lines[1][0] == "dog"
    whole = sheet.page.evaluate(COPY, [".result .grid thead", ".result .grid tbody"])
    rows = [line.split("\t") for line in whole.split("\n")]
    assert [row[0] for row in rows[1:]] == ["the", "dog", "runs"]
    assert [[float(number) for number in row[1:]] for row in rows[1:]] == [[-1.5, 2], [0, -3], [4, 1e30]]
    assert sheet.page.evaluate(COPY, ["h1", "h1"]) is None, "words are copied as ever"
    assert sheet.page.evaluate(COPY, ["#why-value", "#why-value"]) is None or "−" not in sheet.page.evaluate(
        COPY, ["#why-value", "#why-value"]
    )


@pytest.mark.parametrize("lang", ["en", "ja"])
def test_what_is_too_long_for_the_address_says_so_and_offers_the_file(sheet: Sheet, lang: str) -> None:
    sheet.refusals_expected = True  # the sentence is empty for a moment
    sheet.open(f"text=one two&lang={lang}")
    line = sheet.page.locator("[data-live=long]")
    expect(line).to_be_hidden()
    numbers = ";".join(",".join(["0.1234"] * 32) for _ in range(12))
    sheet.sentence.fill("")
    for name in ("v", "k", "q"):
        sheet.page.evaluate(
            "([name, text]) => { const field = document.querySelector(`#c-${name}`); field.value = text;"
            "if (name === 'q') field.dispatchEvent(new InputEvent('input', { bubbles: true })); }",
            [name, numbers],
        )
    expect(line).to_be_visible()
    assert "q=" not in sheet.address
    with sheet.page.expect_download() as download:
        line.locator("button, a").click()
    assert download.value.suggested_filename.endswith(".json")
    sheet.sentence.fill("short again")
    expect(line).to_be_hidden()
    assert "short" in sheet.address
