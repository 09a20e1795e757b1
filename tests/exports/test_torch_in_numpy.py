"""The stand-in for PyTorch answers as PyTorch does, or refuses; and what is kept of PyTorch is what PyTorch says."""

import sys
from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Any

import numpy as np
import pytest

from tests.support.torch_answers import answer, cases, read
from tests.support.torch_at_hand import REAL, really, standing_in

Library = Callable[[], AbstractContextManager[Any]]
LIBRARIES: list[Library] = [standing_in, *([really] if REAL else [])]


def agree(kept: dict[str, Any], found: dict[str, Any]) -> bool:
    if "numbers" not in kept or "numbers" not in found:
        return kept == found
    left, right = (np.array([float(number) for number in each["numbers"]]) for each in (kept, found))
    alike = (kept["type"], kept["shape"]) == (found["type"], found["shape"])
    return alike and np.allclose(left, right, rtol=1e-14, atol=1e-15, equal_nan=True)


@pytest.mark.parametrize("library", LIBRARIES)
def test_it_answers_as_pytorch_did(library: Library) -> None:
    kept = read()
    assert list(kept) == cases()
    with library() as torch:
        found = {case: answer(torch, case) for case in kept}
    assert {case: each for case, each in found.items() if not agree(kept[case], each)} == {}


@pytest.mark.parametrize("library", LIBRARIES)
def test_a_program_that_does_not_ask_for_64_bits_gets_32(library: Library) -> None:
    with library() as torch:
        third = (torch.tensor([1.0]) / 3 + torch.arange(1) / 2).tolist()[0]
    assert third == float(np.float32(1) / np.float32(3))


@pytest.mark.parametrize("code", ["torch.relu2(x)", "torch.nn.functional.relu2(x)", "torch.nn.Relu2()", "x.relu2()"])
def test_what_it_does_not_have_is_named(code: str) -> None:
    with standing_in() as torch, pytest.raises(AttributeError, match=r"stand-in for PyTorch has no .*elu2"):
        eval(code, {"torch": torch, "x": torch.tensor([1.0])})


def test_it_is_called_torch_only_while_it_is_needed() -> None:
    before = sys.modules.get("torch")
    with standing_in() as torch:
        assert sys.modules["torch"] is torch is not before
    assert sys.modules.get("torch") is before
