"""How each operation is written as code; a line of the table an operation."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from app.core import rotary as rotate
from app.core.operations import cellwise, decay, distances, normalize, ops, routing
from app.core.operations import lookup as gather
from app.core.operations import online_softmax as running
from app.core.operations import reshape as moves
from app.core.record.array import Array

if TYPE_CHECKING:
    from app.exports.code.dialects import Dialect


@dataclass(frozen=True, slots=True)
class Written:
    """Code for an array; ``loose`` where it needs brackets inside more code."""

    text: str
    loose: bool = False

    @property
    def tight(self) -> str:
        return f"({self.text})" if self.loose else self.text


Parts = Sequence[Written]
Write = Callable[[Any, Parts, Sequence[Array], "Dialect"], Written]
_SIGNS = {"+": "+", "−": "-", "×": "*", "÷": "/"}


def _infix(sign: str) -> Write:
    return lambda op, parts, inputs, d: Written(f"{parts[0].tight} {sign} {parts[1].tight}", True)


def _call(helper: str, *fields: str) -> Write:
    """A helper that is called with the parts and some fields of the operation."""

    def write(op: Any, parts: Parts, inputs: Sequence[Array], d: "Dialect") -> Written:
        more = [repr(getattr(op, field)) for field in fields]
        return Written(f"{helper}({', '.join([*(part.text for part in parts), *more])})")

    return write


def _module(name: str) -> Write:
    """A function that both libraries have under one name."""
    return lambda op, parts, inputs, d: Written(f"{d.module}.{name}({', '.join(part.text for part in parts)})")


def _number(sign: str, field: str) -> Write:
    """An array and one number."""
    return lambda op, parts, inputs, d: Written(f"{parts[0].tight} {sign} {getattr(op, field)!r}", True)


def _where(op: ops.Where, parts: Parts, inputs: Sequence[Array], d: "Dialect") -> Written:
    kept, mask = parts
    shown = mask.text if inputs[1].value.dtype == bool else f"{mask.tight} != 0"
    fill = "-inf" if op.fill < 0 else "0.0"
    return Written(f"{d.module}.where({shown}, {kept.text}, {fill})")


def _total(op: cellwise.RowTotal, parts: Parts, inputs: Sequence[Array], d: "Dialect") -> Written:
    name = d.largest if op.kind == "max" else op.kind
    return Written(f"{parts[0].tight}.{name}({d.axis}=-1, {d.keep}=True)")


def _function(op: cellwise.Function, parts: Parts, inputs: Sequence[Array], d: "Dialect") -> Written:
    own = op.name in ("gelu", "silu", "elu1", "relu", "softplus", "sigmoid")
    return Written(f"{op.name if own else f'{d.module}.{op.name}'}({parts[0].text})")


def _split(op: moves.SplitHeads, parts: Parts, inputs: Sequence[Array], d: "Dialect") -> Written:
    return Written(f"split_heads({parts[0].text}, {inputs[0].shape[-1] // op.d_head})")


def _take(op: gather.TakeRows, parts: Parts, inputs: Sequence[Array], d: "Dialect") -> Written:
    first, last = op.rows[0], op.rows[-1]
    whole = op.rows == tuple(range(first, last + 1))
    return Written(f"{parts[0].tight}[{f'{first}:{last + 1}' if whole else list(op.rows)}]")


def _rows(op: moves.Rows, parts: Parts, inputs: Sequence[Array], d: "Dialect") -> Written:
    return Written(f"{parts[0].tight}[..., {op.start}:{op.stop}, :]")


def _join(op: moves.JoinRows, parts: Parts, inputs: Sequence[Array], d: "Dialect") -> Written:
    return Written(f"{d.module}.{d.join}([{', '.join(part.text for part in parts)}], {d.axis}=-2)")


def _gated(op: routing.GatedSum, parts: Parts, inputs: Sequence[Array], d: "Dialect") -> Written:
    gates, *answers = (part.text for part in parts)
    sent = ", ".join(f"({expert}, {list(rows)}, {answer})" for (expert, rows), answer in zip(op.sent, answers, strict=True))
    return Written(f"gated_sum({gates}, [{sent}])")


def _softcap(op: normalize.Softcap, parts: Parts, inputs: Sequence[Array], d: "Dialect") -> Written:
    return Written(f"{op.cap!r} * {d.module}.tanh({parts[0].tight} / {op.cap!r})", True)


def _decay(op: decay.Decay, parts: Parts, inputs: Sequence[Array], d: "Dialect") -> Written:
    return Written(f"{parts[0].tight} ** {d.module}.arange({op.n})[:, None]", True)


def _rotate(op: rotate.Rotate, parts: Parts, inputs: Sequence[Array], d: "Dialect") -> Written:
    return Written(f"{'rotate_halves' if op.pairing == 'half_split' else 'rotate_neighbours'}({parts[0].text}, {parts[1].text})")


WRITING: dict[type[ops.Operation], Write] = {
    ops.MatMul: _infix("@"),
    routing.EachRow: _infix("@"),
    ops.Multiply: _number("*", "factor"),
    ops.DivideByRoot: lambda op, parts, inputs, d: Written(f"{parts[0].tight} / sqrt({op.width})", True),
    ops.Where: _where,
    ops.Softmax: _call("softmax"),
    ops.Divide: _call("divide_rows"),
    ops.Sinusoid: _call("waves", "n", "d_model", "base"),
    cellwise.Combine: lambda op, parts, inputs, d: _infix(_SIGNS[op.sign])(op, parts, inputs, d),
    cellwise.Shift: _number("+", "number"),
    cellwise.Function: _function,
    cellwise.RowTotal: _total,
    moves.Transpose: lambda op, parts, inputs, d: Written(f"{parts[0].tight}.swapaxes(-1, -2)"),
    moves.SplitHeads: _split,
    moves.MergeHeads: _call("merge_heads"),
    moves.ShareHeads: _call("share_heads", "group"),
    gather.TakeRows: _take,
    gather.PerHead: lambda op, parts, inputs, d: Written(f"{parts[0].tight}[:, :, None]"),
    gather.PickColumns: _call("pick_columns"),
    gather.PoolColumns: _call("pool_columns", "m"),
    gather.PickBias: _call("pick_bias"),
    moves.Rows: _rows,
    moves.JoinRows: _join,
    normalize.DivideBy: _number("/", "number"),
    normalize.Softcap: _softcap,
    normalize.SinkSoftmax: _call("sink_softmax"),
    normalize.VisibleMax: _call("visible_max"),
    normalize.LogSumExp: _call("log_sum_exp"),
    running.Larger: _module("maximum"),
    running.Power: _call("power_of_difference"),
    running.Ratio: _call("safe_ratio"),
    rotate.Angles: _call("turning_angles", "n", "d_head", "base", "start"),
    rotate.Rotate: _rotate,
    distances.Slopes: _call("head_slopes", "n_heads"),
    distances.SlopeBias: _call("slope_bias", "n_q", "n_k", "signed"),
    distances.Clip: _call("clipped_distances", "n_q", "n_k", "max_distance"),
    distances.Buckets: _call("distance_buckets", "n_q", "n_k", "n_buckets", "max_distance", "bidirectional"),
    routing.TopK: _call("top_of_row", "k"),
    routing.GatedSum: _gated,
    decay.Hold: _call("held_input"),
    decay.Decay: _decay,
    decay.Remaining: _call("what_remains", "n"),
    decay.Toeplitz: _call("distance_table"),
}
"""An operation that is missing here has no code: the export is refused, never wrong."""
