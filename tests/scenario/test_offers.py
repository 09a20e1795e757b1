"""Where a choice is impossible, the nearest possible one is offered, and it works."""

import pytest

from tests.support.asking import ATTENTION, Api, good, wrong

IMPOSSIBLE = [  # query, what is offered
    ("text=a b&d_model=6&n_heads=4", {"n_heads": "3"}),
    ("text=a b&n_heads=4&n_kv_heads=3", {"n_kv_heads": "2"}),
    ("text=a b&position=rope&d_model=6&n_heads=2", {"d_head": "4"}),
    ("text=a b c&position=learned&max_positions=2", {"max_positions": "3"}),
    ("text=a b&n_layers=1&n_experts=2&top_k=3", {"top_k": "2"}),
    ("text=a b&mechanism=cached", {"mask": "causal"}),
    ("text=a b c&mechanism=linear&linear_form=recurrent&mask=block", {"linear_form": "quadratic"}),
    ("text=a b&mechanism=tiled&position=rope", {"position": "sinusoidal"}),
]


@pytest.mark.parametrize(("query", "offer"), IMPOSSIBLE)
def test_the_offer_is_the_nearest_possible_choice(api: Api, query: str, offer: dict[str, str]) -> None:
    [error] = wrong(api.get(ATTENTION, query))["errors"]
    assert error["offer"] == offer
    kept = [field for field in query.split("&") if field.partition("=")[0] not in offer]
    assert good(api.get(ATTENTION, "&".join([*kept, *(f"{name}={value}" for name, value in offer.items())])))["steps"]


def test_the_offer_stands_beside_the_control(api: Api) -> None:
    page = api.get("/", "text=a b&d_model=6&n_heads=4&lang=en")
    assert page.status_code == 422
    assert (
        '<button type="button" class="offer" data-scripted data-offer="n_heads" value="3">Use n_heads = 3</button>' in page.text
    )


def test_where_nothing_is_near_nothing_is_offered(api: Api) -> None:
    [error] = wrong(api.get(ATTENTION, "text=a&w_q=1,2;3"))["errors"]
    assert "offer" not in error
