"""A pinned beside B in a browser: what differs is read off the page, as the API says it."""

import math
from typing import Any
from urllib.parse import parse_qsl, quote, urlsplit

import pytest
from playwright.sync_api import Locator, expect

from tests.browser.sheet import Sheet, is_printed, number, value_at
from tests.browser.test_axe import faults
from tests.browser.test_fit import WIDE

OPENING = "text=the dog runs&n_heads=1&at=weights"
PINNED = f"{OPENING}&mask=causal&pin=mask="
TWO_WORDS = "text=a cat runs&n_heads=1&at=scores&pin=text=the dog runs"


def press(sheet: Sheet, key: str) -> None:
    """A link of the menu."""
    sheet.page.locator(".compare-menu summary").click()
    sheet.page.locator(".compare-menu a", has_text=key).click()


def change_mask(sheet: Sheet, mask: str) -> None:
    sheet.open_group("mask")
    sheet.page.locator("#c-mask").select_option(mask)


def mark(sheet: Sheet, step: str) -> Locator:
    """What the map says of a step."""
    return sheet.page.locator(f".stop[value='{step}'] .mark [aria-hidden]")


def side(sheet: Sheet, name: str) -> dict[str, str]:
    return sheet.printed(f"[data-side={name}]")


def comparison(sheet: Sheet) -> dict[str, Any]:
    """What the API says of the two scenarios on the page, by step."""
    fields = dict(
        parse_qsl(urlsplit(sheet.page.locator(".step").get_attribute("data-address") or "").query, keep_blank_values=True)
    )
    pin = quote(fields["pin"], safe="")
    response = sheet.page.request.get(f"{sheet.origin}/api/v1/attention/compare?{sheet.query}&pin={pin}")
    assert response.ok, response.text()
    return {step["name"]: step for step in response.json()["steps"]}


def agrees_with_the_api(sheet: Sheet, step: str) -> None:
    """B is the answer to the query, and each cell of B − A what the API says; A is B without it."""
    found = comparison(sheet)[step]
    values = {each["name"]: each["values"] for each in sheet.api()["steps"]}
    a, b, change = (side(sheet, name) for name in ("a", "b", "difference"))
    assert a.keys() == b.keys() == change.keys() != set()
    for ref in b:
        now, by = value_at(values, ref), value_at({step: found["difference"]}, ref)
        assert is_printed(b[ref], now), ref
        assert is_printed(change[ref], by), ref
        assert is_printed(a[ref], now - by), ref


def test_pin_change_read_the_difference_swap_unpin_and_go_back(sheet: Sheet) -> None:
    sheet.open(OPENING)
    press(sheet, "Pin this as A")
    expect(sheet.page.locator(".differing")).to_contain_text("still the same")
    expect(mark(sheet, "weights")).to_have_text("=")
    assert "pin=-" in sheet.address

    change_mask(sheet, "causal")
    expect(sheet.page.locator(".differing")).to_have_text("Differences between A and B: Mask: A none → B causal")
    assert sheet.address.endswith("&pin=mask=")
    agrees_with_the_api(sheet, "weights")
    found = comparison(sheet)
    largest = sheet.page.locator(".summary p").first.inner_text()
    assert largest.startswith("Largest difference:")
    assert is_printed(mark(sheet, "weights").inner_text(), found["weights"]["largest"])
    assert f"({'+' if at_largest(found['weights']) > 0 else '−'}{mark(sheet, 'weights').inner_text()})" in largest
    sheet.page.locator(".summary .go").click()
    sheet.asks_why(f"weights[{','.join(map(str, found['weights']['at']))}]")
    for step in ("x", "q", "k", "v", "scores"):
        assert mark(sheet, step).inner_text() == "="
        assert found[step]["state"] == "unchanged"

    before = side(sheet, "difference")
    sheet.page.locator(".compare-bar a", has_text="Swap").click()
    expect(sheet.page.locator(".differing")).to_have_text("Differences between A and B: Mask: A causal → B none")
    assert sheet.page.locator("#c-mask").input_value() == "none"
    assert sheet.address.endswith("&pin=mask=causal")
    agrees_with_the_api(sheet, "weights")
    assert side(sheet, "difference") == {ref: turned(text) for ref, text in before.items()}

    sheet.page.locator(".compare-bar a", has_text="Unpin").click()
    expect(sheet.page.locator(".compare-bar")).to_have_count(0)
    expect(sheet.page.locator(".mark")).to_have_count(0)
    assert "pin" not in sheet.address
    sheet.agrees_with_the_api()
    sheet.page.go_back()
    expect(sheet.page.locator(".differing")).to_contain_text("A causal → B none")
    sheet.page.go_back()
    expect(sheet.page.locator(".differing")).to_contain_text("A none → B causal")
    assert sheet.page.locator("#c-mask").input_value() == "causal"
    agrees_with_the_api(sheet, "weights")


def test_a_change_that_is_quicker_than_the_answer_to_pin_is_compared_all_the_same(sheet: Sheet) -> None:
    sheet.open(OPENING)
    sheet.open_group("mask")
    sheet.page.route("**/?*pin=-*", lambda _: None)  # this answer never comes
    press(sheet, "Pin this as A")
    change_mask(sheet, "causal")
    expect(sheet.page.locator(".differing")).to_have_text("Differences between A and B: Mask: A none → B causal")
    assert sheet.address.endswith("&pin=mask=")
    agrees_with_the_api(sheet, "weights")


def at_largest(step: dict[str, Any]) -> float:
    return value_at({step["name"]: step["difference"]}, f"{step['name']}[{','.join(map(str, step['at']))}]")


def turned(text: str) -> str:
    """A printed difference, the other way round."""
    return text.translate(str.maketrans("+−", "−+"))


def test_unchanged_steps_are_said_to_be_unchanged_and_hidden_cells_to_be_hidden(sheet: Sheet) -> None:
    sheet.open(PINNED)
    sheet.page.locator(".stop[value=q]").click()
    sheet.at("q")
    expect(sheet.page.locator(".summary p").first).to_have_text("= Unchanged: every number of this step is the same in A and B.")
    assert set(side(sheet, "difference").values()) == {"0"}
    sheet.page.locator(".stop[value=masked]").click()
    sheet.at("masked")
    expect(sheet.page.locator(".summary")).to_contain_text("Cells hidden on one side only: 0 in A, 3 in B")
    change = side(sheet, "difference")
    hidden = {ref for ref, text in side(sheet, "b").items() if number_of(text) == -math.inf}
    assert len(hidden) == 3
    assert {ref for ref, text in change.items() if text == "B −∞"} == hidden
    assert {text for ref, text in change.items() if ref not in hidden} == {"0"}


def number_of(text: str) -> float:
    return float(text.replace("−", "-").replace("∞", "inf"))


def test_a_cell_of_any_side_chooses_the_same_cell_and_b_is_what_is_edited(sheet: Sheet) -> None:
    sheet.open(PINNED)
    sheet.page.locator("[data-side=a] .c[value='weights[0,0,2]']").click()
    sheet.asks_why("weights[0,0,2]")
    expect(sheet.chosen).to_have_attribute("value", "weights[0,0,2]")
    sides = sheet.page.locator(".why-sides td").all_inner_texts()
    why = sheet.api("/explain", step="weights", index="0,0,2")
    by = value_at({"weights": comparison(sheet)["weights"]["difference"]}, "weights[0,0,2]")
    assert is_printed(sides[1], number(why["value"]))
    assert is_printed(sides[0], number(why["value"]) - by)
    assert is_printed(sides[2], by)
    expect(sheet.page.locator(".note.of-a")).to_contain_text(f"≈ {sides[0]}")
    sheet.page.locator("[data-side=difference] .c[value='weights[0,1,0]']").dblclick()
    expect(sheet.page.locator("[data-side=b] .edit")).to_be_focused()
    sheet.page.keyboard.type("0.9")
    sheet.page.keyboard.press("Enter")
    expect(sheet.page.locator("[data-side=b] .c[value='weights[0,1,0]']")).to_have_text("0.9")
    expect(sheet.page.locator(".differing")).to_contain_text("Changed cells")
    assert sheet.address.endswith("&pin=mask=%26edits=")
    agrees_with_the_api(sheet, "weights")
    sheet.page.locator("[data-undo]").click()
    expect(sheet.page.locator(".differing")).not_to_contain_text("Changed cells")
    assert sheet.address.endswith("&pin=mask=")


def test_two_sentences_are_named_both(sheet: Sheet) -> None:
    sheet.open(TWO_WORDS)
    rows = [" ".join(name.split()) for name in sheet.page.locator("[data-side=difference] tbody th").all_inner_texts()]
    assert rows == ["the / a", "dog / cat", "runs"]
    expect(sheet.page.locator("[data-side=a] tbody th")).to_have_text(["the", "dog", "runs"])
    expect(sheet.page.locator("[data-side=b] tbody th")).to_have_text(["a", "cat", "runs"])
    agrees_with_the_api(sheet, "scores")
    sheet.sentence.fill("a cat")
    expect(sheet.page.locator(".summary")).to_contain_text("A is head 1 × query 3 × key 3, B is head 1 × query 2 × key 2")
    expect(sheet.page.locator("[data-side=difference]")).to_have_count(0)
    expect(sheet.page.locator("[data-side=a] .c")).to_have_count(9)
    expect(sheet.page.locator("[data-side=b] .c")).to_have_count(4)


def test_large_steps_are_three_figures_whose_cells_can_be_pressed(sheet: Sheet) -> None:
    sheet.open("text=word&n_heads=1&mask=causal&pin=-&at=weights")
    sheet.sentence.fill("word " * 17)
    expect(sheet.page.locator(".summary")).to_contain_text("A is head 1 × query 1 × key 1, B is head 1 × query 17 × key 17")
    press(sheet, "Pin the current B as A")
    expect(sheet.page.locator(".differing")).to_contain_text("still the same")
    change_mask(sheet, "none")
    expect(sheet.page.locator(".differing")).to_contain_text("A causal → B none")
    expect(sheet.page.locator("[data-ready]")).to_have_count(3)
    titles = sheet.page.locator(".figure .gtitle").all_text_contents()
    assert [title.split(":")[0] for title in titles] == ["A", "B", "B − A"]
    sheet.page.locator("[data-side=difference] .nsewdrag").click(position={"x": 3, "y": 3})
    sheet.asks_why("weights[0,0,0]")


@pytest.mark.parametrize(("lang", "theme"), [("ja", "light"), ("en", "dark")])
def test_axe_finds_nothing_and_the_page_fits(sheet: Sheet, lang: str, theme: str) -> None:
    sheet.page.emulate_media(color_scheme="dark" if theme == "dark" else "light", reduced_motion="reduce")
    sheet.open(PINNED.replace("at=weights", "at=masked") if theme == "light" else TWO_WORDS, lang)
    for width, height in ((1600, 1000), (390, 844)):
        sheet.page.set_viewport_size({"width": width, "height": height})
        scroll, inner = sheet.page.evaluate(WIDE)
        assert scroll <= inner
        cut = "all => all.filter(cell => cell.scrollWidth > cell.clientWidth).map(cell => cell.textContent)"
        assert sheet.page.locator(".contrast .c").evaluate_all(cut) == []
        sheet.page.locator(".compare-menu summary").click()
        box = sheet.page.locator(".compare-menu ul").bounding_box()
        assert box is not None
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= width
        sheet.page.keyboard.press("Escape")
        assert faults(sheet) == []


def test_it_all_works_without_scripts(plain_sheet: Sheet) -> None:
    sheet = plain_sheet
    sheet.open(OPENING)
    press(sheet, "Pin this as A")
    change_mask(sheet, "causal")
    sheet.page.locator(".show").click()
    expect(sheet.page.locator(".differing")).to_contain_text("A none → B causal")
    agrees_with_the_api(sheet, "weights")
    sheet.page.locator("[data-side=a] .c[value='weights[0,0,2]']").click()
    sheet.asks_why("weights[0,0,2]")
    expect(sheet.page.locator(".differing")).to_contain_text("A none → B causal")
    press(sheet, "Heads: 1 and 4")
    expect(sheet.page.locator(".differing")).to_contain_text("A 1 → B 4")
    press(sheet, "Unpin")
    expect(sheet.page.locator(".compare-bar")).to_have_count(0)
