"""Arcs: one for each word that is read, also where it counts against the mix."""

from app.drawing.arcs import make_arcs
from tests.support.computing import computed

EDITED = "text=a b c&n_heads=1&edits=weights[0,1,0]=0;weights[0,1,1]=-0.5;weights[0,1,2]=2"


def test_a_negative_weight_has_its_arc_and_a_zero_has_none() -> None:
    arcs = make_arcs(computed(EDITED), "weights", 0, 1)
    assert arcs is not None
    assert [word.weight for word in arcs.words] == ["0", "−0.5", "2"]
    assert [word.unread for word in arcs.words] == [True, False, False]
    assert [width for _, width in arcs.paths] == [5.5, 11.0]
    assert [word.chosen for word in arcs.words] == [False, True, False]


def test_a_question_from_elsewhere_is_a_word_of_its_own() -> None:
    arcs = make_arcs(computed("text=a b&text_k=c d e&n_heads=1"), "weights", 0, 1)
    assert arcs is not None
    assert (arcs.query, [word.text for word in arcs.words]) == ("b", ["c", "d", "e"])
    assert not any(word.chosen for word in arcs.words)
    assert len(arcs.paths) == 3
