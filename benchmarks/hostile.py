"""What hostile input costs: the whole job of `mask` over shapes of text that no writer means.

    python benchmarks/hostile.py [SHAPE…] [--largest N] [--seconds N] [--memory GB]

Each shape of `tests/shapes.py` is masked at four sizes, each a quarter of the next; the largest has
120,000 characters unless `--largest` says otherwise (`--largest 1e7` takes hours). Each size runs
in a process of its own, with a limit on processor time and on memory. Printed: counted work at
each size, the exponent of its growth over the larger two (1 is linear), the same exponent of
processor time, and, at the largest size, processor seconds and peak memory. Counted work is calls
of functions, Python's and C's, and bytes written. It is the same on every machine but for one
thing: a search that takes many steps goes over to compiled loops, whose calls are not counted, so
work grows by less there. Loops without a call are not counted either; the exponent of time, which
is not asserted, tells of those. A record that takes more than `max_work` says "set aside". The
command ends with status 1 where an exponent of work is above 1.1, where a limit was met, and where
a record was set aside for another reason. What single expressions cost, in steps, is tested
(tests/detect/test_patterns_linear.py).
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from shapes import SHAPES
from work import Cost, cost_of, exponent, warmed

MOST = 1.1
"""Exponent of counted work that still counts as linear."""


def sizes(largest: int) -> list[int]:
    """Return four sizes, each a quarter of the next."""
    return [largest // 4**n for n in (3, 2, 1, 0)]


def line(name: str, costs: list[Cost]) -> tuple[str, bool]:
    """Return what is printed of a shape, and whether it is linear."""
    done = [cost for cost in costs if not cost.failed and not cost.set_aside]
    work, time = (
        exponent(done, of) if len(done) > 1 else float("nan") for of in ("work", "seconds")
    )
    linear = not any(cost.failed for cost in costs) and not work > MOST
    columns = "".join(f"{column(cost):>13}" for cost in costs)
    last = done[-1] if done else costs[-1]
    figures = f"{work:7.2f}{time:7.2f}{last.seconds:8.1f} s{last.megabytes:7.0f} MB"
    return f"{name:<31}{columns}{figures}{'' if linear else '  not linear'}", linear


def column(cost: Cost) -> str:
    """Return the counted work of one size, or what became of it."""
    return cost.failed or ("set aside" if cost.set_aside else f"{cost.work:,}")


def main() -> int:
    """Print a line per shape."""
    parser = argparse.ArgumentParser(description="What hostile input costs.")
    parser.add_argument("shapes", nargs="*", metavar="SHAPE")
    parser.add_argument("--largest", type=float, default=120_000)
    parser.add_argument("--seconds", type=int, default=600)
    parser.add_argument("--memory", type=float, default=8)
    given = parser.parse_args()
    steps = sizes(int(given.largest))
    print(f"{'shape':<31}" + "".join(f"{size:>13,}" for size in steps) + "   work   time")
    warmed()
    failed = []
    for name in given.shapes or SHAPES:
        costs = [cost_of(SHAPES[name](size), given.seconds, given.memory) for size in steps]
        said, linear = line(name, costs)
        print(said, flush=True)
        if not linear:
            failed.append(name)
    print(
        f"{len(failed)} of {len(given.shapes or SHAPES)} not linear: {', '.join(failed) or 'none'}"
    )
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
