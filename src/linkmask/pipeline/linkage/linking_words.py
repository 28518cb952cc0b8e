"""Adds to a run's mentions the words that are no entity but lead to other texts about a person."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator

from linkmask.config import Settings
from linkmask.pipeline.linkage import background, limit_words, surprising_words, topic_words
from linkmask.pipeline.linkage.limit_words import add_limit_words, has_limit
from linkmask.pipeline.linkage.rare_terms import add_rare_terms
from linkmask.pipeline.linkage.readable_words import ChosenBy, add_words
from linkmask.pipeline.linkage.topic_words import add_topic_words, masks_topics
from linkmask.pipeline.progress import CorpusCounts, Source
from linkmask.pipeline.reading import Pair, with_mentions
from linkmask.records import SetAside, Why
from linkmask.runs import Run
from linkmask.schema import RARE_TERM


def add_linking_words(source: Source, run: Run, settings: Settings, counted: CorpusCounts) -> None:
    """Add what the settings ask for, each kind unless the run has it already."""

    def pairs() -> Iterator[Pair]:
        every = with_mentions(source, run, "mentions", counted)
        return (item for item in every if not isinstance(item, SetAside))

    if settings.background or settings.readable_share < 1:
        reasons = {mention.why for mention in run.mentions() if mention.type == RARE_TERM}
        add_words_by_document(pairs, run, settings, reasons)
    if settings.rare_terms:
        add_rare_terms(source, run, settings, counted)
    for asked, why, add in words_by_linker(settings):
        if asked and not any(mention.why == why for mention in run.mentions()):
            add(pairs(), run, settings, counted)


def add_words_by_document(
    pairs: Callable[[], Iterable[Pair]], run: Run, settings: Settings, reasons: Collection[Why] = ()
) -> None:
    """Add the words that are chosen of each document by itself.

    Args:
        pairs: returns the documents, with the mentions that the run has by then.
        reasons: kinds that the run has already.
    """
    for why, kind in _by_document(settings):
        if why not in reasons:
            choose = kind(settings)
            rows = ((document, *choose(document, mentions)) for document, mentions in pairs())
            add_words(run, rows, why)


def words_by_linker(settings: Settings) -> Iterator[tuple[bool, Why, Callable[..., None]]]:
    """Yield whether the settings ask for a kind of words that the linker chooses, and its adder."""
    yield masks_topics(settings), topic_words.WHY, add_topic_words
    yield has_limit(settings), limit_words.WHY, add_limit_words


def _by_document(settings: Settings) -> Iterator[tuple[Why, Callable[[Settings], ChosenBy]]]:
    """Yield the kinds of words that the settings ask for."""
    if settings.background:
        yield background.WHY, background.leading_words
    if settings.readable_share < 1:
        yield surprising_words.WHY, surprising_words.surprising_words
