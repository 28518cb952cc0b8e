"""How fast masked documents are written: megabytes per second on one core, from a plan.

    python benchmarks/rewriting.py [documents]        default: 100000

Documents of 80 words, each with the mentions a detector would hand over (some of masked entities,
more of kept ones); about as many masked entities as documents, in two spellings each. Timed: every
stored mention written over, and a sweep of every document for every spelling of every masked
entity; then the same with stored mentions alone. The alternative, on a part of the same documents
in the same run: one regular expression per document with the spellings found in it (SPEC §9.2).
"""

from __future__ import annotations

import random
import re
import sys
from itertools import accumulate
from statistics import median
from time import perf_counter

from linkmask.config import Settings
from linkmask.records import CONTENT, Document, Mention, Why, entity_id
from linkmask.redact import Redactor, Target

RUNS = 3
WORDS = 80
MENTIONS = 10
MASKED = 0.4
WHY = Why("generated")
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
        year, day = rng.randint(1940, 2025), rng.randint(1, 28)
        return Target(kind, [f"{day} March {year}"], [f"{year}-03-{day:02}"])
    if kind == "PATIENT_ID":
        number = rng.randrange(10**7)
        return Target(kind, [f"PX-{number:07}"], [f"PX{number:07}"])
    if kind == "PHONE_NUMBER":
        number = rng.randrange(10**7)
        return Target(kind, [f"(415) 555-{number:07}"], [f"415-555-{number:07}"])
    if kind == "PROVIDER":
        name = rng.choice(family).title()
        return Target(kind, [f"{name} {rng.choice(family).title()} Clinic"], [f"Dr. {name}"])
    return Target(kind, [f"{rng.choice(common)} {rng.choice(common)}"], [])


def corpus(size: int) -> tuple[dict[str, Target], list[tuple[Document, list[Mention]]]]:
    """Make masked entities, and documents with their mentions."""
    rng = random.Random(1)
    common = words(rng, 8_000, (1, 2, 2, 3, 3, 4))
    given, family = words(rng, 300, (2,)), words(rng, 20_000, (2, 3, 4))
    entities = [entity(rng, given, family, common) for _ in range(3 * size)]
    values = [f"value {number}" for number in range(len(entities))]
    masked = int(len(entities) * MASKED)
    weights = list(accumulate(1 / (rank + 5) for rank in range(len(common))))
    pairs = []
    for number in range(size):
        text = rng.choices(common, cum_weights=weights, k=WORDS)
        places = set(rng.sample(range(WORDS), MENTIONS))
        mentions, parts, at = [], [], 0
        for place, plain in enumerate(text):
            word = plain
            if place in places:
                which = rng.randrange(len(entities))
                kind, (word, *_) = entities[which][:2]
                mentions.append(
                    Mention(
                        str(number),
                        CONTENT,
                        at,
                        at + len(word),
                        kind,
                        word,
                        values[which],
                        0.9,
                        WHY,
                    )
                )
            parts.append(word + (". " if place % 12 == 11 else " "))
            at += len(parts[-1])
        pairs.append((Document(str(number), "".join(parts)), mentions))
    targets = {entity_id(values[k], entities[k].type): entities[k] for k in range(masked)}
    return targets, pairs


def one_by_one(targets: dict[str, Target], document: Document, mentions: list[Mention]) -> str:
    """Rewrite as SPEC §9.2 says it: one alternation per document, longest first."""
    types = {m.original: m.type for m in mentions if m.entity in targets}
    if not types:
        return document.content
    spelled = "|".join(
        rf"(?<!\w)(?<!\d[.,]){re.escape(s)}(?!\w)(?![.,]\d)"
        for s in sorted(types, key=len, reverse=True)
    )
    lower = {s.lower(): kind for s, kind in types.items()}
    return re.sub(spelled, lambda m: f"[{lower[m[0].lower()]}]", document.content, flags=re.I)


def main(size: int) -> None:
    targets, pairs = corpus(size)
    megabytes = sum(len(document.content) for document, _ in pairs) / 1e6
    print(f"{size:,} documents, {megabytes:.1f} MB, {len(targets):,} masked entities")
    for name, scope, known in (
        ("stored mentions and sweep", "corpus", targets),
        ("documents' own values", "documents", targets),
    ):
        start = perf_counter()
        redactor = Redactor(known, Settings(scope=scope))
        built = perf_counter() - start
        times, spans = [], 0
        for _ in range(RUNS):
            start = perf_counter()
            spans = sum(len(masked.replacements) for masked in redactor.many(pairs))
            times.append(perf_counter() - start)
        rate = megabytes / median(times)
        print(f"{name:28} {rate:7.1f} MB/s   {spans:,} masks, built in {built:.2f} s")
    part = pairs[: max(1, size // 50)]
    start = perf_counter()
    for document, mentions in part:
        one_by_one(targets, document, mentions)
    rate = sum(len(document.content) for document, _ in part) / 1e6 / (perf_counter() - start)
    print(f"{'a regex per document':28} {rate:7.1f} MB/s")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 100_000)
