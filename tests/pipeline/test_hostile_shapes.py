"""The whole job of `mask` takes work in proportion to its input, whatever the input says.

`python benchmarks/hostile.py` asserts it of every shape, at larger sizes.
"""

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from counted_work import cost_of
from hostile_shapes import SHAPES

FAMILIES = {
    "long words": ("one letter", "letters and digits", "hyphens in a word"),
    "long lines": ("base64 in a line", "hexadecimal", "minified code"),
    "titles and names over and over": ("a title", "a name", "a name in sentences"),
    "many different names": ("names", "names in lines"),
    "wide metadata": ("wide metadata", "wide metadata of names", "numbers in metadata"),
    "words that something joins": ("named values in metadata", "names that underlines join"),
    "deep metadata": ("deep metadata",),
    "marks": ("right-to-left marks", "right-to-left letters", "combining marks"),
    "IBANs and amounts": ("IBANs", "an amount"),
    "digits": ("one digit", "digits one by one", "plus and digits"),
    "brackets": ("brackets", "pairs of brackets", "placeholders"),
    "letters one by one": ("letters with hyphens", "letters one by one"),
    "lines that quote": ("quoted mail", "a label"),
}
"""Shapes that took minutes at 30,000 characters once, or that stand for others that did."""
SIZES = {
    "an amount": (2400, 7200),
    "a name": (2400, 7200),
    "letters with hyphens": (3600, 10800),
    "letters one by one": (3600, 10800),
    "names that underlines join": (2400, 7200),
}
"""Where values overlap one another, or name the person of the first sentence, work does not rise
evenly at first."""


ALONE = """
import json, math, sys
from hostile_shapes import SHAPES
from counted_work import cost_of, warmed
warmed()
fixed = cost_of(SHAPES["one letter"](1)).work
for line in sys.stdin:
    name, sizes = json.loads(line)
    costs = [cost_of(SHAPES[name](size)) for size in sizes]
    small, large = (max(cost.work - fixed, 1) for cost in costs)
    grown = math.log(large / small) / math.log(costs[1].size / costs[0].size)
    print(json.dumps([[cost.failed for cost in costs], grown]), flush=True)
"""
"""Counts in a process of its own: what other tests have compiled or cached changes the count.

Each cost is counted in a child of it. The work of a job on one sentence is taken off: it would hide
how the rest grows.
"""


@pytest.fixture(scope="module")
def counting() -> Iterator[subprocess.Popen[str]]:
    """The process that counts; it loads what every job needs once."""
    with subprocess.Popen(
        [sys.executable, "-c", ALONE], cwd=Path(__file__).parents[1],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
    ) as process:  # fmt: skip
        yield process


@pytest.mark.parametrize("family", FAMILIES)
def test_three_times_the_text_takes_at_most_three_times_the_work(
    family: str, counting: subprocess.Popen[str]
) -> None:
    """Counted in calls and bytes written; a square law would take nine times."""
    assert counting.stdin and counting.stdout
    told = {}
    for name in FAMILIES[family]:
        print(json.dumps([name, SIZES.get(name, (1200, 3600))]), file=counting.stdin, flush=True)
        told[name] = json.loads(counting.stdout.readline())
    assert {name: failed for name, (failed, _) in told.items() if failed != ["", ""]} == {}
    assert {name: grown for name, (_, grown) in told.items() if grown > 1.15} == {}


def test_a_record_that_is_set_aside_counts_as_failed() -> None:
    """A job that releases nothing costs little; its cost must not pass for that of masking."""
    deep: object = "x"
    for _ in range(700):
        deep = [deep]
    cost = cost_of({"id": "1", "content": "Nothing to report.", "metadata": {"a": deep}})
    assert "deep" in cost.failed and not cost.work
    assert cost_of(SHAPES["a name"](4000), most=2000).set_aside


def test_there_are_forty_shapes_and_each_has_the_size_asked_for() -> None:
    assert len(SHAPES) >= 40
    for name, shape in SHAPES.items():
        held = json.dumps(shape(20_000), ensure_ascii=False)
        assert 5_000 < len(held) < 60_000, name
        assert shape(300) == shape(300), name


ROOT = Path(__file__).parents[2]


def published(table: str) -> dict[str, list[str]]:
    """Return the cells of each shape of a table in benchmarks/, by its name."""
    head, *lines = (ROOT / "benchmarks" / f"{table}.tsv").read_text("utf-8").splitlines()
    rows = {name: cells for name, *cells in (line.split("\t") for line in lines)}
    assert all(len(cells) == len(head.split("\t")) - 1 == 5 for cells in rows.values())
    return rows


@pytest.mark.parametrize("table", ["hostile", "hostile-large"])
def test_no_shape_of_the_published_tables_grows_faster_than_its_input(table: str) -> None:
    """Two sizes each, the larger a million and ten million characters; all were released."""
    rows = published(table)
    assert len(rows) >= 40 and rows.keys() <= SHAPES.keys()
    assert {name: cells[2] for name, cells in rows.items() if float(cells[2]) > 1.1} == {}
    assert [name for name, cells in rows.items() if not cells[1].isdigit()] == []


def test_every_shape_is_published_up_to_a_million_characters() -> None:
    assert published("hostile").keys() == SHAPES.keys()


def test_the_page_shows_rows_of_the_published_tables() -> None:
    """The shapes that take most time, and the number of shapes."""
    page = (ROOT / "docs" / "results" / "hostile.md").read_text("utf-8")
    for table in ("hostile", "hostile-large"):
        rows = published(table)
        longest = sorted(rows, key=lambda name: -float(rows[name][3]))[:5]
        for name in longest:
            work, larger, grown, seconds, memory = rows[name]
            took = [seconds, memory.replace("—", "not measured")]
            cells = [f"{int(work):,}", f"{int(larger):,}", grown, *took]
            assert f"| {name} | {' | '.join(cells)} |" in page
        assert f"{len(rows)} shapes" in page
