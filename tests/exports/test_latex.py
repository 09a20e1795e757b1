"""The LaTeX document, really set where there is a TeX engine."""

import re
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.asking import Api
from tests.support.exporting import EVERY, export
from tests.support.patience import SECONDS


@pytest.fixture(scope="module")
def api() -> Iterator[Api]:
    with Api() as made:
        yield made


@pytest.mark.parametrize(
    ("engine", "name", "lang"),
    [("pdflatex", "script", "en"), ("pdflatex", "deep", "ja"), ("uplatex", "japanese", "ja"), ("lualatex", "emoji", "ja")],
)
def test_the_document_is_set_without_a_fault(api: Api, tmp_path: Path, engine: str, name: str, lang: str) -> None:
    if not shutil.which(engine):
        pytest.skip(f"{engine} is not installed")
    (tmp_path / "sheet.tex").write_bytes(export(api, "tex", EVERY[name], lang))
    command = [engine, "-interaction=nonstopmode", "-halt-on-error", "sheet.tex"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, timeout=SECONDS, check=False)
    log = (tmp_path / "sheet.log").read_text("utf-8", "replace")
    assert done.returncode == 0, log[-2000:]
    assert re.search(r"Output written on sheet\.(pdf|dvi) \(\d+ page", log)
    assert "Missing character" not in log
    assert "Overfull" not in log


def test_a_matrix_is_shrunk_only_where_it_may_be_too_large(api: Api) -> None:
    small, large = (export(api, "tex", EVERY[name]).decode() for name in ("japanese", "forty"))
    assert "shrink" not in small
    assert large.count(r"\[ \shrink{") == sum(large.count(rf"\bigl({symbol}\bigr)") for symbol in ("Q", "K", "V")) + 14


def test_a_letter_that_fonts_seldom_have_is_said_by_its_number(api: Api) -> None:
    document = export(api, "tex", EVERY["emoji"]).decode()
    assert r"\letter{1F468} \letter{1F469}" in document
    assert "👨" not in document
    assert r"\letter" not in export(api, "tex", EVERY["japanese"], "ja").decode()


def test_every_head_has_its_matrix_and_its_number_from_1(api: Api) -> None:
    document = export(api, "tex", {"text": "a b", "d_model": "4", "n_heads": "2"}).decode()
    assert [document.count(rf"\bigl(Q\bigr)_{{{head}}}") for head in range(4)] == [0, 1, 1, 0]
