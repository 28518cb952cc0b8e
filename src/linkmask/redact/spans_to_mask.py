"""Decides which spans of some texts are written over, by stored mentions and by the search."""

from __future__ import annotations

from bisect import bisect_left

import numpy as np

from linkmask.redact.locations import Fields, LocatedMentions
from linkmask.redact.match import Columns, text_of
from linkmask.redact.search import Search, SearchResult
from linkmask.redact.splice import Span


def spans_to_mask(
    fields: Fields, stored: LocatedMentions, swept: SearchResult, search: Search, anywhere: bool
) -> Columns:
    """Return the disjoint spans to write over in the joined texts: starts, ends, entities.

    In most texts the search alone decides them. The others are decided text by text: those whose
    hits overlap, those with a stored mention that the search does not find, and without `anywhere`
    those with a hit that is no stored mention.
    """
    clear, begins = swept.clear.copy(), swept.begins
    clear[text_of(stored.starts[stored.hits < 0], begins)] = False
    if not anywhere:
        other = np.ones(len(swept.found[0]), np.bool_)
        other[stored.hits[stored.hits >= 0]] = False
        clear[text_of(swept.found[0][other], begins)] = False
    if clear.all():
        return swept.spans
    kept = clear[swept.of]
    spans = list(zip(*(column[kept].tolist() for column in swept.spans), strict=True))
    documents = np.repeat(np.arange(len(fields.first) - 1), np.diff(fields.first)).tolist()
    of, own, here = -1, list[Span](), set[int]()
    for number in np.flatnonzero(~clear).tolist():
        if documents[number] != of:
            of = documents[number]
            own = stored.of(of)
            here = {entity for _, _, entity in own}
        low, high = begins[number : number + 2].tolist()
        among = slice(bisect_left(own, (low,)), bisect_left(own, (high,)))
        inside = [_moved(span, -low) for span in own[among]]
        among = slice(*np.searchsorted(swept.found[0], (low, high)))
        hits = zip(*(column[among].tolist() for column in swept.found), strict=True)
        text = swept.text[low : high - 1]
        found = search.spans(text, inside, [_moved(hit, -low) for hit in hits], here)
        spans += [_moved(span, low) for span in found]
    columns = np.array(sorted(spans), np.int64).reshape(-1, 3)
    return columns[:, 0], columns[:, 1], columns[:, 2]


def _moved(span: Span, by: int) -> Span:
    return span[0] + by, span[1] + by, span[2]
