"""Learned numbers by name: what a trained model would have brought along, given to each part of a trace."""

from collections.abc import Mapping

import numpy.typing as npt

from app.core.record.array import parameter
from app.core.record.trace import Trace

Parameters = Mapping[str, npt.ArrayLike]
"""Learned arrays by their dotted names: ``w_q``, ``norm_1.gamma``, ``expert.0.w_1``."""
Shapes = dict[str, tuple[int, ...]]
"""The shape of each learned array, by the same names."""


def learned(t: Trace, parameters: Parameters, *names: str) -> None:
    """Write the learned arrays of these names into the trace. Errors: KeyError for a name that is missing."""
    for name in names:
        setattr(t, name, parameter(parameters[name]))


def inside(parameters: Parameters, part: str) -> Parameters:
    """The learned arrays of one part, by their names inside it: ``gamma`` for ``norm_1.gamma``."""
    return {name.removeprefix(f"{part}."): array for name, array in parameters.items() if name.startswith(f"{part}.")}


def placed(shapes: Shapes, part: str) -> Shapes:
    """Put shapes under the name of a part: ``norm_1.gamma`` for ``gamma``."""
    return {f"{part}.{name}": shape for name, shape in shapes.items()}
