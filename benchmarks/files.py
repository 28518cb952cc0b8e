"""How fast a corpus is read and written: megabytes of file per second, on one core.

    python benchmarks/files.py [documents]            default: 100000

Records of about 950 bytes (id, metadata, 110 words, one field that is only copied). Timed, for
each kind of file: reading it into documents, and reading and writing it with every text changed,
as masking does: checked, staged, flushed to the disk and renamed into place. The alternative, on
the same JSONL in the same run: a loop over the standard library's json, which checks nothing and
stages nothing. Medians of three runs; processor time, for other work on the machine blurs the
clock, and wall time beside it. A JSON folder holds a tenth of the documents. Then the mentions
table, eleven mentions a document.
"""

from __future__ import annotations

import csv
import json
import random
import sys
import tempfile
from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from statistics import median
from time import perf_counter, process_time
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from linkmask import corpus, runs, schema
from linkmask.config import Settings
from linkmask.records import Document, Masked, Mention, Why

RUNS = 3
SETTINGS = Settings()


def records(count: int) -> Iterator[dict[str, Any]]:
    """Make up records, a third of them with accents."""
    rng = random.Random(0)
    letters = "abcdefghilmnoprstuv"
    words = ["".join(rng.choices(letters, k=rng.randint(2, 11))) for _ in range(3000)]
    accented = ["é" + word for word in words[:100]] + words[100:]
    for number in range(count):
        used = words if number % 3 else accented
        yield {
            "id": f"record-{number}",
            "metadata": {"format": "memo", "year": 2024, "by": rng.choice(used)},
            "source": "archive",
            "content": " ".join(rng.choices(used, k=110)),
        }


def written(folder: Path, count: int) -> dict[str, Path]:
    """Write the same records as every kind of file."""
    made = list(records(count))
    paths = {kind: folder / f"a.{kind}" for kind in ("jsonl", "csv", "parquet")}
    with paths["jsonl"].open("w", encoding="utf-8") as handle:
        handle.writelines(json.dumps(record, ensure_ascii=False) + "\n" for record in made)
    flat = [{**record, "metadata": json.dumps(record["metadata"])} for record in made]
    with paths["csv"].open("w", encoding="utf-8", newline="") as handle:
        rows = csv.DictWriter(handle, list(flat[0]))
        rows.writeheader()
        rows.writerows(flat)
    pq.write_table(pa.Table.from_pylist(made), paths["parquet"], row_group_size=20_000)
    paths["json folder"] = folder / "json"
    paths["json folder"].mkdir()
    for record in made[: count // 10]:
        text = json.dumps(record, indent=2, ensure_ascii=False)
        (paths["json folder"] / f"{record['id']}.json").write_text(text, encoding="utf-8")
    return paths


def size(path: Path) -> float:
    """Megabytes of a file, or of a folder's files."""
    files = path.iterdir() if path.is_dir() else [path]
    return sum(file.stat().st_size for file in files) / 1e6


def masked(path: Path) -> Iterator[Masked]:
    """Read a corpus and change every text."""
    for item in corpus.read(path, SETTINGS):
        assert isinstance(item, Document)
        yield Masked(item, replace(item, content=f"{item.content}."), ())


def plain(path: Path, out: Path) -> None:
    """The same with the standard library's json and nothing else."""
    with path.open(encoding="utf-8") as handle, out.open("w", encoding="utf-8") as target:
        for line in handle:
            record = json.loads(line)
            record["content"] += "."
            target.write(json.dumps(record, ensure_ascii=False) + "\n")


def report(name: str, megabytes: float, work: Callable[[], object]) -> None:
    """Print one line: megabytes per second of processor time, and of wall time."""
    times = []
    for _ in range(RUNS):
        begin = process_time(), perf_counter()
        work()
        times.append((process_time() - begin[0], perf_counter() - begin[1]))
    cpu, wall = (median(column) for column in zip(*times, strict=True))
    print(f"{name:40} {megabytes / cpu:8.0f} MB/s {megabytes / wall:8.0f} MB/s wall")


def mentions(folder: Path, count: int) -> None:
    """Time the mentions table, in rows."""
    rng = random.Random(0)
    path = folder / "mentions.jsonl"
    why = Why("patterns", "rule", 0.9)
    with path.open("wb") as handle:
        for number in range(count):
            for _ in range(11):
                value = f"value {int(rng.paretovariate(0.7)) % 200_000}"
                row = Mention(f"record-{number}", "content", 3, 9, "NAME", value, value, 0.5, why)
                handle.write(runs.mentions.encode(row))
    runs.to_parquet(path, path.with_suffix(".parquet"))
    kinds = schema.load("insurance")
    for file in (path, path.with_suffix(".parquet")):
        begin = process_time()
        table, _ = runs.mention_table(file, kinds.type_of)
        rate = len(table) / (process_time() - begin) / 1e6
        print(f"mentions table from {file.suffix[1:]:20} {rate:8.2f} million rows/s")


def measure(kind: str, path: Path, folder: Path) -> None:
    """Time one kind of file."""
    megabytes = size(path)
    print(f"{kind}: {megabytes:.0f} MB")

    outs = (folder / f"out-{kind}-{number}" for number in range(RUNS))

    def through() -> None:
        corpus.write(path, next(outs), masked(path), SETTINGS)

    report("  read", megabytes, lambda: deque(corpus.read(path, SETTINGS), maxlen=0))
    report("  read and write", megabytes, through)
    if kind == "jsonl":
        report("  json.loads and json.dumps", megabytes, lambda: plain(path, folder / "plain"))


def main() -> None:
    """Print the table."""
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 100_000
    with tempfile.TemporaryDirectory() as name:
        for kind, path in written(Path(name), count).items():
            measure(kind, path, Path(name))
        mentions(Path(name), count)


if __name__ == "__main__":
    main()
