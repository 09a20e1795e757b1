"""Where the program fails it says so, in the reader's language, with all headers, to programs and to people."""

import asyncio

import httpx
import pytest

from app.language.words import LANGUAGES, words_of
from app.main import create_app
from app.pages import downloads, faults
from app.pages.sheet import routes
from tests.support.asking import PROBLEM, strict

HEADERS = ("content-security-policy", "x-content-type-options", "referrer-policy")


@pytest.fixture(autouse=True)
def broken(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise IndexError("a fault of the program")

    monkeypatch.setattr(routes, "run_dropping_misfits", fail)
    monkeypatch.setattr(downloads, "compute", fail)


def asked(path: str, **headers: str) -> httpx.Response:
    async def ask() -> httpx.Response:
        transport = httpx.ASGITransport(app=create_app(), raise_app_exceptions=False)
        async with httpx.AsyncClient(transport=transport, base_url="http://haibun.test") as client:
            return await client.get(path, headers=headers)

    return asyncio.run(ask())


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_person_reads_a_page_that_says_whose_fault_it_is(lang: str) -> None:
    answer = asked(f"/?text=a&lang={lang}", accept="text/html")
    assert answer.status_code == 500
    assert answer.headers["content-type"].startswith("text/html")
    assert f'lang="{lang}"' in answer.text
    assert words_of(lang)("fault.title") in answer.text
    assert all(name in answer.headers for name in HEADERS)


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_program_gets_a_document(lang: str) -> None:
    answer = asked("/export.csv?text=a", accept="*/*", **{"accept-language": lang})
    assert (answer.status_code, answer.headers["content-type"]) == (500, PROBLEM)
    document = strict(answer.content)
    assert (document["status"], document["title"]) == (500, "Internal Server Error")
    assert document["detail"] == words_of(lang)("error.fault")
    assert all(name in answer.headers for name in HEADERS)


def test_the_exception_goes_on_to_be_written_down() -> None:
    async def fails(*_: object) -> None:
        raise IndexError("a fault of the program")

    async def drop(_: object) -> None: ...

    scope = {"type": "http", "method": "GET", "path": "/", "query_string": b"", "headers": [], "server": ("a", 80)}
    with pytest.raises(IndexError):
        asyncio.run(faults.Faults(fails)(scope | {"scheme": "http", "root_path": ""}, None, drop))  # type: ignore[arg-type]
