"""What does a number depend on, and where does it go: over the API, in a figure, and on the page without a browser."""

import html
import re

import numpy as np
import pytest

from app.core.record.gradients import pushed
from app.language.words import LANGUAGES, words_of
from app.run.run import Run, compute
from app.scenario.table import Scenario
from app.sheet.slopes import find_influence
from app.sheet.uses import FEWEST_CELLS, MOST_CELLS, MOST_STEPS, Onward, make_onward
from tests.support.asking import ATTENTION, FIGURES, Api, Json, good, message, numbers, same, wrong

GRADIENT = f"{ATTENTION}/gradient"
BY_HAND = "q=1&k=1;2&v=3;5&scale=none&normalizer=division"  # scores 1 and 2, weights 1/3 and 2/3, z = 13/3
STEEP = "text=a&mechanism=state_space&edits=delta[0,0,0]=709;a[0,0,0]=1;b[0,0,0]=0.001"
MASKED = "text=the dog runs&n_heads=2&mask=causal"


def steps(answer: Json) -> dict[str, np.ndarray]:
    for step in answer["steps"]:
        assert numbers(step["values"]).shape == tuple(step["shape"])
    return {step["name"]: numbers(step["values"]) for step in answer["steps"]}


def test_a_gradient_by_hand(api: Api) -> None:
    answer = good(api.get(GRADIENT, f"{BY_HAND}&of=z[0,0,0]"))
    assert (answer["of"], answer["value"]) == ("z[0,0,0]", pytest.approx(13 / 3))
    found = steps(answer)
    assert same(found["v"], [[[1 / 3], [2 / 3]]], 1e-12)
    assert same(found["weights"], [[[3, 5]]], 1e-12)
    assert same(found["scores"], [[[-4 / 9, 2 / 9]]], 1e-12)
    assert same(found["k"], [[[-4 / 9], [2 / 9]]], 1e-12)
    assert same(found["q"], [[[0]]], 1e-12)  # a longer query changes no share of a division
    assert found["z"].tolist() == [[[1]]]
    assert "mask" not in found


def test_a_hidden_cell_has_a_value_in_json_and_moves_with_nothing(api: Api) -> None:
    answer = good(api.get(GRADIENT, f"{MASKED}&of=masked[0,0,2]"))
    assert answer["value"] == "-Infinity"
    assert not steps(answer)["scores"].any()


@pytest.mark.parametrize(
    ("query", "said"),
    [
        (MASKED, "missing"),
        (f"{MASKED}&of=", "such as out[2,0]"),
        (f"{MASKED}&of=out", "such as out[2,0]"),
        (f"{MASKED}&of=out[-1,0]", "such as out[2,0]"),
        (f"{MASKED}&of=out[0,0];x[0,0]", "such as out[2,0]"),
        (f"{MASKED}&of=nowhere[0,0]", "no step called “nowhere”"),
        (f"{MASKED}&of=out[3,0]", "no cell out[3,0]"),
        (f"{MASKED}&of=out[0,0,0]", "no cell out[0,0,0]"),
        (f"{STEEP}&of=b_bar[0,0,0]", "overflow"),
    ],
)
def test_what_cannot_be_followed_back_is_refused_by_name_in_both_languages(api: Api, query: str, said: str) -> None:
    assert said in message(api.get(GRADIENT, query), "of")
    texts = [message(api.get(GRADIENT, f"{query}&lang={lang}"), "of") for lang in LANGUAGES]
    assert texts[0] != texts[1]


def test_other_fields_are_still_read_strictly(api: Api) -> None:
    wrong(api.get(GRADIENT, "text=a&of=out[0,0]&nonsense=1"), "nonsense")
    wrong(api.get(GRADIENT, "text=a&of=out[0,0]&n_heads=0"), "n_heads")


def test_a_figure_of_slopes_holds_the_slopes_around_0(api: Api) -> None:
    found = steps(good(api.get(GRADIENT, f"{MASKED}&of=out[2,1]")))
    figure = good(api.get(f"{FIGURES}scores", f"{MASKED}&of=out[2,1]"))
    assert [panel["z"] for panel in figure["data"]] == found["scores"].tolist()
    axis = figure["layout"]["coloraxis"]
    assert axis["cmax"] == -axis["cmin"] == np.abs(found["scores"]).max()
    assert "out[2,1]" in figure["layout"]["title"]["text"]
    wrong(api.get(f"{FIGURES}scores", f"{MASKED}&of=out[9,9]"), "of")
    body = {"text": "the dog runs", "n_heads": 2, "mask": "causal", "of": "out[2,1]"}
    assert good(api.ask("POST", f"{FIGURES}scores", json=body)) == figure


def page(api: Api, query: str, status: int = 200) -> str:
    answer = api.get("/", f"{query}&lang=en")
    assert answer.status_code == status, answer.text[:500]
    return html.unescape(answer.text)


def kept(text: str) -> list[str]:
    """The cell that the form goes on asking about."""
    return re.findall(r'<input type="hidden" name="of" value="([^"]*)"', text)


def test_the_page_prints_the_slopes_of_the_api(api: Api) -> None:
    found = steps(good(api.get(GRADIENT, f"{MASKED}&of=out[2,1]")))
    text = page(api, f"{MASKED}&of=out[2,1]&cell=scores[1,2,0]")
    printed = dict(re.findall(r'value="([a-z_]+\[[\d,]+\])" class="c [^>]*>[^<]*</button><span class="slope[^>]*>([^<]+)<', text))
    assert len(printed) == 3 * 3 + 2 * 2 * 3
    for ref, shown in printed.items():
        step, places = ref.rstrip("]").split("[")
        slope = float(found[step][tuple(map(int, places.split(",")))])
        assert shown[0] == ("+" if slope > 0 else "−" if slope < 0 else "0")
        assert float(shown.replace("−", "-")) == pytest.approx(slope, abs=0.0005001)
    assert f"grows by about {found['scores'][1, 2, 0]:.3f}" in text or "shrinks by about" in text


def test_the_map_draws_other_colours_and_crosses_out_what_has_no_influence(api: Api) -> None:
    before, text = page(api, MASKED), page(api, f"{MASKED}&of=weights[0,2,1]")

    def thumbs(of: str) -> dict[str, str]:
        return {
            found[1]: found[0]
            for found in re.findall(r'<button (form="f" name="at" value="([\w.]+)" class="stop.*?)</button>', of, re.DOTALL)
        }

    still = {name for name, drawn in thumbs(text).items() if " still" in drawn.partition(">")[0]}
    assert still == {"mask", "w_v", "v", "z", "concat", "w_o", "out"}
    numbered = [step["name"] for step in good(api.get(ATTENTION, MASKED))["steps"]]
    assert all(thumbs(text)[name] != thumbs(before)[name] for name in numbered)
    assert " still" not in before.partition('class="map"')[2].partition("</nav>")[0]


@pytest.mark.parametrize(
    ("cell", "said"),
    [
        ("z[0,0,0]", "is not computed from this step"),
        ("mask[0,0]", "only selects"),
        ("weights[0,2,1]", "the number you asked about"),
        ("scores[1,2,1]", "does not change the weight of “dog” for “runs” (head 1)"),
    ],
)
def test_where_nothing_moves_it_is_said_why(api: Api, cell: str, said: str) -> None:
    assert said in page(api, f"{MASKED}&of=weights[0,2,1]&cell={cell}")


def test_a_weight_that_must_be_1_is_moved_by_no_score(api: Api) -> None:
    text = page(api, f"{MASKED}&of=weights[0,0,0]&cell=scores[0,0,0]")  # the first word sees only itself
    assert "small changes in this step do not change the weight of “the” for “the”" in text
    assert '<span class="slope' not in text.partition('data-step="scores"')[2].partition("</table>")[0]


def test_float_noise_is_no_slope(api: Api) -> None:
    """Shifting all scores of a row changes no weight: in numbers that cancel, what is left is noise."""
    run = compute(Scenario.from_query([("text", "犬が走る"), ("n_layers", "1"), ("n_experts", "3")]))
    found = find_influence(run, "layer.0.after_ffn[2,0]")
    noise = {name for name, exact in found.exact.items() if ((exact != 0) & (np.abs(exact) <= 1e-12)).any()}
    assert "layer.0.w_router" in noise
    assert all((np.abs(shown[shown != 0]) > 1e-12).all() for shown in found.slopes.values())
    assert ">+0<" not in page(api, "text=犬が走る&n_layers=1&n_experts=3&of=layer.0.after_ffn[2,0]&at=layer.0.router_logits")


def test_the_question_stays_in_links_and_in_the_form_also_where_something_is_wrong(api: Api) -> None:
    text = page(api, f"{MASKED}&of=out[2,1]")
    assert kept(text) == ["out[2,1]"]
    for link in ("hreflang", "data-theme-switch", "data-present"):
        (href,) = re.findall(rf'href="([^"]*)"[^>]*{link}', text)
        assert href.count("&of=out[2,1]") == 1
    refused = page(api, f"{MASKED}&of=out[2,1]&d_model=0&good=text=the dog runs%26n_heads=2", 422)
    assert kept(refused) == ["out[2,1]"]
    assert kept(page(api, f"{MASKED}&of=out[2,1]&of=")) == []  # the button that ends it, in a page without scripts


def test_where_no_cell_is_chosen_the_question_ends_in_the_same_place(api: Api) -> None:
    text = page(api, f"{MASKED}&of=out[2,1]&at=tokens&theme=dark&hide=tools")
    (href,) = re.findall(r'<a class="of-end" href="/\?([^"]*)"', text)
    assert "of=" not in href
    ended = html.unescape(api.get("/", href).text)
    assert 'data-step="tokens"' in ended
    assert 'name="hide" value="tools"' in ended
    assert 'lang="en" data-theme="dark"' in ended
    assert kept(ended) == []


@pytest.mark.parametrize("of", ["out[3,1]", "nowhere[0]", "<b>&x", "[[[", "x" * 300])
def test_a_cell_that_is_gone_is_dropped_with_a_notice(api: Api, of: str) -> None:
    answer = api.get("/", f"{MASKED}&lang=en&of={of.replace('&', '%26')}")
    assert answer.status_code == 200
    assert 'data-code="of_gone"' in answer.text
    assert "<b>&x" not in answer.text
    assert kept(answer.text) == []
    assert 'data-code="of_steep"' in page(api, f"{STEEP}&of=b_bar[0,0,0]")


def test_more_than_sixteen_tokens_have_their_slopes_in_the_plain_table(api: Api) -> None:
    many = "text=" + " ".join(f"w{number}" for number in range(20))
    found = steps(good(api.get(GRADIENT, f"{many}&of=weights[1,3,2]")))["scores"]
    text = page(api, f"{many}&of=weights[1,3,2]&cell=scores[1,0,0]")
    table = text.partition('<table class="plain">')[2].partition("</table>")[0]
    shown = [float(slope.replace("−", "-")) for slope in re.findall(r"<small>(.*?)</small>", table)]
    assert shown == [pytest.approx(slope, abs=0.0005001) for slope in found[1].ravel()]
    assert "data-figure=" in text
    assert re.search(r'data-figure="[^"]*&of=weights\[1,3,2\]"', text)
    assert 'class="pos l6"' in text.partition('value="scores" class="stop')[2].partition("</svg>")[0]  # a row of 20 is drawn


def onward(query: str, step: str, *index: int) -> tuple[Run, Onward]:
    run = compute(Scenario.from_query([tuple(pair.split("=", 1)) for pair in query.split("&")]))  # type: ignore[misc]
    return run, make_onward(run, step, index, words_of("en"))


def test_a_score_goes_on_by_its_scale_and_a_weight_takes_from_the_others() -> None:
    run, found = onward("q=1,0;0,1&k=1,0;0,1&v=1;2&scale=none", "masked", 0, 0, 0)
    (user,) = found.users
    first, second = user.uses
    p = float(run.trace.weights.value[0, 0, 0])
    assert (user.step, user.rest, found.rest) == ("weights", 0, 0)
    assert {first.ref: first.slope, second.ref: second.slope} == {
        "weights[0,0,0]": f"+{p * (1 - p):.3f}",
        "weights[0,0,1]": f"−{p * (1 - p):.3f}",
    }
    assert (first.text, first.name) == (f"{p:.3f}", "weight of “1” for “1”")


def test_all_steps_that_read_a_number_are_named_and_the_strongest_cells_come_first() -> None:
    run, found = onward(f"{MASKED}&d_model=16", "x", 1, 3)
    assert [user.step for user in found.users] == ["q", "k", "v"]
    for user in found.users:
        grown = pushed(run.trace[user.step], run.trace.x, (1, 3))
        assert grown is not None
        sizes = sorted(np.abs(grown[grown != 0]), reverse=True)
        assert len(user.uses) == MOST_CELLS // 3
        assert user.rest == len(sizes) - len(user.uses) > 0
        shown = [abs(float(use.slope.replace("−", "-"))) for use in user.uses]
        assert shown == [pytest.approx(size, abs=0.0005001) for size in sizes[: len(shown)]]


def test_of_many_steps_a_few_are_shown_and_the_others_counted() -> None:
    run, found = onward("text=a b c d e f g h i&mechanism=cached&mask=causal", "w_q", 0, 0)
    users = [name for name in run.trace if "w_q" in run.trace.inputs(name)]
    assert len(users) == 9
    assert len(found.users) == MOST_STEPS
    assert found.rest == 9 - MOST_STEPS
    assert all(len(user.uses) + user.rest <= FEWEST_CELLS for user in found.users)


@pytest.mark.parametrize(
    ("query", "step", "index", "said"),
    [
        (MASKED, "scaled", (0, 0, 2), "onward.hidden"),
        (MASKED, "masked", (0, 0, 2), "onward.hidden"),
        (MASKED, "mask", (0, 0), "onward.switch"),
        (f"{MASKED}&edits=scaled[0,1,0]=2", "scores", (0, 1, 0), "onward.replaced"),
        ("q=1&k=1;2&v=3;5&inside=yes", "masked", (0, 0, 0), "onward.smaller"),
        ("q=1&k=0;2&v=3;5", "q", (0, 0, 0), ""),
        ("q=0&k=1;2&v=3;5", "k", (0, 0, 0), "onward.times_0"),
    ],
)
def test_where_nothing_gets_through_the_reason_is_given(query: str, step: str, index: tuple[int, ...], said: str) -> None:
    _, found = onward(query, step, *index)
    user = found.users[0]
    assert user.note == (words_of("en")(said) if said else "")
    assert bool(user.uses) == (not said)


def test_a_result_goes_nowhere(api: Api) -> None:
    assert onward(MASKED, "out", 0, 0)[1] == Onward([], 0)
    assert "it is a result" in page(api, f"{MASKED}&cell=out[0,0]")


def test_the_sum_of_what_a_number_does_to_the_next_steps_is_what_it_does_to_the_last() -> None:
    """One step forwards, then the gradient of the rest: the chain rule, read from both ends."""
    run, _ = onward(MASKED, "x", 0, 0)
    slopes = find_influence(run, "out[2,0]").slopes
    for cell in np.ndindex(run.trace.x.shape):
        by_steps = 0.0
        for name in ("q", "k", "v"):
            grown = pushed(run.trace[name], run.trace.x, cell)
            assert grown is not None
            by_steps += float((grown * slopes[name]).sum())
        assert by_steps == pytest.approx(float(slopes["x"][cell]), abs=1e-12)
