"""How large scores and weights are where a sentence, its vectors and its matrices are toys."""

import random
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from app.run.run import compute
from app.scenario.table import Scenario

JA = """犬 猫 鳥 魚 馬 が を に は で と 走る 食べる 飛ぶ 泳ぐ 見る 読む 書く 山 川 海 空 花 木 本 駅 町 雨 風 月 星
赤い 青い 大きい 小さい 速い 学校 先生 子ども 友だち 朝 夜"""
EN = """the a dog cat bird fish horse runs eats flies swims sees reads writes mountain river sea sky flower tree book station town
rain wind moon star red blue big small fast school teacher child friend morning night and in on with"""
WIDTHS, HEADS = (4, 8, 16, 32, 64), (1, 2, 4, 8, 16)
SIZES = [(width, heads) for width in WIDTHS for heads in HEADS if width % heads == 0]


@dataclass(frozen=True, slots=True)
class Spread:
    """What was measured at one width and number of heads."""

    scaled: float
    """The spread of the scaled scores."""
    largest: float
    """The largest scaled score, with either sign."""
    middle: float
    """The median of the largest weight of a row."""
    nothing: float
    """The share of the weights that are printed as 0.000."""


def sentences(count: int) -> Iterator[str]:
    """Sentences of seven different words, in Japanese and English by turns, the same every time."""
    draws = random.Random(1)
    for number in range(count):
        yield " ".join(draws.sample((EN if number % 2 else JA).split(), 7))


def measure(texts: list[str], width: int, heads: int, toy: int, seed: int = 0) -> Spread:
    """Compute the sentences and gather how large their scores and weights are."""
    runs = [
        compute(Scenario(text=text, split="spaces", d_model=width, n_heads=heads, toy=toy, seed=seed)).trace for text in texts
    ]
    scaled = np.array([trace.scaled.value for trace in runs])
    weights = np.array([trace.weights.value for trace in runs])
    assert scaled.shape == (len(texts), heads, 7, 7)
    return Spread(
        scaled=float(np.sqrt((scaled**2).mean())),
        largest=float(np.abs(scaled).max()),
        middle=float(np.median(weights.max(axis=-1))),
        nothing=float((weights < 0.0005).mean()),
    )
