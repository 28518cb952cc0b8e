"""The main job as a user runs it: seconds and peak memory of whole commands.

    python benchmarks/endtoend.py [documents]        default: 10000

A corpus of made-up persons in clusters of 1 to 8 documents, about 80 words each, one JSON file per
document and the same as one JSONL file. Each command runs in a process of its own; wall seconds
are the median of RUNS, memory is the largest sum over the process and its workers, pages that
they share counted once (PSS), sampled ten times a second. The number of documents that were set
aside is printed: none is expected to be, so the command ends with status 1 where one was.
"""

from __future__ import annotations

import json
import random
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Sequence
from pathlib import Path
from statistics import median

EXAMPLES = Path(__file__).parents[1] / "examples" / "insurance" / "documents"
RUNS = 3

FIRST = "Maren Tobias Aline Jorge Priya Colin Hedda Marek Sofia Owen Greta Luc Nadia Felix".split()
SYLLABLES = (
    "bar dol fen gri hol kes lam mor nov pel rus tam vel wen zor ash ber cor dun esk".split()
)
CONDITIONS = (
    "chronic pancreatitis, sarcoidosis, Marfan syndrome, bipolar disorder, stage III melanoma, "
    "rheumatoid arthritis, refractory epilepsy, type 2 diabetes, Crohn's disease, asthma, "
    "hemophilia A, multiple sclerosis, endometriosis, sleep apnea, atrial fibrillation"
).split(", ")
TREATMENTS = (
    "adalimumab, a hip replacement, lithium, pulmonary rehabilitation, an insulin pump, "
    "catheter ablation, infliximab infusions, cognitive behavioral therapy, a kidney transplant"
).split(", ")
JOBS = "beekeeper, crane operator, choir director, glass blower, tram driver, farrier".split(", ")
MONTHS = "January March May June August October November".split()
SENTENCES = (
    "{who}, a {age}-year-old {job} from {town}, was diagnosed with {condition} on {date}.",
    "Claim {claim} for {treatment} was filed at {clinic} and reviewed on {date}.",
    "The member (ID {member}) asked for a second opinion about {condition}.",
    "Dr. {doctor} of {clinic} recommended {treatment} and a follow-up visit within six weeks.",
    "The appeal was received on {date} and forwarded to the medical director for review.",
    "Please contact {who} at {phone} or write to {mail} before the hearing.",
    "Under the revised policy, prior authorization is needed for all procedures of this kind.",
    "Utilization of this service rose by {number} percent in the region during the last year.",
    "The panel noted that outcomes improved in {number} of 120 cases that were followed up.",
    "Coverage is limited to {number} sessions a year unless a specialist documents the need.",
    "The network directory was updated, and members will be informed by letter.",
)


def corpus(documents: int, seed: int = 1, sentences: int = 5) -> list[dict[str, object]]:
    """Make documents: persons with some documents each, general sentences between."""
    rng = random.Random(seed)
    records: list[dict[str, object]] = []
    while len(records) < documents:
        person = made_up(rng)
        for _ in range(min(rng.randint(1, 8), documents - len(records))):
            facts = person | {"number": rng.randint(5, 95)}
            if rng.random() < 0.5:
                facts |= {"date": date(rng), "treatment": rng.choice(TREATMENTS)}
            chosen = rng.sample(SENTENCES, sentences)
            text = " ".join(sentence.format(**facts) for sentence in chosen)
            metadata = {"format": "insurance_memo"}
            records.append({"id": f"doc{len(records)}", "metadata": metadata, "content": text})
    return records


def made_up(rng: random.Random) -> dict[str, object]:
    """Make a person up, with ids and contacts from ranges kept for fiction."""

    def name() -> str:
        return f"{rng.choice(FIRST)} {word(rng)}"

    who = name()
    return {
        "who": who,
        "age": rng.randint(19, 88),
        "job": rng.choice(JOBS),
        "town": word(rng),
        "condition": rng.choice(CONDITIONS),
        "treatment": rng.choice(TREATMENTS),
        "date": date(rng),
        "claim": f"CLM-{rng.randint(10**6, 10**7)}",
        "member": f"{rng.choice('ABCDEFG')}{rng.randint(10**5, 10**6)}",
        "doctor": name(),
        "clinic": f"{word(rng)} {rng.choice(['Clinic', 'Medical Center', 'Health Group'])}",
        "phone": f"(207) 555-01{rng.randint(10, 99)}",
        "mail": f"{who.split()[0].lower()}{rng.randint(1, 10**6)}@example.org",
    }


def word(rng: random.Random) -> str:
    """Make a proper name up."""
    return "".join(rng.choices(SYLLABLES, k=3)).capitalize()


def date(rng: random.Random) -> str:
    """Make a date of the last years up."""
    return f"{rng.choice(MONTHS)} {rng.randint(1, 28)}, {rng.randint(2018, 2025)}"


def measured(*args: object) -> tuple[float, float]:
    """Run a command; return its wall seconds and peak megabytes.

    Raises:
        RuntimeError: it failed (2, documents set aside or a limit unmet, is no failure here).
    """
    begin = time.perf_counter()
    process = subprocess.Popen(
        [sys.executable, "-m", "linkmask", *map(str, args)],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    peak = 0.0
    done = threading.Event()

    def watch() -> None:
        nonlocal peak
        while not done.wait(0.1):
            peak = max(peak, resident(process.pid))

    watcher = threading.Thread(target=watch)
    watcher.start()
    status = process.wait()
    done.set()
    watcher.join()
    if status not in (0, 2):
        raise RuntimeError(f"linkmask {args[0]} ended with {status}")
    return time.perf_counter() - begin, peak


def resident(root: int) -> float:
    """Return the megabytes of a process and its children, shared pages counted once (Linux)."""
    total, waiting = 0, [root]
    while waiting:
        pid = waiting.pop()
        try:
            lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
            waiting += map(int, Path(f"/proc/{pid}/task/{pid}/children").read_text().split())
        except OSError:
            continue
        total += next(int(line.split()[1]) for line in lines if line.startswith("Pss:"))
    return total / 1e3


def report(name: str, runs: Sequence[tuple[float, float]], aside: str = "") -> float:
    """Print one line: median seconds, largest memory, what was set aside; return the seconds."""
    seconds = median(s for s, _ in runs)
    print(f"{name:44} {seconds:8.2f} s {max(m for _, m in runs):8.0f} MB{aside}", flush=True)
    return seconds


def masked(name: str, source: Path, out: Path, *options: object) -> tuple[float, int]:
    """Mask RUNS times, print a line; return the median seconds and how many were set aside.

    Each run is new: `--overwrite` alone would go on from the detection of the last one.
    """
    runs, aside = [], 0
    for n in range(RUNS):
        folder = out.with_name(f"{out.name}{n}")
        runs.append(measured("mask", source, "-o", folder, *options))
        summary = json.loads((folder / "summary.json").read_text(encoding="utf-8"))
        aside = max(aside, summary["counts"]["set_aside"])
    return report(name, runs, f"{aside:8} set aside"), aside


def main() -> int:
    """Print the table; return 1 where a document was set aside."""
    documents = int(sys.argv[1]) if len(sys.argv) > 1 else 10_000
    with tempfile.TemporaryDirectory() as folder:
        source, out = Path(folder) / "in", Path(folder) / "out"
        source.mkdir()
        out.mkdir()
        records = corpus(documents)
        lines = [json.dumps(record) for record in records]
        for record, line in zip(records, lines, strict=True):
            (source / f"{record['id']}.json").write_text(line)
        jsonl = Path(folder) / "in.jsonl"
        jsonl.write_text("\n".join(lines) + "\n")
        print(f"{documents} documents, {sum(map(len, lines)) / 1e6:.1f} MB as JSON")
        report("linkmask --help", [measured("--help") for _ in range(RUNS)])
        sizes = f"mask, {documents} documents"
        _, few = masked("mask, 40 documents (examples/insurance)", EXAMPLES, out / "examples")
        _, files = masked(f"{sizes}, folder", source, out / "folder")
        seconds, rows = masked(f"{sizes}, JSONL", jsonl, out / "lines")
        policies = "--policy", "gdpr,hipaa,pci"
        ruled, by_policy = masked("the same with three policies", jsonl, out / "ruled", *policies)
        print(f"{'speed against plain masking':44} {seconds / ruled:8.2f}")
    return 1 if few + files + rows + by_policy else 0


if __name__ == "__main__":
    sys.exit(main())
