"""Whether an earlier commit was faster: the same benchmarks on both, in turns.

    python benchmarks/earlier.py COMMIT [--rounds 3] [--only NAME …]

Small sizes of four benchmarks run on both commits, each in a process of its own, one after the
other: what slows the machine slows both. Printed are the best figures of the rounds as a Markdown
table, and what this commit gained (above 1: it is faster).
"""

from __future__ import annotations

import argparse
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

HERE = Path(__file__).parent
BENCHMARKS = {
    "files": ("20000",), "rewriting": ("5000",), "endtoend": ("300",),
    "planning": ("10000",), "planning thesis": ("10000", "--", "--preset", "thesis"),
}  # fmt: skip
"""Benchmark, named by its script and perhaps a preset → its arguments."""
COLUMN = {"planning": 2}
"""Benchmark → which of its columns is compared, from 0: of planning the processor seconds, which
other work on the machine changes least."""
LINE = re.compile(r"(\s*)(\S.*?)((?:\s{2,}[\d.,]+)+)(?: (MB/s|million rows/s|s)\b)?")
HEAD = re.compile(r"(\S.*): [\d.,]+ MB$")

Measured = tuple[str, str, str]
"""Benchmark, what it measured, and the unit; of seconds less is better."""
Figures = dict[Measured, float]


def figures(name: str, commit: Path) -> Iterator[tuple[Measured, float]]:
    """Run a benchmark on a commit in a folder, and yield a figure of each line.

    The commit's own benchmark is run, or this one's where that does not run.
    """
    file = f"{name.split()[0]}.py"
    for script in (commit / "benchmarks" / file, HERE / file):
        done = subprocess.run(
            [sys.executable, script, *BENCHMARKS[name]],
            check=False, capture_output=True, text=True,
            env=os.environ | {"PYTHONPATH": str(commit / "src")},
        )  # fmt: skip
        if not done.returncode:
            break
        print(f"{script} does not run: {done.stderr.strip().splitlines()[-1]}", file=sys.stderr)
    head = ""
    for line in done.stdout.splitlines():
        if title := HEAD.match(line):
            head = f"{title[1]}: "
        elif found := LINE.match(line):
            what = (head if found[1] else "") + found[2]
            columns = found[3].replace(",", "").split()
            yield (name, what, found[4] or "s"), float(columns[COLUMN.get(name.split()[0], 0)])


def measure(names: list[str], commits: tuple[Path, Path], rounds: int) -> list[Figures]:
    """Return the best figures of each commit."""
    best: list[Figures] = [{}, {}]
    for _ in range(rounds):
        for name in names:
            for held, commit in zip(best, commits, strict=True):
                for key, figure in figures(name, commit):
                    better = min if key[2] == "s" else max
                    held[key] = better(figure, held.get(key, figure))
    return best


def table(before: Figures, now: Figures) -> Iterator[str]:
    """Yield the lines of the table; a figure that one of both lacks is left out."""
    yield "| Benchmark | Measured | Before | Now | Gain |"
    yield "|---|---|---|---|---|"
    for (name, what, unit), old in before.items():
        if new := now.get((name, what, unit)):
            gain = old / new if unit == "s" else new / old
            yield f"| `{name}` | {what} | {old:g} {unit} | {new:g} {unit} | {gain:.2f} |"


def main() -> None:
    """Check the earlier commit out beside, measure, and print the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("commit")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--only", nargs="+", choices=BENCHMARKS, default=list(BENCHMARKS))
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name) / "earlier"
        git = ["git", "-C", str(HERE)]
        subprocess.run(
            [*git, "worktree", "add", "-q", "--detach", folder, given.commit], check=True
        )
        try:
            print("\n".join(table(*measure(given.only, (folder, HERE.parent), given.rounds))))
        finally:
            subprocess.run([*git, "worktree", "remove", "--force", folder], check=True)


if __name__ == "__main__":
    main()
