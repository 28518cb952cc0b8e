"""Looks up documents and entities of a run by id, value or name."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property
from typing import Any

from linkmask.config import Settings
from linkmask.errors import UsageError
from linkmask.records import Incidence, Mention, Plan, Risk, entity_id
from linkmask.report.explain.planned_risks import PlannedRisks
from linkmask.report.explain.rare_words import under_rare_words
from linkmask.report.explain.suggestions import (
    NEAREST,
    near_ids,
    nearest_names,
    no_document,
    not_detected,
)
from linkmask.report.wording import count, entity_id_in, harmless_text, rare_words_hide
from linkmask.schema import RARE_TERM
from linkmask.text.letters import without_accents

CorrectionsById = Mapping[str, Sequence[Mapping[str, Any]]]
"""Entity id → its corrections by reviewers, as rows of `corrections.corrected_line`."""


class RunLookup(PlannedRisks):
    """A run as questions see it: its figures, and what is found there by id or value.

    Args:
        mentions: gives the run's mentions, each time anew.
        show_values: entities may be named by id and value.
        rule: what the policies demand of an entity, by its number; "" for nothing.
        corrections: gives the corrections of entities by reviewers, by id.
    """

    def __init__(
        self,
        incidence: Incidence,
        before: Risk,
        plan: Plan | None,
        mentions: Callable[[], Iterable[Mention]],
        settings: Settings,
        show_values: bool,
        rule: Callable[[int], str] = lambda entity: "",
        corrections: Callable[[], CorrectionsById] = dict,
    ) -> None:
        super().__init__(incidence, before, plan, settings)
        self.mentions = mentions
        self.show_values = show_values
        self.rule = rule
        self._corrections = corrections

    def document(self, name: str) -> int:
        """Return the number of the document with this id, or with the only id that begins so.

        Raises:
            UsageError: there is none, or more than one.
        """
        ids = self.incidence.documents
        found = [d for d, other in enumerate(ids) if other == name]
        found = found or [d for d, other in enumerate(ids) if name and other.startswith(name)]
        if len(found) == 1:
            return found[0]
        if found:
            raise UsageError(
                f"{count(len(found), 'document')} have ids that begin so: give a whole id"
            )
        raise UsageError(no_document(harmless_text(name, 60), map(harmless_text, ids)))

    def entity(self, text: str) -> int:
        """Return the number of the entity with this label or id, beginning of one, or value.

        Its type may stand before the id, as lists of entities have it.

        Raises:
            UsageError: there is none, or more than one.
        """
        ids, given = self.incidence.entities, entity_id_in(text).strip().lower()
        if len(given) >= 4 and not set(given) - set("0123456789abcdef"):
            found = list(range(bisect_left(ids, given), bisect_left(ids, given + "g")))
            found += [e for e, label in enumerate(self.labels) if label.startswith(given)]
            if len(found := sorted(set(found))) == 1:
                return found[0]
            if found:
                raise UsageError(
                    f"{len(found):,} entities have ids that begin so: give more of the id"
                )
        found = self.written(text)
        found = [e for e in found if self.type(e) != RARE_TERM] or found
        if len(found) == 1:
            return found[0]
        if found:
            which = ", ".join(self.name(e, hidden=True) for e in found[:8])
            raise UsageError(f"more than one entity is written so: ask for one by id ({which})")
        parts = [f"{self.name(e)} ({self.standing(e)})" for e, _ in self.overlapping_entities(text)]
        raise UsageError(not_detected(self._near(text), parts, compared=self.show_values))

    def _near(self, text: str) -> list[str]:
        """Suggest similar entities: by id and type, and by value only if values may be shown."""
        ids = self.incidence.entities
        near = tuple(near_ids(text, self.labels))
        found = [e for e, label in enumerate(self.labels) if label.startswith(near)]
        if self.show_values and not found:
            words = {w: id_ for id_, value in self._values.items() for w in (value, *value.split())}
            found = [bisect_left(ids, words[one]) for one in nearest_names(text, words, 0.75)]
        if not found:
            types = set(nearest_names(text, self.incidence.types, 0.75)[:1])
            found = [e for e in range(len(ids)) if self.type(e) in types][:NEAREST]
        return [self.name(e) for e in dict.fromkeys(found)]

    def written(self, text: str) -> list[int]:
        """Return the entities with this value or spelling; case, accents and signs do not count.

        Raises:
            UsageError: the text has no letter and no digit.
        """
        key = _key(text)
        if not key:
            raise UsageError("give a value with at least one letter or digit")
        separator = self.settings.id_separator
        return self._numbers(
            entity_id(value, entity_type, separator)
            for mention in self.mentions()
            for (value, entity_type), spelling in mention.entity_spellings()
            if key in (_key(spelling), _key(value))
        )

    def overlapping_entities(self, text: str) -> list[tuple[int, range]]:
        """Return the entities that are words of this text, or that it is words of.

        With each, which words of the text it covers, from 0; one letter is no part.
        """
        given = _words(text)
        covered: dict[str, range] = {}
        for mention in self.mentions():
            one = _words(mention.original)
            words = _at(one, given) or (_at(given, one) and range(len(given)))
            if words and one != given:
                entity = entity_id(mention.value, mention.type, self.settings.id_separator)
                covered[entity] = max(words, covered.get(entity, words), key=len)
        found = ((e, covered[self.incidence.entities[e]]) for e in self._numbers(covered))
        return sorted(found, key=lambda part: (part[1].start, -len(part[1]), part[0]))

    def words(self, text: str) -> int:
        """Return how many words a text has."""
        return len(_words(text))

    def _numbers(self, ids: Iterable[str]) -> list[int]:
        """Return the numbers of the entities with these ids, each once, in order."""
        known = self.incidence.entities
        places = ((one, bisect_left(known, one)) for one in sorted(set(ids)))
        return [e for one, e in places if e < len(known) and known[e] == one]

    @cached_property
    def labels(self) -> list[str]:
        """The labels of all entities, by number."""
        return [self.incidence.label(e) for e in range(self.incidence.n_entities)]

    @cached_property
    def _values(self) -> dict[str, str]:
        separator = self.settings.id_separator
        values: dict[str, str] = {}
        for mention in self.mentions():
            values.setdefault(entity_id(mention.value, mention.type, separator), mention.original)
        return values

    def under_rare_words(self, e: int) -> list[int]:
        """Return the documents in which rare words mask an entity that the plan leaves readable."""
        if self.plan is None or self.masked[e]:
            return []
        where = self._under_rare_words.get(self.incidence.entities[e], set())
        return [d for d, _ in self.holders(e) if self.incidence.documents[d] in where]

    @cached_property
    def _under_rare_words(self) -> Mapping[str, set[str]]:
        if RARE_TERM not in self.incidence.types:
            return {}
        return under_rare_words(self.mentions(), self.settings.id_separator)

    def standing(self, e: int) -> str:
        """Say whether an entity is masked, and when or where."""
        hidden = self.under_rare_words(e)
        return rare_words_hide(len(hidden), len(self.holders(e))) if hidden else super().standing(e)

    def value(self, e: int) -> str | None:
        """Return the first spelling of an entity, where values may be shown."""
        return self._values.get(self.incidence.entities[e]) if self.show_values else None

    def type(self, e: int) -> str:
        """Return the entity's type."""
        return str(self.incidence.types[self.incidence.type[e]])

    def name(self, e: int, hidden: bool = False) -> str:
        """Name an entity for people: type, label, value where it may be shown."""
        value = None if hidden else self.value(e)
        quoted = f" “{harmless_text(value, 60)}”" if value is not None else ""
        return f"{self.type(e)} {self.incidence.label(e)}{quoted}"

    def document_name(self, d: int) -> str:
        """Name a document for people."""
        return harmless_text(self.incidence.documents[d], 60)

    def corrections(self, e: int) -> list[Mapping[str, Any]]:
        """Return the corrections of an entity, as rows of `corrections.corrected_line`."""
        return list(self._corrections().get(self.incidence.entities[e], ()))


def _key(text: str) -> str:
    """Return text as values are compared here: letters and digits only, no case, no accents."""
    return "".join(_words(text))


def _words(text: str) -> list[str]:
    """Return the words of a text, without case, accents and signs."""
    plain = without_accents(text.casefold(), "NFKD")
    return "".join(c if c.isalnum() else " " for c in plain).split()


def _at(part: list[str], whole: list[str]) -> range | None:
    """Return where some words, more than one letter in all, stand in a row among others."""
    n = len(part)
    if len("".join(part)) < 2:
        return None
    rows = (range(k, k + n) for k in range(len(whole) - n + 1) if whole[k : k + n] == part)
    return next(rows, None)
