"""Lane: big work is done one piece at a time, so that it never stands in the way of somebody's small sheet.

Forty files at once, in forty threads, would keep every other reader waiting for seconds; one after the other they are ready as
soon. What waits has no thread, and is never begun for a reader who has gone.
"""

from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import ParamSpec, TypeVar

import anyio
import anyio.to_thread
from starlette.requests import Request
from starlette.responses import Response

from app import limits
from app.web.packing import pack_answer

P = ParamSpec("P")
T = TypeVar("T")
GONE = 499
"""The status of what is not answered because nobody waits for it any more; it is sent to nobody."""


def make_lane() -> anyio.CapacityLimiter:
    """Make a lane for one piece of work at a time."""
    return anyio.CapacityLimiter(1)


async def in_lane(request: Request, work: Callable[P, Response], *args: P.args, **kwargs: P.kwargs) -> Response:
    """Do big work when its turn has come; not at all where the reader has gone by then."""
    lane: anyio.CapacityLimiter = request.app.state.lane
    async with lane:
        if await request.is_disconnected():
            return Response(status_code=GONE)
        return await in_thread(lambda: pack_answer(request.headers, work(*args, **kwargs)))


async def by_size(request: Request, large: bool, work: Callable[P, Response], *args: P.args, **kwargs: P.kwargs) -> Response:
    """Do work in the lane where it is large; else at once, in a thread."""
    if large:
        return await in_lane(request, work, *args, **kwargs)
    return await in_thread(lambda: pack_answer(request.headers, work(*args, **kwargs)))


async def read_aside(request: Request, size: int, read: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    """Read what was sent: at once where it is short, else in the lane. ``size``: how many bytes."""
    if size <= limits.ADDRESS:
        return read(*args, **kwargs)
    async with request.app.state.lane:
        return await in_thread(lambda: read(*args, **kwargs))


async def in_thread(work: Callable[[], T]) -> T:
    """Do work in a thread of its own."""
    return await anyio.to_thread.run_sync(work)


def is_large(fields: Mapping[str, object]) -> bool:
    """Estimate from the fields of a scenario, right or wrong, whether it takes far longer than a sentence of a few words."""
    by_letter = fields.get("split") == "characters"
    words = min(limits.TOKENS, max(_count(fields.get(name), by_letter) for name in _LONG))
    passes = max(1, _whole(fields.get("n_layers"), 0)) * (1 + _whole(fields.get("n_experts"), 0))
    by_parts = fields.get("mechanism", "attention") != "attention"
    rounds = words * (words if by_parts else 1)
    return rounds * passes * (2 if any(map(fields.get, _BESIDE)) else 1) > limits.SMALL_WORK


_LONG = ("text", "text_k", "x", "q", "k", "v", "table", "edits", "good", "pin", "pinned")
"""The fields whose length says how long a sentence is, on either side of a comparison and on the last good page."""
_BESIDE = ("pin", "pinned")


def _count(value: object, by_letter: bool) -> int:
    """How many words or rows a field holds, at most: of a text in no alphabet each character may be one."""
    if isinstance(value, str):
        apart = sum(map(value.count, " ;+"))
        return max(apart + 1, len(value) // 6) if value.isascii() and not by_letter else len(value)
    return len(value) if isinstance(value, list | tuple | dict) else 1


def _whole(value: object, default: int) -> int:
    with suppress(ValueError, TypeError):
        return min(limits.HEADS, max(0, int(str(value)[:4])))
    return default
