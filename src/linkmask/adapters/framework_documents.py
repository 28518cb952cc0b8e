"""Defines a framework's document as adapters pass it on, and writes a corpus of such documents."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from linkmask.corpus.fields import as_json_value
from linkmask.corpus.files import Flaw
from linkmask.errors import InputError, UsageError
from linkmask.records import CONTENT


class FrameworkDocument(NamedTuple):
    """A framework's document: its id ("" for none), its text, and its metadata."""

    id: str
    text: str
    metadata: Mapping[str, Any]

    def selected(self, id_key: str, keys: Sequence[str] | None) -> FrameworkDocument:
        """Return the document with the id that a key of its metadata holds, and these keys alone.

        Args:
            id_key: "" where the document's own id counts.
            keys: None for all.
        """
        name = self.id if not id_key else str(self.metadata.get(id_key) or "")
        if keys is None:
            return FrameworkDocument(name, self.text, self.metadata)
        return FrameworkDocument(
            name, self.text, {k: v for k, v in self.metadata.items() if k in keys}
        )


def write_corpus(items: Iterable[FrameworkDocument], path: str | os.PathLike[str]) -> None:
    """Write documents to a JSONL file that `linkmask mask` reads; its owner alone can read it.

    Raises:
        InputError: the metadata of one hold a value of no JSON kind.
        UsageError: one has no id.
    """
    handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with os.fdopen(handle, "w", encoding="utf-8") as file:
        for number, item in enumerate(items):
            if not item.id:
                raise UsageError(f"document {number} has no id: give it one, or set id_key")
            try:
                row = as_json_value({"id": item.id, "metadata": item.metadata, CONTENT: item.text})
            except Flaw as flaw:
                raise InputError(f"document {number}: {flaw}") from None
            file.write(json.dumps(row) + "\n")
