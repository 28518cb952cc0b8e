"""The nouns of linkmask, in the order data meets them.

A corpus is read into `Document`s. Detectors find `Mention`s in them. Mentions with one
normalized value and type are one `Entity`; the corpus as the engine sees it is an `Incidence`
(documents × entities). Two documents that share entities form a `Link`, a path of links is a
`Chain`, and both carry a risk in [0, 1] (`Risk`). A `Plan` says which entities are masked, at
which stage and why. Redaction turns a document and a plan into a `Masked` document, verification
into `Finding`s, and the whole run is summed up in an `Audit`.

Everything here is frozen. People-facing nouns are small objects, made on request; what grows with
the corpus is arrays. Offsets are half-open `[start, end)` indices into Python strings.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from dataclasses import fields as dataclass_fields
from hashlib import blake2b
from typing import Any, Literal, NamedTuple

import msgspec
import numpy as np
from numpy.typing import NDArray

try:
    from _md5 import md5  # type: ignore[import-not-found] # a third of the time of OpenSSL's
except ImportError:
    from hashlib import md5

CONTENT = "content"
"""The field name of a document's text, where it has one text."""
METADATA = "metadata"
"""Where the field names of metadata begin: `metadata/patient/name`, a path of keys."""
RECORD = "record"
"""Where the names of a record's other fields begin: `record/reporter`, a path of keys."""

Ints = NDArray[np.int32]
Longs = NDArray[np.int64]
Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]

Stage = Literal["floor", "document", "chain"]
Level = Literal["HIGH", "MEDIUM", "LOW"]


# ── corpus ──────────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True)
class Origin:
    """Where a document came from: the file, relative to the input, and its row in it (from 0)."""

    file: str
    row: int = 0


@dataclass(frozen=True, slots=True)
class Document:
    """One document as it was read; nothing in it is ever changed.

    All of its fields are one document to the risk; each has a text and offsets of its own. They
    are `content`, each leaf of `metadata`, and each leaf of `others`: what else its record holds.
    `texts` names the fields that are running text; the others are short, and their key tells what
    they are. `excluded` names the fields that are neither searched nor masked. Where several
    fields are texts, they stand in `others`, and `content` is empty.

    `record` is the input's own record (JSON object, CSV row, …) with every field in order, so that
    the writer can give back what is not masked. It is empty for plain text files.
    """

    id: str
    content: str
    metadata: Mapping[str, Any] = field(default_factory=dict)
    origin: Origin = Origin("")
    record: Mapping[str, Any] = field(default_factory=dict)
    others: Mapping[str, Any] = field(default_factory=dict)
    texts: tuple[str, ...] = (CONTENT,)
    excluded: frozenset[str] = frozenset()
    _fields: list[tuple[str, str]] = field(
        default_factory=list, init=False, repr=False, compare=False
    )
    """All fields, once they were asked for: each step goes over them, some a dozen times."""

    def __getstate__(self) -> list[Any]:
        return [*(getattr(self, one.name) for one in dataclass_fields(self)[:-1]), []]

    @property
    def text(self) -> str:
        """Its running texts as one: what tells its language and what it is about."""
        if self.texts == (CONTENT,):
            return self.content
        fields = dict(self.every_field())
        return "\n\n".join(fields[name] for name in self.texts)

    def fields(self) -> Iterator[tuple[str, str]]:
        """Yield (field name, text) for all that is searched and masked, the content first.

        Texts and numbers are fields; names of those in metadata and record are paths (`step`):
        `metadata/patient/name`, `record/messages/0/content`.
        """
        if not self.excluded:
            return self.every_field()
        return (field for field in self.every_field() if field[0] not in self.excluded)

    def every_field(self) -> Iterator[tuple[str, str]]:
        """Return (field name, text) for all fields, also those that are excluded."""
        if not self._fields:
            self._fields.append((CONTENT, self.content))
            for name, value in self.leaves():
                if isinstance(value, str):
                    self._fields.append((name, value))
                elif isinstance(value, int | float) and not isinstance(value, bool):
                    self._fields.append((name, str(value)))
        return iter(self._fields)

    def leaves(self) -> Iterator[tuple[str, Any]]:
        """Yield name and value of each leaf of metadata and record, also of what is no field."""
        yield from _leaves(METADATA, self.metadata)
        yield from _leaves(RECORD, self.others)

    def every_key(self) -> Iterator[tuple[str, str, bool]]:
        """Yield path and text of each key, and whether it leads to excluded fields alone."""
        shut, kept = set[str](), set[str]()
        for name, _ in self.leaves() if self.excluded else ():
            parts = name.split("/")
            above = ("/".join(parts[:end]) for end in range(2, len(parts) + 1))
            (shut if name in self.excluded else kept).update(above)
        for root, tree in ((METADATA, self.metadata), (RECORD, self.others)):
            for path, key in _keys(root, tree):
                yield path, key, path in shut and path not in kept

    def with_fields(self, values: Mapping[str, Any]) -> Document:
        """Return the document with the fields that are named replaced, all else the same.

        But for its record, which holds what was read.
        """
        if not values:
            return self
        roots = {name.partition("/")[0] for name in values}
        trees = ((METADATA, self.metadata), (RECORD, self.others))
        metadata, others = (
            _replaced(path, tree, values) if path in roots else tree for path, tree in trees
        )
        content = values.get(CONTENT, self.content)
        return replace(self, content=content, metadata=metadata, others=others, record={})


def step(path: str, key: object) -> str:
    """Return the path of what a key or a position leads to: a JSON pointer's (RFC 6901).

    Escaped, a key that holds a slash is no path of two: each leaf has a name of its own.
    """
    return f"{path}/{str(key).replace('~', '~0').replace('/', '~1')}"


def steps(path: str) -> list[str]:
    """Return the keys and positions of a path, its first part left out."""
    return [key.replace("~1", "/").replace("~0", "~") for key in path.split("/")[1:]]


def _leaves(path: str, value: Any) -> Iterator[tuple[str, Any]]:
    """Yield path and value of each leaf of a tree of mappings and lists, in order."""
    waiting = [(path, value)]
    while waiting:
        path, value = waiting.pop()
        if isinstance(value, str):
            yield path, value
        elif isinstance(value, Mapping):
            waiting += [(step(path, key), held) for key, held in value.items()][::-1]
        elif isinstance(value, list | tuple):
            waiting += [(step(path, index), held) for index, held in enumerate(value)][::-1]
        else:
            yield path, value


def _keys(path: str, tree: Any) -> Iterator[tuple[str, str]]:
    """Yield path and text of each key of a tree of mappings and lists."""
    waiting = [(path, tree)]
    while waiting:
        path, value = waiting.pop()
        if isinstance(value, Mapping):
            inner = [(step(path, key), key, held) for key, held in value.items()]
            yield from ((place, str(key)) for place, key, _ in inner)
            waiting += [(place, held) for place, _, held in inner]
        elif isinstance(value, list | tuple):
            waiting += [(step(path, index), held) for index, held in enumerate(value)]


def _replaced(path: str, value: Any, values: Mapping[str, Any]) -> Any:
    """Return a tree with the leaves that are named by path replaced, all else the same."""
    if isinstance(value, Mapping):
        return {key: _replaced(step(path, key), inner, values) for key, inner in value.items()}
    if isinstance(value, list | tuple):
        return [_replaced(step(path, index), inner, values) for index, inner in enumerate(value)]
    return values.get(path, value)


@dataclass(frozen=True, slots=True)
class SetAside:
    """A document that is not released. `reason` names the cause and holds no value of the text."""

    document: str
    step: str
    reason: str
    origin: Origin = Origin("")


# ── detect ──────────────────────────────────────────────────────────────────────────────────────


class Why(msgspec.Struct, frozen=True, gc=False):
    """What found a mention: detector, rule within it, and its confidence in [0, 1]."""

    detector: str
    rule: str = ""
    score: float = 1.0


class Proper(str):
    """A spelling that is meant only where it begins with a capital: the bare surname of a name."""

    __slots__ = ()


class Mention(msgspec.Struct, frozen=True, gc=False):
    """A span of one field of one document that says something about somebody.

    `text[start:end] == original`. `value` is the normalized form shared by all spellings of one
    thing. `relevance` in [0, 1]: how much this value, in this document, helps to identify the
    person the document is about.
    """

    document: str
    field: str
    start: int
    end: int
    type: str
    original: str
    value: str
    relevance: float
    why: Why

    @property
    def entity(self) -> str:
        """The id of the entity this mention belongs to."""
        return entity_id(self.value, self.type)


def entity_id(value: str, entity_type: str, separator: str = "::") -> str:
    """Hex md5 of value, separator and type (formulas.md §2.4); older data has no separator."""
    return entity_digest(value, entity_type, separator).hex()


def entity_digest(value: str, entity_type: str, separator: str = "::") -> bytes:
    """Return the 16 bytes that `entity_id` writes in hex."""
    text = f"{value}{separator}{entity_type}".encode("utf-8", "surrogatepass")
    digest: bytes = md5(text, usedforsecurity=False).digest()
    return digest


LABEL = 12
"""Hex digits of an entity's label."""


def entity_label(entity: str, salt: bytes) -> str:
    """Name an entity where others may read it: a keyed hash of its id.

    The id is a hash that anyone can make of a guessed value; of the label only who holds the run's
    salt can tell whose it is. Without a salt it is the beginning of the id.
    """
    if not salt:
        return entity[:LABEL]
    return blake2b(entity.encode(), key=salt, digest_size=LABEL // 2).hexdigest()


@dataclass(frozen=True, slots=True)
class MentionTable:
    """Mentions as columns, the only form in which millions of them exist.

    Row i says: document `documents[document[i]]` mentions the value `values[value[i]]` of type
    `types[type[i]]` with `relevance[i]`. `documents` lists every document of the corpus in input
    order, also those without a mention; `values` and `types` hold no repeats.
    """

    documents: Sequence[str]
    values: Sequence[str]
    types: tuple[str, ...]
    document: Ints
    value: Ints
    type: Ints
    relevance: Floats

    def __len__(self) -> int:
        return len(self.document)


# ── graph ───────────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True)
class Incidence:
    """The corpus as the engine sees it: which entity occurs in which document, how relevantly.

    CSR by document: the entities of document `d` are `entity[start[d]:start[d+1]]`, in ascending
    order and without repeats, their relevances (the larger one where a document lists an entity
    twice) `relevance[…]`. Documents are numbered in input order; entities are numbered in the
    order of their ids, so a tie broken by number is a tie broken by id.

    `frequency[e]`: documents that hold e; `uniqueness[e]` in [0, 1] (formulas.md §4), pinned: it
    does not change with masking. `weight[e]` in [0, 1]: weight of e's type. `type[e]` indexes
    `types`. `salt`: secret of the run, by which `label` names entities outside of it.
    """

    documents: Sequence[str]
    entities: Sequence[str]
    types: tuple[str, ...]
    start: Longs
    entity: Ints
    relevance: Floats
    type: Ints
    frequency: Ints
    uniqueness: Floats
    weight: Floats
    salt: bytes = b""

    def label(self, entity: int) -> str:
        """Name an entity by number where others may read it: in a report, in what is released."""
        return entity_label(self.entities[entity], self.salt)

    @property
    def n_documents(self) -> int:
        """Documents of the corpus, also those without an entity."""
        return len(self.start) - 1

    @property
    def n_entities(self) -> int:
        """Distinct entities."""
        return len(self.weight)

    @property
    def n_mentions(self) -> int:
        """Pairs of a document and an entity in it."""
        return len(self.entity)


@dataclass(frozen=True, slots=True)
class Links:
    """Pairs of documents joined by shared entities, `left[i] < right[i]`, sorted by (left, right).

    `strength[i]` in [0, 1], at or above the edge threshold, before masking. `blocked` counts pairs
    not expanded because a boilerplate group outgrew its budget; it is 0 unless reported.
    """

    left: Ints
    right: Ints
    strength: Floats
    blocked: int = 0

    def __len__(self) -> int:
        return len(self.left)


@dataclass(frozen=True, slots=True)
class Chains:
    """Simple paths of 2 to CL documents, each once: several may lead over the same documents.

    `documents[i]` holds the numbers of chain i's documents along the path, padded with −1; chains
    are sorted by documents. `counts` gives HIGH, MEDIUM, LOW over all chains, also those not
    listed: above a budget chains are counted, not enumerated, the riskiest links stand as examples,
    riskiest first, and `complete` is False.
    """

    documents: Ints
    risk: Floats
    counts: Mapping[Level, int]
    complete: bool = True

    def __len__(self) -> int:
        return len(self.risk)


@dataclass(frozen=True, slots=True)
class Risk:
    """What the corpus gives away: a risk in [0, 1] per document, its links and its chains."""

    documents: Floats
    links: Links
    chains: Chains


@dataclass(frozen=True, slots=True)
class Entity:
    """One thing, for people: what it is and what it contributes. `value` only where asked for."""

    id: str
    type: str
    documents: int
    uniqueness: float
    contribution: float
    value: str | None = None


@dataclass(frozen=True, slots=True)
class Link:
    """Two documents and the ids of the entities they share, for people."""

    documents: tuple[str, str]
    strength: float
    via: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Chain:
    """A path of documents with its risk and category, for people."""

    documents: tuple[str, ...]
    risk: float
    category: Level


# ── plan ────────────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True)
class Size:
    """How many entities the chain stage masked, and what is proven about that number.

    `lower_bound`: no set that meets every chain's target is smaller (given the earlier stages);
    0 where nothing is proven. `proven`: the set is minimal.
    """

    masked: int
    lower_bound: int
    proven: bool
    solver: str


@dataclass(frozen=True, slots=True)
class TreatedChains:
    """Chains the chain stage had to look at, as arrays: documents (padded −1), risks, target, met.

    `before`: at the start of the chain stage; `after`: with the whole plan. `level` indexes
    `("HIGH", "MEDIUM", "LOW")` at the start of the stage. `reason[i]` is empty where met. Where
    `Chains` are counted, not listed, chains of three and four documents stand here only if they
    are not met, and `complete` is False if there may be more of these than are listed.
    """

    documents: Ints
    before: Floats
    after: Floats
    target: Floats
    level: NDArray[np.int8]
    met: Flags
    reason: Mapping[int, str] = field(default_factory=dict)
    complete: bool = True

    def __len__(self) -> int:
        return len(self.before)


@dataclass(frozen=True, slots=True)
class Plan:
    """The masked set: entity numbers in order of choice, with stage, gain and chains served.

    `stage[i]` is the stage of `masked[i]`; `gain[i]` ≥ 0 the drop in risk it brought when chosen
    (sum over the documents or chains it was chosen for); `served[i]` how many of them.
    `before`, `after`: document risks. `unmet_documents`: numbers still at or above the limit.
    """

    masked: Ints
    stage: Sequence[Stage]
    gain: Floats
    served: Ints
    before: Floats
    after: Floats
    chains: TreatedChains
    size: Size
    unmet_documents: Ints

    @property
    def met(self) -> bool:
        """True when every document and every chain is under its limit."""
        return bool(self.chains.met.all()) and not len(self.unmet_documents)


# ── redact, verify, report ──────────────────────────────────────────────────────────────────────


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


@dataclass(frozen=True, slots=True)
class Finding:
    """Something verification saw. `kind`: leftover, key, excluded, placeholder, lost, risk,
    unreadable, new-value.

    `detail` names types, ids and counts, never a value. `blocking` findings set the document aside.
    """

    document: str
    kind: str
    detail: str
    blocking: bool = True
    entity: str = ""


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
