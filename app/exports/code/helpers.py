"""The helpers of the exported code: real files, of which a file gets the functions that it calls."""

import re
from collections.abc import Iterable, Mapping
from pathlib import Path


def read(library: str) -> dict[str, str]:
    """Read the helper functions of a library from their file, by name."""
    text = Path(__file__).with_name(f"{library}_helpers.py").read_text("utf-8").replace("  # fmt: skip", "")
    functions = [part.strip() for part in re.split(r"\n\n\n(?=def )", text)[1:]]
    return {function.removeprefix("def ").partition("(")[0]: function for function in functions}


def calls(code: str, helpers: Iterable[str]) -> list[str]:
    """The names of the helpers that a piece of code calls."""
    called = set(re.findall(r"(?<![\w.])(\w+)\(", code))
    return [helper for helper in helpers if helper in called]


def needed(code: str, helpers: Mapping[str, str]) -> list[str]:
    """The source of the helpers that some code calls, and of those that these call, in the order of the file."""
    found, new = set[str](), calls(code, helpers)
    while new:
        found |= set(new)
        new = [name for name in calls("\n".join(helpers[name] for name in found), helpers) if name not in found]
    return [source for name, source in helpers.items() if name in found]


NUMPY_HELPERS = read("numpy")
TORCH_HELPERS = read("torch")
