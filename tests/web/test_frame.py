"""The frame around the numbers: headers, assets, the page of the API, and an answer that computes nothing."""

import asyncio
import gzip
import os
import re
from html.parser import HTMLParser
from pathlib import Path
from typing import Any
from urllib.parse import urljoin

import brotli
import httpx
import plotly
import pytest
from starlette.applications import Starlette
from starlette.routing import Mount

from app.core.record.trace import Trace
from app.language.words import LANGUAGES, words_of
from app.run import inputs
from app.web import assets, packing
from tests.support.asking import ATTENTION, FIGURES, Api, strict

PLACES = [
    "/", "/?text=犬&lang=ja", "/?text=", "/api", "/openapi.json", "/healthz", "/nowhere",
    f"{ATTENTION}?text=a", f"{ATTENTION}?text=", f"{FIGURES}weights?text=a", "/static/nothing.css",
    assets.asset("css/shared/base.css"), assets.asset("theme.css"), assets.PLOTLY_ADDRESS,
]  # fmt: skip
PAGES = ["/", "/?text=犬が走る&mask=causal&lang=ja", "/?text=", "/api", "/nowhere"]
HTML = {"accept": "text/html"}


class Addresses(HTMLParser):
    """Every address a page names, and what stands in its own scripts."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.named: list[str] = []
        self.loaded: list[str] = []
        self.scripts = ""
        self._inside = ""
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._inside = tag
        for name, value in attrs:
            if name in ("src", "href", "action", "data-figure") and value:
                self.named.append(value)
                if tag in ("script", "link", "img"):
                    self.loaded.append(value)

    def handle_data(self, data: str) -> None:
        if self._inside == "script":
            self.scripts += data


@pytest.mark.parametrize("place", PLACES)
def test_every_answer_keeps_the_browser_to_its_own_origin(api: Api, place: str) -> None:
    headers = api.get(place, headers=HTML).headers
    policy = dict(rule.strip().split(" ", 1) for rule in headers["content-security-policy"].split(";"))
    assert policy["default-src"] == "'self'"
    assert policy["object-src"] == "'none'"
    assert policy["base-uri"] == policy["frame-ancestors"] == "'self'"
    assert not re.search(r"https?:|\*|unsafe-eval", headers["content-security-policy"])
    if place != "/api":
        assert "script-src" not in policy
        assert policy["form-action"] == "'self'"  # default-src does not speak of forms
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["referrer-policy"] == "same-origin"
    assert "strict-transport-security" not in headers  # a class without TLS would lose the page


@pytest.mark.parametrize("place", PAGES)
def test_a_page_names_only_addresses_of_its_own_and_they_answer(api: Api, place: str) -> None:
    found = Addresses(api.get(place, headers=HTML).text)
    assert found.loaded
    for address in found.named:
        assert re.match(r"/(?!/)|\?|#", address), address
        if not address.startswith(("#", "?")):
            assert api.get(address).status_code == 200, address
    assert "http" not in found.scripts


def test_the_page_of_the_api_loads_what_it_needs_from_here(api: Api) -> None:
    found = Addresses(api.get("/api").text)
    assert {Path(address.split("?")[0]).suffix for address in found.loaded} == {".css", ".js", ".svg"}
    assert "/openapi.json" in found.scripts
    assert strict(api.get("/openapi.json").content)["openapi"].startswith("3.")


@pytest.mark.parametrize("place", PAGES)
def test_our_own_assets_are_versioned_and_may_be_kept(api: Api, place: str) -> None:
    for address in Addresses(api.get(place, headers=HTML).text).loaded:
        if address.startswith(("/static/", "/assets/")) and not address.startswith("/assets/plotly-"):
            assert re.match(r"/static/v[0-9a-f]{10}/|/assets/theme\.css\?v=[0-9a-f]{10}$", address)
            assert api.get(address).headers["cache-control"] == "public, max-age=31536000, immutable"


def test_scripts_load_each_other_from_the_same_version(api: Api) -> None:
    address = assets.asset("js/sheet/sheet.js")
    names = re.findall(r'from "(\.\.?/[^"]+)"', api.get(address).text)
    assert len(names) > 5
    for name in names:
        assert "immutable" in api.get(urljoin(address, name)).headers["cache-control"]


def test_another_version_is_answered_with_what_there_is_now(api: Api) -> None:
    answer = api.get("/static/v0123456789/css/shared/base.css")
    assert answer.content == (assets.STATIC / "css" / "shared" / "base.css").read_bytes()
    assert answer.headers["cache-control"] == "no-cache"
    assert api.get("/static/v0123456789/v0123456789/css/shared/base.css").status_code == 404
    with pytest.raises(FileNotFoundError):
        assets.asset("css/none.css")


def test_an_asset_without_a_version_is_asked_for_again(api: Api) -> None:
    answer = api.get("/static/css/shared/base.css")
    assert answer.headers["cache-control"] == "no-cache"
    assert api.get("/static/css/shared/base.css", headers={"if-none-match": answer.headers["etag"]}).status_code == 304


@pytest.mark.parametrize("encoding", ["br", "gzip", "identity"])
def test_a_static_file_is_sent_packed_and_asked_for_again_by_its_tag(api: Api, encoding: str) -> None:
    whole = (assets.STATIC / "css" / "shared" / "base.css").read_bytes()
    answer = api.get("/static/css/shared/base.css", headers={"accept-encoding": encoding})
    assert answer.content == whole  # the client has unpacked it
    assert answer.headers.get("content-encoding", "identity") == encoding
    assert (int(answer.headers["content-length"]) < len(whole)) == (encoding != "identity")
    assert answer.headers["content-type"] == "text/css; charset=utf-8"
    assert "Accept-Encoding" in answer.headers["vary"]
    asked = {"accept-encoding": encoding, "if-none-match": answer.headers["etag"]}
    assert api.get("/static/css/shared/base.css", headers=asked).status_code == 304
    other = {**asked, "accept-encoding": "identity" if encoding == "br" else "br"}
    assert api.get("/static/css/shared/base.css", headers=other).status_code == 200


def test_a_static_file_that_was_changed_is_sent_as_it_is_now(tmp_path: Path) -> None:
    file = tmp_path / "a.js"
    files = Starlette(routes=[Mount("/", assets.Static(directory=tmp_path))])

    async def sent() -> str:
        async with httpx.AsyncClient(transport=httpx.ASGITransport(app=files), base_url="http://haibun.test") as client:
            return (await client.get("/a.js")).text

    for moment, text in enumerate(("one", "two")):
        file.write_text(text)
        os.utime(file, ns=(moment, moment))
        assert asyncio.run(sent()) == text


@pytest.mark.parametrize("folder", ["css", "js"])
def test_assets_name_no_other_origin(folder: str) -> None:
    for file in filter(Path.is_file, (assets.STATIC / folder).rglob("*")):
        text = file.read_text("utf-8").replace("http://www.w3.org/2000/svg", "")
        assert not re.search(r"https?://|url\(['\"]?//|@import", text), file.name


@pytest.mark.parametrize("encoding", ["br", "gzip", "identity"])
def test_plotly_is_sent_as_its_package_ships_it(api: Api, encoding: str) -> None:
    whole = (Path(plotly.__file__).parent / "package_data" / "plotly.min.js").read_bytes()
    answer = api.get(assets.PLOTLY_ADDRESS, headers={"accept-encoding": encoding})
    assert answer.headers.get("content-encoding", "identity") == encoding
    assert answer.headers["content-type"].startswith("text/javascript")
    assert "immutable" in answer.headers["cache-control"]
    assert "Accept-Encoding" in answer.headers["vary"]
    assert answer.content == whole  # the client has unpacked it
    if encoding != "identity":
        assert int(answer.headers["content-length"]) < len(whole) / 2


def test_the_packed_bundle_unpacks_to_itself() -> None:
    br, packed, whole = (packing._packed(assets._PLOTLY, 0, encoding) for encoding in ("br", "gzip", ""))
    assert brotli.decompress(br) == gzip.decompress(packed) == whole


def test_health_is_answered_without_computing(api: Api, monkeypatch: pytest.MonkeyPatch) -> None:
    def computing(*_: Any) -> None:
        raise AssertionError("this was not to be computed")

    monkeypatch.setattr(Trace, "__init__", computing)
    monkeypatch.setattr(inputs, "tokenize", computing)
    answer = api.get("/healthz")
    assert (answer.status_code, answer.json()) == (200, {"status": "ok"})
    assert api.ask("HEAD", "/healthz").status_code == 200
    with pytest.raises(AssertionError):
        api.get(ATTENTION, "text=a")


def test_long_answers_are_packed_when_the_client_can_unpack(api: Api) -> None:
    assert api.get(ATTENTION, "text=a b c d", headers={"accept-encoding": "gzip"}).headers["content-encoding"] == "gzip"
    assert "content-encoding" not in api.get(ATTENTION, "text=a b c d", headers={"accept-encoding": "identity"}).headers


@pytest.mark.parametrize(
    "path", ["/static/../app/main.py", "/static/%2e%2e/pyproject.toml", "/static/%00", "/static/css", "/static/" + "a" * 5000]
)
def test_nothing_beside_the_static_files_is_served(api: Api, path: str) -> None:
    answer = api.get(path)
    assert answer.status_code == 404
    assert len(answer.content) < 1000


@pytest.mark.parametrize(
    ("wish", "lang"),
    [
        ("ja", "ja"),
        ("en;q=0.5, ja", "ja"),
        ("fr, ja;q=0.3, en;q=0.2", "ja"),
        ("ja;q=0, en", "en"),
        ("de", "en"),
        ("", "en"),
        ("ja-JP", "ja"),
    ],
)
def test_the_language_follows_the_browser_and_lang_comes_first(api: Api, wish: str, lang: str) -> None:
    headers = {"accept-language": wish}
    assert f'<html lang="{lang}"' in api.get("/", headers=headers).text
    other = "en" if lang == "ja" else "ja"
    assert f'<html lang="{other}"' in api.get("/", f"lang={other}", headers=headers).text


@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_page_opens_with_the_worked_example_in_its_language(api: Api, lang: str) -> None:
    page = api.get("/", f"lang={lang}").text
    assert f'value="{words_of(lang)("example.opening")}"' in page
    assert "1×2" in re.sub(r"<[^>]+>", "", page)
