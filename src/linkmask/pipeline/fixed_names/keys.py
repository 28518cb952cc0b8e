"""Checks what masking never changes: keys of objects, names of columns, ids and file names.

A direct identifier in a key can't be replaced, because programs read the record by its keys. So the
document is set aside until the key is renamed. Values in ids and file names are only reported.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import msgspec

from linkmask import detect
from linkmask.config import Settings
from linkmask.detect.lexicon.word_features import FEATURES, GIVEN, SURNAME
from linkmask.pipeline.detection.detector import Detector
from linkmask.pipeline.fixed_names.names_in_keys import (
    REMEMBERED,
    WORD,
    as_words,
    full_names,
    keys_of_persons,
    names_somebody,
    words_in,
    words_of_persons,
)
from linkmask.pipeline.planning.generalization import leaves_nothing
from linkmask.records import RECORD, Document, Finding, Mention, child_path
from linkmask.schema import types, types_of

RULES = "rules"
"""The detector of keys. The tagger is left out: it reads sentences, and took 130 of 441 ordinary
names of fields and files for names or addresses; the recognizers and the lexicon took none."""
SURE = 0.7
"""Lowest score of a mention in a key that counts: a first name alone ("rose") has less."""
LEAST = 4
"""Digits that a number needs to identify somebody."""
CLINICIANS = types_of("provider")
"""Types of clinicians: names of persons count, and names of institutions don't."""
ISSUED = types_of("id") - types_of("direct")
"""Types of numbers that may also be a batch's or a product's."""
PERSONAL = types_of("id") & types_of("direct")
LONG = 7
"""Digits that a number of a batch or in a name needs: "batch 1000 lot 50" identifies nobody."""
TOGETHER = 100
"""Keys that are read as fields of one document."""
ALIKE = 16
"""Number of keys that are read of a group that differs in one short number: "key 4711"."""

_HEX = re.compile(r"[0-9a-fA-F]+")
_GROUPED = re.compile(r"(?:.*/)?[0-9]+(?:[ ./-][0-9]+)+(?:\.[a-z]\w*)?", re.DOTALL)

_DIGIT = re.compile(r"[0-9]")
_NUMBER = re.compile(r"[0-9]+")
_YEAR = re.compile(r"(?:18|19|20)[0-9]{2}")
_DAY, _MONTH = "(?:[0-2][0-9]|3[01])", "(?:0[1-9]|1[0-2])"
_WHEN = re.compile(
    rf"(?:19|20)[0-9]{{2}}{_MONTH}{_DAY}(?:[0-9]{{4}}|[0-9]{{6}})?"
    rf"|{_DAY}{_MONTH}(?:19|20)[0-9]{{2}}|1[4-9][0-9]{{8}}(?:[0-9]{{3}})?"
)
"""Digits of a date, with or without a time, or of seconds or milliseconds since 1970."""


@dataclass
class Keys:
    """Searches each key once for direct identifiers and types of the floor; picklable.

    `detect` finds the mentions in each of some texts of one language, `language` tells that of a
    document, `counts` whether a mention is a value that is always masked. A key is read in the
    language of its document's text, or of all its keys where it has no text. Names are read in the
    language `usual`: their few words tell none, and the rules find the same names in each.
    """

    detect: Callable[[Sequence[str], str], Sequence[Sequence[Mention]]]
    language: Callable[[Document], str]
    counts: Callable[[Mention], bool]
    usual: str = "en"
    _seen: dict[tuple[str, str], tuple[str, ...]] = field(default_factory=dict)

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "_seen": {}}

    def findings(self, document: Document, persons: Iterable[str] = ()) -> Iterator[Finding]:
        """Yield a finding for each type that a document's keys hold.

        It blocks unless all such keys lead to excluded fields alone.

        Args:
            document: as masked.
            persons: names that are masked in it; a key with a word of one holds a name.
        """
        keys = list(document.every_key())
        distinct = {key for _, key, _ in keys}
        language, named = self._search(document, distinct), full_names(distinct)
        persons = set(persons)
        if words := words_of_persons(persons):
            named |= {key for key in distinct if not words.isdisjoint(words_in(key))}
        named |= keys_of_persons(((path, key) for path, key, _ in keys), persons)
        blocking: dict[str, bool] = {}
        for _, key, excluded in keys:
            for kind in {*self._seen[language, key], *([types.NAME] if key in named else [])}:
                blocking[kind] = blocking.get(kind, False) or not excluded
        for kind, blocks in sorted(blocking.items()):
            detail = f"a key holds a value of type {kind}: rename it, or exclude the field"
            yield Finding(document.id, "key", detail, blocks)

    def names(self, names: Iterable[str]) -> set[str]:
        """Return those of some ids and file names in which a person is named.

        A full name, an address or a mail address counts, a number in groups that is a whole id, and
        a person's number after a word that announces it: "MRN 4482913". Other numbers do not,
        because a part of a code may look like anything. Of names that differ only in digits, a
        sample is read, so that a million numbered files cost no more than a few.
        """
        alike: dict[str, list[str]] = {}
        for name in sorted(set(names)):
            alike.setdefault(_DIGIT.sub("0", name), []).append(name)
        forms = [
            (group, form)
            for group in alike.values()
            if _may_name_one(group[0])
            for name in _some(group)
            for form in dict.fromkeys((name, as_words(name)))
        ]
        leaking = {one for group in alike.values() if names_somebody(group[0]) for one in group}
        found = self.detect([form for _, form in forms], self.usual) if forms else ()
        for (group, form), mentions in zip(forms, found, strict=True):
            somebodys = (m for m in mentions if self.counts(m) and m.type not in ISSUED)
            if any(_names_one(m, form) for m in somebodys):
                leaking.update(group)
        return leaking

    def _search(self, document: Document, keys: set[str]) -> str:
        """Detect in each key that was not searched yet, as it is written and as words.

        Returns:
            The language in which the document's keys were read.
        """
        told_by = document if document.text.strip() else Document("", " ".join(sorted(keys)))
        language = self.language(told_by)
        if len(self._seen) > REMEMBERED:
            self._seen.clear()
        new = sorted((language, key) for key in keys if (language, key) not in self._seen)
        self._seen.update(dict.fromkeys(new, ()))
        read = [(group, key) for group in _alike(key for _, key in new) for key in _some(group)]
        forms = [(group, form) for group, key in read for form in _forms(key)]
        found = self.detect([form for _, form in forms], language) if forms else ()
        for (group, _), mentions in zip(forms, found, strict=True):
            if sure := {m.type for m in mentions if self.counts(m) and _sure(m)}:
                for key in group:
                    held = self._seen[language, key]
                    self._seen[language, key] = tuple(sorted(sure.union(held)))
        return language


def _alike(keys: Iterable[str]) -> Iterable[Sequence[str]]:
    """Return keys in groups; the keys of a group differ only in the digits of one number.

    The number has fewer than `LONG` digits, and the same number of digits in each. It counts the
    keys; or if the words before it show that it belongs to a person, they do so in each key.
    """
    groups: dict[str, list[str]] = {}
    for key in keys:
        numbers = _NUMBER.findall(key)
        counted = len(numbers) == 1 and len(numbers[0]) < LONG
        groups.setdefault(_DIGIT.sub("0", key) if counted else key, []).append(key)
    return groups.values()


def _some(group: Sequence[str]) -> Sequence[str]:
    """Return up to `ALIKE` keys of a group, from its first to its last."""
    last, count = len(group) - 1, min(len(group), ALIKE)
    return [group[last * n // max(count - 1, 1)] for n in range(count)]


def _sure(one: Mention) -> bool:
    """Return whether a mention in a key is personal data; a year alone ("dob_2024") is not."""
    short = one.type in ISSUED and sum(map(str.isdigit, one.original)) < LONG
    return one.why.score >= SURE and not short and not _YEAR.fullmatch(one.original)


def _words(text: str) -> Sequence[str]:
    """Return the words of an id or a file name; what may be hexadecimal is none."""
    return [word for word in WORD.findall(as_words(text)) if not _HEX.fullmatch(word)]


def _may_name_one(name: str) -> bool:
    """Tell whether an id or a file name may name a person, so that it is searched."""
    if "@" in name or _GROUPED.fullmatch(name):
        return True
    words = len(_words(name))
    return words > 1 or (words > 0 and sum(map(str.isdigit, name)) >= LONG)


def _names_one(one: Mention, name: str) -> bool:
    """Tell whether a mention in an id or a file name is a person's.

    It is words, all of the id, or a number after a word that says more than "id"; a date is none.
    """
    if "@" in one.original or len(_words(one.original)) > 1 or _GROUPED.fullmatch(name):
        return _sure(one)
    announced = any(word.casefold() != "id" for word in _words(name.partition(one.original)[0]))
    long = sum(map(str.isdigit, one.original)) >= LONG
    dated = all(map(_WHEN.fullmatch, _NUMBER.findall(one.original)))
    return announced and long and not dated and one.type in PERSONAL and _sure(one)


def _forms(key: str) -> Sequence[str]:
    """Return a key as it is written and as words: "voteOf_Jane_Doe", "vote Of Jane Doe".

    The words have capitals if the first two are a known given name and surname: "janeDoe". A key
    that has neither two words nor an at sign nor `LEAST` digits holds no identifier.
    """
    words = as_words(key)
    if len(WORD.findall(words)) < 2 and "@" not in key and sum(map(str.isdigit, key)) < LEAST:
        return ()
    given, surname = (*words.title().split()[:2], "", "")[:2]
    if FEATURES[given] & GIVEN and FEATURES[surname] & SURNAME:
        words = words.title()
    return list(dict.fromkeys((key, words)))


def keys_of(settings: Settings) -> Keys:
    """Return the search of keys for what settings always mask, and for direct identifiers."""
    language = partial(detect.language_of, settings=settings)
    usual = (*settings.languages, "en")[0]
    return Keys(partial(_mentions, settings), language, partial(_always_masked, settings), usual)


def _always_masked(settings: Settings, one: Mention) -> bool:
    """Tell whether a mention is of a direct identifier, of a floor type, or names a clinician."""
    named = one.type in CLINICIANS and leaves_nothing(one, settings)
    return named or one.type in settings.direct_types


def _mentions(
    settings: Settings, texts: Sequence[str], language: str
) -> Sequence[Sequence[Mention]]:
    """Return what the rules find in texts of a known language; relevance is not asked for.

    Many texts are read as fields of one document, because a document has a fixed cost.
    """
    rules = msgspec.structs.replace(
        settings, detector=RULES, languages=(language,), relevance="type"
    )
    rows = [list(texts[at : at + TOGETHER]) for at in range(0, len(texts), TOGETHER)]
    fields = [str(number) for number in range(TOGETHER)]
    names = [child_path(RECORD, field) for field in fields]
    documents = [
        Document(
            "", "", others=dict(zip(fields, row, strict=False)), texts=tuple(names[: len(row)])
        )
        for row in rows
    ]
    seen = []
    for row, mentions in zip(rows, Detector(rules).many(documents), strict=True):
        found: dict[str, list[Mention]] = {}
        for one in mentions:
            found.setdefault(one.field, []).append(one)
        seen += [found.get(name, []) for name in names[: len(row)]]
    return seen
