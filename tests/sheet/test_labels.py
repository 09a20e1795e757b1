"""Labels: every row and column is named by what it is about."""

import pytest

from app.language.words import words_of
from app.sheet.labels import labels_of, part_title, shape_of
from tests.support.computing import computed

WORDS = ["the", "dog", "runs"]
SHARED = "text=the dog runs&d_model=8&n_heads=4&n_kv_heads=2"


@pytest.mark.parametrize(
    ("step", "columns"),
    [
        ("w_q", ["1.1", "1.2", "2.1", "2.2", "3.1", "3.2", "4.1", "4.2"]),
        ("w_k", ["1.1", "1.2", "2.1", "2.2"]),
        ("w_v", ["1.1", "1.2", "2.1", "2.2"]),
        ("concat", ["1.1", "1.2", "2.1", "2.2", "3.1", "3.2", "4.1", "4.2"]),
        ("k", ["1", "2"]),
        ("scores", WORDS),
    ],
)
def test_columns_are_numbered_by_the_heads_that_there_are(step: str, columns: list[str]) -> None:
    assert labels_of(computed(SHARED), step)[-1] == columns


def test_heads_are_numbered_from_1_and_distances_from_0() -> None:
    assert labels_of(computed(SHARED), "k")[0] == ["1", "2"]
    assert labels_of(computed("text=a b&position=relative&max_distance=1"), "rel_k")[0] == ["0", "1", "2"]


def test_a_tile_names_only_its_own_words() -> None:
    run = computed("text=the dog runs&mechanism=tiled&tile_q=2&tile_k=1")
    assert labels_of(run, "tile.0.1.scores")[1:] == [["the", "dog"], ["dog"]]
    assert labels_of(run, "tile.1.2.scores")[1:] == [["runs"], ["runs"]]
    assert part_title(run, "tile.1.2", words_of("en")) == "Tile 2·3"


def test_a_shape_says_what_it_counts() -> None:
    assert shape_of(computed(SHARED), "scores", words_of("en")) == "head 4 × query 3 × key 3"
