"""Take it home as data: JSON, CSV, NPZ; the names of the files, and what is refused."""

import csv
import io
import json
import math
import re
from collections.abc import Iterator
from typing import Any
from urllib.parse import unquote, urlencode

import numpy as np
import pytest

from app.exports import EXPORTS, csv_file
from app.exports.csv_file import guard
from app.language.words import LANGUAGES
from app.sheet.steps import Step
from tests.support.asking import ATTENTION, Api, good, numbers, strict, wrong
from tests.support.exporting import ENDINGS, EVERY, SCENES, blocks, export, flat, sheet_of


@pytest.fixture(scope="module")
def api() -> Iterator[Api]:
    with Api() as made:
        yield made


@pytest.mark.parametrize("name", EVERY)
def test_json_is_the_answer_of_the_api_byte_by_byte(api: Api, name: str) -> None:
    for lang in LANGUAGES:
        assert export(api, "json", EVERY[name], lang) == api.get(ATTENTION, urlencode({**EVERY[name], "lang": lang})).content


@pytest.mark.parametrize("name", EVERY)
def test_json_sent_back_gives_the_same_steps(api: Api, name: str) -> None:
    document = strict(export(api, "json", EVERY[name]))
    again = api.post(json.dumps(document["scenario"]).encode())
    assert again.status_code == 200, again.text
    assert again.json()["steps"] == document["steps"]
    assert good(api.get(ATTENTION, document["query"]))["steps"] == document["steps"]


@pytest.mark.parametrize("name", EVERY)
def test_csv_read_back_holds_every_number_label_and_axis(api: Api, name: str) -> None:
    found, sheet = blocks(export(api, "csv", EVERY[name])), sheet_of(api, EVERY[name])
    assert list(found) == [step["name"] for step in sheet["steps"]]
    for step in sheet["steps"]:
        check_block(found[step["name"]], step)


def check_block(block: dict[str, Any], step: dict[str, Any]) -> None:
    lead = max(1, len(step["axes"]) - 1)
    assert block["axes"] == step["axes"]
    assert block["title"] == step["title"]
    names = [[_named(axis, label) for label in labels] for axis, labels in zip(step["axes"], step["labels"], strict=True)]
    assert block["head"][lead:] == names[-1]
    assert [float(cell) for row in block["body"] for cell in row[lead:]] == flat(step["values"])
    lead_names = names[:-1] or [[""]]
    places = np.ndindex(*map(len, lead_names))
    assert [row[:lead] for row in block["body"]] == [
        [labels[place] for labels, place in zip(lead_names, index, strict=True)] for index in places
    ]


def _named(axis: str, label: str) -> str:
    return label.replace(".", "·") if axis.startswith(("n_heads", "n_kv_heads")) else guard(label)


def test_a_number_stands_in_the_row_and_column_of_its_words(api: Api) -> None:
    block = blocks(export(api, "csv", SCENES["direct"]))["scores"]
    assert block["head"] == ["head", "query", 'a"b', "が\nよ", "走る"]
    assert block["body"] == [["1", "'=走る", "4.0", "0.0", "3.0"]]


def test_rows_and_columns_are_the_same_whatever_the_words_are(api: Api) -> None:
    shapes = []
    for words in ("a b c", "=1 -2 +3", '" , ;', "\u2028x x\ty x'"):
        texts = words.split(" ")[:3]
        content = export(api, "csv", {**SCENES["vectors"], "labels_q": ",".join(text.replace(",", "\\,") for text in texts)})
        shapes.append({name: [len(row) for row in block["body"]] for name, block in blocks(content).items()})
    assert all(shape == shapes[0] for shape in shapes)


def test_a_text_that_a_spreadsheet_would_compute_is_guarded_and_numbers_are_not(api: Api) -> None:
    content = export(api, "csv", SCENES["formula"]).decode("utf-8-sig")
    for word in ("=1+1", "@x", "-2", "+3"):
        assert f'"{word}"' not in content
        assert f",{word}," not in content
        assert f"'{word}" in content
    assert re.search(r",-\d", content), "a number below 0 stays a number"
    assert guard(" =x") == "' =x"
    assert guard("＝x") == "'＝x"
    assert guard("x=1") == "x=1"
    assert guard("") == guard(" ")[:0] == ""


TAKEN = [
    "007",
    "1-2",
    "3/4",
    "1e5",
    "MARCH1",
    "sept-2",
    "1.10",
    "5%",
    "$5",
    "¥5",
    ".5",
    "1,5",
    "true",
    "令和3年",
    "１２",
    "1234567890123456",
]


@pytest.mark.parametrize("word", TAKEN)
def test_a_word_that_a_spreadsheet_would_take_for_a_date_or_another_number_stands_as_text(api: Api, word: str) -> None:
    assert guard(word) == f"'{word}"
    rows = blocks(export(api, "csv", {"text": f"a {word}", "split": "spaces"}))["x"]["body"]
    assert [row[0] for row in rows] == ["a", f"'{word}"]


@pytest.mark.parametrize("word", ["1", "0", "42", "decoder2", "market1", "truth", "Mary", "maybe", "x1", "a.1", "犬"])
def test_a_word_that_stays_what_it_is_needs_no_guard(word: str) -> None:
    assert guard(word) == word


def test_every_text_is_quoted_and_every_number_is_not(api: Api) -> None:
    content = export(api, "csv", {"text": "x;=1+1 b", "split": "spaces", "mask": "causal"}).decode("utf-8-sig")
    reader = csv.reader(io.StringIO(content, newline=""), quoting=csv.QUOTE_NONNUMERIC, strict=True)
    rows: list[list[object]] = [list(row) for row in reader]
    assert '"x;=1+1",' in content
    assert all(isinstance(cell, str | float) for row in rows for cell in row)
    x = next(place for place, row in enumerate(rows) if row[:2] == ["step", "x"])
    assert [type(cell) for cell in rows[x + 3]] == [str, float, float, float, float]
    assert any(cell == -math.inf for row in rows for cell in row)


def test_no_two_columns_of_heads_side_by_side_are_one_number(api: Api) -> None:
    block = blocks(export(api, "csv", {"text": "a b", "d_model": "24", "n_heads": "2"}))["concat"]
    names = block["head"][1:]
    assert names[0] == "1·1"
    assert names[9] == "1·10"
    assert len(set(names)) == 24
    assert not any(re.fullmatch(r"[\d.,]+", name) for name in names)


def test_a_hidden_score_is_minus_infinity_in_a_table(api: Api) -> None:
    content = export(api, "csv", SCENES["japanese"])
    assert content.startswith(b'\xef\xbb\xbf"step",')
    assert ",-Infinity" in content.decode()


@pytest.mark.parametrize("name", EVERY)
def test_npz_holds_every_step_under_its_name(api: Api, name: str) -> None:
    sheet = sheet_of(api, EVERY[name])
    with np.load(io.BytesIO(export(api, "npz", EVERY[name])), allow_pickle=False) as file:
        assert set(file.files) == {"haibun", *(step["name"] for step in sheet["steps"])}
        for step in sheet["steps"]:
            array = file[step["name"]]
            assert array.dtype == (bool if step["name"].rpartition(".")[2] == "mask" else np.float64)
            assert np.array_equal(array.astype(float), numbers(step["values"]))
        about = json.loads(str(file["haibun"]))
    assert about["tokens"] == [token["text"] for token in sheet["tokens"]]
    assert all(about["steps"][step["name"]]["labels"] == step["labels"] for step in sheet["steps"])


@pytest.mark.parametrize("ending", ENDINGS)
@pytest.mark.parametrize("name", SCENES)
def test_a_file_name_is_plain_and_the_sentence_beside_it(api: Api, name: str, ending: str) -> None:
    answer = api.get(f"/export.{ending}", urlencode(SCENES[name]))
    header = answer.headers["content-disposition"]
    found = re.fullmatch(r"attachment; filename=\"(haibun-[\w.-]+)\"; filename\*=UTF-8''([\w.~%-]+)", header, re.ASCII)
    assert found, header
    full = unquote(found[2])
    assert found[1].endswith(f".{ending}")
    assert full.endswith(f".{ending}")
    assert not re.search(r"[\"'\r\n/\\:*?<>|]", full)
    assert answer.headers["cache-control"] == "no-cache"
    assert "Accept-Language" in answer.headers["vary"]


def test_file_names_are_of_the_words_or_of_the_step(api: Api) -> None:
    names = {name: api.get("/export.csv", urlencode(SCENES[name])).headers["content-disposition"] for name in SCENES}
    assert '"haibun-the-dog-the-dog-the.csv"' in names["repeated"]
    assert '"haibun-scores.csv"' in names["japanese"]
    assert unquote(names["japanese"]).endswith("haibun-川-に-架かる-はし.csv")
    assert "haibun-scores.csv" in names["direct"]
    dotted = api.get("/export.csv", urlencode({"text": "... wait ...", "split": "spaces"})).headers["content-disposition"]
    assert unquote(dotted).endswith("haibun-wait.csv")  # some systems hide, or cannot hold, what begins or ends with a dot


@pytest.mark.parametrize("ending", ENDINGS)
def test_what_is_refused_is_said_in_the_readers_language(api: Api, ending: str) -> None:
    problem = wrong(api.get(f"/export.{ending}", "text=a&d_model=0&lang=ja"), "d_model")
    assert re.search("[ぁ-ん]", problem["detail"])
    page = api.get(f"/export.{ending}", "text=a&nonsense=%3Cb%3E&lang=ja", headers={"accept": "text/html"})
    assert page.status_code == 422
    assert page.headers["content-type"].startswith("text/html")
    assert "書き出せません" in page.text
    assert "nonsense" in page.text
    assert "content-disposition" not in page.headers


def test_other_endings_are_not_there(api: Api) -> None:
    assert api.get("/export.exe", "text=a").status_code == 404
    assert api.get("/export.", "text=a").status_code == 404
    assert api.ask("POST", "/export.exe", data={"text": "a"}).status_code == 404
    assert api.ask("PUT", "/export.csv?text=a").status_code == 405
    assert api.ask("HEAD", "/export.csv?text=a").status_code == 200
    assert set(ENDINGS) == set(EXPORTS)


def test_the_page_links_to_every_format_with_its_own_query(api: Api) -> None:
    page = api.get("/", "text=a+b&mask=causal&lang=ja").text
    links = re.findall(r'href="(/export\.[\w.]+\?[^"]+)"', page)
    beside = ["/export.json", "/export.svg"]  # where the address is too long, and under the picture
    assert [link.partition("?")[0] for link in links] == [*(f"/export.{ending}" for ending in EXPORTS), *beside]
    for link in links:
        assert "mask=causal" in link
        assert api.ask("GET", link.replace("&amp;", "&")).status_code == 200


LONG = {
    "x": ";".join(",".join(f"{(7 * row + 3 * column) % 40 / 3 - 6:.15f}" for column in range(64)) for row in range(64)),
    "d_model": "64",
    "n_heads": "2",
    "labels_q": ",".join(f"n{number}" for number in range(64)),
}
"""Vectors that no address can hold."""


@pytest.mark.parametrize("ending", ENDINGS)
@pytest.mark.parametrize("name", ["japanese", "direct", "edited"])
def test_what_is_posted_gives_the_same_file_as_the_address(api: Api, ending: str, name: str) -> None:
    fields = {**SCENES[name], "lang": "ja", "at": "weights"}
    asked, form = api.get(f"/export.{ending}", urlencode(fields)), api.ask("POST", f"/export.{ending}", data=fields)
    scenario = strict(export(api, "json", SCENES[name]))["scenario"]
    body = api.ask("POST", f"/export.{ending}", json={**scenario, "lang": "ja", "at": "weights"})
    for answer in (form, body):
        assert answer.status_code == 200, answer.text
        assert answer.headers["content-disposition"] == asked.headers["content-disposition"]
        assert answer.content == asked.content or ending == "npz"  # this one holds the time


def test_what_is_looked_at_may_stand_in_the_address_of_a_post(api: Api) -> None:
    answer = api.ask("POST", "/export.svg?at=weights&lang=ja", data=SCENES["edited"])
    assert answer.content == api.get("/export.svg", urlencode({**SCENES["edited"], "at": "weights", "lang": "ja"})).content
    problem = wrong(api.ask("POST", "/export.svg?text=a&lang=ja", data=SCENES["edited"]), "text")
    assert "アドレス" in problem["detail"]


def test_a_refusal_of_what_is_posted_is_in_the_language_of_the_body(api: Api) -> None:
    for more in ({"data": {"text": "a", "d_model": "0", "lang": "ja"}}, {"json": {"text": "a", "d_model": 0, "lang": "ja"}}):
        assert re.search("[ぁ-ん]", wrong(api.ask("POST", "/export.csv", **more), "d_model")["detail"])
    assert api.ask("POST", "/export.csv", content=b"text=a", headers={"content-type": "text/plain"}).status_code == 415


def test_vectors_that_no_address_can_hold_are_posted(api: Api) -> None:
    query = urlencode(LONG)
    assert len(query) > 60_000
    problem = wrong(api.raw("/export.csv", query.encode()), "query")
    assert problem["status"] == 414
    assert "POST /export.csv" in problem["detail"]
    assert "POST /api/v1/attention" in wrong(api.raw(ATTENTION, query.encode()), "query")["detail"]
    answer = api.ask("POST", "/export.csv", data=LONG)
    rows = blocks(answer.content)["x"]["body"]
    assert [float(cell) for cell in rows[63][1:]] == [float(cell) for cell in LONG["x"].split(";")[63].split(",")]
    assert 'filename="haibun-scores.csv"' in answer.headers["content-disposition"]


def test_the_page_posts_what_is_too_long_for_a_link(api: Api) -> None:
    page = api.ask("POST", "/", data={**LONG, "lang": "ja", "cell": "weights[1,2,0]"}).text
    assert not re.findall(r'href="/export', page)
    form = re.search(r'<form id="export-form" method="post"[^>]*>(.*?)</form>', page, re.DOTALL)
    assert form
    fields = dict(re.findall(r'name="(\w+)" value="([^"]*)"', form[1]))
    assert set(re.findall(r'formaction="/export\.([\w.]+)"', page)) == set(ENDINGS)
    assert fields["cell"] == "weights[1,2,0]"
    assert fields["lang"] == "ja"
    assert (
        api.ask("POST", "/export.csv", data=fields).content == api.ask("POST", "/export.csv", data={**LONG, "lang": "ja"}).content
    )


def test_a_lost_guard_or_turned_axes_would_be_noticed(api: Api, monkeypatch: pytest.MonkeyPatch) -> None:
    step = sheet_of(api, SCENES["formula"])["steps"][0]
    turned = Step(**{**step, "values": np.array(step["values"])[::-1].tolist()})
    lines = [[str(cell) for cell in line] for line in csv_file.block(turned)]
    with pytest.raises(AssertionError):
        check_block({"axes": lines[1][1:], "title": lines[0][2], "head": lines[2], "body": lines[3:]}, step)
    monkeypatch.setattr(csv_file, "guard", lambda text: text)
    with pytest.raises(AssertionError):
        test_a_text_that_a_spreadsheet_would_compute_is_guarded_and_numbers_are_not(api)
