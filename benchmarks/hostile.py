"""What hostile input costs: the whole job of `mask` over shapes of text that no writer means.

    python benchmarks/hostile.py [SHAPE…] [--largest N] [--seconds N] [--memory GB]
                                 [--cells FILE] [--table FILE]

Each shape of `tests/hostile_shapes.py` is masked at four sizes, each a tenth of the next; the
largest has 100,000 characters unless `--largest` says otherwise (`--largest 1e7` takes many hours).
Each size runs in a process of its own, with a limit on processor time and on memory. With
`--cells`, each measurement is added to a file of JSON lines at once, and one that the file holds is
not repeated: the command can be stopped and goes on where it was. Remove the file when the code has
changed. `--table` writes all of them as tab-separated values: for each shape the work at the two
largest sizes, in thousands, its exponent, and seconds and megabytes at the largest size that was
released. benchmarks/hostile.tsv and hostile-large.tsv are such tables.

Printed: counted work at each size, the exponent of its growth over the larger two (1 is linear),
the same exponent of processor time, and, at the largest size, processor seconds and peak memory.
Work is that of the whole command: where a check of the masked text finds further values, the record
is masked and checked anew, at most five times, and that counts. It is counted in calls of
functions, Python's and C's, and bytes written. The count is the same on every machine except one
thing: a search that takes many steps goes over to compiled loops, whose calls are not counted, so
work grows by less there. Loops without a call are not counted either; the exponent of time, which
is not asserted, tells of those. Seconds are those with the counter on, about twice those without. A
record that takes more than `max_work` says "set aside".

The command ends with status 1 where an exponent of work is above 1.1, where a limit was met, and
where a record was set aside for another reason. What single expressions cost, in steps, is tested
(tests/detect/patterns/test_patterns_linear.py).
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from counted_work import Cost, cost_of, exponent, warmed
from hostile_shapes import SHAPES

MOST = 1.1
"""Exponent of counted work that still counts as linear."""
SMALLEST = 10_000
"""Characters from which on costs say how they grow: below, a job's fixed work weighs too much."""


@dataclass(frozen=True)
class Row:
    """The costs of a shape at each size, and how they grow."""

    name: str
    costs: Sequence[Cost]

    @property
    def released(self) -> list[Cost]:
        """The costs at the sizes at which the record was released."""
        return [cost for cost in self.costs if not cost.failed and not cost.set_aside]

    def exponent(self, of: str) -> float:
        """Return the exponent of work or seconds; NaN where fewer than two sizes tell it."""
        telling = [cost for cost in self.released if cost.size >= SMALLEST // 2]
        return exponent(telling, of) if len(telling) > 1 else float("nan")

    @property
    def linear(self) -> bool:
        """Whether nothing failed and no exponent is above `MOST`."""
        failed = any(cost.failed for cost in self.costs)
        return not failed and not self.exponent("work") > MOST


class Cells:
    """Measurements, each written to a file as it is made; the file may be none."""

    def __init__(self, file: Path | None) -> None:
        self.file = file
        self.held: dict[tuple[str, int], Cost] = {}
        if file and file.exists():
            for line in file.read_text(encoding="utf-8").splitlines():
                cell = json.loads(line)
                self.held[cell["shape"], cell["asked"]] = Cost(**cell["cost"])

    def measured(self, name: str, size: int, seconds: int, memory: float) -> Cost:
        """Return the cost of a shape at a size, measured if it was not before."""
        if (name, size) not in self.held:
            cost = cost_of(SHAPES[name](size), seconds, memory)
            self.held[name, size] = cost
            if self.file:
                cell = {"shape": name, "asked": size, "cost": asdict(cost)}
                with self.file.open("a", encoding="utf-8") as added:
                    added.write(json.dumps(cell, ensure_ascii=False) + "\n")
        return self.held[name, size]

    def rows(self, names: Sequence[str]) -> Iterator[Row]:
        """Yield the row of each shape of which something is held."""
        for name in names:
            sizes = sorted(size for shape, size in self.held if shape == name)
            if sizes:
                yield Row(name, [self.held[name, size] for size in sizes])


def sizes(largest: int) -> list[int]:
    """Return four sizes, each a tenth of the next."""
    return [largest // 10**n for n in (3, 2, 1, 0)]


def column(cost: Cost) -> str:
    """Return the counted work of one size, or what became of it."""
    return cost.failed or ("set aside" if cost.set_aside else f"{cost.work:,}")


def line(row: Row) -> str:
    """Return what is printed of a shape."""
    columns = "".join(f"{column(cost):>13}" for cost in row.costs)
    last = row.released[-1] if row.released else row.costs[-1]
    figures = f"{row.exponent('work'):7.2f}{row.exponent('seconds'):7.2f}"
    figures += f"{last.seconds:8.1f} s{last.megabytes:7.0f} MB"
    return f"{row.name:<31}{columns}{figures}{'' if row.linear else '  not linear'}"


SHOWN = 2
"""Sizes in the table: the larger ones, which tell the exponents."""


def table(rows: Sequence[Row], asked: Sequence[int]) -> str:
    """Return the rows as tab-separated values; `asked` are the sizes, smallest first."""
    heads = [*map(str, asked[-SHOWN:]), "exponent", "seconds", "MB"]
    lines = [["shape", *heads]]
    for row in rows:
        cells = [_cell(cost) for cost in row.costs[-SHOWN:]]
        cells = ["—"] * (SHOWN - len(cells)) + cells
        last = row.released[-1] if row.released else row.costs[-1]
        figures = [_figure(row.exponent("work")), f"{last.seconds:.1f}", f"{last.megabytes:.0f}"]
        lines.append([row.name, *cells, *figures])
    return "".join("\t".join(cells) + "\n" for cells in lines)


def _cell(cost: Cost) -> str:
    return cost.failed or ("set aside: `max_work`" if cost.set_aside else f"{cost.work / 1e3:.0f}")


def _figure(value: float) -> str:
    return "—" if value != value else f"{value:.2f}"


def main() -> int:
    """Print a line per shape."""
    parser = argparse.ArgumentParser(description="What hostile input costs.")
    parser.add_argument("shapes", nargs="*", metavar="SHAPE")
    parser.add_argument("--largest", type=float, default=100_000)
    parser.add_argument("--seconds", type=int, default=600)
    parser.add_argument("--memory", type=float, default=8)
    parser.add_argument("--cells", type=Path)
    parser.add_argument("--table", type=Path, help="write the table of all cells there")
    given = parser.parse_args()
    steps, cells = sizes(int(given.largest)), Cells(given.cells)
    warmed()
    print(f"{'shape':<31}" + "".join(f"{size:>13,}" for size in steps) + "   work   time")
    failed = []
    names = given.shapes or list(SHAPES)
    for name in names:
        costs = [cells.measured(name, size, given.seconds, given.memory) for size in steps]
        row = Row(name, costs)
        print(line(row), flush=True)
        if not row.linear:
            failed.append(name)
    if given.table:
        asked = sorted({size for _, size in cells.held})
        given.table.write_text(table(list(cells.rows(list(SHAPES))), asked), encoding="utf-8")
    print(f"{len(failed)} of {len(names)} not linear: {', '.join(failed) or 'none'}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
