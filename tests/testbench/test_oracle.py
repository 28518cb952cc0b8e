"""The oracle: masking that depends on the corpus tells what is in it; masking by rule does not."""

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from linkmask.testbench.attacks.oracle import ROUNDS, Probe, by_type, oracle, rounds_of
from linkmask.testbench.cells import read_grid
from linkmask.testbench.corpus import read_corpus
from linkmask.testbench.defences import DefenceBuilder
from linkmask.testbench.grid import bench
from linkmask.testbench.result_tables import Results

EXAMPLE = Path(__file__).parents[2] / "examples" / "insurance"
UNIFORM = "clam[preset=uniform]"


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
    assert found["clam"] > 0.51


def test_a_value_is_asked_once_while_present_and_once_while_absent() -> None:
    """So both kinds of line have the same form, and no mask of a form tells them apart."""
    builder = DefenceBuilder(read_corpus(EXAMPLE))
    asked = list[Probe]()
    for one in rounds_of(builder, ROUNDS):
        asked += one.probes
        own = len(one.probes)
        texts = one.builder.corpus.texts
        for probe in one.probes:
            person = builder.corpus.persons[probe.person]
            number = list(zip(person.types, person.values, strict=True)).index(
                (probe.type, probe.value)
            )
            assert probe.member == any(number in person.read(text) for text in texts[:-own])
            assert any(probe.value in text for text in texts[-own:])
    present, absent = (
        sorted((probe.type, probe.value) for probe in asked if probe.member is member)
        for member in (True, False)
    )
    assert present == absent


def test_in_rounds_each_line_is_added_once_and_each_with_an_age() -> None:
    builder = DefenceBuilder(read_corpus(EXAMPLE))
    asked = []

    def remade(larger: DefenceBuilder) -> SimpleNamespace:
        lines = [one.content for one in larger.corpus.documents if one.id.startswith("added")]
        asked.append(lines)
        return SimpleNamespace(texts=["", *lines])

    target: Any = SimpleNamespace(builder=builder, corpus=builder.corpus, remade=remade)
    found = oracle(target, rounds=ROUNDS, person=True)
    lines = [line for some in asked for line in some]
    assert len(asked) == ROUNDS
    assert all(
        len({line.partition(" Patient is ")[2] for line in some}) == len(some) for some in asked
    )
    assert sum(len(row[key]) for row in found["persons"] for key in ("members", "others")) == len(
        lines
    )


Read = dict[str, Results]
"""Results by attack."""


@pytest.fixture(scope="module")
def read(tmp_path_factory: pytest.TempPathFactory) -> Read:
    """What attackers read who add few lines at a time: values alone, or each beside an age."""
    made = {}
    for attack, defences in (("oracle-few", ("clam",)), ("oracle-person", ("clam", UNIFORM))):
        run = tmp_path_factory.mktemp("oracle") / "run"
        bench(EXAMPLE, run, read_grid(None, {"defences": defences, "attacks": (attack,)}))
        made[attack] = Results(run)
    return made


def auc(read: Read, attack: str, defence: str, measure: str = "auc") -> float:
    row = read[attack].figure(defence, "-", "-", attack, measure)
    assert row is not None and row.value is not None
    return row.value


def test_a_line_with_one_value_tells_less_than_a_line_about_a_person(read: Read) -> None:
    """A value alone makes no chain; beside another value it does."""
    assert auc(read, "oracle-few", "clam") < auc(read, "oracle-person", "clam")


def test_masks_that_come_from_rules_tell_hardly_anything(read: Read) -> None:
    """A condition tells nothing, nor does a value of preset uniform; a treatment has no rule."""
    assert auc(read, "oracle-person", "clam", "auc MEDICAL_CONDITION") < 0.6
    assert auc(read, "oracle-person", UNIFORM) < 0.6
    assert auc(read, "oracle-person", "clam", "auc TREATMENT") > 0.6
