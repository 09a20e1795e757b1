"""Cross origin: programs of other origins may ask the API and fetch files, pages are read by their own origin alone."""

import pytest

from tests.support.asking import Api

ELSEWHERE = {"Origin": "https://lesson.example"}
OPEN = ["/api/v1/attention?text=a b", "/api/v1/figures/scores?text=a b", "/export.csv?text=a b", "/openapi.json"]


@pytest.mark.parametrize("address", OPEN)
def test_a_program_of_another_origin_may_read_it(api: Api, address: str) -> None:
    answer = api.get(address, headers=ELSEWHERE)
    assert answer.status_code == 200
    assert answer.headers["access-control-allow-origin"] == "*"


def test_what_is_wrong_may_be_read_too(api: Api) -> None:
    answer = api.get("/api/v1/attention?text=a&n_heads=99", headers=ELSEWHERE)
    assert (answer.status_code, answer.headers["access-control-allow-origin"]) == (422, "*")


def test_a_browser_may_ask_beforehand(api: Api) -> None:
    wish = {**ELSEWHERE, "Access-Control-Request-Method": "POST", "Access-Control-Request-Headers": "content-type"}
    answer = api.ask("OPTIONS", "/api/v1/attention", headers=wish)
    assert answer.status_code == 200
    assert "POST" in answer.headers["access-control-allow-methods"]


@pytest.mark.parametrize("address", ["/?text=a b", "/forms", "/worksheet?text=a b"])
def test_a_page_is_not_for_other_origins(api: Api, address: str) -> None:
    assert "access-control-allow-origin" not in api.get(address, headers=ELSEWHERE).headers
