"""Finds words that keep documents above the limit for linking, as mentions of type RARE_TERM.

Texts are read as the plan would leave them. Every attacker scores all of them, and the originals
say how likely it is right about each. A text above the limit may come under it if its nearest is
one that is hardly its person's. So such a text loses a word that it shares with the nearer ones,
and not with that one, as the attacker sees it who is most likely right: that with the largest
product of TF-IDF of the terms that this attacker compares, and of two texts the one that is further
above. Words of everyday, too: where nothing else is left in common, an attacker takes the nearest
by these. Texts are then scored anew, until none is above the limit or no word is left that helps. A
text loses at most a share of its words; words of everyday go after others, and words of answers to
the user's questions last. What is above the limit then is found by the certificate.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np

from linkmask.config import Settings
from linkmask.detect.lexicon import clusters
from linkmask.detect.lexicon.everyday import frequent_words
from linkmask.graph.linkage import Embed, ScoredPairs
from linkmask.graph.linkage.features import ATTACKERS, attacks, cosine_rows
from linkmask.graph.linkage.models import shift_of, shifted
from linkmask.graph.linkage.sentences import vectors_of
from linkmask.graph.linkage.terms import KINDS, OF_WORDS, WORD_BITS, CorpusTerms, read
from linkmask.pipeline.answers.questions import UserQuestion, asked_questions
from linkmask.pipeline.linkage.certificate import Owner, everything_read
from linkmask.pipeline.linkage.embedding import sentence_model
from linkmask.pipeline.linkage.left_texts import Readable, left_corpus
from linkmask.pipeline.linkage.readable_words import EVERYDAY, NUMBER_OR_WORD, add_words
from linkmask.pipeline.progress import CorpusCounts
from linkmask.pipeline.reading import Pair
from linkmask.records import Floats, Ints, Why
from linkmask.runs import Run
from linkmask.text.letters import plain_letters

WHY = Why("linkage", "limit")
SHARE = 0.5
"""Share of a text's words that are masked at most."""
ROUNDS = 20
"""How often texts are scored at most."""


def _nothing(number: int) -> Collection[str]:
    return ()


def has_limit(settings: Settings) -> bool:
    """Tell whether words are masked to reach a limit for linking."""
    return bool(settings.rare_terms) and settings.linking_limit < 1


def add_limit_words(
    pairs: Iterable[Pair],
    run: Run,
    settings: Settings,
    counted: CorpusCounts,
    fresh: Collection[str] | None = None,
) -> None:
    """Add words that keep some documents above the limit; arguments as of `add_topic_words`."""
    left = left_corpus(pairs, run, settings, counted, fresh, everyday=True)
    if len(left.documents) < 2:
        return
    model = sentence_model(settings)
    embed = model.embed if model else None
    originals = [everything_read(one) for one in left.documents]
    owner = Owner(originals, left.incidence, [one.id for one in left.documents], embed)
    settled = 0 if fresh is None else sum(one.id not in fresh for one in left.documents)
    asked = words_asked(asked_questions(settings), [one.id for one in left.documents])
    chosen = limit_words(left.texts, owner, settings.linking_limit, embed, settled, asked)
    add_words(run, zip(left.documents, left.places, chosen, strict=True), WHY)


def limit_words(
    texts: Sequence[Readable],
    owner: Owner,
    most: float,
    embed: Embed | None = None,
    settled: int = 0,
    asked: Callable[[int], Collection[str]] = _nothing,
) -> list[set[str]]:
    """Return the words to mask in each text.

    Args:
        owner: of the originals of these texts.
        most: limit in [0, 1] for the probability that a text's nearest is its person's.
        embed: as for `certificate`.
        settled: texts, the first ones, that stay as they are.
        asked: returns words of a text that stand in answers, by its number; they go last.
    """
    gone, everyday = [set[str]() for _ in texts], frequent_words(EVERYDAY)
    for _ in range(ROUNDS):
        shown = [one.without(sorted(own)) for one, own in zip(texts, gone, strict=True)]
        terms = read(shown, clusters.names)
        every = attacks(terms, owner.model.weights, vectors_of(shown, embed))
        seen, fresh = _Seen(terms), dict[int, str]()
        for text, near in _above(every, owner, most, settled):
            if len(gone[text]) >= int(SHARE * len(texts[text].words)):
                continue
            given_up = {fresh.get(other) for other in near.own.tolist()}
            may = texts[text].words.keys() - gone[text] - given_up
            free = may.difference(asked(text))
            for words in (free - everyday, free, may):
                if word := seen.most_telling(text, near, sorted(words)):
                    fresh[text] = word
                    break
        for text, word in fresh.items():
            gone[text].add(word)
        if not fresh:
            break
    return gone


def words_asked(
    questions: Sequence[UserQuestion], documents: Sequence[str]
) -> Callable[[int], Collection[str]]:
    """Return what tells the words of answers that a document gives, by its number.

    A question that names no document may be answered by any.
    """
    of = defaultdict[str, set[str]](set)
    for question in questions:
        words = {plain_letters(word).casefold() for word in NUMBER_OR_WORD.findall(question.answer)}
        for name in question.documents or [""]:
            of[name] |= words
    return lambda number: of[documents[number]] | of[""]


class _Near(NamedTuple):
    """Texts near to one above the limit: those that keep it there, and the nearest other one.

    `probability`: that the nearest is its person's. `kind`: of the terms that the attacker compares
    who sees them so.
    """

    own: Ints
    rival: int
    probability: float
    kind: str


def _above(
    attackers: Iterable[tuple[str, ScoredPairs]], owner: Owner, most: float, settled: int
) -> Iterator[tuple[int, _Near]]:
    """Yield the texts above the limit that may come under it, the furthest above first.

    Of the attackers, the one who is most likely right about a text counts.
    """
    found, known = dict[int, _Near](), np.zeros(0)
    for name, pairs in attackers:
        if not len(known):
            known = np.tile(owner.known(pairs.left, pairs.right), 2)
        kind = ATTACKERS.get(name, "").split(" ")[0]
        for text, near in _near(pairs, known, owner, most, kind if kind in KINDS else "word"):
            if text >= settled and (
                text not in found or near.probability > found[text].probability
            ):
                found[text] = near
    yield from sorted(found.items(), key=lambda one: (-one[1].probability, one[0]))


def _near(
    pairs: ScoredPairs, known: Floats, owner: Owner, most: float, kind: str
) -> Iterator[tuple[int, _Near]]:
    """Yield the texts above the limit that may come under it, as one attacker sees them.

    Args:
        known: how likely either text of a pair is rightly taken for the other's nearest.
    """
    text = np.concatenate([pairs.left, pairs.right])
    other = np.concatenate([pairs.right, pairs.left])
    scores = np.tile(pairs.scores, 2)
    order = np.lexsort((other, -scores, text))
    order = order[scores[order] > -np.inf]
    text, other, known = text[order], other[order], known[order]
    bounds = np.searchsorted(text, np.arange(pairs.texts + 1))
    compared = np.flatnonzero(np.diff(bounds))
    shift = shift_of(known[bounds[compared]], owner.model.known_share, owner.model.known_spread)
    sure = shifted(known, shift) * owner.another[text]
    over = sure > most
    for one in compared[over[bounds[compared]]].tolist():
        here = slice(bounds[one], bounds[one + 1])
        under = np.flatnonzero(~over[here])
        if len(under):
            near, rival = other[here][: under[0]], int(other[here][under[0]])
            yield one, _Near(near, rival, float(sure[bounds[one]]), kind)


class _Seen:
    """What words add to the similarity of texts, by the terms that an attacker compares."""

    def __init__(self, terms: CorpusTerms) -> None:
        self._terms = terms
        self._column = {word: number for number, word in enumerate(terms.spelled["word"])}
        self._kinds = dict[str, tuple[Any, Any]]()

    def most_telling(self, text: int, near: _Near, words: Sequence[str]) -> str:
        """Return the word that most brings a text nearer to its own than to its rival, "" if none.

        It is that with the largest sum of products of TF-IDF, over the terms that it has.
        """
        known = [word for word in words if word in self._column]
        if not known:
            return ""
        rows, has = self._of_kind(near.kind)
        own = rows[near.own].sum(axis=0) / len(near.own)
        apart = rows[[text]].toarray()[0] * (own - rows[[near.rival]].toarray()[0])
        gain = np.round(has[[self._column[word] for word in known]] @ apart, 9)
        best = int(gain.argmax())
        return known[best] if gain[best] > 0 else ""

    def _of_kind(self, kind: str) -> tuple[Any, Any]:
        """Return the TF-IDF of terms, and which word has which: sparse rows of texts, of words."""
        if kind not in self._kinds:
            rows = cosine_rows(self._terms.counts(kind))
            self._kinds[kind] = rows, self._words_with(kind, rows.shape[1])
        return self._kinds[kind]

    def _words_with(self, kind: str, size: int) -> Any:
        from scipy.sparse import csr_array, eye_array

        if kind in OF_WORDS:
            return self._terms.of_words[kind].sign()
        if kind != "phrase":
            return eye_array(size, format="csr")
        both = np.concatenate(np.divmod(self._terms.phrases, 1 << WORD_BITS))
        columns, ones = np.tile(np.arange(size), 2), np.ones(2 * size)
        return csr_array((ones, (both, columns)), shape=(len(self._column), size))
