"""What the page shows is pinned: every field of the view of every step of every form."""

import dataclasses

from tests.sheet.views import differences, digest, digests, read, views


def test_no_view_of_any_form_has_changed_unseen() -> None:
    found = differences(read(), digests())
    advice = "look at each, then run: python -m tests.sheet.views"
    assert not found, "\n".join([f"{len(found)} views differ; {advice}", *found[:40]])


def test_the_digest_of_a_view_notices_one_changed_word() -> None:
    _, view = next(views())
    changed = dataclasses.replace(view, step=dataclasses.replace(view.step, part=f"{view.step.part}."))
    assert digest(view) != digest(changed)


def test_a_view_that_differs_is_named_with_its_fields() -> None:
    kept = {"causal/mask": {"step.shape": "aa", "step.part": "bb"}, "none/q": {"step.shape": "cc", "step.part": "dd"}}
    found = {"causal/mask": {"step.shape": "aa", "step.part": "ee"}, "none/k": {"step.shape": "cc", "step.part": "dd"}}
    assert differences(kept, found) == ["none/q: gone", "none/k: new", "causal/mask: step.part"]
