"""benchmarks/pairs.py: what an attacker gains who goes by way of a third document."""

import sys
from pathlib import Path

import numpy as np
import pytest

from linkmask.graph.linkage import ScoredPairs


@pytest.fixture
def joined(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.syspath_prepend(str(Path(__file__).parents[2] / "benchmarks"))
    import pairs

    yield pairs.joined
    for name in ("pairs", "risk"):
        sys.modules.pop(name, None)


def test_two_texts_that_are_both_near_a_third_are_joined_by_it(joined) -> None:
    """Texts 0 and 2 share nothing, as 0 and 3 do; 1 is near to both 0 and 2."""
    left, right = np.triu_indices(5, k=1)
    near = {(0, 1), (1, 2), (3, 4)}
    scores = np.array([8.0 * (pair in near) for pair in zip(left, right, strict=True)])
    walked = joined(ScoredPairs(left, right, scores, 5))
    of = dict(zip(zip(left.tolist(), right.tolist(), strict=True), walked, strict=True))
    assert of[0, 2] > 10 * of[0, 3]
    assert of[0, 1] > of[0, 2]
