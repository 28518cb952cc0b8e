"""Runs the recognizers of a user's files over a text, and keeps what their allow lists name."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache
from itertools import chain
from typing import Any, NamedTuple

from msgspec.structs import replace

from linkmask import schema
from linkmask.config import Settings
from linkmask.config.paths import field_in_settings, leads_to
from linkmask.detect.candidates import OWN, Candidate, Scope
from linkmask.detect.patterns import try_rule
from linkmask.detect.recognizers.prefilter import Near, key_of, shape
from linkmask.detect.recognizers.row_rules import (
    RowError,
    checked,
    inside_word,
    rule_of,
    trigger_judge,
)
from linkmask.detect.recognizers.rule import Searched
from linkmask.detect.register.language import KNOWN
from linkmask.detect.view.readings import covered_language_of, scope_of
from linkmask.errors import SettingsError
from linkmask.records import METADATA, RECORD, Document, Mention, Why
from linkmask.schema import recognizers
from linkmask.schema.recognizer_rows import OwnType, RecognizerRow
from linkmask.text.fold import fold, folded_value


class Place(NamedTuple):
    """Where a text stands: a document by its id, its field, and the setting `metadata_field`."""

    document: str
    field: str
    metadata: str


class OwnRecognizers:
    """The rows of a user's files, compiled."""

    def __init__(self, rows: Sequence[RecognizerRow]) -> None:
        patterns = [row for row in rows if row.pattern]
        rules = [rule_of(row) for row in patterns]
        self._near = Near(rules)
        keys = [self._near.keys.index(key_of(rule)) for rule in rules]
        self._patterns = list(zip(patterns, rules, keys, strict=True))
        self._lists = [_Values(row) for row in rows if row.values]
        self.keeps = any(row.keep for row in rows)
        self._foreign = not KNOWN.issuperset(chain.from_iterable(row.languages for row in rows))
        self._confined = frozenset(row.id for row in rows if row.documents)

    def find(self, text: str, scope: Scope, place: Place | None = None) -> list[Candidate]:
        """Return what the rows find in a text; that of allow lists has no type.

        `place`: where the text stands; without it every row is tried, whatever its fields and
        documents.
        """
        found: list[Candidate] = []
        outline = shape(text)
        stretches = self._near.stretches(outline) if self._patterns else {}
        for row, rule, key in self._patterns:
            if (where := stretches.get(key)) and _applies(row, scope, place):
                seen = Searched(text, outline, bytearray(len(text)), [])
                try_rule(rule, [(seen, where)])
                found += (one._replace(detector=OWN) for one in seen.found)
        for listed in self._lists:
            if _applies(listed.row, scope, place):
                found += listed.find(text)
        return found

    def scope(self, document: Document, scope: Scope) -> Scope:
        """Return a scope of a document with the language it is in, if rows name such languages.

        A short text has too few function words to show a language without word lists. The rows for
        its likeliest language are tried, too: a row that is not tried leaks.
        """
        if not self._foreign or scope.foreign:
            return scope
        likeliest = covered_language_of(document)
        return scope if likeliest in KNOWN else dataclasses.replace(scope, foreign=likeliest)

    def spreads(self, why: Why) -> bool:
        """Tell whether what was found so is looked for in other documents, too."""
        return why.detector != OWN or why.rule not in self._confined

    def allowed(self, text: str, scope: Scope) -> list[Candidate]:
        """Return the spans of a text that allow lists name."""
        return [one for one in self.find(text, scope) if not one.type] if self.keeps else []


class _Values:
    """A list of values, searched for at once as whole words."""

    def __init__(self, row: RecognizerRow) -> None:
        self.row = row
        self._exact = row.ignore_case is False
        self._values = sorted({folded_value(value) for value in row.values})
        self._spellings = frozenset(row.values)
        self._judge = trigger_judge(row, checked(row))
        from ahocorasick_rs import AhoCorasick, Implementation

        self._search: Any = AhoCorasick(self._values, implementation=Implementation.ContiguousNFA)

    def find(self, text: str) -> Iterator[Candidate]:
        """Yield the values in a text, with their triggers and valid, as candidates."""
        row, turned = self.row, fold(text)
        for _, first, last in self._search.find_matches_as_indexes(turned.text, overlapping=True):
            if inside_word(turned.text, first, last):
                continue
            start, end = turned.original(first, last)
            if self._exact and text[start:end] not in self._spellings:
                continue
            if verdict := self._judge(text, start, end):
                kind, score = verdict
                yield Candidate(start, end, kind, OWN, row.id, score)


def _applies(row: RecognizerRow, scope: Scope, place: Place | None) -> bool:
    """Tell whether a row is for texts of this language, these countries, this place."""
    if row.languages and {scope.language, scope.foreign}.isdisjoint(row.languages):
        return False
    if row.countries and not set(row.countries) & set(scope.countries):
        return False
    if place is None:
        return True
    if row.documents and place.document not in row.documents:
        return False
    name = _name(place) if row.fields else ""
    return not row.fields or any(leads_to(one, name) for one in row.fields)


def _name(place: Place) -> str:
    """Return the name of a field as settings spell it."""
    if place.field.startswith((f"{METADATA}/", f"{RECORD}/")):
        return field_in_settings(place.field, place.metadata)
    return place.field


@cache
def _compiled(
    paths: tuple[str, ...], digest: str, schema_name: str, own: tuple[OwnType, ...]
) -> OwnRecognizers | None:
    schema_types = schema.load(schema_name)
    held = recognizers.load(paths, schema_types)
    if held.digest != digest:
        raise SettingsError(
            f"the recognizers of {', '.join(paths)} have changed since the settings were read: "
            "begin again"
        )
    types = schema_types.with_types(own)
    rows = [replace(row, type=types.type_of(row.type) or "") for row in held.rows]
    try:
        return OwnRecognizers(rows) if rows else None
    except RowError as error:
        raise recognizers.wrong(paths, error.row, error.key, error.problem) from None


def own_recognizers(settings: Settings) -> OwnRecognizers | None:
    """Return the compiled recognizers of the settings' files, None if there are none.

    Raises:
        SettingsError: a row can't be used, or a file has changed since the settings were read.
    """
    if not settings.recognizers:
        return None
    types = settings.schema, tuple(settings.own_types.values())
    return _compiled(settings.recognizers, settings.recognizers_digest, *types)


def unkept(document: Document, mentions: Iterable[Mention], settings: Settings) -> list[Mention]:
    """Return the mentions of a document that lie in no span of an allow list."""
    kept = cache(allowed_spans(document, settings))
    return [one for one in mentions if not _within(one, kept(one.field))]


def allowed_spans(document: Document, settings: Settings) -> Callable[[str], list[Candidate]]:
    """Return a function that returns the spans that allow lists name in a field of a document."""
    own = own_recognizers(settings)
    if own is None or not own.keeps:
        return lambda field: []
    fields, scope = dict(document.fields()), own.scope(document, scope_of(document, settings))
    return lambda field: own.allowed(fields[field], scope)


def without_kept(found: Iterable[Candidate], kept: Sequence[Candidate]) -> list[Candidate]:
    """Return the candidates that lie in no span of an allow list."""
    if not kept:
        return list(found)
    return [one for one in found if not _within(one, kept)]


def _within(one: Candidate | Mention, kept: Iterable[Candidate]) -> bool:
    return any(keep.start <= one.start and one.end <= keep.end for keep in kept)


# ── examples ──────────────────────────────────────────────────────────────────────────────────


class Tried(NamedTuple):
    """A text of a row's, what the row finds in it, and whether it should find something."""

    row: str
    text: str
    found: tuple[str, ...]
    wanted: bool

    @property
    def right(self) -> bool:
        """Whether an example was found, or a near-miss was not."""
        return bool(self.found) == self.wanted


def tried(row: RecognizerRow) -> Iterator[Tried]:
    """Yield what a row finds in its examples and its near-misses.

    An example in which no trigger stands is tried behind the first of the row's triggers.

    Raises:
        RowError: the row can't be used.
    """
    own = OwnRecognizers([row])
    scope = Scope(row.languages[0]) if row.languages else Scope()
    if row.countries:
        scope = Scope(scope.language, row.countries)
    for texts, wanted in ((row.examples, True), (row.near_misses, False)):
        for text in texts:
            held = [text]
            if (
                wanted
                and row.triggers
                and not any(one.lower() in text.lower() for one in row.triggers)
            ):
                held.append(f"{row.triggers[0]}: {text}")
            spans = {(one.start, one.end, each) for each in held for one in own.find(each, scope)}
            found = tuple(dict.fromkeys(each[start:end] for start, end, each in sorted(spans)))
            yield Tried(row.id, text, found, wanted)
