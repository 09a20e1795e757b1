"""Changes: what stood in a cell before an edit, for the cells that are another number now."""

from app.sheet.changes import find_changes
from tests.support.computing import computed


def test_only_a_cell_that_is_another_number_now_says_what_it_was() -> None:
    changes = find_changes(computed("x=1,2;3,4&n_heads=1&w_q=identity&w_k=identity&edits=q[0,0,0]=5"))
    assert changes.was("q", (0, 0, 0)) == "1"
    assert changes.was("q", (0, 0, 1)) == ""  # in the step that was edited, but the same number
    assert changes.was("scores", (0, 0, 1)) == "11"
    assert changes.was("scores", (0, 1, 1)) == ""  # the row of the other word
    assert changes.was("k", (0, 0, 0)) == ""


def test_without_edits_nothing_has_changed() -> None:
    changes = find_changes(computed("text=a b"))
    assert (changes.before, changes.now) == ({}, {})
