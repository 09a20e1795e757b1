"""Interface text stands in the catalogues only: templates and scripts hold none."""

import re
from html.parser import HTMLParser
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
TEMPLATES = sorted((ROOT / "templates").rglob("*.html"))
SCRIPTS = sorted((ROOT / "static" / "js").rglob("*.js"))
ALLOWED = {"JSON", "SVG", "PNG", "Q", "KV"}
SAID = ("alt", "aria-label", "aria-description", "aria-roledescription", "placeholder", "title", "content")
NOT_SAID = {"width=device-width, initial-scale=1", "light dark", "no-referrer"}


class Words(HTMLParser):
    """The words of a template that would be seen or heard."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.found: list[str] = []
        self._inside: list[str] = []
        markup = re.sub(r"\{%.*?%\}|\{\{.*?\}\}|\{#.*?#\}", "", text, flags=re.DOTALL)
        self.feed(re.sub(r'^ *[a-z-]+=""$', "", markup, flags=re.MULTILINE))  # an attribute kept in a variable
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._inside.append(tag)
        self.found += [value for name, value in attrs if name in SAID and value and value not in NOT_SAID and has_letters(value)]

    def handle_endtag(self, tag: str) -> None:
        if tag in self._inside:
            del self._inside[len(self._inside) - 1 - self._inside[::-1].index(tag) :]

    def handle_data(self, data: str) -> None:
        if has_letters(data) and not {"script", "style"} & set(self._inside):
            self.found.append(data.strip())


def has_letters(text: str) -> bool:
    return any(char.isalpha() for char in text)


@pytest.mark.parametrize("file", TEMPLATES, ids=lambda file: file.name)
def test_a_template_holds_no_words(file: Path) -> None:
    assert set(Words(file.read_text("utf-8")).found) <= ALLOWED


def test_words_in_a_template_would_be_noticed() -> None:
    assert Words('<p>Hello {{ name }}</p><img alt="A dog"><script>let a</script>').found == ["Hello", "A dog"]
    assert Words("<p>{{ _('page.title') }} · 3 × {# no #}</p>").found == []
    assert Words("<p>犬</p>").found == ["犬"]


@pytest.mark.parametrize("file", SCRIPTS, ids=lambda file: file.name)
def test_a_script_writes_no_words_of_its_own(file: Path) -> None:
    text = file.read_text("utf-8")
    written = re.findall(r"(?:textContent|innerText|title|ariaLabel|innerHTML)\s*=\s*[\"'`]([^\"'`]*)[\"'`]", text)
    written += re.findall(r"(?:alert|confirm|append|prepend)\(\s*[\"'`]([^\"'`]*)[\"'`]", text)
    assert not [words for words in written if has_letters(words)]
