"""Reads the words of documents that rules leave readable, and adds some of them to the mentions."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Container, Iterable, Sequence

from linkmask import schema
from linkmask.config import Settings
from linkmask.graph.linkage.terms import WORD
from linkmask.records import Document, Mention, Why
from linkmask.runs import Run
from linkmask.schema import RARE_TERM
from linkmask.text.letters import plain_letters

LETTERS = 3
"""Smallest number of characters of a word; shorter ones are mostly common abbreviations."""
NUMBER_OR_WORD = re.compile(rf"\d+(?:[.,'’]\d+)+|{WORD.pattern}")
WHY = Why("linkage", "shared by few")

Place = tuple[str, int, int, str]
"""Field, start, end and spelling of a word."""
Places = dict[str, list[Place]]
"""Where each word of a document stands, by the word without case and accents."""


def words_of_document(
    document: Document, mentions: Iterable[Mention], settings: Settings
) -> Places:
    """Return the words of a document's texts, without those in values that are masked by rule."""
    by_rule = {*settings.floor, *settings.generalize}
    placeholders = schema.placeholders(settings.entity_types.types)
    hidden: defaultdict[str, list[tuple[int, int]]] = defaultdict(list)
    for mention in mentions:
        if mention.type in by_rule or (mention.type == RARE_TERM and mention.why != WHY):
            hidden[mention.field].append((mention.start, mention.end))
    found: Places = {}
    for field, text in document.fields():
        if field in document.texts:
            masks = (m.span() for m in placeholders.finditer(text))
            add_places(found, field, blank(text, [*hidden[field], *masks]))
    return found


def blank(text: str, spans: Iterable[tuple[int, int]]) -> str:
    """Return a text with blanks in place of spans, [start, end)."""
    for start, end in spans:
        text = text[:start] + " " * (end - start) + text[end:]
    return text


def add_places(places: Places, field: str, text: str) -> None:
    """Add the words of a field, and where they stand, to those of its document."""
    for match in NUMBER_OR_WORD.finditer(text):
        word = plain_letters(match.group()).casefold()
        if len(word) >= LETTERS:
            places.setdefault(word, []).append((field, *match.span(), match.group()))


def rare_words_of(document: Document, common: Container[str]) -> set[str]:
    """Return the words of a document's texts that are rare."""
    folded = (
        plain_letters(match.group()).casefold()
        for _, text in document.fields()
        for match in NUMBER_OR_WORD.finditer(text)
    )
    return {word for word in folded if len(word) >= LETTERS and word not in common}


def add_words(
    run: Run,
    documents: Sequence[Document],
    words: Sequence[Places],
    chosen: Sequence[set[str]],
    why: Why,
) -> None:
    """Add words of documents to a run's mentions.

    Args:
        words: those of each document, and where they stand.
        chosen: those of each document that are added.
    """
    rows = zip(documents, words, chosen, strict=True)
    fresh = {
        document.id: _mentions(document, held, own, why) for document, held, own in rows if own
    }
    run.add_mentions(fresh)


def _mentions(document: Document, words: Places, chosen: Iterable[str], why: Why) -> list[Mention]:
    """Return a document's rare words as mentions of relevance 0."""
    return [
        Mention(document.id, field, start, end, RARE_TERM, original, word, 0.0, why)
        for word in sorted(chosen)
        for field, start, end, original in words[word]
    ]
