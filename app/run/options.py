"""Options by name: the option objects of the core are filled from the scenario and its sizes."""

from dataclasses import fields
from typing import Any, TypeVar

T = TypeVar("T")


def pick(kind: type[T], *sources: object, **known: object) -> T:
    """An option object: each field as known, else from the first source that has its name, else as the core has it."""
    found: dict[str, Any] = dict(known)
    for field in fields(kind):  # type: ignore[arg-type]
        source = next((source for source in sources if hasattr(source, field.name)), None)
        if field.name not in found and source is not None:
            found[field.name] = getattr(source, field.name)
    return kind(**found)
