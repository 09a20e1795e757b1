"""No text costs more than in proportion to its length: a pattern that looks back would let one field stop the server."""

import time
from urllib.parse import urlencode

import httpx
import pytest

from app.address.fields import FIELDS
from app.scenario.table import SCENARIO_FIELDS
from tests.support.asking import Api

PIECES = {
    "digits": "1",
    "spaces": " ",
    "brackets": "[",
    "both brackets": "[]",
    "separators": ";,",
    "colons": ":a",
    "backslashes": "\\",
    "flags": "🇯",
    "combining marks": "a\u0301",
    "joined": "👩\u200d",
    "points": "1.",
    "exponents": "1e",
    "minus": "−",
    "letters": "ab",
}
FORM = "application/x-www-form-urlencoded"
SHORT, LONG = 1_000, 4_000
FREE = 0.02
"""Seconds that do not count: so little stops nobody, and clocks are coarse."""


def post(api: Api, fields: dict[str, str]) -> httpx.Response:
    return api.ask("POST", "/", content=urlencode(fields).encode(), headers={"content-type": FORM})


def seconds(api: Api, field: str, text: str) -> float:
    """The processor time of one request."""
    start = time.process_time()
    answer = post(api, {"text": "a", field: text})
    assert answer.status_code in (200, 413, 422), answer.status_code
    return time.process_time() - start


def is_slow(api: Api, field: str, piece: str) -> bool:
    """True where four times the length costs far more than four times the time, three times in a row."""
    short, long = (piece * (length // len(piece)) + "x" for length in (SHORT, LONG))
    return all(seconds(api, field, long) > FREE + 8 * seconds(api, field, short) for _ in range(3))


@pytest.mark.slow
@pytest.mark.parametrize("field", [*SCENARIO_FIELDS, *FIELDS])
def test_a_text_four_times_as_long_costs_at_most_in_proportion(api: Api, field: str) -> None:
    assert [name for name, piece in PIECES.items() if is_slow(api, field, piece)] == []


@pytest.mark.parametrize("field", ["temperature", "x", "edits", "scale", "softcap", "table", "w_q", "of", "cell", "blanks"])
def test_a_megabyte_of_digits_is_answered_within_a_breath(api: Api, field: str) -> None:
    start = time.process_time()
    answer = post(api, {"text": "a", field: "1" * 900_000 + "x"})
    assert answer.status_code in (200, 422)
    assert time.process_time() - start < 10  # in quadratic time it would be hours
