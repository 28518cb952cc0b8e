"""Checks that the result of detection still has the direct identifiers of the first pass.

Detection merges, retypes and resolves what it found. Every span that the first pass took for a
direct identifier must nevertheless be covered by mentions of the result, of any type: a letter or
a digit that none covers is neither scored nor masked.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from operator import itemgetter

from linkmask.config import Settings
from linkmask.records import Finding, Mention
from linkmask.runs import Run
from linkmask.runs.mentions import mentions_in


def lost_identifiers(run: Run, settings: Settings, but: Collection[str] = ()) -> Iterator[Finding]:
    """Yield a blocking finding for each document that lost direct identifiers on the way.

    The schema's direct identifiers and the types of the floor are checked. Left out are documents
    without a finished detection, which are set aside anyway, those named `but`, which were checked
    before, and values that a user corrected to `nobody`.
    """
    direct = settings.direct_types
    finished = frozenset(run.documents()).difference(but)
    before, after = run.lines_by_document("stage1"), run.lines_by_document(run.uncorrected)
    for document in before:
        if document not in finished or (found := before[document]) == (kept := after[document]):
            continue
        spans = _spans(mentions_in(kept))
        missing = Counter(
            m.type
            for m in mentions_in(found)
            if m.type in direct and not _covered(m, spans.get(m.field, []))
        )
        if missing:
            listing = ", ".join(f"{kind} ({count})" for kind, count in sorted(missing.items()))
            detail = f"found by the first pass, not in the result: {listing}"
            yield Finding(document, "lost", detail)


Span = tuple[int, int]


def _spans(mentions: Iterable[Mention]) -> dict[str, list[Span]]:
    """Return what mentions cover of each field: disjoint spans, sorted."""
    fields: dict[str, list[Span]] = {}
    for start, end, name in sorted((m.start, m.end, m.field) for m in mentions):
        spans = fields.setdefault(name, [])
        if spans and start <= spans[-1][1]:
            spans[-1] = spans[-1][0], max(spans[-1][1], end)
        else:
            spans.append((start, end))
    return fields


def _covered(mention: Mention, spans: Sequence[Span]) -> bool:
    """Tell whether spans cover each letter and digit of a mention.

    The hyphen or the blank between two values need not be part of either.
    """
    at, covered = mention.start, ""
    for index in range(bisect_right(spans, at, key=_END), len(spans)):
        start, end = spans[index]
        if start >= mention.end:
            break
        covered += mention.original[at - mention.start : max(start - mention.start, 0)]
        at = end
    covered += mention.original[at - mention.start :]
    return not any(map(str.isalnum, covered))


_END = itemgetter(1)
