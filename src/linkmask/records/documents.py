"""Defines a document as it was read."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from dataclasses import fields as dataclass_fields
from typing import Any

from linkmask.records.paths import CONTENT, METADATA, RECORD, keys, leaves, with_leaves_replaced


@dataclass(frozen=True, slots=True)
class Origin:
    """Where a document came from: the file, relative to the input, and its row in it (from 0).

    `file` is named as it is written: the text of "b.pdf" is written as "b.pdf.md". A row below 0
    stands for the whole file.
    """

    file: str
    row: int = 0


@dataclass(frozen=True, slots=True)
class Document:
    """One document as it was read; nothing in it is ever changed.

    Its fields are `content`, each leaf of `metadata`, and each leaf of `others`, which holds the
    rest of the record. Each field has a text and offsets of its own; the risk is that of all of
    them together. `texts` names the fields of running text; the key of any other field tells what
    its value is. `excluded` names the fields in which nothing is detected or masked. If several
    fields are running text, they stand in `others`, and `content` is empty.

    `by_place`: the reader named the fields by their place in the file ("part 1 text"), so the keys
    of the record are not the input's. `names` then lists the fields whose lines are keys of the
    input, such as names of XML elements; these fields are neither masked nor read as text. `labels`
    are spans that the reader added at the beginning of lines ("birth date: "); no value is in them.
    `repeated` are those of them that also stand in the file, elsewhere, and are masked with it.

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
    by_place: bool = False
    names: frozenset[str] = frozenset()
    labels: frozenset[str] = frozenset()
    repeated: frozenset[str] = frozenset()
    _fields: list[tuple[str, str]] = field(
        default_factory=list, init=False, repr=False, compare=False
    )
    """Cache of all fields, because each step reads them, some a dozen times."""

    def __getstate__(self) -> list[Any]:
        return [*(getattr(self, one.name) for one in dataclass_fields(self)[:-1]), []]

    @property
    def text(self) -> str:
        """All running texts in one, by which language and subject are recognized."""
        if self.texts == (CONTENT,):
            return self.content
        fields = dict(self.every_field())
        return "\n\n".join(fields[name] for name in self.texts)

    def fields(self) -> Iterator[tuple[str, str]]:
        """Yield (field name, text) for all that is searched and masked, the content first.

        Texts and numbers are fields; names of those in metadata and record are paths
        (`child_path`): `metadata/patient/name`, `record/messages/0/content`.
        """
        left_out = self.excluded | self.names
        if not left_out:
            return self.every_field()
        return (field for field in self.every_field() if field[0] not in left_out)

    def every_field(self) -> Iterator[tuple[str, str]]:
        """Return (field name, text) for all fields, also those that are excluded."""
        if not self._fields:
            self._fields.append((CONTENT, self.content))
            for leaf in self.leaves():
                name, value = leaf
                if isinstance(value, str):
                    self._fields.append(leaf)
                elif isinstance(value, int | float) and not isinstance(value, bool):
                    self._fields.append((name, _digits(value)))
        return iter(self._fields)

    def is_list(self, field: str) -> bool:
        """Tell whether each line of a field is a value of its own, as attributes of markup are."""
        return self.by_place and field not in self.texts

    def leaves(self) -> list[tuple[str, Any]]:
        """Return name and value of each leaf of metadata and record, fields and others."""
        trees = (METADATA, self.metadata), (RECORD, self.others)
        return [leaf for path, tree in trees if tree for leaf in leaves(path, tree)]

    def every_key(self) -> Iterator[tuple[str, str, bool]]:
        """Yield path and text of each key of the input, and whether only excluded fields use it."""
        if self.by_place:
            for name, text in self.every_field() if self.names else ():
                if name in self.names:
                    yield from ((name, key, name in self.excluded) for key in text.split("\n"))
            return
        shut, kept = set[str](), set[str]()
        for name, _ in self.leaves() if self.excluded else ():
            parts = name.split("/")
            above = ("/".join(parts[:end]) for end in range(2, len(parts) + 1))
            (shut if name in self.excluded else kept).update(above)
        for root, tree in ((METADATA, self.metadata), (RECORD, self.others)):
            for path, key in keys(root, tree) if tree else ():
                yield path, key, path in shut and path not in kept

    def with_fields(self, values: Mapping[str, Any]) -> Document:
        """Return the document with the fields that are named replaced, all else the same.

        `record` still holds what was read.
        """
        if not values:
            return self
        roots = {name.partition("/")[0] for name in values}
        trees = ((METADATA, self.metadata), (RECORD, self.others))
        metadata, others = (
            with_leaves_replaced(path, tree, values) if path in roots else tree
            for path, tree in trees
        )
        content = values.get(CONTENT, self.content)
        return replace(self, content=content, metadata=metadata, others=others, record={})


def _digits(number: float) -> str:
    """Return a number as text; a whole one without a fraction, as identifiers are spelled.

    If an identifier is missing, a column of identifiers becomes one of floats: 4821377.0.
    """
    whole = isinstance(number, float) and number.is_integer() and abs(number) < EXACT
    return str(int(number)) if whole else str(number)


EXACT = 2.0**53
"""Whole numbers below this are exact as floats."""


@dataclass(frozen=True, slots=True)
class SetAside:
    """A document that is not released. `reason` names the cause and holds no value of the text."""

    document: str
    step: str
    reason: str
    origin: Origin = Origin("")
