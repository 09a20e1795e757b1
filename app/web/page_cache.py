"""Pages that were just drawn, kept for the next reader: a class opens one link forty times, and types the same words.

A page of three words costs the processor about 13 ms to draw and 1.7 ms where it is kept, most of that in the frame around it.
"""

from collections.abc import Callable, Coroutine
from typing import Any

from cachetools import LRUCache
from fastapi.routing import APIRoute
from starlette.requests import Request
from starlette.responses import Response

from app import limits
from app.web.answers import HEADERS
from app.web.packing import pack, packed_response
from app.web.requests import han_language_of, language_of

Key = tuple[bytes, str, str]
"""The query, the reader's language, and for whom Chinese characters are drawn: a page depends on nothing else."""
PageCache = LRUCache[Key, bytes]


def make_page_cache(most: int = limits.PAGES_KEPT) -> PageCache:
    """Make a cache of compressed pages, bounded in bytes; the pages that were not asked for longest go first."""
    return LRUCache(most, getsizeof=len)


class KeptRoute(APIRoute):
    """A route whose pages are kept as they are sent; a page that is kept is answered without a thread."""

    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        """Look for the page before it is drawn."""
        draw = super().get_route_handler()

        async def answer(request: Request) -> Response:
            cache: PageCache = request.app.state.page_cache
            key = (request.scope["query_string"], language_of(request), han_language_of(request))
            page = cache.get(key)
            if page is None:
                drawn = await draw(request)
                if drawn.status_code != 200:
                    return drawn
                page = bytes(drawn.body) if "content-encoding" in drawn.headers else pack(bytes(drawn.body))
                if len(key[0]) <= limits.ADDRESS:  # what is longer is posted, so nobody asks for it again
                    cache[key] = page
            return packed_response(request.headers, page, HEADERS)

        return answer
