"""Linear attention: without softmax the keys and values can be summed up before the query comes."""

from collections.abc import Callable

import numpy as np

from app.core.heads import share_heads
from app.core.masks import causal
from app.core.operations.ops import Values
from app.core.record.array import Array, given, join_rows
from app.core.record.trace import Trace


class OneState(ValueError):
    """A mask that one growing state cannot follow."""


@np.errstate(over="ignore", invalid="ignore")  # what is too large is refused where it is divided
def linear_attention(t: Trace, mask: Array, form: str) -> None:
    """Attention with similarities φ(q)·φ(k) in place of e^score, in one of its two forms.

    Shapes: q (n_heads, n_q, d_head), k (n_kv_heads, n_k, d_head), v (n_kv_heads, n_k, d_v), mask (n_q, n_k)
    -> phi_q and phi_k like q and k, z (n_heads, n_q, d_v).
    Errors: OneState where the recurrent form meets a mask other than none and causal; NotFinite where a sum overflows.
    Source: Katharopoulos et al. 2020, section 3.2; φ(x) = elu(x) + 1: section 3.2.1, equation 7.
    """
    t.phi_q = t.q.function("elu1")
    t.phi_k = t.k.function("elu1")
    FORMS[form](t, mask)


def quadratic(t: Trace, mask: Array) -> None:
    """Every query meets every key, as in plain attention: the work grows with the square of the length.

    Shapes: phi_q (n_heads, n_q, d_head), phi_k (n_kv_heads, n_k, d_head), v (n_kv_heads, n_k, d_v), mask (n_q, n_k)
    -> similarities, kept, weights (n_heads, n_q, n_k), row_sum (n_heads, n_q, 1), z (n_heads, n_q, d_v).
    Source: Katharopoulos et al. 2020, section 3.2, equation 4.
    """
    n_heads = t.phi_q.shape[0]
    t.similarities = t.phi_q @ share_heads(t.phi_k, n_heads).T
    t.mask = mask
    t.kept = t.similarities.where(t.mask, 0)
    t.row_sum = t.kept.row("sum")
    t.weights = t.kept.ratio(t.row_sum)
    t.z = t.weights @ share_heads(t.v, n_heads)


def recurrent(t: Trace, mask: Array) -> None:
    """Token by token every key leaves its value in one state of fixed size; a query reads the state, never the keys.

    Without a mask all queries read the last state; under the causal mask each reads the state of its own moment.
    Shapes: phi_q (n_heads, n_q, d_head), phi_k (n_kv_heads, n_k, d_head), v (n_kv_heads, n_k, d_v)
    -> parts start, token.<t>, z (n_heads, n_q, d_v).
    Errors: OneState for a mask other than none and causal, or causal with more queries than keys.
    Source: Katharopoulos et al. 2020, section 3.4, equations 16 to 20.
    """
    one_by_one = reads_its_own_moment(mask.value)
    (n_q, n_k), answers = mask.shape, []
    memory = nothing_remembered(t.part("start"), t.phi_k, t.v)
    for token in range(n_k):
        before, memory = memory, t.part(f"token.{token}")
        remember(memory, before, t.phi_k.at_row(token), t.v.at_row(token))
        query = token - (n_k - n_q)  # the queries are the last tokens
        if one_by_one and query >= 0:
            answers.append(recall(memory, memory, t.phi_q.at_row(query)))
    t.z = join_rows(*answers or [recall(t.part("end"), memory, t.phi_q)])


def nothing_remembered(memory: Trace, phi_k: Array, v: Array) -> Trace:
    """Before the first token the state is empty. Shapes: state (n_kv_heads, d_head, d_v), key_sum (n_kv_heads, 1, d_head)."""
    n_kv_heads, _, d_head = phi_k.shape
    memory.state = given(np.zeros((n_kv_heads, d_head, v.shape[-1]), v.value.dtype))
    memory.key_sum = given(np.zeros((n_kv_heads, 1, d_head), v.value.dtype))
    return memory


def remember(memory: Trace, before: Trace, phi_k: Array, v: Array) -> None:
    """Add what one token says: its key times its value, and its key alone for the row sums.

    Shapes: phi_k (n_kv_heads, 1, d_head), v (n_kv_heads, 1, d_v)
    -> added, state (n_kv_heads, d_head, d_v), key_sum (n_kv_heads, 1, d_head).
    Source: Katharopoulos et al. 2020, equations 18 and 19.
    """
    memory.added = phi_k.T @ v
    memory.state = before.state + memory.added
    memory.key_sum = before.key_sum + phi_k


def recall(answer: Trace, memory: Trace, phi_q: Array) -> Array:
    """Read the state with a query, and divide by what the weights add up to.

    Shapes: phi_q (n_heads, rows, d_head) -> numerator, z (n_heads, rows, d_v), denominator (n_heads, rows, 1).
    Source: Katharopoulos et al. 2020, equation 20.
    """
    n_heads = phi_q.shape[0]
    answer.numerator = phi_q @ share_heads(memory.state, n_heads)
    answer.denominator = phi_q @ share_heads(memory.key_sum, n_heads).T
    answer.z = answer.numerator.ratio(answer.denominator)
    return answer.z


def reads_its_own_moment(mask: Values) -> bool:
    """True for the causal mask, False for none. Errors: OneState for every other mask."""
    if mask.all():
        return False
    if not np.array_equal(mask.astype(bool), causal(*mask.shape)) or mask.shape[0] > mask.shape[1]:
        raise OneState("the recurrent form knows two masks only: none, and causal")
    return True


FORMS: dict[str, Callable[[Trace, Array], None]] = {"quadratic": quadratic, "recurrent": recurrent}


def difference_of_forms(t: Trace, mask: Array) -> float | None:
    """The largest difference between z and the z of the other form; None where the mask leaves no other form."""
    other = Trace()
    other.q, other.k, other.v = given(t.q.value), given(t.k.value), given(t.v.value)
    try:
        linear_attention(other, given(mask.value), "recurrent" if "similarities" in t else "quadratic")
    except OneState:
        return None
    return float(np.abs(other.z.value - t.z.value).max(initial=0))
