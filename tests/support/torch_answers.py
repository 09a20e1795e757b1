"""What PyTorch itself answers, kept so that the stand-in can be compared with it where PyTorch is not installed.

``python -m tests.support.torch_answers`` writes the file anew; PyTorch is needed for that.
"""

import json
import math
from pathlib import Path
from typing import Any

from tests.support.torch_at_hand import really

KEPT = Path(__file__).parents[1] / "reference" / "torch.json"
GIVEN = """
x = torch.tensor([[1.5, -2.0, 0.25], [0.0, -0.0, 3.5]])
hidden = torch.tensor([[-inf, 1.0, 2.0], [-inf, -inf, -inf]])
heads = torch.arange(24).reshape(2, 3, 4) * 0.5
ties = torch.tensor([[2.0, 1.0, 2.0, 1.0]])
i = torch.tensor([[2, 0], [1, 1]])
yes = torch.tensor([1, 0, 1], dtype=torch.bool)
"""
CASES = """
torch.tensor(1)
torch.tensor(2.5)
torch.tensor([])
torch.tensor([[1, 2], [3, 4.5]])
torch.tensor([True, False])
torch.tensor([1, 0], dtype=torch.bool)
torch.tensor([1, 2], dtype=torch.float64)
torch.tensor([[1, 2], [3]])
torch.tensor("a")
torch.zeros(2, 3)
torch.zeros((2, 3))
torch.zeros(x.shape)
torch.zeros_like(i)
torch.ones((1, 2), dtype=torch.bool)
torch.ones((1, 2), dtype="bool")
torch.full((2, 2), 0.5)
torch.full((2, 2), 7)
torch.full((2, 2), -inf)
torch.eye(3)
torch.arange(4)
torch.arange(4.0)
torch.arange(2, 5)
torch.arange(3)[:, None] / 10.0 ** (2 * torch.arange(2) / 4)
torch.tril(torch.ones((3, 4), dtype=torch.bool), 1)
torch.tril(x)
torch.where(yes, x, -inf)
torch.where(yes, 1.0, 0.0)
torch.where(yes, i[0, 0], 2.5)
torch.where(x, x, 0.0)
torch.where(x > 0, x, 0)
torch.exp(hidden)
torch.expm1(x)
torch.log(x.abs())
torch.sqrt(x)
torch.sin(x)
torch.cos(torch.arange(3))
torch.tanh(x)
torch.exp(2.0)
torch.sigmoid(hidden)
torch.relu(x)
torch.relu(i)
torch.relu2(x)
torch.square_root(x)
torch.round(torch.tensor([0.5, 1.5, -0.5, 2.4]))
torch.round(yes)
torch.isinf(hidden)
torch.nan_to_num(torch.softmax(hidden, dim=-1), nan=0.0)
torch.nan_to_num(hidden, nan=0.0)
torch.softmax(hidden, dim=-1)
torch.softmax(x, dim=0)
torch.softmax(x, axis=7)
torch.softmax(x)
torch.softmax(i, dim=-1)
torch.maximum(x, hidden)
torch.maximum(x, 0.0)
torch.logaddexp(torch.zeros_like(x), x)
torch.logaddexp(hidden, hidden)
torch.cat([x, hidden], dim=-1)
torch.cat([x, hidden], dim=-2)
torch.cat([x, i], dim=-1)
torch.cat([x, i], dim=0)
torch.concat_all([x])
torch.stack([x, hidden], dim=-1)
torch.stack([x, i], dim=-1)
torch.gather(x, -1, i)
torch.gather(x, -1, i * 2)
torch.gather(x, -1, i * 1.0)
torch.sort(-ties, dim=-1, stable=True).indices
torch.sort(ties, dim=-1, stable=True).values
torch.einsum("ij,kj->ik", x, x)
torch.einsum("hij,ijm->him", heads, torch.ones(3, 4, 2))
torch.einsum("ij,kj->ik", x, i)
torch.allclose(x, x + 1e-9, rtol=1e-3, atol=1e-3)
torch.allclose(x, x + 1, rtol=1e-9, atol=1e-9)
torch.allclose(x, i)
torch.nn.functional.silu(x)
torch.nn.functional.gelu(x)
torch.nn.functional.elu(x)
torch.nn.functional.relu_squared(x)
torch.nn.no_such_layer
x + 1
1 + i
i + 0.5
i / 2
2 / i
i // 2
i % 2
i ** 2
2.0 ** x
10000 ** (i / 4)
x ** i[:, :1]
-x
-yes
1 - yes
~yes
~x
yes * x
x - x
x < 0
x <= 0
x > 0
x >= 0
x == -inf
i != 0
x & x
x @ x.swapaxes(-1, -2)
heads @ heads.transpose(1, 2)
x @ torch.arange(6).reshape(3, 2)
x @ x
x @ torch.arange(3).reshape(3) * 1.0
x[0]
x[0, 1]
x[:, None]
x[..., 0::2]
x[..., ::-1]
x[[1, 0]]
x[[]]
x[5]
heads[0, :, [1, 2]]
heads[:, [0, 2], 1, None]
heads[..., i, 0]
heads[1:, :2, 3]
heads[i]
x.reshape(3, 2)
x.reshape(-1)
x.reshape((3, 2))
x.reshape(4, 2)
x.transpose(0, 1)
x.transpose(1, 0)
x.swapaxes(-1, 0)
x.permute(1, 0)
heads.permute(2, 0, 1)
x.repeat_interleave(2, dim=0)
heads.repeat_interleave(3, dim=-1)
x.chunk(2, dim=-1)[0]
x.chunk(2, dim=-1)[1]
heads.chunk(2, dim=-1)[1]
x.expand(4, 2, 3)
x[:, :1].expand(-1, 5)
x.expand(3, 3)
x.clamp(min=1.0)
x.clamp(-1, 1)
i.clamp(0, 1)
i.clamp(min=0.5)
(torch.round(x).clamp(0, 2)).long()
x.abs()
x.sum(dim=-1, keepdim=True)
x.sum(dim=0)
yes.sum(dim=0)
x.sum(dim=-1, keepdims_=True)
heads[:0].sum(dim=0)
x.prod(dim=-1)
x[:0].prod(dim=0)
x.mean(dim=-1, keepdim=True)
i.mean(dim=0)
x.amax(dim=-1, keepdim=True)
x[:0].amax(dim=0)
x.maxi(dim=-1)
x.clone()
x.relu2()
torch.zeros(x.shape).scatter(-1, i, 1.0)
torch.zeros(2, 2).scatter(-1, i, 1.0)
len(x)
bool(x[0, 0] > 0)
bool(x)
torch.tensor(3) + x
torch.float64
set_(x.clone(), 0.5, 1)
set_(x.clone(), 0.5, (0, 1))
set_(x.clone(), x[1], 0)
set_(heads.clone(), x[0, 0], (0, [1, 2], 3))
set_(i.clone(), 2.7, (0, 0))
set_(x, 9.0, 0)
add_(heads.clone(), x[0], ([0, 1], 0, slice(1, 4)))
added(x)
"""


def set_(tensor: Any, value: Any, key: Any) -> Any:
    tensor[key] = value
    return tensor


def add_(tensor: Any, value: Any, key: Any) -> Any:
    tensor[key] += value
    return tensor


def added(tensor: Any) -> Any:
    """What stands in a tensor after something was added to a part of it under another name."""
    part = tensor[1]
    part += 1
    return tensor


def cases() -> list[str]:
    return CASES.split("\n")[1:-1]


def answer(torch: Any, case: str) -> dict[str, Any]:
    """What a line of code gives: type, shape and numbers, or that it is an error."""
    known = {"torch": torch, "inf": math.inf, "set_": set_, "add_": add_, "added": added}
    torch.set_default_dtype(torch.float64)
    exec(GIVEN, known)
    try:
        found = eval(case, known)
    except (TypeError, ValueError, RuntimeError, IndexError, AttributeError):
        return {"error": True}
    if not hasattr(found, "tolist"):
        return {"plain": str(found).removeprefix("torch.")}
    numbers = [str(float(number)) for number in found.reshape(-1).tolist()]
    return {"type": str(found.dtype).removeprefix("torch."), "shape": list(found.shape), "numbers": numbers}


def read() -> dict[str, dict[str, Any]]:
    kept: dict[str, dict[str, Any]] = json.loads(KEPT.read_text("utf-8"))
    return kept


if __name__ == "__main__":
    with really() as torch:
        lines = [f"{json.dumps(case)}: {json.dumps(answer(torch, case))}" for case in cases()]
    KEPT.write_text("{\n" + ",\n".join(lines) + "\n}\n", "utf-8")
