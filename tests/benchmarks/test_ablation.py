"""The ablation compares finds by what is marked, and every repair it switches off is there."""

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[2]))

from benchmarks import ablation

TEXT = ablation.Text("Call Ann Lee in Dover now.", [(5, 12, "NAME", False), (16, 21, "", True)])


@pytest.mark.parametrize(
    ("before", "after", "change"),
    [
        ([(5, 12, "NAME")], [], (-7, 0, -1)),
        ([], [(5, 12, "PROVIDER")], (7, 0, 0)),
        ([(5, 8, "NAME")], [(5, 12, "NAME")], (4, 0, 1)),
        ([(22, 25, "NAME")], [], (0, -3, 0)),
        ([], [(16, 21, "LOCATION")], (0, 0, 0)),
    ],
)
def test_a_change_counts_marked_other_and_typed_finds_and_nothing_ignored(
    before: list[ablation.Span], after: list[ablation.Span], change: tuple[int, int, int]
) -> None:
    assert ablation.compare(TEXT, before, after) == change


@pytest.mark.parametrize("name", ablation.REPAIRS)
def test_each_repair_is_there_and_comes_back(name: str) -> None:
    """A repair that is renamed or gone must not be measured as one that changes nothing."""
    module, function = ablation.place(name)
    before = getattr(module, function)
    with ablation.switched_off(name):
        assert getattr(module, function) is ablation.REPAIRS[name]
    assert getattr(module, function) is before
