"""How quick the page is: start, first load, key press to repaint, and the server's work for one page.

Run by hand: ``python tests/bench/page.py``. It needs the tests' packages and a Chromium.
"""

import http.client
import os
import statistics
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlsplit

from playwright.sync_api import Browser, Page, sync_playwright

sys.path.insert(0, str(Path(__file__).parents[2]))

from tests.browser.chromium import launch_args
from tests.browser.server import Server, running

WORDS = "the quick brown fox jumps over a lazy dog while two small birds sing songs"
COUNTS = (3, 8, 16)
PRESSES = 20
STARTS = 3
PAGES = 300

WATCH = """() => {
  window.times = [];
  let pressed = 0;
  addEventListener('keydown', () => { pressed = performance.now(); }, true);
  const painted = new MessageChannel();
  painted.port1.onmessage = () => { times.push(performance.now() - pressed); pressed = 0; };
  new MutationObserver(() => {
    // The frame is drawn after this callback; a message sent from it arrives once that is done.
    if (pressed) requestAnimationFrame(() => painted.port2.postMessage(''));
  }).observe(document.querySelector('main'), {childList: true});
}"""


def sentence(count: int) -> str:
    words = [*WORDS.split(), "today"]
    return " ".join(words[:count])


@contextmanager
def fresh_page(browser: Browser) -> Iterator[Page]:
    """A page of a browser that has nothing stored."""
    context = browser.new_context(viewport={"width": 1600, "height": 1000})
    yield context.new_page()
    context.close()


def key_to_repaint(browser: Browser, server: Server, count: int) -> float:
    """Median milliseconds from the press of a letter to the repaint with its numbers."""
    with fresh_page(browser) as page:
        page.goto(f"{server.address}/?lang=en&text={quote(sentence(count))}")
        page.wait_for_selector("html.scripted")
        page.locator("#text").press("End")
        page.evaluate(WATCH)
        for press in range(PRESSES):
            page.keyboard.press("s")
            page.wait_for_function("count => times.length >= count", arg=press + 1)
        assert page.locator(".chip").count() == count
        times: list[float] = page.evaluate("times")
    return statistics.median(times[:PRESSES])


def bytes_of_the_first_load(browser: Browser, server: Server) -> tuple[int, int]:
    """Bytes over the network before Plotly, and what the first figure adds."""
    with fresh_page(browser) as page:
        received: list[float] = []
        network = page.context.new_cdp_session(page)
        network.send("Network.enable")

        def note(event: dict[str, Any]) -> None:
            received.append(event["encodedDataLength"])

        network.on("Network.loadingFinished", note)
        page.goto(f"{server.address}/?lang=en&text={quote(sentence(3))}", wait_until="networkidle")
        before = sum(received)
        page.locator("button[name=head][value=all]").click()
        page.wait_for_selector("[data-ready]")
        page.wait_for_load_state("networkidle")
        return int(before), int(sum(received) - before)


def processor_seconds(pid: int) -> float:
    """Processor time of a process so far, as Linux counts it."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def processor_per_page(server: Server, count: int) -> float:
    """Milliseconds of the server's processor for one page, compressed as a browser asks for it."""
    connection = http.client.HTTPConnection(urlsplit(server.address).netloc)

    def ask() -> None:
        connection.request("GET", f"/?lang=en&text={quote(sentence(count))}", headers={"Accept-Encoding": "gzip"})
        connection.getresponse().read()

    for _ in range(20):
        ask()
    start = processor_seconds(server.pid)
    for _ in range(PAGES):
        ask()
    used = processor_seconds(server.pid) - start
    connection.close()
    return used / PAGES * 1e3


def start_seconds() -> float:
    times = []
    for _ in range(STARTS):
        with running() as server:
            times.append(server.seconds_to_start)
    return statistics.median(times)


def row(name: str, value: str) -> None:
    print(f"{name:<46} {value:>12}", flush=True)


def main() -> None:
    row(f"server start (median of {STARTS})", f"{start_seconds():.2f} s")
    with running() as server, sync_playwright() as playwright:
        for count in COUNTS:
            row(f"server processor for a page, {count} tokens", f"{processor_per_page(server, count):.1f} ms")
        browser = playwright.chromium.launch(**launch_args())
        before, plotly = bytes_of_the_first_load(browser, server)
        row("first load before Plotly", f"{before / 1e3:.1f} kB")
        row("first figure, Plotly included", f"{plotly / 1e3:.1f} kB")
        for count in COUNTS:
            row(f"key press to repaint, {count} tokens (median of {PRESSES})", f"{key_to_repaint(browser, server, count):.1f} ms")
        browser.close()


if __name__ == "__main__":
    main()
