"""Address: where a link leads. Pages and scripts receive it whole; nobody else puts one together."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from app.sheet.steps import write_query

Pairs = list[tuple[str, str]]


class Said(NamedTuple):
    """A field of an address, and how it is written there: once, however many links say it."""

    name: str
    text: str
    written: str


def _say(name: str, text: str) -> Said:
    return Said(name, text, write_query([(name, text)]) if text else "")


@dataclass(frozen=True, slots=True)
class Address:
    """A page, the scenario that it shows, and the fields beside it that change no number.

    A field without text is not written but keeps its place in the order.
    """

    query: str = ""
    """The scenario as it is written in an address."""
    fields: tuple[Said, ...] = ()
    path: str = "/"

    @classmethod
    def of(cls, scenario: Pairs, **fields: str) -> Address:
        """The sheet of a scenario."""
        return cls(write_query(scenario)).with_(**fields)

    def to(self, path: str) -> Address:
        """Lead to another page or file with all that is said here."""
        return Address(self.query, self.fields, path)

    def with_(self, **fields: str) -> Address:
        """Say these fields otherwise; those that are new come last, those without text are left out."""
        return self._with([_say(name, text) for name, text in fields.items()])

    def without(self, *names: str) -> Address:
        """Say nothing of these fields."""
        return Address(self.query, tuple([field for field in self.fields if field.name not in names]), self.path)

    def along(self, other: Address) -> Address:
        """Say what another address says beside its scenario."""
        return self._with([field for field in other.fields if field.text])

    def _with(self, fields: list[Said]) -> Address:
        every = {field.name: field for field in (*self.fields, *fields)}
        return Address(self.query, tuple(every.values()), self.path)

    @property
    def bare(self) -> Address:
        """The scenario alone."""
        return Address(self.query, (), self.path)

    @property
    def said(self) -> dict[str, str]:
        """The fields beside the scenario that have a text."""
        return {field.name: field.text for field in self.fields if field.text}

    @property
    def written(self) -> str:
        """All that is said, as a query string."""
        return "&".join([part for part in (self.query, *[field.written for field in self.fields]) if part])

    def __str__(self) -> str:
        query = self.written
        return f"{self.path}?{query}" if query else self.path
