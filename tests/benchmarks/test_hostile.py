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
    page = hostile.page(rows, [10_000, 100_000])
    lines = {line.split(" | ")[0]: line for line in page.splitlines() if line.startswith("| ")}
    assert "| 2.00 |" in lines["| square"]
    assert "set aside: `max_work`" in lines["| aside"]
    assert "a limit" in lines["| failed"]
    assert "above 1.1: square. Not released at some size: failed." in page


def test_growth_is_not_told_by_sizes_at_which_fixed_work_is_most_of_it() -> None:
    small = [Cost(100, work=100, seconds=1), Cost(1_000, work=9_000, seconds=1)]
    assert hostile.Row("small", small).linear


def test_text_written_by_hand_is_kept_when_the_page_is_written_again(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    assert hostile.written_by_hand(page) == ""
    page.write_text(f"old table\n\n{hostile.BY_HAND}\n\nA remark.\n", encoding="utf-8")
    page.write_text("new table\n" + hostile.written_by_hand(page), encoding="utf-8")
    assert page.read_text() == f"new table\n\n{hostile.BY_HAND}\n\nA remark.\n"
