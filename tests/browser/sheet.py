"""The sheet in a browser tab, as the tests handle it."""

import math
import re
from collections.abc import Mapping
from typing import Any
from urllib.parse import quote, urlsplit

from playwright.sync_api import ConsoleMessage, Locator, Page, Request, expect

from tests.support.patience import MILLISECONDS

SAFE = "=&;,:[]()/"
DIRECT = (  # worked example 1: queries, keys and values given directly
    "q=1,0,2&k=2,1,1;0,3,0;1,1,1&v=2,5,1;0,1,3;4,0,2&labels_q=走る&labels_k=犬,が,走る&scale=none&normalizer=division"
)
_HALF_A_DIGIT = 0.0005 * (1 + 1e-9)


class Sheet:
    """One tab. ``faults`` gathers what a page should never do: console messages, errors, requests that fail or go elsewhere."""

    def __init__(self, page: Page, origin: str, scripts: bool = True) -> None:
        self.page, self.origin, self.scripts = page, origin, scripts
        self.faults: list[str] = []
        self.requested: list[str] = []
        self.refusals_expected = False
        page.set_default_timeout(MILLISECONDS)
        page.on("console", self._note_console)
        page.on("pageerror", lambda error: self.faults.append(f"error: {error}"))
        page.on("requestfailed", self._note_failure)
        page.on("request", self._note_request)
        page.on("dialog", self._note_dialog)

    def _note_console(self, message: ConsoleMessage) -> None:
        # Chromium itself writes a line for every answer with an error status.
        if not (self.refusals_expected and re.search("status of 4(14|22)", message.text)):
            self.faults.append(f"console: {message.text}")

    def _note_failure(self, request: Request) -> None:
        # A question that a newer one overtook is called back, and what is still loading when a page is left.
        if "ERR_ABORTED" not in (request.failure or ""):
            self.faults.append(f"failed: {request.url[:200]} {request.failure}")

    def _note_request(self, request: Request) -> None:
        self.requested.append(request.url)
        if not request.url.startswith((f"{self.origin}/", "data:", "blob:")):
            self.faults.append(f"left the origin: {request.url[:200]}")

    def _note_dialog(self, dialog: Any) -> None:
        self.faults.append(f"dialog: {dialog.message}")
        dialog.dismiss()

    def open(self, query: str = "", lang: str = "en") -> None:
        """Open the page at a query and wait until it is alive."""
        self.page.goto(f"{self.origin}/?lang={lang}{'&' if query else ''}{quote(query, safe=SAFE + '%')}")
        if self.scripts:
            expect(self.page.locator("html")).to_have_class("scripted")

    @property
    def sentence(self) -> Locator:
        return self.page.locator("#text")

    @property
    def chosen(self) -> Locator:
        """The chosen cell of the result."""
        return self.page.locator(".result .c.chosen")

    @property
    def step(self) -> str:
        return self.page.locator(".step").get_attribute("data-step") or ""

    @property
    def query(self) -> str:
        """The canonical query of what is shown."""
        return self.page.locator(".step").get_attribute("data-query") or ""

    @property
    def address(self) -> str:
        return str(self.page.evaluate("location.search"))

    def type(self, text: str) -> None:
        """Type a sentence key by key in place of the old one."""
        self.sentence.click()
        self.page.keyboard.press("Control+A")
        self.page.keyboard.type(text)

    def shows_words(self, *words: str) -> None:
        """Wait until these are the tokens."""
        expect(self.page.locator(".chip")).to_have_text(list(words))

    def at(self, step: str) -> None:
        """Wait until this is the step."""
        expect(self.page.locator(".step")).to_have_attribute("data-step", step)

    def asks_why(self, ref: str) -> None:
        """Wait until this cell is explained."""
        expect(self.page.locator(".cell-name code")).to_have_text(ref.replace(",", ", "))

    def open_group(self, name: str) -> None:
        self.page.locator(f"[data-group={name}] summary").click()

    def printed(self, within: str = ".grid") -> dict[str, str]:
        """Every number in a cell, by the name of its cell."""
        found = self.page.locator(f"{within} .c").evaluate_all("all => all.map(cell => [cell.value, cell.textContent])")
        return dict(found)

    def figure_is_drawn(self) -> None:
        expect(self.page.locator("[data-ready]")).to_be_visible()

    def api(self, path: str = "", **more: str) -> Any:
        """The JSON answer for the same query."""
        fields = "".join(f"&{name}={quote(value)}" for name, value in more.items())
        response = self.page.request.get(f"{self.origin}/api/v1/attention{path}?{self.query}{fields}")
        assert response.ok, response.text()
        return response.json()

    def agrees_with_the_api(self) -> None:
        """Every number in a cell is the number that the API gives for that cell."""
        steps = {step["name"]: step["values"] for step in self.api()["steps"]}
        cells = self.printed()
        assert cells
        for ref, text in cells.items():
            assert is_printed(text, value_at(steps, ref)), (ref, text)

    def why_agrees_with_the_api(self, lang: str) -> None:
        """What the panel says is what the API explains."""
        name, places = re.fullmatch(r"(\w+)\[([\d, ]+)\]", self.page.locator(".cell-name code").inner_text()).groups()  # type: ignore[union-attr]
        why = self.api("/explain", step=name, index=places.replace(" ", ""), lang=lang)
        assert is_printed(self.page.locator("#why-value").inner_text(), number(why["value"]))
        assert self.page.locator("[data-spoken]").text_content() == why["spoken"]
        if why["terms"]:
            shown = self.page.locator("#why-sum").text_content() or ""
            assert squeezed(why["expression"]).startswith(squeezed(shown)), (why["expression"], shown)


def value_at(steps: Mapping[str, Any], ref: str) -> float:
    """The value of a cell such as ``scores[0,2,1]``."""
    name, places = ref.rstrip("]").split("[")
    value = steps[name]
    for place in places.split(","):
        value = value[int(place)]
    return number(value)


def number(value: float | str) -> float:
    """A number of the API; a hidden score is a text there."""
    return -math.inf if value == "-Infinity" else float(value)


def is_printed(text: str, value: float) -> bool:
    """True where a text is the number with at most three decimals."""
    read = float(text.replace("\u2212", "-").replace("\u221e", "inf"))
    return read == value or abs(read - value) <= _HALF_A_DIGIT


def squeezed(text: str) -> str:
    """An expression without what only sets it: spaces, and the sign of a power that the page writes raised."""
    return re.sub(r"[\s^]", "", text)


def path_of(url: str) -> str:
    return urlsplit(url).path
