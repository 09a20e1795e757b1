"""What every mask, every normalizer and every operation must keep, and what the core may import."""

import ast
import importlib
import inspect
import pkgutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

from app.core import attention as attention_module
from app.core import distances, masks, positions
from app.core.layers import norms
from app.core.masks import MASKS, allowed
from app.core.operations import operation, ops
from app.core.operations import reshape as moves
from app.core.positions import BETWEEN, POSITIONS, Added
from app.core.record.array import Array, apply
from app.core.record.array import given as array_given
from app.core.record.trace import Trace
from tests.core.build import Values
from tests.core.evaluate import calculate, evaluate, spelled_out
from tests.core.examples import EXAMPLES
from tests.core.reference import same

CORE = Path(attention_module.__file__).parent
SIZES = [(3, 3), (3, 7), (7, 3), (1, 1), (1, 5), (5, 1)]


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("name", MASKS)
def test_every_mask_is_boolean_and_has_a_row_for_each_query(name: str, size: tuple[int, int]) -> None:
    mask = allowed(name, *size)
    assert mask.dtype == bool
    assert mask.shape == size
    assert MASKS[name].__doc__


@pytest.mark.parametrize("size", SIZES)
def test_causal_is_the_rule_and_no_more(size: tuple[int, int]) -> None:
    n_q, n_k = size
    expected = [[j <= i + (n_k - n_q) for j in range(n_k)] for i in range(n_q)]
    assert allowed("causal", n_q, n_k).tolist() == expected
    assert allowed("none", n_q, n_k).all()


@pytest.mark.parametrize("name", [name for name, row in POSITIONS.items() if isinstance(row, Added)])
def test_every_position_table_has_a_row_for_each_token(name: str) -> None:
    row = POSITIONS[name]
    assert isinstance(row, Added)
    table = row.make(3, 5)
    assert table.shape == (3, 5)
    assert np.isfinite(table.value).all()
    assert len({tuple(row) for row in table.value}) == 3


@pytest.mark.parametrize("name", attention_module.NORMALIZERS)
def test_every_normalizer_gives_shares_of_one(name: str) -> None:
    scores = np.array([[[1.0, 2.0, -np.inf], [-np.inf] * 3, [4.0, 0.5, 0.5]]])
    before = scores.copy()
    weights = attention_module.NORMALIZERS[name](array_given(scores)).value
    assert (scores == before).all()
    assert np.isfinite(weights).all()
    assert same(weights.sum(axis=-1), [[1, 0, 1]], 1e-15)
    assert weights[0, 0, 2] == 0
    assert weights[0, 0, 1] > weights[0, 0, 0]


@pytest.mark.parametrize("name", attention_module.NORMALIZERS)
@pytest.mark.parametrize("bad", [np.inf, np.nan])
def test_every_normalizer_refuses_what_is_not_a_number(name: str, bad: float) -> None:
    with pytest.raises(ops.NotFinite):
        attention_module.NORMALIZERS[name](array_given([[1.0, bad], [1.0, 2.0]]))


def every_operation() -> set[type[ops.Operation]]:
    """Every operation in the core that is not merely a base for others."""
    found: set[type[ops.Operation]] = set()
    for file in pkgutil.walk_packages([str(CORE)], "app.core."):
        module = importlib.import_module(file.name)
        found |= {value for value in vars(module).values() if isinstance(value, type) and issubclass(value, ops.Operation)}
    return found - {ops.Operation, operation.Source, operation.Linear, operation.Cellwise, moves.Reindex}


def test_every_operation_has_an_example_here() -> None:
    assert {type(operation) for operation, _, _ in EXAMPLES} == every_operation()


def traced(operation: ops.Operation, values: list[Values]) -> tuple[Trace, Array]:
    t = Trace()
    for number, value in enumerate(values):
        setattr(t, f"input_{number}", array_given(value.copy()))
    t.result = apply(operation, *(t[name] for name in list(t)))
    return t, t.result


@pytest.mark.parametrize(("operation", "values", "shape"), EXAMPLES, ids=lambda value: type(value).__name__)
def test_every_operation_keeps_its_promises(operation: ops.Operation, values: list[Values], shape: tuple[int, ...]) -> None:
    t, result = traced(operation, values)
    assert result.shape == shape
    assert type(operation).__doc__
    assert operation.layout in {"product", "map", "join"}
    for number, value in enumerate(values):
        assert (t[f"input_{number}"].value == value).all(), "an operation changed its input"
    other = operation.second_way(*values)
    assert other is None or same(other, result.value, 1e-12)


@pytest.mark.parametrize(("operation", "values", "shape"), EXAMPLES, ids=lambda value: type(value).__name__)
def test_every_operation_explains_every_cell(operation: ops.Operation, values: list[Values], shape: tuple[int, ...]) -> None:
    t, result = traced(operation, values)
    for index in np.ndindex(shape):
        explanation = t.explain("result", index)
        if explanation.tree:
            exact = pytest.approx(result.value[index], rel=1e-12)
            assert evaluate(explanation.tree) == exact
            assert calculate(spelled_out(explanation.parts)) == exact, "brackets are missing"
        if (source := operation.source(index)) is not None:
            assert result.value[index] == values[0][source]
            assert explanation.is_copy


def test_what_an_operation_must_answer_is_asked_for() -> None:
    bare = ops.Operation()
    with pytest.raises(NotImplementedError):
        bare.forward()
    with pytest.raises(NotImplementedError):
        bare.explain([], ())
    with pytest.raises(NotImplementedError):
        bare.gradient([], np.zeros(1), np.zeros(1))
    with pytest.raises(NotImplementedError):
        bare.push([], np.zeros(1), 0, np.zeros(1))
    assert bare.source(()) is None
    assert bare.second_way() is None


def test_the_core_loads_no_web_and_no_charts() -> None:
    modules = ", ".join(file.name for file in pkgutil.walk_packages([str(CORE)], "app.core."))
    script = f"import sys, {modules}; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True, cwd=CORE.parents[1])
    loaded = {name.partition(".")[0] for name in done.stdout.split()}
    assert "numpy" in loaded
    assert not loaded & {"fastapi", "starlette", "pydantic", "jinja2", "plotly", "regex", "sudachipy"}


@pytest.mark.parametrize("path", sorted(CORE.rglob("*.py")), ids=lambda path: path.name)
def test_the_core_imports_numpy_the_standard_library_and_itself(path: Path) -> None:
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0
            names = [node.module or ""]
        else:
            continue
        for name in names:
            top = name.partition(".")[0]
            assert top in sys.stdlib_module_names or top == "numpy" or name == "app.core" or name.startswith("app.core."), name


@pytest.mark.parametrize("path", sorted(CORE.rglob("*.py")), ids=lambda path: path.name)
def test_core_files_stay_short(path: Path) -> None:
    lines = path.read_text("utf-8").splitlines()
    assert len(lines) < 300


def functions_from(module: ModuleType, *parameters: str) -> set[Callable[..., object]]:
    """The public functions of a module whose first parameters have these names."""
    found = [item for name, item in vars(module).items() if inspect.isfunction(item) and not name.startswith("_")]
    here = [item for item in found if item.__module__ == module.__name__]
    return {item for item in here if tuple(inspect.signature(item).parameters)[: len(parameters)] == parameters}


def test_every_mask_norm_and_position_that_is_written_has_its_row() -> None:
    assert functions_from(masks, "n_q", "n_k") == set(MASKS.values())
    assert functions_from(norms, "t", "x", "parameters") == {row.apply for row in norms.NORMS.values()}
    added = {row.make for row in POSITIONS.values() if isinstance(row, Added)}
    assert functions_from(positions, "n", "d_model") == added
    between = {hook for row in BETWEEN.values() for hook in (row.act, row.share, row.newest) if hook is not None}
    asked = {positions.act_between, positions.name_shared, positions.turn_newest, positions.act_on_scores}
    assert functions_from(positions, "t") | functions_from(distances, "t") == between | asked
