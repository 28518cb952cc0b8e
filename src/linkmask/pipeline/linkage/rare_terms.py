"""Finds rare words that link a person's documents, as mentions of type RARE_TERM.

A word that few documents hold shows which of them belong together (search-based linkage). Two
documents that are linked by their values, or that are probably about one person by their originals,
must not share such a word: it is masked in one of the two and stays readable in the other. It is
masked in the one that tells more about a person, so that a rule, a study or a letter to all members
stays whole. Words that are frequent in a language are never rare.

The first edition decides which words are rare, and notes all others as common. In a later edition
only new or changed documents get further masks, so that an added document makes no masked word
readable.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Container, Iterable, Mapping, Sequence

import numpy as np

from linkmask.config import Settings
from linkmask.detect.ner import clusters
from linkmask.detect.relevance.rarity import frequent_words
from linkmask.errors import RunError
from linkmask.graph.linkage import models, score_texts
from linkmask.graph.linkage.outcome import same_person_probability, strength_between
from linkmask.pipeline.linkage.embedding import sentence_model
from linkmask.pipeline.linkage.readable_words import (
    NUMBER_OR_WORD,
    WHY,
    Place,
    Places,
    add_words,
    words_of_document,
)
from linkmask.pipeline.planning.scoring import Analysis, analyse
from linkmask.pipeline.progress import CorpusCounts, Source
from linkmask.pipeline.reading import Pair, with_mentions
from linkmask.records import Document, SetAside
from linkmask.runs import Run
from linkmask.runs.file_names import COMMON_WORDS
from linkmask.schema import RARE_TERM
from linkmask.text.letters import plain_letters

LIKELY = 0.5
"""Probability from which two originals are taken for one person's."""
EVERYDAY = 300.0
"""Occurrences in a million words of a language from which a word is never rare."""


def add_rare_terms(source: Source, run: Run, settings: Settings, counted: CorpusCounts) -> None:
    """Add rare words that link documents to a run's mentions, unless it has some already."""
    if any(mention.why == WHY for mention in run.mentions()):
        return
    pairs = with_mentions(source, run, "mentions", counted)
    documents, words = _read((item for item in pairs if not isinstance(item, SetAside)), settings)
    common = held_by_more(words, settings.rare_terms)
    keep_common_words(run, common)
    analysis = analyse(run, settings, counted)
    linked, about = (
        linked_documents(documents, analysis, settings),
        mean_relevance(documents, analysis),
    )
    add_words(run, documents, words, shared_rare(words, linked, common, about), WHY)


def add_later_rare_terms(
    pairs: Iterable[Pair],
    fresh: Collection[str],
    common: Container[str],
    run: Run,
    before: Run,
    settings: Settings,
) -> None:
    """Add rare words to documents that an edition adds or changes.

    What such a document had masked before stays masked in it.

    Args:
        pairs: the documents, and those of the last edition that may share a rare word with one.
        fresh: ids of the documents that are new or changed.
        common: the words that are not rare.
        run, before: of this edition, whose scores are pinned, and of the last one.
    """
    ordered = sorted(pairs, key=lambda pair: pair[0].id in fresh)
    documents, words = _read(ordered, settings)
    settled = sum(one.id not in fresh for one in documents)
    analysis = analyse(run, settings, CorpusCounts())
    linked, about = (
        linked_documents(documents, analysis, settings),
        mean_relevance(documents, analysis),
    )
    chosen = shared_rare(words, linked, common, about, settled)
    masked: defaultdict[str, set[str]] = defaultdict(set)
    for mention in before.mentions():
        if mention.type == RARE_TERM and mention.document in fresh:
            masked[mention.document].add(mention.value)
    still = [masked[one.id] & held.keys() for one, held in zip(documents, words, strict=True)]
    both = [a | b for a, b in zip(chosen, still, strict=True)]
    add_words(run, documents, words, both, WHY)


def count_common_words(pairs: Iterable[Pair], settings: Settings) -> set[str]:
    """Return the words that are not rare in some documents."""
    return held_by_more((words_of_document(*pair, settings) for pair in pairs), settings.rare_terms)


def held_by_more(words: Iterable[Iterable[str]], most: int) -> set[str]:
    """Return the words that are not rare: everyday words, and those in more than `most` texts.

    Args:
        words: those of each text.
    """
    holders = Counter(word for held in words for word in held)
    return {word for word, count in holders.items() if count > most} | frequent_words(EVERYDAY)


def common_words(run: Run) -> set[str]:
    """Return the words that are not rare, as they were counted last.

    Raises:
        RunError: the run holds no such list.
    """
    if not run.find(COMMON_WORDS).exists():
        raise RunError(f"{run.path} does not say which words are rare: mask the corpus anew")
    return set(run.read_json(COMMON_WORDS))


def keep_common_words(run: Run, words: Iterable[str]) -> None:
    """Write the words that are not rare into a run."""
    run.write_json(COMMON_WORDS, sorted(words))


def forget_words(run: Run, values: Iterable[str]) -> None:
    """Remove the words of values from a run's list of words that are not rare, if it has one."""
    if run.find(COMMON_WORDS).exists():
        folded = (plain_letters(value).casefold() for value in values)
        words = {m.group() for value in folded for m in NUMBER_OR_WORD.finditer(value)}
        keep_common_words(run, common_words(run) - words)


def _read(pairs: Iterable[Pair], settings: Settings) -> tuple[list[Document], list[Places]]:
    documents, words = list[Document](), list[Places]()
    for document, mentions in pairs:
        documents.append(document)
        words.append(words_of_document(document, mentions, settings))
    return documents, words


def linked_documents(
    documents: Sequence[Document], analysis: Analysis, settings: Settings
) -> defaultdict[int, set[int]]:
    """Return for each document, by number, the later ones that are linked to it.

    They are linked by their values, or are probably about one person by the originals.
    """
    linked: defaultdict[int, set[int]] = defaultdict(set)
    if len(documents) < 2:
        return linked
    model = sentence_model(settings)
    texts, embed = [one.text for one in documents], model.embed if model else None
    pairs = score_texts(texts, clusters.names, embed)
    strength = strength_between(analysis.incidence, [one.id for one in documents])
    linker = models.shipped_model(embed is not None)
    likely = same_person_probability(linker, pairs, strength) >= LIKELY
    for one, other in zip(pairs.left[likely].tolist(), pairs.right[likely].tolist(), strict=True):
        linked[one].add(other)
    number = {document.id: n for n, document in enumerate(documents)}
    names, links = analysis.incidence.documents, analysis.risk.links
    for one, other in zip(links.left.tolist(), links.right.tolist(), strict=True):
        if names[one] in number and names[other] in number:
            first, second = sorted((number[names[one]], number[names[other]]))
            linked[first].add(second)
    return linked


def mean_relevance(documents: Sequence[Document], analysis: Analysis) -> list[float]:
    """Return how much each document reveals about a person: the mean relevance of its values."""
    incidence = analysis.incidence
    document = np.repeat(np.arange(incidence.n_documents), np.diff(incidence.start))
    total = np.bincount(document, incidence.relevance, incidence.n_documents)
    mean = np.round(total / np.maximum(1, np.diff(incidence.start)), 6)
    known = dict(zip(incidence.documents, mean.tolist(), strict=True))
    return [known.get(one.id, 0.0) for one in documents]


def shared_rare(
    words: Sequence[Mapping[str, Sequence[Place]]],
    linked: Mapping[int, set[int]],
    common: Container[str],
    about: Sequence[float],
    settled: int = 0,
) -> list[set[str]]:
    """Return the words to mask in each text, so that no two linked texts share a rare one.

    A word is masked first in the texts that share it with the most others, then in the one that
    reveals most about a person, so that texts about nobody stay whole.

    Args:
        words: of each text.
        linked: for a text the later ones that it must share no rare word with.
        common: the words that are not rare.
        about: how much each text tells of a person, in [0, 1].
        settled: texts, the first ones, that stay as they are.
    """
    holders: defaultdict[str, list[int]] = defaultdict(list)
    for text, held in enumerate(words):
        for word in held:
            if word not in common:
                holders[word].append(text)
    masked: list[set[str]] = [set() for _ in words]
    for word, texts in holders.items():
        both = ((a, b) for a in texts for b in sorted(linked.get(a, set()).intersection(texts)))
        shared = [(a, b) for a, b in both if b >= settled]
        while shared:
            count = Counter(text for pair in shared for text in pair if text >= settled)
            first = min(count, key=lambda text: (-count[text], -about[text], text))
            masked[first].add(word)
            shared = [pair for pair in shared if first not in pair]
    return masked
