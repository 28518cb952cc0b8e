"""How fast detection reads: megabytes per second on one core, and whether time is linear.

    python benchmarks/detection.py [FOLDER] [--detector rules] [--parts] [--presidio PYTHON]
                                   [--new FOLDER]

The corpus is `examples/insurance`, repeated until it has a megabyte, each time with other figures
in its numbers, so that nothing is fast for having been seen before. Medians of five runs in one
process, in processor time of one core, with garbage in cycles looked for as seldom as a command
does, the passes and the finders timed alone (with `--parts` also
what the first pass does beside finding); then one text of growing length, where the rate must stay
the same. FOLDER: other documents (.json). `--detector`: another than `embedded`. `--presidio`: an
interpreter that has Presidio (`make bench-presidio` makes `.venv-presidio`), whose own English
rules, without a model, read the same documents, in a process of their own, in turns with ours.
`--new`: documents (.json) read after all others, once and then again: words and values asked before
are remembered, so that the first reading of a small corpus is slower than of a large one.
"""

from __future__ import annotations

import argparse
import gc
import json
import random
import subprocess
from collections import deque
from collections.abc import Callable, Iterator
from pathlib import Path
from statistics import median
from time import process_time

from msgspec.structs import replace

from linkmask import detect
from linkmask.cli.group import COLLECT_AFTER
from linkmask.config import Settings
from linkmask.detect import candidate_search
from linkmask.detect.candidates import Finder, Scope
from linkmask.detect.relevance import score
from linkmask.detect.relevance.discourse import document_context
from linkmask.detect.resolve import merge
from linkmask.detect.view.readings import Reading, schema_weights, scope_of
from linkmask.graph import entities
from linkmask.pipeline.detection.detector import TOGETHER
from linkmask.records import CONTENT, Document, Mention
from linkmask.testbench.defences import presidio_spans
from linkmask.workers import batches

EXAMPLES = Path(__file__).parents[1] / "examples" / "insurance"
RUNS = 5


def contents(folder: Path) -> list[str]:
    """Return the texts of a folder's documents, sorted."""
    records = [json.loads(path.read_text(encoding="utf-8")) for path in folder.rglob("*.json")]
    return sorted(record["content"] for record in records if "content" in record)


def corpus(folder: Path, megabytes: float = 1.0) -> list[Document]:
    """Read the folder's documents, again and again, until there is enough text."""
    texts = contents(folder)
    documents: list[Document] = []
    characters = 0
    while characters < megabytes * 1e6:
        figures = str.maketrans("56789", "".join(random.Random(characters).sample("56789", 5)))
        for text in texts:
            other = text.translate(figures)
            documents.append(Document(f"d{len(documents)}", other, {"format": "note"}))
            characters += len(text)
    return documents


def seconds(work: Callable[[], object], runs: int = RUNS) -> float:
    """Return the median time of several runs, after one that warms up."""
    times = []
    for _ in range(runs + 1):
        start = process_time()
        work()
        times.append(process_time() - start)
    return median(times[1:])


def first(documents: list[Document], settings: Settings) -> Iterator[list[Mention]]:
    """Run the first pass over a corpus, as many documents at a time as a run does."""
    for batch in batches(documents, TOGETHER, lambda one: len(one.content)):
        yield from detect.first_passes(batch, settings, entities.canonical)


def asked(find: Finder, read: list[tuple[str, Scope]]) -> None:
    """Ask a finder about all texts, as many at a time as a run does."""
    for batch in batches(read, TOGETHER, lambda one: len(one[0])):
        deque(map(list, candidate_search.ask(find, batch)), maxlen=0)


def line(name: str, characters: int, taken: float) -> None:
    """Print megabytes (a million characters) per second."""
    print(f"{name:34} {characters / taken / 1e6:8.2f} MB/s {taken:8.3f} s")


def report(name: str, characters: int, work: Callable[[], object]) -> None:
    """Time some work and print its line."""
    line(name, characters, seconds(work))


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", nargs="?", type=Path, default=EXAMPLES)
    parser.add_argument("--detector", default="embedded")
    parser.add_argument("--parts", action="store_true", help="also what is done beside finding")
    parser.add_argument("--presidio", metavar="PYTHON", help="interpreter that has Presidio")
    parser.add_argument("--new", metavar="FOLDER", type=Path, help="read once, then again")
    given = parser.parse_args()
    gc.set_threshold(COLLECT_AFTER)
    settings = Settings(detector=given.detector)
    documents = corpus(given.folder)
    size = sum(len(document.content) for document in documents)
    found = list(first(documents, settings))
    print(f"{len(documents)} documents, {size:,} characters, {sum(map(len, found)):,} mentions")
    # as in a run, which writes mentions away: to keep them all is to time the garbage collector
    report("first pass", size, lambda: deque(first(documents, settings), maxlen=0))
    scoped = [(document.content, scope_of(document, settings)) for document in documents]
    finders = detect.finders(settings.detector)
    for name, find in zip(detect.modules(settings.detector), finders, strict=True):
        report(f"  {name}", size, lambda find=find: asked(find, scoped))
    if given.parts:
        parts(documents, size, settings)
    words = detect.vocabulary(
        detect.value_statistics(mention for mentions in found for mention in mentions),
        len(documents) * 100,
        settings,
        entities.forms,
    )

    def second() -> None:
        for document, mentions in zip(documents, found, strict=True):
            detect.run_corpus_pass(document, mentions, words, settings, entities.canonical)

    report(f"corpus pass ({len(words)} spellings)", size, second)
    if given.presidio:
        presidio(given.presidio, documents, settings)
    text = "\n".join(document.content for document in documents)
    for times in (1, 2, 4):
        long = Document("long", text[: 250_000 * times], {})
        report(
            f"one text of {len(long.content):,} characters",
            len(long.content),
            lambda long=long: detect.first_pass(long, settings, entities.canonical),
        )
    if given.new:
        again(given.new, settings)


def again(folder: Path, settings: Settings) -> None:
    """Time the first reading of some documents, once, and the readings after it."""
    documents = [Document(f"n{n}", text, {}) for n, text in enumerate(contents(folder))]
    size = sum(len(document.content) for document in documents)
    list(first([Document("unclear", "12 34", {})], settings))  # loads what is asked for languages
    start = process_time()
    deque(first(documents, settings), maxlen=0)
    line(f"{len(documents)} never read, {size:,} characters", size, process_time() - start)
    report("  again", size, lambda: deque(first(documents, settings), maxlen=0))


def parts(documents: list[Document], size: int, settings: Settings) -> None:
    """Time what the first pass does beside finding, step by step."""
    scopes = [scope_of(document, settings) for document in documents]
    people = [document_context(*pair) for pair in zip(documents, scopes, strict=True)]
    finders, weights = detect.finders(settings.detector), schema_weights(settings)
    seen = [
        [one for find in finders for one in find(document.content, scope)]
        for document, scope in zip(documents, scopes, strict=True)
    ]
    spans = [merge(found, weights, settings.floor) for found in seen]
    rows = list(zip(documents, spans, people, strict=True))
    values = [(one.type, d.content[one.start : one.end]) for d, row, _ in rows for one in row]
    steps: dict[str, Callable[[], object]] = {
        "language": lambda: [scope_of(document, settings) for document in documents],
        "what it speaks of": lambda: [
            document_context(*pair) for pair in zip(documents, scopes, strict=True)
        ],
        "merge": lambda: [merge(found, weights, settings.floor) for found in seen],
        "relevance": lambda: [score(d.content, row, person) for d, row, person in rows],
        "values": lambda: [entities.canonical(*value) for value in values],
        "mentions": lambda: [
            Reading(CONTENT, "", d.content).mention(d.id, one, "", 0.5)
            for d, row, _ in rows
            for one in row
        ],
    }
    for name, step in steps.items():
        report(f"  {name}", size, step)


def presidio(python: str, documents: list[Document], settings: Settings) -> None:
    """Time Presidio's own rules over a fifth of the documents, in turns with ours."""
    some = documents[: len(documents) // 5]
    size = sum(len(document.content) for document in some)
    texts = "\n".join(json.dumps(document.content) for document in some)
    command = [python, "-I", str(presidio_spans.__file__)]
    rules = replace(settings, detector="rules")
    times: dict[str, list[float]] = {"presidio rules": [], "ours": [], "ours by rules": []}
    for _ in range(3):
        done = subprocess.run(command, input=texts, capture_output=True, text=True, check=True)
        times["presidio rules"].append(json.loads(done.stdout)["seconds"])
        times["ours"].append(seconds(lambda: deque(first(some, settings), maxlen=0), runs=1))
        times["ours by rules"].append(seconds(lambda: deque(first(some, rules), maxlen=0), runs=1))
    theirs = median(times["presidio rules"])
    for name, taken in times.items():
        line(f"{name}, on a fifth ({theirs / median(taken):.1f}x)", size, median(taken))


if __name__ == "__main__":
    main()
