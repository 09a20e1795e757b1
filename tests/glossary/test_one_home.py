"""The glossary is the only home of what is known of a step: no other room keeps a list of steps of its own."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

from app.glossary import GLOSSARY, OPENING, entry_of
from app.language.words import LANGUAGES, words_of
from tests.support.walking import FORMS, short

APP = Path(__file__).parents[2] / "app"
HOME = {"core", "glossary", "run", "scenario"}
"""Rooms that name steps by right: where they are made, described, put together from fields, and asked for by a form."""
SHORT = 2
"""Names of so few letters are also hues, coordinates and variables: they are not looked for."""
LOOKS = {"hidden", "chosen", "pos"}
"""Steps of the same names as a cell's tone and light, which are meant wherever these words stand."""
ALLOWED = {
    "drawing/theme.py": "weights and mask are hues",
    "drawing/comparison_sides.py": "mask is a hue",
    "drawing/space/space.py": "a picture of points in space is made from the quantities that it names",
    "pages/dropping_misfits.py": "mask is a field",
    "pages/sheet/ready_pairs.py": "mask is a field",
    "sheet/field_words.py": "mask is a field",
    "sheet/facts.py": "each fact is about the quantities that it names",
}
GIVEN_OR_MADE = {"matrix", "vector", "rule"}
"""Origins that depend on what the reader gives."""


def steps_told_apart(file: Path) -> Iterator[tuple[str, int]]:
    """Names of steps that a file compares something with, or keeps in a list."""
    names = {name.rpartition(".")[2] for name in GLOSSARY} | set(GLOSSARY)
    for node in ast.walk(ast.parse(file.read_text("utf-8"))):
        parts = [node.left, *node.comparators] if isinstance(node, ast.Compare) else getattr(node, "elts", [])
        for part in parts:
            if isinstance(part, ast.Constant) and part.value in names and len(str(part.value)) > SHORT:
                yield str(part.value), part.lineno


def test_no_other_room_tells_steps_apart_by_their_names() -> None:
    found = {}
    for file in sorted(APP.rglob("*.py")):
        place = file.relative_to(APP)
        steps = [step for step in steps_told_apart(file) if step[0] not in LOOKS]
        if steps and place.parts[0] not in HOME:
            found[place.as_posix()] = steps
    assert {place: steps for place, steps in found.items() if place not in ALLOWED} == {}
    assert [place for place in ALLOWED if place not in found] == []


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_origin_has_its_sentence(lang: str) -> None:
    origins = {entry.origin for entry in GLOSSARY.values()} - GIVEN_OR_MADE
    assert origins == {"start", "zeros", "ones", "fading"}
    assert all(f"why.{origin}" in words_of(lang) for origin in origins)


def test_the_steps_to_be_shown_first_are_in_one_order() -> None:
    assert OPENING == ("scores", "similarities", "phi_k", "u")
    assert [GLOSSARY[name].opening for name in OPENING] == [1, 2, 3, 4]


@pytest.mark.parametrize("form", FORMS)
def test_shares_are_parts_of_one_whole(form: str) -> None:
    trace = short(form).trace
    shares = [name for name in trace if entry_of(name).shares]
    for name in shares:
        assert (trace[name].value.sum(axis=-1) < 1 + 1e-9).all(), name
    assert {name.rpartition(".")[2] for name in shares} <= {"weights", "weights_cut", "router_probs", "gates"}


def test_what_is_known_of_a_step_is_known_wherever_it_stands() -> None:
    assert entry_of("layer.0.weights").weighs_keys
    assert entry_of("weights_cut").weighs_keys
    assert not entry_of("layer.1.gates").weighs_keys
    assert entry_of("layer.0.norm_1.gamma").origin == "ones"
    assert entry_of("tile.0.start.m").origin == "start"
    assert entry_of("tile.0.1.m").origin == "matrix"
