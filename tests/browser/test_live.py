"""Live update: the page follows the keys, and nothing the reader had is lost."""

from typing import Any

import pytest
from playwright.sync_api import Route, expect

from tests.browser.sheet import DIRECT, Sheet

LATE = "**/?*text=late&*"
DEAF = "AbortController.prototype.abort = () => {}"  # an older question that cannot be called back


def fields_of(sheet: Sheet) -> int:
    """How often the page has asked for itself."""
    return sum("/?" in url for url in sheet.requested)


@pytest.mark.parametrize("deaf", [False, True], ids=["aborted", "not-aborted"])
def test_an_older_answer_that_comes_later_changes_nothing(sheet: Sheet, deaf: bool) -> None:
    if deaf:
        sheet.page.add_init_script(DEAF)
    sheet.open("text=first")
    held: list[Route] = []
    sheet.page.route(LATE, lambda route: held.append(route))
    sheet.sentence.fill("late")
    sheet.sentence.fill("later")
    sheet.shows_words("later")
    address = sheet.address
    assert len(held) == 1
    if deaf:
        with sheet.page.expect_response(LATE) as late:
            held[0].continue_()
        late.value.finished()
        sheet.page.evaluate("new Promise(done => setTimeout(done, 50))")
    sheet.shows_words("later")
    assert sheet.address == address
    expect(sheet.sentence).to_have_value("later")


def test_typing_keeps_focus_caret_and_scroll_positions(sheet: Sheet) -> None:
    sheet.page.set_viewport_size({"width": 390, "height": 844})
    sheet.open("text=a b c d e f g h i j k l m n o p&at=weights")
    sheet.page.evaluate("scrollTo(0, 30); document.querySelector('.picture').scrollLeft = 50")
    kept = "[scrollY, document.querySelector('.picture').scrollLeft]"
    before = sheet.page.evaluate(kept)
    assert before[0] == 30
    sheet.sentence.evaluate("field => { field.focus({preventScroll: true}); field.setSelectionRange(1, 1); }")
    sheet.page.keyboard.type("xyz")
    sheet.shows_words("axyz", *"bcdefghijklmnop")
    expect(sheet.sentence).to_be_focused()
    assert sheet.sentence.evaluate("field => [field.selectionStart, field.value.slice(0, 6)]") == [4, "axyz b"]
    assert sheet.page.evaluate(kept) == before


def test_changing_a_control_keeps_its_focus_and_its_panel(sheet: Sheet) -> None:
    sheet.open("text=the dog runs&d_model=4")
    sheet.open_group("sizes")
    field = sheet.page.locator("#c-d_model")
    field.press("Control+A")
    field.press("6")
    expect(sheet.page.locator("[data-live=sum-sizes]")).to_have_text("6")
    expect(field).to_be_focused()
    expect(field).to_be_visible()
    sheet.open_group("mask")
    sheet.page.locator("#c-mask").select_option("causal")
    expect(sheet.page.locator("[data-live=sum-mask]")).to_have_text("causal")
    expect(sheet.page.locator("#c-mask")).to_be_visible()


def test_a_chosen_cell_keeps_the_focus_when_the_page_is_renewed(sheet: Sheet) -> None:
    sheet.open("text=the dog runs")
    cell = sheet.page.locator(".result .c").nth(1)
    cell.click()
    sheet.asks_why("scores[0,0,1]")
    expect(sheet.page.locator(".result [value='scores[0,0,1]']")).to_be_focused()
    following = sheet.page.locator("[data-turn=following]")
    following.click()
    sheet.at("scaled")
    expect(following).to_be_focused()


def test_the_address_is_canonical_and_brings_the_page_back(sheet: Sheet) -> None:
    sheet.open("d_model=6&text=once", "ja")
    sheet.type("犬 と 猫")
    sheet.shows_words("犬", "と", "猫")
    sheet.open_group("mask")
    sheet.page.locator("#c-mask").select_option("causal")
    expect(sheet.page.locator("[data-live=sum-mask]")).to_have_text("因果")
    sheet.page.locator(".stop[value=weights]").click()
    sheet.at("weights")
    sheet.page.locator(".result .c").first.click()
    sheet.asks_why("weights[0,0,0]")
    assert sheet.query == sheet.api()["query"]
    assert sheet.address == f"?{sheet.query}&lang=ja&cell=weights[0,0,0]"
    cells = sheet.printed()
    sheet.page.reload()
    expect(sheet.page.locator("html")).to_have_class("scripted")
    sheet.asks_why("weights[0,0,0]")
    assert sheet.printed() == cells
    expect(sheet.sentence).to_have_value("犬 と 猫")


def test_back_and_forward_bring_sentence_and_cell_back(sheet: Sheet) -> None:
    sheet.open("text=the dog runs&cell=scores[0,0,0]")
    sheet.page.locator(".result .c").nth(1).click()
    sheet.asks_why("scores[0,0,1]")
    sheet.type("a")
    sheet.shows_words("a")  # two answers, but one step back
    sheet.page.keyboard.type(" cat")
    sheet.shows_words("a", "cat")
    sheet.page.locator(".result [value='scores[0,1,0]']").click()
    sheet.asks_why("scores[0,1,0]")
    sheet.page.locator(".stop[value=q]").click()
    sheet.at("q")
    walk: list[tuple[str, tuple[str, ...], str]] = [
        ("scores", ("a", "cat"), "scores[0,1,0]"),
        ("scores", ("a", "cat"), "scores[0,0,0]"),  # with one word there was one cell only
        ("scores", ("the", "dog", "runs"), "scores[0,0,1]"),
        ("scores", ("the", "dog", "runs"), "scores[0,0,0]"),
    ]
    for step, words, cell in walk:
        sheet.page.go_back()
        sheet.at(step)
        sheet.shows_words(*words)
        sheet.asks_why(cell)
        expect(sheet.sentence).to_have_value(" ".join(words))
    for _, words, cell in reversed(walk[:-1]):
        sheet.page.go_forward()
        sheet.shows_words(*words)
        sheet.asks_why(cell)
    sheet.page.go_forward()
    sheet.at("q")


def compose(sheet: Sheet, texts: list[str], commit: str) -> None:
    """Type through an input method: unfinished texts, then the word."""
    keyboard: Any = sheet.page.context.new_cdp_session(sheet.page)
    for text in texts:
        keyboard.send("Input.imeSetComposition", {"text": text, "selectionStart": len(text), "selectionEnd": len(text)})
    keyboard.send("Input.insertText", {"text": commit})
    keyboard.detach()


def test_an_input_method_sends_whole_words_only(sheet: Sheet) -> None:
    sheet.open("text=x", "ja")
    sheet.sentence.click()
    sheet.page.keyboard.press("Control+A")
    asked = fields_of(sheet)
    compose(sheet, ["い", "いn", "いぬ"], "犬")
    sheet.shows_words("犬")
    assert fields_of(sheet) - asked == 1
    assert not any("%E3%81%84" in url for url in sheet.requested)  # い


def test_an_input_method_in_a_control_leaves_given_vectors_alone(sheet: Sheet) -> None:
    sheet.open(DIRECT, "ja")
    sheet.open_group("matrices")
    names = sheet.page.locator("#c-labels_q")
    names.press("Control+A")
    compose(sheet, ["ねk", "ねこ"], "猫")
    expect(sheet.page.locator(".result tbody th")).to_have_text(["猫"])
    expect(sheet.page.locator("#c-q")).to_have_value("1,0,2")


def test_a_sentence_takes_the_place_of_given_vectors(sheet: Sheet) -> None:
    sheet.open(DIRECT, "ja")
    sheet.type("a cat")
    sheet.shows_words("a", "cat")
    expect(sheet.page.locator("#c-q")).to_have_value("")
    assert "q=" not in sheet.query.split("&")[0]


def test_a_server_that_is_gone_is_said_and_the_picture_stays(sheet: Sheet) -> None:
    sheet.open("text=the dog runs")
    cells = sheet.printed()
    sheet.page.route("**/?*text=gone*", lambda route: route.abort())
    sheet.sentence.fill("gone")
    expect(sheet.page.locator("[data-live=errors]")).to_contain_text("does not answer")
    assert sheet.printed() == cells
    sheet.sentence.fill("back again")
    sheet.shows_words("back", "again")
    expect(sheet.page.locator("[data-live=errors]")).to_be_empty()
    sheet.faults = [fault for fault in sheet.faults if "gone" not in fault and "ERR_FAILED" not in fault]


def test_the_page_works_under_another_host_name_over_plain_http(sheet: Sheet) -> None:
    sheet.origin = sheet.origin.replace("127.0.0.1", "classroom.test")
    sheet.open("text=the dog")
    sheet.type("the cat")
    sheet.shows_words("the", "cat")
    sheet.page.locator("[name=head][value=all]").click()
    sheet.figure_is_drawn()
    assert not sheet.page.evaluate("isSecureContext")
