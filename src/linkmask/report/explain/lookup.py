"""What a run knows, looked up one thing at a time: entities, documents, links, before and after."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from functools import cached_property
from typing import Any

import numpy as np

from linkmask.config import Settings
from linkmask.errors import UsageError
from linkmask.formulas import (
    LEVELS,
    SLACK,
    chain_risk,
    document_risk,
    edge_strength,
    level,
    none_masked,
    rows_of,
)
from linkmask.records import Flags, Incidence, Mention, Plan, Risk, entity_id
from linkmask.report.explain.suggestions import (
    NEAREST,
    near_ids,
    nearest,
    no_document,
    not_detected,
)
from linkmask.report.tables import shared
from linkmask.report.wording import count, entity_id_in, shown
from linkmask.text.letters import without_accents

Chances = tuple[float, float, float]
"""How likely a value is the person's that its document is about, another's, nobody's."""
WHOSE = ("person", "other", "nobody")
WhoseOf = Mapping[str, Sequence[tuple[Mention, Chances]]]
"""Document id → its mentions, each with whose it is."""
SaidOf = Mapping[str, Sequence[Mapping[str, Any]]]
"""Entity id → what persons said of it, as rows of `corrections.corrected_line`."""
Now = tuple[float, float]
"""A risk or strength before and after masking; the same twice where there is no plan."""


class RunLookup:
    """A run as questions see it. Nothing is computed that was not asked for."""

    def __init__(
        self,
        incidence: Incidence,
        before: Risk,
        plan: Plan | None,
        mentions: Callable[[], Iterable[Mention]],
        settings: Settings,
        show_values: bool,
        rule: Callable[[int], str] = lambda entity: "",
        whose: Callable[[Collection[str]], WhoseOf] = lambda documents: {},
        said: Callable[[], SaidOf] = dict,
    ) -> None:
        self.incidence = incidence
        self.before = before
        self.plan = plan
        self.mentions = mentions
        self.settings = settings
        self.show_values = show_values
        self.rule = rule
        self._whose = whose
        self._said = said
        self.rows = rows_of(incidence)
        self.nothing: Flags = none_masked(incidence.n_entities)
        self.masked: Flags = self.nothing.copy()
        if plan is not None:
            self.masked[plan.masked] = True

    # ── finding what was asked for ──────────────────────────────────────────────────────────────

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
        raise UsageError(no_document(shown(name, 60), map(shown, ids)))

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
        if len(found) == 1:
            return found[0]
        if found:
            which = ", ".join(self.name(e, hidden=True) for e in found[:8])
            raise UsageError(f"more than one entity is written so: ask for one by id ({which})")
        parts = [f"{self.name(e)} ({self.standing(e)})" for e, _ in self.overlapping_entities(text)]
        raise UsageError(not_detected(self._near(text), parts, compared=self.show_values))

    def _near(self, text: str) -> list[str]:
        """Name what comes near a text: by id, by type, by value only where values may be shown."""
        ids = self.incidence.entities
        near = tuple(near_ids(text, self.labels))
        found = [e for e, label in enumerate(self.labels) if label.startswith(near)]
        if self.show_values and not found:
            words = {w: id_ for id_, value in self._values.items() for w in (value, *value.split())}
            found = [bisect_left(ids, words[one]) for one in nearest(text, words, 0.75)]
        if not found:
            types = set(nearest(text, self.incidence.types, 0.75)[:1])
            found = [e for e in range(len(ids)) if self.type(e) in types][:NEAREST]
        return [self.name(e) for e in dict.fromkeys(found)]

    def written(self, text: str) -> list[int]:
        """Return the entities whose value or a spelling is this, but for case, accents, signs."""
        key = _key(text)
        if not key:
            raise UsageError("give a value with at least one letter or digit")
        separator = self.settings.id_separator
        return self._numbers(
            entity_id(mention.value, mention.type, separator)
            for mention in self.mentions()
            if key in (_key(mention.original), _key(mention.value))
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

    # ── naming ──────────────────────────────────────────────────────────────────────────────────

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

    def value(self, e: int) -> str | None:
        """Return the first spelling of an entity, where values may be shown."""
        return self._values.get(self.incidence.entities[e]) if self.show_values else None

    def type(self, e: int) -> str:
        """Return the entity's type."""
        return str(self.incidence.types[self.incidence.type[e]])

    def name(self, e: int, hidden: bool = False) -> str:
        """Name an entity for people: type, label, value where it may be shown."""
        value = None if hidden else self.value(e)
        said = f" “{shown(value, 60)}”" if value is not None else ""
        return f"{self.type(e)} {self.incidence.label(e)}{said}"

    def document_name(self, d: int) -> str:
        """Name a document for people."""
        return shown(self.incidence.documents[d], 60)

    # ── numbers ─────────────────────────────────────────────────────────────────────────────────

    def place(self, e: int) -> int | None:
        """Return where in the plan an entity is masked, or None if it is kept."""
        if self.plan is None or not self.masked[e]:
            return None
        return int(np.flatnonzero(self.plan.masked == e)[0])

    def state(self, e: int) -> str:
        """Return the stage at which an entity is masked, or `kept`."""
        place = self.place(e)
        return "kept" if place is None or self.plan is None else self.plan.stage[place]

    def standing(self, e: int) -> str:
        """Say whether an entity is masked, and when."""
        if self.plan is None:
            return "nothing is masked yet"
        state = self.state(e)
        return "kept, still readable" if state == "kept" else f"masked at the {state} stage"

    def holders(self, e: int) -> list[tuple[int, float]]:
        """Return (document, relevance) of the documents with an entity, most relevant first."""
        where = np.flatnonzero(self.incidence.entity == e)
        found = np.searchsorted(self.incidence.start, where, side="right") - 1
        rows = zip(found.tolist(), self.incidence.relevance[where].tolist(), strict=True)
        return sorted(rows, key=lambda row: (-round(row[1], 12), row[0]))

    def entities_of(self, d: int) -> list[tuple[int, float, float]]:
        """Return (entity, relevance, contribution) of a document, largest contribution first."""
        at = slice(self.incidence.start[d], self.incidence.start[d + 1])
        entity, relevance = self.incidence.entity[at], self.incidence.relevance[at]
        share = relevance * self.rows.ceiling[entity]
        rows = list(zip(entity.tolist(), relevance.tolist(), share.tolist(), strict=True))
        return sorted(rows, key=lambda row: (-round(row[2], 12), row[0]))

    def shared(self, a: int, b: int) -> list[tuple[int, float, float]]:
        """Return (entity, larger relevance, s) of what two documents share, largest s first."""
        held = [{e: r for e, r, _ in self.entities_of(d)} for d in (a, b)]
        rows = []
        for e in shared(self.incidence, a, b).tolist():
            most = max(held[0][e], held[1][e])
            rows.append((e, most, most * float(self.rows.ceiling[e])))
        return sorted(rows, key=lambda row: (-round(row[2], 12), row[0]))

    def risk(self, d: int) -> Now:
        """Return a document's risk before and after."""
        return (
            float(document_risk(self.rows, self.nothing, d)),
            float(document_risk(self.rows, self.masked, d)),
        )

    def strength(self, a: int, b: int) -> Now:
        """Return the strength between two documents before and after."""
        return (
            float(edge_strength(self.rows, self.nothing, a, b)),
            float(edge_strength(self.rows, self.masked, a, b)),
        )

    def chain(self, path: list[int]) -> Now:
        """Return a chain's risk before and after."""
        return (
            float(chain_risk(self.rows, self.nothing, path)),
            float(chain_risk(self.rows, self.masked, path)),
        )

    def with_readable(
        self, e: int, documents: list[int], chains: list[int]
    ) -> tuple[list[float], list[float]]:
        """Return the risks of documents and chains if all but one entity of the plan is masked."""
        flags = self.masked.copy()
        flags[e] = False
        return (
            [float(document_risk(self.rows, flags, d)) for d in documents],
            [float(chain_risk(self.rows, flags, self.path(c))) for c in chains],
        )

    def level(self, risk: float) -> str:
        """Return the category of a chain's risk."""
        return LEVELS[level(risk, self.settings.high, self.settings.medium)]

    def attributions(self, documents: Iterable[int], e: int | None = None) -> list[dict[str, Any]]:
        """Return whose the mentions of documents, or those of one entity there, are, as data."""
        ids = list(dict.fromkeys(self.incidence.documents[d] for d in documents))
        number = {one: k for k, one in enumerate(self.incidence.entities)}
        by_document, separator = self._whose(ids), self.settings.id_separator
        rows = []
        for name in ids:
            for mention, chances in by_document.get(name, ()):
                at = number.get(entity_id(mention.value, mention.type, separator))
                if at is not None and e in (None, at):
                    row: dict[str, Any] = {"document": name, "entity": self.incidence.entities[at]}
                    row |= {"field": mention.field, "start": mention.start, "end": mention.end}
                    rows.append(row | dict(zip(WHOSE, chances, strict=True)))
        return rows

    def corrections(self, e: int) -> list[Mapping[str, Any]]:
        """Return what persons said of an entity, as rows of `corrections.corrected_line`."""
        return list(self._said().get(self.incidence.entities[e], ()))

    def linked(self, d: int) -> list[int]:
        """Return the documents linked to one before masking, in input order."""
        links = self.before.links
        right, left = links.right[links.left == d], links.left[links.right == d]
        return sorted(int(other) for other in np.concatenate([left, right]))

    def holds(self, strength: float) -> bool:
        """Tell whether a strength makes a link."""
        return strength > 0 and strength >= self.settings.edge_threshold - SLACK

    def treated(self, documents: Iterable[int]) -> list[int]:
        """Return the plan's chains through any of these documents, riskiest first."""
        if self.plan is None or not len(self.plan.chains):
            return []
        there = np.isin(self.plan.chains.documents, list(documents)).any(axis=1)
        return [int(c) for c in np.flatnonzero(there)]

    def path(self, c: int) -> list[int]:
        """Return the documents along one of the plan's chains."""
        assert self.plan is not None
        return [int(d) for d in self.plan.chains.documents[c] if d >= 0]

    def treated_pair(self, a: int, b: int) -> int | None:
        """Return which of the plan's chains two documents are, if they are one."""
        found = (c for c in self.treated([a]) if sorted(self.path(c)) == sorted((a, b)))
        return next(found, None)


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
