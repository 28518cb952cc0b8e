"""Reads the texts of a corpus as its plan would leave them, as an attacker reads a release."""

from __future__ import annotations

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import NamedTuple

import msgspec

from linkmask.config import Settings
from linkmask.detect.lexicon.everyday import frequent_words
from linkmask.detect.patterns.own import allowed_spans
from linkmask.graph.linkage.terms import placeholders
from linkmask.pipeline.linkage.readable_words import EVERYDAY, Places, add_places, blank
from linkmask.pipeline.linkage.related_documents import numbers_in
from linkmask.pipeline.planning.scoring import analyse, choose
from linkmask.pipeline.progress import CorpusCounts
from linkmask.pipeline.reading import Pair
from linkmask.pipeline.redaction.corpus_redaction import Redaction
from linkmask.records import Document, Incidence, Masked, Replacement
from linkmask.runs import Run
from linkmask.text.message_form import messages

Span = tuple[int, int]


class Readable(NamedTuple):
    """A text as an attacker reads it, and where each word that may be masked stands in it.

    `beside`: what the document says in fields that are no text, such as its metadata.
    """

    text: str
    words: Mapping[str, Sequence[Span]]
    beside: str = ""

    def without(self, words: Iterable[str]) -> str:
        """Return all that can be read if some of the words are masked."""
        spans = (span for word in words for span in self.words[word])
        return f"{blank(self.text, spans)}\n\n{self.beside}"


class LeftCorpus(NamedTuple):
    """The documents of a corpus, and of each what a plan leaves and where its words stand.

    `incidence`: of these documents, in the same order.
    """

    documents: Sequence[Document]
    texts: Sequence[Readable]
    places: Sequence[Places]
    incidence: Incidence


def left_corpus(
    pairs: Iterable[Pair],
    run: Run,
    settings: Settings,
    counted: CorpusCounts,
    fresh: Collection[str] | None = None,
    everyday: bool = False,
) -> LeftCorpus:
    """Return the documents of a corpus as its plan leaves them; those of `fresh` come last.

    Args:
        everyday: whether words of everyday may be masked.
    """
    analysis = analyse(run, settings, counted)
    plain = msgspec.structs.replace(settings, style="value", styles={})
    redactor = Redaction(run, analysis.incidence, choose(run, analysis, plain), plain).redactor
    if fresh is not None:
        pairs = sorted(pairs, key=lambda pair: pair[0].id in fresh)
    documents, texts, places = list[Document](), list[Readable](), list[Places]()
    for document, mentions in pairs:
        shown, where = as_left(redactor(document, mentions), settings, everyday)
        documents.append(document)
        texts.append(shown)
        places.append(where)
    names = [one.id for one in documents]
    part = analysis.incidence.part(numbers_in(analysis.incidence, names))
    return LeftCorpus(documents, texts, places, part)


def as_left(masked: Masked, settings: Settings, everyday: bool = False) -> tuple[Readable, Places]:
    """Return a masked document as an attacker reads it, and its words in the original's offsets.

    What is written coarser stays in the text. Its words may not be masked, nor may what an allow
    list names, what gives a message its form, and words of everyday, unless `everyday` is true.
    """
    texts_of = masked.original.texts
    kept_words, marks = () if everyday else frequent_words(EVERYDAY), placeholders()
    parts, length, places = list[str](), 0, Places()
    spans = defaultdict[str, list[Span]](list)
    replaced = defaultdict[str, list[Replacement]](list)
    for one in masked.replacements:
        replaced[one.field].append(one)
    kept = allowed_spans(masked.original, settings)
    for field, text in masked.original.fields():
        if field not in texts_of:
            continue
        gone = replaced[field]
        hidden = [(one.start, one.end) for one in gone]
        hidden += [match.span() for match in marks.finditer(text)]
        hidden += [(one.start, one.end) for one in kept(field)]
        hidden += [span for message in messages(text) for span in message.fixed]
        here = Places()
        add_places(here, field, blank(text, hidden))
        shown, last = list[str](), 0
        begins, shift = [-1], [0]
        for one in gone:
            unmarked = marks.sub(" ", one.text)
            shown += [text[last : one.start], unmarked]
            begins.append(one.end)
            shift.append(shift[-1] + len(unmarked) - (one.end - one.start))
            last = one.end
        shown.append(text[last:])
        for word, found in here.items():
            if word in kept_words:
                continue
            places.setdefault(word, []).extend(found)
            for _, start, end, _ in found:
                moved = length + shift[bisect_right(begins, start) - 1]
                spans[word].append((start + moved, end + moved))
        parts.append("".join(shown))
        length += len(parts[-1]) + 1
    left = "\n".join(parts)
    masks = [match.span() for match in marks.finditer(left)]
    beside = (text for field, text in masked.written.every_field() if field not in texts_of)
    return Readable(blank(left, masks), spans, "\n\n".join(filter(None, beside))), places
