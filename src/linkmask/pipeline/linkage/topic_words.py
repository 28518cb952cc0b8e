"""Finds words by which a sentence model links a person's documents, as mentions of type RARE_TERM.

Such a model compares what texts are about, so it is not enough to mask the values and rare words
that they share. The vector of a text is the mean of the vectors of its word pieces. So what a word
adds to the similarity of two texts is known without embedding the text again, except for its effect
on the vectors of other words; `ROUNDS` of embedding correct this.

Texts are read as the plan would leave them. In a text, the words that add most to the similarity
with linked texts are masked first, until some text that is not linked is at least as near as all
that are. Texts that reveal most about a person come first; the others then need fewer masks. A text
loses at most a share of its words.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from linkmask.config import Settings
from linkmask.graph.linkage.features import LEARNED
from linkmask.graph.linkage.sentences import SentenceModel
from linkmask.pipeline.linkage.embedding import sentence_model
from linkmask.pipeline.linkage.left_texts import Readable, Span, left_corpus
from linkmask.pipeline.linkage.readable_words import add_words
from linkmask.pipeline.linkage.related_documents import linked_documents, mean_relevance
from linkmask.pipeline.progress import CorpusCounts
from linkmask.pipeline.reading import Pair
from linkmask.records import Floats, Ints, Why
from linkmask.runs import Run

WHY = Why("linkage", "topic")
SHARE = 0.25
"""Share of a text's words that are masked at most."""
ROUNDS = 3
"""How often texts are embedded anew, without the words masked so far."""
DIGITS = 6
"""Decimals to which similarities are compared, so that ties are found."""


def masks_topics(settings: Settings) -> bool:
    """Tell whether words are masked by which the sentence model links documents."""
    return bool(settings.rare_terms and settings.sentence_model) and settings.asks_linker


def add_topic_words(
    pairs: Iterable[Pair],
    run: Run,
    settings: Settings,
    counted: CorpusCounts,
    fresh: Collection[str] | None = None,
) -> None:
    """Add words by which the sentence model links some documents.

    Args:
        pairs: all documents of the corpus.
        fresh: ids of those that an edition adds or changes, where it is no first one; the others
            stay as they are.
    """
    model = sentence_model(settings)
    assert model is not None
    left = left_corpus(pairs, run, settings, counted, fresh)
    linked = linked_documents(left.incidence, [one.text for one in left.documents], settings)
    about = mean_relevance(left.incidence).tolist()
    settled = 0 if fresh is None else sum(one.id not in fresh for one in left.documents)
    chosen = topic_words(left.texts, linked, about, model, settled)
    add_words(run, zip(left.documents, left.places, chosen, strict=True), WHY)


class _Parts(NamedTuple):
    """A text's vector before it is scaled, and what each of its words adds to it."""

    whole: Floats
    by_word: dict[str, Floats]


def topic_words(
    texts: Sequence[Readable],
    linked: Mapping[int, set[int]],
    about: Sequence[float],
    model: SentenceModel,
    settled: int = 0,
) -> list[set[str]]:
    """Return the words to mask in each text.

    Args:
        linked: for a text the later ones by which it must not be found.
        about: how much each text tells of a person, in [0, 1].
        settled: texts, the first ones, that stay as they are.
    """
    others = defaultdict[int, set[int]](set)
    for text, later in linked.items():
        for other in later:
            others[text].add(other)
            others[other].add(text)
    gone = [set[str]() for _ in texts]
    vectors = np.array([_scaled(_parts(one, set(), model).whole) for one in texts])
    order = sorted(
        (text for text in others if text >= settled), key=lambda text: (-about[text], text)
    )
    rivals = np.arange(len(texts))
    if len(texts) > LEARNED:
        rivals = np.arange(LEARNED) * len(texts) // LEARNED
    for _ in range(ROUNDS):
        changed = []
        for text in order:
            linked_to = np.array(sorted(others[text]))
            near = _Near(vectors, linked_to, np.setdiff1d(rivals, [text, *linked_to]))
            most = int(SHARE * len(texts[text].words)) - len(gone[text])
            if most > 0 and near.nearer(vectors[text]):
                parts = _parts(texts[text], gone[text], model)
                found, vectors[text] = _telling(parts, near, most)
                if found:
                    gone[text] |= found
                    changed.append(text)
        for text in changed:
            vectors[text] = _scaled(_parts(texts[text], gone[text], model).whole)
        if not changed:
            break
    return gone


class _Near:
    """The vectors of the texts that a text is linked to, and of those it may hide among."""

    def __init__(self, vectors: Floats, linked: Ints, rivals: Ints) -> None:
        self.linked, self.rivals = vectors[linked], vectors[rivals]

    def nearer(self, vector: Floats) -> tuple[Floats, float] | None:
        """Return the direction away from the linked texts that are too near.

        Returns:
            The mean of the vectors of these less that of the nearest rival, and how much nearer
            they are; None where all rivals are linked, or one is as near as every linked text.
        """
        if not len(self.rivals):
            return None
        near = np.round(self.linked @ vector, DIGITS)
        others = np.round(self.rivals @ vector, DIGITS)
        rival = int(others.argmax())
        too_near = near > others[rival]
        if not too_near.any():
            return None
        lead = float(np.round(near[too_near].mean() - others[rival], DIGITS))
        return self.linked[too_near].mean(axis=0) - self.rivals[rival], lead


def _telling(parts: _Parts, near: _Near, most: int) -> tuple[set[str], Floats]:
    """Return the words that make a text most similar to linked ones, and its vector without them.

    Args:
        most: how many words may be masked.
    """
    found, readable, whole = set[str](), dict(parts.by_word), parts.whole.copy()
    while readable and len(found) < most and (turn := near.nearer(_scaled(whole))):
        words = list(readable)
        without = _scaled(whole - np.array([readable[word] for word in words]))
        leads = np.round(without @ turn[0], DIGITS)
        best = int(leads.argmin())
        if leads[best] >= turn[1]:
            break
        found.add(words[best])
        whole -= readable.pop(words[best])
    return found, _scaled(whole)


def _parts(text: Readable, masked: set[str], model: SentenceModel) -> _Parts:
    """Embed a text without some of its words."""
    blanked, spans = text.text, list[tuple[Span, str]]()
    for word, places in text.words.items():
        for start, end in places:
            if word in masked:
                blanked = blanked[:start] + " " * (end - start) + blanked[end:]
            else:
                spans.append(((start, end), word))
    spans.sort()
    read = model.read(blanked, [span for span, _ in spans])
    added = defaultdict[str, Floats](lambda: np.zeros(read.vectors.shape[1]))
    for number, (_, word) in enumerate(spans):
        added[word] = added[word] + read.vectors[read.span == number].sum(axis=0)
    return _Parts(read.vectors.sum(axis=0, dtype=float), dict(added))


def _scaled(vectors: Floats) -> Floats:
    length = np.linalg.norm(vectors, axis=-1, keepdims=True)
    return np.asarray(vectors / np.where(length < 1e-12, 1, length))
