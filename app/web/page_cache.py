"""Pages that were just drawn, kept for the next reader: a class opens one link forty times, and types the same words."""

from collections import OrderedDict


class Kept:
    """LRU cache of compressed pages, bounded in bytes. A page depends on nothing but what it is kept under."""

    def __init__(self, most: int) -> None:
        self.most, self.size = most, 0
        self._pages: OrderedDict[tuple[bytes, str], bytes] = OrderedDict()

    def get(self, query: bytes, lang: str) -> bytes | None:
        """The page for a query in a reader's language, where it is kept; it counts as the latest then."""
        page = self._pages.get((query, lang))
        if page is not None:
            self._pages.move_to_end((query, lang))
        return page

    def put(self, query: bytes, lang: str, page: bytes) -> None:
        """Keep a page; the oldest go where there is no room."""
        self.size -= _size(query, self._pages.pop((query, lang), b""))
        self._pages[query, lang] = page
        self.size += _size(query, page)
        while self.size > self.most:
            (old, _), dropped = self._pages.popitem(last=False)
            self.size -= _size(old, dropped)


def _size(query: bytes, page: bytes) -> int:
    return len(query) + len(page) if page else 0
