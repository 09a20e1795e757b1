"""Imports point one way: every module imports only from the layers before its own."""

import ast
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

APP = Path(__file__).parents[1] / "app"
LAYERS = [
    "limits", "errors", "core", "text", "language", "glossary", "scenario", "run", "sheet", "drawing", "address", "web",
    "exports", "api", "pages", "main", "__main__",
]  # fmt: skip
"""From the mathematics to the command line; most are folders."""


def layer_of(module: str) -> str:
    """``app.core.ops`` is in the layer ``core``."""
    return module.split(".")[1]


def modules() -> Iterator[tuple[str, ast.Module]]:
    for file in sorted(APP.rglob("*.py")):
        parts = file.relative_to(APP.parent).with_suffix("").parts
        name = ".".join(part for part in parts if part != "__init__")
        if name != "app":
            yield name, ast.parse(file.read_text("utf-8"))


def imported(tree: ast.Module) -> Iterator[str]:
    """The modules that are imported, ``from app import limits`` counted as ``app.limits``."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, "imports are written in full"
            module = node.module or ""
            yield from (f"{module}.{alias.name}" for alias in node.names) if module == "app" else [module]


def wrong(name: str, tree: ast.Module) -> list[str]:
    """The imports of a module that point the wrong way."""
    place = LAYERS.index(layer_of(name))
    ours = [module for module in imported(tree) if module.split(".")[0] == "app"]
    return [module for module in ours if layer_of(module) != layer_of(name) and LAYERS.index(layer_of(module)) >= place]


@pytest.mark.parametrize(("name", "tree"), list(modules()), ids=[name for name, _ in modules()])
def test_a_module_imports_only_from_layers_before_its_own(name: str, tree: ast.Module) -> None:
    assert wrong(name, tree) == []


def test_every_layer_is_there() -> None:
    assert {layer_of(name) for name, _ in modules()} == set(LAYERS)
    assert len(LAYERS) == len(set(LAYERS))


def test_an_import_the_wrong_way_would_be_noticed() -> None:
    assert wrong("app.core.operations.ops", ast.parse("from app.sheet import Sheet")) == ["app.sheet"]
    assert wrong("app.sheet.steps", ast.parse("def later():\n    from app import pages")) == ["app.pages"]
    assert wrong("app.sheet.steps", ast.parse("import app.run\nfrom app.core import ops\nimport json")) == []


@pytest.mark.parametrize(("name", "tree"), [module for module in modules() if layer_of(module[0]) == "core"])
def test_the_mathematics_needs_numpy_and_the_standard_library_only(name: str, tree: ast.Module) -> None:
    roots = {module.split(".")[0] for module in imported(tree)}
    assert roots - set(sys.stdlib_module_names) <= {"numpy", "app"}


@pytest.mark.parametrize(
    ("package", "layers"),
    [
        ("fastapi", {"main", "api", "pages", "web"}),
        ("starlette", {"main", "api", "pages", "web"}),
        ("isal", {"web"}),
        ("jinja2", {"web"}),
        ("plotly", {"web"}),
        ("pydantic", {"scenario", "api"}),
        ("sudachipy", {"text"}),
        ("uvicorn", {"__main__", "web"}),
        ("segno", {"web"}),
    ],
)
def test_a_package_is_known_only_where_it_is_needed(package: str, layers: set[str]) -> None:
    users = {layer_of(name) for name, tree in modules() if package in {module.split(".")[0] for module in imported(tree)}}
    assert users <= layers
    assert users
