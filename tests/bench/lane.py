"""Big work beside small: forty phones that export at once, and the heaviest questions in a loop; how long others wait.

Run by hand: ``python tests/bench/lane.py [workers]``. It starts the server itself, speaks to it over loopback only, and ends by
itself after about a minute. It fails where an aim is missed; a machine that does something else meanwhile misses them too.
"""

import asyncio
import os
import re
import signal
import socket
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path

PHONES, HEAVY, SECONDS = 40, 8, 12.0
AIMS = {"export": 0.1, "heavy": 0.3}
"""Seconds that another reader's small sheet may take."""
MEMORY, END = 400, 6.0
EXPORT = "/export.html?text=a+b+c+d+e+f+g&n_layers=2&seed="
TILES = "text=a+b+c+d+e+f+g+h+i+j+k+l+m+n+o+p&mechanism=tiled&tile_q=1&tile_k=1"
LONG = "text=" + "+".join(f"w{number}" for number in range(64))
HEAVIEST = (
    f"/?{TILES}&seed=",
    f"/api/v1/attention?{TILES}&seed=",
    f"/worksheet?{TILES}&blanks=all&seed=",
    f"/export.html?{TILES}&seed=",
    f"/export.ipynb?{TILES}&n_layers=4&seed=",
    f"/?{LONG}&mechanism=linear&linear_form=recurrent&mask=causal&n_layers=4&seed=",
    f"/worksheet?{LONG}&mechanism=linear&linear_form=recurrent&mask=causal&n_layers=4&seed=",
    f"/?{LONG}&n_layers=4&pin=mask=causal&of=layer.3.out[0,0]&seed=",
)
"""The heaviest there are, as far as is known."""


class Client:
    """One reader on one machine: asks, and reads to the end."""

    def __init__(self, port: int) -> None:
        self.port = port

    async def ask(self, path: str) -> tuple[int, float]:
        """The status, and how many seconds it took. Each time by a new connection, as workers share them out."""
        start = time.perf_counter()
        reader, writer = await asyncio.open_connection("127.0.0.1", self.port)
        writer.write(f"GET {path} HTTP/1.1\r\nHost: a\r\nAccept-Encoding: gzip\r\nConnection: close\r\n\r\n".encode())
        answer = await reader.read()
        writer.close()
        return int(answer[9:12] or b"0"), time.perf_counter() - start

    async def hang_up(self, path: str) -> None:
        """Ask, and be gone."""
        _, writer = await asyncio.open_connection("127.0.0.1", self.port)
        writer.write(f"GET {path} HTTP/1.1\r\nHost: a\r\n\r\n".encode())
        await writer.drain()
        writer.close()


class Served:
    """A server of its own, and what it holds."""

    def __init__(self, process: "subprocess.Popen[bytes]", port: int) -> None:
        self.process, self.port = process, port

    def memory(self) -> float:
        """Megabytes of the largest of its processes."""
        return max(map(_resident, (self.process.pid, *_children(self.process.pid))))

    def end(self) -> float:
        """Seconds from SIGTERM to the end."""
        start = time.perf_counter()
        self.process.send_signal(signal.SIGTERM)
        self.process.wait(60)
        return time.perf_counter() - start


def _resident(pid: int) -> float:
    """Megabytes of memory that a process holds; 0 where it has ended."""
    try:
        found = re.search(r"VmRSS:\s+(\d+) kB", Path(f"/proc/{pid}/status").read_text())
    except OSError:
        return 0.0
    return int(found[1]) / 1024 if found else 0.0


def _children(pid: int) -> list[int]:
    return [int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]


@asynccontextmanager
async def served(workers: int) -> AsyncIterator[Served]:
    """Start a server, wait until it answers, and end it."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = int(free.getsockname()[1])
    code = f"from app.web.server import serve; serve('127.0.0.1', {port}, {workers}, lambda: None)"
    process = subprocess.Popen([sys.executable, "-c", code], cwd=Path(__file__).parents[2])
    try:
        while True:
            try:
                if (await Client(port).ask("/healthz"))[0] == 200:
                    break
            except OSError:
                await asyncio.sleep(0.1)
        await asyncio.gather(*(Client(port).ask("/?text=a+b+c") for _ in range(20)))  # fonts are read once
        await asyncio.gather(*(Client(port).ask("/export.html?text=a+b+c") for _ in range(4)))
        yield Served(process, port)
    finally:
        if process.poll() is None:
            process.kill()
            process.wait()


async def watched(server: Served, load: Callable[[], Awaitable[None]]) -> tuple[list[float], float]:
    """How long another reader's small sheets took while the load was on, and the memory at its highest."""
    waits, most, under_way = [], 0.0, asyncio.ensure_future(load())
    number = 0
    while not under_way.done():
        number += 1
        status, seconds = await Client(server.port).ask(f"/?text=the+dog+runs&seed={number}")
        waits.append(seconds if status == 200 else 99.0)
        most = max(most, server.memory())
        await asyncio.sleep(0.05)
    await under_way
    return waits, most


async def exports(server: Served) -> None:
    """All phones press Export at once, each for a file of its own."""
    asked = await asyncio.gather(*(Client(server.port).ask(f"{EXPORT}{number}") for number in range(PHONES)))
    print(f"    {PHONES} files in {max(seconds for _, seconds in asked):.1f} s, all good: {all(one[0] == 200 for one in asked)}")


async def heavy(server: Served) -> None:
    """Eight clients ask for the heaviest, again as soon as the answer is there."""
    end, answers = time.perf_counter() + SECONDS, 0

    async def one(path: str) -> None:
        nonlocal answers
        while time.perf_counter() < end:
            answers += 1
            await Client(server.port).ask(f"{path}{answers}")

    await asyncio.gather(*(one(path) for path in HEAVIEST))
    print(f"    {answers} answers")


async def measure(workers: int) -> int:
    missed = 0
    async with served(workers) as server:
        for name, load in (("export", exports), ("heavy", heavy)):
            waits, memory = await watched(server, lambda load=load: load(server))  # type: ignore[misc]
            waits.sort()
            middle, late = waits[len(waits) // 2], waits[int(len(waits) * 0.99)]
            missed += waits[-1] > AIMS[name] or memory > MEMORY
            print(
                f"{workers} worker(s), {name}: another sheet median {middle * 1e3:.0f} ms, 99 % {late * 1e3:.0f} ms, "
                f"slowest {waits[-1] * 1e3:.0f} ms (aim {AIMS[name] * 1e3:.0f}), memory {memory:.0f} MB (aim {MEMORY})",
                flush=True,
            )
        await asyncio.gather(*(Client(server.port).hang_up(f"{HEAVIEST[3]}{number}") for number in range(PHONES)))
        start = time.perf_counter()
        await Client(server.port).ask("/?text=a+b+c+d")
        print(f"{workers} worker(s), {PHONES} who hung up: another sheet {(time.perf_counter() - start) * 1e3:.0f} ms")
    for state in ("idle", "busy"):
        async with served(workers) as server:
            asked = [asyncio.ensure_future(Client(server.port).ask(f"{HEAVIEST[3]}{n}")) for n in range(20 * (state == "busy"))]
            await asyncio.sleep(1)
            took = await asyncio.to_thread(server.end)
            await asyncio.gather(*asked, return_exceptions=True)
            missed += took > END
            print(f"{workers} worker(s), {state}: ended {took:.1f} s after SIGTERM (aim {END:.0f})", flush=True)
    return missed


def main() -> int:
    """Measure with one worker and with two, or with as many as are asked for."""
    print(f"{os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}")
    counts = [int(text) for text in sys.argv[1:]] or [1, 2]
    return 1 if sum(asyncio.run(measure(count)) for count in counts) else 0


if __name__ == "__main__":
    raise SystemExit(main())
