"""Analyses what a text speaks of: its sentences, the triggers in each, and the kind of document."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import pairwise

from linkmask.detect.candidates import Scope
from linkmask.detect.register import ABOUT_A_PERSON, Register, register_of
from linkmask.detect.written_masks import with_stand_ins
from linkmask.records import Document
from linkmask.schema import compiled, words
from linkmask.text.fold import word_bytes
from linkmask.text.view import visible_text

KIND_KEYS = ("format", "kind", "type", "category", "document_type")
"""Metadata keys whose values tell what kind of document it is."""

SOMEBODY = frozenset({"sentence:singular", "sentence:aged"})
"""Rules that hold where one person is spoken of."""
IMPERSONAL = frozenset({"sentence:plural", "sentence:rule", "sentence:study"})
"""Rules that hold where people, rules or figures are spoken of."""

SINGULAR, PLURAL = frozenset({"singular"}), frozenset({"plural"})
"""Triggers of words for one person, and for many or their papers."""
BOUND = frozenset({"bound"})
"""Trigger of words for the bounds of an age: "over"."""

_STOP = compiled("discourse_stop")
"""Where a sentence ends; not after a title, a single letter or the day of a month ("1. Mai").

`re` skips fast to a plain set."""
_AGED = compiled("discourse_aged")

NUMBER = 24
"""Characters before the last digit of an age in which a bound is heard: "moins de 60"."""


@dataclass(frozen=True, slots=True)
class Sentences:
    """The sentences of one text: where each begins and which rules its words make hold."""

    words: bytes
    """The text as `fold.word_bytes` has it."""
    starts: Sequence[int]
    rules: Sequence[frozenset[str]]

    def at(self, offset: int) -> int:
        """Return the number of the sentence that holds an offset."""
        return bisect_right(self.starts, offset) - 1

    def speak_of_nobody(self) -> bool:
        """Tell whether most of them speak of people, rules or figures and none of one person."""
        if not all(map(SOMEBODY.isdisjoint, self.rules)):
            return False
        impersonal = sum(not IMPERSONAL.isdisjoint(rules) for rules in self.rules)
        return 2 * impersonal >= max(len(self.starts), 2)


@dataclass(frozen=True, slots=True)
class DocumentContext:
    """What the document as a whole says: its language, rules that hold for all its mentions."""

    scope: Scope
    rules: tuple[str, ...]
    content: str
    sentences: Sentences
    register: Register = ABOUT_A_PERSON
    """Whether the text speaks of nobody."""
    relevance: str = "rules"
    """Whose weights count: "learned", "rules" or, without any, "type"."""


@cache
def trigger_words(language: str, table: str = "") -> Mapping[bytes, str]:
    """Return word → trigger for a language, or one of its tables; English where there is none."""
    tables = words("triggers")
    lists = tables.get(language, tables["en"])
    lists = lists[table] if table else lists
    return {
        word_bytes(word): trigger
        for trigger, listed in lists.items()
        if isinstance(listed, str)
        for word in listed.split()
    }


@cache
def words_for(triggers: frozenset[str], language: str, table: str = "") -> frozenset[bytes]:
    """Return the words of a language, or of one of its tables, that are one of some triggers."""
    trigger_of = trigger_words(language, table)
    return frozenset(word for word, trigger in trigger_of.items() if trigger in triggers)


@cache
def word_rules(where: str, language: str, table: str = "") -> Mapping[bytes, str]:
    """Return word → the rule that holds if the word stands there: `where:trigger`."""
    return {word: f"{where}:{what}" for word, what in trigger_words(language, table).items()}


NONE: frozenset[str] = frozenset()


@lru_cache(maxsize=1 << 12)
def _with_subject(rules: tuple[str, ...]) -> frozenset[str]:
    """Return the rules of a sentence of those of its words, in order."""
    return frozenset((f"subject:{rules[0].removeprefix('sentence:')}", *rules))


def _rules_by_sentence(
    text: bytes, starts: Sequence[int], language: str
) -> Iterator[frozenset[str]]:
    """Yield the rules that the words of each sentence make hold."""
    rule_of = word_rules("sentence", language)
    for start, end in pairwise((*starts, len(text))):
        words = text[start:end].split()
        if rule_of.keys().isdisjoint(words):
            yield NONE
        else:
            yield _with_subject(tuple(filter(None, map(rule_of.get, words))))


def read_sentences(text: str, language: str) -> Sentences:
    """Split a text into sentences and note the triggers in each, in linear time."""
    folded = word_bytes(text)
    starts = [0, *map(re.Match.end, _STOP.finditer(text))]
    rules = list(_rules_by_sentence(folded, starts, language))
    sentences = Sentences(folded, starts, rules)
    bounds = words_for(BOUND, language, "before")
    for match in _AGED.finditer(text):
        before = folded[max(match.start() - NUMBER, 0) : match.start()].split()[-3:]
        if bounds.isdisjoint(before):  # "de plus de 60 ans" is nobody's age
            rules[sentences.at(match.start())] |= {"sentence:aged"}
    return sentences


def document_context(document: Document, scope: Scope, relevance: str = "rules") -> DocumentContext:
    """Return what the document as a whole says: its sentences, and what kind of document it is.

    The text is read as it is seen: hidden characters part no word, and masks are read as values.
    """
    text = with_stand_ins(visible_text(document.text).text)
    keyed = {**document.others, **document.metadata}
    given = (keyed.get(key) for key in KIND_KEYS)
    kinds = {kind for value in given if isinstance(value, str) for kind in _kinds(value)}
    rules = sorted(f"kind:{kind}" for kind in kinds)
    sentences = read_sentences(text, scope.language)
    register = ABOUT_A_PERSON
    anonymous = not kinds and not _subjects(keyed, scope.language)
    if anonymous and sentences.speak_of_nobody():
        rules.append("document:nobody")
    if anonymous and relevance != "type":
        register = register_of(
            text,
            sentences.words.split(),
            scope.language,
            words_for(SINGULAR, scope.language),
            len(sentences.starts),
        )
    return DocumentContext(scope, tuple(rules), text, sentences, register, relevance)


@lru_cache(maxsize=1 << 12)
def _kinds(value: str) -> frozenset[str]:
    kinds = trigger_words("kinds")
    return frozenset(kinds[word] for word in _words_of(value) if word in kinds)


def _words_of(value: str) -> list[bytes]:
    return word_bytes(value).replace(b"_", b" ").split()


def _subjects(metadata: Mapping[str, object], language: str) -> bool:
    """Tell whether a field is about one person: "patient", "claimant"."""
    singular = words_for(SINGULAR, language)
    return any(word in singular for key in metadata for word in _words_of(str(key)))
