"""Without JavaScript the sheet is a form and tables, and every number is there."""

from playwright.sync_api import expect

from tests.browser.sheet import DIRECT, Sheet, is_printed


def test_a_sentence_is_sent_with_the_enter_key(plain_sheet: Sheet) -> None:
    plain_sheet.open()
    plain_sheet.sentence.fill("the cat runs far")
    plain_sheet.sentence.press("Enter")
    plain_sheet.shows_words("the", "cat", "runs", "far")
    plain_sheet.agrees_with_the_api()


def test_every_step_is_reached_by_its_button(plain_sheet: Sheet) -> None:
    sheet = plain_sheet
    sheet.open("text=the dog runs&mask=causal&position=sinusoidal")
    for step in [step["name"] for step in sheet.api()["steps"]]:
        sheet.page.locator(f".stop[value={step}]").click()
        sheet.at(step)
        sheet.agrees_with_the_api()
        sheet.why_agrees_with_the_api("en")
    sheet.page.locator(".stop[value=tokens]").click()
    expect(sheet.page.locator(".tokens tbody th")).to_have_text(["the", "dog", "runs"])


def test_a_cell_an_operand_and_a_chip_are_chosen_by_their_buttons(plain_sheet: Sheet) -> None:
    sheet = plain_sheet
    sheet.open()
    sheet.page.locator("[value='scores[0,1,2]'].c").click()
    sheet.asks_why("scores[0,1,2]")
    sheet.page.locator("#why-sum .term").first.click()
    sheet.asks_why("q[0,1,0]")
    sheet.page.locator("#why-sum .term").first.click()
    sheet.asks_why("x[1,0]")
    sheet.page.locator(".chip", has_text="runs").click()
    sheet.asks_why("x[2,0]")
    sheet.page.locator("[data-turn=following]").click()
    assert sheet.step != "x"


def test_a_mask_is_chosen_in_the_form(plain_sheet: Sheet) -> None:
    plain_sheet.open("text=the dog runs&at=weights")
    plain_sheet.open_group("mask")
    plain_sheet.page.locator("#c-mask").select_option("causal")
    plain_sheet.page.locator(".show").click()
    expect(plain_sheet.page.locator("[data-live=sum-mask]")).to_have_text("causal")
    assert "mask=causal" in plain_sheet.query
    plain_sheet.agrees_with_the_api()


def test_given_vectors_can_be_walked_through(plain_sheet: Sheet) -> None:
    plain_sheet.open(DIRECT, "ja")
    plain_sheet.page.locator(".stop[value=z]").click()
    plain_sheet.at("z")
    plain_sheet.agrees_with_the_api()


def test_more_than_sixteen_tokens_stand_in_a_plain_table(plain_sheet: Sheet) -> None:
    sheet = plain_sheet
    sheet.open(f"text={' '.join(f'w{number}' for number in range(20))}&at=weights")
    table = sheet.page.locator("table.plain")
    expect(table).to_have_count(1)
    expect(table).to_be_visible()
    assert table.locator("thead th").all_inner_texts() == [f"w{number}" for number in range(20)]
    weights = next(step["values"] for step in sheet.api()["steps"] if step["name"] == "weights")[0]
    for shown, values in zip(table.locator("tbody tr").all(), weights, strict=True):
        texts = shown.locator("td").all_inner_texts()
        assert all(is_printed(text, value) for text, value in zip(texts, values, strict=True))
    expect(sheet.page.locator(".waiting")).to_be_hidden()


def test_all_heads_stand_below_each_other_each_with_its_name(plain_sheet: Sheet) -> None:
    sheet = plain_sheet
    sheet.open("text=the dog runs&n_heads=2&at=weights")
    sheet.page.locator("[name=head][value=all]").and_(sheet.page.locator("button")).click()
    expect(sheet.page.locator("table.plain")).to_have_count(2)
    assert sheet.page.locator("table.plain caption").all_inner_texts() == ["Head 1", "Head 2"]
    sheet.page.locator(".stop[value=scores]").click()
    expect(sheet.page.locator("table.plain")).to_have_count(2)
    sheet.page.locator(".heads button", has_text="Head 2").click()
    expect(sheet.page.locator("table.plain")).to_have_count(0)
    assert {ref.split(",")[0] for ref in sheet.printed(".result")} == {"scores[1"}
