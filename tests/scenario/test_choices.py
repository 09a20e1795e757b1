"""Choices come from the registries of the core: each is offered, has its words, and changes the numbers."""

import itertools
from collections.abc import Collection, Iterator
from functools import cache

import pytest

from app.core.attention import NORMALIZERS
from app.core.layers.block import ORDERS
from app.core.layers.feed_forward import NETWORKS
from app.core.layers.norms import NORMS
from app.core.masks import MASKS
from app.core.mechanisms import linear, state_space
from app.core.mechanisms.kinds import MECHANISMS
from app.core.positions import BETWEEN, POSITIONS
from app.core.variants import MASK_PLACES
from app.errors import Refusal
from app.language.words import LANGUAGES, words_of
from app.run.assemble import FROM_VECTORS
from app.run.mechanisms import FROM_QKV
from app.run.run import compute
from app.scenario.marks import Only
from app.scenario.table import SCENARIO_FIELDS, Scenario, choices_of, conditions_of, write_field
from app.text.tokens import SPLITS

REGISTRIES: dict[str, Collection[str]] = {
    "split": SPLITS,
    "position": POSITIONS,
    "mask": MASKS,
    "mask_place": MASK_PLACES,
    "normalizer": NORMALIZERS,
    "norm_place": ORDERS,
    "norm": NORMS,
    "activation": NETWORKS,
    "mechanism": MECHANISMS,
    "linear_form": linear.FORMS,
    "ssm_form": state_space.FORMS,
    "ssm_rule": state_space.RULES,
}
CHOICES = [(field, choice) for field in REGISTRIES for choice in choices_of(field)]
SENTENCE = {"text": "the dog runs and the cat sleeps", "d_model": "8", "n_heads": "2"}
GIVEN = {"q": "1,2;3,-1;0,1", "k": "1,0;2,1;0,3", "v": "1;2;4"}
NEEDED: dict[tuple[str, str], dict[str, str]] = {
    ("mask", "padding"): {"padding": "1111100"},
    ("mask", "custom"): {"allow": ";".join(["1010101"] * 7)},
    ("mask", "prefix"): {"prefix": "3"},
    ("position", "t5"): {"n_buckets": "8"},
    ("mechanism", "cached"): {"mask": "causal"},
    **{("split", choice): {"text": "a dog, a cat"} for choice in SPLITS},
}
"""What a choice cannot do without, or cannot be told from another without."""

Numbers = tuple[tuple[str, bytes], ...]


@cache
def numbers(pairs: tuple[tuple[str, str], ...]) -> Numbers:
    """Every number of every step of a scenario."""
    t = compute(Scenario.from_query(pairs)).trace
    return tuple((name, t[name].value.tobytes()) for name in t)


def computed(**pairs: str) -> Numbers:
    return numbers(tuple(pairs.items()))


def place_for(field: str) -> dict[str, str]:
    """A sentence in which a field has a part: whatever its conditions ask for."""
    place = dict(SENTENCE)
    for only in conditions_of(field):
        if place.get(only.name) not in only.values:
            value = "attention" if "attention" in only.values else only.values[-1]
            place |= {**place_for(only.name), only.name: value, **NEEDED.get((only.name, value), {})}
    return place


@pytest.mark.parametrize("field", REGISTRIES)
def test_every_entry_of_a_registry_is_a_choice_and_no_other_is(field: str) -> None:
    beside = {"position": {"none"}, "mask": {"custom"}}.get(field, set())
    assert set(choices_of(field)) == {*REGISTRIES[field], *beside}


def test_every_field_with_choices_is_looked_at_here() -> None:
    written = {"scale", *(name for name in SCENARIO_FIELDS if choices_of(name) == ("no", "yes"))}
    assert {name for name in SCENARIO_FIELDS if choices_of(name)} == {*REGISTRIES, *written}


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize(("field", "choice"), CHOICES)
def test_every_choice_has_its_words(field: str, choice: str, lang: str) -> None:
    assert f"choice.{choice}" in words_of(lang)


@pytest.mark.parametrize("field", REGISTRIES)
def test_every_choice_has_numbers_of_its_own(field: str) -> None:
    place = place_for(field)
    found = {choice: computed(**{**place, **NEEDED.get((field, choice), {}), field: choice}) for choice in choices_of(field)}
    alike = [pair for pair in itertools.combinations(found, 2) if found[pair[0]] == found[pair[1]]]
    assert not alike, "chosen, and nothing changes"


@pytest.mark.parametrize("position", POSITIONS)
def test_a_position_acts_on_given_vectors_or_is_refused(position: str) -> None:
    if position in BETWEEN:
        assert computed(**GIVEN, position=position) != computed(**GIVEN)
    else:
        with pytest.raises(Refusal, match="not_with_qkv"):
            computed(**GIVEN, position=position)


@pytest.mark.parametrize("position", POSITIONS)
@pytest.mark.parametrize("mechanism", MECHANISMS)
def test_a_position_acts_in_a_mechanism_or_is_refused(mechanism: str, position: str) -> None:
    place = {**SENTENCE, "mechanism": mechanism, **NEEDED.get(("mechanism", mechanism), {})}
    if position in BETWEEN and not MECHANISMS[mechanism].positions_between:
        with pytest.raises(Refusal, match="position_mechanism"):
            computed(**place, position=position)
    else:
        assert computed(**place, position=position) != computed(**place)


def test_every_mechanism_is_carried_out_from_what_it_starts_from() -> None:
    started = {"qkv": FROM_QKV.keys(), "vectors": FROM_VECTORS.keys()}
    for start, names in started.items():
        assert names == {name for name, row in MECHANISMS.items() if row.starts_from == start}


def changed_values(field: str) -> Iterator[str]:
    """Values other than the default, as they are written: enough that one of them must show."""
    default = write_field(field, SCENARIO_FIELDS[field].default)
    candidates = choices_of(field) or ("1", "2", "3", "5", "0.25", "0", "6", "20")
    return (text for text in candidates if text != default)


def shows(place: dict[str, str], field: str) -> bool:
    """True where another value of a field gives other numbers."""
    for text in changed_values(field):
        try:
            if computed(**{**place, field: text}) != computed(**place):
                return True
        except Refusal:
            continue
    return False


OPTIONS = [
    (name, only.name, value)
    for name in SCENARIO_FIELDS
    for only in conditions_of(name)
    if only.name in ("mask", "position") and name != "allow"
    for value in only.values
]


@pytest.mark.parametrize(("field", "of", "value"), OPTIONS)
def test_an_option_shows_in_every_mask_and_position_that_reads_it(field: str, of: str, value: str) -> None:
    assert shows({**SENTENCE, **NEEDED.get((of, value), {}), of: value}, field)


TEXTS = {"text", "text_k", "table", "x", "w_q", "w_k", "w_v", "w_o", "q", "k", "v", "allow", "padding", "edits"}
NAMES = {"labels_q", "labels_k", "labels_d", "labels_v"}


@pytest.mark.parametrize("field", [name for name in SCENARIO_FIELDS if name not in TEXTS | NAMES])
def test_no_field_is_accepted_and_ignored(field: str) -> None:
    place = place_for(field)
    place.pop(field, None)
    if field == "n_kv_heads":
        place["n_heads"] = "4"
    assert shows(place, field)


def test_a_condition_names_only_choices_that_there_are() -> None:
    for name in SCENARIO_FIELDS:
        for only in conditions_of(name):
            assert isinstance(only, Only)
            if choices := choices_of(only.name):
                assert set(only.values) <= set(choices)
                assert only.values
