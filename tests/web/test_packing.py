"""Packing: an encoding with the weight 0 is one that the reader does not take."""

import pytest

from tests.support.asking import ATTENTION, Api

REFUSED = ["gzip;q=0", "gzip; q=0.000, br;q=0", "br;q=0,gzip ; Q=0.0", "identity"]
TAKEN = ["gzip", "gzip;q=0.1", "br;q=0, gzip;q=1.0", "deflate, gzip;q=0.001"]
PLACES = ["/?text=a b", f"{ATTENTION}?text=a b c d", "/static/css/shared/base.css"]


@pytest.mark.parametrize("accepted", REFUSED)
@pytest.mark.parametrize("place", PLACES)
def test_what_is_refused_is_not_used(api: Api, place: str, accepted: str) -> None:
    assert "content-encoding" not in api.get(place, headers={"accept-encoding": accepted}).headers


@pytest.mark.parametrize("accepted", TAKEN)
@pytest.mark.parametrize("place", PLACES)
def test_what_is_taken_is_used(api: Api, place: str, accepted: str) -> None:
    assert api.get(place, headers={"accept-encoding": accepted}).headers["content-encoding"] == "gzip"
