"""Measures what masking costs a reader: how much of texts and answers can still be read."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from statistics import fmean
from typing import Any

from linkmask.config import Settings
from linkmask.corpus import Corpus
from linkmask.errors import InputError
from linkmask.pipeline.answers.answers_left import AnswersLeft
from linkmask.pipeline.answers.questions import UserQuestion, content_words
from linkmask.records import Document
from linkmask.report.wording import count
from linkmask.testbench.certificate import documents_of

SENTENCE = re.compile(r"(?<=[.!?])\s+|\n+")


def kept(originals: Path, release: Path, questions: Sequence[UserQuestion] = ()) -> dict[str, Any]:
    """Return how much of originals, and of answers to questions, can be read in a release.

    Args:
        originals: a folder or table of documents.
        release: the same documents masked, or the OUT of `linkmask mask`.

    Returns:
        `documents`; `missing`, how many of them the release lacks; `words`, the share of content
        words that are left, by document; `sentences`, the share of sentences that lost no word.
        With questions also `questions`, how many the originals answer; `answers`, the share of
        the answers' words that is left, relative to the originals; `lost`, the lines of the
        questions of whose answers less than half is left.

    Raises:
        InputError: there is no document.
    """
    before = {d.id: d.text for d in Corpus(originals, Settings())() if isinstance(d, Document)}
    after = {one.id: one.text for one in documents_of(release)}
    if not before:
        raise InputError(f"{originals}: there is no document")
    words = {name: Counter(content_words(text)) for name, text in before.items()}
    readable = {name: Counter(content_words(after.get(name, ""))) for name in before}
    whole = [
        readable[name].keys() >= set(sentence)
        for name, text in before.items()
        for sentence in map(content_words, SENTENCE.split(text))
        if sentence
    ]
    shares = [(own & readable[name]).total() / own.total() for name, own in words.items() if own]
    found: dict[str, Any] = {
        "documents": len(before),
        "missing": len(before.keys() - after.keys()),
        "words": round(fmean(shares), 4) if shares else 1.0,
        "sentences": round(fmean(whole), 4) if whole else 1.0,
    }
    return found | (_answers(before, after, questions) if questions else {})


def kept_lines(found: Mapping[str, Any]) -> Iterator[str]:
    """Yield what `kept` found, in sentences."""
    yield (
        f"{count(found['documents'], 'document')}, {found['missing']:,} not released: "
        f"{found['words']:.1%} of the words are left, "
        f"{found['sentences']:.1%} of the sentences lost none."
    )
    if asked := found.get("questions"):
        lost = f"line{'s' if len(found['lost']) > 1 else ''} {', '.join(map(str, found['lost']))}"
        yield (
            f"{count(asked, 'question')}: {found['answers']:.1%} of the answers are left; "
            f"less than half for {lost if found['lost'] else 'none'}."
        )


def _answers(
    before: Mapping[str, str], after: Mapping[str, str], questions: Sequence[UserQuestion]
) -> dict[str, Any]:
    left = AnswersLeft(questions)
    for name, text in before.items():
        left.note(name, text, after.get(name, ""))
    found = left.figures()
    asked = found["questions"] - found["unanswered"]
    return {"questions": asked, "answers": found["share"], "lost": found["lost"]}
