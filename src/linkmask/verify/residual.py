"""Computes the risks of the masked texts from what detection finds in them now.

Uniqueness is pinned by the run, and so is the relevance of a value in a document the run knows: a
detector that scores a little differently beside a placeholder must not fail a document. A value
that is new to the run has the relevance that is found now.
"""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import replace

import numpy as np

from linkmask.config import Settings
from linkmask.formulas import (
    SLACK,
    chain_risks,
    document_risks_of,
    fast,
    none_masked,
    riskiest_first,
    rows_of,
    uniqueness,
)
from linkmask.records import (
    Finding,
    FindingKind,
    Floats,
    Incidence,
    Ints,
    Longs,
    Mention,
    Plan,
    Risk,
    entity_id,
)
from linkmask.verify.rescan import Inspected


def residual_findings(
    inspected: Iterable[Inspected],
    incidence: Incidence,
    plan: Plan,
    settings: Settings,
    assess: Callable[[Incidence, Settings], Risk] | None = None,
    unchanged: Collection[str] = (),
) -> list[Finding]:
    """Compute risks again from detection in masked documents; report those over a limit.

    Kinds: `leftover`, a masked entity that detection found again; `new-value`, values that the
    run had not found in this document, blocking only for types of the floor; `risk`, a document
    at or above `theta_doc`, or a chain above its target. What the plan itself could not meet is
    reported, but blocks nothing here. Chains between documents the plan knew of are all looked
    at; with `assess` also those that new values make. In documents that are `unchanged` since they
    were checked, detection sees what the plan leaves readable.
    """
    seen = _ResidualMentions(incidence, plan, settings, unchanged)
    findings = [finding for one in inspected for finding in seen.add_document(one)]
    now = seen.incidence()
    rows = rows_of(now)
    mask = none_masked(now.n_entities)
    risks = document_risks_of(rows, mask)
    findings += _documents(risks, plan, now, settings)
    findings += _chains(now, plan, seen.fresh)
    if assess is not None:
        findings += _new_chains(assess(now, settings), plan, now, seen.fresh, settings)
    return findings


class _ResidualMentions:
    """Gathers the mentions of the masked documents, with the run's entity numbers."""

    def __init__(
        self, incidence: Incidence, plan: Plan, settings: Settings, unchanged: Collection[str]
    ) -> None:
        self._run = incidence
        self._settings = settings
        self._document = {name: d for d, name in enumerate(incidence.documents)}
        self._entity = {name: e for e, name in enumerate(incidence.entities)}
        self._masked = set(plan.masked.tolist())
        self._left = _readable(incidence, plan, [self._document[name] for name in unchanged])
        self._documents, self._entities, self._relevances = array("q"), array("q"), array("d")
        """What can still be read, a row each, in the order it was seen."""
        self._types: dict[int, str] = {}
        self.fresh: set[int] = set()
        """Documents with something that the run had not found there."""

    def add_document(self, one: Inspected) -> Iterator[Finding]:
        """Take in the mentions of one document, and yield the findings that concern it alone."""
        if one.document not in self._document:
            yield Finding(one.document, "unreadable", "the run knows no such document")
            return
        document = self._document[one.document]
        known = self._relevance_by_entity(document)
        again: dict[bool, Counter[str]] = {True: Counter(), False: Counter()}
        new: dict[bool, Counter[str]] = {True: Counter(), False: Counter()}
        held: dict[int, float] = {}
        for entity, mention in self._numbered(one.mentions):
            if entity in self._masked:
                again[entity in known or self._settings.scope == "corpus"][mention.type] += 1
                continue
            if entity not in known:
                new[mention.type in self._settings.floor][mention.type] += 1
                self.fresh.add(document)
            relevance = known.get(entity, mention.relevance)
            held[entity] = max(relevance, held.get(entity, 0.0))
        self._documents.extend([document] * len(held))
        self._entities.extend(held.keys())
        self._relevances.extend(held.values())
        found: tuple[tuple[FindingKind, str, dict[bool, Counter[str]]], ...] = (
            ("leftover", "found again", again),
            ("new-value", "not found before masking", new),
        )
        for kind, surface, groups in found:
            for blocking, types in groups.items():
                if types:
                    yield Finding(one.document, kind, f"{surface}: {_counted(types)}", blocking)

    def _relevance_by_entity(self, document: int) -> dict[int, float]:
        run = self._run
        row = slice(run.start[document], run.start[document + 1])
        return dict(zip(run.entity[row].tolist(), run.relevance[row].tolist(), strict=True))

    def _numbered(self, mentions: Sequence[Mention]) -> Iterator[tuple[int, Mention]]:
        for mention in mentions:
            entity = entity_id(mention.value, mention.type, self._settings.id_separator)
            number = self._entity.setdefault(entity, len(self._entity))
            if number >= self._run.n_entities:
                self._types.setdefault(number, mention.type)
            yield number, mention

    def incidence(self) -> Incidence:
        """Return the masked corpus as the engine sees it, uniqueness as it was in the run."""
        run = self._run
        added = [self._types[number] for number in range(run.n_entities, len(self._entity))]
        table = self._settings.entity_types
        types = tuple(dict.fromkeys([*run.types, *added]))
        left = self._left
        document = np.concatenate((np.asarray(self._documents), left[0]))
        entity = np.concatenate((np.asarray(self._entities), left[1]))
        relevance = np.concatenate((np.asarray(self._relevances), left[2]))
        order = np.lexsort((entity, document))
        document, entity, relevance = document[order], entity[order], relevance[order]
        new = np.append(True, (np.diff(document) != 0) | (np.diff(entity) != 0))
        first = np.flatnonzero(new[: len(order)])
        document, entity = document[first], entity[first]
        relevance = np.maximum.reduceat(relevance, first) if len(first) else relevance
        frequency = np.bincount(entity, minlength=len(self._entity)).astype(np.int32)
        unique = uniqueness(np.maximum(frequency[run.n_entities :], 1), run.n_documents)
        weights = [table.weights.get(kind, 1.0) for kind in added]
        kinds = np.array([types.index(kind) for kind in added], np.int32)
        counts = np.bincount(document, minlength=run.n_documents)
        return replace(
            run,
            entities=list(self._entity),
            types=types,
            start=np.append(0, np.cumsum(counts)).astype(np.int64),
            entity=entity.astype(np.int32),
            relevance=relevance,
            type=np.append(run.type, kinds).astype(np.int32),
            frequency=frequency,
            uniqueness=np.append(run.uniqueness, unique),
            weight=np.append(run.weight, weights),
        )


def _readable(
    incidence: Incidence, plan: Plan, documents: Sequence[int]
) -> tuple[Longs, Ints, Floats]:
    """Return the readable mentions of some documents: document, entity, relevance."""
    here = np.zeros(incidence.n_documents, np.bool_)
    here[list(documents)] = True
    masked = np.zeros(incidence.n_entities, np.bool_)
    masked[plan.masked] = True
    of = incidence.document
    kept = here[of] & ~masked[incidence.entity]
    return of[kept], incidence.entity[kept], incidence.relevance[kept]


def _documents(risks: Floats, plan: Plan, now: Incidence, settings: Settings) -> Iterator[Finding]:
    unmet = set(plan.unmet_documents.tolist())
    for number in np.flatnonzero(risks >= settings.theta_doc - SLACK).tolist():
        detail = f"risk {risks[number]:.3f}, limit {settings.theta_doc}"
        yield Finding(now.documents[number], "risk", detail, number not in unmet)


def _chains(now: Incidence, plan: Plan, fresh: set[int]) -> Iterator[Finding]:
    """Look again at every chain that the plan had to treat."""
    chains, rows, mask = plan.chains, rows_of(now), none_masked(now.n_entities)
    after = np.asarray(fast(chain_risks, now.n_mentions)(rows, mask, chains.documents))
    for number in np.flatnonzero(after > chains.target + SLACK).tolist():
        path = _unpadded(chains.documents[number].tolist())
        limits = after[number], chains.target[number]
        yield from _over(now, path, *limits, chains.met[number], fresh)


def _new_chains(
    risk: Risk, plan: Plan, now: Incidence, fresh: set[int], settings: Settings
) -> Iterator[Finding]:
    """Find chains over the limit that arose from new values."""
    if not risk.chains.complete and fresh:
        # What is not new only lost risk, so chains without anything new meet what the plan met.
        detail = f"{len(fresh)} documents hold something new; chains beyond 2 were not listed"
        yield Finding("", "risk", detail, blocking=False)
    over = np.flatnonzero(risk.chains.risk > settings.theta_chain + SLACK)
    over = over[riskiest_first(risk.chains.risk[over])]
    paths, risks = risk.chains.documents[over], risk.chains.risk[over].tolist()
    near = plan.chains.documents[np.isin(plan.chains.documents[:, 0], paths[:, 0])]
    treated = set(map(_unpadded, near.tolist()))
    for path, after in zip(paths.tolist(), risks, strict=True):
        documents = _unpadded(path)
        if documents not in treated:  # both are written from their smaller end
            yield from _over(now, documents, after, settings.theta_chain, True, fresh)


def _unpadded(path: Sequence[int]) -> tuple[int, ...]:
    return tuple(d for d in path if d >= 0)


def _over(
    now: Incidence, path: Sequence[int], after: float, limit: float, met: bool, fresh: set[int]
) -> Iterator[Finding]:
    """Report a chain on those of its documents with new values, or on all if there are none."""
    detail = f"chain of {len(path)}: risk {after:.3f}, limit {limit:.3f}"
    for number in [d for d in path if d in fresh] or path:
        yield Finding(now.documents[number], "risk", detail, bool(met))


def _counted(types: Counter[str]) -> str:
    return ", ".join(f"{kind} ({count})" for kind, count in sorted(types.items()))
