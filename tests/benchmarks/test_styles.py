"""benchmarks/styles.py: codes and surrogates count as words, as an attacker reads them."""

import sys
from pathlib import Path

import numpy as np
import pytest


def test_texts_with_the_same_code_are_alike_and_those_with_the_same_type_are_not(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.syspath_prepend(str(Path(__file__).parents[2] / "benchmarks"))
    import styles

    texts = ["[NAME_1a2b3c4d] rowed", "[NAME_1a2b3c4d] swam", "[NAME_99887766] flew"]
    typed = ["[NAME] rowed", "[NAME] swam", "[NAME] flew"]
    left, right = np.triu_indices(3, k=1)
    coded = styles.token_cosines(texts, left, right)
    assert coded[0] > 0.1
    assert coded[1] == coded[2] == 0
    assert styles.token_cosines(typed, left, right).max() == 0
    for name in ("styles", "frontier", "exposure"):
        sys.modules.pop(name, None)
