"""An example of every operation: the operation, values for its inputs, the shape of the result. One file a module."""

import importlib
import pkgutil

from tests.core.examples.base import Example

EXAMPLES: list[Example] = []
for _file in pkgutil.iter_modules(__path__):
    EXAMPLES += getattr(importlib.import_module(f"{__name__}.{_file.name}"), "EXAMPLES", [])
