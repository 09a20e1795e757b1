"""The meaning space in a browser: reached by the arrow keys, drawn, turned, chosen from, and readable without the figure."""

from typing import Any

import numpy as np
from playwright.sync_api import Page, expect

from tests.browser.sheet import Sheet, is_printed
from tests.browser.test_axe import faults

WORDS = "text=the dog runs far"


def figure(sheet: Sheet) -> dict[str, Any]:
    """The points before and after as Plotly holds them, by name."""
    sheet.figure_is_drawn()
    found = sheet.page.evaluate("document.querySelector('[data-ready]').data.filter(trace => trace.customdata)")
    return {trace["name"]: trace for trace in found}


def table(sheet: Sheet) -> list[list[str]]:
    rows = sheet.page.locator(".of-words").locator("tbody tr").all()
    return [row.locator("td").all_inner_texts() for row in rows]


def of_api(sheet: Sheet, name: str) -> Any:
    return np.array(next(step["values"] for step in sheet.api()["steps"] if step["name"] == name))


def agree(shown: list[list[str]], expected: Any) -> None:
    for texts, values in zip(shown, expected, strict=True):
        assert all(is_printed(text, value) for text, value in zip(texts, values, strict=True)), (texts, values)


def turn_of(sheet: Sheet) -> str:
    return str(sheet.page.evaluate("new URLSearchParams(location.search).get('turn')"))


def touch(page: Page, start: tuple[float, float], way: tuple[float, float]) -> None:
    """A finger that moves over the glass."""
    hand: Any = page.context.new_cdp_session(page)
    for share in [number / 12 for number in range(13)]:
        points = [{"x": start[0] + share * way[0], "y": start[1] + share * way[1]}]
        hand.send("Input.dispatchTouchEvent", {"type": "touchMove" if share else "touchStart", "touchPoints": points})
    hand.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})


def test_the_last_stop_shows_components_the_plane_and_what_is_typed(sheet: Sheet) -> None:
    sheet.open(f"{WORDS}&d_model=2&at=out")
    sheet.page.keyboard.press("ArrowRight")
    sheet.at("space")
    expect(sheet.page.locator("[data-turn=following]")).to_have_count(0)
    before, after = of_api(sheet, "x"), of_api(sheet, "out")
    moved = np.sqrt(((after - before) ** 2).sum(axis=1))
    alike = (before * after).sum(axis=1) / np.sqrt((before**2).sum(axis=1) * (after**2).sum(axis=1))
    agree(table(sheet), np.column_stack([before, after, moved, alike]))
    expect(sheet.page.locator(".space-said")).to_contain_text("100")
    drawn = figure(sheet)
    np.testing.assert_allclose(np.column_stack([drawn["after (out)"]["x"], drawn["after (out)"]["y"]]), after)
    sheet.page.evaluate("document.querySelector('.figure').mark = 'kept'")
    sheet.open_group("sizes")
    sheet.page.locator("#c-d_model").fill("8")
    expect(sheet.page.locator(".space-said")).to_contain_text("keeps")
    expect(sheet.page.locator(".of-words").locator("tbody tr").first.locator("td")).to_have_count(6)
    every = np.vstack([of_api(sheet, "x"), of_api(sheet, "out")])
    _, lengths, axes = np.linalg.svd(every - every.mean(axis=0))
    axes = np.array([axis * np.sign(axis[np.abs(axis).argmax()]) for axis in axes[:2]])
    places = (every - every.mean(axis=0)) @ axes.T
    agree([row[:4] for row in table(sheet)], np.hstack([places[:4], places[4:]]))
    share = 100 * (lengths[:2] ** 2).sum() / (lengths**2).sum()
    expect(sheet.page.locator(".space-said")).to_contain_text(f"{share:.1f}%")
    sheet.page.keyboard.press("Escape")
    sheet.type("a cat")
    sheet.shows_words("a", "cat")
    sheet.at("space")
    assert figure(sheet)["before (x)"]["customdata"] == ["x[0,0]", "x[1,0]"]
    assert sheet.page.evaluate("document.querySelector('.figure').mark") == "kept"  # drawn on in its box
    assert "at=space" in sheet.address


def test_a_point_a_chip_and_a_word_of_the_table_choose_the_word(sheet: Sheet) -> None:
    sheet.open(f"{WORDS}&d_model=2&at=space")
    sheet.figure_is_drawn()
    box = sheet.page.locator(".figure .points path").nth(1).bounding_box()
    assert box
    sheet.page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    expect(sheet.page.locator(".of-words .chosen th")).to_have_text("dog")
    expect(sheet.page.locator(".chip[aria-current]")).to_have_text("dog")
    sheet.figure_is_drawn()
    assert [size > 11 for size in figure(sheet)["before (x)"]["marker"]["size"]] == [False, True, False, False]
    sheet.page.locator(".chip", has_text="far").click()
    expect(sheet.page.locator(".why .cell-name")).to_have_text("far")
    button = sheet.page.locator(".of-words button", has_text="the")
    button.focus()
    sheet.page.keyboard.press("Enter")
    expect(sheet.page.locator(".why .cell-name")).to_have_text("the")
    expect(button).to_be_focused()
    assert sheet.address.endswith("&at=space&cell=x[0,0]")
    sheet.page.locator(".vectors .term").nth(1).click()
    sheet.asks_why("out[0,0]")
    sheet.page.go_back()
    sheet.at("space")
    expect(sheet.page.locator(".why .cell-name")).to_have_text("the")


def test_three_components_are_turned_by_mouse_and_by_keyboard(sheet: Sheet) -> None:
    sheet.open(f"{WORDS}&d_model=3&at=space")
    before = figure(sheet)["before (x)"]
    box = sheet.page.locator(".figure").bounding_box()
    assert box
    sheet.page.mouse.move(box["x"] + 300, box["y"] + 250)
    sheet.page.mouse.down()
    for step in range(1, 11):
        sheet.page.mouse.move(box["x"] + 300 - 10 * step, box["y"] + 250 + 5 * step)
    sheet.page.mouse.up()
    sheet.page.wait_for_url("**turn=65,40**")  # 0.4 degrees a pixel from 25,20
    sheet.figure_is_drawn()
    assert "turn=65,40" in (sheet.page.locator(".figure").get_attribute("data-figure") or "")
    turned = figure(sheet)["before (x)"]
    assert turned["x"] != before["x"]
    x = of_api(sheet, "x")
    around = np.radians(65)
    np.testing.assert_allclose(turned["x"], x @ [-np.sin(around), np.cos(around), 0], atol=1e-9)
    sheet.page.locator("[data-turn=right]").focus()
    sheet.page.keyboard.press("Enter")
    sheet.page.wait_for_url("**turn=80,40**")
    expect(sheet.page.locator("[data-turn=right]")).to_be_focused()
    assert faults(sheet) == []


def test_on_a_phone_a_finger_scrolls_the_page_and_turns_to_the_side(new_context: Any, server: str) -> None:
    sheet = Sheet(new_context(has_touch=True, is_mobile=True).new_page(), server)
    sheet.page.set_viewport_size({"width": 390, "height": 844})
    sheet.page.emulate_media(color_scheme="dark")
    sheet.open("at=space", "ja")
    sheet.figure_is_drawn()
    middle = "document.querySelector('.figure').scrollIntoView({block: 'center'})"
    assert faults(sheet) == []
    assert sheet.page.evaluate("[document.documentElement.scrollWidth, innerWidth]") == [390, 390]
    sheet.page.evaluate(middle)
    start = sheet.page.evaluate("scrollY")
    touch(sheet.page, (190, 500), (0, -240))
    sheet.page.wait_for_function(f"scrollY > {start} + 100")
    assert turn_of(sheet) == "None"
    sheet.page.evaluate(middle)
    touch(sheet.page, (120, 420), (150, 10))
    sheet.page.wait_for_url("**turn=325,20**")
    assert sheet.faults == []


def test_axe_finds_nothing_in_the_plane(sheet: Sheet) -> None:
    sheet.open(f"{WORDS}&d_model=8&n_layers=2&position=sinusoidal&at=space", "ja")
    sheet.figure_is_drawn()
    sheet.page.locator(".loadings summary").click()
    assert faults(sheet) == []


def test_without_the_figure_the_table_holds_the_numbers(sheet: Sheet) -> None:
    sheet.page.route("**/api/v1/figures/**", lambda route: route.abort())
    sheet.open(f"{WORDS}&d_model=3&at=space")
    expect(sheet.page.locator(".figure")).to_have_text("The figure could not be loaded. The table below has its numbers.")
    agree([row[:3] for row in table(sheet)], of_api(sheet, "x"))
    sheet.page.unroute("**/api/v1/figures/**")
    sheet.page.locator(".chip").first.click()  # the next one is drawn again
    sheet.figure_is_drawn()
    sheet.faults = [fault for fault in sheet.faults if "ERR_FAILED" not in fault]


def test_without_scripts_there_is_the_table_and_every_word_can_be_chosen(plain_sheet: Sheet) -> None:
    plain_sheet.open(f"{WORDS}&d_model=3&at=out")
    plain_sheet.page.locator("[data-turn=following]").click()
    plain_sheet.at("space")
    expect(plain_sheet.page.locator(".figure")).to_be_hidden()
    picture = plain_sheet.page.locator(".space-picture")
    expect(picture).to_be_visible()
    assert picture.evaluate("image => image.decode().then(() => image.naturalWidth)") > 600
    assert "4 words" in (picture.get_attribute("alt") or "")
    agree([row[3:6] for row in table(plain_sheet)], of_api(plain_sheet, "out"))
    plain_sheet.page.locator(".chip", has_text="dog").click()
    plain_sheet.at("space")
    expect(plain_sheet.page.locator(".of-words .chosen th")).to_have_text("dog")
    plain_sheet.page.locator(".vectors .term").first.click()
    plain_sheet.at("x")
    plain_sheet.asks_why("x[1,0]")
