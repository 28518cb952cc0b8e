"""Decides which values are masked or written coarser by rule, whatever else the corpus holds.

Such a mask depends on the value alone, so whoever may add a document learns nothing from it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Container, Iterable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from linkmask import schema
from linkmask.config import Settings
from linkmask.formulas import uniqueness
from linkmask.graph.entities import canonical
from linkmask.pipeline.values.run_value import RunValues, values_spelled
from linkmask.records import Incidence, Ints, Mention, Plan, Stage, entity_id
from linkmask.redact.techniques import DATED, TECHNIQUES
from linkmask.redact.techniques.dates import may_name_day
from linkmask.runs import Run, editions

if TYPE_CHECKING:
    from linkmask.policy import Demands
    from linkmask.redact import Target

DIGIT = re.compile(r"\d")


def generalized_entities(
    run: Run, incidence: Incidence, settings: Settings, values: RunValues | None = None
) -> dict[int, str]:
    """Return the coarser value of each entity that is written coarser by rule: a date's month.

    It is "" if detection would find nothing again. Left out are entities about which a user decided
    by id, those of texts about nobody (relevance 0), and those that an earlier edition masked
    whole.

    Args:
        values: those of the run's mentions, where they are known.
    """
    if settings.generalize.keys().isdisjoint(incidence.types):
        return {}
    if values is None:
        spelled = run.spellings(settings.generalize.keys())
        values = values_spelled(spelled, settings.id_separator)
    rest = remainders(values, settings)
    whole = editions.ledger_of(run).whole
    for name in whole.union(settings.always_mask, settings.never_mask):
        rest.pop(name, None)
    relevant = np.bincount(incidence.entity, incidence.relevance, incidence.n_entities) > 0
    both = zip(incidence.entities, relevant.tolist(), strict=True)
    return {n: rest[name] for n, (name, held) in enumerate(both) if held and name in rest}


def remainders(values: RunValues, settings: Settings) -> dict[str, str]:
    """Return the coarser form of each value, by id, with the settings of its type."""
    language, separator = settings.languages[0], settings.id_separator
    found: dict[str, str] = {}
    for entity, one in values.items():
        technique = settings.generalize.get(one.type)
        if technique is not None:
            by = f"{technique} {language} {separator}"
            if one.left is None or one.left[0] != by:
                one.left = (by, _coarser_form(one.type, one.value, one.surfaces, settings))
            if one.left[1] is not None:
                found[entity] = one.left[1]
    return found


def _coarser_form(
    kind: str, value: str, originals: Iterable[str], settings: Settings
) -> str | None:
    """Return the coarser form of a value, by its first spelling that shows it; None if it stays."""
    exact = (one for one in sorted(originals) if is_exact(kind, value, one, settings))
    found = None
    for original in exact:
        found = _coarser_id(kind, value, original, settings)
        if found:
            break
    return found


def _coarser_id(kind: str, value: str, original: str, settings: Settings) -> str:
    """Return the id of the coarser date of a date; "" if nothing is left.

    It is counted in every style, so that plans do not depend on how masks are written.
    """
    technique = settings.generalize[kind]
    if technique not in DATED:
        return ""
    written = TECHNIQUES[technique](original, value, settings.languages[0])
    return entity_id(canonical(kind, written), kind, settings.id_separator) if written else ""


def generalized_incidence(incidence: Incidence, rest: Mapping[int, str]) -> tuple[Incidence, Ints]:
    """Return the corpus with every date replaced by its coarser date, and the number of each.

    Dates of one month are then one entity in more documents. Entities keep their numbers; new ones
    come after them.
    """
    number = {name: n for n, name in enumerate(incidence.entities)}
    became = np.arange(incidence.n_entities, dtype=np.int32)
    types = incidence.type.tolist()
    for entity, name in rest.items():
        if name:
            if name not in number:
                number[name] = len(number)
                types.append(types[entity])
            became[entity] = number[name]
    document = incidence.document
    key = document * np.int64(len(number)) + became[incidence.entity]
    held, of = np.unique(key, return_inverse=True)
    relevance = np.zeros(len(held))
    np.maximum.at(relevance, of, incidence.relevance)
    entity = (held % len(number)).astype(np.int32)
    counts = np.bincount(entity, minlength=len(number)).astype(np.int32)
    touched = np.zeros(len(number), np.bool_)
    touched[[number[name] for name in rest.values() if name]] = True
    added = len(number) - incidence.n_entities
    unique = np.concatenate([incidence.uniqueness, np.zeros(added)])
    unique[touched] = uniqueness(np.maximum(counts[touched], 1), incidence.n_documents)
    start = np.searchsorted(held, np.arange(incidence.n_documents + 1) * np.int64(len(number)))
    weights = dict(zip(incidence.type.tolist(), incidence.weight.tolist(), strict=True))
    coarse = replace(
        incidence,
        entities=list(number),
        start=start,
        entity=entity,
        relevance=relevance,
        type=np.array(types, dtype=np.int32),
        frequency=np.where(touched, counts, np.resize(incidence.frequency, len(number))),
        uniqueness=unique,
        weight=np.array([weights[kind] for kind in types]),
    )
    return coarse, became


def plan_in_original_entities(plan: Plan, rest: Mapping[int, str], became: Ints) -> Plan:
    """Return a plan of the coarser corpus as a plan of the corpus, with all masks by rule.

    A date whose month is masked for a limit is masked whole, with the month's stage and gain.
    """
    n_entities, months = len(became), became.tolist()
    of: dict[int, list[int]] = {}
    for entity, name in rest.items():
        if name:
            of.setdefault(months[entity], []).append(entity)
    rows = []
    how = plan.stage, plan.gain.tolist(), plan.served.tolist()
    for row in zip(plan.masked.tolist(), *how, strict=True):
        if row[0] < n_entities:
            rows.append(row)
        rows += [(day, *row[1:]) for day in of.pop(row[0], ())]
    floor: Stage = "floor"
    by_rule = [(e, floor, 0.0, 0) for members in of.values() for e in members]
    first = sum(row[1] == "floor" for row in rows)
    rows = [*rows[:first], *sorted(by_rule), *rows[first:]]
    masked, stage, gain, served = zip(*rows, strict=True) if rows else ((), (), (), ())
    return replace(
        plan,
        masked=np.array(masked, dtype=np.int32),
        stage=list(stage),
        gain=np.array(gain, dtype=np.float64),
        served=np.array(served, dtype=np.int32),
    )


def is_exact(kind: str, value: str, original: str, settings: Settings) -> bool:
    """Tell whether a value's type is generalized, and the value is finer than its technique.

    Every value of a type that is written as `[TYPE]` is finer, except numbers among traits, which
    are mostly quantities of things ("above 2,500 meters").
    """
    technique = settings.generalize.get(kind)
    if technique is None:
        return False
    if technique not in TECHNIQUES:  # a style that leaves nothing
        return kind not in schema.types_of("trait") or not DIGIT.search(original)
    written = TECHNIQUES[technique](original, value, settings.languages[0])
    if written is None:
        return technique not in DATED or may_name_day(value)
    return not is_unchanged(kind, value, original, written)


def leaves_nothing(one: Mention, settings: Settings) -> bool:
    """Tell whether a mention's type is generalized, and its technique leaves nothing of it."""
    technique = settings.generalize.get(one.type)
    if technique is None or technique not in TECHNIQUES:
        return technique is not None
    return TECHNIQUES[technique](one.original, one.value, settings.languages[0]) is None


def is_unchanged(entity_type: str, value: str, original: str, written: str | None) -> bool:
    """Tell whether what a technique writes is the same value: "Q2 2024" for 2024-Q2."""
    same = written is not None and canonical(entity_type, written) == value
    return same or written == original


def styles(
    run: Run,
    incidence: Incidence,
    settings: Settings,
    plan: Plan,
    demands: Demands | None,
    values: RunValues | None = None,
) -> Mapping[str, str]:
    """Return the technique by id of each entity that a plan masks by rule alone.

    An entity is not among them if a policy demands a technique of its own, or if a limit or a user
    masks it whole.
    """
    by_rule = generalized_entities(run, incidence, settings, values)
    both = zip(plan.masked.tolist(), plan.stage, strict=True)
    floor = [e for e, stage in both if stage == "floor" and e in by_rule]
    types = {e: incidence.types[incidence.type[e]] for e in floor}
    techniques = settings.generalized
    return {
        incidence.entities[e]: techniques[name]
        for e, name in types.items()
        if name in techniques and not (demands and demands.of(e))
    }


def masked_whole(
    targets: Mapping[str, Target],
    settings: Settings,
    demanded: Container[str],
    readable: Callable[[Collection[str]], Container[str]],
    values: RunValues,
) -> dict[str, Target]:
    """Return the targets, written as `[TYPE]` if the technique would show a masked value.

    Where the year 2021 is masked, "2021-03" must not stand for a day of March 2021.

    Args:
        demanded: entities that a policy demands in its own technique; these stay as they are.
        readable: returns those of some texts in which a masked value can be read.
        values: those of the run; what a technique writes of one is kept there.
    """
    usual, language = settings.style, settings.languages[0]
    written: dict[str, Collection[str]] = {}
    for entity, one in targets.items():
        name = one.style or settings.styles.get(one.type, usual)
        technique = TECHNIQUES.get(name)
        if technique and entity not in demanded:
            spoken, kept = one.language or language, values[entity]
            by = f"{name} {spoken}"
            if kept.written is None or kept.written[0] != by:
                spelled = (*one.surfaces, *one.forms)
                rest = {technique(original, one.value, spoken) for original in spelled}
                kept.written = (by, sorted(text for text in rest if text))
            written[entity] = kept.written[1]
    if not written:
        return dict(targets)
    telling = readable(set[str]().union(*written.values()))
    whole = {e for e, texts in written.items() if any(text in telling for text in texts)}
    return {e: one._replace(style="value") if e in whole else one for e, one in targets.items()}
