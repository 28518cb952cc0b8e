"""The oracle: masking that depends on the corpus tells what is in it; masking by rule does not."""

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from linkmask.testbench.attacks.oracle import Probe, by_type, oracle, probes_of
from linkmask.testbench.cells import read_grid
from linkmask.testbench.corpus import read_corpus
from linkmask.testbench.defences import DefenceBuilder
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


def test_in_rounds_each_value_is_asked_once_beside_the_absent_one_of_its_type() -> None:
    builder = DefenceBuilder(read_corpus(EXAMPLE))
    asked = []

    def remade(larger: DefenceBuilder) -> SimpleNamespace:
        lines = [one.content for one in larger.corpus.documents[len(builder.corpus.documents) :]]
        assert 0 < len(lines) < len(probes_of(builder)) and len(lines) % 2 == 0
        asked.extend(lines)
        return SimpleNamespace(texts=["" if "masked" in line else line for line in lines])

    target: Any = SimpleNamespace(builder=builder, corpus=builder.corpus, remade=remade)
    found = oracle(target, rounds=3, person=True)
    sentences = sorted(line.partition(" Patient is ")[0] for line in asked)
    assert sentences == sorted(probe.text for probe in probes_of(builder))
    assert len({line.partition(" Patient is ")[2] for line in asked}) > 1
    assert sum(len(row["members"]) for row in found["persons"]) == len(asked) // 2


def test_a_line_with_one_value_tells_less_than_a_line_about_a_person(tmp_path: Path) -> None:
    """A value alone makes no chain; beside another value it does."""
    attacks = ("oracle-few", "oracle-person")
    run = tmp_path / "run"
    bench(EXAMPLE, run, read_grid(None, {"defences": ("clam",), "attacks": attacks}))
    alone, beside = (Results(run).figure("clam", "-", "-", name, "auc") for name in attacks)
    assert alone is not None and beside is not None
    assert alone.value is not None and beside.value is not None
    assert alone.value < beside.value


def test_preset_uniform_tells_less_of_conditions_and_is_near_chance(tmp_path: Path) -> None:
    """Its masks come from rules, so what the corpus holds hardly changes them."""
    defences = ("clam", "clam[preset=uniform]")
    run = tmp_path / "run"
    bench(EXAMPLE, run, read_grid(None, {"defences": defences, "attacks": ("oracle-person",)}))
    results = Results(run)

    def auc(defence: str, measure: str) -> float:
        row = results.figure(defence, "-", "-", "oracle-person", measure)
        assert row is not None and row.value is not None
        return row.value

    usual, uniform = defences
    assert auc(uniform, "auc MEDICAL_CONDITION") < 0.6 < auc(usual, "auc MEDICAL_CONDITION")
    assert auc(uniform, "auc") < 0.6
