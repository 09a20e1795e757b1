"""Forty phones at once: the class link opened and typed on by all of them, on this machine alone.

Run by hand: ``python tests/bench/classroom.py``. It starts the server itself, speaks to it over loopback only, and ends by itself
after about a minute. The phones live in this process, so that they take one core and leave the server the other.
"""

import asyncio
import gzip
import os
import platform
import re
import statistics
import sys
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import quote, urljoin, urlsplit

sys.path.insert(0, str(Path(__file__).parents[2]))

from tests.browser.server import Server, running

PHONES = 40
TYPING_SECONDS, RUSH_SECONDS = 20.0, 10.0
BETWEEN_KEYS = 0.25
"""Seconds from one key to the next: four letters a second is a quick writer on a phone."""
PATIENCE = 10.0
LINK = "/?hide=matrices&lang=ja&text="
SENTENCES = ("犬が走る", "猫は魚を食べる", "川に架かるはし", "the dog runs", "雨の日に本を読む")
WARM_UP, ALONE = 30, 300


@dataclass(slots=True)
class Tally:
    """What one phase saw: the seconds of every answer, and what went wrong."""

    seconds: list[float] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)


class Phone:
    """One browser: a connection that is kept open, and a sentence that grows letter by letter."""

    def __init__(self, server: Server, number: int, tally: Tally) -> None:
        self.host, self.port = urlsplit(server.address).hostname or "", urlsplit(server.address).port or 0
        assert self.host == "127.0.0.1", "the load stays on this machine"
        self.sentence, self.tally = SENTENCES[number % len(SENTENCES)], tally
        self.keys = number

    async def connect(self) -> None:
        self.reader, self.writer = await asyncio.open_connection(self.host, self.port)

    async def ask(self, path: str) -> bytes:
        """Ask for a path, compressed as browsers do; nothing where it failed."""
        start = time.perf_counter()
        try:
            body = await asyncio.wait_for(self._answer(path), PATIENCE)
        except (OSError, ValueError, asyncio.IncompleteReadError, TimeoutError) as error:
            self.tally.errors.append(f"{type(error).__name__}: {error}")
            await self.connect()
            return b""
        self.tally.seconds.append(time.perf_counter() - start)
        return body

    async def _answer(self, path: str) -> bytes:
        self.writer.write(
            f"GET {path} HTTP/1.1\r\nHost: {self.host}\r\nAccept: text/html\r\nAccept-Encoding: gzip\r\n\r\n".encode()
        )
        head = (await self.reader.readuntil(b"\r\n\r\n")).decode("latin-1")
        found = re.search(r"content-length: (\d+)", head, re.IGNORECASE)
        if not head.startswith("HTTP/1.1 200") or not found:
            raise ValueError(head.splitlines()[0])
        return await self.reader.readexactly(int(found[1]))

    async def open(self) -> None:
        """The page and all that it loads, and what the scripts load in their turn."""
        page = gzip.decompress(await self.ask(LINK + quote(self.sentence))).decode()
        waiting = re.findall(r'(?:href|src)="(/(?:static|assets)/[^"]+)"', page)
        loaded = set[str]()
        while waiting:
            address = waiting.pop(0)
            content = await self.ask(address)
            loaded.add(urlsplit(address).path)
            if ".js" in address:
                names = re.findall(r'from "(\./[^"]+)"', gzip.decompress(content).decode())
                waiting += [
                    other for name in names if (other := urljoin(urlsplit(address).path, name)) not in {*loaded, *waiting}
                ]

    async def press(self) -> None:
        """One more letter of the sentence; at its end it begins again."""
        self.keys += 1
        letters = 1 + self.keys % len(self.sentence)
        await self.ask(LINK + quote(self.sentence[:letters]))


async def phase(server: Server, work: Callable[[Phone], Awaitable[None]]) -> tuple[Tally, float]:
    """All phones do the same at once. What they saw, and the seconds it took."""
    tally = Tally()
    phones = [Phone(server, number, tally) for number in range(PHONES)]
    await asyncio.gather(*(phone.connect() for phone in phones))
    start = time.perf_counter()
    await asyncio.gather(*(work(phone) for phone in phones))
    took = time.perf_counter() - start
    for phone in phones:
        phone.writer.close()
    return tally, took


async def type_on(phone: Phone) -> None:
    """Type at a person's speed, each phone out of step with the others."""
    await asyncio.sleep(BETWEEN_KEYS * phone.keys / PHONES)
    end = time.perf_counter() + TYPING_SECONDS
    while (now := time.perf_counter()) < end:
        await phone.press()
        await asyncio.sleep(max(0.0, now + BETWEEN_KEYS - time.perf_counter()))


async def rush(phone: Phone) -> None:
    """Ask again as soon as the answer is there."""
    end = time.perf_counter() + RUSH_SECONDS
    while time.perf_counter() < end:
        await phone.press()


async def alone(server: Server) -> float:
    """Milliseconds of the server's processor for one page of three words, asked for by one phone."""
    phone = Phone(server, 0, Tally())
    await phone.connect()
    for _ in range(WARM_UP):
        await phone.ask(LINK + quote("犬が走る"))
    start = processor_seconds(server.pid)
    for seed in range(ALONE):
        await phone.ask(f"{LINK}{quote('犬が走る')}&seed={seed}")
    phone.writer.close()
    return (processor_seconds(server.pid) - start) / ALONE * 1e3


def processor_seconds(pid: int) -> float:
    """Processor time of a process so far, as Linux counts it."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def megabytes(pid: int, name: str) -> float:
    """Memory of a process: ``VmRSS`` now, ``VmHWM`` at its highest."""
    found = re.search(rf"{name}:\s+(\d+) kB", Path(f"/proc/{pid}/status").read_text())
    return int(found[1]) / 1024 if found else 0.0


def show(name: str, tally: Tally, took: float) -> None:
    cuts = statistics.quantiles(tally.seconds, n=100)
    print(
        f"{name:<34} {len(tally.seconds) / took:7.0f} answers/s   median {cuts[49] * 1e3:6.1f} ms   "
        f"99th percentile {cuts[98] * 1e3:6.1f} ms   slowest {max(tally.seconds) * 1e3:6.1f} ms   errors {len(tally.errors)}",
        flush=True,
    )
    for error in tally.errors[:3]:
        print(f"    {error}")


async def measure(server: Server) -> int:
    before = megabytes(server.pid, "VmRSS")
    print(f"{'processor for a page of 3 words':<34} {await alone(server):7.2f} ms")
    errors = 0
    for name, work in (
        (f"{PHONES} phones open the link", Phone.open),
        (f"{PHONES} phones type, {1 / BETWEEN_KEYS:.0f} keys/s each", type_on),
        (f"{PHONES} phones, as fast as they can", rush),
    ):
        tally, took = await phase(server, work)
        show(name, tally, took)
        errors += len(tally.errors)
    print(f"{'memory of the server':<34} {before:7.0f} MB at first, {megabytes(server.pid, 'VmHWM'):.0f} MB at most")
    return errors


def main() -> int:
    """Measure, and fail where a phone was not answered."""
    print(f"{platform.machine()}, {os.cpu_count()} cores, Python {platform.python_version()}, load {os.getloadavg()[0]:.1f}")
    with running() as server:
        return 1 if asyncio.run(measure(server)) else 0


if __name__ == "__main__":
    raise SystemExit(main())
