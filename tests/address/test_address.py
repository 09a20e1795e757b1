"""Addresses: read back they give what was put in; a change changes what it names; nobody glues one together."""

import re
from pathlib import Path
from urllib.parse import parse_qsl, urlsplit

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.address.address import Address, Pairs
from app.address.fields import FIELDS, NAMES, PARTS
from app.address.presentation import Presentation, split_fields

ROOT = Path(__file__).parents[2]
TEXTS = st.text(st.characters(codec="utf-8"), max_size=12)
SCENARIOS: st.SearchStrategy[Pairs] = st.lists(st.tuples(st.sampled_from(["text", "mask", "edits", "x"]), TEXTS), max_size=3)
SAID = st.dictionaries(st.sampled_from(list(FIELDS)), TEXTS)
PATHS = st.sampled_from(["/", "/class", "/export.torch.py", "/api/v1/figures/layer.0.out"])


@given(scenario=SCENARIOS, said=SAID, path=PATHS)
def test_what_is_read_from_an_address_is_what_was_said(scenario: Pairs, said: dict[str, str], path: str) -> None:
    address = Address.of(scenario, **said).to(path)
    parts = urlsplit(str(address))
    pairs, presentation = split_fields(parse_qsl(parts.query, keep_blank_values=True))
    assert parts.path == path
    assert pairs == scenario
    assert dict(presentation.given) == address.said == {name: text for name, text in said.items() if text}
    assert Address.of(pairs, **dict(presentation.given)).to(parts.path).written == address.written


@given(scenario=SCENARIOS, said=SAID, changed=SAID, path=PATHS)
def test_a_change_changes_what_it_names(scenario: Pairs, said: dict[str, str], changed: dict[str, str], path: str) -> None:
    before = Address.of(scenario, **said).to(path)
    after = before.with_(**changed)
    assert (after.query, after.path) == (before.query, before.path)
    for name in FIELDS:
        assert after.said.get(name, "") == changed.get(name, before.said.get(name, ""))
    order = [field.name for field in before.fields]
    assert [field.name for field in after.fields][: len(order)] == order


@given(said=SAID, gone=st.lists(st.sampled_from(list(FIELDS))))
def test_what_is_left_out_is_gone_and_nothing_else(said: dict[str, str], gone: list[str]) -> None:
    before = Address.of([("text", "a")], **said)
    assert before.without(*gone) == Address.of([("text", "a")], **{name: text for name, text in said.items() if name not in gone})


@given(said=SAID)
def test_each_field_is_read_by_the_part_that_declares_it(said: dict[str, str]) -> None:
    shown = Presentation.of(**said)
    parts = (shown.reader, shown.target, shown.beside, shown.form, shown.projecting, shown.printing)
    assert tuple(type(part) for part in parts) == PARTS
    assert {name: getattr(part, name) for part in parts for name in NAMES[type(part)] if name in said} == said


def test_a_field_that_says_nothing_keeps_its_place() -> None:
    here = Address("text=a", path="/forms").with_(cell="x[0,0]", lang="", theme="dark")
    assert str(here) == "/forms?text=a&cell=x[0,0]&theme=dark"
    assert str(here.with_(lang="en")) == "/forms?text=a&cell=x[0,0]&lang=en&theme=dark"
    assert str(here.with_(pin="a&b", cell="")) == "/forms?text=a&theme=dark&pin=a%26b"
    assert str(here.bare.to("/")) == "/?text=a"
    assert str(Address()) == "/"
    assert str(Address("text=b").along(here)) == "/?text=b&cell=x[0,0]&theme=dark"


GLUE = {
    "html": r"""\?\{\{|&(amp;)?\{\{|&(amp;)?\w+=|/\?|\}\}&|\?\w+=|["'][?&]\w*["'] ~|~ ["'][?&]""",
    "js": r"""[`"'][\w/.]*\?[$\w]|\?\$\{|&\$\{|[`"']&|&\w+=|encodeURI|join\("&"\)|split\("[?&]"\)|"[?&]" \+|\+ "[?&]""",
}
"""What gives away an address that is put together on the spot."""


@pytest.mark.parametrize("kind", GLUE)
def test_no_page_and_no_script_glues_an_address_together(kind: str) -> None:
    files = [file for folder in ("templates", "static") for file in (ROOT / folder).rglob(f"*.{kind}")]
    assert files
    found = [
        f"{file.relative_to(ROOT)}: {line.strip()}"
        for file in files
        for line in file.read_text("utf-8").splitlines()
        if re.search(GLUE[kind], line)
    ]
    assert found == []
