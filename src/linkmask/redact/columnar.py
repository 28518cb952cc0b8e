"""Stores a redactor as arrays: built once, mapped into memory by many processes.

Only the entities that a text mentions are read: a mask or spelling is looked up when it is written.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from hashlib import blake2b
from typing import Any

import numpy as np

from linkmask import schema
from linkmask.config import Settings
from linkmask.records import Longs
from linkmask.redact.locations import EntityIndex
from linkmask.redact.placeholders import StyleContext, Target
from linkmask.redact.redactor import Redactor
from linkmask.redact.search import Search
from linkmask.runs.arrays import TextArray, text_arrays
from linkmask.text.codes import fold_characters

NEVER = -1
"""Value of an entity without an attempt or without days."""
NO_DAYS = -(1 << 31)

TARGET_CODES = {"languages": "language", "own_styles": "style", "shown": "shown"}
"""Columns of names that are kept as codes, and the field of a target that each is of."""

Columns = Mapping[str, Any]


def columns_under(prefix: str, columns: Columns) -> dict[str, Any]:
    """Return columns under names that begin with a prefix."""
    return {f"{prefix}.{name}": column for name, column in columns.items()}


def columns_below(prefix: str, columns: Columns) -> dict[str, Any]:
    """Return the columns whose names begin with a prefix, by the rest of their names."""
    start = f"{prefix}."
    return {n.removeprefix(start): c for n, c in columns.items() if n.startswith(start)}


class IdTable:
    """Finds numbers by 16-byte ids, given as 32 hex digits.

    The first eight bytes of each id are sorted, so that a search touches a few pages.
    """

    def __init__(self, columns: Columns) -> None:
        self._keys, self._ids = columns["keys"], columns["ids"].reshape(-1, 16)
        self._numbers = columns["numbers"]

    @staticmethod
    def columns(numbers: Mapping[str, int]) -> dict[str, Any]:
        """Return numbers by id as arrays by name."""
        raw = np.frombuffer(b"".join(map(bytes.fromhex, numbers)), np.uint8).reshape(-1, 16)
        keys = np.ascontiguousarray(raw[:, :8]).view(">u8").ravel().astype(np.uint64)
        order = np.argsort(keys, kind="stable")
        values = np.fromiter(numbers.values(), np.int64, len(numbers))
        return {"keys": keys[order], "ids": raw[order].ravel(), "numbers": values[order]}

    def get(self, entity: str, default: int, /) -> int:
        """Return the number of an id, or the default."""
        raw = bytes.fromhex(entity)
        key = np.uint64(int.from_bytes(raw[:8], "big"))
        at = int(np.searchsorted(self._keys, key))
        while at < len(self._keys) and self._keys[at] == key:
            if self._ids[at].tobytes() == raw:
                return int(self._numbers[at])
            at += 1
        return default

    def __getitem__(self, entity: str, /) -> int:
        number = self.get(entity, NEVER)
        if number == NEVER:
            raise KeyError(entity)
        return number


class HexIds(Sequence[str]):
    """Ids by number, kept as 16 bytes each."""

    def __init__(self, raw: Any) -> None:
        self._raw = raw.reshape(-1, 16)

    def __len__(self) -> int:
        return len(self._raw)

    def __getitem__(self, index: Any) -> Any:
        if isinstance(index, slice):
            return [row.tobytes().hex() for row in self._raw[index]]
        return self._raw[index].tobytes().hex()


class CategoricalColumn(Sequence[str]):
    """Names by number, kept as codes."""

    def __init__(self, names: Sequence[str], codes: Any) -> None:
        self._names, self._codes = names, codes

    def __len__(self) -> int:
        return len(self._codes)

    def __getitem__(self, index: Any) -> Any:
        if isinstance(index, slice):
            return [self._names[code] for code in self._codes[index].tolist()]
        return self._names[self._codes[index]]


class EntityColumn(Mapping[str, int]):
    """A number for some entities, by id."""

    def __init__(self, numbers: IdTable, column: Any, none: int) -> None:
        self._numbers, self._column, self._none = numbers, column, none

    def __getitem__(self, entity: str) -> int:
        number = self._numbers.get(entity, NEVER)
        value = self._none if number < 0 else int(self._column[number])
        if value == self._none:
            raise KeyError(entity)
        return value

    def __iter__(self) -> Iterator[str]:
        raise TypeError("entities are looked up, not listed")

    def __len__(self) -> int:
        return int(np.count_nonzero(self._column != self._none))


class StoredTargets(Mapping[str, Target]):
    """The masked entities by id, each read when it is asked for."""

    def __init__(self, columns: Columns, numbers: IdTable, ids: Sequence[str]) -> None:
        self._numbers, self._ids = numbers, ids
        self._spellings = TextArray(columns["spellings"], columns["spelling_begins"])
        self._values = TextArray(columns["values"], columns["value_begins"])
        self._surfaces, self._forms = columns["surfaces"], columns["forms"]
        self._codes = tuple(columns[name] for name in ("types", *TARGET_CODES))
        self._names: tuple[Sequence[str], ...] = ()

    def named(self, *names: Sequence[str]) -> StoredTargets:
        """Return the targets with the names for the codes: of types, then as `TARGET_CODES`."""
        self._names = names
        return self

    def __getitem__(self, entity: str) -> Target:
        number = self._numbers[entity]
        begin, middle = int(self._surfaces[number]), int(self._forms[number])
        kind, language, style, shown = (
            names[codes[number]] for names, codes in zip(self._names, self._codes, strict=True)
        )
        surfaces = self._spellings[begin:middle]
        forms = self._spellings[middle : int(self._surfaces[number + 1])]
        return Target(kind, surfaces, forms, language, self._values[number], style, shown)

    def __iter__(self) -> Iterator[str]:
        return iter(self._ids)

    def __len__(self) -> int:
        return len(self._ids)


def entity_columns(redactor: Redactor, days: Mapping[str, int]) -> tuple[dict[str, Any], Any]:
    """Return a redactor's entities as arrays by name, and the names that their codes stand for."""
    ids, targets = list(redactor.entity_index.ids), redactor.targets
    each = [targets[entity] for entity in ids]
    spelled = [[*one.surfaces, *one.forms] for one in each]
    begins = np.append(0, np.cumsum([len(one) for one in spelled], dtype=np.int64))
    spellings = text_arrays(form for one in spelled for form in one)
    values = text_arrays(one.value for one in each)
    of_targets = ([getattr(one, field) for one in each] for field in TARGET_CODES.values())
    coded = {**dict(zip(TARGET_CODES, of_targets, strict=True)), "styles": redactor.styles}
    names = {"types": list(redactor.entity_index.types)}
    columns: dict[str, Any] = {"types": redactor.entity_index.kinds.astype(np.int16)}
    for name, held in coded.items():
        names[name] = sorted({""}.union(held))
        places = {one: place for place, one in enumerate(names[name])}
        columns[name] = np.fromiter((places[one] for one in held), np.int16, len(ids))
    return {
        **columns,
        "raw_ids": np.frombuffer(b"".join(map(bytes.fromhex, ids)), np.uint8),
        "surfaces": begins,
        "forms": begins[:-1] + np.array([len(one.surfaces) for one in each], np.int64),
        "spellings": spellings[0],
        "spelling_begins": spellings[1],
        "values": values[0],
        "value_begins": values[1],
        "attempts": _each(ids, redactor.attempts, NEVER),
        "days": _each(ids, days, NO_DAYS),
    }, names


def _each(ids: Sequence[str], numbers: Mapping[str, int], none: int) -> Longs:
    return np.fromiter((numbers.get(one, none) for one in ids), np.int64, len(ids))


class StoredRedactors:
    """Redactors of the same entities over mapped arrays: one for each way of searching.

    Args:
        columns: those of `entity_columns`; searches under their prefixes.
        names: what `entity_columns` gave beside them.
        numbers: of the masked entities.
    """

    def __init__(self, columns: Columns, names: Any, settings: Settings, numbers: IdTable) -> None:
        self._columns, self._settings, self._numbers = columns, settings, numbers
        self.ids = HexIds(columns["raw_ids"])
        coded = (names[name] for name in ("types", *TARGET_CODES))
        self.targets = StoredTargets(columns, numbers, self.ids).named(*coded)
        self._styles = CategoricalColumn(names["styles"], columns["styles"])
        self._types = names["types"]
        self._style_names = [name for name in names["styles"] if name]
        self.attempts = EntityColumn(numbers, columns["attempts"], NEVER)
        self.days = EntityColumn(numbers, columns["days"], NO_DAYS)

    def search(self, prefix: str, anywhere: bool) -> Search:
        """Return one of the searches."""
        types = schema.load(self._settings.schema).types
        placeholder = schema.placeholders({*types, *self._types})
        return Search.stored(columns_below(prefix, self._columns), placeholder, anywhere)

    def redactor(self, search: Search, settings: Settings, context: StyleContext) -> Redactor:
        """Return the redactor that searches so."""
        kinds = self._columns["types"]
        entity_index = EntityIndex(
            self.ids, self._numbers, self._types, kinds, settings.id_separator
        )
        styles = self._styles, self._style_names
        return Redactor.stored(self.targets, settings, entity_index, search, *styles, context)


class TextHashSet:
    """A set of texts as sorted hashes, folded as the search folds."""

    def __init__(self, hashes: Any) -> None:
        self._hashes = hashes

    @staticmethod
    def column(texts: Iterable[str]) -> Any:
        """Return texts as an array."""
        return np.array(sorted({_hashed(text) for text in texts}), np.uint64)

    def __contains__(self, text: str) -> bool:
        one = np.uint64(_hashed(text))
        at = int(np.searchsorted(self._hashes, one))
        return at < len(self._hashes) and bool(self._hashes[at] == one)


def _hashed(text: str) -> int:
    folded = " ".join(fold_characters(text).split()).encode("utf-8", "surrogatepass")
    return int.from_bytes(blake2b(folded, digest_size=8).digest(), "big")
