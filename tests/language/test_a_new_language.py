"""A language is one file: a copy of the program with one made-up catalogue more speaks it everywhere."""

import ast
import html
import json
import shutil
import subprocess
import sys
from pathlib import Path
from urllib.parse import quote

import pytest
from babel.messages.pofile import read_po, write_po

from app.language.words import DEFAULT, LANGUAGES, LOCALES, Words, words_of
from app.scenario.presets import PRESETS

ROOT = Path(__file__).parents[2]
MARK = "zz: "
"""Before every message of the made-up language, which is English otherwise."""
EXAMPLES = {
    "opening": "zo lu mi",
    "opening_words": "lu zo mi",
    "forms": "zo lu mi na zo ba mi",
    "second": "pa ke ro",
    "pair_a": "zo ba tu",
    "pair_b": "lu ba tu",
}
PAGES = {
    "sheet": "/?",
    "forms": "/forms?",
    "projector": "/?view=projector&",
    "worksheet": "/worksheet?",
    "class link": "/class?",
    "a form": "/?text_k=a%20b&",
    "exported page": "/export.html?text=a%20b&",
    "page of a mistake": "/?text=a&n_heads=3&d_model=4&",
    "error of the API": "/api/v1/attention?text=a&n_heads=3&d_model=4&",
    "unknown field": "/api/v1/attention?text=a&colour=red&",
    "unknown page": "/nowhere?",
}
REFUSED = {"page of a mistake": 422, "error of the API": 422, "unknown field": 422, "unknown page": 404}
ASK = """
import json, sys
from tests.support.asking import Api
with Api() as api:
    answers = {path: api.get(path, headers={"accept-language": "xx, en;q=0.1"}) for path in json.load(sys.stdin)}
print(json.dumps({path: [answer.status_code, answer.text] for path, answer in answers.items()}))
"""
Answers = dict[str, tuple[int, str]]


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the program with the catalogue of a language that nobody has thought of."""
    folder = tmp_path_factory.mktemp("copy")
    shutil.copytree(ROOT / "app", folder / "app", ignore=shutil.ignore_patterns("__pycache__"))
    for name in ("templates", "static", "tests"):
        (folder / name).symlink_to(ROOT / name)
    with (LOCALES / "en.po").open("rb") as file:
        catalogue = read_po(file)
    for message in catalogue:
        if message.id:
            example = str(message.id).removeprefix("example.")
            message.string = EXAMPLES.get(example, f"{MARK}{message.string}")
    with (folder / "app" / "language" / "xx.po").open("wb") as file:
        write_po(file, catalogue)
    return folder


@pytest.fixture(scope="module")
def answers(copy: Path) -> Answers:
    """What the copy answers on every page, in English and in the new language."""
    paths = [f"{page}lang={lang}" for page in PAGES.values() for lang in ("en", "xx")] + ["/"]
    run = subprocess.run(
        [sys.executable, "-c", ASK], cwd=copy, input=json.dumps(paths), capture_output=True, text=True, check=True
    )
    found: Answers = json.loads(run.stdout)
    return found


def visible(answer: str) -> str:
    return html.unescape(answer).replace('\\"', '"')


def said_in(page: str, words: Words) -> list[str]:
    """The messages of several words that stand in a page as they are in the catalogue, and are no part of another."""
    texts = {words(key) for key in words.keys()}  # noqa: SIM118 - a catalogue is no dictionary
    found = [text for text in texts if text.count(" ") > 1 and "%" not in text and text in visible(page)]
    return [text for text in found if not any(text in other for other in texts - {text})]


@pytest.mark.parametrize("place", PAGES)
def test_every_page_speaks_it(answers: Answers, place: str) -> None:
    status, text = answers[f"{PAGES[place]}lang=xx"]
    assert status == REFUSED.get(place, 200)
    assert MARK in text
    english = said_in(answers[f"{PAGES[place]}lang=en"][1], words_of("en"))
    examples = {words_of("en")(f"example.{name}") for name in EXAMPLES}
    assert [said for said in english if MARK + said not in visible(text) and said not in examples] == []
    assert not [sentence for sentence in examples if sentence in visible(text)]


def test_the_browser_may_ask_for_it(answers: Answers) -> None:
    assert '<html lang="xx"' in answers["/"][1]
    assert f'value="{EXAMPLES["opening"]}"' in answers["/"][1]
    assert f'lang="xx" hreflang="xx">{MARK}English<' in " ".join(answers["/?lang=en"][1].split())


def test_its_sentences_are_the_examples(answers: Answers) -> None:
    cards, sheet = answers["/forms?lang=xx"][1], answers["/?lang=xx"][1]
    assert cards.count(f'href="/?text={quote(EXAMPLES["forms"])}&') == sum(map(len, PRESETS.values()))
    assert f"text_k={quote(EXAMPLES['second'])}&" in cards
    assert f"text={quote(EXAMPLES['pair_b'])}&amp;toy=2&amp;pin=text={quote(EXAMPLES['pair_a'])}&" in sheet


def test_no_code_names_a_language_but_the_default() -> None:
    """Only ``DEFAULT`` does, and the letters of a text tell Japanese from others whatever the page speaks."""
    files = {file: ast.parse(file.read_text("utf-8")) for file in (ROOT / "app").rglob("*.py")}
    texts = [(file.name, node.value) for file, tree in files.items() for node in ast.walk(tree) if isinstance(node, ast.Constant)]
    assert sorted(named for named in texts if named[1] in LANGUAGES) == [("languages.py", "ja"), ("words.py", DEFAULT)]
