"""Options by name: a function of a registry names the options that it reads, and is given those and no others.

What a function reads stands in its signature: its parameters that are given by name only. So nobody keeps a list of it.
"""

from collections.abc import Callable, Mapping
from functools import cache
from inspect import Parameter, signature
from typing import TypeVar

T = TypeVar("T")


@cache
def options_of(function: Callable[..., object]) -> tuple[str, ...]:
    """The options that a function reads: the names of its keyword-only parameters."""
    parameters = signature(function).parameters.values()
    return tuple(parameter.name for parameter in parameters if parameter.kind is Parameter.KEYWORD_ONLY)


def call(function: Callable[..., T], *arguments: object, options: object) -> T:
    """Call a function with its arguments and, by name, with those of the options that it reads."""
    return function(*arguments, **{name: getattr(options, name) for name in options_of(function)})


def reading(registry: Mapping[str, Callable[..., object]], option: str) -> tuple[str, ...]:
    """The names of a registry whose functions read an option: the masks that have a ``window``."""
    return tuple(name for name, function in registry.items() if option in options_of(function))
