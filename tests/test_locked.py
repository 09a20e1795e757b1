"""The lists of packages: every one pinned and hashed, none from a named registry, all within what pyproject.toml allows."""

import re
import tomllib
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
NEEDED = {"run": PROJECT["dependencies"], "test": [*PROJECT["dependencies"], *PROJECT["optional-dependencies"]["test"]]}


def pinned(name: str) -> dict[str, str]:
    """The packages of a list with their versions."""
    text = (ROOT / "app" / "locked" / f"{name}.txt").read_text("utf-8")
    entries = re.findall(r"^([a-z0-9][\w.-]*)==(\S+)(?: ; [^\\]*)? \\\n((?: +--hash=sha256:[0-9a-f]{64}(?: \\)?\n)+)", text, re.M)
    lines = [line for line in text.splitlines() if line and not line.startswith((" ", "#"))]
    assert len(entries) == len(lines), "every package is pinned and has hashes"
    return {canonicalize_name(package): version for package, version, _ in entries}


@pytest.mark.parametrize("name", NEEDED)
def test_what_is_installed_is_what_the_project_asks_for(name: str) -> None:
    versions = pinned(name)
    for text in NEEDED[name]:
        requirement = Requirement(text)
        assert requirement.specifier.contains(versions[canonicalize_name(requirement.name)]), text


@pytest.mark.parametrize("name", NEEDED)
def test_a_list_names_no_registry(name: str) -> None:
    text = (ROOT / "app" / "locked" / f"{name}.txt").read_text("utf-8")
    assert not re.search(r"://|--index|--find-links|--trusted", text)


def test_the_tests_run_on_the_versions_that_readers_run() -> None:
    assert pinned("run").items() <= pinned("test").items()


def test_a_minimum_is_a_version_that_was_tried() -> None:
    versions = pinned("test")
    for text in NEEDED["test"]:
        requirement = Requirement(text)
        floor = next(part.version for part in requirement.specifier if part.operator == ">=")
        assert versions[canonicalize_name(requirement.name)].split(".")[: len(floor.split("."))][0] == floor.split(".")[0], text
