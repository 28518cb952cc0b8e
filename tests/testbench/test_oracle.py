"""The oracle: masking that depends on the corpus tells what is in it; masking by rule does not."""

from pathlib import Path

import pytest

from linkmask.testbench.attacks.oracle import Probe, by_type
from linkmask.testbench.cells import read_grid
from linkmask.testbench.grid import bench
from linkmask.testbench.result_tables import Results

EXAMPLE = Path(__file__).parents[2] / "examples" / "insurance"


def test_the_auc_of_a_type_is_how_much_more_members_are_masked() -> None:
    """Of two members both are masked, of two others one: (1 + ½) / 2."""
    probes = [Probe(0, "x", "AGE", member) for member in (True, True, False, False)]
    assert by_type(probes, [1, 1, 1, 0]) == {"auc AGE": 0.75}


def test_who_masks_everything_or_nothing_tells_nothing(tmp_path: Path) -> None:
    run = tmp_path / "run"
    bench(EXAMPLE, run, read_grid(None, {"defences": ("std", "clam"), "attacks": ("oracle",)}))
    results = Results(run)
    found = {}
    for defence in ("std", "clam"):
        row = results.figure(defence, "-", "-", "oracle", "auc")
        assert row is not None
        found[defence] = row.value
    assert found["std"] == pytest.approx(0.5)
    assert found["clam"] is not None
    assert found["clam"] > 0.55
