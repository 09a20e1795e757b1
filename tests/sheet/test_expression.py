"""Expressions: every explanation can be read as a tree, and the tree written out is the explanation again."""

import pytest

from app.sheet.expression import Node, parse
from app.sheet.why import PartOut
from tests.support.walking import FORMS, reasons


def written(node: Node) -> str:
    """The tree as it was written, spaces aside."""
    parts = [written(child) for child in node.children]
    if node.kind in ("sum", "product"):
        return parts[0] + "".join(sign + part for sign, part in zip(node.signs, parts[1:], strict=True))
    if node.kind == "among":
        return f"{parts[0]}{node.signs[0]}top{node.text}{{{','.join(parts[1:])}}}"
    inside = {"group": "({})", "root": "√{}", "minus": "−{}"}.get(node.kind)
    if inside:
        return inside.format(parts[0])
    if node.kind == "power":
        return "^".join(parts)
    if node.kind == "call":
        return f"{node.text}({','.join(parts)})"
    return node.text + "→".join(parts) if node.kind == "becomes" else node.text


def signs(text: str) -> list[PartOut]:
    return [PartOut(text)]


@pytest.mark.parametrize("form", FORMS)
def test_a_tree_written_out_is_the_explanation_again(form: str) -> None:
    read = 0
    for why in reasons(form, "en"):
        if tree := parse(why.parts):
            assert written(tree) == "".join(part.text for part in why.parts).replace(" ", "")
            read += 1
    assert read > 40


def test_a_product_binds_closer_than_a_sum_and_a_power_closer_than_a_product() -> None:
    tree = parse(signs("2×3^4 + 5"))
    assert tree is not None
    assert (tree.kind, tree.signs) == ("sum", ("+",))
    assert [child.kind for child in tree.children] == ["product", "number"]
    assert tree.children[0].children[1].kind == "power"


def test_operands_keep_their_places() -> None:
    tree = parse([PartOut("e^"), PartOut("(−2)", 0), PartOut(" ÷ ("), PartOut("3", 1), PartOut(")")])
    assert tree is not None
    assert tree.children[0].children[1].term == 0
    assert tree.children[1].children[0].term == 1


@pytest.mark.parametrize("text", ["2 +", "(2", "2 3", "×2", "max(", "2 → ", "§"])
def test_what_is_no_sum_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"."):
        parse(signs(text))


def test_a_number_that_was_given_has_no_tree() -> None:
    assert parse([]) is None
