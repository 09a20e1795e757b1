"""Induction: does a head look at what came after the earlier copy of its word?"""

from collections.abc import Sequence

import numpy as np

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


def induction_scores(weights: Values, words: Sequence[str], seen: Values | None = None) -> list[float] | None:
    """For each head, the mean weight on the targets: 1 is a pure induction head. None where no target can be seen.

    Shapes: weights (n_heads, n, n), one word a row and column; seen (n, n), True where a query may see a key.
    """
    pairs = visible_targets(words, seen)
    if not pairs:
        return None
    return [float(sum(head[query, key] for query, key in pairs.items()) / len(pairs)) for head in weights]


def evenly_shared(words: Sequence[str], seen: Values) -> float:
    """The mean weight on the targets if every query took the same from each key that it may see: what chance would give.

    Shapes: seen (n, n). Errors: ZeroDivisionError where no target can be seen.
    """
    pairs = visible_targets(words, seen)
    return float(sum(1 / np.count_nonzero(seen[query]) for query in pairs) / len(pairs))


def visible_targets(words: Sequence[str], seen: Values | None) -> dict[int, int]:
    """The targets that their queries may see. Shapes: seen (n, n); None: all."""
    return {query: key for query, key in targets(words).items() if seen is None or seen[query, key]}
