"""The cost of adding documents to a masked corpus, as a share of masking the whole of it.

    python benchmarks/update.py [documents …] [--words N] [--add SHARE] [--style STYLE]
                                [--keep FOLDER]         default: 3000 10000, 0, 0.01, value

The corpus is that of `endtoend.py`, one JSON file per document, each of about N words
(`long_texts.py`; about 74 without). It is masked whole once, then for each of RUNS editions a SHARE
of new documents about new persons is added and `linkmask update` is run. Each command runs in a
process of its own. Seconds are of the processor, workers included, since they vary less than those
of the clock; of the updates their median. The steps of the last update are printed as the summary
has them, in seconds of the clock. With --keep, corpus and run stay in FOLDER, and a later call adds
to them without masking all again.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from resource import RUSAGE_CHILDREN, getrusage
from statistics import median

import long_texts

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


def masked_whole(place: Path, documents: int, words: int, style: str) -> float:
    """Write a corpus and mask it, unless a folder holds both; return the seconds that took."""
    known = place / "whole.json"
    if not known.exists():
        source = place / "in"
        source.mkdir(parents=True)
        write(source, long_texts.corpus(documents, words))
        spent, _ = command("mask", str(source), "-o", str(place / "out"), "--style", style)
        known.write_text(json.dumps({"seconds": spent, "editions": 0}))
    return float(json.loads(known.read_text())["seconds"])


def write(source: Path, records: Sequence[Mapping[str, object]], prefix: str = "") -> None:
    """Write documents into a folder, one JSON file each."""
    for record in records:
        name = f"{prefix}{record['id']}"
        (source / f"{name}.json").write_text(json.dumps({**record, "id": name}))


def measure(place: Path, documents: int, words: int, share: float, style: str) -> None:
    """Mask a corpus whole, add to it RUNS times, and print what each took."""
    source, out, known = place / "in", place / "out", place / "whole.json"
    more = max(round(documents * share), 1)
    whole = masked_whole(place, documents, words, style)
    spent, steps = [], {}
    for _ in range(RUNS):
        about = json.loads(known.read_text())
        edition = about["editions"]
        new = long_texts.corpus(more, words, seed=100 + edition)
        write(source, new, f"new{edition}-")
        seconds, steps = command("update", str(place / "out.run"), str(source), "-o", str(out))
        known.write_text(json.dumps({**about, "editions": edition + 1}))
        spent.append(seconds)
    now = median(spent)
    print(
        f"{documents:>7,} documents of {words or 74} words: whole run {whole:.1f} s; {more} more: "
        f"{now:.2f} s, {now / whole:.1%} ({', '.join(f'{one:.2f}' for one in spent)}); "
        + ", ".join(f"{step} {seconds:.2f}" for step, seconds in steps.items()),
        flush=True,
    )


def main() -> None:
    """Measure each size."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("documents", nargs="*", type=int, default=[3000, 10_000])
    parser.add_argument("--words", type=int, default=0)
    parser.add_argument("--add", type=float, default=0.01)
    parser.add_argument("--style", default="value")
    parser.add_argument("--keep", type=Path)
    asked = parser.parse_args()
    for documents in asked.documents:
        how = documents, asked.words, asked.add, asked.style
        if asked.keep:
            measure(asked.keep / str(documents), *how)
            continue
        with tempfile.TemporaryDirectory(prefix="linkmask-update-") as folder:
            measure(Path(folder), *how)


if __name__ == "__main__":
    main()
