"""The forms: found in two clicks, only what applies is asked, every step can be walked, on a desk and on a phone."""

import re
from contextlib import suppress

import pytest
from playwright.sync_api import TimeoutError, expect

from app.language.words import LANGUAGES
from app.scenario.presets import PRESETS, fields_of
from tests.browser.sheet import Sheet
from tests.browser.test_axe import faults

WORDS = "text=the dog runs"
SIZES = [(1600, 1000), (390, 844)]
WIDE = "[document.documentElement.scrollWidth, innerWidth]"
SHOWN = "group => [...document.querySelectorAll(`[data-group=${group}] .control:not([hidden]) [name]`)].map(field => field.name)"
NAMED = {preset.name: preset for presets in PRESETS.values() for preset in presets}

MASK = ["mask", "padding", "mask_place"]
PANELS: dict[str, tuple[str, str, dict[str, list[str]]]] = {
    "mask": (
        "",
        "mask",
        {
            "none": MASK,
            "causal": MASK,
            "sliding_window": ["mask", "window", "two_sided", "padding", "mask_place"],
            "padding": MASK,
            "prefix": ["mask", "prefix", "padding", "mask_place"],
            "dilated": ["mask", "window", "dilation", "padding", "mask_place"],
            "global": ["mask", "window", "n_global", "padding", "mask_place"],
            "block": ["mask", "block", "padding", "mask_place"],
            "custom": ["mask", "allow", "padding", "mask_place"],
        },
    ),
    "position": (
        "",
        "position",
        {
            "sinusoidal": ["position"],
            "learned": ["position", "max_positions"],
            "rope": ["position"],
            "alibi": ["position"],
            "relative": ["position", "max_distance"],
            "t5": ["position", "max_distance", "n_buckets"],
            "none": ["position"],
        },
    ),
    "mechanism": (
        "&mask=causal",
        "mechanism",
        {
            "attention": ["mechanism"],
            "tiled": ["mechanism", "tile_q", "tile_k"],
            "linear": ["mechanism", "linear_form"],
            "state_space": ["mechanism", "selective", "ssm_form", "ssm_rule", "d_state", "delta", "n_channels"],
            "cached": ["mechanism"],
        },
    ),
    "normalizer": ("", "normalizer", {"division": ["normalizer"], "softmax": ["normalizer", "inside", "sink"]}),
}
LAYER = ["n_layers", "norm_place", "norm", "activation", "d_ff", "n_experts"]


def query_of(name: str, lang: str) -> str:
    preset = NAMED[name]
    return "&".join(f"{field}={text}" for field, text in [*fields_of(preset, lang), ("at", preset.at)])


def shown(sheet: Sheet, group: str) -> list[str]:
    found: list[str] = sheet.page.evaluate(SHOWN, group)
    return found


def shows(sheet: Sheet, group: str, fields: list[str]) -> None:
    """Wait until a panel shows just these fields."""
    code = f"([group, fields]) => JSON.stringify(({SHOWN})(group)) === JSON.stringify(fields)"
    with suppress(TimeoutError):
        sheet.page.wait_for_function(code, arg=[group, fields])
    assert shown(sheet, group) == fields


@pytest.fixture
def asked(sheet: Sheet) -> list[str]:
    """The fields that were sent with the newest question."""
    names: list[str] = []

    def note(url: str) -> None:
        if "/?" in url:
            names[:] = re.findall(r"[?&](\w+)=", url)

    sheet.page.on("request", lambda request: note(request.url))
    return names


@pytest.mark.parametrize(("lang", "forms", "card"), [("en", "Forms", "Sliding window"), ("ja", "", "")])
def test_a_sliding_window_is_found_in_two_clicks(sheet: Sheet, lang: str, forms: str, card: str) -> None:
    sheet.open(WORDS, lang)
    places = sheet.page.locator(".places a")
    (places.filter(has_text=forms) if forms else places.nth(1)).click()
    sheet.page.wait_for_url("**/forms**")
    cards = sheet.page.locator(".form-card")
    expect(cards).to_have_count(len(NAMED))
    (cards.filter(has_text=card) if card else cards.nth(list(NAMED).index("sliding_window"))).click()
    sheet.at("mask")
    expect(sheet.page.locator("html")).to_have_attribute("lang", lang)
    expect(sheet.page.locator("html")).to_have_class("scripted")
    assert "mask=sliding_window" in sheet.query
    sheet.agrees_with_the_api()
    rows = {ref: text for ref, text in sheet.printed().items() if ref.startswith("mask[5,")}
    assert list(rows.values()) == ["0", "0", "0", "1", "1", "1", "0"]
    sheet.page.locator(".stop[value=weights]").click()
    sheet.at("weights")
    sheet.agrees_with_the_api()
    sheet.why_agrees_with_the_api(lang)


@pytest.mark.parametrize("panel", PANELS)
def test_only_what_applies_is_shown_and_sent(sheet: Sheet, asked: list[str], panel: str) -> None:
    more, field, choices = PANELS[panel]
    sheet.refusals_expected = True  # a custom mask without rows
    sheet.open(f"{WORDS}{more}")
    sheet.open_group(panel)
    for choice, fields in choices.items():
        with sheet.page.expect_response("**/?*"):
            sheet.page.locator(f"#c-{field}").select_option(choice)
        shows(sheet, panel, fields)
        for name in shown(sheet, panel):
            expect(sheet.page.locator(f"#c-{name}")).to_be_visible()
        hidden = sheet.page.locator(".control[hidden] [name]").evaluate_all("all => all.map(field => field.name)")
        assert hidden
        assert not set(hidden) & set(asked)
        assert field in asked


def test_a_number_in_a_field_that_no_longer_applies_is_not_sent(sheet: Sheet, asked: list[str]) -> None:
    sheet.open(f"{WORDS}&mask=sliding_window")
    sheet.open_group("mask")
    sheet.page.locator("#c-window").fill("1")
    expect(sheet.page.locator(".step")).to_have_attribute("data-query", re.compile("window=1"))
    assert "window" in asked
    sheet.page.locator("#c-mask").select_option("causal")
    expect(sheet.page.locator("#c-window")).to_be_hidden()
    expect(sheet.page.locator(".step")).to_have_attribute("data-query", re.compile("mask=causal$"))
    assert "window" not in asked
    sheet.page.locator("#c-mask").select_option("dilated")  # it is still there when it applies again
    expect(sheet.page.locator("#c-window")).to_have_value("1")
    sheet.open_group("mechanism")
    sheet.page.locator("#c-mechanism").select_option("state_space")
    expect(sheet.page.locator("#c-mask")).to_have_count(1)
    shows(sheet, "mask", [])
    assert not {"mask", "window", "dilation"} & set(asked)


def test_a_layer_asks_for_its_parts(sheet: Sheet) -> None:
    sheet.open(WORDS)
    sheet.open_group("block")
    assert shown(sheet, "block") == ["n_layers"]
    for name, value, fields in (
        ("n_layers", "1", LAYER),
        ("n_experts", "3", [*LAYER, "top_k", "renormalise"]),
        ("n_layers", "0", ["n_layers"]),
        ("n_layers", "2", [*LAYER, "top_k", "renormalise"]),
        ("n_experts", "0", LAYER),
    ):
        sheet.page.locator(f"#c-{name}").fill(value)
        shows(sheet, "block", fields)
    expect(sheet.page.locator("[data-live=sum-block]")).to_have_text("2")


def test_an_impossible_pair_says_why_beside_the_control(sheet: Sheet) -> None:
    sheet.refusals_expected = True
    sheet.open(f"{WORDS}&d_head=3")
    cells = sheet.printed()
    sheet.open_group("position")
    sheet.page.locator("#c-position").select_option("rope")
    expect(sheet.page.locator("#error-position")).to_contain_text("4")
    expect(sheet.page.locator("#c-position")).to_have_attribute("aria-invalid", "true")
    assert sheet.printed() == cells
    sheet.open_group("sizes")
    sheet.page.locator("#c-d_head").fill("4")
    expect(sheet.page.locator("#error-position")).to_be_empty()
    expect(sheet.page.locator(".step")).to_have_attribute("data-query", re.compile("position=rope"))


@pytest.mark.parametrize("size", SIZES, ids=["desk", "phone"])
def test_every_preset_opens_whole(sheet: Sheet, size: tuple[int, int]) -> None:
    sheet.page.set_viewport_size({"width": size[0], "height": size[1]})
    for name, preset in NAMED.items():
        sheet.open(query_of(name, "ja"), "ja")
        sheet.at(preset.at)
        found = sheet.page.evaluate(
            """() => ({
              wide: document.documentElement.scrollWidth - innerWidth,
              chosen: document.querySelectorAll('.result .c.chosen').length,
              value: document.getElementById('why-value').textContent,
              name: document.querySelector('.cell-name').textContent,
              reason: document.querySelector('[data-spoken]').textContent,
              cut: [...document.querySelectorAll('.c')].filter(cell => cell.scrollWidth > cell.clientWidth)
                .map(cell => cell.textContent),
              formula: document.querySelector('.facts .formula svg').getBBox().width,
              outside: [...document.querySelectorAll('.step svg, .dials, .facts-list, .heads, .facts > *')]
                .filter(part => part.getBoundingClientRect().right > innerWidth && !part.closest('.picture, .arcs'))
                .map(part => part.className.baseVal ?? part.className),
            })"""
        )
        assert found["wide"] <= 0, name
        assert found["outside"] == [], name
        assert found["cut"] == [], name
        assert found["chosen"] == 1, name
        assert found["value"], name
        assert re.search(r"は約?(マイナス)?\d|隠されて", found["reason"]), name
        assert found["formula"] > 5, name
        assert preset.at.rpartition(".")[2] in found["name"], name
        assert sheet.faults == [], name


@pytest.mark.parametrize(
    "query",
    [
        "text=a b&mechanism=tiled&tile_q=2&tile_k=1",
        "text=a b&n_layers=1&mask=causal",
        "text=a b&mechanism=state_space",
    ],
    ids=["tiled", "layer", "state space"],
)
def test_the_arrow_keys_go_through_every_step(sheet: Sheet, query: str) -> None:
    sheet.open(f"{query}&at=tokens")
    steps = ["tokens", *(step["name"] for step in sheet.api()["steps"])]
    assert len(steps) > 20
    sheet.page.locator(".stop[aria-current]").focus()
    for step in steps[1:]:
        sheet.page.keyboard.press("ArrowRight")
        sheet.at(step)
        expect(sheet.page.locator(".stop[aria-current]")).to_be_focused()
    sheet.agrees_with_the_api()
    for step in reversed(steps[-5:-1]):
        sheet.page.keyboard.press("ArrowLeft")
        sheet.at(step)


def test_the_parts_of_the_map_open_and_close(sheet: Sheet) -> None:
    sheet.open("text=a b c&n_layers=3&mask=causal&at=layer.1.scores")
    parts = sheet.page.locator(".part button")
    expect(parts).to_have_text(["Layer 1", "Layer 2", "Layer 3"])
    for number in (1, 2, 0):
        if number != 1:
            parts.nth(number).click()
            expect(sheet.page.locator(".eyebrow")).to_have_text(f"Layer {number + 1}")
        states = ["true" if place == number else "false" for place in range(3)]
        for place, state in enumerate(states):
            expect(parts.nth(place)).to_have_attribute("aria-expanded", state)
        inside = sheet.page.locator(".stop").evaluate_all("all => all.map(stop => stop.value)")
        assert {name.split(".")[1] for name in inside if name.startswith("layer.")} == {str(number)}
        expect(sheet.page.locator(".stop[aria-current]")).to_have_count(1)
    sheet.page.locator(".stop[value=x]").click()
    sheet.at("x")
    expect(sheet.page.locator(".part button[aria-expanded=true]")).to_have_count(0)


def test_the_dials_turn_with_the_word(sheet: Sheet) -> None:
    sheet.open("text=the dog runs away&position=rope&d_model=8&n_heads=1&cell=q_rot[0,0,0]")
    hands = sheet.page.locator(".dial line")
    expect(hands).to_have_count(4)
    places = "all => all.map(line => [line.getAttribute('x2'), line.getAttribute('y2')].map(Number))"
    seen = []
    angles = next(step["values"] for step in sheet.api()["steps"] if step["name"] == "angles")
    for word in range(4):
        sheet.page.locator(f".result [value='q_rot[0,{word},0]']").click()
        sheet.asks_why(f"q_rot[0,{word},0]")
        seen.append(hands.evaluate_all(places))
        printed = [float(text.rstrip("°")) for text in sheet.page.locator(".dial b").all_inner_texts()]
        assert printed == pytest.approx([angle * 180 / 3.141592653589793 for angle in angles[word]], abs=0.051)
    assert seen[0] == [[1, 0]] * 4
    assert len({str(hand) for hand in seen}) == 4
    assert [round(x * x + y * y, 2) for hand in seen for x, y in hand] == [1] * 16
    assert seen[1][0][1] < 0  # up on the screen: against the clock
    expect(sheet.page.locator(".dial").nth(0)).to_contain_text("1, 5")


def test_grouped_heads_are_drawn_sharing(sheet: Sheet) -> None:
    sheet.open("text=a b&d_model=8&n_heads=4&n_kv_heads=2&at=weights")
    expect(sheet.page.locator(".sharing rect")).to_have_count(6)
    assert sheet.page.locator(".sharing text").all_text_contents() == ["Q1", "Q2", "Q3", "Q4", "KV1", "KV2"]
    lines = "all => all.map(line => [line.getAttribute('x1'), line.getAttribute('x2')].map(Number))"
    ends = [end for _, end in sheet.page.locator(".sharing line").evaluate_all(lines)]
    assert len(ends) == 4
    assert ends[0] == ends[1] < ends[2] == ends[3]
    sheet.open("text=a b&d_model=8&n_heads=4&at=weights")
    expect(sheet.page.locator(".sharing")).to_have_count(0)


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("lang", LANGUAGES)
def test_axe_finds_nothing_on_the_page_of_forms(sheet: Sheet, lang: str, scheme: str) -> None:
    sheet.page.emulate_media(color_scheme="dark" if scheme == "dark" else "light", reduced_motion="reduce")
    sheet.page.goto(f"/forms?lang={lang}")
    for width, height in SIZES:
        sheet.page.set_viewport_size({"width": width, "height": height})
        assert faults(sheet) == [], (width, height)
        scroll, inner = sheet.page.evaluate(WIDE)
        assert scroll <= inner


@pytest.mark.parametrize("name", ["rope", "grouped", "experts", "tiled", "selective"])
def test_axe_finds_nothing_on_a_form(sheet: Sheet, name: str) -> None:
    lang = "ja" if len(name) % 2 else "en"
    sheet.page.emulate_media(color_scheme="dark" if lang == "en" else "light", reduced_motion="reduce")
    sheet.open(query_of(name, lang), lang)
    for width, height in SIZES:
        sheet.page.set_viewport_size({"width": width, "height": height})
        assert faults(sheet) == [], (width, height)


def test_forms_and_layers_work_without_scripts(plain_sheet: Sheet) -> None:
    page = plain_sheet.page
    page.goto("/forms?lang=en")
    page.locator(".form-card", has_text="Pre-LN layer").click()
    plain_sheet.at("layer.0.after_ffn")
    plain_sheet.agrees_with_the_api()
    page.locator(".stop[value='layer.0.norm_1.mean']").click()
    plain_sheet.at("layer.0.norm_1.mean")
    plain_sheet.agrees_with_the_api()
    page.locator("[data-turn=following]").click()
    page.locator(".result .c").nth(5).click()
    expect(page.locator("#why-sum")).to_be_visible()
    page.locator("#why-sum .term").first.click()
    expect(page.locator(".why .cell-name")).to_be_visible()
    page.locator("[data-group=block] summary").click()
    page.locator("#c-norm_place").select_option("post")
    page.locator(".show").click()
    assert "norm_place=post" in plain_sheet.query
    plain_sheet.agrees_with_the_api()
