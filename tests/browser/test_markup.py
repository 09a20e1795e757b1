"""Words are shown as they were typed, whatever they look like."""

import pytest
from playwright.sync_api import expect

from app.language.words import LANGUAGES
from tests.browser.sheet import Sheet

WORDS = ["<b>x</b>", "</script><script>alert(1)</script>", "$x$", "%{z}", "\"'&", "<img/src=x/onerror=alert(1)>"]
TYPED = "text=" + " ".join(WORDS).replace("%", "%25").replace("&", "%26") + "&split=spaces&d_model=4&n_heads=2"


@pytest.mark.parametrize("lang", LANGUAGES)
def test_markup_stands_as_typed_in_every_part_of_the_page(sheet: Sheet, lang: str) -> None:
    sheet.open(TYPED, lang)
    sheet.shows_words(*WORDS)
    assert sheet.page.locator(".result thead th").all_text_contents() == WORDS
    assert sheet.page.locator(".result tbody th").all_text_contents() == WORDS
    short = [word if len(word) <= 14 else f"{word[:13]}…" for word in WORDS]
    arcs = [text.strip("\u2068\u2069") for text in sheet.page.locator(".arcs text:not(.weight)").all_text_contents()]
    assert arcs == short
    for number, word in enumerate(WORDS):
        sheet.page.locator(".chip").nth(number).click()
        expect(sheet.page.locator(".chip[aria-current]")).to_have_text(word)
        expect(sheet.page.locator(".cell-name")).to_contain_text(word)
        expect(sheet.page.locator(".arcs figcaption")).to_contain_text(short[number])
        sheet.why_agrees_with_the_api(lang)
    sheet.page.locator(".stop[value=tokens]").click()
    expect(sheet.page.locator(".tokens tbody th")).to_have_text(WORDS)
    expect(sheet.sentence).to_have_value(" ".join(WORDS))


def test_markup_stands_as_typed_in_plotly_labels_and_hover(sheet: Sheet) -> None:
    sheet.open(f"{TYPED}&at=weights&head=all")
    sheet.figure_is_drawn()
    short = [word if len(word) <= 14 else f"{word[:13]}…" for word in WORDS]
    assert sheet.page.locator(".figure .ytick text").all_text_contents() == short
    assert sheet.page.locator(".figure .xtick text").all_text_contents() == short
    box = sheet.page.locator(".figure image").first.bounding_box()
    assert box
    for number, word in enumerate(WORDS):
        step = box["height"] / len(WORDS)
        sheet.page.mouse.move(box["x"] + box["width"] * (number + 0.5) / len(WORDS), box["y"] + step * (number + 0.5))
        expect(sheet.page.locator(".hoverlayer .hovertext")).to_contain_text(f"query: {word}key: {word}")
    assert sheet.page.locator(".figure b, .figure script").count() == 0


def test_markup_in_given_names_stands_as_typed(sheet: Sheet) -> None:
    sheet.open("q=1,0&k=0,1;1,1&v=1;2&labels_q=<i>a</i>&labels_k=<b>b</b>,%26amp\\;&labels_v=$z$")
    assert sheet.page.locator(".result thead th").all_text_contents() == ["<b>b</b>", "&amp;"]
    expect(sheet.page.locator(".result tbody th")).to_have_text(["<i>a</i>"])


def test_a_repeated_word_keeps_its_own_rows_and_columns(sheet: Sheet) -> None:
    sheet.open("text=the dog the dog the&position=sinusoidal")
    assert sheet.page.locator(".result thead th").all_text_contents() == ["the", "dog", "the", "dog", "the"]
    assert sheet.page.locator(".result tbody tr").count() == 5
    sheet.agrees_with_the_api()
    sheet.page.locator(".chip").nth(2).click()
    expect(sheet.page.locator(".chip").nth(2)).to_have_attribute("aria-current", "true")
    expect(sheet.page.locator(".chip[aria-current]")).to_have_count(1)


def test_repeated_words_and_numbers_keep_their_places_in_a_heatmap(sheet: Sheet) -> None:
    words = ["1", "2", "1", "2026-01-01", "1e5", "the"] * 3
    sheet.open(f"text={' '.join(words)}&split=spaces&at=weights&n_heads=1")
    sheet.figure_is_drawn()
    assert sheet.page.locator(".figure .ytick text").all_text_contents() == words
    assert sheet.page.locator(".figure .xtick text").all_text_contents() == words


def test_right_to_left_words_keep_their_order(sheet: Sheet) -> None:
    words = ["אני", "אוהב", "כלבים"]
    sheet.open(f"text={' '.join(words)}")
    sheet.shows_words(*words)
    for parts in (".chip", ".result thead th"):
        boxes = [part.bounding_box() for part in sheet.page.locator(parts).all()]
        places = [box["x"] for box in boxes if box]
        assert len(places) == 3
        assert places == sorted(places)
    expect(sheet.sentence).to_have_css("direction", "rtl")
    sheet.agrees_with_the_api()


def test_an_emoji_family_is_one_word(sheet: Sheet) -> None:
    family = "\U0001f468\u200d\U0001f469\u200d\U0001f467\u200d\U0001f466"
    sheet.open()
    sheet.type(f"{family} runs")
    sheet.shows_words(family, "runs")
    sheet.agrees_with_the_api()
