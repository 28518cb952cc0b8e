"""How fast detection reads: megabytes per second on one core, and whether time is linear.

    python benchmarks/detection.py [--parts] [rules] [FOLDER of .json documents]

The corpus is `examples/insurance`, repeated until it has a megabyte, each time with other figures
in its numbers, so that nothing is fast for having been seen before. Medians of five runs in one
process, in processor time of one core, the passes and the finders timed alone (with `--parts` also
what the first pass does beside finding); then one text of growing length, where the rate must stay
the same. Where Presidio is installed its own rules read the same texts.
"""

from __future__ import annotations

import json
import random
import sys
from collections import deque
from collections.abc import Callable, Iterator
from pathlib import Path
from statistics import median
from time import process_time

from linkmask import detect
from linkmask.config import Settings
from linkmask.detect.found import Scope
from linkmask.detect.merge import merge
from linkmask.detect.reading import Reading, schema_weights, scope_of
from linkmask.detect.relevance import about, score
from linkmask.graph import entities
from linkmask.records import CONTENT, Document, Mention
from linkmask.workers import BATCH

EXAMPLES = Path(__file__).parents[1] / "examples" / "insurance"
RULES = "rules" in sys.argv
SETTINGS = Settings(detector="rules" if RULES else "embedded")
"""With the word `rules` the trained model is left out."""
RUNS = 5


def corpus(folder: Path, megabytes: float = 1.0) -> list[Document]:
    """Read the folder's documents, again and again, until there is enough text."""
    records = [json.loads(path.read_text(encoding="utf-8")) for path in folder.rglob("*.json")]
    texts = sorted(record["content"] for record in records if "content" in record)
    documents: list[Document] = []
    characters = 0
    while characters < megabytes * 1e6:
        figures = str.maketrans("56789", "".join(random.Random(characters).sample("56789", 5)))
        for text in texts:
            other = text.translate(figures)
            documents.append(Document(f"d{len(documents)}", other, {"format": "note"}))
            characters += len(text)
    return documents


def seconds(work: Callable[[], object]) -> float:
    """Return the median time of several runs, after one that warms up."""
    times = []
    for _ in range(RUNS + 1):
        start = process_time()
        work()
        times.append(process_time() - start)
    return median(times[1:])


def first(documents: list[Document]) -> Iterator[list[Mention]]:
    """Run the first pass over a corpus, as many documents at a time as a run does."""
    for at in range(0, len(documents), BATCH):
        yield from detect.first_passes(documents[at : at + BATCH], SETTINGS, entities.canonical)


def report(name: str, characters: int, work: Callable[[], object]) -> None:
    """Print one line: megabytes (a million characters) per second."""
    taken = seconds(work)
    print(f"{name:34} {characters / taken / 1e6:8.2f} MB/s {taken:8.3f} s")


def main() -> None:
    """Print the table."""
    folders = [Path(given) for given in sys.argv[1:] if given not in ("--parts", "rules")]
    documents = corpus(folders[0] if folders else EXAMPLES)
    size = sum(len(document.content) for document in documents)
    found = list(first(documents))
    print(f"{len(documents)} documents, {size:,} characters, {sum(map(len, found)):,} mentions")
    # as in a run, which writes mentions away: to keep them all is to time the garbage collector
    report("first pass", size, lambda: deque(first(documents), maxlen=0))
    kind = SETTINGS.detector
    for name, find in zip(detect.DETECTORS[kind], detect.finders(kind), strict=True):
        report(
            f"  {name}", size, lambda find=find: [list(find(d.content, Scope())) for d in documents]
        )
    if "--parts" in sys.argv:
        parts(documents, size)
    words = detect.vocabulary(
        (mention for mentions in found for mention in mentions),
        len(documents) * 100,
        SETTINGS,
        entities.forms,
    )

    def second() -> None:
        for document, mentions in zip(documents, found, strict=True):
            detect.second_pass(document, mentions, words, SETTINGS, entities.canonical)

    report(f"second pass ({len(words)} spellings)", size, second)
    presidio(documents, size)
    text = "\n".join(document.content for document in documents)
    for times in (1, 2, 4):
        long = Document("long", text[: 250_000 * times], {})
        report(
            f"one text of {len(long.content):,} characters",
            len(long.content),
            lambda long=long: detect.first_pass(long, SETTINGS, entities.canonical),
        )


def parts(documents: list[Document], size: int) -> None:
    """Time what the first pass does beside finding, step by step."""
    scopes = [scope_of(document, SETTINGS) for document in documents]
    people = [about(*pair) for pair in zip(documents, scopes, strict=True)]
    finders, weights = detect.finders("embedded"), schema_weights(SETTINGS)
    seen = [
        [one for find in finders for one in find(document.content, scope)]
        for document, scope in zip(documents, scopes, strict=True)
    ]
    spans = [merge(found, weights, SETTINGS.floor) for found in seen]
    rows = list(zip(documents, spans, people, strict=True))
    values = [(one.type, d.content[one.start : one.end]) for d, row, _ in rows for one in row]
    steps: dict[str, Callable[[], object]] = {
        "language": lambda: [scope_of(document, SETTINGS) for document in documents],
        "what it speaks of": lambda: [about(*pair) for pair in zip(documents, scopes, strict=True)],
        "merge": lambda: [merge(found, weights, SETTINGS.floor) for found in seen],
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


def presidio(documents: list[Document], size: int) -> None:
    """Time Presidio's own rules, without a language model, where it is installed."""
    try:
        from presidio_analyzer import AnalyzerEngine, RecognizerRegistry
        from presidio_analyzer.nlp_engine import NlpArtifacts, NlpEngine
    except ImportError:
        print(f"{'presidio rules':34} not installed here")
        return

    class NoModel(NlpEngine):
        def load(self) -> None: ...
        def is_loaded(self) -> bool:
            return True

        def process_text(self, text: str, language: str) -> NlpArtifacts:
            return NlpArtifacts([], [], [], [], self, language)

        def process_batch(self, texts, language, **_):  # type: ignore[no-untyped-def]
            return ((text, self.process_text(text, language)) for text in texts)

        def is_stopword(self, word: str, language: str) -> bool:
            return False

        def is_punct(self, word: str, language: str) -> bool:
            return not word.isalnum()

        def get_supported_entities(self) -> list[str]:
            return []

        def get_supported_languages(self) -> list[str]:
            return ["en"]

    registry = RecognizerRegistry()
    registry.load_predefined_recognizers(languages=["en"])
    engine = AnalyzerEngine(registry=registry, nlp_engine=NoModel())
    report(
        "presidio rules",
        size,
        lambda: [engine.analyze(d.content, language="en") for d in documents],
    )


if __name__ == "__main__":
    main()
