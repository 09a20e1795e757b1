"""Fields of a link that this version does not have: left out and named, the first four by name."""

import pytest

from app.address.unknown_fields import without_unknown
from app.run.run import Notice

KNOWN = [("text", "a b"), ("mask", "causal")]


@pytest.mark.parametrize(
    ("names", "told"),
    [
        ([], []),
        (["a1"], [Notice("unknown", {"fields": "a1"})]),
        (["a1", "a2", "a3", "a4"], [Notice("unknown", {"fields": "a1, a2, a3, a4"})]),
        (["a1", "a2", "a3", "a4", "a5"], [Notice("unknown_more", {"fields": "a1, a2, a3, a4", "more": 1})]),
        (["a1", "a2", "a1"], [Notice("unknown", {"fields": "a1, a2"})]),
    ],
)
def test_unknown_fields_are_left_out_and_named(names: list[str], told: list[Notice]) -> None:
    assert without_unknown([*((name, "1") for name in names), *KNOWN]) == (KNOWN, told)
