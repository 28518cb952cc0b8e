"""Converts a masked document to the text that a check reads, and its offsets to the original's."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Sequence
from typing import Any

import msgspec

from linkmask.records import Document, Masked, Mention, Replacement
from linkmask.redact.splice import splice
from linkmask.schema import MASK_CODE
from linkmask.verify import spans_of

_CODE = re.compile(rf"{MASK_CODE}\]$")


def typed(masked: Masked) -> Masked:
    """Return a masked document as style `value` writes it.

    So detection finds the same, and the plan is the same, in every style.
    """
    fields = dict(masked.original.fields())
    made: dict[str, list[Replacement]] = {}
    for one in masked.replacements:
        made.setdefault(one.field, []).append(one._replace(text=f"[{one.type}]"))
    new = {name: splice(fields[name], pieces) for name, pieces in made.items()}
    every = [one for pieces in made.values() for one in pieces]
    return Masked(masked.original, masked.original.with_fields(new), every)


def by_type(document: Document, placeholder: re.Pattern[str]) -> Document:
    """Return a masked document that was read back, each of its placeholders by its type alone.

    `placeholder` matches them all: `[NAME_3f2a91c0]` is read as `[NAME]`, as `typed` has it.
    """
    return document.with_fields(
        {
            name: placeholder.sub(lambda found: _CODE.sub("]", found[0]), text)
            for name, text in document.fields()
            if "_" in text and placeholder.search(text)
        }
    )


def in_original(found: Sequence[Mention], masked: Masked) -> list[Mention]:
    """Move mentions of a masked text to where they stand in the original."""
    if not found:
        return []
    ends: dict[str, list[int]] = {}
    shifts: dict[str, list[int]] = {}
    for (name, _, end), one in zip(spans_of(masked), masked.replacements, strict=True):
        ends.setdefault(name, []).append(end)
        shifts.setdefault(name, []).append(end - one.end)
    texts = dict(masked.original.fields())
    moved = []
    for mention in found:
        before = bisect_right(ends.get(mention.field, ()), mention.start)
        shift = shifts[mention.field][before - 1] if before else 0
        start, end = mention.start - shift, mention.end - shift
        if texts.get(mention.field, "")[start:end] == mention.original:
            moved.append(msgspec.structs.replace(mention, start=start, end=end))
    return moved


def covered(document: Document, spans: Iterable[Sequence[Any]]) -> Document:
    """Return a masked document with its masks as style `value` writes them (surrogates, months).

    So detection reads what the check before the release read. `spans`: (field, start, end, text,
    type); spans beyond the end of a text are ignored. If a written text is no longer at its place,
    because attributes that became equal are read once, it is covered wherever it stands in the
    field.
    """
    fields = dict(document.fields())
    places: dict[str, dict[tuple[int, int], str]] = {}
    for name, start, end, text, kind in spans:
        held, own = fields.get(name, ""), places.setdefault(name, {})
        if text and held[start:end] != text:
            own.update((found.span(), kind) for found in re.finditer(re.escape(text), held))
        elif end <= len(held):
            own[start, end] = kind
    new = {}
    for name, own in places.items():
        pieces, at = list[Replacement](), 0
        for (start, end), kind in sorted(own.items()):
            if start >= at:
                pieces.append(Replacement(name, start, end, "", kind, f"[{kind}]"))
                at = end
        if pieces:
            new[name] = splice(fields[name], pieces)
    return document.with_fields(new)
