"""Take it home as code: the notebook, the short code, the LaTeX document."""

import ast
import json
import math
import re
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from hypothesis import given

from app.core.operations.expression import (
    HIDDEN,
    ONE,
    Among,
    Call,
    E,
    Group,
    Masked,
    Operand,
    Root,
    constant,
    less,
    over,
    plus,
    power,
    times,
)
from app.exports.code.helpers import NUMPY_HELPERS, TORCH_HELPERS, calls
from app.exports.tex_marks import escape, formula, sum_of
from app.exports.tex_marks import number as number_in_tex
from app.glossary import GLOSSARY
from app.language.words import LANGUAGES, words_of
from app.run.run import compute
from app.scenario.table import Scenario
from app.sheet.why import make_why
from tests.support.asking import Api, Json, numbers, strict, write
from tests.support.examples import examples
from tests.support.exporting import EVERY, SCENES, cells, export, sheet_of
from tests.support.scenes import scenarios
from tests.support.torch_at_hand import torch_at_hand


@pytest.fixture(scope="module")
def api() -> Iterator[Api]:
    with Api() as made:
        yield made


def run(sources: list[str]) -> dict[str, Any]:
    """What is known after the code has run."""
    known: dict[str, Any] = {}
    for source in sources:
        exec(compile(source, "cell", "exec"), known)
    return known


def agrees(known: dict[str, Any], sheet: Json) -> None:
    for step in sheet["steps"]:
        got, expected = np.asarray(known[step["name"].replace(".", "_")], float), numbers(step["values"])
        most = np.abs(expected[np.isfinite(expected)]).max(initial=1)
        assert got.shape == expected.shape
        assert np.allclose(got, expected, rtol=1e-9, atol=1e-9 * most), step["name"]


@pytest.mark.parametrize("name", EVERY)
def test_the_numpy_half_of_the_notebook_gives_every_step(api: Api, name: str) -> None:
    sheet = sheet_of(api, EVERY[name])
    sources = cells(export(api, "ipynb", EVERY[name]), "numpy")
    agrees(run(sources), sheet)
    checked = re.findall(r"^check\('([\w.]+)', \w+\)$", "\n".join(sources), re.MULTILINE)
    assert checked == [step["name"] for step in sheet["steps"]]


@pytest.mark.parametrize("name", EVERY)
def test_the_short_code_runs_by_itself(api: Api, name: str, capsys: pytest.CaptureFixture[str]) -> None:
    agrees(run([export(api, "py", EVERY[name], "ja").decode()]), sheet_of(api, EVERY[name]))
    assert capsys.readouterr().out.startswith("[")


@pytest.mark.parametrize("name", EVERY)
def test_the_torch_half_is_python_and_has_the_same_steps(api: Api, name: str) -> None:
    notebook = export(api, "ipynb", EVERY[name])
    sources = cells(notebook, "torch")
    for source in sources:
        compile(source, "cell", "exec")
    assert not [source for source in sources if re.search(r"\bnp\.", source)]
    assert len(sources) == len(cells(notebook, "numpy")) - 1


@pytest.mark.parametrize("name", EVERY)
def test_the_short_code_in_pytorch_has_the_same_steps_and_no_numpy(api: Api, name: str) -> None:
    numpy, torch = (assigned(export(api, ending, EVERY[name]).decode()) for ending in ("py", "torch.py"))
    assert torch == numpy
    assert [name for name in torch if name != "expected"][-1] == sheet_of(api, EVERY[name])["steps"][-1]["name"].replace(".", "_")
    assert not re.search(r"\bnp\.|numpy", export(api, "torch.py", EVERY[name]).decode().partition("tokens")[2])


def assigned(code: str) -> list[str]:
    """The names that get a value outside of functions, in order."""
    targets = [node.targets[0] for node in ast.parse(code).body if isinstance(node, ast.Assign)]
    return [target.id for target in targets if isinstance(target, ast.Name)]


@pytest.mark.parametrize("name", EVERY)
def test_the_short_code_in_pytorch_runs_by_itself(api: Api, name: str, capsys: pytest.CaptureFixture[str]) -> None:
    sheet, code = sheet_of(api, EVERY[name]), export(api, "torch.py", EVERY[name], "ja").decode()
    with torch_at_hand():
        agrees(run([code]), sheet)
    assert capsys.readouterr().out.startswith("tensor(")


@pytest.mark.parametrize("name", EVERY)
def test_the_torch_half_of_the_notebook_gives_every_step(api: Api, name: str) -> None:
    sheet, notebook = sheet_of(api, EVERY[name]), export(api, "ipynb", EVERY[name])
    with torch_at_hand():
        known = run(cells(notebook))
    agrees(known, sheet)
    assert str(known[sheet["steps"][-1]["name"].replace(".", "_")].dtype).endswith("float64")


def test_the_short_code_stops_where_the_last_step_differs(api: Api) -> None:
    code = export(api, "py", SCENES["repeated"]).decode()
    with pytest.raises(AssertionError):
        run([code.replace("weights = softmax(", "weights = 1 - softmax(")])


@examples(60, patient=True)
@given(fields=scenarios)
def test_any_scenario_can_be_computed_again(api: Api, fields: Json) -> None:
    answer = api.post(json.dumps(fields).encode())
    if answer.status_code == 200:
        exported = api.get("/export.py", answer.json()["query"])
        agrees(run([exported.text]), answer.json())
        exported = api.get("/export.torch.py", answer.json()["query"])
        with torch_at_hand():
            agrees(run([exported.text]), answer.json())


def test_a_wrong_value_stops_the_notebook(api: Api) -> None:
    sources = cells(export(api, "ipynb", SCENES["repeated"]), "numpy")
    for old, new in (("scores = q @", "scores = -q @"), ("sqrt(", "sqrt(1 + "), ("weights = softmax(", "weights = 1 - softmax(")):
        assert any(old in source for source in sources)
        with pytest.raises(AssertionError):
            run([source.replace(old, new) for source in sources])


@pytest.mark.parametrize("name", SCENES)
@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_notebook_is_a_notebook(api: Api, name: str, lang: str) -> None:
    notebook = strict(export(api, "ipynb", SCENES[name], lang))
    assert set(notebook) == {"cells", "metadata", "nbformat", "nbformat_minor"}
    assert (notebook["nbformat"], notebook["nbformat_minor"]) == (4, 5)
    ids = [cell["id"] for cell in notebook["cells"]]
    assert len(set(ids)) == len(ids)
    assert all(re.fullmatch(r"[a-zA-Z0-9_-]{1,64}", found) for found in ids)
    for cell in notebook["cells"]:
        more = {"outputs", "execution_count"} if cell["cell_type"] == "code" else set()
        assert set(cell) == {"cell_type", "id", "metadata", "source"} | more
        assert all(isinstance(line, str) for line in cell["source"])
        assert all(line.endswith("\n") for line in cell["source"][:-1])
    prose = ["".join(cell["source"]) for cell in notebook["cells"] if cell["cell_type"] == "markdown"]
    assert not [text for text in prose if "<" in text or "\\end{document}" in text]


def test_every_helper_is_called_by_some_scene(api: Api) -> None:
    called = {name for fields in EVERY.values() for name in calls(export(api, "torch.py", fields).decode(), TORCH_HELPERS)}
    assert set(TORCH_HELPERS) - called == {"sigmoid"}  # no form has it by itself


def test_no_helper_has_the_name_of_a_step() -> None:
    taken = {name.replace(".", "_") for name in GLOSSARY} | {name.rpartition(".")[2] for name in GLOSSARY}
    assert set(NUMPY_HELPERS) == set(TORCH_HELPERS)
    assert not set(NUMPY_HELPERS) & taken
    assert not {"np", "torch", "math", "inf", "sqrt", "check", "shown", "tokens"} & taken


def balanced(document: str) -> None:
    """Braces, environments and dollars come in pairs, and no letter is left that LaTeX would not print."""
    depth, plain = 0, re.sub(r"(?m)(?<!\\)%.*$", "", document).replace("\\\\", "").replace(r"\{", "").replace(r"\}", "")
    for char in plain:
        depth += (char == "{") - (char == "}")
        assert depth >= 0
    assert depth == 0
    begun, ended = (re.findall(rf"\\{word}\{{(\w+)\}}", plain) for word in ("begin", "end"))
    assert sorted(begun) == sorted(ended)
    assert plain.replace(r"\$", "").count("$") % 2 == 0
    body = plain.partition(r"\begin{document}")[2]
    assert not re.search(r"[\x00-\x09\x0b-\x1f]|(?<!\\)[#~]|\\\d", body)


@pytest.mark.parametrize("name", EVERY)
@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_latex_document_is_closed_and_holds_every_matrix(api: Api, name: str, lang: str) -> None:
    document, sheet = export(api, "tex", EVERY[name], lang).decode(), sheet_of(api, EVERY[name], lang)
    balanced(document)
    matrices = re.findall(r"\\begin\{bmatrix\}\n(.*?)\n\\end\{bmatrix\}", document, re.DOTALL)
    assert len(matrices) == sum(step["shape"][0] if len(step["shape"]) == 3 else 1 for step in sheet["steps"])
    assert [rows(matrix) for matrix in matrices] == [part for step in sheet["steps"] for part in printed(step)]
    assert document.count(r"\end{document}") == 1
    assert document.endswith("\\end{document}\n")


def rows(matrix: str) -> list[list[float]]:
    text = re.sub(r"\\times 10\^\{(-?\d+)\}", r"e\1", matrix.replace("\\infty ", "inf"))
    return [[float(cell) for cell in row.split("&")] for row in text.split(" \\\\\n")]


def printed(step: Json) -> list[list[list[float]]]:
    """The matrices of a step, each number as it is printed."""
    values = numbers(step["values"])
    heads = values if values.ndim == 3 else np.atleast_2d(values)[None]
    return [[[near(float(cell)) for cell in row] for row in head] for head in heads]


def near(value: float) -> Any:
    return value if math.isinf(value) else pytest.approx(value, abs=5.1e-4, rel=1e-3)


def test_latex_holds_the_sum_of_the_cell_that_was_asked_for(api: Api) -> None:
    fields = {"text": "the dog runs", "n_heads": "1", "d_model": "2", "mask": "causal"}
    run = compute(Scenario.from_query(list(fields.items())))
    for step, index in (("weights", "0,2,0"), ("scores", "0,1,1"), ("masked", "0,0,2")):
        why = api.why(write(fields), step, *map(int, index.split(",")))
        document = export(api, "tex", fields, cell=f"{step}[{index}]").decode()
        reason = make_why(run, step, tuple(why["index"]), words_of("en"))
        assert f"${sum_of(reason)}$" in document
        assert escape(why["name"]) in document


def test_signs_of_a_sum_become_those_of_latex() -> None:
    two, minus_one, three = constant(2), constant(-1, brackets=True), constant(3)
    assert formula(plus(times(ONE, two), times(minus_one, Root(Group(three))))) == r"1\times 2 + (-1)\times \sqrt{(3)}"
    half = Operand(0.5, "masked", (0, 0, 0))
    assert formula(over(power(E, half), plus(power(E, half), power(E, constant(-1))))) == r"e^{0.5} \div  (e^{0.5} + e^{(-1)})"
    assert formula(over(constant(7), Root(three))) == r"7 \div  \sqrt{3}"
    assert formula(Masked("mask_2", constant(0), HIDDEN)) == r"\operatorname{mask\_2} 0 \rightarrow  -\infty "
    chosen = Masked("", Among(two, (two, three), 1, False), constant(0))
    assert formula(chosen) == r"2 \notin  \operatorname{top} 1 \{2, 3\} \rightarrow  0"
    assert number_in_tex("2×10⁻¹⁶") == r"2\times 10^{-16}"
    assert number_in_tex("(−1.5×10⁻⁷)") == r"(-1.5\times 10^{-7})"
    assert formula(power(E, less(ONE, Call("max", (two, three))))) == r"e^{(1 - \operatorname{max}(2, 3))}"
    assert formula(times(two, Call("Φ", (three,)))) == r"2\times \Phi (3)"
    assert escape("\\end{a}$%&#_^~<") == r"\textbackslash{}end\{a\}\$\%\&\#\_\textasciicircum{}\textasciitilde{}{<}"
