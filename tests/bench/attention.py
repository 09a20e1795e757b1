"""How long a whole trace takes beside PyTorch's multi-head attention, and how much memory it needs.

Run by hand: ``python tests/bench/attention.py``. PyTorch is needed here and nowhere else.
"""

import os
import statistics
import sys
import time
import tracemalloc
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from threadpoolctl import threadpool_limits

sys.path.insert(0, str(Path(__file__).parents[2]))

from app.core import masks
from app.core.attention import attend, combine, project
from app.core.record.array import given, parameter
from app.core.record.trace import Trace

try:
    import torch
except ImportError:
    sys.exit("This benchmark compares with PyTorch: pip install torch (the program itself does not need it).")

SIZES = [(12, 64, 8), (64, 64, 8), (256, 512, 8), (1024, 512, 8)]
"""n, d_model, n_heads."""
SECONDS = 2.0
"""Time for one line of the table."""

Matrix = Any
Inputs = dict[str, Matrix]


def inputs(n: int, d_model: int) -> Inputs:
    """Random float32 vectors and matrices."""
    rng = np.random.default_rng(n)
    shapes = {"x": (n, d_model), **dict.fromkeys(("w_q", "w_k", "w_v", "w_o"), (d_model, d_model))}
    return {name: (rng.normal(size=shape) / d_model**0.25).astype(np.float32) for name, shape in shapes.items()}


def trace(arrays: Inputs, mask: Matrix, heads: int) -> Trace:
    """Every step, recorded and ready to be explained."""
    t = Trace()
    t.x = given(arrays["x"])
    for name in ("w_q", "w_k", "w_v"):
        setattr(t, name, parameter(arrays[name]))
    project(t, t.x, heads, heads)
    attend(t, given(mask))
    combine(t, parameter(arrays["w_o"]))
    t.finish()
    return t


def pytorch(arrays: Inputs, mask: Matrix, heads: int) -> Callable[[], Any]:
    """The same attention in PyTorch, with the weights of each head."""
    module = torch.nn.MultiheadAttention(arrays["x"].shape[1], heads, bias=False, batch_first=True).eval()
    packed = np.concatenate([arrays[name].T for name in ("w_q", "w_k", "w_v")])
    module.in_proj_weight.data = torch.from_numpy(packed)
    module.out_proj.weight.data = torch.from_numpy(arrays["w_o"].T.copy())
    x = torch.from_numpy(arrays["x"])[None]
    hidden = None if mask.all() else torch.zeros(mask.shape).masked_fill(torch.from_numpy(~mask), float("-inf"))

    def call() -> Any:
        with torch.no_grad():
            return module(x, x, x, attn_mask=hidden, need_weights=True, average_attn_weights=False)

    return call


def seconds(call: Callable[[], Any]) -> float:
    start = time.perf_counter()
    call()
    return time.perf_counter() - start


def compare(ours: Callable[[], Any], theirs: Callable[[], Any]) -> tuple[float, float]:
    """The median time of each, turn by turn."""
    times: list[tuple[float, float]] = []
    for _ in range(3):
        ours(), theirs()
    end = time.perf_counter() + SECONDS
    while time.perf_counter() < end:
        times.append((seconds(ours), seconds(theirs)))
    return statistics.median(a for a, _ in times), statistics.median(b for _, b in times)


def buffer(array: Matrix) -> Matrix:
    """The memory behind a view."""
    while isinstance(array.base, np.ndarray):
        array = array.base
    return array


def memory(n: int, d_model: int, heads: int, mask: Matrix) -> float:
    """The peak of a run, inputs included, as a multiple of what is kept."""
    tracemalloc.start()
    arrays, allowed = inputs(n, d_model), mask.copy()
    tracemalloc.reset_peak()
    t = trace(arrays, allowed, heads)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    kept = {id(whole): whole.nbytes for whole in (buffer(t[name].value) for name in t)}
    return float(peak / sum(kept.values()))


def agree(t: Trace, answer: Any) -> None:
    """Both compute the same thing, or the comparison means nothing."""
    out, weights = (part[0].numpy() for part in answer)
    np.testing.assert_allclose(t.out.value, out, rtol=1e-3, atol=1e-4)
    np.testing.assert_allclose(t.weights.value, weights, rtol=1e-3, atol=1e-5)


def main() -> None:
    print({name: os.environ.get(name) for name in ("OPENBLAS_CORETYPE", "OPENBLAS_L2_SIZE")})
    print(f"numpy {np.__version__}, torch {torch.__version__}, float32; times in ms; below 1 is faster than PyTorch")
    print(f"{'n':>5} {'mask':>7} {'threads':>7} {'trace':>9} {'PyTorch':>9} {'time':>6} {'memory':>7}")
    for n, d_model, heads in SIZES:
        arrays = inputs(n, d_model)
        for name in ("none", "causal"):
            mask = masks.allowed(name, n, n)
            theirs = pytorch(arrays, mask, heads)
            agree(trace(arrays, mask, heads), theirs())
            for threads in (1, 2):
                torch.set_num_threads(threads)
                with threadpool_limits(threads, "blas"):
                    ours, other = compare(lambda a=arrays, m=mask, h=heads: trace(a, m, h), theirs)  # type: ignore[misc]
                ratio = memory(n, d_model, heads, mask)
                line = f"{n:>5} {name:>7} {threads:>7} {ours * 1e3:>9.3f} {other * 1e3:>9.3f} {ours / other:>6.2f} {ratio:>7.2f}"
                print(line, flush=True)


if __name__ == "__main__":
    main()
