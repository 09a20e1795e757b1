"""What can be wrong with a request, said once: a field, a message, the numbers the message needs."""

import dataclasses
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from app import limits

Detail = str | int | float


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing wrong with one field. ``code`` is the key ``error.<code>`` of the catalogues."""

    field: str
    code: str
    details: Mapping[str, Detail] = dataclasses.field(default_factory=dict)
    offer: tuple[str, str] | None = None
    """The nearest choice that is possible: a field and its value."""


class Refusal(Exception):
    """A request that cannot be answered, and why."""

    def __init__(self, problems: Sequence[Problem], status: int = 422) -> None:
        super().__init__("; ".join(f"{problem.field}: {problem.code}" for problem in problems))
        self.problems = tuple(problems[: limits.PROBLEMS])
        self.status = status


def refuse(field: str, code: str, status: int = 422, offer: tuple[str, Detail] | None = None, **details: Detail) -> Refusal:
    """A refusal for one thing wrong with one field, and the nearest choice that is possible."""
    nearest = (offer[0], str(offer[1])) if offer else None
    return Refusal([Problem(field, code, details, nearest)], status)
