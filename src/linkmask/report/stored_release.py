"""Writes what a run released into its folder, and reads it back: `released.json` (docs/files.md).

It holds ids, digests and offsets, and no value.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

import msgspec

from linkmask.config import Settings
from linkmask.records import Incidence, Plan
from linkmask.records.ids import texts_at
from linkmask.report.plan_digest import plan_digest
from linkmask.report.stored_plan import plan_of, without_unknown
from linkmask.runs import Run
from linkmask.runs.file_names import RELEASED


@dataclass(slots=True)
class ReleaseRecord:
    """What was released: by file, by document, and by entity.

    Digests are of records: of all fields of a document. A file is named as OUT names it.
    """

    documents: dict[str, list[str]] = field(default_factory=dict)
    """File → ids of its released documents, in order."""
    records: dict[str, list[str]] = field(default_factory=dict)
    """File → digests of its masked documents, in the order of `documents`."""
    masks: dict[str, msgspec.Raw] = field(default_factory=dict)
    """Document → (field, start, end, text, type) of each mask in the masked texts, as JSON, because
    a corpus has millions of them; nothing where all are placeholders of types. `text` is "" where a
    mask is read in its own place alone."""
    excluded: set[str] = field(default_factory=set)
    """The fields that settings excluded, as the settings spell them."""
    originals: dict[str, str] = field(default_factory=dict)
    """Document → digest of its original."""
    inputs: Mapping[str, str] = field(default_factory=dict)
    """Input file of which every document was released → digest of its bytes; for an update."""
    outputs: Mapping[str, str] = field(default_factory=dict)
    """File → digest of its bytes as written; for an update."""
    swept: dict[str, list[str]] = field(default_factory=dict)
    """Document → entities that are masked there without being detected, where masks differ by
    document."""
    amounts: dict[str, tuple[int, int, bool]] = field(default_factory=dict)
    """Document → masked spans, masked characters, whether a mask touches a letter or digit."""
    above_share: dict[str, float] = field(default_factory=dict)
    """Document that exceeds the setting `readable_share` → the share of its words that can be read;
    one without a mask, in which nothing was found, is left out."""
    drawn: Mapping[str, tuple[str, int]] = field(default_factory=dict)
    """Entity whose mask varies → its language, and the try at which its surrogate was drawn, −1 for
    none."""
    coarse: Container[str] = frozenset()
    """Ids of the entities that a rule of generalization wrote in a coarser form."""

    def count_named(self, files: Iterable[str], ids: Container[str]) -> int:
        """Count the documents in these files or with these ids, each once."""
        return count_named(self.documents, files, ids)

    def facts_of(self, entity: str) -> dict[str, Any]:
        """Return how an entity's mask was made, as members of its row.

        `coarse` if it was written coarser; what it was drawn by, if anything.
        """
        found = self.drawn.get(entity)
        facts = {} if found is None else dict(zip(("language", "attempt"), found, strict=True))
        return {**({"coarse": True} if entity in self.coarse else {}), **facts}


def count_named(
    documents: Mapping[str, Iterable[str]], files: Iterable[str], ids: Container[str]
) -> int:
    """Count the documents, by file, in these files or with these ids, each once.

    What an archive holds has the id that its name there gives, which is masked: it does not count.
    """
    named = set(files)
    return sum(
        file in named or (id_ in ids and not file.lower().endswith(".zip"))
        for file, held in documents.items()
        for id_ in held
    )


COLUMNS = (
    "documents", "records", "masks", "swept", "originals", "inputs", "outputs", "amounts",
    "above_share",
)  # fmt: skip
"""Members of `ReleaseRecord` that are kept."""


def store_released(
    run: Run,
    incidence: Incidence,
    plan: Plan,
    settings: Settings,
    released: ReleaseRecord,
) -> None:
    """Write down what was released, and the masked set and settings it was by.

    Planning again changes plan.json, so OUT is checked against this file. The record and vault of
    an earlier plan's release are kept beside it, because its OUT may still have to be checked or
    restored.
    """
    masked = [
        {"entity": entity, "stage": stage, **released.facts_of(entity)}
        if entity in released.coarse or entity in released.drawn
        else {"entity": entity, "stage": stage}
        for entity, stage in zip(texts_at(incidence.entities, plan.masked), plan.stage, strict=True)
    ]
    given = msgspec.to_builtins(settings)
    columns = {name: getattr(released, name) for name in COLUMNS}
    digest = plan_digest(incidence, plan, settings)
    if (run.path / RELEASED).exists():
        last = run.read_json(RELEASED)
        if (before := last.get("plan", digest)) != digest:
            run.write_json(_released_by(before), last)
            run.keep_vault(before)
    run.write_json(RELEASED, {**columns, "masked": masked, "settings": given, "plan": digest})


def valid_plan(run: Run) -> Mapping[str, Any]:
    """Return the plan by which a run released last, or the one that it holds.

    Raises:
        RunError: it holds none.
    """
    return run.read_json(RELEASED) if (run.path / RELEASED).exists() else plan_of(run)


def _released_by(digest: str) -> str:
    return f"released-{digest}.json"


def released_by(run: Run, digest: str) -> Mapping[str, Any]:
    """Read what was released by the plan of this digest, or by the last one that released.

    Raises:
        RunError: the run has released nothing.
    """
    earlier = {path.name for path in run.path.glob(_released_by("*"))}
    table: dict[str, Any]
    table = run.read_json(name if (name := _released_by(digest)) in earlier else RELEASED)
    return table


def last_release(run: Run) -> Mapping[str, Any]:
    """Read what a run released last, for its next edition; the masks of each document undecoded.

    Raises:
        RunError: the file is missing or damaged.
    """
    parts = run.read_json(RELEASED, dict[str, msgspec.Raw])
    raw = dict[str, msgspec.Raw]
    return {
        name: msgspec.json.decode(part, type=raw if name == "masks" else Any)
        for name, part in parts.items()
    }


def forget_released(
    run: Run,
    incidence: Incidence,
    documents: Container[str],
    forgotten: Callable[[Mapping[str, Any]], Mapping[str, Any]],
) -> None:
    """Write the record of the release again, without entities that the corpus no longer holds.

    `forgotten` returns its settings without them.

    The digests of the originals of forgotten documents are removed, too.
    """
    for path in run.path.glob("released*.json"):
        table = without_unknown(run.read_json(path.name), incidence)
        digests = table.get("originals", {}).items()
        kept = {name: digest for name, digest in digests if name not in documents}
        held = table.get("documents", {}).items()
        whole = {file for file, names in held if not any(name in documents for name in names)}
        inputs = {f: d for f, d in table.get("inputs", {}).items() if f in whole}
        entities = set(incidence.entities)
        swept = {
            name: [one for one in own if one in entities]
            for name, own in table.get("swept", {}).items()
            if name not in documents
        }
        left_over = {
            "originals": kept,
            "inputs": inputs,
            "swept": swept,
            "settings": forgotten(table["settings"]),
        }
        run.write_json(path.name, {**table, **left_over})


def digests_of(run: Run, documents: Container[str]) -> set[str]:
    """Return the digests of the originals of some documents, as any release of a run kept them."""
    tables = (run.read_json(path.name) for path in run.path.glob("released*.json"))
    kept = (table.get("originals", {}).items() for table in tables)
    return {digest for rows in kept for name, digest in rows if name in documents}


def coarse_ids(released: Mapping[str, Any]) -> list[str]:
    """Return the ids of the entities that a release wrote coarser by rule."""
    return [row["entity"] for row in released["masked"] if row.get("coarse")]
