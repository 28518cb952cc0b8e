"""The cost of adding documents to a masked corpus, as a share of masking the whole of it.

    python benchmarks/update.py [documents …] [--add SHARE] [--style STYLE]
                                default: 3000 10000, 0.01, value

The corpus is that of `endtoend.py`, one JSON file per document. It is masked whole once, then for
each of RUNS editions a SHARE of new documents about new persons is added and `linkmask update` is
run. Each command runs in a process of its own. Seconds are of
the processor, workers included, since they vary less than those of the clock; of the updates their
median. The steps of the last update are printed as the summary has them, in seconds of the clock.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
from pathlib import Path
from resource import RUSAGE_CHILDREN, getrusage
from statistics import median

import endtoend

RUNS = 3


def command(*arguments: str) -> tuple[float, dict[str, float]]:
    """Run linkmask; return seconds of the processor, and those of the clock by step."""
    begin = spent_by_children()
    done = subprocess.run(
        [sys.executable, "-m", "linkmask", *arguments, "--json", "--allow-unmet"],
        capture_output=True,
        text=True,
        check=False,
    )
    spent = spent_by_children() - begin
    if done.returncode not in (0, 2) or not done.stdout:
        sys.exit(done.stderr)
    return spent, json.loads(done.stdout)["seconds"]


def spent_by_children() -> float:
    """Return the seconds of the processor that ended children have taken."""
    used = getrusage(RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def measure(place: Path, documents: int, share: float, style: str) -> None:
    """Mask a corpus whole, add to it RUNS times, and print what each took."""
    source, out = place / "in", place / "out"
    source.mkdir()
    more = max(round(documents * share), 1)
    records = endtoend.corpus(documents)
    for record in records:
        (source / f"{record['id']}.json").write_text(json.dumps(record))
    whole, _ = command("mask", str(source), "-o", str(out), "--style", style)
    spent, steps = [], {}
    for edition in range(RUNS):
        for record in endtoend.corpus(more, seed=100 + edition):
            name = f"new{edition}-{record['id']}"
            (source / f"{name}.json").write_text(json.dumps({**record, "id": name}))
        seconds, steps = command("update", str(place / "out.run"), str(source), "-o", str(out))
        spent.append(seconds)
    now = median(spent)
    print(
        f"{documents:>7,} documents: whole run {whole:.1f} s; {more} more: {now:.2f} s, "
        f"{now / whole:.1%} ({', '.join(f'{one:.2f}' for one in spent)}); "
        + ", ".join(f"{step} {seconds:.2f}" for step, seconds in steps.items()),
        flush=True,
    )


def main() -> None:
    """Measure each size."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("documents", nargs="*", type=int, default=[3000, 10_000])
    parser.add_argument("--add", type=float, default=0.01)
    parser.add_argument("--style", default="value")
    asked = parser.parse_args()
    for documents in asked.documents:
        with tempfile.TemporaryDirectory(prefix="linkmask-update-") as folder:
            measure(Path(folder), documents, asked.add, asked.style)


if __name__ == "__main__":
    main()
