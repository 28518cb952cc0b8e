"""Decides which spans of some texts are written over, by stored mentions and by the search."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable

import numpy as np

from linkmask.redact.locations import Fields, LocatedMentions
from linkmask.redact.match import Columns, text_of
from linkmask.redact.search import Search, SearchResult
from linkmask.redact.splice import Span
from linkmask.text.added import outside
from linkmask.text.message_form import messages, within_elements


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
        return _within_elements(fields, swept, swept.spans)
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
    return _within_elements(fields, swept, _columns(spans))


def _columns(spans: Iterable[Span]) -> Columns:
    columns = np.array(sorted(spans), np.int64).reshape(-1, 3)
    return columns[:, 0], columns[:, 1], columns[:, 2]


def _within_elements(fields: Fields, swept: SearchResult, spans: Columns) -> Columns:
    """Return the spans without what separates values.

    In messages, they are those of one element each, so that no separator is lost. In other files,
    they lie outside of what their reader added, which can't be masked.
    """
    held = [messages(text) for text in fields.texts]
    if not any(held) and not fields.owners:
        return spans
    parts = list[Span]()
    cuts = np.searchsorted(spans[0], swept.begins)
    rows = list(zip(*(column.tolist() for column in spans), strict=True))
    for number, found in enumerate(held):
        begin, text = int(swept.begins[number]), fields.texts[number]
        own = rows[cuts[number] : cuts[number + 1]]
        added = fields.added(number) if own and number in fields.owners else ()
        for start, end, entity in own:
            for low, high in within_elements(text, start - begin, end - begin, found):
                apart = outside(text, low, high, added)
                parts += [(first + begin, last + begin, entity) for first, last in apart]
    return _columns(parts)


def _moved(span: Span, by: int) -> Span:
    return span[0] + by, span[1] + by, span[2]
