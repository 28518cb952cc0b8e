"""Counts values as a release shows them, where rare terms mask them in some documents alone.

A value that two documents share may be masked in one of them. In the release fewer documents hold
it than in the corpus, so it is more unique to whoever counts there. No document and no chain may be
over its limit to them; where a value that a person keeps puts one over it, the plan says so.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise

import numpy as np

from linkmask import graph
from linkmask import plan as planning
from linkmask.config import Settings
from linkmask.formulas import uniqueness
from linkmask.plan.chains import UNMET_REASON
from linkmask.records import Flags, Incidence, Ints, Plan, Risk, TreatedChains, entity_id
from linkmask.report.explain.rare_words import under_rare_words
from linkmask.runs import Run
from linkmask.schema import RARE_TERM

NOTHING: Ints = np.zeros(0, np.int32)


def as_released(
    run: Run, incidence: Incidence, settings: Settings, plan: Plan | None = None
) -> Incidence | None:
    """Return the incidence without the values that rare terms mask; None if they mask none.

    A value that some documents show is as unique as in these.

    Args:
        plan: one that may leave rare terms readable; by default, all are masked.
    """
    if RARE_TERM not in incidence.types:
        return None
    gone = _under_rare_terms(run, incidence, settings, plan)
    if not gone.any():
        return None
    shown = incidence.with_mentions(~gone)
    rarer = uniqueness(np.maximum(shown.frequency, 1), incidence.n_documents)
    unique = np.where(
        shown.frequency < incidence.frequency,
        np.maximum(rarer, incidence.uniqueness),
        incidence.uniqueness,
    )
    return replace(shown, uniqueness=unique)


def _under_rare_terms(
    run: Run, incidence: Incidence, settings: Settings, plan: Plan | None
) -> Flags:
    """Tell of each mention of an incidence whether rare terms mask it."""
    document = incidence.document
    rare = incidence.type[incidence.entity] == incidence.types.index(RARE_TERM)
    names = {incidence.documents[n] for n in np.unique(document[rare]).tolist()}
    separator, kept = settings.id_separator, set[str]()
    if plan is not None:
        readable = np.setdiff1d(incidence.entity[rare], plan.masked).tolist()
        kept = {incidence.entities[n] for n in readable}
    mentions = (
        one
        for one in run.mentions_of(names)
        if not (kept and one.type == RARE_TERM)
        or entity_id(one.value, one.type, separator) not in kept
    )
    hidden = under_rare_words(mentions, separator)
    number = {name: n for n, name in enumerate(incidence.documents)}
    entity = {name: n for n, name in enumerate(incidence.entities)}
    many = np.int64(incidence.n_entities)
    keys = [
        number[name] * many + entity[value]
        for value, where in hidden.items()
        if value in entity
        for name in where
    ]
    return np.isin(document * many + incidence.entity, np.array(keys, np.int64))


def over_limits(released: Incidence, plan: Plan, settings: Settings) -> Ints:
    """Return the weightiest readable values of what only the release shows to be over a limit.

    Of each such document it is one value, and of each hop of such a chain one that both share.

    Args:
        released: the corpus as the release shows it, before the masks of the plan.
        plan: one that meets the limits; of another, nothing is returned.
    """
    if not plan.met:
        return NOTHING
    shown = _shown(released, plan)
    return np.array(sorted(set(_weightiest(shown, _as_it_is(shown, settings)[1]))), np.int32)


def beside_kept_values(released: Incidence, plan: Plan, settings: Settings) -> Ints:
    """Return what is to be masked beside the values that a person keeps, by the release's counts.

    Only for a document or chain that such masks bring under its limit.
    """
    kept = released.numbers_of(settings.never_mask)
    if not len(kept):
        return NOTHING
    shown = _shown(released, plan)
    risk, found = _as_it_is(shown, settings)
    return planning.overrule(shown, risk, settings, found, keep=kept).masked


def with_unmet(released: Incidence, plan: Plan, settings: Settings) -> Plan:
    """Return the plan, its unmet documents and chains also those that only the release shows."""
    _, found = _as_it_is(_shown(released, plan), settings)
    if found.met:
        return plan
    over = found.unmet_documents
    after = plan.after.copy()
    after[over] = np.maximum(after[over], found.after[over])
    return replace(
        plan,
        after=after,
        unmet_documents=np.union1d(plan.unmet_documents, over).astype(np.int32),
        chains=_merged(plan.chains, found.chains),
    )


def _shown(released: Incidence, plan: Plan) -> Incidence:
    """Return the corpus as the release shows it, with the masks of the plan."""
    left = released.uniqueness.copy()
    left[plan.masked] = 0.0
    return replace(released, uniqueness=left)


def _as_it_is(shown: Incidence, settings: Settings) -> tuple[Risk, Plan]:
    """Return the risks of a corpus, and the plan that masks nothing there."""
    risk = graph.assess(shown, settings)
    return risk, planning.restore(shown, risk, settings, NOTHING, [], np.zeros(0), NOTHING)


def _merged(chains: TreatedChains, found: TreatedChains) -> TreatedChains:
    """Return the chains of a plan, and in place of some or beside them those found to be unmet."""
    unmet = np.flatnonzero(~found.met)
    width = max(chains.documents.shape[1], found.documents.shape[1])
    paths, more = (
        np.pad(d, ((0, 0), (0, width - d.shape[1])), constant_values=-1)
        for d in (chains.documents, found.documents[unmet])
    )
    began = dict(zip(map(tuple, paths.tolist()), chains.before.tolist(), strict=True))
    over = [tuple(path) for path in more.tolist()]
    gone = frozenset(over)
    stays = np.array([path not in gone for path in began], np.bool_)
    before = [began.get(p, b) for p, b in zip(over, found.before[unmet].tolist(), strict=True)]
    met = np.append(chains.met[stays], found.met[unmet])
    return TreatedChains(
        documents=np.concatenate([paths[stays], more]),
        before=np.append(chains.before[stays], before),
        after=np.append(chains.after[stays], found.after[unmet]),
        target=np.append(chains.target[stays], found.target[unmet]),
        level=np.append(chains.level[stays], found.level[unmet]),
        met=met,
        reason=dict.fromkeys(np.flatnonzero(~met).tolist(), UNMET_REASON),
        complete=chains.complete and found.complete,
    )


def _weightiest(shown: Incidence, found: Plan) -> Iterator[int]:
    """Yield the weightiest value of each document and hop that is over a limit."""
    weight = shown.uniqueness * shown.weight
    for document in found.unmet_documents.tolist():
        row = slice(shown.start[document], shown.start[document + 1])
        share = shown.relevance[row] * weight[shown.entity[row]]
        yield int(shown.entity[row][np.argmax(share)])
    for path in found.chains.documents[~found.chains.met].tolist():
        for one, other in pairwise(path):
            shared = shown.shared(one, other) if other >= 0 else shown.entity[:0]
            if len(shared):
                yield int(shared[np.argmax(weight[shared])])
