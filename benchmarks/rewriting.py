"""How fast masked documents are written: megabytes per second on one core, from a plan.

    python benchmarks/rewriting.py [documents]        default: 100000

Documents of 80 words, each with the ten mentions a detector would hand over, four of them of masked
entities; more masked entities than documents, most in two spellings. They come in batches, as from
a run, and only their rewriting is timed, in seconds of processor time: every stored mention
written over, and every text searched for every spelling of every masked entity; then the same
without the search of other documents. The alternative, on some of the same documents in the same
run: one regular expression per document with the spellings found in it (formulas.md §10.1).
"""

from __future__ import annotations

import gc
import random
import re
import sys
from collections.abc import Iterator
from itertools import accumulate
from statistics import median
from time import process_time

from linkmask.cli.group import COLLECT_AFTER
from linkmask.config import Settings
from linkmask.records import CONTENT, Document, Mention, Why, entity_id
from linkmask.redact import Redactor, Target
from linkmask.redact.batch_size import BATCH

WORDS = 80
MENTIONS = 10
MASKED = 0.4
WHY = Why("generated")
MONTHS = """January February March April May June July August September October November
December""".split()
CONSONANTS, VOWELS = "bcdfghlmnprstvwz", "aeiou"


def words(rng: random.Random, count: int, sizes: tuple[int, ...]) -> list[str]:
    """Make up different words of some syllables each."""
    made: dict[str, None] = {}
    while len(made) < count:
        syllables = (
            rng.choice(CONSONANTS) + rng.choice(VOWELS) + rng.choice("nrst  ").strip()
            for _ in range(rng.choice(sizes))
        )
        made["".join(syllables)] = None
    return list(made)


def entity(rng: random.Random, given: list[str], family: list[str], common: list[str]) -> Target:
    """Make up one entity: a person, a date, a number, a clinic or a condition."""
    kind = rng.choice(
        (
            "NAME",
            "NAME",
            "EVENT_DATE",
            "PATIENT_ID",
            "PHONE_NUMBER",
            "PROVIDER",
            "MEDICAL_CONDITION",
        )
    )
    if kind == "NAME":
        a, b = rng.choice(given).title(), rng.choice(family).title()
        return Target(kind, [f"{a} {b}"], [f"{b}, {a}"])
    if kind == "EVENT_DATE":
        year, month, day = rng.randint(1940, 2025), rng.randint(1, 12), rng.randint(1, 28)
        return Target(kind, [f"{day} {MONTHS[month - 1]} {year}"], [f"{year}-{month:02}-{day:02}"])
    if kind == "PATIENT_ID":
        number = rng.randrange(10**7)
        return Target(kind, [f"PX-{number:07}"], [f"PX{number:07}"])
    if kind == "PHONE_NUMBER":
        number = rng.randrange(10**7)
        return Target(kind, [f"(415) 555-{number:07}"], [f"415-555-{number:07}"])
    if kind == "PROVIDER":
        name = rng.choice(family).title()
        return Target(kind, [f"{name} {rng.choice(family).title()} Clinic"], [f"Dr. {name}"])
    rare = common[1_000:]
    return Target(kind, [f"{rng.choice(rare)} {rng.choice(rare)}"], [])


Pair = tuple[Document, list[Mention]]


class Corpus:
    """A made-up corpus: entities, the masked ones among them, and documents in batches."""

    def __init__(self, size: int) -> None:
        self.size = size
        rng = random.Random(1)
        self.common = words(rng, 8_000, (1, 2, 2, 3, 3, 4))
        given, family = words(rng, 300, (2,)), words(rng, 20_000, (2, 3, 4))
        drawn = (entity(rng, given, family, self.common) for _ in range(4 * size))
        self.entities = list({one.surfaces[0]: one for one in drawn}.values())
        masked = int(len(self.entities) * MASKED)
        self.targets = {
            entity_id(f"value {number}", one.type): one._replace(value=f"value {number}")
            for number, one in enumerate(self.entities[:masked])
        }

    def batches(self) -> Iterator[list[Pair]]:
        """Yield the documents with their mentions; the same ones each time."""
        rng = random.Random(2)
        weights = list(accumulate(1 / (rank + 5) for rank in range(len(self.common))))
        for start in range(0, self.size, BATCH):
            numbers = range(start, min(start + BATCH, self.size))
            yield [self.document(rng, weights, str(number)) for number in numbers]

    def document(self, rng: random.Random, weights: list[float], name: str) -> Pair:
        """Make up one document and what was found in it."""
        text = rng.choices(self.common, cum_weights=weights, k=WORDS)
        places = set(rng.sample(range(WORDS), MENTIONS))
        mentions, parts, at = [], [], 0
        for place, plain in enumerate(text):
            word = plain
            if place in places:
                which = rng.randrange(len(self.entities))
                kind, (word, *_) = self.entities[which][:2]
                value, end = f"value {which}", at + len(word)
                mentions.append(Mention(name, CONTENT, at, end, kind, word, value, 0.9, WHY))
            parts.append(word + (". " if place % 12 == 11 else " "))
            at += len(parts[-1])
        return Document(name, "".join(parts)), mentions


def one_by_one(targets: dict[str, Target], document: Document, mentions: list[Mention]) -> str:
    """Rewrite as formulas.md §10.1 says it: one alternation per document, longest first."""
    types = {m.original: m.type for m in mentions if m.entity in targets}
    if not types:
        return document.content
    spelled = "|".join(
        rf"(?<!\w)(?<!\d[.,]){re.escape(s)}(?!\w)(?![.,]\d)"
        for s in sorted(types, key=len, reverse=True)
    )
    lower = {s.lower(): kind for s, kind in types.items()}
    return re.sub(spelled, lambda m: f"[{lower[m[0].lower()]}]", document.content, flags=re.I)


def characters(pairs: list[Pair]) -> int:
    """Return how much text there is; all of it is ASCII."""
    return sum(len(document.content) for document, _ in pairs)


def main(size: int) -> None:
    """Print megabytes per second, median over the batches."""
    gc.set_threshold(COLLECT_AFTER)  # as in a command
    corpus = Corpus(size)
    print(f"{size:,} documents, {len(corpus.targets):,} masked entities")
    for name, scope in (("mentions and sweep", "corpus"), ("mentions, own values", "documents")):
        start = process_time()
        redactor = Redactor(corpus.targets, Settings(scope=scope))
        built = process_time() - start
        rates, masks = [], 0
        for pairs in corpus.batches():
            start = process_time()
            masks += sum(len(masked.replacements) for masked in redactor.many(pairs))
            rates.append(characters(pairs) / 1e6 / (process_time() - start))
        print(f"{name:24}{median(rates):8.1f} MB/s   {masks:,} masks, built in {built:.2f} s")
    pairs = next(corpus.batches())
    start = process_time()
    for document, mentions in pairs:
        one_by_one(corpus.targets, document, mentions)
    rate = characters(pairs) / 1e6 / (process_time() - start)
    print(f"{'a regex per document':24}{rate:8.1f} MB/s")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 100_000)
