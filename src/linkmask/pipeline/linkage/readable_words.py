"""Reads the terms of documents that rules leave readable, and adds some of them to the mentions.

A term is a word, or a value that was detected, of one word or of several.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Collection, Container, Iterable, Iterator, Sequence
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from linkmask import schema
from linkmask.config import Settings
from linkmask.corpus.column_names import words_of_labels
from linkmask.detect.lexicon.everyday import frequent_words
from linkmask.detect.patterns.own import allowed_spans
from linkmask.graph.linkage.terms import WORD
from linkmask.pipeline.values.earlier_masks import non_overlapping
from linkmask.records import Document, Mention, Why
from linkmask.runs import Run
from linkmask.schema import RARE_TERM
from linkmask.schema.types import AGE
from linkmask.text.letters import hash_of_word, plain_letters
from linkmask.text.message_form import messages

LETTERS = 3
"""Smallest number of characters of a word; shorter ones are mostly common abbreviations."""
NUMBER_OR_WORD = re.compile(rf"\d+(?:[.,'’]\d+)+|{WORD.pattern}")
_COLON = re.compile(r"[ \t]{0,3}:(?!//)")
_HEAD = re.compile(r"^[ \t]*\|[^|\n]*\|(?=[^|\n]*\|[ \t]*$)|^[^\n.|]{1,40}\.{4}", re.MULTILINE)
"""The first of two cells in a row of a table, or what stands before dots on a line of a form."""
LABEL = 20.0
"""Occurrences in a million from which a word there is one of a label, and no value."""
WHY = Why("linkage", "shared by few")

EVERYDAY = 300.0
"""Occurrences in a million words of a language from which a word is never rare."""

Place = tuple[str, int, int, str]
"""Field, start, end and spelling of a term."""
Places = dict[str, list[Place]]
"""Where each term of a document stands, by the term without case and accents."""
ChosenBy = Callable[[Document, Sequence[Mention]], tuple[Places, Collection[str]]]
"""Returns the words of a document, and those of them that are to be masked, by itself alone."""
Hashes = NDArray[np.uint64]
"""Values of a document, and words that are not of everyday, by hash: ascending, without repeats."""


def words_of_document(
    document: Document, mentions: Iterable[Mention], settings: Settings
) -> Places:
    """Return the words of a document's texts, without those in values that are masked by rule."""
    found: Places = {}
    for field, text in left_by_rules(document, mentions, settings):
        add_places(found, field, text)
    return found


def values_of_document(
    document: Document, mentions: Iterable[Mention], settings: Settings
) -> Places:
    """Return the values in a document's texts that are no everyday word, and masked by no rule."""
    found: Places = {}
    passed = {*settings.floor, *settings.generalize, RARE_TERM}
    for one in mentions:
        value = plain_letters(one.original).casefold()
        if (
            one.type not in passed
            and one.field in document.texts
            and value not in frequent_words(EVERYDAY)
        ):
            found.setdefault(value, []).append((one.field, one.start, one.end, one.original))
    return found


def hashes_of_document(
    document: Document, mentions: Sequence[Mention], settings: Settings
) -> Hashes:
    """Return the values of a document and its words by hash, without those of everyday."""
    spellings = set[str]()
    for _, text in left_by_rules(document, mentions, settings):
        if any(mark in text for mark in (":", "|", "....")):
            spellings.update(match.group() for match in _words_in(text))
        else:  # no word is a label
            spellings.update(NUMBER_OR_WORD.findall(text))
    hashes = {hash_of_spelling(one) for one in spellings} - {0}
    hashes.update(map(hash_of_word, values_of_document(document, mentions, settings)))
    return np.sort(np.fromiter(hashes, np.uint64, len(hashes)))


def rare_terms_of(
    document: Document, mentions: Sequence[Mention], common: Hashes, settings: Settings
) -> set[str]:
    """Return the same terms as they are folded, without those that are common."""
    words = {
        hash_of_spelling(spelling): plain_letters(spelling).casefold()
        for _, text in left_by_rules(document, mentions, settings)
        for spelling in {match.group() for match in _words_in(text)}
    }
    words |= {hash_of_word(one): one for one in values_of_document(document, mentions, settings)}
    known = np.isin(np.fromiter(words, np.uint64, len(words)), common).tolist()
    return {
        word
        for (key, word), is_common in zip(words.items(), known, strict=True)
        if key and not is_common
    }


def left_by_rules(
    document: Document, mentions: Iterable[Mention], settings: Settings
) -> Iterator[tuple[str, str]]:
    """Yield the fields of a document with blanks in place of what is masked by rule.

    And of what controls an exchange of messages, where no mask can stand, and of what an allow list
    names, where none is wanted.
    """
    by_rule = {*settings.floor, *settings.generalize}
    hidden: defaultdict[str, list[tuple[int, int]]] = defaultdict(list)
    for mention in mentions:
        if mention.type in by_rule or (mention.type == RARE_TERM and mention.why != WHY):
            hidden[mention.field].append((mention.start, mention.end))
        elif mention.type == AGE:  # of "48-year-old" the age is a value, and the rest a word
            hidden[mention.field].append((mention.end, mention.end + 1))
    kept = allowed_spans(document, settings)
    for field, text in document.fields():
        if field in document.texts:
            spans = hidden[field]
            spans += ((one.start, one.end) for one in kept(field))
            spans += (span for message in messages(text) for span in message.fixed)
            if "[" in text:
                marks = schema.placeholders(settings.entity_types.types)
                spans += (match.span() for match in marks.finditer(text))
            yield field, blank(text, spans)


def blank(text: str, spans: Iterable[tuple[int, int]]) -> str:
    """Return a text with blanks in place of spans, [start, end)."""
    parts, last = list[str](), 0
    for start, end in sorted(spans):
        if end > last:
            begin = max(start, last)
            parts += (text[last:begin], " " * (end - begin))
            last = end
    return "".join((*parts, text[last:]))


@lru_cache(maxsize=1 << 16)
def hash_of_spelling(spelling: str) -> int:
    """Return the hash of a word, the same for all its spellings; 0 if it can't be rare."""
    word = plain_letters(spelling).casefold()
    if len(word) < LETTERS or frequent_words(EVERYDAY).issuperset(word.split("-")):
        return 0
    return hash_of_word(word)


def _words_in(text: str) -> Iterator[re.Match[str]]:
    """Yield the words of a text, without those of labels: before a colon, and in heads of rows."""
    heads = iter(_HEAD.finditer(text))
    head = next(heads, None)
    for match in NUMBER_OR_WORD.finditer(text):
        while head and head.end() <= match.start():
            head = next(heads, None)
        in_head = head is not None and head.start() <= match.start()
        of_label = in_head or _COLON.match(text, match.end())
        if not (of_label and _in_labels(match.group())):
            yield match


@lru_cache(maxsize=1 << 12)
def _in_labels(word: str) -> bool:
    folded = plain_letters(word).casefold()
    return folded in frequent_words(LABEL) or folded in words_of_labels()


def add_places(places: Places, field: str, text: str) -> None:
    """Add the words of a field, and where they stand, to those of its document."""
    for match in _words_in(text):
        word = plain_letters(match.group()).casefold()
        if len(word) >= LETTERS:
            places.setdefault(word, []).append((field, *match.span(), match.group()))


def mentions_of_terms(
    document: Document, mentions: Sequence[Mention], chosen: Container[int], settings: Settings
) -> list[Mention]:
    """Return where terms of a document stand, given by hash, as mentions of type RARE_TERM.

    Of a word and a value that overlap, the longer one is returned.
    """
    terms = words_of_document(document, mentions, settings)
    for value, places in values_of_document(document, mentions, settings).items():
        terms[value] = sorted({*terms.get(value, ()), *places})
    found = _mentions(document, terms, [t for t in terms if hash_of_word(t) in chosen], WHY)
    return non_overlapping(found, ())


def add_words(run: Run, rows: Iterable[tuple[Document, Places, Collection[str]]], why: Why) -> None:
    """Add words of documents to a run's mentions.

    Args:
        rows: documents, each with its words and where they stand, and those that are added.
    """
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
