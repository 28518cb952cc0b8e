"""Finds rare terms that link a person's documents, as mentions of type RARE_TERM.

A term is a word, or a value that no rule masks. One that few documents hold shows which of them
belong together (search-based linkage). Two documents that belong together must not share such a
term: it is masked in one of the two and stays readable in the other. It is masked in the one that
tells more about a person, so that a rule, a study or a letter to all members stays whole. Words
that are frequent in a language are never rare by themselves.

Which documents belong together is a setting (`rare_pairs`). By linker: they are linked, or are
probably about one person by their originals, all of which are compared. One of the two is also
among the nearest of the other where rules have masked (`rare_nearest`). By values: the two share a
value that is relevant to a person. Then terms are compared by hash, and no text is needed. In
either case both documents have a value that is relevant to a person, and one that the other lacks
(formulas.md §6.4).

The first edition decides which terms are rare, and notes all others as common, by hash. In a later
edition only new or changed documents get further masks, so that an added document makes no masked
term readable.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Container, Iterable, Iterator, Mapping, Sequence
from contextlib import nullcontext
from typing import NamedTuple

import numpy as np

from linkmask.config import Settings
from linkmask.detect.lexicon import clusters
from linkmask.errors import RunError
from linkmask.graph.linkage import ScoredPairs, models, score_texts
from linkmask.graph.linkage.outcome import (
    likeliest_others,
    same_person_probability,
    strength_between,
)
from linkmask.graph.links import find_links
from linkmask.graph.sharing import share_a_value, tell_of_a_person
from linkmask.pipeline.linkage.embedding import sentence_model
from linkmask.pipeline.linkage.readable_words import (
    NUMBER_OR_WORD,
    Hashes,
    hashes_of_document,
    left_by_rules,
    mentions_of_terms,
)
from linkmask.pipeline.linkage.shared_words import (
    BelongTogether,
    HashedWords,
    WordHolders,
    holders_of,
    parted_by_rarity,
    words_to_mask,
)
from linkmask.pipeline.planning.scoring import incidence_of
from linkmask.pipeline.progress import CorpusCounts, Source
from linkmask.pipeline.reading import Pair, with_mentions
from linkmask.records import Document, Flags, Floats, Incidence, Ints, Mention, SetAside
from linkmask.runs import Run
from linkmask.runs.file_names import COMMON_WORDS
from linkmask.schema import RARE_TERM
from linkmask.text.letters import hash_of_word, plain_letters

LIKELY = 0.5
"""Probability from which two originals are taken for one person's."""
ENOUGH = 20
"""Documents of a corpus from which the linker is asked where no setting names it. The probability
rises with the share of a pair among those of a document, and of few pairs each has a large one."""


def add_rare_terms(source: Source, run: Run, settings: Settings, counted: CorpusCounts) -> None:
    """Add rare words that link documents to a run's mentions, unless that was done already."""
    if run.find(COMMON_WORDS).exists():
        return

    def pairs(names: Container[str] | None = None) -> Iterator[Pair]:
        every = with_mentions(source, run, "mentions", counted, names)
        return (one for one in every if not isinstance(one, SetAside))

    names, words, texts = list[str](), HashedWords(), list[ComparedText]()
    for document, mentions in pairs():
        names.append(document.id)
        words.add(hashes_of_document(document, mentions, settings))
        if settings.asks_linker:
            texts.append(compared_text(document, mentions, settings))
    incidence = incidence_of(run, settings)
    chosen = chosen_words(names, words, incidence, settings, texts)
    fresh = {
        document.id: mentions_of_terms(document, mentions, chosen.masked[document.id], settings)
        for document, mentions in (pairs(chosen.masked) if chosen.masked else ())
    }
    with run.together() if fresh else nullcontext():
        if fresh:
            run.add_mentions(fresh)
        keep_common_words(run, chosen.common)


def rare_terms_again(
    source: Source,
    run: Run,
    settings: Settings,
    counted: CorpusCounts,
    before: Mapping[str, Collection[int]],
) -> dict[str, list[Mention]]:
    """Return where rare words stand that were masked earlier and are not rare terms today.

    Args:
        before: by document, the words that were masked in it, by hash.
    """
    found = dict[str, list[Mention]]()
    for pair in with_mentions(source, run, "mentions", counted):
        if isinstance(pair, SetAside) or not (words := before.get(pair[0].id)):
            continue
        now = {hash_of_word(one.value) for one in pair[1] if one.type == RARE_TERM}
        if again := mentions_of_terms(*pair, set(words) - now, settings):
            found[pair[0].id] = again
    return found


class ComparedText(NamedTuple):
    """What the linker compares of a document: the original, and what rules leave of it."""

    original: str
    left: str


def compared_text(
    document: Document, mentions: Sequence[Mention], settings: Settings
) -> ComparedText:
    """Return what the linker compares of a document; what is left only if it is asked for."""
    readable = left_by_rules(document, mentions, settings) if settings.rare_nearest else ()
    return ComparedText(document.text, "\n".join(text for _, text in readable))


class ChosenWords(NamedTuple):
    """The words to mask in each document, by its id, and the words that are not rare; by hash."""

    masked: Mapping[str, Collection[int]]
    common: Hashes


def chosen_words(
    names: Sequence[str],
    words: HashedWords,
    incidence: Incidence,
    settings: Settings,
    texts: Sequence[ComparedText] = (),
) -> ChosenWords:
    """Choose in which documents of a corpus rare words are masked.

    Args:
        names: ids of the documents.
        words: those of each.
        texts: theirs, if the linker is asked.
    """
    number = numbers_in(incidence, names)
    holders, common = parted_by_rarity(words, settings.rare_terms, number)
    may = np.ones(incidence.n_documents, np.bool_)
    return ChosenWords(_masked(holders, common, number, incidence, settings, texts, may), common)


def add_later_rare_terms(
    pairs: Iterable[Pair],
    fresh: Collection[str],
    common: Hashes,
    run: Run,
    before: Run,
    incidence: Incidence,
    settings: Settings,
) -> None:
    """Add rare words to documents that an edition adds or changes.

    What such a document had masked before stays masked in it.

    Args:
        pairs: the documents, and those of the last edition that may share a rare word with one.
        fresh: ids of the documents that are new or changed.
        common: the words that are not rare.
        run, before: of this edition, and of the last one.
        incidence: of this edition, by the counts that are pinned.
    """
    held = list(pairs)
    number = numbers_in(incidence, [one.id for one, _ in held])
    words = [hashes_of_document(*pair, settings) for pair in held]
    may = np.zeros(incidence.n_documents, np.bool_)
    may[[n for n, (one, _) in zip(number, held, strict=True) if one.id in fresh]] = True
    texts = [compared_text(*pair, settings) for pair in held]
    holders = holders_of(words, number)
    chosen = _masked(holders, common, number, incidence, settings, texts, may)
    masked: defaultdict[str, set[int]] = defaultdict(set)
    for mention in before.mentions_of(fresh):
        if mention.type == RARE_TERM:
            masked[mention.document].add(hash_of_word(mention.value))
    both = {name: chosen.get(name, set()) | masked[name] for name in {*chosen, *masked}}
    run.add_mentions(
        {
            one.id: mentions_of_terms(one, mentions, both[one.id], settings)
            for one, mentions in held
            if one.id in both
        }
    )


def _masked(
    holders: WordHolders,
    common: Hashes,
    number: Sequence[int],
    incidence: Incidence,
    settings: Settings,
    texts: Sequence[ComparedText],
    may: Flags,
) -> dict[str, set[int]]:
    """Return the words to mask by the id of their document."""
    about = mean_relevance(incidence)
    belong_together = _belong_together(number, incidence, settings, texts)
    chosen = words_to_mask(holders, common, belong_together, about, may)
    return {incidence.documents[n]: words for n, words in chosen.items()}


def numbers_in(incidence: Incidence, names: Iterable[str]) -> list[int]:
    """Return the numbers that documents have in an incidence."""
    number = {name: n for n, name in enumerate(incidence.documents)}
    return [number[name] for name in names]


def count_common_words(pairs: Iterable[Pair], settings: Settings) -> Hashes:
    """Return the words that are not rare in some documents."""
    words = HashedWords(hashes_of_document(*pair, settings) for pair in pairs)
    return parted_by_rarity(words, settings.rare_terms)[1]


def common_words(run: Run) -> Hashes:
    """Return the words that are not rare, as they were counted last, by hash, ascending.

    Raises:
        RunError: the run holds no such list.
    """
    if not run.find(COMMON_WORDS).exists():
        raise RunError(f"{run.path} does not say which words are rare: mask the corpus anew")
    return np.frombuffer(run.find(COMMON_WORDS).read_bytes(), np.uint64)


def keep_common_words(run: Run, words: Hashes) -> None:
    """Write the words that are not rare into a run."""
    run.write(COMMON_WORDS, [words.tobytes()])


def forget_words(run: Run, values: Iterable[str]) -> None:
    """Remove values and their words from a run's list of terms that are not rare, if it has one."""
    if run.find(COMMON_WORDS).exists():
        folded = {plain_letters(value).casefold() for value in values}
        words = {m.group() for value in folded for m in NUMBER_OR_WORD.finditer(value)}
        common = common_words(run)
        gone = np.array([hash_of_word(one) for one in words | folded], np.uint64)
        keep_common_words(run, common[~np.isin(common, gone)])


def _belong_together(
    number: Sequence[int], incidence: Incidence, settings: Settings, texts: Sequence[ComparedText]
) -> BelongTogether:
    """Return what tells which pairs of documents belong together."""
    few = settings.rare_pairs == "auto" and incidence.n_documents < ENOUGH
    if few or len(number) < 2 or not settings.asks_linker:
        return lambda a, b: share_a_value(incidence, a, b, settings.link_contained)
    originals = [one.original for one in texts]
    linked = linked_documents(incidence.part(number), originals, settings)
    many, near = incidence.n_documents, _nearest([one.left for one in texts], settings)
    both = (
        (number[a], number[b])
        for a, others in linked.items()
        for b in others
        if near is None or b in near[a] or a in near[b]
    )
    keys = np.array(sorted(min(p) * many + max(p) for p in both), np.int64)

    def together(a: Ints, b: Ints) -> Flags:
        found = np.isin(a.astype(np.int64) * many + b, keys)
        return found & tell_of_a_person(incidence, a, b, settings.link_contained)

    return together


def _nearest(texts: Sequence[str], settings: Settings) -> Sequence[Container[int]] | None:
    """Return by text which others the linker finds nearest; None if any may be far."""
    if not settings.rare_nearest:
        return None
    pairs = _compared(texts, settings)
    return likeliest_others(pairs, pairs.scores, settings.rare_nearest)


def _compared(texts: Sequence[str], settings: Settings) -> ScoredPairs:
    """Return the pairs of texts, scored by the linker, which may have a sentence model."""
    model = sentence_model(settings)
    return score_texts(texts, clusters.names, model.embed if model else None)


def linked_documents(
    incidence: Incidence, texts: Sequence[str], settings: Settings
) -> defaultdict[int, set[int]]:
    """Return for each document, by number, the later ones that are linked to it.

    They are linked by their values, or are probably about one person by the originals.

    Args:
        incidence: of the documents with these texts, in the same order.
    """
    linked: defaultdict[int, set[int]] = defaultdict(set)
    if len(texts) < 2:
        return linked
    pairs, links = _compared(texts, settings), find_links(incidence, settings)
    strength = strength_between(incidence, incidence.documents)
    linker = models.shipped_model(bool(settings.sentence_model))
    likely = same_person_probability(linker, pairs, strength) >= LIKELY
    for left, right in ((pairs.left[likely], pairs.right[likely]), (links.left, links.right)):
        for one, other in zip(left.tolist(), right.tolist(), strict=True):
            linked[one].add(other)
    return linked


def mean_relevance(incidence: Incidence) -> Floats:
    """Return how much each document reveals about a person: the mean relevance of its values."""
    document = np.repeat(np.arange(incidence.n_documents), np.diff(incidence.start))
    total = np.bincount(document, incidence.relevance, incidence.n_documents)
    return np.round(total / np.maximum(1, np.diff(incidence.start)), 6)
