"""The link for a class: as short as it can be, and it brings back what was chosen."""

import re
import socket
from html import unescape
from itertools import pairwise
from typing import Any
from urllib.parse import parse_qsl, quote, urlsplit

import pytest
import segno
from hypothesis import given
from hypothesis import strategies as st

from app import limits
from app.address.links import Pairs, link_fields, write_link, write_readable
from app.address.presentation import Presentation, find_place, split_fields
from app.errors import Problem
from app.language.words import LANGUAGES, words_of
from app.run.run import Run, compute
from app.scenario.table import Scenario, choices_of
from app.sheet.cells import Place
from app.web import lan
from app.web.qr import QUIET
from tests.support.asking import Api, Json
from tests.support.examples import examples
from tests.support.scenes import scenarios

CLASS = "/class"
BASE = "http://192.168.1.5:8000"


def address(page: str) -> str:
    found = re.search(r'<p class="address"[^>]*><a href="([^"]*)">', page)
    assert found
    return unescape(found[1])


def modules(page: str) -> list[list[int]]:
    """The black and white of the drawn code, without its white edge."""
    found = re.search(r'<div class="code"[^>]*><svg viewBox="0 0 (\d+) \1"[^>]*><path d="([^"]*)"', page)
    assert found
    size = int(found[1])
    drawn = [[0] * size for _ in range(size)]
    for x, y, width, back in re.findall(r"M(\d+) (\d+)h(\d+)v1h-(\d+)z", found[2]):
        assert width == back
        for place in range(int(x), int(x) + int(width)):
            drawn[int(y)][place] = 1
    edge = [*drawn[:QUIET], *drawn[-QUIET:], *([*row[:QUIET], *row[-QUIET:]] for row in drawn)]
    assert not any(map(any, edge))
    return [row[QUIET:-QUIET] for row in drawn[QUIET:-QUIET]]


def notices(page: str) -> list[str]:
    return [unescape(re.sub("<[^>]+>", "", text)) for text in re.findall(r'class="notice"[^>]*>(.*?)</p>', page, re.DOTALL)]


def opened(link: str) -> tuple[Pairs, Pairs]:
    """The fields that decide the numbers, and the others."""
    pairs = parse_qsl(urlsplit(link).query, keep_blank_values=True)
    kept, _ = split_fields(pairs)
    return kept, [pair for pair in pairs if pair not in kept]


def places(data: st.DataObject, run: Run) -> Place:
    step = data.draw(st.sampled_from(list(run.trace)))
    index = tuple(data.draw(st.integers(0, count - 1)) for count in run.trace[step].shape)
    many = len(index) == 3 and run.trace[step].shape[0] > 1
    return Place(step, index, many and data.draw(st.booleans()))


@examples(60)
@given(fields=scenarios, data=st.data(), hide=st.sampled_from(["", "mask", "mask,tools"]), lang=st.sampled_from(["", "ja"]))
def test_a_link_brings_back_the_numbers_and_the_place(fields: Json, data: st.DataObject, hide: str, lang: str) -> None:
    run = compute(Scenario.check(fields))
    place = places(data, run)
    pairs = link_fields(run, place, Presentation.of(lang=lang, hide=hide))
    for link in (write_link(BASE, pairs), write_readable(BASE, pairs)):
        kept, shown = opened(link)
        assert kept == run.query
        assert find_place(run, split_fields(shown)[1]) == place
    assert dict(shown).get("hide", "") == hide
    for name in {"at", "cell", "head"} & dict(shown).keys():
        fewer = split_fields([pair for pair in shown if pair[0] != name])[1]
        assert find_place(run, fewer) != place, f"{name} is not needed"


@given(text=st.text(st.characters(codec="utf-8"), min_size=1), more=st.booleans())
def test_a_link_holds_only_what_chats_take_for_a_part_of_it(text: str, more: bool) -> None:
    pairs = [("text", text), *([("mask", "causal")] if more else [])]
    link, readable = write_link(BASE, pairs), write_readable(BASE, pairs)
    assert re.fullmatch(r"[A-Za-z0-9:/?=&%,;+@._~-]+", link)
    assert link[-1].isalnum()
    assert parse_qsl(urlsplit(link).query, keep_blank_values=True) == pairs
    as_a_browser_sends_it = quote(readable, safe=":/?=&%,;+@[]()*'!~")
    assert parse_qsl(urlsplit(as_a_browser_sends_it).query, keep_blank_values=True) == pairs


@pytest.mark.parametrize(
    ("text", "link", "readable"),
    [
        ("the dog runs", "the+dog+runs", "the+dog+runs"),
        ("犬が走る。", "%E7%8A%AC%E3%81%8C%E8%B5%B0%E3%82%8B%E3%80%82", "犬が走る。"),
        ("1+1=2, ok; a@b", "1%2B1=2,+ok;+a@b", "1%2B1=2,+ok;+a@b"),
        ("What?", "What%3F", "What%3F"),
        ("(a) [b]!", "%28a%29+%5Bb%5D%21", "(a)+[b]!"),
        ("end.", "end%2E", "end."),
        ("end,", "end%2C", "end,"),
        ("and/", "and%2F", "and/"),
        ("a=", "a%3D", "a="),
        ("end ", "end%20", "end+"),
        ("a\u202eb\u3000c\nd", "a%E2%80%AEb%E3%80%80c%0Ad", "a%E2%80%AEb%E3%80%80c%0Ad"),
    ],
)
def test_only_what_must_be_is_written_as_a_code(text: str, link: str, readable: str) -> None:
    pairs = [("text", text)]
    assert write_link(BASE, pairs) == f"{BASE}/?text={link}"
    assert write_readable(BASE, pairs) == f"{BASE}/?text={readable}"


@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_opening_example_needs_no_numbers_in_its_link(api: Api, lang: str) -> None:
    for more in ("", "mask=causal&"):
        page = api.get(CLASS, f"{more}lang={lang}&reader_lang={lang}").text
        assert address(page) == f"http://haibun.test/?{more}lang={lang}"
        assert "table=" in address(api.get(CLASS, f"{more}lang={lang}").text)  # the reader's language may be another
        assert data_query(api.get("/", f"{more}lang={lang}").text) == data_query(api.get("/", query_of(page)).text)


def data_query(page: str) -> str:
    return str(re.findall(r'data-query="([^"]*)"', page)[0])


def query_of(page: str) -> str:
    return str(urlsplit(address(page)).query)


def test_what_the_teacher_chooses_is_in_the_link_and_nothing_else(api: Api) -> None:
    chosen = "text=a b&d_model=4&mask=causal&at=weights&reader_lang=ja&reader_theme=dark&view=projector&hide=mask&hide=sizes"
    shown = "&lang=en&theme=light&good=text%3Da&seed=0"
    page = api.get(CLASS, chosen + shown).text
    assert address(page) == (
        "http://haibun.test/?text=a+b&mask=causal&lang=ja&theme=dark&view=projector&hide=sizes,mask&at=weights"
    )
    assert address(api.get(CLASS, "text=a&reader_lang=xx&reader_theme=pink&view=3d&hide=nothing").text) == (
        "http://haibun.test/?text=a"
    )


def test_the_code_is_the_link(api: Api) -> None:
    for text in ("a", "犬が走る", "word " * 30):
        page = api.get(CLASS, f"text={quote(text)}&mask=causal").text
        link = address(page)
        drawn = modules(page)
        assert drawn == [list(row) for row in segno.make_qr(link, error="l", boost_error=True).matrix]
        assert drawn != [list(row) for row in segno.make_qr(f"{link}a", error="l", boost_error=True).matrix]
        for corner in (slice(0, 7), slice(-7, None)):  # the squares a reader looks for
            assert [sum(row[corner]) for row in drawn[:7]] == [7, 2, 5, 5, 5, 2, 7]


def test_a_link_too_long_for_a_code_is_said_with_both_numbers(api: Api) -> None:
    rest = limits.QR_CODE - len("http://haibun.test/?text=")
    longest = api.get(CLASS, "text=" + "a" * rest).text
    assert len(address(longest)) == limits.QR_CODE
    assert len(modules(longest)) == 97
    for lang in LANGUAGES:
        page = api.get(CLASS, f"lang={lang}&text=" + "a" * (rest + 1)).text
        assert 'class="code"' not in page
        assert len(address(page)) == limits.QR_CODE + 1
        assert any(str(limits.QR_CODE) in text and str(limits.QR_CODE + 1) in text for text in notices(page))


def test_the_code_and_the_address_fill_the_screen(api: Api) -> None:
    page = api.get(CLASS, "text=a b&mask=causal&hide=mask&lang=en").text
    screen = re.findall(r'href="(/class\?[^"]*&amp;screen=1)"', page)[0]
    shown = api.get(unescape(screen)).text
    assert address(shown) == address(page)
    assert modules(shown) == modules(page)
    assert "<form" not in shown
    assert unescape(screen).removesuffix("&screen=1") in unescape(shown)  # the way back


def test_a_sentence_that_makes_no_picture_is_refused_and_the_last_link_stays(api: Api) -> None:
    page = api.get(CLASS, "text=&good=text%3Dkeepsake&hide=mask&lang=en")
    assert page.status_code == 422
    assert address(page.text) == "http://haibun.test/?text=keepsake&hide=mask"
    assert re.search(r'id="error-text"[^>]*>[^<]+<', page.text)
    assert api.raw(CLASS, b"text=\xff").status_code == 400


def test_a_new_sentence_leaves_behind_what_no_longer_fits(api: Api) -> None:
    good = quote("text=a b&edits=scores[0,1,1]=5")
    page = api.get(CLASS, f"text=a&edits=scores[0,1,1]=5&good={good}&lang=en")
    assert page.status_code == 200
    assert address(page.text) == "http://haibun.test/?text=a"
    assert any("edits" in text for text in notices(page.text))
    assert api.get(CLASS, "text=a&edits=scores[0,1,1]=5").status_code == 422  # nothing was changed: the link is wrong


def test_a_field_of_another_version_is_left_out_and_named(api: Api) -> None:
    page = api.get(CLASS, "text=a&colour=red&lang=en")
    assert page.status_code == 200
    assert address(page.text) == "http://haibun.test/?text=a"
    assert any("colour" in text for text in notices(page.text))


def test_vectors_given_directly_have_no_sentence_to_choose(api: Api) -> None:
    page = api.get(CLASS, "q=1,0&k=2,1&v=2,5").text
    assert 'name="text"' not in page
    assert address(page) == "http://haibun.test/?q=1,0&k=2,1&v=2,5"


@pytest.mark.parametrize(
    ("host", "link"),
    [
        ("haibun.test", "http://haibun.test/"),
        ("school.example:8443", "http://school.example:8443/"),
        ("[fd00::2]:80", "http://[fd00::2]:80/"),
        ('x"><script>alert(1)</script>', "http://localhost/"),
        ("a b", "http://localhost/"),
        ("evil@haibun.test", "http://localhost/"),
        ("a:99999", "http://localhost/"),
        ("", "http://localhost/"),
    ],
)
def test_the_link_begins_as_the_page_was_opened_and_a_forged_name_is_no_markup(api: Api, host: str, link: str) -> None:
    page = api.get(CLASS, "text=a", headers={"host": host}).text
    assert address(page) == f"{link}?text=a"
    assert "<script>alert" not in page


@pytest.mark.parametrize(
    "host", ["localhost:8000", "127.0.0.1:8000", "[::1]:8000", "LOCALHOST", "me.localhost:1", "0.0.0.0:8000"]
)
def test_a_page_opened_on_the_teachers_own_machine_says_what_phones_can_open(
    api: Api, host: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    headers = {"host": host}
    monkeypatch.delenv(lan.PORT, raising=False)
    alone = api.get(CLASS, "text=a&lang=en", headers=headers).text
    assert any(host in text and "--lan" in text for text in notices(alone))
    monkeypatch.setenv(lan.PORT, "8000")
    monkeypatch.setattr(lan, "addresses", lambda: ["192.168.1.5", "10.0.0.7"])
    page = api.get(CLASS, "text=a&lang=en", headers=headers).text
    assert notices(page) == []
    assert address(page) == f"{BASE}/?text=a"
    other = api.get(CLASS, "text=a&lang=en&room=http://10.0.0.7:8000", headers=headers).text
    assert address(other) == "http://10.0.0.7:8000/?text=a"
    forged = api.get(CLASS, "text=a&lang=en&room=http://evil.example", headers=headers).text
    assert address(forged) == f"{BASE}/?text=a"
    monkeypatch.setattr(lan, "addresses", list)
    none = api.get(CLASS, "text=a&lang=en", headers=headers).text
    assert any("not connected to any network" in text for text in notices(none))


def test_the_address_in_the_room_needs_no_route_out_of_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lan, "_by_route", lambda: iter(()))
    monkeypatch.setattr(lan, "_by_interface", lambda: iter(["127.0.0.1", "169.254.3.4", "10.1.2.3", "10.1.2.3"]))
    assert lan.addresses() == ["10.1.2.3"]
    monkeypatch.setattr(lan, "_by_interface", lambda: iter(["127.0.0.1", "169.254.3.4"]))
    assert lan.addresses() == ["169.254.3.4"]  # two machines on one cable
    monkeypatch.setattr(lan, "_by_interface", lambda: iter(["127.0.0.1"]))
    assert lan.addresses() == []


def test_the_way_that_leads_out_comes_first(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lan, "_by_route", lambda: iter(["192.168.1.5"]))
    monkeypatch.setattr(lan, "_by_interface", lambda: iter(["10.1.2.3", "192.168.1.5"]))
    assert lan.addresses() == ["192.168.1.5", "10.1.2.3"]


def test_routes_and_interfaces_of_this_machine_are_read_without_sending(monkeypatch: pytest.MonkeyPatch) -> None:
    found = [*lan._by_route(), *lan._by_interface()]
    assert all(re.fullmatch(r"\d+\.\d+\.\d+\.\d+", text) for text in found)

    def unreachable(*_: Any) -> None:
        raise OSError("Network is unreachable")

    monkeypatch.setattr(socket.socket, "connect", unreachable)
    assert list(lan._by_route()) == []


def test_steps_stand_in_the_order_of_the_computation(api: Api) -> None:
    page = api.get(CLASS, "text=a b&n_layers=2&at=layer.1.weights").text
    steps = re.findall(r'<option value="([^"]*)"', page.split('id="at"')[1].split("</select>")[0])
    assert steps[0] == "tokens"
    assert all(steps.index(before) < steps.index(after) for before, after in pairwise(["x", "layer.0.out", "layer.1.scores"]))
    assert '<option value="layer.1.weights" selected>' in page


def test_a_link_leads_to_the_meaning_space_as_it_is_turned(api: Api) -> None:
    turned = "text=a b c&d_model=3&n_heads=1&at=space&cell=x[1,0]&turn=40,10"
    page = api.get(CLASS, turned).text
    link = "/?text=a+b+c&d_model=3&at=space&cell=x%5B1,0%5D&turn=40,10"
    assert address(page) == f"http://haibun.test{link}"
    assert '<option value="space" selected>' in page
    assert address(api.get(CLASS, "text=a b c&at=space").text) == "http://haibun.test/?text=a+b+c&at=space"
    assert f'href="{link}"' in unescape(api.get("/", turned).text)
    elsewhere = api.get(CLASS, turned.replace("at=space", "at=scores")).text
    assert "turn" not in address(elsewhere)


def test_a_link_leads_to_the_slopes_that_are_shown(api: Api) -> None:
    page = api.get(CLASS, "text=a b&of=out[1,0]&lang=en").text
    assert address(page) == "http://haibun.test/?text=a+b&of=out%5B1,0%5D"
    assert 'href="/?text=a+b&amp;lang=en&amp;of=out%5B1,0%5D"' in api.get("/", "text=a b&of=out[1,0]&lang=en").text


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("screen", ["", "&screen=1"])
def test_a_refused_link_says_what_is_wrong_and_shows_no_code_of_something_else(api: Api, lang: str, screen: str) -> None:
    answer = api.get(CLASS, f"text=one+two&mask=casual&lang={lang}{screen}")
    page = unescape(answer.text)
    assert answer.status_code == 422
    assert words_of(lang).problem(Problem("mask", "not_choice", {"choices": ", ".join(choices_of("mask"))})) in page
    assert 'class="code"' not in page
    assert "data-copy-link" not in page
    assert 'class="address"' not in page
    assert words_of(lang)("class.refused") in page
    back = re.search(r'<a class="tool" href="(/class\?[^"]*)">', page)
    assert screen == "" or (back and "text=one%20two&mask=casual" in back[1])


def test_while_a_sentence_is_mended_the_last_link_stays(api: Api) -> None:
    page = api.get(CLASS, "text=&good=text%3Dkeepsake&lang=en").text
    assert "text=keepsake" in address(page)
    assert 'class="code"' in page
