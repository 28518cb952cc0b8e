"""Builds the text view: a document's fields as texts with a label, its language, its countries."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cache, lru_cache
from typing import NamedTuple

from linkmask.choices import COVERED
from linkmask.config import Settings
from linkmask.detect.candidates import Candidate, Scope
from linkmask.detect.register.language import (
    LOCALES,
    language,
    uncovered_language,
    unknown_language,
)
from linkmask.detect.structured.field_pairs import labels_beside
from linkmask.detect.structured.fields import fits_label, listed_type, type_of
from linkmask.detect.structured.label_types import names_user
from linkmask.detect.structured.row_numbers import labels_of_numbers
from linkmask.detect.structured.tables import column_type
from linkmask.detect.structured.user_names import user_name_in
from linkmask.detect.structured.written_labels import beside_labels, within_lines
from linkmask.detect.written_masks import with_stand_ins
from linkmask.records import Document, Mention, Why, path_keys
from linkmask.schema import types, types_of
from linkmask.text.view import TextView, visible_text

WHOLE = 120
"""Characters up to which the value of a labelled field is taken whole."""


NUMBER = re.compile(r"\s*[-+]?[0-9]+(?:[.,][0-9]+)*(?:[eE][-+]?[0-9]+)?\s*")


class Reading(NamedTuple):
    """One field: what is read is `label + value`; spans are given in the value.

    The label names what the value is: the field's key, or the question that a turn of a transcript
    answers.

    `record`: what the record holds and the view that `value` is of it, where they differ
    (`visible_text`). `labels`: what the file's reader wrote before values at the beginning of
    lines; a line that is a label and nothing else is the name of what it labels. `listed`: each
    line is a value of its own, such as an attribute.
    """

    field: str
    label: str
    value: str
    record: tuple[str, TextView] | None = None
    labels: frozenset[str] = frozenset()
    listed: bool = False

    @property
    def text(self) -> str:
        """The text that finders see: "birth date: 1980-02-01", or the content as it stands."""
        return self.label + self.value

    @property
    def is_number(self) -> bool:
        """Whether it is a field with a key that holds a number alone."""
        return bool(self.label and NUMBER.fullmatch(self.value))

    @property
    def is_word(self) -> bool:
        """Whether it is a field with a key that holds one word."""
        return bool(self.label) and self.value.isalpha()

    def labelled(self) -> Iterator[Candidate]:
        """Yield the whole value with its label's type ("patient name"), if the label names one.

        Behind a label of users, it is the user name.
        """
        entity_type = type_of(self.label) if self.label else ""
        value = self.value.strip() if entity_type else ""
        if value and len(value) <= WHOLE and fits_label(self.label, value):
            start = len(self.label) + self.value.index(value)
            yield Candidate(
                start, start + len(value), entity_type, "fields", entity_type.lower(), 0.9
            )
        elif (user := self._user_name()) is not None:
            yield self.behind_label(Candidate(*user, types.NAME, "fields", "user", 0.85))

    def _user_name(self) -> tuple[int, int] | None:
        """Return where the value of a label of users holds the user name."""
        if not self.label or len(self.value) > WHOLE or not names_user(self.label, many=True):
            return None
        return user_name_in(self.value)

    def into(self, found: Candidate) -> Candidate | None:
        """Move a span of `text` into the value; what lies in the label is dropped."""
        if not self.label:
            return found
        start, end = max(found.start - len(self.label), 0), found.end - len(self.label)
        return found._replace(start=start, end=end) if end > start else None

    def reached(self, found: Iterable[Candidate]) -> bool:
        """Tell whether a span of `text` reaches beyond the label: a key's number is no value."""
        return not self.label or any(one.end > len(self.label) for one in found)

    def visible(self) -> Reading:
        """Return the field as it is seen: see `text.view.visible_text`."""
        view = visible_text(self.value)
        if not view.starts:
            return self
        return self._replace(value=view.text, record=(self.value, view))

    def mention(self, document: str, one: Candidate, value: str, relevance: float) -> Mention:
        """Return the mention for a span of the value, with the offsets of the record."""
        start, end, held = one.start, one.end, self.value
        if self.record:
            held, view = self.record
            start, end = view.original(start, end)
        why = _why(one.detector, one.rule, one.score)
        place = (document, self.field, start, end)
        return Mention(*place, one.type, held[start:end], value, relevance, why)

    def candidate(self, mention: Mention) -> Candidate:
        """Return the candidate for a mention: its span is of the value, not of the record."""
        start, end, why = mention.start, mention.end, mention.why
        if self.record:
            start, end = self.record[1].viewed(start, end)
        return Candidate(start, end, mention.type, why.detector, why.rule, why.score)

    def behind_label(self, found: Candidate) -> Candidate:
        """Move a span of the value into `text`."""
        return found.moved(len(self.label))


def beside_added(reading: Reading, spans: list[Candidate], at: int = 0) -> list[Candidate]:
    """Return spans of a field's text without what the reader of its file added to its values.

    `at`: where the spans' text begins in that of the field: the value follows the label.
    """
    text = reading.text[at:]
    beside = beside_labels(text, reading.labels, len(reading.label) - at, spans)
    return within_lines(text, beside) if reading.listed else beside


_why = lru_cache(maxsize=1 << 12)(Why)


def readings(document: Document, settings: Settings) -> Iterator[Reading]:
    """Yield the document's fields as they are seen, in the record's order."""
    return (field.visible() for field in stored_fields(document, settings))


def stored_fields(document: Document, settings: Settings) -> Iterator[Reading]:
    """Yield the document's fields as the record holds them; what is no text has its key as label.

    Where the key says nothing ("value"), the field beside it may name what it holds
    (`field_pairs`), and a number beside a person's name is that person's (`row_numbers`).

    A short turn of a transcript has what was asked in the turn before as label, so "48213" is read
    as an answer to "What is your member ID?". A field that holds its own key is left out: that
    record is a table's header among its rows.
    """
    turns: dict[str, str] = {}
    beside: Mapping[str, str] = {}
    if not document.by_place:
        labels = labels_beside(document.every_field(), type_of)
        beside = {**labels_of_numbers(document.every_field(), column_type), **labels}
    for field, value in document.fields():
        label, shown = _labels_of(field)
        if not label or value.strip().lower() != label:
            if beside_it := beside.get(field):
                shown = f"{beside_it}\n" if beside_it.endswith("?") else f"{beside_it}: "
            running = field in document.texts
            shown = "" if running else shown
            if before := _turn_before(field):
                turns[field] = value
                shown = _asked(turns.get(before, ""), value) or shown
            listed = document.is_list(field)
            yield Reading(field, shown, value, labels=document.labels, listed=listed)


_QUESTION = re.compile(r"[^.!?\n]{1,200}\?\s{0,8}\Z")


def _asked(before: str, value: str) -> str:
    """Return the question that ends a turn, the label of a short answer to it, else ""."""
    question = _QUESTION.search(before[-WHOLE * 2 :]) if len(value) <= WHOLE else None
    return f"{question[0].strip()}\n" if question else ""


LABELS = 1 << 17
"""Fields of which it is remembered what their label is: every step asks for each again."""


@lru_cache(maxsize=LABELS)
def _labels_of(field: str) -> tuple[str, str]:
    """Return the label of a field, and what is read before its value: "birth date: ".

    There, a number that counts the key is left out, as a position in a list would be. So a record
    with a thousand numbered keys has few labels. "address line 2" is a label itself. Of a list, the
    label is that of one: "ssns" is "ssn".
    """
    label = label_of(field)
    if label.endswith("s") and field[-1].isdecimal() and type_of(label[:-1]) and not type_of(label):
        label = label[:-1]
    name, _, number = label.rpartition(" ")
    counted = name and number.isdecimal() and not listed_type(label)
    return label, f"{name if counted else label}: "


@lru_cache(maxsize=LABELS)
def _turn_before(field: str) -> str:
    """Return the field that holds the same of the element before in a list, "" outside of lists.

    `record/messages/3/content` → `record/messages/2/content`; the first element has none: "-".
    """
    parts = field.split("/")
    places = [n for n, part in enumerate(parts) if part.isdecimal()]
    for n in reversed(places):
        if parts[n] != "0":
            return "/".join([*parts[:n], str(int(parts[n]) - 1), *parts[n + 1 :]])
    return "-" if places else ""


def label_of(field: str) -> str:
    """Return the last key of a field's path as words: `metadata/patient/birthDate` → birth date.

    Positions in lists are skipped: `metadata/notes/0` → notes.
    """
    keys = [key for key in path_keys(field) if not key.isdecimal()]
    key = keys[-1] if keys else ""
    spaced = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", " ", key)
    return " ".join(re.split(r"[^\w/]+|_+", spaced)).strip().lower()


def scope_of(document: Document, settings: Settings) -> Scope:
    """Return the language of the document and the countries of the settings."""
    regulated = not types_of("regulated").isdisjoint(schema_weights(settings))
    text = _prose(document)
    spoken = language(text, settings.languages)
    found, order = unknown_language(text[:READ]), shows_day_first(document.text)
    return _scope(spoken, settings.countries, regulated, found, order)


_NUMERIC = re.compile(r"(?<![\d/-])(\d{1,2})[/-](\d{1,2})[/-](?:19|20)\d\d(?![\d/-])")


def shows_day_first(text: str) -> bool:
    """Tell whether dates such as 25/03/2024 show that the day stands first, and none the month.

    With two digits for the year, "20/10/10" may be a ratio, and "24-03-15" begins with the year.
    """
    pairs = [(int(first), int(second)) for first, second in _NUMERIC.findall(text)]
    return any(a > 12 for a, b in pairs if b <= 12) and all(b <= 12 for _, b in pairs)


def language_of(document: Document, settings: Settings) -> str:
    """Return the likeliest of the settings' languages for a document (ISO 639-1)."""
    return language(_prose(document), settings.languages)


def written_language_of(document: Document, settings: Settings) -> str:
    """Return the language (ISO 639-1) of what a mask writes into a document, such as a month.

    It may be one that has recognizers but no rules and word lists, such as Spanish.
    """
    text = _prose(document)
    found = unknown_language(text[:READ])
    return found if found in LOCALES else language(text, settings.languages)


def covered_language_of(document: Document) -> str:
    """Return the likeliest of the languages that detection covers for a document (ISO 639-1)."""
    return language(_prose(document), COVERED)


def _prose(document: Document) -> str:
    """Return a document's text without markup, with stand-ins for earlier masks."""
    return with_stand_ins(visible_text(document.text).text)


def uncovered_language_of(document: Document) -> str:
    """Return the language of a document (ISO 639-1) if detection does not cover it, else nothing.

    Then only values with a form, a title or a full name are found in it.
    """
    text = document.text
    if MARKUP in text[:READ]:
        text = visible_text(text[: READ * MARKED]).text
    return uncovered_language(text[:READ])


READ = 800
"""Characters of a document that show whether it is in a language without word lists."""
MARKUP, MARKED = "<", 20
"""The sign of markup, and how many times as long a text with markup may be."""

_scope = cache(Scope)


def schema_weights(settings: Settings) -> Mapping[str, float]:
    """Return the weights of the settings' schema, with the user's own."""
    return settings.entity_types.weights


def day_first(scope: Scope) -> bool:
    """Tell whether 03/04 is the third of April: not in English where US dates are expected."""
    shown = scope.day_first or bool(scope.foreign)
    return shown or scope.language != "en" or "us" not in scope.countries
