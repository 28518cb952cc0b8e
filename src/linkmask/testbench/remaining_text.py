"""Measures what masking costs a reader: how much of texts and answers can still be read."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from pathlib import Path
from statistics import fmean
from typing import Any, NamedTuple

from linkmask.config import Settings
from linkmask.corpus import Corpus
from linkmask.errors import InputError
from linkmask.records import Document
from linkmask.testbench.certificate import documents_of
from linkmask.testbench.measures import STOP

PLACEHOLDER = re.compile(r"\[[A-Z0-9_]+\]")
"""What a mask leaves; its name ("[TREATMENT]") must not count as a word of an answer."""
WORD = re.compile(r"\w+(?:[-.'/]\w+)*")
SENTENCE = re.compile(r"(?<=[.!?])\s+|\n+")
EMPTY = STOP | {"before"}
"""Words without content."""


class UserQuestion(NamedTuple):
    """A question's number in its file, its answer, and the ids of documents that answer it.

    Without ids it is answered by the document that holds most of the answer's words.
    """

    line: int
    answer: str
    documents: Sequence[str]


def content_words(text: str) -> list[str]:
    """Return the words of a text, folded, without those that carry no content."""
    folded = PLACEHOLDER.sub(" ", text).casefold().replace("‑", "-")
    return [word for word in WORD.findall(folded) if word not in EMPTY]


def read_questions(path: Path) -> list[UserQuestion]:
    """Read questions from JSON lines: `answer`, and perhaps `question` and `documents`.

    Raises:
        InputError: a line is no such object.
    """
    found = []
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        if line.strip():
            try:
                row = json.loads(line)
                ids = [str(one) for one in row.get("documents") or ()]
                found.append(UserQuestion(number, str(row["answer"]), ids))
            except (ValueError, TypeError, KeyError, AttributeError) as error:
                raise InputError(
                    f'{path}: line {number} is no {{"question": …, "answer": …}}'
                ) from error
    return found


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
    return found | (_answers(words, readable, questions) if questions else {})


def kept_lines(found: Mapping[str, Any]) -> Iterator[str]:
    """Yield what `kept` found, in sentences."""
    yield (
        f"{found['documents']} documents, {found['missing']} not released: "
        f"{found['words']:.1%} of the words are left, "
        f"{found['sentences']:.1%} of the sentences lost none."
    )
    if found.get("questions"):
        yield (
            f"{found['questions']} questions: {found['answers']:.1%} of the answers are left; "
            f"less than half for lines {', '.join(map(str, found['lost'])) or 'none'}."
        )


def _answers(
    before: Mapping[str, Collection[str]],
    after: Mapping[str, Collection[str]],
    questions: Sequence[UserQuestion],
) -> dict[str, Any]:
    shares: list[tuple[float, float]] = []
    lost = []
    for question in questions:
        answer = content_words(question.answer)
        sources = [name for name in question.documents if name in before]
        if answer and not question.documents:
            sources = [max(before, key=lambda name: sum(word in before[name] for word in answer))]
        had, has = (
            fmean(any(word in texts[name] for name in sources) for word in answer or [""])
            for texts in (before, after)
        )
        if had:
            shares.append((had, has))
            if has < had / 2:
                lost.append(question.line)
    total = sum(had for had, _ in shares)
    answers = round(sum(has for _, has in shares) / total, 4) if total else None
    return {"questions": len(shares), "answers": answers, "lost": lost}
