"""Heads: one at a time, all at once, and sentences too long for numbers in cells."""

import base64
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.browser.sheet import Sheet, path_of

HEADS = "text=the quick brown fox&d_model=8&n_heads=4&seed=3"
LONG = " ".join(f"w{number}" for number in range(40))

SHARP = """async ([picture, box]) => {
  const image = new Image();
  image.src = `data:image/png;base64,${picture}`;
  await image.decode();
  const canvas = Object.assign(document.createElement('canvas'), {width: image.width, height: image.height});
  const pen = canvas.getContext('2d');
  pen.drawImage(image, 0, 0);
  const {data} = pen.getImageData(Math.ceil(box.x), Math.ceil(box.y), Math.floor(box.width) - 1, Math.floor(box.height) - 1);
  const width = Math.floor(box.width) - 1;
  let same = 0, all = 0;
  const colours = new Set();
  for (let place = 4; place < data.length; place += 4) {
    colours.add([data[place], data[place + 1], data[place + 2]].join());
    if ((place / 4) % width === 0) continue;
    all += 1;
    if ([0, 1, 2].every((part) => data[place + part] === data[place - 4 + part])) same += 1;
  }
  return {same: same / all, colours: colours.size};
}"""


def asked_for_plotly(sheet: Sheet) -> bool:
    return any("plotly" in path_of(url) and url.endswith(".js") for url in sheet.requested)


def open_all_heads(sheet: Sheet, query: str = HEADS, lang: str = "en") -> None:
    sheet.open(f"{query}&at=weights&head=all", lang)
    sheet.figure_is_drawn()


def figure(sheet: Sheet) -> Any:
    return sheet.page.evaluate("(({data, layout}) => ({data, layout}))(document.querySelector('[data-ready]'))")


def test_tabs_show_one_head_after_another(sheet: Sheet) -> None:
    sheet.open(f"{HEADS}&at=weights")
    seen = []
    for number in range(4):
        sheet.page.locator(".heads [data-head=one]").nth(number).click()
        expect(sheet.page.locator(".heads [aria-current]")).to_have_text(f"Head {number + 1}")
        sheet.agrees_with_the_api()
        assert {ref.split(",")[0] for ref in sheet.printed(".result")} == {f"weights[{number}"}
        seen.append(tuple(sheet.printed(".result").values()))
    assert len(set(seen)) == 4
    assert not asked_for_plotly(sheet)


def test_going_to_another_step_stays_with_the_head(sheet: Sheet) -> None:
    sheet.open(f"{HEADS}&cell=weights[2,1,0]")
    sheet.page.locator(".stop[value=scores]").click()
    sheet.at("scores")
    expect(sheet.page.locator(".heads [aria-current]")).to_have_text("Head 3")
    sheet.page.keyboard.press("ArrowRight")
    sheet.at("scaled")
    expect(sheet.page.locator(".heads [aria-current]")).to_have_text("Head 3")


def test_plotly_is_fetched_when_all_heads_are_wanted_and_not_before(sheet: Sheet) -> None:
    sheet.open(HEADS)
    sheet.page.locator(".stop[value=weights]").click()
    sheet.at("weights")
    sheet.page.wait_for_load_state("networkidle")
    assert not asked_for_plotly(sheet)
    sheet.page.locator("[name=head][value=all]").click()
    sheet.figure_is_drawn()
    assert asked_for_plotly(sheet)
    sheet.page.keyboard.press("ArrowLeft")
    sheet.at("masked")
    sheet.figure_is_drawn()
    assert sum("plotly" in url and url.endswith(".js") for url in sheet.requested) == 1


def test_all_heads_share_one_scale_and_show_the_numbers_of_the_api(sheet: Sheet) -> None:
    open_all_heads(sheet)
    drawn = figure(sheet)
    weights = next(step["values"] for step in sheet.api()["steps"] if step["name"] == "weights")
    assert [panel["z"] for panel in drawn["data"]] == weights
    assert {panel["coloraxis"] for panel in drawn["data"]} == {"coloraxis"}
    assert (drawn["layout"]["coloraxis"]["cmin"], drawn["layout"]["coloraxis"]["cmax"]) == (0, 1)
    assert sheet.page.locator(".figure .heatmaplayer image, .figure .hm").count() >= 4


@pytest.mark.parametrize("query", [f"{HEADS}&at=weights&head=all", f"text={LONG}&at=weights"], ids=["four-heads", "40-tokens"])
def test_heatmap_cells_are_sharp(sheet: Sheet, query: str) -> None:
    sheet.open(query)
    sheet.figure_is_drawn()
    box = sheet.page.locator(".figure image").first.bounding_box()
    assert box
    picture = base64.b64encode(sheet.page.screenshot()).decode()
    found = sheet.page.evaluate(SHARP, [picture, {**box, "height": min(box["height"], 200)}])
    assert found["same"] > 0.75, found  # in a smoothed heatmap hardly two neighbours are equal


def test_a_clicked_heatmap_cell_is_chosen(sheet: Sheet) -> None:
    open_all_heads(sheet)
    box = sheet.page.locator(".figure image").nth(1).bounding_box()
    assert box
    sheet.page.mouse.click(box["x"] + box["width"] * 0.625, box["y"] + box["height"] * 0.375)  # row 1, column 2 of 4
    sheet.asks_why("weights[1,1,2]")
    sheet.why_agrees_with_the_api("en")


def test_forty_tokens_are_a_heatmap_with_every_label(sheet: Sheet) -> None:
    sheet.open(f"text={LONG}&at=weights&n_heads=1")
    sheet.figure_is_drawn()
    for axis in ("x", "y"):
        assert sheet.page.locator(f".figure .{axis}tick text").all_text_contents() == LONG.split()
    box = sheet.page.locator(".figure image").bounding_box()
    assert box
    sheet.page.mouse.click(box["x"] + box["width"] * 3.5 / 40, box["y"] + box["height"] * 1.5 / 40)
    sheet.asks_why("weights[0,1,3]")
    sheet.why_agrees_with_the_api("en")
    sheet.figure_is_drawn()
    sheet.type("short again")
    sheet.shows_words("short", "again")
    sheet.agrees_with_the_api()


def test_a_figure_that_cannot_be_loaded_says_so(sheet: Sheet) -> None:
    sheet.page.route("**/api/v1/figures/**", lambda route: route.abort())
    sheet.open(f"{HEADS}&at=weights&head=all")
    expect(sheet.page.locator(".figure")).to_contain_text("could not be loaded")
    sheet.faults = [fault for fault in sheet.faults if "ERR_FAILED" not in fault]
