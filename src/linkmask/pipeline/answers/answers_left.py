"""Counts which answers to a user's questions a release still holds, and what took the others."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any

from linkmask.pipeline.answers.questions import UserQuestion, content_words
from linkmask.records import Masked

Cause = tuple[str, str]
"""Type and stage of an entity whose mask took a word of an answer."""

MaskedWords = Callable[[Collection[str]], Mapping[str, Collection[str]]]
"""Words → for some of them, the entities whose masks took them."""


def _unknown(words: Collection[str]) -> Mapping[str, Collection[str]]:
    return {}


class _Source:
    """What documents said of an answer's words, and what their release says.

    `lost`: word → the entities whose masks took it somewhere.
    """

    def __init__(self) -> None:
        self.before, self.after = set[str](), set[str]()
        self.lost = defaultdict[str, set[str]](set)


class AnswersLeft:
    """The answers to some questions, as the documents of a release that passed by hold them."""

    def __init__(self, questions: Sequence[UserQuestion]) -> None:
        self._questions = questions
        self._answers = [content_words(one.answer) for one in questions]
        self._sources = [_Source() for _ in questions]
        self._columns = self._questions, self._answers, self._sources
        self._asking = defaultdict[str, list[int]](list)
        for number, answer in enumerate(self._answers):
            for word in dict.fromkeys(answer):
                self._asking[word].append(number)

    def note(
        self, document: str, before: str, after: str, masked_words: MaskedWords = _unknown
    ) -> None:
        """Take in a document: its id, its text, and what is released of it.

        Args:
            masked_words: returns for some of its words the entities whose masks took them.
        """
        held = self._asking.keys() & set(content_words(before))
        if not held:
            return
        left = held & set(content_words(after))
        masks = masked_words(held - left) if held - left else {}
        for number in sorted({number for word in held for number in self._asking[word]}):
            source = self._source_of(number, document, held)
            if source is not None:
                own = held.intersection(self._answers[number])
                source.before |= own
                source.after |= own & left
                for word in own - left:
                    source.lost[word].update(masks.get(word, ()))

    def _source_of(self, number: int, document: str, words: set[str]) -> _Source | None:
        """Return the source of a question that a document belongs to, if it is one of its own.

        Where a question names no document, it is the first one with most of the answer's words.
        """
        named, answer = self._questions[number].documents, self._answers[number]
        if named:
            return self._sources[number] if document in named else None
        best = sum(word in self._sources[number].before for word in answer)
        if sum(word in words for word in answer) <= best:
            return None
        self._sources[number] = _Source()
        return self._sources[number]

    def figures(self, cause: Callable[[str], Cause] | None = None) -> dict[str, Any]:
        """Return how many answers are left, and what took words of the others.

        Args:
            cause: entity → its type, and the stage by which it is masked.

        Returns:
            `questions`, how many; `unanswered`, those of which no document held a word; of the
            others, `whole`, those whose answer is left as far as it was there, `in_part`, and
            `gone`; `share`, the share of the answers' words that is left; `lost`, the lines of the
            questions of whose answers less than half is left. With `cause` also `taken`: by type
            and stage, the number of answers from which masks took a word.
        """
        kinds, lost, had, has = Counter[str](), list[int](), 0.0, 0.0
        for question, answer, source in zip(*self._columns, strict=True):
            if not source.before:
                kinds["unanswered"] += 1
                continue
            before, after = (
                sum(word in held for word in answer) / len(answer)
                for held in (source.before, source.after)
            )
            had, has = had + before, has + after
            lost += [question.line] * (after < before / 2)
            gone = source.before - source.after
            kinds["whole" if not gone else "in_part" if source.after else "gone"] += 1
        return {
            "questions": len(self._questions),
            **{kind: kinds[kind] for kind in ("whole", "in_part", "gone", "unanswered")},
            "share": round(has / had, 4) if had else None,
            "lost": lost,
            **({"taken": self._taken(cause)} if cause else {}),
        }

    def _taken(self, cause: Callable[[str], Cause]) -> dict[str, dict[str, int]]:
        """Return by type and stage the number of answers from which masks took a word."""
        counts = Counter[Cause]()
        for source in self._sources:
            gone = source.before - source.after
            counts.update({cause(entity) for word in gone for entity in source.lost[word]})
        by_type: dict[str, dict[str, int]] = {}
        for (kind, stage), many in sorted(counts.items()):
            by_type.setdefault(kind, {})[stage] = many
        return by_type


def masked_words(item: Masked) -> MaskedWords:
    """Return what tells the entities whose masks took words from a document."""

    def found(words: Collection[str]) -> Mapping[str, set[str]]:
        texts, entities = dict(item.original.fields()), defaultdict[str, set[str]](set)
        for one in item.replacements:
            over = content_words(texts[one.field][one.start : one.end])
            for word in set(words).intersection(over):
                entities[word].add(one.entity)
        return entities

    return found
