"""Looking: the order in which a run is read, and the head and the word that a place in it is about."""

from app.core.heads import readers_of
from app.core.operations.explain import Index
from app.drawing.space import has_space
from app.glossary import SPACE, TOKENS
from app.language.words import Words
from app.run.run import Run
from app.sheet.cells import Place, reference
from app.sheet.labels import axes_of, lead_of


def head_and_query(run: Run, place: Place) -> tuple[int, int]:
    """The query head and the query word that a place is about."""
    if place.step not in run.steps:
        return 0, min(place.index[0], run.sizes.n_q - 1)
    found = dict(zip(axes_of(run, place.step), place.index, strict=True))
    first = readers_of(found.get("kv_head", 0), run.sizes.n_heads, run.sizes.n_kv_heads)[0]
    head = min(found.get("head", first), run.sizes.n_heads - 1)
    query = found.get("query", found.get("token", found.get("key", run.sizes.n_q - 1)))
    return head, min(query, run.sizes.n_q - 1)


def head_tabs(run: Run, place: Place, words: Words) -> list[tuple[str, str]]:
    """The tabs of heads or channels: name, and the cell that shows the same place there."""
    if place.step not in run.steps or len(run.shape(place.step)) != 3 or run.shape(place.step)[0] == 1:
        return []
    kind = lead_of(place.step)
    return [
        (words(f"cell.{kind}_title", head=head + 1), reference(place.step, (head, *place.index[1:])))
        for head in range(run.shape(place.step)[0])
    ]


def cell_about(run: Run, place: Place, word: int) -> str:
    """The cell of the present step that is about a word; where the step has none, the word's vector."""
    moved = _moved(run, place, word) if place.step in run.steps else None
    return reference(place.step, moved) if moved else reference("x", (word, 0))


def _moved(run: Run, place: Place, word: int) -> Index | None:
    axes = axes_of(run, place.step)
    along = next((axis for axis in ("query", "token", "key") if axis in axes), None)
    if not along or word >= run.shape(place.step)[axes.index(along)]:
        return None
    return tuple(word if axis == along else old for axis, old in zip(axes, place.index, strict=True))


def stops_of(run: Run, *, space: bool) -> list[str]:
    """What is gone through, in this order: the sentence where there is one, every step, and the words as points if wished."""
    return [*([TOKENS] if run.tokens else []), *run.steps, *([SPACE] if space and has_space(run) else [])]
