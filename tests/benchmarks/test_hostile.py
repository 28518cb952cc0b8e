"""The benchmark of hostile input goes on where it was stopped, and its table says what failed."""

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[2]))

from benchmarks import hostile
from counted_work import Cost


def test_a_cell_that_was_measured_is_not_measured_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[int] = []

    def cost(record: dict[str, str], seconds: int, memory: float) -> Cost:
        asked.append(len(record["content"]))
        return Cost(len(record["content"]), work=7)

    monkeypatch.setattr(hostile, "cost_of", cost)
    file = tmp_path / "cells.jsonl"
    first = hostile.Cells(file).measured("a name", 300, 60, 1)
    again = hostile.Cells(file).measured("a name", 300, 60, 1)
    assert first == again and len(asked) == 1
    hostile.Cells(file).measured("a name", 400, 60, 1)
    assert len(asked) == 2


def test_a_table_says_what_was_set_aside_what_failed_and_what_is_not_linear() -> None:
    square = [Cost(10**n, work=100**n, seconds=1, megabytes=9) for n in (4, 5)]
    aside = [Cost(10_000, work=9, seconds=1), Cost(100_000, set_aside=True)]
    failed = [Cost(10_000, work=9, seconds=1), Cost(100_000, failed="a limit")]
    rows = [
        hostile.Row(name, costs)
        for name, costs in (("square", square), ("aside", aside), ("failed", failed))
    ]
    table = hostile.table(rows, [10_000, 100_000])
    head, *lines = (line.split("\t") for line in table.splitlines())
    assert head == ["shape", "10000", "100000", "exponent", "seconds", "MB"]
    by_name = {name: cells for name, *cells in lines}
    assert by_name["square"] == ["100000", "10000000", "2.00", "1.0", "9"]
    assert by_name["aside"][1] == "set aside: `max_work`"
    assert by_name["failed"][1] == "a limit"


def test_growth_is_not_told_by_sizes_at_which_fixed_work_is_most_of_it() -> None:
    small = [Cost(100, work=100, seconds=1), Cost(1_000, work=9_000, seconds=1)]
    assert hostile.Row("small", small).linear
