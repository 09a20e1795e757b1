"""A class: the teacher prepares a link, forty phones open it over plain HTTP, and networks come and go."""

import re

import pytest
from playwright.sync_api import BrowserContext, Page, Route, ViewportSize, expect

from tests.browser.chromium import OTHER_HOST
from tests.browser.sheet import Sheet
from tests.browser.test_axe import faults

PHONE: ViewportSize = {"width": 390, "height": 844}
LAPTOP: ViewportSize = {"width": 1600, "height": 1000}
AT_DOUBLE_SIZE: ViewportSize = {"width": 800, "height": 500}
"""A laptop's window of 1600 × 1000 whose reader has enlarged the page to 200 %."""
WIDE = "[document.documentElement.scrollWidth, innerWidth]"


def open_class(sheet: Sheet, query: str = "", lang: str = "en", scripts: bool = True) -> None:
    sheet.page.goto(f"{sheet.origin}/class?lang={lang}{'&' if query else ''}{query}")
    if scripts:
        expect(sheet.page.locator("html")).to_have_class("scripted")


def link_of(page: Page) -> str:
    return page.locator(".address a").get_attribute("href") or ""


def links_to(page: Page, address: str) -> None:
    """Wait until this is the link."""
    expect(page.locator(".address a")).to_have_attribute("href", address)


def test_a_phone_opens_what_the_teacher_prepared_and_copies_it_on(sheet: Sheet) -> None:
    sheet.origin = sheet.origin.replace("127.0.0.1", OTHER_HOST)
    page = sheet.page
    page.set_viewport_size(PHONE)
    sheet.open("text=the dog runs&mask=causal&cell=weights[0,1,0]")
    page.locator(".share summary").click()
    page.locator(".share a[href^='/class']").click()
    expect(page.locator("html")).to_have_class("scripted")
    links_to(page, f"{sheet.origin}/?text=the+dog+runs&mask=causal&cell=weights%5B0,1,0%5D")
    mask = page.get_by_role("checkbox", name="mask")
    mask.check()
    page.get_by_role("checkbox", name="Menus").check()
    links_to(page, f"{sheet.origin}/?text=the+dog+runs&mask=causal&hide=mask,tools&cell=weights%5B0,1,0%5D")
    expect(page.locator(".address")).to_have_text(re.compile(r"hide=mask,tools&cell=weights\[0,1,0\]$"))
    page.get_by_role("button", name="Copy").click()
    field = page.locator("dialog.copying textarea")
    expect(field).to_have_value(link_of(page))
    assert field.evaluate("field => field.value.slice(field.selectionStart, field.selectionEnd)") == link_of(page)
    page.goto(field.input_value())
    expect(page.locator("html")).to_have_class("scripted")
    sheet.asks_why("weights[0,1,0]")
    expect(page.locator("[data-group=mask]")).to_be_hidden()
    expect(page.locator("[data-group=heads]")).to_be_visible()
    expect(page.locator(".share, .export")).to_have_count(0)
    sheet.sentence.fill("the cat")
    sheet.shows_words("the", "cat")
    page.locator(".result [value='weights[0,1,1]']").click()
    sheet.asks_why("weights[0,1,1]")
    assert "mask=causal" in sheet.query
    assert "&hide=mask,tools&" in sheet.address
    page.go_back()
    sheet.asks_why("weights[0,1,0]")
    assert not page.evaluate("isSecureContext")
    assert sheet.page.evaluate(WIDE) == [390, 390]


def test_the_link_of_the_present_picture_is_copied_where_it_may_be(sheet: Sheet) -> None:
    sheet.page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    sheet.open("text=犬 が 走る&mask=causal", "ja")
    sheet.page.locator(".result [value='scores[0,0,1]']").click()
    sheet.asks_why("scores[0,0,1]")
    sheet.page.locator(".share summary").click()
    sheet.page.locator("[data-copy-link]").click()
    expect(sheet.page.locator("[data-copied]")).not_to_be_empty()
    copied = sheet.page.evaluate("navigator.clipboard.readText()")
    assert copied.isascii()
    cells, query = sheet.printed(), sheet.query
    sheet.page.goto(copied)
    sheet.asks_why("scores[0,0,1]")
    assert (sheet.printed(), sheet.query) == (cells, query)
    assert sheet.page.locator("html").get_attribute("lang") == "ja"


def test_the_readable_address_can_be_typed_as_it_stands(sheet: Sheet) -> None:
    open_class(sheet, "text=犬%20が%20走る&mask=causal&at=weights&cell=weights[0,1,0]", "ja")
    readable = sheet.page.locator(".address").inner_text()
    assert "犬+が+走る" in readable
    sheet.page.goto(readable)
    sheet.shows_words("犬", "が", "走る")
    sheet.asks_why("weights[0,1,0]")


def test_typing_and_ticking_keep_the_focus_and_a_mistake_keeps_the_link(sheet: Sheet) -> None:
    sheet.refusals_expected = True
    open_class(sheet, "text=the dog&at=weights")
    page = sheet.page
    text = page.locator("#text")
    text.fill("the cat")
    links_to(page, f"{sheet.origin}/?text=the+cat&at=weights")
    text.fill("w " * 100)
    expect(page.locator("#error-text")).to_contain_text("100")
    links_to(page, f"{sheet.origin}/?text=the+cat&at=weights")
    expect(text).to_be_focused()
    text.fill("犬")
    links_to(page, f"{sheet.origin}/?text=%E7%8A%AC&at=weights")
    expect(page.locator("#error-text")).to_be_empty()
    everything = page.get_by_role("checkbox", name="All settings")
    everything.check()
    links_to(page, f"{sheet.origin}/?text=%E7%8A%AC&hide=controls&at=weights")
    expect(everything).to_be_focused()
    expect(page.get_by_role("checkbox", name="mask")).to_be_disabled()
    page.locator("#at").select_option("scores")
    links_to(page, f"{sheet.origin}/?text=%E7%8A%AC&hide=controls")
    assert "hide=controls" in sheet.address  # the page can be loaded again as it is


def test_without_scripts_the_form_makes_the_same_link(plain_sheet: Sheet) -> None:
    open_class(plain_sheet, "text=the%20dog&mask=causal", scripts=False)
    page = plain_sheet.page
    page.locator("#text").fill("the cat")
    page.locator("#at").select_option("weights")
    for name in ("mask", "heads", "Changing the sentence"):
        page.get_by_role("checkbox", name=name).check()
    page.locator("#reader_lang").select_option("en")
    page.locator(".make").click()
    links_to(page, f"{plain_sheet.origin}/?text=the+cat&mask=causal&lang=en&hide=heads,mask,sentence&at=weights")
    page.get_by_role("link", name="Full screen").click()
    expect(page.locator(".screen .code")).to_be_visible()
    page.goto(link_of(page))
    expect(page.locator("#text")).not_to_be_editable()
    expect(page.locator("[data-group=mask]")).to_be_hidden()
    page.locator(".result .c").first.click()
    plain_sheet.asks_why("weights[0,0,0]")
    assert "mask=causal" in plain_sheet.query
    expect(page.locator("[data-group=mask]")).to_be_hidden()


def lose_network_faults(sheet: Sheet) -> None:
    """What Chromium itself writes when a request finds no network."""
    own = re.compile(r"ERR_INTERNET_DISCONNECTED|ERR_CONNECTION_REFUSED|ERR_FAILED")
    sheet.faults = [fault for fault in sheet.faults if not own.search(fault)]


def test_a_phone_without_a_network_keeps_what_is_typed_and_goes_on_by_itself(sheet: Sheet, context: BrowserContext) -> None:
    sheet.open("text=the dog runs&hide=mask")
    context.set_offline(True)
    errors = sheet.page.locator("[data-live=errors]")
    expect(errors).to_contain_text("does not answer")  # before anything is typed
    cells = sheet.printed()
    sheet.type("a cat")
    sheet.open_group("heads")
    sheet.page.locator("#c-n_heads").fill("1")
    assert sheet.printed() == cells
    expect(sheet.sentence).to_have_value("a cat")
    context.set_offline(False)
    sheet.shows_words("a", "cat")
    expect(errors).to_be_empty()
    expect(sheet.page.locator("[data-live=sum-heads]")).to_have_text("1")
    expect(sheet.page.locator("#c-n_heads")).to_be_focused()
    assert "text=a%20cat&n_heads=1&" in sheet.address
    lose_network_faults(sheet)


def test_a_number_typed_into_a_cell_while_the_network_is_away_is_not_lost(sheet: Sheet, context: BrowserContext) -> None:
    sheet.open("text=the dog runs&cell=scores[0,1,1]")
    context.set_offline(True)
    sheet.chosen.focus()
    sheet.page.keyboard.press("Enter")
    sheet.page.keyboard.type("7")
    sheet.page.keyboard.press("Enter")
    expect(sheet.page.locator("[data-live=errors]")).to_contain_text("does not answer")
    context.set_offline(False)
    expect(sheet.chosen).to_have_text("7")
    assert "edits=scores[0,1,1]=7" in sheet.query
    lose_network_faults(sheet)


def test_a_server_that_comes_back_is_found_without_a_touch(sheet: Sheet) -> None:
    sheet.page.clock.install()
    sheet.open("text=the dog runs")
    sheet.page.route("**/?*", lambda route: route.abort("connectionrefused"))
    sheet.page.locator(".result [value='scores[0,0,1]']").click()
    errors = sheet.page.locator("[data-live=errors]")
    expect(errors).to_contain_text("does not answer")
    sheet.page.unroute("**/?*")
    sheet.page.route("**/?*", lambda route: route.fulfill(status=502, content_type="text/html", body="<p>starting</p>"))
    with sheet.page.expect_response("**/?*"):
        sheet.page.clock.fast_forward(2_000)
    sheet.page.evaluate("new Promise(done => setTimeout(done, 50))")
    expect(errors).to_contain_text("does not answer")
    sheet.page.unroute("**/?*")
    sheet.page.clock.fast_forward(4_000)
    sheet.asks_why("scores[0,0,1]")
    expect(errors).to_be_empty()
    sheet.faults = [fault for fault in sheet.faults if "502" not in fault]
    lose_network_faults(sheet)


def test_a_question_that_hangs_is_given_up_and_asked_again_when_the_phone_wakes(sheet: Sheet) -> None:
    sheet.page.clock.install()
    sheet.open("text=the dog runs")
    held: list[Route] = []
    sheet.page.route("**/?*", lambda route: held.append(route))
    with sheet.page.expect_request("**/?*text=a*"):
        sheet.sentence.fill("a cat")
    errors = sheet.page.locator("[data-live=errors]")
    expect(errors).to_be_empty()
    sheet.page.clock.fast_forward(15_000)
    expect(errors).to_contain_text("does not answer")
    expect(sheet.sentence).to_have_value("a cat")
    sheet.page.unroute("**/?*")
    sheet.page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    sheet.shows_words("a", "cat")
    expect(errors).to_be_empty()


def test_the_class_page_goes_on_by_itself_as_well(sheet: Sheet, context: BrowserContext) -> None:
    open_class(sheet, "text=the%20dog")
    context.set_offline(True)
    sheet.page.locator("#text").fill("the cat")
    expect(sheet.page.locator("[data-live=errors]")).to_contain_text("does not answer")
    links_to(sheet.page, f"{sheet.origin}/?text=the+dog")
    context.set_offline(False)
    links_to(sheet.page, f"{sheet.origin}/?text=the+cat")
    expect(sheet.page.locator("[data-live=errors]")).to_be_empty()
    lose_network_faults(sheet)


COVERED = """all => all.filter(element => element.checkVisibility()).map(element => {
  element.scrollIntoView({block: 'center', inline: 'center'});
  const box = element.getBoundingClientRect();
  const top = document.elementFromPoint((box.left + box.right) / 2, (box.top + box.bottom) / 2);
  const seen = top && (element.contains(top) || top.contains(element)) && box.left >= 0 && box.right <= innerWidth + 0.5;
  return seen ? '' : element.outerHTML.slice(0, 120);
}).filter(Boolean)"""


@pytest.mark.parametrize(
    ("place", "lang"), [("/?n_heads=2&", "en"), ("/?mask=causal&", "ja"), ("/class?", "en"), ("/class?", "ja")]
)
def test_a_page_enlarged_to_twice_its_size_covers_nothing(sheet: Sheet, place: str, lang: str) -> None:
    sheet.page.set_viewport_size(AT_DOUBLE_SIZE)
    sheet.page.goto(f"{sheet.origin}{place}text=the dog runs&lang={lang}")
    scroll, inner = sheet.page.evaluate(WIDE)
    assert scroll <= inner
    controls = "a:not(.skip), button, input:not([type=hidden]), select, summary"
    assert sheet.page.locator(controls).evaluate_all(COVERED) == []


def test_axe_finds_nothing_on_the_pages_for_a_class(sheet: Sheet) -> None:
    sheet.page.emulate_media(reduced_motion="reduce")
    for query, lang, theme, size in (
        ("text=the dog runs&hide=controls", "ja", "dark", LAPTOP),
        ("text=the dog runs&colour=red", "en", "light", PHONE),
        (f"text={'a' * 900}", "ja", "light", PHONE),
        ("text=the dog runs&screen=1", "en", "dark", LAPTOP),
    ):
        sheet.page.set_viewport_size(size)
        open_class(sheet, f"{query}&theme={theme}", lang, scripts=False)
        assert faults(sheet) == [], (query, size)
        scroll, inner = sheet.page.evaluate(WIDE)
        assert scroll <= inner
    sheet.open("text=the dog runs&hide=controls,sentence&theme=dark", "ja")
    sheet.page.locator(".share summary").click()
    assert faults(sheet) == []


def test_paper_shows_the_step_and_its_why_in_black_on_white(sheet: Sheet) -> None:
    sheet.page.emulate_media(color_scheme="dark")
    sheet.open("text=the dog runs&cell=scores[0,1,0]&hide=heads")
    sheet.page.emulate_media(media="print", color_scheme="dark")
    for part in (".result .c", ".why .value", "#why-sum", "h1", ".chip"):
        expect(sheet.page.locator(part).first).to_be_visible()
        colour = "element => getComputedStyle(element).color"
        assert sheet.page.locator(part).first.evaluate(colour) in ("rgb(0, 0, 0)", "rgb(26, 27, 32)"), part
    for part in (".top", ".map", ".pills", "#text", ".pager", ".hint", ".choosers"):
        expect(sheet.page.locator(part)).to_be_hidden()


def test_a_figure_that_did_not_come_is_drawn_when_the_phone_wakes(sheet: Sheet) -> None:
    sheet.page.route("**/api/v1/figures/**", lambda route: route.abort("internetdisconnected"))
    sheet.open("text=the dog runs&n_heads=2&at=weights")
    sheet.page.locator("button[name=head][value=all]").click()
    expect(sheet.page.locator(".figure")).to_contain_text("could not be")
    sheet.page.unroute("**/api/v1/figures/**")
    sheet.page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    sheet.figure_is_drawn()
    lose_network_faults(sheet)
