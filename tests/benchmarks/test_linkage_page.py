"""benchmarks/linkage_page.py: each marked table of the page can be made anew by its name."""

import re
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest

BENCHMARKS = Path(__file__).parents[2] / "benchmarks"
MADE = """<!-- table styles -->

| | a | b |
|---|---|---|
| value | 1 | 2 |
| token | 3 | 4 |

End.
"""


@pytest.fixture
def page(monkeypatch: pytest.MonkeyPatch) -> Iterator[ModuleType]:
    monkeypatch.syspath_prepend(str(BENCHMARKS))
    import linkage_page

    yield linkage_page
    for file in BENCHMARKS.glob("*.py"):
        sys.modules.pop(file.stem, None)


def test_every_marked_table_has_its_maker_and_every_maker_its_table(page: ModuleType) -> None:
    text = page.PAGE.read_text("utf-8")
    marked = re.findall(r"<!-- table (.*) -->", text)
    assert sorted(marked) == sorted(page.MAKERS)
    assert all(re.search(page.TABLE.format(re.escape(name)), text) for name in marked)


def test_rows_are_made_by_their_first_cell_and_other_cells_stay(
    page: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(page.MAKERS, "styles", lambda names: {one: ["9"] for one in names})
    anew = MADE.replace("| 1 |", "| 9 |").replace("| 3 |", "| 9 |")
    assert page.remade(MADE, "styles") == anew


def test_a_row_that_is_not_made_is_an_error(
    page: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(page.MAKERS, "styles", lambda names: {"value": ["9"]})
    with pytest.raises(LookupError, match="no row token"):
        page.remade(MADE, "styles")
