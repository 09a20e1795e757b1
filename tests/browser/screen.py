"""The projector in a browser tab, and what must hold of everything on it."""

from typing import Any
from urllib.parse import quote

from playwright.sync_api import Locator, expect

from tests.browser.sheet import SAFE, Sheet

FIT = """() => {
  const unit = Math.min(innerWidth / 1920, innerHeight / 1080);
  const seen = (element) => element.checkVisibility({ visibilityProperty: true }) && !element.closest('.unseen, dialog, .toast');
  const named = (element) => `${element.tagName}.${element.className} ${element.textContent.slice(0, 30)}`;
  const all = [...document.querySelectorAll('main *')].filter(seen);
  const texts = all.filter((element) => [...element.childNodes].some((node) => node.nodeType === 3 && node.textContent.trim()));
  const outside = texts.filter((element) => {
    const box = element.getBoundingClientRect();
    return box.left < -.5 || box.top < -.5 || box.right > innerWidth + .5 || box.bottom > innerHeight + .5;
  });
  const tiny = texts.filter((element) => parseFloat(getComputedStyle(element).fontSize) < 28 * unit - .01);
  const cut = all.filter((element) => element.matches('th span, .c, .column, .answer'))
    .filter((element) => element.scrollWidth > element.clientWidth + 1);
  const boxes = all.filter((element) => element.matches('header, .box table, .panel, footer, .strip, figure'));
  const crossing = [];
  boxes.forEach((one, place) => boxes.slice(place + 1).forEach((other) => {
    const [a, b] = [one.getBoundingClientRect(), other.getBoundingClientRect()];
    const wide = Math.min(a.right, b.right) - Math.max(a.left, b.left);
    const high = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
    if (wide > 1 && high > 1 && !one.contains(other)) crossing.push(`${one.className} crosses ${other.className}`);
  }));
  const root = document.documentElement;
  return {
    outside: outside.map(named), tiny: tiny.map(named), cut: cut.map(named), crossing,
    scrolls: root.scrollWidth > root.clientWidth || root.scrollHeight > root.clientHeight, texts: texts.length,
  };
}"""

CONTRAST = """() => {
  const channel = (part) => (part /= 255) <= .04045 ? part / 12.92 : ((part + .055) / 1.055) ** 2.4;
  const canvas = new OffscreenCanvas(1, 1).getContext('2d', { willReadFrequently: true });
  const rgb = (colour) => {
    canvas.clearRect(0, 0, 1, 1); canvas.fillStyle = colour; canvas.fillRect(0, 0, 1, 1);
    return [...canvas.getImageData(0, 0, 1, 1).data];
  };
  const light = (colour) => { const [r, g, b] = rgb(colour).map(channel); return .2126 * r + .7152 * g + .0722 * b; };
  const ground = (element) => {
    for (let here = element; here; here = here.parentElement) {
      const colour = getComputedStyle(here).backgroundColor;
      if (rgb(colour)[3] > 250) return colour;
    }
    return 'white';
  };
  const weak = [];
  let seen = 0;
  for (const element of document.querySelectorAll('main *, dialog[open] *')) {
    if (!element.checkVisibility({ visibilityProperty: true }) || element.closest('.unseen, svg')) continue;
    if (![...element.childNodes].some((node) => node.nodeType === 3 && node.textContent.trim())) continue;
    seen += 1;
    const [high, low] = [light(getComputedStyle(element).color), light(ground(element))].sort((a, b) => b - a);
    const ratio = (high + .05) / (low + .05);
    if (ratio < 7) weak.push(`${element.className} ${element.textContent.slice(0, 20)} ${ratio.toFixed(2)}`);
  }
  return { weak, seen };
}"""


class Screen(Sheet):
    """The projector; its faults are gathered as those of the sheet are."""

    def open(self, query: str = "", lang: str = "ja") -> None:
        super().open(f"view=projector{'&' if query else ''}{query}", lang)

    @property
    def main(self) -> Locator:
        return self.page.locator("main.screen")

    def press(self, *keys: str) -> None:
        for key in keys:
            self.page.keyboard.press(key)

    def at(self, step: str) -> None:
        expect(self.main).to_have_attribute("data-step", step)

    def looks_at(self, cell: str) -> None:
        expect(self.main).to_have_attribute("data-cell", cell)

    @property
    def row(self) -> list[str]:
        """The numbers of the chosen row of the result, as they can be seen."""
        found: list[str] = self.page.evaluate(
            "[...document.querySelector('.result .c.chosen').closest('tr').querySelectorAll('.c')].map(cell => cell.textContent)"
        )
        return found

    @property
    def sizes(self) -> list[float]:
        """How large a number of the result and one of the arithmetic are."""
        found: list[float] = self.page.evaluate(
            "['.result .c', '.panel .term'].map(part => parseFloat(getComputedStyle(document.querySelector(part)).fontSize))"
        )
        return found

    @property
    def live(self) -> str:
        return self.page.locator("#live").text_content() or ""

    def fits(self) -> None:
        """Nothing scrolls, all text is inside the screen, large enough, whole, and crosses nothing."""
        found: dict[str, Any] = self.page.evaluate(FIT)
        assert found.pop("texts") > 8
        assert found == {"outside": [], "tiny": [], "cut": [], "crossing": [], "scrolls": False}, (found, self.address)

    def is_clear(self) -> None:
        found = self.page.evaluate(CONTRAST)
        assert found["seen"] > 15
        assert found["weak"] == []

    def whole(self, query: str) -> None:
        self.page.goto(f"{self.origin}/?{quote(query, safe=SAFE + '%')}")
