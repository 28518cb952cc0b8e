"""Finds the documents whose masks another plan of the same run changes."""

from __future__ import annotations

from collections.abc import Container, Sequence
from dataclasses import dataclass

from linkmask.config import Settings
from linkmask.pipeline.reading import ByDocument, Pair
from linkmask.records import entity_id
from linkmask.redact import Redactor, Rules
from linkmask.runs import MaskedFile, row_in


@dataclass(frozen=True)
class MaskedBefore:
    """The documents of a run as they were masked by its previous plan."""

    rules: Rules
    masked: MaskedFile
    fresh: Container[str]
    """Ids of the documents in which mentions were found since."""


class Remasking:
    """Tells which documents have other masks now; the others stay as they are.

    It decides by their mentions, and by a search for all spellings of entities whose mask changed.
    """

    def __init__(self, redactor: Redactor, before: MaskedBefore, settings: Settings) -> None:
        self.changes = redactor.changes(before.rules)
        self._rows = ByDocument(before.masked.lines(), before.masked.documents)
        self._fresh = before.fresh
        self._separator = settings.id_separator

    def lines(self, batch: Sequence[Pair]) -> list[bytes]:
        """Return what was made of documents before; nothing where they were set aside."""
        names = [document.id for document, _ in batch]
        return [self._rows.take(name) if name in self._rows else b"" for name in names]

    def changed(self, batch: Sequence[Pair], lines: Sequence[bytes]) -> list[bool]:
        """Tell of each document whether it has to be masked again."""
        pairs = list(map(self._entities_and_texts, batch, lines))
        concerned = self.changes.concerned(pairs)
        both = zip(batch, lines, concerned, strict=True)
        return [now or not line or pair[0].id in self._fresh for pair, line, now in both]

    def _entities_and_texts(self, pair: Pair, line: bytes) -> tuple[set[str], list[str]]:
        """Return the entities that a document mentions; its texts, as read and as masked.

        Of one that is masked again in any case, nothing.
        """
        document, mentions = pair
        if not line or document.id in self._fresh:
            return set(), []
        entities = {entity_id(m.value, m.type, self._separator) for m in mentions}
        texts = [text for _, text in document.fields()]
        return entities, [*texts, *row_in(line).fields.values()]
