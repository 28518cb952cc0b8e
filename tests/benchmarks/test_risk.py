"""benchmarks/risk.py: whether a calibration error is more than chance."""

import sys
from pathlib import Path

import numpy as np
import pytest


def test_only_wrong_probabilities_are_further_off_than_nearly_all_draws(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.syspath_prepend(str(Path(__file__).parents[2] / "benchmarks"))
    import risk

    said = np.full(400, 0.4)
    right, wrong = (np.arange(400) < hits for hits in (162, 80))
    assert risk.if_right(said, right.astype(float))[2] > 0.5
    assert risk.if_right(said, wrong.astype(float))[2] == 0
    for name in ("risk", "exposure"):
        sys.modules.pop(name, None)
