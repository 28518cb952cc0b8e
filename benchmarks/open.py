"""Opening a finished run: seconds and memory of `linkmask.open`, and of its first question.

    python benchmarks/open.py [documents …] [--keep FOLDER]        default: 10000 100000

A run is made of generated mentions, without texts: two documents of each person, eight mentions in
each (a name, a patient's number, a phone number, a birth date, a town, a condition, a provider, an
age); names are drawn from made-up syllables. It is planned with preset insurance, style pseudonym.
Printed are the first opening, which builds `lookup.arrays`, then the median of RUNS processes that
open the run and ask one question. Memory is the process's largest resident set, of which the
interpreter and the imports are shown apart. Last, PROCESSES processes hold the run open at once:
their memory is the mean proportional set size, in which a page that n share counts a n-th.
"""

from __future__ import annotations

import argparse
import json
import random
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from statistics import median
from time import perf_counter

import endtoend
from linkmask import load
from linkmask.detect import Vocabulary
from linkmask.pipeline.detection.stored_vocabulary import StoredVocabulary
from linkmask.pipeline.edition_state import keep_state
from linkmask.pipeline.jobs.planner import Planner
from linkmask.pipeline.redaction.corpus_redaction import Redaction
from linkmask.pipeline.word_index import WordIndex
from linkmask.records import Mention, Why
from linkmask.report import stored_release
from linkmask.runs import Run

RUNS = 3
PROCESSES = 10
SIZES = (10_000, 100_000)
SYLLABLES = (
    "ba be bi bo bru da den do fa fen gor ha hil jan ka kel lo lun ma mir na "
    "nor pel ra sil sta ta tor ul var wen zan"
).split()
WHY = Why("generated")
CHILD = """
import json, sys, time
def peak():
    lines = dict(line.split(":", 1) for line in open("/proc/self/status"))
    return int(lines["VmHWM"].split()[0]) / 1e3
import linkmask, linkmask.masker
imported = peak()
begin, used = time.perf_counter(), time.process_time()
masker = linkmask.open(sys.argv[1])
opened = time.perf_counter() - begin, peak()
used = time.process_time() - used
begin = time.perf_counter()
text = masker.mask_text(sys.argv[2]).text
asked = time.perf_counter() - begin, peak()
begin = time.perf_counter()
for _ in range(20): masker.mask_text(sys.argv[2])
again = (time.perf_counter() - begin) / 20
print(json.dumps([imported, *opened, *asked, again, used, text]))
"""

HOLDER = """
import sys, linkmask
masker = linkmask.open(sys.argv[1])
print("open", flush=True)
sys.stdin.read()
"""


def word(random_: random.Random) -> str:
    return "".join(random_.choices(SYLLABLES, k=3)).capitalize()


def mentions_of(number: int) -> Iterator[tuple[str, str, str]]:
    """Yield type, original and value of each mention of the person behind a document."""
    person = random.Random(number // 2)
    name = f"{word(person)} {word(person)}"
    yield "NAME", name, name.lower()
    code = f"PX-{person.randrange(10**9):09d}"
    yield "PATIENT_ID", code, code.replace("-", "").lower()
    phone = f"({person.randrange(200, 999)}) 555-{person.randrange(10**4):04d}"
    yield "PHONE_NUMBER", phone, "".join(filter(str.isdigit, phone))
    born = (
        f"19{person.randrange(30, 99)}-{person.randrange(1, 13):02d}-{person.randrange(1, 28):02d}"
    )
    yield "BIRTHDATE", born, born
    for kind, names, many in (("LOCATION", "town", 2000), ("MEDICAL_CONDITION", "ill", 500)):
        other = f"{names}{word(random.Random(f'{names}{person.randrange(many)}'))}"
        yield kind, other, other.lower()
    doctor = random.Random(f"dr{person.randrange(20_000)}")
    provider = f"{word(doctor)} {word(doctor)}"
    yield "PROVIDER", f"Dr. {provider}", provider.lower()
    yield "AGE", f"{person.randrange(20, 90)}-year-old", str(person.randrange(20, 90))


def make(folder: Path, documents: int) -> Path:
    """Write a run as `mask` leaves it, all its documents released."""
    settings = load(overrides={"style": "pseudonym"}, environment={})
    names = [f"document-{number}" for number in range(documents)]
    with Run.create(folder / "run", settings, source=folder, digest="") as run:
        run.write("key", [b"a key of generated runs alone\n"])
        with run.log("mentions") as log:
            for number, name in enumerate(names):
                log.add(
                    name,
                    [
                        Mention(name, "content", 0, len(original), kind, original, value, 0.7, WHY)
                        for kind, original, value in mentions_of(number)
                    ],
                )
            log.finish()
        planner = Planner(run, settings)
        planner.score()
        planner.plan()
        assert planner.chosen is not None
        digests = {name: sha256(name.encode()).hexdigest()[:16] for name in names}
        released = stored_release.ReleaseRecord(documents={"in.jsonl": names}, originals=digests)
        known = run, planner.analysis.incidence, planner.chosen, settings
        stored_release.store_released(*known, released)
        words = StoredVocabulary(run.path, Vocabulary({}))  # opening a run reads none
        redaction = Redaction(*known)
        keep_state(redaction, words, {}, WordIndex())
    return folder / "run"


def ask(run: Path, question: str) -> list[float]:
    command = [sys.executable, "-c", CHILD, str(run), question]
    found = json.loads(subprocess.run(command, check=True, capture_output=True).stdout)
    assert "[NAME_" in found.pop()
    return found


def held_by_many(run: Path) -> float:
    """Return the mean proportional set size of processes that hold a run open, in MB (Linux)."""
    command = [sys.executable, "-c", HOLDER, str(run)]
    held = [subprocess.Popen(command, stdin=-1, stdout=-1) for _ in range(PROCESSES)]
    try:
        for process in held:
            assert process.stdout is not None and process.stdout.readline()
        return sum(endtoend.resident(process.pid) for process in held) / PROCESSES
    finally:
        for process in held:
            process.communicate(b"")


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("documents", nargs="*", type=int, default=SIZES)
    parser.add_argument("--keep", type=Path)
    asked = parser.parse_args()
    for documents in asked.documents:
        with tempfile.TemporaryDirectory() as other:
            folder = (asked.keep or Path(other)) / str(documents)
            folder.mkdir(parents=True, exist_ok=True)
            begin = perf_counter()
            run = folder / "run" if (folder / "run").exists() else make(folder, documents)
            made = perf_counter() - begin
            name = next(iter(mentions_of(documents // 2)))[1]
            question = f"Is Ms. {name.lower()} covered?"
            built = ask(run, question) if not (run / "lookup.arrays").exists() else [0.0] * 7
            rows = [ask(run, question) for _ in range(RUNS)]
            base, opened, memory, first, peak, again, _ = map(median, zip(*rows, strict=True))
            size = (run / "lookup.arrays").stat().st_size / 1e6
            print(
                f"{documents:>9,} documents (run made in {made:.0f} s): lookup file "
                f"{size:,.0f} MB, built in {built[1]:.1f} s ({built[6]:.1f} s of the processor) "
                f"with {built[2]:,.0f} MB; "
                f"opened in {opened:.3f} s with {memory:.0f} MB (imports {base:.0f}); "
                f"first question {first:.2f} s, "
                f"{peak:.0f} MB; each further one {again * 1e3:.1f} ms; "
                f"{PROCESSES} at once: {held_by_many(run):.0f} MB each",
                flush=True,
            )


if __name__ == "__main__":
    main()
