"""Peak memory of `linkmask mask`, by the size of the corpus and by that of the largest document.

    python benchmarks/memory.py [--documents N,N,…] [--megabytes M,M,…]
                                [--keys N,N,…] [--names N,N,…]

Corpora are those of benchmarks/endtoend.py, as one JSONL file, one document of about 80 words a
line. A large document is as many texts of that corpus joined as make its size; a wide one is a
sentence with as many keys of metadata, and a list holds as many names that are all different. Each
row is one run in a process of its own; memory is the largest sum over the process and its workers,
pages that they share counted once (PSS), sampled ten times a second. Processor time is that of the
process and its workers.
"""

from __future__ import annotations

import argparse
import json
import resource
import sys
import tempfile
from collections.abc import Iterable
from itertools import islice
from pathlib import Path

import endtoend

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from hostile_shapes import mixed_names


def row(name: str, records: Iterable[dict[str, object]]) -> None:
    """Mask records and print one line: size, times, peak memory, what was set aside."""
    with tempfile.TemporaryDirectory() as folder:
        source, out = Path(folder) / "in.jsonl", Path(folder) / "out"
        source.write_text("".join(json.dumps(record) + "\n" for record in records))
        before = worked()
        seconds, memory = endtoend.measured("mask", source, "-o", out)
        processor = worked() - before
        counts = json.loads((out / "summary.json").read_text())["counts"]
        size = source.stat().st_size / 1e6
    print(
        f"| {name} | {size:.2f} MB | {seconds:.1f} s | {processor:.1f} s | {memory:.0f} MB"
        f" | {counts['set_aside']} |",
        flush=True,
    )


def worked() -> float:
    """Return the processor seconds of all processes that were started here and have ended."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def document(megabytes: float) -> dict[str, object]:
    """Return one document of about this size."""
    texts = [str(one["content"]) for one in endtoend.corpus(int(megabytes * 2_500))]
    return {"id": "large", "content": "\n\n".join(texts)[: int(megabytes * 1e6)]}


def wide(keys: int) -> dict[str, object]:
    """Return a document with this many keys in its metadata."""
    metadata = {f"key {number}": "x" for number in range(keys)}
    return {"id": "wide", "content": "Mr. John Brandvold called.", "metadata": metadata}


def listed(count: int) -> dict[str, object]:
    """Return a document that lists this many different names."""
    return {"id": "list", "content": "\n".join(islice(mixed_names(), count))}


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--documents", default="100,1000,10000")
    parser.add_argument("--megabytes", default="0.1,1,10")
    parser.add_argument("--keys", default="100000")
    parser.add_argument("--names", default="50000")
    given = parser.parse_args()
    print("| Input | Size | Time | Processor time | Peak memory | Set aside |")
    print("|---|---:|---:|---:|---:|---:|")
    for n in map(int, filter(None, given.documents.split(","))):
        row(f"{n:,} documents", endtoend.corpus(n))
    for size in map(float, filter(None, given.megabytes.split(","))):
        row(f"one document of {size:g} MB", [document(size)])
    for keys in map(int, filter(None, given.keys.split(","))):
        row(f"one document of {keys:,} keys", [wide(keys)])
    for count in map(int, filter(None, given.names.split(","))):
        row(f"one document of {count:,} names", [listed(count)])


if __name__ == "__main__":
    main()
