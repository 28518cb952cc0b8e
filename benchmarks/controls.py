"""Masks that no plan makes: controls of plans, and ideas that are simulated on masked texts."""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Callable, Container, Sequence

import numpy as np

from linkmask.config import Settings
from linkmask.detect.lexicon.everyday import frequent_words
from linkmask.graph.linkage.terms import WORD, placeholders
from linkmask.pipeline.linkage.readable_words import EVERYDAY, LETTERS
from linkmask.pipeline.planning import scoring
from linkmask.records import CONTENT, Masked, Plan
from linkmask.schema import OMISSION
from linkmask.testbench.defences.builder import ScoredCorpus
from linkmask.testbench.defences.masks import RANKS
from linkmask.text.letters import plain_letters

RELEVANT = 0.5
"""Relevance in a document from which "rules where relevant" writes a value coarser there."""
MASK = f"[{OMISSION}]"
SENTENCE = re.compile(r"(?<=[.!?])\s+|\n+")


def without(texts: Sequence[str], drop: Callable[[str, int], bool]) -> list[str]:
    """Return texts without some words, all masks as they are."""
    marks = placeholders()
    holders = Counter(w for text in texts for w in {*WORD.findall(marks.sub(" ", text).casefold())})
    either = re.compile(f"{marks.pattern}|{WORD.pattern}")

    def shown(match: re.Match[str]) -> str:
        word = match.group()
        gone = not marks.fullmatch(word) and drop(word, holders[word.casefold()])
        return "" if gone else word

    return [either.sub(shown, text) for text in texts]


def where_relevant(scan: ScoredCorpus, plan: Plan, settings: Settings) -> list[str]:
    """Return masked texts in which values that rules mask stand where they are hardly relevant."""
    held = scan.job.analysis.incidence
    both = zip(plan.masked.tolist(), plan.stage, strict=True)
    by_rule = {held.entities[e] for e, stage in both if stage == "floor"}
    document = np.repeat(np.arange(held.n_documents), np.diff(held.start)).tolist()
    cells = zip(document, held.entity.tolist(), held.relevance.tolist(), strict=True)
    little = {(held.documents[d], held.entities[e]) for d, e, by in cells if by < RELEVANT}
    texts = dict[str, str]()
    for one in scan.job.with_plan(plan, settings).documents():
        if isinstance(one, Masked):
            text, parts, last = one.original.content, list[str](), 0
            for span in (span for span in one.replacements if span.field == CONTENT):
                stays = (one.id, span.entity) in little and span.type in settings.generalize
                stays = stays and span.entity in by_rule
                shown = text[span.start : span.end] if stays else span.text
                parts += [text[last : span.start], shown]
                last = span.end
            texts[one.id] = "".join([*parts, text[last:]])
    return [texts.get(one.id, "") for one in scan.documents]


def suppressed(texts: Sequence[str]) -> list[str]:
    """Return texts without the sentences in which a rare term is masked."""
    return [" ".join(one for one in SENTENCE.split(text) if MASK not in one) for text in texts]


def at_random(
    texts: Sequence[str], count: int, rng: random.Random, held: Container[int] = (2, 3)
) -> list[str]:
    """Return texts with some words masked at random, none of everyday, in one text each.

    Args:
        held: in how many texts a word may stand that is masked.
    """
    marks, everyday = placeholders(), frequent_words(EVERYDAY)
    words = [sorted(set(WORD.findall(marks.sub(" ", text)))) for text in texts]
    holders = Counter(
        word
        for own in words
        for word in own
        if len(word) >= LETTERS and plain_letters(word).casefold() not in everyday
    )
    some = [(n, word) for n, own in enumerate(words) for word in own if holders[word] in held]
    chosen: dict[int, list[str]] = {}
    for number, word in rng.sample(some, min(count, len(some))):
        chosen.setdefault(number, []).append(word)
    masked = list(texts)
    for number, own in chosen.items():
        either = "|".join(map(re.escape, own))
        masked[number] = re.sub(rf"(?<!\w)(?:{either})(?!\w)", MASK, texts[number])
    return masked


def orders(scan: ScoredCorpus, rest: Sequence[int]) -> dict[str, list[int]]:
    """Return the entities that are not masked in the order of each control."""
    found = {}
    for name in ("type", "idf", "random"):
        rank: Callable[[ScoredCorpus, random.Random], list[float]] = RANKS[name][0]
        ranks = rank(scan, random.Random(f"0/{name}"))
        found[name] = sorted(rest, key=lambda e: (-ranks[e], e))
    return found


def deeper(scan: ScoredCorpus, plan: Plan, more: Sequence[int], settings: Settings) -> Plan:
    """Return a plan that also masks some entities whole."""
    count = len(plan.masked) + len(more)
    return scoring.restore(
        scoring.analyse(scan.job.run, settings, scan.job.counted),
        settings,
        np.array([*plan.masked.tolist(), *more], dtype=np.int32),
        [*plan.stage, *["document"] * len(more)],
        np.zeros(count),
        np.zeros(count, dtype=np.int32),
    )
