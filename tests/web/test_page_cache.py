"""Pages that are kept for the next reader."""

import pytest

from app.pages.sheet import page as sheet_page
from app.web.page_cache import make_page_cache
from tests.support.asking import Api


def test_the_second_reader_gets_the_same_page_without_a_computation(api: Api, monkeypatch: pytest.MonkeyPatch) -> None:
    query = "/?text=a+class+opens+one+link&lang=en"
    first = api.get(query)
    monkeypatch.setattr(sheet_page, "make_view", None)
    second = api.get(query)
    assert (second.status_code, second.content, second.headers["vary"]) == (200, first.content, first.headers["vary"])


def test_a_reader_who_does_not_read_gzip_gets_the_page_as_it_is(api: Api) -> None:
    query = "/?text=packed+or+plain&lang=en"
    packed = api.get(query, headers={"accept-encoding": "gzip"})
    plain = api.get(query, headers={"accept-encoding": "identity"})
    assert packed.headers["content-encoding"] == "gzip"
    assert "content-encoding" not in plain.headers
    assert int(plain.headers["content-length"]) == len(plain.content) > 3 * int(packed.headers["content-length"])
    assert packed.text == plain.text
    for answer in (packed, plain):
        assert set(answer.headers["vary"].split(", ")) == {"Accept-Language", "Accept-Encoding"}
    head = api.ask("HEAD", query, headers={"accept-encoding": "gzip"})
    assert (head.status_code, head.content, head.headers["content-encoding"]) == (200, b"", "gzip")


def test_readers_of_other_languages_get_pages_of_their_own(api: Api) -> None:
    query = "/?text=one+link+for+all"
    japanese, english = (api.get(query, headers={"accept-language": lang}).text for lang in ("ja", "en"))
    assert '<html lang="ja"' in japanese
    assert '<html lang="en"' in english


@pytest.mark.parametrize(
    "query", ["/?text=refused&d_model=9999&lang=en", f"/?text=too+long+to+be+asked+for+twice&w_q={'1,' * 4000}1"]
)
def test_what_nobody_will_ask_for_again_is_not_kept(api: Api, query: str) -> None:
    before = set(api.app.state.page_cache)
    assert api.get(query).status_code == 422
    assert set(api.app.state.page_cache) == before


def test_the_latest_pages_are_kept_and_never_more_than_there_is_room_for() -> None:
    cache = make_page_cache(20)
    cache[b"a", "en", "zh"] = b"8 bytes."
    cache[b"a", "ja", "ja"] = b"8 bytes."
    assert cache.get((b"a", "en", "zh")) == b"8 bytes."
    cache[b"b", "en", "zh"] = b"8 bytes."
    assert set(cache) == {(b"a", "en", "zh"), (b"b", "en", "zh")}, "the one that was not asked for longest has gone"
