"""Decides which spellings are searched for everywhere, and which only where detection found them.

In a search over the corpus, "52" would match every dosage and "will" every sentence. Such spellings
are masked only where a mention stands; their spellings with a trigger ("52-year-old", "Will Hart")
are safe to search for.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache

from linkmask import schema
from linkmask.config import Settings
from linkmask.records import CapitalizedSpelling
from linkmask.redact.placeholders import Target

_AGE_TRIGGER = re.compile(r"(?i)year|\byrs?\b|\by/?o\b|\baged?\b|\bans?\b|âg[ée]|jahr|jähr|\balt\b")


_LETTERS, _NUMBER = re.compile("[A-Za-z]{3}"), re.compile("[0-9]{4}")
_ALNUM = bytes(code for code in range(128) if chr(code).isalnum())
_EDGES = ".,;:!?'’\"()"
_PERSONS, _AGES = schema.types_of("person"), schema.types_of("age")
_NAMED = schema.types_of("person", "provider", "place", "address", "organization")


@cache
def common_words() -> frozenset[str]:
    """Everyday words, casefolded: too frequent to stand for one thing wherever they occur."""
    tables = schema.words("common").values()
    return frozenset(word for words in tables for word in words.casefold().split())


@cache
def _stopwords() -> frozenset[str]:
    """Stopwords of further languages, casefolded: "sem" is one in Portuguese, and Sem a name."""
    return frozenset(word for words in schema.words("stopwords").values() for word in words.split())


@cache
def _months() -> frozenset[str]:
    rows = [row for rows in schema.words("calendar")["months"].values() for row in rows]
    return frozenset(word.casefold() for row in rows for word in row)


def sweepable(entity_type: str, surface: str) -> bool:
    """Return whether a spelling is distinctive enough to be masked wherever it stands.

    These are not distinctive: ages without a trigger; fewer than four digits and no letter; one or
    two letters; a single everyday word; several everyday words and small numbers ("last year", "3
    days"), unless they name somebody or something ("Grace Hill") or a day ("12 March").
    """
    if _is_sure(entity_type, surface):
        return True
    letters, digits = _counts(surface)
    if entity_type in _AGES:
        return _AGE_TRIGGER.search(surface) is not None and letters + digits > 3
    if not letters:
        return digits >= 4
    if letters + digits < 3:
        return False
    words = surface.casefold().split()
    if len(words) > 1 and entity_type in _NAMED:
        return True
    words = [word.strip(_EDGES) for word in words]
    vague = [word in common_words() or (word.isdigit() and len(word) < 4) for word in words]
    return not all(vague) or (len(words) > 1 and not _months().isdisjoint(words))


def _is_sure(entity_type: str, surface: str) -> bool:
    """Tell the same of most spellings, of which there are millions, in a fraction of the time."""
    if entity_type in _NAMED and " " in surface.strip():
        return _LETTERS.search(surface) is not None
    return entity_type not in _AGES and _NUMBER.search(surface) is not None


def _counts(surface: str) -> tuple[int, int]:
    """Return how many letters and how many digits a spelling has."""
    if surface.isascii():  # twice as fast
        small = surface.encode()
        digits = len(surface) - len(small.translate(None, b"0123456789"))
        return len(surface) - digits - len(small.translate(None, _ALNUM)), digits
    return sum(map(str.isalpha, surface)), sum(map(str.isdigit, surface))


def searched_spellings(targets: Mapping[str, Target], settings: Settings) -> dict[str, list[str]]:
    """Return, for each masked entity, the spellings that redaction looks for.

    Scope `corpus`: all that are distinctive, wherever they stand. Scope `documents`: those seen in
    the corpus, whatever they are, in the documents where the entity was found (formulas.md §10.1).
    A bare surname that was not seen as a mention is a `CapitalizedSpelling`: "banks" names nobody.
    """
    if settings.scope == "documents":
        return {entity: list(dict.fromkeys(target[1])) for entity, target in targets.items()}
    return {entity: _searched(*target[:3]) for entity, target in targets.items()}


def _searched(kind: str, surfaces: Sequence[str], forms: Sequence[str]) -> list[str]:
    """Return the distinctive ones among the spellings and the other forms of an entity."""
    seen = dict.fromkeys(surfaces)
    found = [
        CapitalizedSpelling(surface) if surface.casefold() in _stopwords() else surface
        for surface in seen
        if sweepable(kind, surface)
    ]
    for form in dict.fromkeys(forms):
        if form not in seen and sweepable(kind, form) and not _brief(form):
            found.append(CapitalizedSpelling(form) if _proper(kind, form) else form)
    return found


def typed_spellings(forms: Iterable[str], ordinary: Callable[[str], bool]) -> list[str]:
    """Return the spellings of a masked entity that are looked for in what people type.

    Args:
        forms: those that are looked for in scope `corpus` (`searched_spellings`).
        ordinary: whether a word in small letters is a word of the language. Any other bare
            surname counts in small letters, too, because people seldom type capitals.
    """
    return [
        str(form) if isinstance(form, CapitalizedSpelling) and not ordinary(form.lower()) else form
        for form in forms
    ]


def _brief(form: str) -> bool:
    """Tell whether a spelling is three initials, which can mean many things."""
    return form.isupper() and form.isalpha() and len(form) <= 3


def _proper(entity_type: str, form: str) -> bool:
    """Tell whether a form is a bare surname, or the short name of an organization."""
    named = form.isalpha() if entity_type in _PERSONS else entity_type in _NAMED
    return named and all(word[:1].isupper() for word in form.split())
