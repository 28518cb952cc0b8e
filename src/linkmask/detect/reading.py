"""A document as finders read it: its fields as texts with a label, its language, its countries."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

from linkmask.config import Settings
from linkmask.detect.found import Found, Scope
from linkmask.records import CONTENT, Document

SAMPLE = 600
"""Characters of a document that its language is told from."""


@dataclass(frozen=True, slots=True)
class Reading:
    """One field: what is read is `label + value`; spans are given in the value."""

    field: str
    label: str
    value: str

    @property
    def text(self) -> str:
        """The text that finders see: "birth date: 1980-02-01", or the content as it stands."""
        return self.label + self.value

    def into(self, found: Found) -> Found | None:
        """Move a span of `text` into the value; what lies in the label is dropped."""
        if not self.label:
            return found
        start, end = max(found.start - len(self.label), 0), found.end - len(self.label)
        return replace(found, start=start, end=end) if end > start else None

    def out_of(self, found: Found) -> Found:
        """Move a span of the value into `text`."""
        by = len(self.label)
        return replace(found, start=found.start + by, end=found.end + by) if by else found


def readings(document: Document, settings: Settings) -> Iterator[Reading]:
    """Yield the document's fields in the record's order, metadata with its key as label."""
    for field, value in document.fields(settings.exclude_fields):
        yield Reading(field, "" if field == CONTENT else f"{label_of(field)}: ", value)


def label_of(field: str) -> str:
    """Return the last key of a metadata path as words: `metadata/patient/birthDate` → birth date.

    Positions in lists are skipped: `metadata/notes/0` → notes.
    """
    keys = [key for key in field.split("/")[1:] if not key.isdecimal()] or [""]
    spaced = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", " ", keys[-1])
    return " ".join(re.split(r"[\W_]+", spaced)).strip().lower()


def scope_of(document: Document, settings: Settings) -> Scope:
    """Return the language of the document and the countries of the settings."""
    return Scope(language(document.content, settings.languages), settings.countries)


def day_first(scope: Scope) -> bool:
    """Tell whether 03/04 is the third of April: not in English where US dates are expected."""
    return scope.language != "en" or "us" not in scope.countries


@cache
def _identifier(languages: tuple[str, ...]) -> Any:
    from py3langid.langid import MODEL_FILE, LanguageIdentifier

    identifier = LanguageIdentifier.from_model_file(MODEL_FILE)
    identifier.set_languages(list(languages))
    return identifier


def language(text: str, languages: tuple[str, ...]) -> str:
    """Return the likeliest of `languages` (ISO 639-1) for a text; the first one if it is empty."""
    if len(languages) == 1 or not text.strip():
        return languages[0] if languages else "en"
    return str(_identifier(languages).classify(text[:SAMPLE])[0])
