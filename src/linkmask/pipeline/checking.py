"""Look at masked documents again: by search for what was masked, by detection for what is left.

Detection takes nearly all of the time of a look. It is asked about many documents at once, and in
a second round only about those that are masked otherwise than in the first.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from hashlib import blake2b

import msgspec

from linkmask.config import Settings
from linkmask.pipeline.detection import Detector, Floor
from linkmask.pipeline.keys import Keys
from linkmask.pipeline.regulation import styles
from linkmask.records import Document, Masked, Mention, Replacement, entity_id
from linkmask.redact import Redactor
from linkmask.redact.splice import splice
from linkmask.verify import Inspected, Inspector, Spans, released, spans_of


@dataclass(frozen=True, slots=True)
class CheckedDocument:
    """What one look saw.

    `fresh` is what detection had not found before masking, in the offsets of the original;
    `digest` tells whether the document is masked in the same way next time.
    """

    inspected: Inspected
    fresh: Sequence[Mention]
    digest: bytes


Item = tuple[Document, list[Mention], CheckedDocument | None]
"""A document, its mentions, and what the look before this one saw."""


@dataclass(frozen=True)
class ReadBackCheck:
    """The look at documents as they are read back; sent to the workers as it is.

    Without `detect` only what was masked is looked for, and `keys` are searched.
    """

    inspector: Inspector
    detect: Detector | Floor | None
    keys: Keys

    def __call__(self, document: Document) -> Inspected:
        """Look at one document."""
        return self.many([document])[0]

    def many(self, documents: Sequence[Document]) -> list[Inspected]:
        """Look at some documents."""
        found = self.found(documents)
        return [self.inspect(one, (), seen) for one, seen in zip(documents, found, strict=True)]

    def inspect(
        self,
        masked: Masked | Document,
        due: Sequence[tuple[str, Mention]],
        found: Sequence[Mention],
        shown: Masked | None = None,
    ) -> Inspected:
        """Inspect a document and its keys; see `verify.Inspector`."""
        seen = self.inspector(masked, due, found, shown)
        findings = [*seen.findings, *self.keys.findings(released(masked))]
        return replace(seen, findings=findings)

    def found(self, documents: Sequence[Document]) -> Sequence[Sequence[Mention]]:
        """Return what detection sees in each document."""
        return self.detect.many(documents) if self.detect else [()] * len(documents)


@dataclass(frozen=True, slots=True)
class PreviousCheck:
    """What one check of a run leaves for the next: its detection, and what was seen by document."""

    detect: Detector | Floor | None
    keys: Keys
    seen: Mapping[str, CheckedDocument]


@dataclass(frozen=True)
class MaskAndCheck:
    """Mask documents and look at what came of it; `masked` are the ids of what is written over."""

    redactor: Redactor
    reread: ReadBackCheck
    masked: frozenset[str]
    settings: Settings

    def __call__(self, item: Item) -> CheckedDocument:
        """Mask one document and look at it."""
        return self.many([item])[0]

    def many(self, items: Sequence[Item]) -> list[CheckedDocument]:
        """Mask some documents and look at them."""
        masked = list(self.redactor.many((document, mentions) for document, mentions, _ in items))
        shown = masked if styles(self.settings) == {"value"} else list(map(typed, masked))
        digests = list(map(digest, shown))
        known = [
            before.inspected.mentions if before and before.digest == now else None
            for (_, _, before), now in zip(items, digests, strict=True)
        ]
        anew = [released(one) for one, seen in zip(shown, known, strict=True) if seen is None]
        found = iter(self.reread.found(anew))
        seen = [next(found) if one is None else one for one in known]
        return list(map(self._seen, items, masked, shown, seen, digests))

    def _seen(
        self, item: Item, masked: Masked, shown: Masked, found: Sequence[Mention], now: bytes
    ) -> CheckedDocument:
        _, mentions, _ = item
        named = ((entity_id(m.value, m.type, self.settings.id_separator), m) for m in mentions)
        due = [(entity, mention) for entity, mention in named if entity in self.masked]
        inspected = self.reread.inspect(masked, due, found, shown)
        known = {(mention.type, mention.value) for mention in mentions}
        new = [m for m in inspected.mentions if (m.type, m.value) not in known]
        return CheckedDocument(inspected, in_original(new, shown), now)


def typed(masked: Masked) -> Masked:
    """Return a masked document as style `value` writes it.

    So detection sees, and the plan is, the same whatever the style.
    """
    fields = dict(masked.original.fields())
    made: dict[str, list[Replacement]] = {}
    for one in masked.replacements:
        made.setdefault(one.field, []).append(one._replace(text=f"[{one.type}]"))
    new = {name: splice(fields[name], pieces) for name, pieces in made.items()}
    every = [one for pieces in made.values() for one in pieces]
    return Masked(masked.original, masked.original.with_fields(new), every)


def digest(masked: Masked) -> bytes:
    """Return what tells two ways of masking a document apart, 16 bytes."""
    texts = list(masked.written.fields())
    return blake2b(repr((texts, spans_of(masked))).encode(), digest_size=16).digest()


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


def covered(document: Document, spans: Spans) -> Document:
    """Return a masked document with placeholders for what looks like values (surrogates).

    Spans beyond a text that is shorter now are passed over.
    """
    fields = dict(document.fields())
    new: dict[str, str] = {}
    for name in {name for name, _, _ in spans} & fields.keys():
        pieces = [
            Replacement(field, start, end, "", "", "[REDACTED]")
            for field, start, end in spans
            if field == name and end <= len(fields[name])
        ]
        new[name] = splice(fields[name], pieces)
    return document.with_fields(new)
