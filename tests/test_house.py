"""The house: few rooms, none of them full, and the mathematics stands alone. Import order is a contract in pyproject.toml."""

import ast
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
APP = ROOT / "app"
ENTRIES = 24
MODULES = 15
COLUMNS = 160
SILENT = 20


def modules_of(folder: Path) -> list[str]:
    return [file.name for file in folder.glob("*.py") if file.name != "__init__.py"]


def test_the_top_of_the_house_can_be_read_at_a_glance() -> None:
    entries = [entry.name for entry in APP.iterdir() if entry.name != "__pycache__"]
    assert len(entries) <= ENTRIES, sorted(entries)


@pytest.mark.parametrize("folder", sorted({file.parent for file in APP.rglob("*.py")}), ids=lambda folder: str(folder.name))
def test_no_room_is_full(folder: Path) -> None:
    assert len(modules_of(folder)) <= MODULES


def test_every_room_says_what_it_holds() -> None:
    silent = [str(file.relative_to(ROOT)) for file in APP.rglob("__init__.py") if not file.read_text("utf-8").startswith('"""')]
    assert silent == []


def test_only_the_run_and_the_sheet_read_the_record() -> None:
    readers = {file.relative_to(APP) for file in APP.rglob("*.py") if re.search(r"\.trace\b(?! import)", file.read_text("utf-8"))}
    assert {file.parts[0] for file in readers} - {"core"} == {"run", "sheet"}


def test_the_mathematics_loads_nothing_of_the_web() -> None:
    code = "import sys, pkgutil, importlib, app.core\n"
    code += "for module in pkgutil.walk_packages(app.core.__path__, 'app.core.'): importlib.import_module(module.name)\n"
    code += "print(*{name.partition('.')[0] for name in sys.modules})"
    answer = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    loaded = set(answer.stdout.split())
    assert "numpy" in loaded
    assert not loaded & {"fastapi", "starlette", "pydantic", "jinja2", "plotly", "regex", "babel", "uvicorn"}


def test_the_types_of_every_script_are_checked() -> None:
    scripts = [*(ROOT / "static").rglob("*.js"), *(ROOT / "templates").rglob("*.js")]
    assert scripts
    assert [str(file.relative_to(ROOT)) for file in scripts if not file.read_text("utf-8").startswith("// @ts-check\n")] == []


@pytest.mark.parametrize("folder", ["templates", "static"])
def test_changes_of_a_page_can_be_read_line_by_line(folder: str) -> None:
    files = [file for kind in ("html", "css", "js") for file in (ROOT / folder).rglob(f"*.{kind}")]
    assert files
    lines = {
        f"{file.relative_to(ROOT)}:{at}": line
        for file in files
        for at, line in enumerate(file.read_text("utf-8").splitlines(), 1)
    }
    assert [place for place, line in lines.items() if len(line) > COLUMNS] == []


def documented(whole: bool = True) -> Iterator[tuple[str, str]]:
    """Classes and functions of the program by their place, with their docstring or nothing; all, or those of a module's top."""
    for file in sorted(APP.rglob("*.py")):
        tree = ast.parse(file.read_text("utf-8"))
        for node in ast.walk(tree) if whole else tree.body:
            if isinstance(node, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
                yield f"{file.relative_to(ROOT)}:{node.name}", ast.get_docstring(node) or ""


def test_a_docstring_is_understood_without_the_one_above_it() -> None:
    leaning = [
        place for place, text in documented() if text.startswith(("The same", "Likewise", "Ditto", "As above", "See above"))
    ]
    assert leaning == []


def test_every_class_and_every_function_that_others_call_says_what_it_is() -> None:
    """Functions whose name and signature say it all, such as ``write_row``, are counted, so that they stay few."""
    silent = [place for place, text in documented(whole=False) if not text and ":_" not in place]
    assert [place for place, text in documented() if not text and place.rpartition(":")[2].lstrip("_")[0].isupper()] == []
    assert len(silent) <= SILENT, silent
