"""Finds words by which a document leads to a public text about its person (RARE_TERM).

An attacker who holds public texts (articles, a register, an earlier edition) looks for the text
that is most similar to a document, and takes its person for the document's. The original document
shows which text that is. Words that both share are masked in the document, those with the largest
weight first, until as many other public texts are at least as near as the settings ask for. The
person is then hidden among so many.

Each document is treated by itself, so its masks tell nothing about other documents.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from linkmask.config import Settings
from linkmask.config.detectors import folder_digest
from linkmask.corpus import Corpus
from linkmask.errors import InputError
from linkmask.graph.linkage.features import cosine_rows, holders
from linkmask.graph.linkage.terms import read
from linkmask.pipeline.linkage.readable_words import ChosenBy, Places, words_of_document
from linkmask.records import Document, Floats, Mention, SetAside, Why

WHY = Why("linkage", "leads to a public text")


class PublicTexts(NamedTuple):
    """Public texts as an attacker compares them.

    `rows`: a TF-IDF row of length 1 for each text. `column`: of each word. `idf`: of each column.
    """

    rows: Any
    column: Mapping[str, int]
    idf: Floats


def read_public(settings: Settings) -> PublicTexts:
    """Read the public texts of the settings, to compare documents with them.

    Raises:
        InputError: as `public_texts` says.
    """
    items = public_texts(settings)
    terms = read(items)
    counts = terms.counts("word")
    idf = np.log((1 + len(items)) / (1 + holders(counts)))
    column = {word: at for at, word in enumerate(terms.spelled["word"])}
    return PublicTexts(cosine_rows(counts).tocsc(), column, idf)


def public_texts(settings: Settings) -> list[str]:
    """Return the public texts of the settings: a file or folder of any format that linkmask reads.

    Raises:
        InputError: they are not those of the settings' digest, there are fewer than two, or one
            can't be read.
    """
    path = Path(settings.background).expanduser()
    if (digest := settings.background_digest) and path.exists() and folder_digest(path) != digest:
        raise InputError(
            f"{path}: the public texts are not those that the run began with: put these back, "
            "update the run, or begin another"
        )
    every = list(Corpus(path, Settings())())
    if unread := [item.document for item in every if isinstance(item, SetAside)]:
        raise InputError(
            f"{path}: {len(unread)} of {len(every)} texts can't be read, first {unread[0]!r}; "
            "remove them from the background, or mend them"
        )
    items = [item.text for item in every if isinstance(item, Document)]
    if len(items) < 2:
        raise InputError(
            f"{path}: a background takes two texts or more, there are {len(items)}; in tables and "
            "JSON lines a text stands in `content`"
        )
    return items


def leading_words(settings: Settings) -> ChosenBy:
    """Return what chooses the words by which a document leads to public texts.

    Raises:
        InputError: as `public_texts` says.
    """
    public = read_public(settings)

    def chosen(document: Document, mentions: Sequence[Mention]) -> tuple[Places, set[str]]:
        own = words_of_document(document, mentions, settings)
        whole = words_of_document(document, (), settings)
        before, after = (
            {word: len(places) for word, places in some.items()} for some in (whole, own)
        )
        return own, leading(before, after, public, settings.candidates)

    return chosen


def leading(
    before: Mapping[str, int], after: Mapping[str, int], public: PublicTexts, candidates: int
) -> set[str]:
    """Return the words to mask in a text, so that it leads to no public text any more.

    After that, `candidates` other texts are at least as near as the one that was the nearest, or
    the text shares nothing with that one.

    Args:
        before, after: how often the text holds each word, as it was and without what is masked.
    """
    near = int(_near(before, public).argmax())
    readable, masked = dict(after), set[str]()
    while True:
        shared = [word for word in readable if word in public.column]
        columns = [public.column[word] for word in shared]
        held = public.rows[:, columns].toarray()
        weight = (1 + np.log([readable[word] for word in shared])) * public.idf[columns]
        score = np.round(held @ weight, 9)
        others = np.delete(score, near)
        if score[near] <= 0 or np.count_nonzero(others >= score[near]) >= candidates:
            return masked
        rivals = np.argsort(-np.where(np.arange(len(score)) == near, -1, score), kind="stable")
        gain = weight * (held[near] - held[rivals[:candidates]].mean(axis=0))
        gain[held[near] <= 0] = -np.inf
        word = shared[int(gain.argmax())]
        masked.add(word)
        del readable[word]


def _near(words: Mapping[str, int], public: PublicTexts) -> Floats:
    """Return the similarity of a text to each public one: their cosine times the text's length."""
    counts = Counter({public.column[word]: n for word, n in words.items() if word in public.column})
    columns = list(counts)
    weight = (1 + np.log([counts[column] for column in columns])) * public.idf[columns]
    return np.asarray(np.round(public.rows[:, columns] @ weight, 9))
