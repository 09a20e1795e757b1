"""Labels: the names along the axes of a step, wherever it stands."""

import re

from app.core.layers.experts import sent
from app.core.operations.explain import Index
from app.glossary import entry_of
from app.glossary.entry import FROM_0
from app.language.words import Words
from app.run.run import Run

_PLACE = re.compile(r"^(tile|token)((?:\.\d+)+)\.")
_EXPERT = re.compile(r"^(.*?)expert\.(\d+)\.")


def labels_of(run: Run, step: str) -> list[list[str]]:
    """The names along each axis: words, given names, or numbers from 1."""
    if step not in run.labels:
        axes = zip(axes_of(run, step), run.trace[step].shape, strict=True)
        run.labels[step] = [_along(run, step, axis, count) for axis, count in axes]
    return run.labels[step]


def names_at(run: Run, step: str, index: Index) -> tuple[str, str]:
    """The names of a cell's row and column; the row of a step with one axis has none."""
    *_, row, column = ["", *(names[place] for names, place in zip(labels_of(run, step), index, strict=True))]
    return row, column


def component_name(run: Run, step: str, column: str, words: Words) -> str:
    """What a column of numbers is called in a sentence: its given name, or the number it is counted by."""
    if _given(run, axes_of(run, step)[-1], run.trace[step].shape[-1]):
        return words("number.named", name=column)
    head, _, number = column.rpartition(".")
    return words("number.of_head", head=head, number=number) if head else words("number.plain", number=number)


def axes_of(run: Run, step: str) -> tuple[str, ...]:
    """The names of a step's axes."""
    return entry_of(step).axes_for(run.trace[step].value.ndim)


def shape_of(run: Run, step: str, words: Words) -> str:
    """A shape in words: query 3 × key 3."""
    counted = zip(axes_of(run, step), run.trace[step].shape, strict=True)
    return " × ".join(f"{words(f'axis.{axis}')} {count}" for axis, count in counted if axis != "one")


def _along(run: Run, step: str, axis: str, count: int) -> list[str]:
    if axis == "one":
        return [""] * count
    if axis in ("query", "token", "key"):
        return _words(run, step, axis, count)
    if given := _given(run, axis, count):
        return list(given)
    if axis in FROM_0:
        return [str(number) for number in range(count)]
    return _numbers(_heads(run, axis), count)


def _given(run: Run, axis: str, count: int) -> tuple[str, ...]:
    """The names that the reader gave to the components of an axis; none where their number does not fit."""
    given = {"d_head": run.scenario.labels_d, "d_v": run.scenario.labels_v}.get(axis) or ()
    return tuple(given) if len(given) == count else ()


def _words(run: Run, step: str, axis: str, count: int) -> list[str]:
    """The words along an axis of a step: all of them, those of a tile, or those so far."""
    names = run.names_k if axis == "key" else run.names_q
    if expert := _EXPERT.match(step):
        names = _sent(run, expert[1], int(expert[2]))
    start = _start(run, step, axis, count, len(names))
    return list(names[start : start + count])


def _start(run: Run, step: str, axis: str, count: int, total: int) -> int:
    """The first word of a part: tiles begin at their offset, a token's own row is that token."""
    place = _PLACE.match(step)
    if not place or count == total:
        return 0
    numbers = [int(number) for number in place[2].split(".")[1:]]
    if place[1] == "tile":
        return numbers[0] * run.scenario.tile_q if axis == "query" else numbers[-1] * run.scenario.tile_k
    return numbers[0] if count == 1 else 0


def _sent(run: Run, part: str, expert: int) -> tuple[str, ...]:
    rows = sent(run.trace[f"{part}chosen"], run.trace[f"{part}gates"])[expert]
    return tuple(run.names_q[row] for row in rows)


def _heads(run: Run, axis: str) -> int:
    if axis.startswith("n_kv_heads"):
        return run.sizes.n_kv_heads
    return run.sizes.n_heads if axis.startswith("n_heads") else 1


def _numbers(heads: int, count: int) -> list[str]:
    """Numbers from 1; where heads stand side by side, the head's number before them: 2.1."""
    if heads == 1 or count % heads:
        return [str(number) for number in range(1, count + 1)]
    width = count // heads
    return [f"{number // width + 1}.{number % width + 1}" for number in range(count)]


def place_of(step: str) -> str:
    """The part of the computation that a step belongs to: ``layer.0`` for ``layer.0.norm_1.mean``, nothing for ``scores``."""
    found = _TOP.match(step)
    return found[0] if found else ""


_TOP = re.compile(r"[a-z]+(?:\.\d+)*(?:(?<=\d)\.start)?(?=\.)")


def weights_near(run: Run, step: str) -> str:
    """The step that says how much each query takes from each key, in the same part where there is one; or nothing."""
    whole = (run.sizes.n_q, run.sizes.n_k)
    names = [name for name in run.trace if entry_of(name).weighs_keys and run.trace[name].shape[-2:] == whole]
    near = [name for name in names if place_of(name) == place_of(step)]
    return (near or names or [""])[-1]


def lead_of(step: str) -> str:
    """The name of the first of three axes: ``head`` or ``channel``."""
    return "channel" if entry_of(step).axes[0] == "channel" else "head"


def part_title(run: Run, part: str, words: Words) -> str:
    """The heading of a part of the computation: Layer 1, Tile 1·2, Token 3 with its word; nothing for the plain steps."""
    if not part:
        return ""
    family, *rest = part.split(".")
    places = [int(number) for number in rest if number.isdecimal()]
    word = run.names_k[places[0]] if family == "token" and places[0] < len(run.names_k) else ""
    if family == "tile" and (rest[-1] == "start" or len(places) == 1):
        family = "tile_start" if rest[-1] == "start" else "tile_end"
    return words(f"part.{family}", number="·".join(str(place + 1) for place in places), word=word)
