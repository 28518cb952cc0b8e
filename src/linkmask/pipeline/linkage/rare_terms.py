"""Finds rare terms that link a person's documents, as mentions of type RARE_TERM.

A term is a word, or a value that no rule masks. One that few documents hold shows which of them
belong together (search-based linkage). Two documents that belong together must not share such a
term: it is masked in one of the two and stays readable in the other. It is masked in the one that
tells more about a person, so that a rule, a study or a letter to all members stays whole. Words
that are frequent in a language are never rare by themselves.

Which documents belong together is a setting (`related_documents` says how it is decided). Terms are
compared by hash, so that by values no text is needed (formulas.md §6.4).

The first edition decides which terms are rare, and notes all others as common, by hash. In a later
edition only new or changed documents get further masks, so that an added document makes no masked
term readable.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Container, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from linkmask.config import Settings
from linkmask.pipeline.linkage.common_words import keep_common_words
from linkmask.pipeline.linkage.readable_words import (
    Hashes,
    hashes_of_document,
    mentions_of_terms,
)
from linkmask.pipeline.linkage.related_documents import (
    ComparedText,
    belong_together,
    compared_text,
    mean_relevance,
    numbers_in,
)
from linkmask.pipeline.linkage.shared_words import (
    HashedWords,
    WordHolders,
    holders_of,
    parted_by_rarity,
    words_to_mask,
)
from linkmask.pipeline.planning.scoring import incidence_of
from linkmask.pipeline.progress import CorpusCounts, Source
from linkmask.pipeline.reading import Pair, with_mentions
from linkmask.records import Flags, Incidence, Mention, SetAside
from linkmask.runs import Run
from linkmask.runs.file_names import COMMON_WORDS
from linkmask.schema import RARE_TERM
from linkmask.text.letters import hash_of_word


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
    with run.together():
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
    together = belong_together(number, incidence, settings, texts)
    chosen = words_to_mask(holders, common, together, about, may)
    return {incidence.documents[n]: words for n, words in chosen.items()}
