"""Strategies for scenarios that can be computed: sentences with awkward words, and vectors given directly."""

from typing import Any

from hypothesis import strategies as st

from tests.support.asking import Json

WORDS = [
    "犬",
    "走る",
    "the",
    "of",
    "a;b",
    "c:d",
    "e,f",
    "g\\h",
    "i&j=k",
    "%41",
    "#l",
    "m+n",
    "<b>",
    "'\"",
    "[0]",
    "👨‍👩‍👧",
    "שלום",
    "／／",
    "\\;",
]
NUMBERS = st.one_of(
    st.integers(-9, 9),
    st.integers(-99, 99).map(lambda tenths: tenths / 10),
    st.sampled_from([-0.0, 1e-7, 123456.789, -1e9, 1e30, -3.4e38, 1e100, 5e-324]),
    st.floats(-1e6, 1e6),
)
SCALES = st.one_of(st.sampled_from(["sqrt", "none", 0, 1, -0.0]), st.floats(-1000, 1000))


def matrix(rows: int, columns: int) -> st.SearchStrategy[Any]:
    row = st.lists(NUMBERS, min_size=columns, max_size=columns)
    return st.lists(row, min_size=rows, max_size=rows)


def names(count: int) -> st.SearchStrategy[list[str]]:
    """Labels with the marks that split them, and with spaces around and inside."""
    letters = st.text(alphabet=" ab;,:\\&%#+=走🏳️", max_size=5).map(lambda middle: f"x{middle}x")
    return st.lists(st.one_of(st.sampled_from(WORDS), letters), min_size=count, max_size=count)


def optional(draw: st.DrawFn, **fields: st.SearchStrategy[Any]) -> Json:
    """Some of the fields."""
    return {name: draw(strategy) for name, strategy in fields.items() if draw(st.booleans())}


@st.composite
def how(draw: st.DrawFn, n_q: int, n_k: int, cells: list[str]) -> Json:
    """Mask, scale, normalizer and edits."""
    bits = st.lists(st.lists(st.integers(0, 1), min_size=n_k, max_size=n_k), min_size=n_q, max_size=n_q)
    edits = st.lists(st.sampled_from(cells), min_size=1, unique=True).map(
        lambda chosen: ";".join(f"{cell}=1.5" for cell in chosen)
    )
    fields = optional(draw, scale=SCALES, normalizer=st.sampled_from(["softmax", "division"]), edits=edits, allow=bits)
    fields |= optional(draw, mask=st.sampled_from(["none", "causal", *(["custom"] if "allow" in fields else [])]))
    return fields


@st.composite
def sentences(draw: st.DrawFn) -> Json:
    words = draw(st.lists(st.sampled_from(WORDS), min_size=1, max_size=4))
    n_heads = draw(st.integers(1, 3))
    d_model = n_heads * draw(st.integers(1, 3))
    table = st.dictionaries(st.sampled_from(WORDS), matrix(1, d_model).map(lambda rows: rows[0]), min_size=1, max_size=3)
    fields: Json = {"text": " ".join(words), "split": "spaces", "d_model": d_model, "n_heads": n_heads}
    fields |= optional(
        draw,
        seed=st.integers(0, 2**32 - 1),
        d_head=st.integers(1, 3),
        n_kv_heads=st.sampled_from([count for count in (1, 2, 3) if n_heads % count == 0]),
        position=st.sampled_from(["none", "sinusoidal"]),
        table=table,
        x=matrix(len(words), d_model),
    )
    cells = ["x[0,0]", "w_q[0,0]", "q[0,0,0]", "scores[0,0,0]", "weights[0,0,0]", "out[0,0]"]
    return fields | draw(how(len(words), len(words), cells))


@st.composite
def vectors(draw: st.DrawFn) -> Json:
    n_q, n_k, d_head, d_v, n_heads = (draw(st.integers(1, 3)) for _ in range(5))
    fields: Json = {
        "q": draw(matrix(n_q, n_heads * d_head)),
        "k": draw(matrix(n_k, n_heads * d_head)),
        "v": draw(matrix(n_k, n_heads * d_v)),
        "n_heads": n_heads,
    }
    labels = {"labels_q": names(n_q), "labels_k": names(n_k), "labels_d": names(d_head), "labels_v": names(d_v)}
    fields |= optional(draw, **labels, w_o=matrix(n_heads * d_v, 2))
    return fields | draw(how(n_q, n_k, ["q[0,0,0]", "k[0,0,0]", "scores[0,0,0]", "z[0,0,0]"]))


scenarios = st.one_of(sentences(), vectors())
