"""Replaces each document by a form of generalized values alone: SAGE's idea by rules.

Stage 1: the five types of value that most documents of a format hold, filled with what kind of
thing the document's own values are (a decade of age, a month, a region, a chapter of diseases),
and common words of the text in the order of the alphabet. Stage 2: rules look at the result, and
everything is made coarser until they find nothing, at most `LEVELS` times. No model: it shows what
synthetic documents keep when nobody writes them, and does not stand for SAGE.
"""

from __future__ import annotations

import re
import tomllib
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache

from linkmask import schema
from linkmask.pipeline.detection.corpus_detection import languages
from linkmask.records import CONTENT, Document, Mention
from linkmask.redact.techniques import TECHNIQUES
from linkmask.testbench.defences.base import Defended
from linkmask.testbench.defences.builder import DefenceBuilder
from linkmask.testbench.defences.sage import ATTRIBUTES, format_of
from linkmask.testbench.indexes import words
from linkmask.testbench.measures import STOP
from linkmask.testbench.readable_values import pattern
from linkmask.testbench.synthetic_values import FOLDER
from linkmask.testbench.type_tables import TABLES

LEVELS = 5
"""Times a document is written, coarser each time."""
HELD = (2, 4, 8, 16)
"""By level: documents that must hold a word before it is kept; at the last level none is."""
LONGEST = 10
"""So many words in a row as in the original are too many (SAGE's own threshold)."""
ALIKE = 0.5
"""Jaccard similarity of letter trigrams above which a text is too near its original."""

COARSER: Mapping[str, Sequence[str]] = TABLES["sage_lite"]
"""How a value of a type is written, level by level; after the last one it is left out."""


@dataclass(frozen=True)
class SourceDocument:
    """A document with its values and language, and the words of it that are no part of a value."""

    document: Document
    mentions: Sequence[Mention]
    language: str
    loose: frozenset[str]


def sage_lite(replaced: bool) -> Callable[[DefenceBuilder], Defended]:
    """Return the rules as a defence; `replaced` as for SAGE."""

    def make(builder: DefenceBuilder) -> Defended:
        sources = _sources(builder)
        held = Counter(word for source in sources for word in source.loose)
        slots = slots_of(sources)
        written = [write(source, slots[format_of(source.document)], held) for source in sources]
        return Defended(
            [text for text, _, _ in written],
            characters=sum(map(len, builder.corpus.texts)),
            indexed=builder.corpus.texts if replaced else None,
            notes={
                "unsafe": float(sum(not safe for _, safe, _ in written)),
                "rounds": sum(rounds for _, _, rounds in written) / max(1, len(written)),
            },
        )

    return make


def _sources(builder: DefenceBuilder) -> list[SourceDocument]:
    scan = builder.scan("embedded")
    mentions = dict(scan.job.run.by_document("mentions"))
    spoken = languages(lambda: iter(builder.corpus.documents), scan.settings)
    sources = []
    for document in builder.corpus.documents:
        here = [m for m in mentions[document.id] if m.field == CONTENT]
        language = "fr" if spoken[document.id] == "fr" else "en"
        sources.append(SourceDocument(document, here, language, _loose(document.content, here)))
    return sources


def _loose(text: str, mentions: Sequence[Mention]) -> frozenset[str]:
    """Return the words of content outside all values."""
    parts, last = [], 0
    for start, end in sorted((m.start, m.end) for m in mentions):
        parts.append(text[last:start])
        last = max(last, end)
    found = words(" ".join([*parts, text[last:]]))
    return frozenset(w for w in found if len(w) > 3 and w.isalpha() and w not in STOP)


def slots_of(sources: Sequence[SourceDocument]) -> dict[str, list[str]]:
    """Return the types that most documents of each format hold; ties in the schema's order."""
    order = {name: n for n, name in enumerate(schema.load("insurance").types)}
    counts: dict[str, Counter[str]] = {}
    for source in sources:
        counts.setdefault(format_of(source.document), Counter()).update(
            {m.type for m in source.mentions if m.type in COARSER or m.type in _kinds()}
        )
    return {
        name: sorted(found, key=lambda kind: (-found[kind], order[kind]))[:ATTRIBUTES]
        for name, found in counts.items()
    }


def write(
    source: SourceDocument, slots: Sequence[str], held: Mapping[str, int]
) -> tuple[str, bool, int]:
    """Write a document anew, coarser until it is safe.

    Returns:
        The text, whether the rules found nothing, and how often it was written.
    """
    text = ""
    for level in range(LEVELS):
        text = _filled(source, slots, held, level)
        if safe(source, text):
            return text, True, level + 1
    return text, False, LEVELS


def _filled(
    source: SourceDocument, slots: Sequence[str], held: Mapping[str, int], level: int
) -> str:
    lines = [f"{format_of(source.document).capitalize()}."]
    for kind in slots:
        forms = [general(m, source.language, level) for m in source.mentions if m.type == kind]
        if values := sorted({value for value in forms if value}):
            lines.append(f"{kind.replace('_', ' ').capitalize()}: {', '.join(values)}.")
    if level < len(HELD):
        common = sorted(word for word in source.loose if held[word] >= HELD[level])
        if common:
            lines.append(f"Key points: {', '.join(common)}.")
    return " ".join(lines)


def general(mention: Mention, language: str, level: int) -> str | None:
    """Return the class of a value, coarser at each level; None if the value is left out."""
    if ways := COARSER.get(mention.type):
        way = TECHNIQUES[ways[level]] if level < len(ways) else None
        return way(mention.original, mention.value, language) if way else None
    if level >= LEVELS - 1:
        return None
    surface = mention.original.casefold()
    for kind, beginnings in _kinds().get(mention.type, {}).items():
        if any(re.search(rf"\b{re.escape(begin)}", surface) for begin in beginnings):
            return kind
    return None


@cache
def _kinds() -> Mapping[str, Mapping[str, Sequence[str]]]:
    return tomllib.loads((FOLDER / "kinds.toml").read_text(encoding="utf-8"))


def safe(source: SourceDocument, text: str) -> bool:
    """Check a synthetic text as SAGE's privacy agent should, by rules.

    No value of the document may be read in it, no long run of its words, and its letters must not
    be too much alike.
    """
    if any(pattern(m.type, m.original).search(text) for m in source.mentions):
        return False
    mine, its = words(text), words(source.document.content)
    return longest_run(mine, its) < LONGEST and _alike(" ".join(mine), " ".join(its)) < ALIKE


def longest_run(a: Sequence[str], b: Sequence[str]) -> int:
    """Return the length of the longest run of words that both have."""
    best, row = 0, [0] * (len(b) + 1)
    for word in a:
        row = [0, *(n + 1 if word == other else 0 for n, other in zip(row[:-1], b, strict=True))]
        best = max(best, *row)
    return best


def _alike(a: str, b: str) -> float:
    first, second = ({t[i : i + 3] for i in range(len(t) - 2)} for t in (a, b))
    return len(first & second) / max(1, len(first | second))
