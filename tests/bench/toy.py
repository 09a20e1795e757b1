"""How large toy scores and weights are, at every width and number of heads, by each rule.

Run by hand: ``python tests/bench/toy.py [sentences] [seed]``.
"""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))

from app.text.vectors import RULES
from tests.support.toy_spread import SIZES, measure, sentences


def main(count: int = 200, seed: int = 0) -> None:
    """Print a line for each width and number of heads."""
    texts = list(sentences(count))
    print(f"{count} sentences of 7 words, seed {seed}")
    print("rule d_model heads | spread of scaled, largest | median largest weight | printed 0.000")
    for rule in RULES:
        for width, heads in SIZES:
            found = measure(texts, width, heads, rule, seed)
            print(
                f"{rule:4} {width:7} {heads:5} | {found.scaled:6.2f} {found.largest:8.1f}"
                f" | {found.middle:.3f} | {100 * found.nothing:5.2f} %"
            )


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
