"""Finds the condition or treatment that fewer words, or a plural, mean."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from linkmask import schema

PHRASES = schema.types_of("clinical")
"""Types whose values are phrases of the language."""

NO_PLURAL = ("ss", "us", "is", "as", "os")
"""Ends of words whose s is no plural's: abscess, lupus, sepsis, pancreas."""

_Key = tuple[str, str, str]


def other_number(value: str) -> str:
    """Return a phrase of several words with its last in the plural, or singular; "" if unclear."""
    last = value.rpartition(" ")[2]
    if " " not in value or len(last) < 4 or not last.isalpha() or last.endswith(NO_PLURAL):
        return ""
    return value[:-1] if last.endswith("s") else f"{value}s"


class Phrases:
    """The phrases of a corpus."""

    def __init__(self, known: Iterable[tuple[str, str]]) -> None:
        """Take the distinct types and values of a corpus, sorted."""
        self._all: set[tuple[str, str]] = set()
        self._between: dict[_Key, list[str]] = {}
        for entity_type, value in known:
            words = value.split() if entity_type in PHRASES else []
            if words:
                self._all.add((entity_type, value))
            if len(words) > 2:
                self._between.setdefault((entity_type, words[0], words[-1]), []).append(value)

    def resolve(self, entity_type: str, value: str, in_document: Collection[str]) -> str:
        """Return the phrase that one stands for, or itself where unclear.

        A plural stands for its singular, if the corpus has it. A phrase stands for the only longer
        phrase with the same first and last word that holds all its words in order: pulsed ablation,
        pulsed field ablation.
        """
        if value.endswith("s") and (one := other_number(value)) and (entity_type, one) in self._all:
            value = one
        words = value.split()
        if len(words) < 2:
            return value
        longer = self._between.get((entity_type, words[0], words[-1]), ())
        full = [one for one in longer if one != value and _holds(one.split(), words)]
        here = [one for one in full if one in in_document]
        return (here or full)[0] if len(here or full) == 1 else value


def _holds(longer: list[str], words: list[str]) -> bool:
    rest = iter(longer)
    return len(longer) > len(words) and all(word in rest for word in words)
