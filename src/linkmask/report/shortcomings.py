"""Lists what a finished command fell short of, a line each, and what that does to its status."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any, Literal, NamedTuple

from linkmask.records import Audit
from linkmask.report.linker_wording import above_link_limit
from linkmask.report.wording import (
    above_share,
    are_read_again,
    count,
    ids_repeat,
    in_uncovered_languages,
    names_hold_values,
)


class Shortcoming(NamedTuple):
    """What a run fell short of, in words without values.

    `effect` is that on the exit status: `note` has none, `unmet` makes it 2 unless the user allows
    limits that are not met, and `set_aside` makes it 2 in any case.
    """

    effect: Literal["note", "unmet", "set_aside"]
    line: str


def shortcomings(audit: Audit) -> Iterator[Shortcoming]:
    """Yield what a run fell short of, in the order in which it is told."""
    yield from _unusable(audit)
    for line in _doubts(audit.model):
        yield Shortcoming("note", line)
    for line in (*_over_limits(audit), *_readable_again(audit.changed)):
        yield Shortcoming("unmet", line)


def _unusable(audit: Audit) -> Iterator[Shortcoming]:
    """Yield names, ids, fields, mentions and documents that the run could not treat as asked."""
    counts = audit.counts
    if named := counts["leaking_documents"]:
        yield Shortcoming("unmet", names_hold_values(named))
    if ids := counts["unknown_ids"]:
        line = f"Named by always_mask or never_mask, but in no document: {count(ids, 'id')}"
        yield Shortcoming("note", line)
    if repeated := counts["repeated_ids"]:
        yield Shortcoming("note", ids_repeat(repeated))
    if forgotten := counts["forgotten_documents"]:
        yield Shortcoming("note", are_read_again(forgotten))
    if languages := counts["uncovered_languages"]:
        yield Shortcoming("note", in_uncovered_languages(languages))
    if excluded := audit.verify.get("findings", {}).get("excluded"):
        line = f"Excluded fields hold masked values: {count(excluded, 'time')}, see verify"
        yield Shortcoming("unmet", line)
    if dropped := counts["dropped"]:
        reasons = ", ".join(f"{n} × {reason}" for reason, n in dropped.items())
        yield Shortcoming("unmet", f"Mentions that could not be used: {reasons}")
    if audit.set_aside:
        (reason, n), *more = Counter(item["reason"] for item in audit.set_aside).most_common(2)
        usual = f"{n} × {reason}{', …' if more else ''}"
        line = f"Set aside: {len(audit.set_aside)} ({usual}): see set-aside.jsonl"
        yield Shortcoming("set_aside", line)


def _doubts(model: Mapping[str, Any]) -> Iterator[str]:
    """Say which documents a language model left in doubt."""
    doubts = (
        ("review", "Review: the model found far less than patterns see in"),
        ("embedded_only", "No answer of the model, embedded detection only:"),
        ("left_in_value", "No good rewriting, left in style value:"),
    )
    for key, doubt in doubts:
        if names := model.get(key):
            yield f"{doubt} {count(len(names), 'document')}, see the report"


def _over_limits(audit: Audit) -> Iterator[str]:
    """Say which limits are not met, and which pairs of documents were not compared."""
    risk, readers = audit.risk, audit.changed.get("readers", {})
    if unmet := risk.get("unmet_documents", 0) + risk.get("unmet_chains", 0):
        yield f"Over their limit: {_documents_or_chains(unmet)}, listed in plan.json"
    if over := readers.get("documents", 0) + readers.get("chains", 0):
        yield (
            f"Over their limit with earlier editions: {_documents_or_chains(over)}; "
            "withdraw these editions"
        )
    if above := audit.counts["above_readable_share"]:
        yield above_share(above, audit.settings["readable_share"])
    yield from above_link_limit(audit.linkage)
    if blocked := risk["blocked_pairs"]:
        yield f"Not compared: {count(blocked, 'pair')} of documents; raise group_budget"


def _documents_or_chains(number: int) -> str:
    return count(number, "document or chain", "documents or chains")


def _readable_again(changed: Mapping[str, Any]) -> Iterator[str]:
    """Say how many entities the release before masked and this one does not, unless by hand."""
    lost = [row for row in changed.get("readable", ()) if not row["by_hand"]]
    if lost and changed.get("since") == "release":
        yield (
            f"Readable now, masked in the release before: {count(len(lost), 'entity', 'entities')}."
            " linkmask plan RUN --mask ID and apply mask them again, except rare words; mask"
            " --keep-masked RUN keeps all that a run masked, if it was not replaced before"
        )
