"""Stores the pinned counts of a run, and the ledger of its editions.

Both name entities by id, as the rest of the run does, and hold no value.
"""

from __future__ import annotations

import time
from array import array
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any

import msgspec

from linkmask.runs.damaged_file import damaged
from linkmask.runs.file_names import COUNTS, FILE_STAMPS, LEDGER, SHOWN
from linkmask.runs.folder import Run

EDITIONS = "editions"
"""Fact of run.json: how many editions an updated run has released."""


class Counts(msgspec.Struct):
    """Frequencies as they were pinned: N, and the number of documents that held each entity."""

    documents: int
    entities: dict[str, int]


class Edition(msgspec.Struct):
    """Counts of one release of an updated run; deleted documents are counted, not named.

    `rewritten`: documents that did not change, but whose masks did. `riskier`: those that a chain
    over its limit would have joined to new documents, had nothing more been masked.
    """

    number: int
    time: str
    documents: int
    added: int = 0
    changed: int = 0
    deleted: int = 0
    rewritten: int = 0
    masked: int = 0
    recounted: bool = False
    riskier: int = 0


class Editions(msgspec.Struct):
    """All editions, and the ids of the entities that one of them masked.

    `coarse`: ids of those among them that no edition has hidden whole: each that masked them wrote
    them coarser by rule, such as a date as its month.
    """

    editions: list[Edition] = []
    masked: list[str] = []
    coarse: list[str] = []

    @property
    def whole(self) -> set[str]:
        """Ids of the entities that an edition has hidden whole."""
        return set(self.masked).difference(self.coarse)

    def with_release(self, masked: Collection[str], coarse: Collection[str] = ()) -> Editions:
        """Return the ledger with what another release masked, and wrote `coarse`."""
        every = {*self.masked, *masked}
        whole = self.whole | set(masked).difference(coarse)
        return Editions(self.editions, sorted(every), sorted(every - whole))

    def restricted_to(self, entities: Collection[str]) -> Editions:
        """Return the ledger without the entities that are not `entities`."""
        both = ([one for one in ids if one in entities] for ids in (self.masked, self.coarse))
        return Editions(self.editions, *both)


class ShownBefore(msgspec.Struct):
    """What earlier editions showed and the last one does not, as rows: an entity in a document.

    `document[i]`, `entity[i]` are places in `documents`, `entities`; `relevance[i]` in [0, 1].
    Beside the ids of the entities stand their types, and how unique they were, in [0, 1].
    """

    documents: list[str] = []
    entities: list[str] = []
    types: list[str] = []
    uniqueness: list[float] = []
    document: list[int] = []
    entity: list[int] = []
    relevance: list[float] = []

    def union(self, other: ShownBefore) -> ShownBefore:
        """Return the rows of both."""
        return ShownBefore(
            self.documents + other.documents,
            self.entities + other.entities,
            self.types + other.types,
            self.uniqueness + other.uniqueness,
            self.document + [len(self.documents) + n for n in other.document],
            self.entity + [len(self.entities) + n for n in other.entity],
            self.relevance + other.relevance,
        )

    def without(self, documents: Collection[str], entities: Collection[str]) -> ShownBefore:
        """Return the rows of other documents, and of entities that are `entities`."""
        rows = [
            (d, e, self.relevance[n])
            for n, (d, e) in enumerate(zip(self.document, self.entity, strict=True))
            if self.documents[d] not in documents and self.entities[e] in entities
        ]
        left = {d: n for n, d in enumerate(sorted({d for d, _, _ in rows}))}
        held = {e: n for n, e in enumerate(sorted({e for _, e, _ in rows}))}
        return ShownBefore(
            [self.documents[d] for d in left],
            [self.entities[e] for e in held],
            [self.types[e] for e in held],
            [self.uniqueness[e] for e in held],
            [left[d] for d, _, _ in rows],
            [held[e] for _, e, _ in rows],
            [relevance for *_, relevance in rows],
        )


def shown_of(run: Run) -> ShownBefore:
    """Return what earlier editions of a run showed beside the last one.

    Raises:
        RunError: it is missing or damaged.
    """
    return _read(run, SHOWN, ShownBefore) or ShownBefore()


def keep_shown(run: Run, shown: ShownBefore) -> None:
    """Write it into the run."""
    run.write_json(SHOWN, shown)


def ledger_of(run: Run) -> Editions:
    """Return the ledger of a run; it is empty before the first update.

    Raises:
        RunError: it is missing or damaged, or lacks an edition.
    """
    ledger: Editions = _read(run, LEDGER, Editions) or Editions()
    if len(ledger.editions) < run.about.get(EDITIONS, 0):
        raise damaged(run.path / LEDGER)  # or else what earlier editions hid would be shown
    return ledger


def note_editions(run: Run, ledger: Editions, shown: ShownBefore) -> None:
    """Write what the next edition must know of all before it, and how many these are."""
    keep_ledger(run, ledger)
    keep_shown(run, shown)
    run.note(**{EDITIONS: len(ledger.editions)})


def keep_ledger(run: Run, ledger: Editions) -> None:
    """Write the ledger into the run."""
    run.write_json(LEDGER, ledger)


def counts_of(run: Run) -> Counts | None:
    """Return the counts that a run pins, if it does."""
    counts: Counts | None = _read(run, COUNTS, Counts)
    return counts


def pinned_by(run: Run) -> Counts | None:
    """Return the counts that the next edition pins: the pinned ones, or else those of this run.

    None where the run was not scored.
    """
    if (counts := counts_of(run)) is not None:
        return counts
    if (scored := run.scored()) is None:
        return None
    held = scored[0]
    numbers = dict(zip(held.entities, held.frequency.tolist(), strict=True))
    return Counts(held.n_documents, numbers)


def keep_pins(run: Run, pins: Counts) -> None:
    """Write the counts by which the scores are to be computed."""
    run.write_json(COUNTS, pins)


def drop_pins(run: Run) -> None:
    """Remove pinned counts, also those of a killed update, so that scores use today's counts."""
    run.find(COUNTS).unlink(missing_ok=True)


def keep_counts(run: Run, pins: Counts, entities: Sequence[str], frequency: Sequence[int]) -> None:
    """Write the counts of these entities: as pinned, or as counted now where they are new.

    Entities that the corpus no longer holds are left out, because an id is a hash of a value.
    """
    now = zip(entities, frequency, strict=True)
    held = {entity: pins.entities.get(entity, count) for entity, count in now}
    run.write_json(COUNTS, Counts(pins.documents, held))


def forget_entities(run: Run, entities: Collection[str], documents: Collection[str]) -> None:
    """Write the ledger again with the entities only that the corpus still holds.

    Of some documents nothing is left of what was shown in them.
    """
    names = frozenset(entities)
    if run.find(SHOWN).exists():
        keep_shown(run, shown_of(run).without(documents, names))
    if run.find(LEDGER).exists():
        keep_ledger(run, ledger_of(run).restricted_to(names))


def first_edition(run: Run, released: Mapping[str, Any]) -> Edition:
    """Return the edition that `mask` or `apply` released."""
    documents = len(released.get("originals", ()))
    return Edition(1, run.about["times"]["started"], documents, masked=len(released["masked"]))


def keep_stamps(run: Run, stamps: Iterable[int]) -> None:
    """Write which files, by their stamps (`corpus.files.stamp`), the next update need not read."""
    run.write(FILE_STAMPS, [array("q", sorted(stamps)).tobytes()])


def stamps_of(run: Run) -> frozenset[int]:
    """Return these stamps; none if they are missing or damaged."""
    try:
        return frozenset(array("q", run.find(FILE_STAMPS).read_bytes()))
    except (OSError, ValueError):
        return frozenset()


def now() -> str:
    """Return the time, in seconds, as the run notes it."""
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())


def _read(run: Run, name: str, kind: Any) -> Any:
    if not run.find(name).exists():
        if name != COUNTS and run.about.get(EDITIONS):
            raise damaged(run.path / name)
        return None
    return run.read_json(name, kind)
