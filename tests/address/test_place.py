"""The place: going from step to step keeps the words and the head that are looked at."""

import pytest

from app.address.presentation import Presentation, find_place
from tests.support.computing import computed

SHARED = "text=the dog runs&d_model=8&n_heads=4&n_kv_heads=2&mask=causal"


@pytest.mark.parametrize(
    ("cell", "at", "index"),
    [
        ("k[1,1,0]", "scores", (2, 1, 1)),  # key/value head 2 serves query heads 3 and 4
        ("k[0,2,1]", "scores", (0, 2, 2)),
        ("scores[3,2,1]", "k", (1, 1, 0)),
        ("scores[1,2,1]", "k", (0, 1, 0)),
        ("scores[3,2,1]", "weights", (3, 2, 1)),
        ("q[2,1,1]", "k", (1, 0, 1)),
        ("scores[3,1,0]", "out", (1, 0)),
    ],
)
def test_the_head_and_the_words_are_kept(cell: str, at: str, index: tuple[int, ...]) -> None:
    run = computed(SHARED + "&edits=weights[2,1,0]=0.9;weights[2,1,1]=0.1")
    place = find_place(run, Presentation.of(at=at, cell=cell))
    assert (place.step, place.index) == (at, index)


def test_without_a_cell_the_last_word_is_looked_at_with_the_key_it_reads_most() -> None:
    run = computed(SHARED)
    most = int(run.trace.weights.value[0, 2].argmax())
    assert find_place(run, Presentation.of(at="scores")).index == (0, 2, most)
    assert find_place(run, Presentation.of(at="scores", head="3")).index[0] == 3


def test_what_is_not_there_falls_back_to_a_step_of_the_same_kind() -> None:
    run = computed("text=a b&n_layers=1")
    assert find_place(run, Presentation.of(at="layer.7.weights")).step == "layer.0.weights"
    assert find_place(run, Presentation.of(at="nonsense")).step == "layer.0.scores"
