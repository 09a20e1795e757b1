"""The calls that the README and the API page show: they are the same, and they work."""

import shlex
from pathlib import Path
from typing import Any

import httpx
import pytest

from app.api.calls import CALLS, as_markdown
from tests.support.asking import ATTENTION, Api, good, step

README = Path(__file__).parents[2] / "README.md"


def test_the_readme_and_the_api_page_show_the_same_calls(api: Api) -> None:
    assert as_markdown() in README.read_text("utf-8")
    assert as_markdown() in api.get("/openapi.json").json()["info"]["description"]


def test_the_shell_call_works(api: Api) -> None:
    program, get, address, *rest = shlex.split(CALLS["sh"])
    assert (program, get) == ("curl", "--get")
    assert rest[::2] == ["--data-urlencode"] * (len(rest) // 2)
    assert address == f"localhost:8000{ATTENTION}"
    sheet = good(api.get(ATTENTION, str(httpx.QueryParams(dict(field.split("=") for field in rest[1::2])))))
    assert [token["text"] for token in sheet["tokens"]] == ["犬", "が", "走る"]
    assert sheet["scenario"]["mask"] == "causal"


def test_the_python_call_works(api: Api, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    def post(url: str, json: Any) -> httpx.Response:
        assert url == f"http://localhost:8000{ATTENTION}"
        return httpx.Response(200, json=api.body(json))

    monkeypatch.setattr(httpx, "post", post)
    exec(CALLS["python"], {})
    asked = {"text": "the dog runs", "d_model": 3, "n_heads": 1, "table": {"dog": [1, 2, 0], "the": [0, 1, 1], "runs": [2, 0, 1]}}
    assert capsys.readouterr().out.strip() == str(step(api.body(asked), "weights")["values"])
