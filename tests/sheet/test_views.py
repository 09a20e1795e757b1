"""What the page shows is pinned: every field of the view of every step of every form."""

import dataclasses

from tests.sheet.views import differences, digest, digests, read, views


def test_no_view_of_any_form_has_changed_unseen() -> None:
    found = differences(read(), digests())
    advice = "look at each, then run: python -m tests.sheet.views"
    assert not found, "\n".join([f"{len(found)} views differ; {advice}", *found[:40]])


def test_the_digest_of_a_view_notices_one_changed_word() -> None:
    _, view = next(views())
    changed = dataclasses.replace(view, part=f"{view.part}.")
    assert digest(view) != digest(changed)


def test_a_view_that_differs_is_named_with_its_fields() -> None:
    kept = {"causal/mask": {"shape": "aa", "part": "bb"}, "none/q": {"shape": "cc", "part": "dd"}}
    found = {"causal/mask": {"shape": "aa", "part": "ee"}, "none/k": {"shape": "cc", "part": "dd"}}
    assert differences(kept, found) == ["none/q: gone", "none/k: new", "causal/mask: part"]
