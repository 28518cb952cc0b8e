"""Describes the editions of an updated run in words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from linkmask.report.wording import count


def edition_lines(editions: Sequence[Mapping[str, Any]]) -> list[str]:
    """Say of each edition what changed since the one before, the last one first.

    `editions` are those of the ledger as plain data, the first one first.
    """
    return [_line(one) for one in reversed(editions)]


def _line(one: Mapping[str, Any]) -> str:
    head = f"Edition {one['number']} of {one['time'][:10]}: {count(one['documents'], 'document')}"
    if one["number"] == 1:
        return f"{head}."
    kept = one["documents"] - one["added"] - one["changed"]
    parts = [f"{one[name]:,} {name}" for name in ("added", "changed", "deleted")]
    parts.append(f"{kept:,} unchanged, {one['rewritten']:,} of them masked otherwise")
    recounted = "; counted anew" if one["recounted"] else ""
    riskier = f"; {one['riskier']:,} riskier by what is new" if one["riskier"] else ""
    return f"{head} ({', '.join(parts)}{riskier}{recounted})."
