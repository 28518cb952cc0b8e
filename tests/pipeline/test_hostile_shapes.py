"""The whole job of `mask` takes work in proportion to its input, whatever the input says.

`python benchmarks/hostile.py` asserts it of every shape, at larger sizes.
"""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from shapes import SHAPES
from work import cost_of

HUNG = (
    "one letter", "letters and digits", "base64 in a line", "a title", "a name",
    "letters with hyphens", "plus and digits", "a name in sentences", "right-to-left marks",
    "numbers in metadata", "wide metadata of names", "hyphens in a word", "an amount",
)  # fmt: skip
"""Shapes that took minutes at 30,000 characters once, or that stand for others that did."""
SIZES = {"an amount": (4000, 12000)}
"""Where values of up to 183 characters overlap one another, work rises until all of them do."""


ALONE = """
import json, sys
from shapes import SHAPES
from work import cost_of, exponent, warmed
name, *sizes = json.loads(sys.argv[1])
warmed()
costs = [cost_of(SHAPES[name](size)) for size in sizes]
print(json.dumps([[cost.failed for cost in costs], exponent(costs)]))
"""
"""Counts in a process of its own: what other tests have compiled or cached changes the count."""


@pytest.mark.parametrize("name", HUNG)
def test_three_times_the_text_takes_at_most_three_times_the_work(name: str) -> None:
    """Counted in calls and bytes written; a square law would take nine times."""
    asked = json.dumps([name, *SIZES.get(name, (1200, 3600))])
    done = subprocess.run(
        [sys.executable, "-c", ALONE, asked],
        cwd=Path(__file__).parents[1], capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert not done.returncode, done.stderr
    failed, grown = json.loads(done.stdout.splitlines()[-1])
    assert failed == ["", ""]
    assert grown < 1.15


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
        held = str(shape(20_000))
        assert 5_000 < len(held) < 60_000, name
        assert shape(300) == shape(300), name
