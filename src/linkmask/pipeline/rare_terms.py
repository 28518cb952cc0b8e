"""Rare words that link a person's documents, as mentions of type RARE_TERM.

A word that few documents hold tells which of them belong together (search-based linkage). No two
documents may share such a word that are linked by their values, or that the linker, reading the
originals, takes for one person's; it is masked in one of the two, and can be read in the other.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations

from linkmask import schema
from linkmask.config import Settings
from linkmask.detect.ner import clusters
from linkmask.graph.linkage import models, score_texts
from linkmask.graph.linkage.terms import WORD
from linkmask.pipeline.progress import CorpusCounts, Source
from linkmask.pipeline.reading import with_mentions
from linkmask.pipeline.redaction import add_mentions
from linkmask.pipeline.scoring import analyse
from linkmask.records import Document, Mention, SetAside, Why
from linkmask.runs import Run
from linkmask.schema import RARE_TERM
from linkmask.text.letters import plain_letters

LIKELY = 0.3
"""Probability from which the linker takes two originals for one person's."""
LETTERS = 3
"""Characters from which a word can be told from an abbreviation that everybody uses."""
NUMBER_OR_WORD = re.compile(rf"\d+(?:[.,'’]\d+)+|{WORD.pattern}")
WHY = Why("linkage", "shared by few")

Place = tuple[str, int, int, str]
"""Field, start, end and spelling of a word."""
Places = dict[str, list[Place]]
"""Where each word of a document stands, by the word without case and accents."""


def add_rare_terms(source: Source, run: Run, settings: Settings, counted: CorpusCounts) -> None:
    """Add rare words that link documents to a run's mentions, unless it has some already."""
    if any(mention.type == RARE_TERM for mention in run.mentions()):
        return
    documents, words = list[Document](), list[Places]()
    for item in with_mentions(source, run, "mentions", counted):
        if not isinstance(item, SetAside):
            documents.append(item[0])
            words.append(_words(*item, settings))
    if len(documents) > 1:
        linked = _linked([one.text for one in documents])
        number = {document.id: n for n, document in enumerate(documents)}
        analysis = analyse(run, settings, counted)
        names, links = analysis.incidence.documents, analysis.risk.links
        for one, other in zip(links.left.tolist(), links.right.tolist(), strict=True):
            if names[one] in number and names[other] in number:
                first, second = sorted((number[names[one]], number[names[other]]))
                linked[first].add(second)
        chosen = shared_by_few(words, linked, settings.rare_terms)
        rows = zip(documents, words, chosen, strict=True)
        fresh = {document.id: _mentions(document, held, own) for document, held, own in rows if own}
        add_mentions(run, fresh)


def _words(document: Document, mentions: Iterable[Mention], settings: Settings) -> Places:
    """Return the words of a document's texts but for those in values that are masked by rule."""
    by_rule = {*settings.floor, *settings.generalize}
    placeholders = schema.placeholders(settings.entity_types.types)
    hidden: defaultdict[str, list[tuple[int, int]]] = defaultdict(list)
    for mention in mentions:
        if mention.type in by_rule:
            hidden[mention.field].append((mention.start, mention.end))
    found: Places = {}
    for field, text in document.fields():
        if field not in document.texts:
            continue
        left = text
        for start, end in [*hidden[field], *(m.span() for m in placeholders.finditer(text))]:
            left = left[:start] + " " * (end - start) + left[end:]
        for match in NUMBER_OR_WORD.finditer(left):
            word = plain_letters(match.group()).casefold()
            if len(word) >= LETTERS:
                found.setdefault(word, []).append((field, *match.span(), match.group()))
    return found


def _linked(texts: Sequence[str]) -> defaultdict[int, set[int]]:
    """Return for each text the later ones that the linker takes for its person's."""
    pairs = score_texts(texts, clusters.names)
    likely = models.shipped().probabilities(pairs) >= LIKELY
    linked: defaultdict[int, set[int]] = defaultdict(set)
    for one, other in zip(pairs.left[likely].tolist(), pairs.right[likely].tolist(), strict=True):
        linked[one].add(other)
    return linked


def shared_by_few(
    words: Sequence[Mapping[str, Sequence[Place]]], linked: Mapping[int, set[int]], most: int
) -> list[set[str]]:
    """Return the words to mask in each text, so that no two linked texts share a rare one.

    A word is rare that at most `most` texts hold. Of a word's texts those go first that share it
    with the most others, then the one of most words, which loses least by it.

    Args:
        words: of each text.
        linked: for a text the later ones that it must share no rare word with.
    """
    holders: defaultdict[str, list[int]] = defaultdict(list)
    for text, held in enumerate(words):
        for word in held:
            holders[word].append(text)
    masked: list[set[str]] = [set() for _ in words]
    for word, texts in holders.items():
        if len(texts) > most:
            continue
        shared = [(a, b) for a, b in combinations(texts, 2) if b in linked.get(a, ())]
        while shared:
            count = Counter(text for pair in shared for text in pair)
            first = min(count, key=lambda text: (-count[text], -len(words[text]), text))
            masked[first].add(word)
            shared = [pair for pair in shared if first not in pair]
    return masked


def _mentions(document: Document, words: Places, chosen: Iterable[str]) -> list[Mention]:
    """Return a document's rare words; none says anything of its person by itself."""
    return [
        Mention(document.id, field, start, end, RARE_TERM, original, word, 0.0, WHY)
        for word in sorted(chosen)
        for field, start, end, original in words[word]
    ]
