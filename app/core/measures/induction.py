"""Induction: does a head look at what came after the earlier copy of its word?"""

from collections.abc import Sequence

from app.core.operations.ops import Values


def targets(words: Sequence[str]) -> dict[int, int]:
    """For each query whose word stood before: the key right after that last earlier copy.

    Source: Elhage et al. 2021, "Induction heads"; Olsson et al. 2022, definition of the prefix-matching score.
    """
    last: dict[str, int] = {}
    found = {}
    for place, word in enumerate(words):
        if word in last:
            found[place] = last[word] + 1
        last[word] = place
    return found


def induction_scores(weights: Values, words: Sequence[str]) -> list[float] | None:
    """For each head, the mean weight on the targets: 1 is a pure induction head. None where no word comes twice.

    Shapes: weights (n_heads, n, n), one word a row and column.
    """
    pairs = targets(words)
    if not pairs:
        return None
    return [float(sum(head[query, key] for query, key in pairs.items()) / len(pairs)) for head in weights]
