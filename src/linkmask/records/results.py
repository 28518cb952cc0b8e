"""Defines a masked document, what verification finds in it, and the audit of a run."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, NamedTuple

import msgspec

from linkmask.records.documents import Document, Origin


class Replacement(NamedTuple):
    """One span that was written over: where it was, which entity, and what stands there now.

    A tuple, since a corpus has millions of them.
    """

    field: str
    start: int
    end: int
    entity: str
    type: str
    text: str


class Masked(msgspec.Struct, frozen=True, gc=False):
    """A document after masking: same shape, new texts. `replacements` are sorted, disjoint.

    `id`, `content`, `metadata`, `origin` and `written` are what may be released. `original` is the
    document before masking, which may not; `repr` leaves it out.
    """

    original: Document
    written: Document
    replacements: Sequence[Replacement]

    @property
    def id(self) -> str:
        """The document's id, as it was read."""
        return self.original.id

    @property
    def origin(self) -> Origin:
        """Where the document came from."""
        return self.original.origin

    @property
    def content(self) -> str:
        """The masked text."""
        return self.written.content

    @property
    def metadata(self) -> Mapping[str, Any]:
        """The masked metadata."""
        return self.written.metadata

    def __repr__(self) -> str:
        return (
            f"Masked(id={self.id!r}, content={self.content!r}, metadata={self.metadata!r}, "
            f"replacements={self.replacements!r})"
        )


FindingKind = Literal[
    "leftover",
    "key",
    "excluded",
    "name",
    "placeholder",
    "lost",
    "risk",
    "earlier-plan",
    "forgotten",
    "unreadable",
    "new-value",
]
"""What a finding is about; `report.wording.FINDINGS` says each in a sentence."""


@dataclass(frozen=True, slots=True)
class Finding:
    """Something verification saw.

    `detail` names types, ids and counts, never a value. `blocking` findings set the document aside.
    `fields` are those in which a masked value, of `entity`, can still be read; `hidden` says how,
    such as "in Base64", unless it stands there as it is.
    """

    document: str
    kind: FindingKind
    detail: str
    blocking: bool = True
    entity: str = ""
    fields: tuple[str, ...] = ()
    hidden: str = ""


@dataclass(frozen=True, slots=True)
class Audit:
    """What a run did, in numbers and without a value: the content of `summary.json`.

    Each member is plain data (dict, list, str, number): see docs/report.md for the keys.
    """

    tool: Mapping[str, Any]
    input: Mapping[str, Any]
    settings: Mapping[str, Any]
    counts: Mapping[str, Any]
    risk: Mapping[str, Any]
    masked: Mapping[str, Any]
    left: Mapping[str, Any]
    verify: Mapping[str, Any]
    set_aside: Sequence[Mapping[str, str]]
    seconds: Mapping[str, float]
    policy: Mapping[str, Any] = field(default_factory=dict)
    model: Mapping[str, Any] = field(default_factory=dict)
    changed: Mapping[str, Any] = field(default_factory=dict)
    editions: Sequence[Mapping[str, Any]] = ()
    linkage: Mapping[str, Any] = field(default_factory=dict)
    singling_out: Mapping[str, Any] = field(default_factory=dict)
    answers: Mapping[str, Any] = field(default_factory=dict)
