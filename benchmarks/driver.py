"""What masking costs beside detection, in one process: memory and processor time by step.

    python benchmarks/driver.py [documents …]        default: 5000 20000

The corpus is that of benchmarks/endtoend.py. A stand-in for the first pass of detection knows its
sentences, so that a hundred thousand documents take minutes; all else is `linkmask mask` with one
worker: the corpus pass, the plan, the masks, the check, the release. Each size runs in a process of
its own, after a small corpus that loads what is loaded once. Memory is that of the process
(resident): after the step, and the most during it. The last lines give the growth per document
between the smallest and the largest size.
"""

from __future__ import annotations

import contextlib
import json
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import endtoend
from linkmask import detect
from linkmask.commands.mask import mask_files
from linkmask.config import Settings
from linkmask.pipeline.jobs.planner import Planner
from linkmask.records import Document, Mention, Why

SIZES = (5_000, 20_000)
FIRST = 300
"""Documents that are masked before anything is measured."""


def _any(texts: Sequence[str]) -> str:
    return "|".join(map(re.escape, sorted(texts, key=len, reverse=True)))


KINDS = {
    "EVENT_DATE": rf"(?:{_any(endtoend.MONTHS)}) \d{{1,2}}, \d{{4}}",
    "NON_PERSONAL_ID": r"CLM-\d+",
    "PHONE_NUMBER": r"\(207\) 555-\d{4}",
    "EMAIL": r"[a-z]+\d+@example\.org",
    "PROVIDER": r"Dr\. [A-Z][a-z]+ [A-Z][a-z]+"
    r"|[A-Z][a-z]{7,} (?:Clinic|Medical Center|Health Group)",
    "NAME": rf"(?:{_any(endtoend.FIRST)}) [A-Z][a-z]{{7,}}",
    "PATIENT_ID": r"\b[A-G]\d{6}\b",
    "MEDICAL_CONDITION": _any(endtoend.CONDITIONS),
    "TREATMENT": _any(endtoend.TREATMENTS),
    "INDIRECT_IDENTIFIER": rf"{_any(endtoend.JOBS)}|\d\d of 120 cases",
    "AGE": r"\b\d\d(?=-year-old)",
    "LOCATION": r"(?<=from )[A-Z][a-z]{7,}",
}
PATTERN = re.compile("|".join(f"(?P<{kind}>{pattern})" for kind, pattern in KINDS.items()))
SURE = {kind: Why("patterns", kind, 0.9) for kind in KINDS}


def first_passes(
    documents: Sequence[Document], settings: Settings, canonical: Callable[..., str]
) -> list[list[Mention]]:
    """Find what the corpus was made of; in place of `detect.first_passes`."""
    return [
        [
            Mention(
                one.id, "content", *hit.span(), kind, hit[0], canonical(kind, hit[0]),
                0.8 + hit.start() % 97 / 485, SURE[kind],
            )
            for hit in PATTERN.finditer(one.content)
            if (kind := hit.lastgroup or "")
        ]
        for one in documents
    ]  # fmt: skip


def memory(line: str) -> float:
    """Return a line of what the system says of this process, in megabytes."""
    lines = Path("/proc/self/status").read_text().splitlines()
    return next(int(one.split()[1]) for one in lines if one.startswith(line)) / 1e3


def measure(documents: int) -> dict[str, list[float]]:
    """Mask a corpus; return processor seconds and megabytes, after and at most, of each step."""
    steps: dict[str, list[float]] = {}
    step = Planner.step

    @contextlib.contextmanager
    def told(planner: Planner, name: str) -> Iterator[None]:
        Path("/proc/self/clear_refs").write_text("5")  # the peak begins anew
        begin = time.process_time()
        with step(planner, name):
            yield
        row = steps.setdefault(name, [0.0, 0.0, 0.0])
        row[0] += time.process_time() - begin
        row[1], row[2] = memory("VmRSS"), max(row[2], memory("VmHWM"))

    detect.first_passes = first_passes
    with tempfile.TemporaryDirectory() as folder:
        for number in (FIRST, documents):
            if number == documents:
                Planner.step = told  # type: ignore[method-assign]
            source = Path(folder) / f"{number}.jsonl"
            with source.open("w") as handle:
                handle.writelines(json.dumps(one) + "\n" for one in endtoend.corpus(number))
            mask_files(source, Path(folder) / f"out{number}", Settings(workers=1))
    return steps


def main(sizes: list[int]) -> None:
    """Print a table for each size, and the growth."""
    ran = {}
    for size in sizes:
        command = [sys.executable, __file__, "--one", str(size)]
        ran[size] = json.loads(subprocess.run(command, check=True, capture_output=True).stdout)
        print(f"{size:,} documents\n| Step | Processor time a document | Memory after | At most |")
        print("|---|---:|---:|---:|")
        for name, (seconds, after, most) in ran[size].items():
            print(f"| {name} | {seconds / size * 1e3:.2f} ms | {after:,.0f} MB | {most:,.0f} MB |")
    if len(sizes) > 1:
        few, many = min(sizes), max(sizes)
        print(f"from {few:,} to {many:,} documents, a document:")
        for name in ran[many]:
            after, most = (
                (ran[many][name][k] - ran[few][name][k]) / (many - few) * 1e3 for k in (1, 2)
            )
            print(f"  {name:10} {after:6.1f} kB after, {most:6.1f} kB at most")


if __name__ == "__main__":
    if sys.argv[1:2] == ["--one"]:
        print(json.dumps(measure(int(sys.argv[2]))))
    else:
        main([int(argument) for argument in sys.argv[1:]] or list(SIZES))
