"""The sizes of a scenario: what was given, and what follows where nothing was."""

from dataclasses import dataclass

from app import limits
from app.errors import refuse
from app.scenario.notation import Matrix
from app.scenario.table import Scenario

D_MODEL = 4
N_HEADS = 2


@dataclass(frozen=True, slots=True)
class Sizes:
    """All widths and counts. ``d_*`` is a width, ``n_*`` a count."""

    n_q: int
    n_k: int
    d_model: int
    n_heads: int
    n_kv_heads: int
    d_head: int
    d_v: int


def sizes_from_sentence(scenario: Scenario, n_q: int, n_k: int) -> Sizes:
    """Sizes where tokens, or the rows of x, are queries and keys alike. Errors: Refusal naming the field."""
    d_model = scenario.d_model or _default_d_model(scenario)
    if d_model > limits.D_MODEL:
        raise refuse("x" if scenario.x else "table", "matrix_too_large", limit=limits.D_MODEL)
    n_heads = scenario.n_heads or _default_heads(scenario, d_model)
    if scenario.d_head is None and d_model % n_heads:
        raise refuse(
            "n_heads", "heads_divide", offer=("n_heads", _nearest_divisor(d_model, n_heads)), n_heads=n_heads, d_model=d_model
        )
    d_head = scenario.d_head or d_model // n_heads
    return _checked(Sizes(n_q, n_k, d_model, n_heads, _kv_heads(scenario, n_heads), d_head, d_head), "x", "d_head")


@dataclass(frozen=True, slots=True)
class Vectors:
    """Queries, keys and values that are given directly, their heads side by side."""

    q: Matrix
    k: Matrix
    v: Matrix


def sizes_from_vectors(scenario: Scenario, vectors: Vectors) -> Sizes:
    """Sizes where q, k and v are given: each is as wide as its heads together. Errors: Refusal naming the field."""
    n_heads = scenario.n_heads or 1
    n_kv_heads = _kv_heads(scenario, n_heads)
    d_head = _per_head("q", len(vectors.q[0]), "n_heads", n_heads)
    d_v = _per_head("v", len(vectors.v[0]), "n_kv_heads", n_kv_heads)
    for name, width in (("d_model", n_heads * d_head), ("d_head", d_head)):
        if getattr(scenario, name) not in (None, width):
            raise refuse(name, "follows_from_q", given=getattr(scenario, name), width=width)
    sizes = Sizes(len(vectors.q), len(vectors.k), n_heads * d_head, n_heads, n_kv_heads, d_head, d_v)
    return _checked(sizes, "q" if sizes.n_q > limits.TOKENS else "k", "v")


def implied(scenario: Scenario, sizes: Sizes) -> list[str]:
    """The size fields that were given but say only what would have followed anyway."""
    names: list[str] = []
    for name in ("d_head", "n_kv_heads", "n_heads", "d_model"):
        if getattr(scenario, name) is None:
            continue
        rest = scenario.without([*names, name])
        if _same(rest, sizes):
            names.append(name)
    return names


def _same(scenario: Scenario, sizes: Sizes) -> bool:
    d_model = scenario.d_model or _default_d_model(scenario)
    n_heads = scenario.n_heads or (1 if scenario.q else _default_heads(scenario, d_model))
    d_head = scenario.d_head or (sizes.d_head if scenario.q else d_model // n_heads if d_model % n_heads == 0 else 0)
    found = (d_model if not scenario.q else sizes.d_model, n_heads, scenario.n_kv_heads or n_heads, d_head)
    return found == (sizes.d_model, sizes.n_heads, sizes.n_kv_heads, sizes.d_head)


def _default_d_model(scenario: Scenario) -> int:
    if scenario.x:
        return len(scenario.x[0])
    if scenario.table:
        return len(next(iter(scenario.table.values())))
    return D_MODEL


def _default_heads(scenario: Scenario, d_model: int) -> int:
    """Two heads, or one where two do not fit."""
    return N_HEADS if scenario.d_head or d_model % N_HEADS == 0 else 1


def _kv_heads(scenario: Scenario, n_heads: int) -> int:
    n_kv_heads = scenario.n_kv_heads or n_heads
    if n_heads % n_kv_heads:
        raise refuse(
            "n_kv_heads",
            "kv_heads_divide",
            offer=("n_kv_heads", _nearest_divisor(n_heads, n_kv_heads)),
            n_kv_heads=n_kv_heads,
            n_heads=n_heads,
        )
    return n_kv_heads


def _nearest_divisor(width: int, wanted: int) -> int:
    """The divisor of a width that is nearest to a number; the smaller of two."""
    divisors = [count for count in range(1, min(width, limits.HEADS) + 1) if width % count == 0]
    return min(divisors, key=lambda count: abs(count - wanted))


def _per_head(name: str, width: int, heads: str, count: int) -> int:
    if width % count:
        raise refuse(name, "width_divides", width=width, heads=heads, count=count)
    return width // count


def _checked(sizes: Sizes, rows: str, width_of: str) -> Sizes:
    """The sizes, where they are within bounds. ``rows`` and ``width_of`` are the fields to name where they are not."""
    if (count := max(sizes.n_q, sizes.n_k)) > limits.TOKENS:
        raise refuse(rows, "tokens_many", count=count, limit=limits.TOKENS)
    if (width := sizes.n_heads * max(sizes.d_head, sizes.d_v)) > limits.WIDTH:
        raise refuse(width_of, "width_large", width=width, limit=limits.WIDTH)
    if (cells := sizes.n_heads * sizes.n_q * sizes.n_k) > limits.SCORES:
        raise refuse("n_heads", "scores_many", cells=cells, limit=limits.SCORES)
    return sizes
