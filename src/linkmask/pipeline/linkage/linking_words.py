"""Adds to a run's mentions the words that are no entity but lead to other texts about a person."""

from __future__ import annotations

from linkmask.config import Settings
from linkmask.pipeline.linkage.background import add_background_terms
from linkmask.pipeline.linkage.rare_terms import add_rare_terms
from linkmask.pipeline.linkage.surprising_words import add_surprising_terms
from linkmask.pipeline.linkage.topic_words import add_topic_words, masks_topics
from linkmask.pipeline.progress import CorpusCounts, Source
from linkmask.runs import Run


def add_linking_words(source: Source, run: Run, settings: Settings, counted: CorpusCounts) -> None:
    """Add what the settings ask for, each kind unless the run has it already."""
    if settings.background:
        add_background_terms(source, run, settings, counted)
    if settings.readable_share < 1:
        add_surprising_terms(source, run, settings, counted)
    if settings.rare_terms:
        add_rare_terms(source, run, settings, counted)
    if masks_topics(settings):
        add_topic_words(source, run, settings, counted)
