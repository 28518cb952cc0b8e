"""Makes the audit: what a run did, in numbers and without a value."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import msgspec
import numpy as np

from linkmask import formulas
from linkmask.config import Settings
from linkmask.formulas import fast, rows_of
from linkmask.records import (
    STAGES,
    Audit,
    Finding,
    Floats,
    Incidence,
    Ints,
    Plan,
    PlanSize,
    Risk,
    SetAside,
    Stage,
    entity_label,
)
from linkmask.report.plan_digest import plan_digest
from linkmask.report.risk_figures import risk_figures, singling_out_figures
from linkmask.report.wording import why_rare
from linkmask.schema import RARE_TERM
from linkmask.version import __version__

TOP = 20
"""Kept entities, unmet chains and documents above a share that the audit lists one by one."""


@dataclass(frozen=True, slots=True)
class RunFigures:
    """Figures that only the pipeline knows: sizes, times, dropped rows."""

    name: str = ""
    digest: str = ""
    characters: int = 0
    released: int = 0
    masked_mentions: int = 0
    masked_characters: int = 0
    dropped: Mapping[str, int] = field(default_factory=dict)
    uncovered_languages: Mapping[str, int] = field(default_factory=dict)
    leaking_names: int = 0
    leaking_ids: int = 0
    leaking_documents: int = 0
    repeated_ids: int = 0
    parts_left_out: int = 0
    forgotten_documents: int = 0
    excluded: Sequence[str] = ()
    formats: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    seconds: Mapping[str, float] = field(default_factory=dict)
    policy: Mapping[str, Any] = field(default_factory=dict)
    model: Mapping[str, Any] = field(default_factory=dict)
    changed: Mapping[str, Any] = field(default_factory=dict)
    editions: Sequence[Mapping[str, Any]] = ()
    linkage: Mapping[str, Any] = field(default_factory=dict)
    answers: Mapping[str, Any] = field(default_factory=dict)
    above_share: Mapping[str, float] = field(default_factory=dict)


def audit(
    incidence: Incidence,
    before: Risk,
    settings: Settings,
    figures: RunFigures,
    *,
    plan: Plan | None = None,
    after: Risk | None = None,
    findings: Sequence[Finding] | None = None,
    set_aside: Sequence[SetAside] = (),
) -> Audit:
    """Sum up a run. Without a plan (after `scan`), the members about masking are empty."""
    return Audit(
        tool={"name": "linkmask", "version": __version__},
        input={
            "name": figures.name,
            "digest": figures.digest,
            "documents": incidence.n_documents,
            "characters": figures.characters,
        },
        settings=_shown(settings, incidence.salt),
        counts=_counts(incidence, before, settings, figures, plan, set_aside),
        risk=risk_figures(before, after, plan, settings),
        singling_out=singling_out_figures(incidence, plan, settings),
        masked=_masked(incidence, plan, settings),
        left=_kept(incidence, plan, figures.above_share),
        verify=_verify(findings),
        set_aside=[
            {"document": item.document, "step": item.step, "reason": item.reason}
            for item in set_aside
        ],
        seconds={step: round(spent, 3) for step, spent in figures.seconds.items()},
        policy=figures.policy,
        model=dict(figures.model),
        changed=dict(figures.changed),
        editions=list(figures.editions),
        linkage=figures.linkage,
        answers=figures.answers,
    )


def contributions(incidence: Incidence) -> Floats:
    """Global contribution of each entity, max relevance × uniqueness × weight, in [0, 1].

    formulas.md §8.1, g(e): the number by which the document stage ranks.
    """
    best: Floats = fast(formulas.contributions, incidence.n_mentions)(rows_of(incidence))
    return best


def _counts(
    incidence: Incidence,
    before: Risk,
    settings: Settings,
    figures: RunFigures,
    plan: Plan | None,
    set_aside: Sequence[SetAside],
) -> dict[str, Any]:
    decided = {*settings.always_mask, *settings.never_mask}
    return {
        "documents": incidence.n_documents,
        "released": figures.released,
        "set_aside": len(set_aside) - figures.parts_left_out,
        "parts_left_out": figures.parts_left_out,
        "mentions": incidence.n_mentions,
        "entities": incidence.n_entities,
        "links": len(before.links),
        "chains": sum(before.chains.counts.values()),
        "masked_entities": 0 if plan is None else len(plan.masked),
        "masked_mentions": figures.masked_mentions,
        "masked_characters": figures.masked_characters,
        "unknown_ids": len(decided.difference(incidence.entities)) if decided else 0,
        "dropped": dict(figures.dropped),
        "uncovered_languages": dict(figures.uncovered_languages),
        "leaking_names": figures.leaking_names,
        "leaking_ids": figures.leaking_ids,
        "leaking_documents": figures.leaking_documents,
        "repeated_ids": figures.repeated_ids,
        "forgotten_documents": figures.forgotten_documents,
        "above_readable_share": len(figures.above_share),
        "excluded_fields": list(figures.excluded),
        "formats": dict(figures.formats),
    }


def _shown(settings: Settings, salt: bytes) -> dict[str, Any]:
    """Return the settings as reports hold them: entities by label, recognizers by file name.

    An id, or the digest of a list of names, would confirm a guess of the value or the list. A
    model's digest reveals nothing about the corpus, and stays, as does the last part of its path.
    """

    def label(entity: str) -> str:
        return entity_label(entity, salt)

    def labelled(value: str) -> str:
        return re.sub("[0-9a-f]{32}", lambda found: label(found[0]), value)

    plain: dict[str, Any] = msgspec.to_builtins(settings)
    digests = settings.detector_digests
    plain["other_detectors"] = tuple(_named(one, digests) for one in settings.other_detectors)
    plain["detector_digests"] = {_named(one, digests): of for one, of in digests.items()}
    for name in ("background", "questions", "sentence_model"):
        plain[name] = Path(plain[name]).name
    plain["recognizers"] = tuple(Path(name).name for name in settings.recognizers)
    del plain["recognizers_digest"]
    for name in ("always_mask", "never_mask"):
        plain[name] = tuple(map(label, plain[name]))
    corrections = plain["corrections"].items()
    plain["corrections"] = {labelled(key): labelled(value) for key, value in corrections}
    return plain


def _named(detector: str, local: Mapping[str, str]) -> str:
    """Return a detector's address without the path of a local model."""
    kind, _, place = detector.partition(":")
    return f"{kind}:{Path(place).name}" if detector in local else detector


def _masked(incidence: Incidence, plan: Plan | None, settings: Settings) -> dict[str, Any]:
    if plan is None:
        return {}
    types = incidence.types
    kinds = incidence.type[plan.masked].tolist()
    by_type: dict[str, dict[str, int]] = {}
    for (kind, stage), n in sorted(Counter(zip(kinds, plan.stage, strict=True)).items()):
        by_type.setdefault(types[kind], {})[stage] = n
    words = sum(by_type.get(RARE_TERM, {}).values())
    why = why_rare(msgspec.structs.asdict(settings)) if words else ""
    return {
        "by_stage": dict(Counter(plan.stage)),
        "by_type": by_type,
        "rare_words": {"words": words, "why": why},
        "plan": plan_digest(incidence, plan, settings),
        "size": size_table(plan.size),
    }


def size_table(size: PlanSize) -> dict[str, Any]:
    """Return what is known of the chain stage's size; a bound that is not proven is null."""
    bound = size.lower_bound if size.proven else size.lower_bound or None
    return {**msgspec.to_builtins(size), "lower_bound": bound}


def kept_entities(incidence: Incidence, plan: Plan | None) -> tuple[Ints, Floats]:
    """Return the entities that are kept, by descending contribution, and that of all entities."""
    kept = np.ones(incidence.n_entities, dtype=bool)
    if plan is not None:
        kept[plan.masked] = False
    contribution = contributions(incidence)
    numbers = np.flatnonzero(kept).astype(np.int32)
    return numbers[np.lexsort((numbers, -contribution[numbers]))], contribution


def _kept(
    incidence: Incidence, plan: Plan | None, above_share: Mapping[str, float]
) -> dict[str, Any]:
    order, contribution = kept_entities(incidence, plan)
    by_type = np.bincount(incidence.type[order], minlength=len(incidence.types)).tolist()
    return {
        "by_type": {name: n for name, n in zip(incidence.types, by_type, strict=True) if n},
        "top": [
            {
                "entity": incidence.label(number),
                "type": incidence.types[incidence.type[number]],
                "contribution": round(float(contribution[number]), 4),
                "documents": int(incidence.frequency[number]),
            }
            for number in order[:TOP].tolist()
        ],
        "unmet": [] if plan is None else _unmet(incidence, plan),
        "above_readable_share": [
            {"document": name, "readable": round(share, 4)}
            for name, share in sorted(above_share.items(), key=lambda row: (-row[1], row[0]))[:TOP]
        ],
    }


def _unmet(incidence: Incidence, plan: Plan) -> list[dict[str, Any]]:
    chains = plan.chains
    return [
        {
            "documents": [incidence.documents[d] for d in chains.documents[i].tolist() if d >= 0],
            "before": round(float(chains.before[i]), 4),
            "after": round(float(chains.after[i]), 4),
            "target": round(float(chains.target[i]), 4),
            "reason": chains.reason.get(i, ""),
        }
        for i in np.flatnonzero(~chains.met)[:TOP].tolist()
    ]


def _verify(findings: Sequence[Finding] | None) -> dict[str, Any]:
    if findings is None:
        return {"checked": False}
    return {
        "checked": True,
        "findings": dict(sorted(Counter(finding.kind for finding in findings).items())),
        "blocking": sum(finding.blocking for finding in findings),
    }


def stages_shown(masked: Mapping[str, Any]) -> list[Stage]:
    """Return the stages to show of an audit's `masked`: `decided` only where anything was."""
    return [stage for stage in STAGES if stage != "decided" or masked["by_stage"].get(stage)]
