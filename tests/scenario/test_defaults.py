"""A default stands once: in an option object of the core, where the table reads it, or in the table."""

import ast
import importlib
import inspect
import pkgutil
from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from pathlib import Path
from typing import Any

import pytest

import app.core
from app.core import masks, positions, variants
from app.core.layers.layer import LayerForm
from app.core.masks import MaskOptions
from app.core.positions import PositionOptions
from app.core.variants import Form
from app.scenario import table
from app.scenario.sizes import Sizes
from app.scenario.table import SCENARIO_FIELDS

HOMES: dict[type, Any] = {
    MaskOptions: masks.DEFAULT,
    PositionOptions: positions.DEFAULT,
    Form: variants.PLAIN,
    LayerForm: LayerForm(n_heads=1, n_kv_heads=1),
}
MADE_IN_RUN = {"real", "causal", "start", "sink", "top_k"}
"""Options that no field fills by its name: they follow from several, or are an array where the field is a yes."""


def table_defaults() -> dict[str, ast.expr]:
    """How the default of each field is written in the table."""
    tree = ast.parse(Path(table.__file__).read_text("utf-8"))
    scenario = next(node for node in tree.body if isinstance(node, ast.ClassDef) and node.name == "Scenario")
    lines = [node for node in scenario.body if isinstance(node, ast.AnnAssign)]
    return {node.target.id: node.value for node in lines if isinstance(node.target, ast.Name) and node.value}


@pytest.mark.parametrize("home", HOMES)
def test_every_option_of_the_core_is_a_field_or_made_in_run(home: type) -> None:
    assert is_dataclass(home)
    sizes = {field.name for field in fields(Sizes)}
    assert {field.name for field in fields(home)} - SCENARIO_FIELDS.keys() - sizes - MADE_IN_RUN <= {"rope_base"}


@pytest.mark.parametrize("home", HOMES)
def test_the_table_reads_a_default_where_the_core_has_one(home: type) -> None:
    assert is_dataclass(home)
    defaults = table_defaults()
    for name in {field.name for field in fields(home)} & SCENARIO_FIELDS.keys() - MADE_IN_RUN - {"n_heads", "n_kv_heads"}:
        written = defaults[name]
        assert isinstance(written, ast.Attribute), f"{name} has a default of its own in the table"
        assert written.attr == name
        assert SCENARIO_FIELDS[name].default == getattr(HOMES[home], name)


def functions_of_the_core() -> Iterator[Any]:
    for module in pkgutil.walk_packages(app.core.__path__, "app.core."):
        found = importlib.import_module(module.name)
        yield from (item for item in vars(found).values() if inspect.isfunction(item) and item.__module__ == module.name)


def test_no_function_of_the_core_has_a_default_for_what_a_person_chooses() -> None:
    found = [
        f"{function.__module__}.{function.__name__}({name}={parameter.default!r})"
        for function in functions_of_the_core()
        for name, parameter in inspect.signature(function).parameters.items()
        if name in SCENARIO_FIELDS and parameter.default not in (inspect.Parameter.empty, None)
    ]
    assert not found
