"""The catalogues: the same keys and placeholders in every language, and a text for everything the program can say."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from babel.messages.pofile import read_po

from app.glossary import GLOSSARY
from app.language.words import DEFAULT, LANGUAGES, LOCALES, words_of
from app.scenario.table import SCENARIO_FIELDS, choices_of, group_of
from app.text.tokens import tokenize

APP = Path(__file__).parents[2] / "app"
PLACEHOLDER = re.compile(r"%\((\w+)\)s")
SAYING = {"refuse": 1, "Problem": 1, "Unreadable": 0, "PydanticCustomError": 0, "Notice": 0}
"""What says a code, and which of its arguments the code is."""


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_catalogue_has_every_key_once_and_no_empty_text(lang: str) -> None:
    text = (LOCALES / f"{lang}.po").read_text("utf-8")
    keys = re.findall(r'^msgid "(.+)"$', text, re.MULTILINE)
    assert len(keys) == len(set(keys)) > 200
    assert set(keys) == words_of(lang).keys() == words_of(LANGUAGES[0]).keys()
    assert all(words_of(lang)(key).strip() for key in keys)


@pytest.mark.parametrize("lang", LANGUAGES)
def test_no_text_is_marked_as_unfinished(lang: str) -> None:
    with (LOCALES / f"{lang}.po").open("rb") as file:
        catalogue = read_po(file, locale=lang)
    assert not [message.id for message in catalogue if message.id and message.fuzzy]


def test_placeholders_are_the_same_in_every_language() -> None:
    for key in words_of(DEFAULT).keys():  # noqa: SIM118 - a catalogue is no dictionary
        wanted = sorted(set(PLACEHOLDER.findall(words_of(DEFAULT)(key))))
        for lang in LANGUAGES:
            assert sorted(set(PLACEHOLDER.findall(words_of(lang)(key)))) == wanted, key
            rest = PLACEHOLDER.sub("", words_of(lang)(key))
            assert "%" not in rest.replace("%%", "") or not wanted, key


@pytest.mark.parametrize("lang", [lang for lang in LANGUAGES if lang != DEFAULT])
def test_the_languages_are_told_apart(lang: str) -> None:
    same = [key for key in words_of(DEFAULT).keys() if words_of(DEFAULT)(key) == words_of(lang)(key)]  # noqa: SIM118
    assert all(not re.search(r"[a-z]{4}", words_of(DEFAULT)(key)) or len(words_of(DEFAULT)(key)) < 30 for key in same), same


def test_every_step_has_its_words() -> None:
    for name, entry in GLOSSARY.items():
        keys = [f"step.{name}.{part}" for part in ("name", "title", "caption")] + [f"cell.{name}", f"row.{entry.row}"]
        keys += [f"axis.{axis}" for axis in entry.axes]
        assert not [key for key in keys if key not in words_of(DEFAULT)]


def test_every_field_has_its_words() -> None:
    for name in SCENARIO_FIELDS:
        keys = [f"field.{name}.label", f"field.{name}.help", f"group.{group_of(name)}"]
        keys += [f"choice.{choice}" for choice in choices_of(name)]
        assert not [key for key in keys if key not in words_of(DEFAULT)]


def calls() -> Iterator[tuple[str, str, ast.Call]]:
    """Every place in the program that says a code: file, what says it, the call."""
    for file in sorted(APP.rglob("*.py")):
        for node in ast.walk(ast.parse(file.read_text("utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name | ast.Attribute):
                name = node.func.id if isinstance(node.func, ast.Name) else node.func.attr
                if name in SAYING and len(node.args) > SAYING[name]:
                    yield file.name, name, node


def codes(node: ast.expr) -> list[str]:
    """The codes an argument can be: a text, or one of two."""
    if isinstance(node, ast.IfExp):
        return codes(node.body) + codes(node.orelse)
    return [node.value] if isinstance(node, ast.Constant) and isinstance(node.value, str) else []


def test_every_code_that_is_said_has_a_message() -> None:
    said = 0
    for file, name, call in calls():
        prefix = "notice" if name == "Notice" else "error"
        for code in codes(call.args[SAYING[name]]):
            said += 1
            assert f"{prefix}.{code}" in words_of(DEFAULT), (file, call.lineno, code)
    assert said > 60


def test_every_refusal_gives_the_numbers_its_message_needs() -> None:
    for file, name, call in calls():
        if name in ("refuse", "Unreadable") and not any(keyword.arg is None for keyword in call.keywords):
            for code in codes(call.args[SAYING[name]]):
                needed = set(PLACEHOLDER.findall(words_of(DEFAULT)(f"error.{code}"))) - {"field"}
                assert needed <= {keyword.arg for keyword in call.keywords}, (file, call.lineno, code)


def sources() -> str:
    root = APP.parent
    files = [*APP.rglob("*.py"), *(root / "templates").rglob("*.html"), *(root / "static").rglob("*.js")]
    return "\n".join(Path(file).read_text("utf-8") for file in files)


def test_no_message_is_left_that_nothing_says() -> None:
    text = sources()
    made = {f"cell_{code}" for code in ("not_number", "number_too_large")}
    for key in words_of(DEFAULT).keys():  # noqa: SIM118
        group, _, code = key.partition(".")
        if group in ("error", "notice") and code not in made:
            assert f'"{code}"' in text, key


@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_example_sentences_have_the_words_that_the_examples_count_on(lang: str) -> None:
    """Three that have vectors of their own; seven, as the bits of a mask; two texts that have a word in common."""
    words = words_of(lang)
    assert sorted(words("example.opening_words").split()) == sorted(token.text for token in tokenize(words("example.opening")))
    assert len(tokenize(words("example.forms"))) == 7
    a, b = ({token.text for token in tokenize(words(f"example.pair_{side}"))} for side in "ab")
    assert a & b
    assert a != b


def test_a_key_that_is_missing_is_an_error_and_not_a_blank() -> None:
    with pytest.raises(KeyError):
        words_of(DEFAULT)("no.such.key")
