"""Checks masked documents one by one: which masked values can be read, and what detection finds.

Detection is run on documents whose masks changed since the check before.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from linkmask.config import Settings
from linkmask.corpus import record_digest
from linkmask.pipeline.checking.checked_documents import CheckedDocument, CheckedRow
from linkmask.pipeline.checking.checked_texts import in_original, typed
from linkmask.pipeline.detection.detector import Detector, FloorDetector
from linkmask.pipeline.fixed_names.keys import Keys
from linkmask.pipeline.planning.regulation import styles
from linkmask.records import Document, Masked, Mention, entity_id
from linkmask.runs import MaskedRow
from linkmask.runs.mentions import mentions_in
from linkmask.schema import types_of
from linkmask.verify import Inspected, Inspector, as_released, texts_of

PERSONS = types_of("person") & types_of("direct")
"""Types of names of persons; those of clinicians may stay readable."""


class EarlierCheck(NamedTuple):
    """What is known of a document before its check.

    `seen`: what the check before found in it, if its masks are the same. `first`: what the first
    pass finds in it now, as lines of a run's log. `untouched`: neither its mentions changed, nor is
    one of them masked otherwise.
    """

    seen: CheckedDocument | None = None
    first: bytes | None = None
    untouched: bool = False


Item = tuple[Document, list[Mention], MaskedRow, EarlierCheck]
"""A document, its mentions, what masking made of it, and what is known before the check."""


@dataclass(frozen=True)
class ReadBackCheck:
    """Checks documents as they are read back; it is sent to the workers.

    Without `detect` only what was masked is looked for, and `keys` are searched.
    """

    inspector: Inspector
    detect: Detector | FloorDetector | None
    keys: Keys

    def __call__(self, document: Document) -> Inspected:
        """Look at one document."""
        return self.many([document])[0]

    def many(self, documents: Sequence[Document]) -> list[Inspected]:
        """Check some documents."""
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
        persons = {mention.original for _, mention in due if mention.type in PERSONS}
        findings = [*seen.findings, *self.keys.findings(as_released(masked), persons)]
        return replace(seen, findings=findings)

    def found(
        self, documents: Sequence[Document], first: Sequence[bytes | None] = ()
    ) -> Sequence[Sequence[Mention]]:
        """Return what detection sees in each document; `first`: what its first pass does."""
        if not isinstance(self.detect, Detector) or not any(one is not None for one in first):
            return self.detect.many(documents) if self.detect else [()] * len(documents)
        unknown = [document for document, one in zip(documents, first, strict=True) if one is None]
        found = iter(self.detect.many(unknown))
        both = zip(documents, first, strict=True)
        return [
            next(found) if one is None else self.detect.corpus_pass((document, mentions_in(one)))
            for document, one in both
        ]


@dataclass(frozen=True)
class MaskedCheck:
    """The check of masked documents; `masked` are the ids of the masked entities.

    `changed`: ids of the entities that are masked otherwise than at the check before, and
    `inspector`, the search for them alone.
    """

    reread: ReadBackCheck
    masked: frozenset[str]
    settings: Settings
    changed: frozenset[str] = frozenset()
    inspector: Inspector | None = None

    def __call__(self, item: Item) -> CheckedRow:
        """Look at one document."""
        return self.many([item])[0]

    def many(self, items: Sequence[Item]) -> list[CheckedRow]:
        """Check some documents; one in which no changed entity can be read stays as it was."""
        kept = [self._kept(item) for item in items]
        due = [item for item, one in zip(items, kept, strict=True) if one is None]
        anew = iter(self._checked_anew(due))
        return [CheckedRow.of(one) if one else next(anew) for one in kept]

    def _kept(self, item: Item) -> CheckedDocument | None:
        """Return what the check before found, where this one would find the same."""
        document, _, row, (seen, _, untouched) = item
        if seen is None or not untouched or self.inspector is None or seen.inspected.findings:
            return None
        if not self.changed.isdisjoint(map(self._entity, seen.inspected.mentions)):
            return None
        texts = (text for _, text, _ in texts_of(row.over(document).written))
        return None if self.inspector.readable(texts) else seen

    def _checked_anew(self, items: Sequence[Item]) -> list[CheckedRow]:
        masked = [row.over(document) for document, _, row, _ in items]
        shown = list(map(self._shown, masked))
        seen = [before.seen for *_, before in items]
        anew = [number for number, one in enumerate(seen) if one is None]
        first = [items[number][-1].first for number in anew]
        found = iter(self.reread.found([as_released(shown[number]) for number in anew], first))
        mentions = [one.inspected.mentions if one else next(found) for one in seen]
        return list(map(CheckedRow.of, map(self._checked, items, masked, shown, mentions)))

    def _shown(self, masked: Masked) -> Masked:
        """Return a masked document as detection is shown it."""
        return masked if styles(self.settings) == {"value"} else typed(masked)

    def _checked(
        self, item: Item, masked: Masked, shown: Masked, found: Sequence[Mention]
    ) -> CheckedDocument:
        mentions = [(self._entity(mention), mention) for mention in item[1]]
        due = [one for one in mentions if one[0] in self.masked]
        inspected = self.reread.inspect(masked, due, found, shown)
        readable = {entity for entity, _ in mentions} - self.masked
        new = [m for m in inspected.mentions if self._entity(m) not in readable]
        return CheckedDocument(inspected, in_original(new, shown), record_digest(masked.written))

    def _entity(self, mention: Mention) -> str:
        return entity_id(mention.value, mention.type, self.settings.id_separator)
