"""From a scenario to a trace: the only bridge from a request to the mathematics."""

from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from app import limits
from app.core.operations.ops import NotFinite, Values
from app.core.record.checks import row_sums
from app.core.record.trace import BadEdit, TooManySteps, Trace
from app.errors import Detail, refuse
from app.glossary import entry_of
from app.run.assemble import Assembled, assemble
from app.run.steps import Steps, masks_of
from app.scenario.sizes import Sizes, implied
from app.scenario.table import Scenario, hindered_by, write_field
from app.text.spelling import by_word, same_word
from app.text.tokens import Token, left_out


@dataclass(frozen=True, slots=True)
class Notice:
    """Something the reader should know. ``code`` is the key ``notice.<code>`` of the catalogues."""

    code: str
    details: dict[str, Detail] = field(default_factory=dict)


@dataclass(frozen=True)
class Run(Steps):
    """A computed scenario: the trace, the tokens, the names of rows and columns, and what to tell the reader."""

    requested: Scenario
    scenario: Scenario
    """What was asked for, without the fields that have no part in it."""
    assembled: Assembled
    trace: Trace
    notices: tuple[Notice, ...]
    labels: dict[str, list[list[str]]] = field(default_factory=dict, repr=False, compare=False)
    """The names along the axes of the steps that were asked for; ``labels.labels_of`` fills it."""

    @property
    def sizes(self) -> Sizes:
        return self.assembled.sizes

    @property
    def tokens(self) -> tuple[Token, ...]:
        return self.assembled.tokens

    @property
    def names_q(self) -> tuple[str, ...]:
        return self.assembled.names_q

    @property
    def names_k(self) -> tuple[str, ...]:
        return self.assembled.names_k

    @cached_property
    def masks(self) -> dict[int, Values]:
        """Who may see whom, by the number of the layer (0 where there are none); none in a state space. Shape: (n_q, n_k)."""
        if (found := masks_of(self.trace)) or self.scenario.mechanism == "state_space":
            return found
        return dict.fromkeys(range(max(1, self.scenario.n_layers)), self.assembled.mask)

    @cached_property
    def real(self) -> Values:
        """For each word of the sentence: is it a word, and no padding? Shape: (n_q,)."""
        given = self.scenario.padding
        return np.array(given[0], dtype=bool) if given else np.ones(self.sizes.n_q, dtype=bool)

    @cached_property
    def query(self) -> list[tuple[str, str]]:
        """The canonical fields of the query string: what differs from the defaults, in the order of the table."""
        needed = self.requested.without(implied(self.requested, self.sizes))
        return [(name, write_field(name, value)) for name, value in needed.given().items()]

    def origin(self, step: str, row: int) -> str:
        """Where the numbers of an input or parameter come from, as the key ``why.<origin>`` of the catalogues."""
        entry, given = entry_of(step), getattr(self.scenario, step.rpartition(".")[2], None) is not None
        if entry.origin == "rule":
            return "given.mask" if self.scenario.mask == "custom" else "rule.mask"
        if entry.origin == "vector":
            tokens = self.assembled.tokens_k if entry.axes[0] == "key" else self.tokens
            return "given.x" if given else self._origin_of_vector(tokens[row])
        if entry.origin == "matrix":
            return "given.matrix" if given else "toy.matrix"
        return entry.origin

    def _origin_of_vector(self, token: Token) -> str:
        return "table.x" if same_word(token.text) in by_word(self.scenario.table or {}) else "toy.x"


def compute(scenario: Scenario) -> Run:
    """Compute a scenario. Errors: Refusal that names the field."""
    requested = _settle_mask(scenario)
    unused = {name: other for name in requested.given() if (other := hindered_by(requested, name))}
    scenario = requested.without(unused)
    _check_mask_edits(scenario)
    try:
        assembled, trace = assemble(scenario)
        trace.finish()
    except BadEdit as error:
        raise _bad_edit(error) from None
    except NotFinite:
        raise refuse("q" if scenario.q else "x", "overflow") from None
    except TooManySteps as error:
        raise refuse("tile_q" if scenario.mechanism == "tiled" else "text", "steps_many", limit=error.most) from None
    if (numbers := sum(trace[name].value.size for name in trace)) > limits.RECORD:
        raise refuse("text", "record_large", numbers=numbers, limit=limits.RECORD)
    return Run(
        requested,
        scenario,
        assembled,
        trace,
        (*_about_request(scenario, unused, assembled), *_about_weights(trace, assembled.names_q)),
    )


def _settle_mask(scenario: Scenario) -> Scenario:
    """``allow`` alone means the custom mask. Errors: Refusal for a custom mask without rows."""
    if scenario.mask is None:
        return scenario.model_copy(update={"mask": "custom" if scenario.allow else None})
    if scenario.mask == "custom" and not scenario.allow:
        raise refuse("allow", "allow_missing")
    unused = scenario.allow and scenario.mask != "custom"  # then "none" is said, or allow would mean the custom mask
    return scenario if unused else scenario.model_copy(update={"mask": None if scenario.mask == "none" else scenario.mask})


def _check_mask_edits(scenario: Scenario) -> None:
    for index, value in (scenario.edits or {}).get("mask", {}).items():
        if value not in (0, 1):
            raise refuse("edits", "edit_mask", cell=f"mask[{','.join(map(str, index))}]")


def _bad_edit(error: BadEdit) -> Exception:
    if error.index is None:
        return refuse("edits", "edit_step", step=error.step)
    cell = f"{error.step}[{','.join(map(str, error.index))}]"
    return refuse("edits", "edit_cell", cell=cell, shape=" × ".join(map(str, error.shape or ())))


def _about_request(scenario: Scenario, unused: dict[str, str], assembled: Assembled) -> list[Notice]:
    """Fields that have no part in the numbers, and characters that are in no token."""
    notices = [Notice("unused", {"field": name, "other": other}) for name, other in unused.items()]
    gone = [*left_out(scenario.text or "", list(assembled.tokens)), *left_out(scenario.text_k or "", list(assembled.tokens_k))]
    if gone:
        notices.append(Notice("left_out", {"characters": ", ".join(dict.fromkeys(gone))}))
    return notices


def _about_weights(t: Trace, names: tuple[str, ...]) -> list[Notice]:
    """Rows that see nothing, rows that cannot be divided, weights below 0; in every layer."""
    shown = masks_of(t)
    empty = {layer: ", ".join(names[row] for row in np.flatnonzero(~mask.any(axis=-1))) for layer, mask in shown.items()}
    notices = [Notice("empty_row", {"rows": rows}) for rows in set(empty.values()) if rows and len(set(empty.values())) == 1]
    if not notices:
        notices = [Notice("empty_row_layer", {"layer": layer + 1, "rows": rows}) for layer, rows in empty.items() if rows]
    made = {layer: name for layer in shown for name in (f"layer.{layer}.weights", "weights") if name in t}
    if any(_has_zero_sum(t, name, shown[layer]) for layer, name in made.items()):
        notices.append(Notice("zero_sum"))
    if any((t[name].value < 0).any() for name in made.values()):
        notices.append(Notice("negative_weights"))
    return notices


def _has_zero_sum(t: Trace, name: str, mask: Values) -> bool:
    """True where a row that sees something has no shares."""
    sums = row_sums(t, name)[:, mask.any(axis=-1)]
    return bool(not t.edited(name) and sums.size and (sums == 0).any())
