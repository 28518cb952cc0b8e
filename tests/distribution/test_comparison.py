"""docs/comparison.md is dated, links to what it speaks of, and says where others are better."""

import re
from pathlib import Path

PAGE = (Path(__file__).parents[2] / "docs" / "comparison.md").read_text("utf-8")
ROWS = [
    re.split(r" \| ", line.strip("| "))
    for line in PAGE.partition("## Where others")[0].splitlines()
    if line.startswith("| ") and "---" not in line
][1:]


def test_the_page_says_when_it_was_read() -> None:
    assert re.search(r"November 2026", PAGE)


def test_every_tool_is_linked_to_its_own_place() -> None:
    own, *others = [row[0] for row in ROWS]
    assert own == "linkmask"
    assert len(others) >= 10
    assert [tool for tool in others if not re.search(r"\]\(https://[^)]+\)", tool)] == []


def test_it_says_of_most_tools_where_they_are_better() -> None:
    better = PAGE.partition("## Where others are better")[2].partition("\n## ")[0]
    named = [name for row in ROWS[1:] for name in re.findall(r"\[([^\]]+)\]", row[0])]
    assert sum(name.split()[0] in better for name in named) >= 7
