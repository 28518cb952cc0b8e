"""Mask folders of broken files with good ones beside them: is anything lost, or let out?

    python tests/mutated.py --files 10000 --seed 1 [--only FORMAT] [--from FILE] [--keep FOLDER]

Each batch is a folder of its own, masked by the whole command. Counts are printed; the exit status
is 1 where anything went wrong, and `--keep` keeps the folders in which it did. `--from` leaves out
the batches before that file: two processes may share the work.
"""

from __future__ import annotations

import argparse
import csv
import gzip
import hashlib
import io
import json
import random
import re
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import zipfile
import zlib
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

import pyarrow.parquet as pq

import trap_extractors
from mutations import FORMATS, LONE, ROWS, TABLES, Planted, mutate, mutate_within, seed

BATCH = 250
SECONDS = 300
"""Seconds of processor time after which a command is said to hang."""
WAIT = 3600
"""Seconds after which a command that only waits is said to hang: it may wait for a processor."""

CODINGS = ("utf-8", "utf-16-le")
"""How a text lies in the bytes of a file that is not compressed."""
WIDE = (b"\xff\xfe", b"\xfe\xff")
"""Marks of encodings in which a line end is no single byte."""


@dataclass
class Batch:
    """A folder of files: which are broken and how, which are good, what was planted where."""

    folder: Path
    mutated: dict[str, str] = field(default_factory=dict)
    good: dict[str, int] = field(default_factory=dict)
    planted: dict[str, list[Planted]] = field(default_factory=dict)


@dataclass
class Result:
    """What came of a batch: its counts, and what went wrong, a line each."""

    counts: Counter[str] = field(default_factory=Counter)
    wrong: list[str] = field(default_factory=list)


FORMATS_OF = {
    "all": tuple(FORMATS),
    "tables": TABLES,
    "documents": tuple(kind for kind in FORMATS if kind not in TABLES),
    **{kind: (kind,) for kind in FORMATS},
}
"""What `--only` takes → the formats that are broken."""


def make(
    folder: Path,
    files: int,
    rng: random.Random,
    first: int,
    good: bool = True,
    formats: Sequence[str] = tuple(FORMATS),
) -> Batch:
    """Write a batch; its planted values are numbered from `first`."""
    folder.mkdir(parents=True)
    batch = Batch(folder)
    for kind in FORMATS if good else ():
        sound = seed(kind, first)
        name = f"good-{kind.replace(' ', '-')}{sound.ending}"
        (folder / name).write_bytes(sound.data)
        batch.good[name] = 1 if kind in LONE else ROWS
        batch.planted[name] = sound.planted
        first += 1
    for number in range(files):
        kind = rng.choice(formats)
        sound = seed(kind, first + number)
        how, data = rng.choice((mutate, mutate_within))(sound.data, rng)
        name = f"m{number:05}{sound.ending}"
        (folder / name).write_bytes(data)
        batch.mutated[name] = f"{kind}: {how}"
        left = unpacked(data)
        batch.planted[name] = [
            p for p in sound.planted if any(p.line.encode(coding) in left for coding in CODINGS)
        ]
    return batch


def name_of(written: str) -> str:
    """Return the name of the file that was written as text or as a mail."""
    return re.sub(r"(?<=\.pdf|\.rtf)\.md$|(?<=\.msg)\.eml$", "", written)


def unpacked(data: bytes) -> bytes:
    """Return what is compressed, where it still can be unpacked."""
    try:
        return gzip.decompress(data) if data.startswith(b"\x1f\x8b") else data
    except (OSError, EOFError, zlib.error):
        return data


def mask(batch: Batch, out: Path, *options: str) -> subprocess.CompletedProcess[str]:
    """Run the whole command on a batch.

    Raises:
        subprocess.TimeoutExpired: it hung.
    """
    command = [sys.executable, "-m", "linkmask", "mask", batch.folder, "-o", out, *options]
    done = subprocess.run(
        list(map(str, command)), capture_output=True, text=True, timeout=WAIT, check=False,
        preexec_fn=partial(resource.setrlimit, resource.RLIMIT_CPU, (SECONDS, SECONDS)),
    )  # fmt: skip
    if done.returncode in (-signal.SIGXCPU, -signal.SIGKILL):
        raise subprocess.TimeoutExpired(command, SECONDS)
    return done


def lines_of(data: bytes) -> tuple[int, int]:
    """Count the lines without and with those of zero bytes alone.

    Such a line is half a line end in UTF-16, and a broken line in UTF-8.
    """
    found = [line.strip(b"\r ") for line in data.split(b"\n")]
    return sum(bool(line.strip(b"\0\r ")) for line in found), sum(map(bool, found))


def check(batch: Batch, out: Path, done: subprocess.CompletedProcess[str], before: str) -> Result:
    """See that a batch came out as promised."""
    result = Result()
    wrong = result.wrong.append
    if "Traceback" in done.stderr or done.returncode not in (0, 2):
        wrong(f"exit status {done.returncode}: {done.stderr[-600:]}")
    if digest(batch.folder) != before:
        wrong("the input was changed")
    released = {
        name_of(str(path.relative_to(out / "documents"))): path
        for path in (out / "documents").rglob("*")
        if path.is_file()
    }
    aside = Counter(name_of(line["file"]) for line in lines(out / "set-aside.jsonl"))
    for name, documents in batch.good.items():
        if name not in released or rows(released[name]) != documents:
            wrong(f"{name} is good, and is not released whole")
    for name, how in batch.mutated.items():
        result.counts["released" if name in released else "set aside"] += 1
        if name in released and aside[name]:
            result.counts["released in part"] += 1
        if name.endswith(".jsonl") and name in released:
            data = (batch.folder / name).read_bytes()
            least, most = lines_of(data)
            told = least <= rows(released[name]) + aside[name] <= most
            if not data.startswith(WIDE) and not told:
                wrong(f"{name}: not as many lines came out as went in ({how})")
        if name not in released and not aside[name]:
            wrong(f"{name} is neither released nor set aside ({how})")
    for name, path in released.items():
        text = readable(path)
        for one in batch.planted.get(name, ()):
            result.counts["planted values in released files"] += 1
            if one.value in text:
                wrong(f"{name}: a planted value is readable ({batch.mutated.get(name, 'good')})")
    return result


def lines(path: Path) -> list[dict[str, str]]:
    """Return the objects of a file of JSON lines; none where there is no file."""
    text = path.read_text(encoding="utf-8") if path.exists() else ""
    return [json.loads(line) for line in text.split("\n") if line]


def rows(path: Path) -> int:
    """Count the documents of a file that was written from a good one."""
    if path.suffix == ".parquet":
        return pq.read_metadata(path).num_rows
    if path.suffix == ".jsonl":
        return path.read_bytes().count(b"\n")
    if path.suffix in (".csv", ".tsv"):
        return path.read_bytes().count(b"1.5\r\n")
    if path.suffix == ".mbox":
        return path.read_bytes().count(b"Subject: a claim")
    if path.suffix == ".zip":
        return len(zipfile.ZipFile(path).namelist())
    return 1


def readable(path: Path) -> str:
    """Return all that can be read in a file that was written, but the ids that it came with."""
    if path.suffix == ".parquet":
        columns = pq.read_table(path).to_pydict()
        return "\n".join(str(cell) for name in columns if name != "id" for cell in columns[name])
    data = path.read_bytes()
    if path.suffix in (".docx", ".odt", ".zip", ".gz", ".eml", ".mbox", ".html", ".xml"):
        return trap_extractors.readable(path.name, data)
    wide = [data[odd:].decode("utf-16-le", "ignore") for odd in (0, 1)]
    return "\n".join([without_ids(path.suffix, data), *wide, data.decode("utf-32", "ignore")])


def without_ids(suffix: str, data: bytes) -> str:
    """Return a text of single bytes, without the ids where they can be told."""
    text = data.decode("utf-8-sig", "replace")
    if suffix in (".csv", ".tsv"):
        cells = csv.reader(
            io.StringIO(text, newline=""), delimiter="," if suffix == ".csv" else "\t"
        )
        try:
            header, *records = cells
        except (csv.Error, ValueError):
            return text
        pairs = [pair for row in records for pair in zip(header, row, strict=False)]
        rest = [cell for name, cell in pairs if name != "id"]
        return "\n".join([*header, *rest])
    lines = text.split("\n") if suffix == ".jsonl" else [text]
    return "\n".join(without_id(line) if suffix in (".json", ".jsonl") else line for line in lines)


def without_id(text: str) -> str:
    """Return a JSON object without its id, as text; what is none as it is."""
    try:
        record = json.loads(text)
    except ValueError:
        return text
    if isinstance(record, dict):
        record.pop("id", None)
    return str(record)


def digest(folder: Path) -> str:
    """Return what tells a folder's names and bytes from others."""
    whole = hashlib.sha256()
    for path in sorted(folder.rglob("*")):
        whole.update(path.name.encode() + b"\0")
        whole.update(path.read_bytes() if path.is_file() else b"")
    return whole.hexdigest()


def run(batch: Batch, out: Path, *options: str) -> Result:
    """Mask a batch and check what came of it."""
    before = digest(batch.folder)
    try:
        done = mask(batch, out, *options)
    except subprocess.TimeoutExpired:
        return Result(wrong=["it hung"])
    return check(batch, out, done, before)


def main() -> int:
    """Run as many batches as asked for; print the counts."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--files", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--from", type=int, default=0, dest="first")
    parser.add_argument("--only", choices=FORMATS_OF, default="all")
    parser.add_argument("--keep", type=Path)
    asked = parser.parse_args()
    counts: Counter[str] = Counter()
    failed = 0
    for start in range(asked.first // BATCH * BATCH, asked.files, BATCH):
        number = start // BATCH
        rng = random.Random(f"{asked.seed} {number}")
        with tempfile.TemporaryDirectory() as place:
            files = min(BATCH, asked.files - start)
            formats = FORMATS_OF[asked.only]
            batch = make(Path(place) / "in", files, rng, first=0, formats=formats)
            result = run(batch, Path(place) / "out", "--quiet", "--workers", "1")
            counts += result.counts + Counter({"files": files, "batches": 1})
            failed += bool(result.wrong)
            print(f"batch {number}: {files} files, {len(result.wrong)} wrong", flush=True)
            for line in result.wrong:
                print(f"    {line}", flush=True)
            if result.wrong and asked.keep:
                shutil.copytree(place, asked.keep / f"{asked.seed}-{number}")
    for name, count in sorted(counts.items()):
        print(f"{count:8,}  {name}")
    print(f"{failed:8,}  batches in which something went wrong")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
