"""Checks that the result of detection still has the direct identifiers of the first pass.

Detection merges, retypes and resolves what it found. Every span that the first pass took for a
direct identifier must nevertheless be covered by mentions of the result, of any type; a span that
none covers is neither scored nor masked.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from linkmask.config import Settings
from linkmask.records import Finding, Mention
from linkmask.runs import Run


def lost(run: Run, settings: Settings) -> Iterator[Finding]:
    """Yield a blocking finding for each document that lost direct identifiers on the way.

    Direct are the schema's direct identifiers and the types of the floor. A document without a
    finished detection is none of this check's: it is set aside anyway.
    """
    groups = settings.entity_types.groups
    direct = {kind for kind, group in groups.items() if group == "direct"} | set(settings.floor)
    finished = frozenset(run.documents())
    results = run.by_document()
    held: dict[str, Sequence[Mention]] = {}
    for document, found in run.by_document("stage1"):
        if document not in finished:
            continue
        while document not in held:  # the logs are in one order, but for what failed once
            name, mentions = next(results)
            held[name] = mentions
        kept = held.pop(document)
        missing = Counter(m.type for m in found if m.type in direct and not _covered(m, kept))
        if missing:
            said = ", ".join(f"{kind} ({count})" for kind, count in sorted(missing.items()))
            detail = f"found by the first pass, not in the result: {said}"
            yield Finding(document, "lost", detail)


def _covered(mention: Mention, by: Iterable[Mention]) -> bool:
    """Tell whether mentions, sorted by start in each field, cover all of a mention's span."""
    at = mention.start
    for one in by:
        if one.field == mention.field and one.start <= at < one.end:
            at = one.end
    return at >= mention.end
