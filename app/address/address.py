"""Address: where a link leads. Pages and scripts receive it whole; nobody else puts one together."""

from __future__ import annotations

from dataclasses import dataclass

from app.sheet.steps import write_query

Pairs = list[tuple[str, str]]


@dataclass(frozen=True, slots=True)
class Address:
    """A page, the scenario that it shows, and the fields beside it that change no number.

    A field without text is not written but keeps its place in the order.
    """

    query: str = ""
    """The scenario as it is written in an address."""
    fields: tuple[tuple[str, str], ...] = ()
    path: str = "/"

    @classmethod
    def of(cls, scenario: Pairs, **fields: str) -> Address:
        """The sheet of a scenario."""
        return cls(write_query(scenario), tuple(fields.items()))

    def to(self, path: str) -> Address:
        """Lead to another page or file with all that is said here."""
        return Address(self.query, self.fields, path)

    def with_(self, **fields: str) -> Address:
        """Say these fields otherwise; those that are new come last, those without text are left out."""
        return Address(self.query, tuple({**dict(self.fields), **fields}.items()), self.path)

    def without(self, *names: str) -> Address:
        """Say nothing of these fields."""
        return Address(self.query, tuple(pair for pair in self.fields if pair[0] not in names), self.path)

    def along(self, other: Address) -> Address:
        """Say what another address says beside its scenario."""
        return self.with_(**other.said)

    @property
    def bare(self) -> Address:
        """The scenario alone."""
        return Address(self.query, (), self.path)

    @property
    def said(self) -> dict[str, str]:
        """The fields beside the scenario that have a text."""
        return {name: text for name, text in self.fields if text}

    @property
    def written(self) -> str:
        """All that is said, as a query string."""
        return "&".join(part for part in (self.query, write_query([], **dict(self.fields))) if part)

    def __str__(self) -> str:
        query = self.written
        return f"{self.path}?{query}" if query else self.path
