"""Compares a plan with an earlier one: what became readable, what is masked now."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from linkmask.config import Settings
from linkmask.records import Incidence, Mention, Plan, entity_id, entity_label
from linkmask.report.wording import count
from linkmask.schema import RARE_TERM

LISTED = 20
"""Entities that people are shown one by one; the data hold all."""
ALL_AGAIN = (
    "All files were written and checked again: what the last edition kept for this one "
    "(known.msgpack in the run) is missing, or of another version of linkmask."
)


def changes(
    incidence: Incidence, plan: Plan, settings: Settings, before: Iterable[str], since: str
) -> dict[str, Any]:
    """Compare a plan with what was masked before, value by value.

    Args:
        before: ids of the entities that were masked; those that the corpus lacks are left out.
        since: what the plan is compared with: `plan` or `release`.

    Returns:
        `since`; `readable` and, since a plan, `masked`: the entities that are so now and were not
        before, each with its label, type, number of documents, and whether a person named it
        (`by_hand`).
    """
    number = {entity: n for n, entity in enumerate(incidence.entities)}
    was = {number[entity] for entity in before if entity in number}
    now = set(plan.masked.tolist())

    def rows(entities: Iterable[int], named: Iterable[str]) -> list[dict[str, Any]]:
        by_hand = frozenset(named)
        return [
            {
                "entity": incidence.label(e),
                "type": incidence.types[incidence.type[e]],
                "documents": int(incidence.frequency[e]),
                "by_hand": incidence.entities[e] in by_hand,
            }
            for e in sorted(entities)
        ]

    return {
        "since": since,
        "readable": rows(was - now, settings.never_mask),
        "masked": rows(now - was, settings.always_mask) if since == "plan" else [],
    }


def word_rows(words: Iterable[Mention], salt: bytes) -> list[dict[str, Any]]:
    """Return rows, as in `changes`, of rare words that are readable now and were not."""
    held: dict[str, set[str]] = {}
    for one in words:
        held.setdefault(entity_label(entity_id(one.value, one.type), salt), set()).add(one.document)
    return [
        {"entity": name, "type": RARE_TERM, "documents": len(documents), "by_hand": False}
        for name, documents in sorted(held.items())
    ]


def change_lines(changed: Mapping[str, Any]) -> list[str]:
    """Say in lines what changed, value by value, in a form that `explain --entity` takes."""
    lines = [ALL_AGAIN] if changed.get("all_again") else []
    for now, was in (("readable", "masked"), ("masked", "readable")):
        rows = changed.get(now, [])
        head = f"{now} now, {was} in the last {changed.get('since')} ({len(rows):,}):"
        lines += _rows(head, rows)
    lines += _readers_lines(changed.get("readers", {}))
    return [*lines, *_riskier_lines(changed.get("riskier", ()))]


def recount_lines(effect: Mapping[str, Any]) -> list[str]:
    """Say what a recount would change (`pipeline.editions.recounting`)."""
    (before, now), (values, moved) = effect["documents"], effect["values"]
    then, after = effect["limits"]
    lines = [
        f"documents that counts refer to: {before:,} pinned, {now:,} today",
        f"values with another count: {moved:,} of {values:,}",
        f"over the limit before masking: {count(then['documents'], 'document')} and "
        f"{count(then['chains'], 'chain')} by the pinned counts, {after['documents']:,} and "
        f"{after['chains']:,} by today's",
        f"over the limit after masking: {then['unmet']:,} by the pinned counts, {after['unmet']:,} "
        "by today's",
        f"values masked: {then['masked']:,} by the pinned counts, {after['masked']:,} by today's",
    ]
    for sentence, name in (
        ("masked by today's counts only", "masked"),
        ("masked by the pinned counts only", "readable"),
    ):
        lines += _rows(f"{sentence} ({len(effect[name]):,}):", effect[name])
    return lines


def _rows(head: str, rows: Sequence[Mapping[str, Any]]) -> list[str]:
    """List entities under a head; nothing where there is none."""
    if not rows:
        return []
    lines = [head]
    for row in rows[:LISTED]:
        hand = ", by hand" if row["by_hand"] else ""
        lines.append(
            f"  {row['type']} {row['entity']} in {count(row['documents'], 'document')}{hand}"
        )
    if len(rows) > LISTED:
        lines.append(f"  … and {len(rows) - LISTED:,} more: see --json")
    return lines


def _readers_lines(found: Mapping[str, int]) -> list[str]:
    """Say what is masked, or over its limit, because of what earlier editions showed."""
    lines = []
    if masked := found.get("masked"):
        lines.append(
            f"masked because of what earlier editions showed beside it: {count(masked, 'value')}"
        )
    over = [count(n, kind[:-1]) for kind in ("documents", "chains") if (n := found.get(kind))]
    if over:
        lines.append(
            "over the limit for who kept earlier editions, whatever is masked now: "
            f"{' and '.join(over)}; withdraw these editions"
        )
    return lines


def _riskier_lines(rows: Sequence[Mapping[str, Any]]) -> list[str]:
    """Say which released documents became riskier by new ones, and what was done about it."""
    if not rows:
        return []
    anew = [row for row in rows if row["rewritten"]]
    enough = len(rows) - len(anew)
    lines = [
        f"riskier by new documents that link to them ({len(rows):,}): for {enough:,} it is "
        f"enough what is masked in the new ones; {len(anew):,} are masked otherwise now, and their "
        "earlier edition should be withdrawn:"
    ]
    lines += [f"  {row['document']}" for row in anew[:LISTED]]
    if len(anew) > LISTED:
        lines.append(f"  … and {len(anew) - LISTED:,} more: see --json")
    return lines
