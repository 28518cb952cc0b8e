"""Compares a corpus with what was released of it: what is new, changed, gone.

A file whose bytes are those that were released whole holds the documents that it held, and is not
read. In all others a document is told by its id and the digest of its fields.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from linkmask.corpus import Corpus, record_digest
from linkmask.corpus.read import HASHED
from linkmask.records import Document, SetAside


@dataclass(slots=True)
class Difference:
    """What differs between a corpus and its last edition.

    `files`: the ids of the documents in each file, in input order; `same`: the files that were not
    read, since their bytes are the same; the sets hold ids of documents.
    """

    files: dict[str, list[str]] = field(default_factory=dict)
    same: frozenset[str] = frozenset()
    added: set[str] = field(default_factory=set)
    changed: set[str] = field(default_factory=set)
    deleted: set[str] = field(default_factory=set)

    @property
    def fresh(self) -> set[str]:
        """Ids of the documents that detection has to read."""
        return self.added | self.changed

    @property
    def documents(self) -> list[str]:
        """Ids of all documents, in input order."""
        return [name for names in self.files.values() for name in names]


def difference(source: Corpus, released: Mapping[str, Any]) -> Difference:
    """Compare a corpus with what `released.json` says of its last edition."""
    was: Mapping[str, Sequence[str]] = released["documents"]
    same = _same(source, released.get("inputs", {}), was)
    found = Difference({}, same)
    digests = _digests(source, same)
    for entry in source.entries:
        if not isinstance(entry, SetAside):
            name = entry.name
            found.files[name] = list(was[name] if name in same else digests.get(name, {}))
    originals = released["originals"]
    for own in digests.values():
        for document, digest in own.items():
            if document not in originals:
                found.added.add(document)
            elif originals[document] != digest:
                found.changed.add(document)
    found.deleted = originals.keys() - set(found.documents)
    return found


def _same(
    source: Corpus, inputs: Mapping[str, str], was: Mapping[str, Sequence[str]]
) -> frozenset[str]:
    """Return the files whose bytes are the same, and whose documents keep their ids.

    An id that another document brings, too, is told apart by a hash; which ones are is known only
    when all ids are.
    """
    now = source.digests()
    alike = {
        name: was[name]
        for name, digest in inputs.items()
        if now.get(name) == digest and not any(map(HASHED.search, was[name]))
    }
    source.know(alike)
    twice = source.repeated()
    return frozenset(name for name, ids in alike.items() if twice.isdisjoint(ids))


def _digests(source: Corpus, same: frozenset[str]) -> dict[str, dict[str, str]]:
    """Read all files but those that are the same; return digests by file and document."""
    found: dict[str, dict[str, str]] = {}
    others = frozenset(source.files()) - same
    for item in source.part(others)():
        if isinstance(item, Document):
            found.setdefault(item.origin.file, {})[item.id] = record_digest(item)
    return found
