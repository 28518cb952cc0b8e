"""Reads benchmark clusters: documents around one hidden person, with questions (formulas.md §13).

A benchmark is a folder with `files/cluster_NN.json`, one whole cluster each, and
`documents/NN_<id>.json`, the single documents a pipeline reads. A cluster file says who the hidden
person is by listing the values that would give them away, and asks four questions that an honest
user may still ask after masking. `golden.json`, where there is one, names the documents that
linkage could join.

Every file is checked on reading. `strict` is for clusters written today; without it only the
published validator's checks (formulas.md §13.6) are made, which published data passes, quirks and
all.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, cast

from linkmask import schema as schemas
from linkmask.errors import InputError
from linkmask.records import Document, Level, Origin
from linkmask.schema import Schema
from linkmask.testbench.validate import ClusterDraft, complaints

Kind = Literal["specific", "general"]


@dataclass(frozen=True, slots=True)
class HiddenPerson:
    """The hidden person of a cluster: (value, type) of everything that would give them away."""

    entities: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class CorpusQuestion:
    """A question, its reference answer, and the ids of the documents that answer it.

    `type`: specific asks about the person, general about anything else.
    """

    q: str
    a: str
    sources: tuple[str, ...]
    type: Kind

    @property
    def multi(self) -> bool:
        """True when it takes more than one document to answer."""
        return len(self.sources) > 1


@dataclass(frozen=True, slots=True)
class PersonCluster:
    """One person seen from several sides, and what may be asked about it."""

    id: str
    risk: Level
    summary: str
    documents: tuple[Document, ...]
    person: HiddenPerson
    questions: tuple[CorpusQuestion, ...]


def read_clusters(
    folder: Path, *, strict: bool = True, schema: Schema | None = None
) -> tuple[PersonCluster, ...]:
    """Read all clusters of a benchmark folder, in the order of their file names.

    Args:
        folder: holds `files/cluster_*.json`, or the cluster files themselves.
        strict: make the checks of `validate.STRICT` too.
        schema: entity types a person may have, and aliases for old ones; default `insurance`.

    Where the folder has the single documents as well, their texts are the ones returned without
    `strict` (they are what a pipeline masks); with `strict` both must be equal.

    Raises:
        InputError: there is no cluster, or one fails a check; names file, cluster and check.
    """
    files = folder / "files" if (folder / "files").is_dir() else folder
    paths = sorted(files.glob("cluster_*.json"))
    if not paths:
        raise InputError(
            f"{files} holds no cluster_*.json: give a corpus as linkmask generate writes it"
        )
    singles = folder / "documents"
    return tuple(
        read_cluster(
            path, strict=strict, schema=schema, singles=singles if singles.is_dir() else None
        )
        for path in paths
    )


def read_cluster(
    path: Path,
    *,
    strict: bool = True,
    schema: Schema | None = None,
    singles: Path | None = None,
) -> PersonCluster:
    """Read and check one cluster file; `singles` is the folder of its single documents, if any.

    Raises:
        InputError: the file can't be read or fails a check; names file, cluster and check.
    """
    schema = schema or schemas.load("insurance")
    raw = _load(path)
    for complaint in complaints(ClusterDraft(raw, schema, path.stem), strict=strict):
        raise InputError(f"{path.name}: {_name_of(raw)}: {complaint}")
    documents = tuple(_document(path, raw, d, singles, strict) for d in raw["documents"])
    meta = raw["metadata"]
    return PersonCluster(
        id=str(meta["cluster_id"]),
        risk=cast(Level, meta["cluster_risk"]),
        summary=str(meta["content_summary"]),
        documents=documents,
        person=HiddenPerson(
            tuple((value, str(schema.type_of(name))) for value, name in meta["person"]["entities"])
        ),
        questions=tuple(
            CorpusQuestion(q["q"], q["a"], tuple(q["sources"]), q["type"])
            for q in meta["questions"]
        ),
    )


LEFT_OUT = ("unknown document", "given before", "fewer than two")
"""Why a golden entry can't be used: published lists have some of each."""


def read_golden(
    folder: Path, known: Collection[str]
) -> tuple[tuple[tuple[str, ...], ...], dict[str, int]]:
    """Read the golden links of `folder/golden.json`, and how many entries were left out, by reason.

    Links are sorted, distinct groups of two document ids or more, all of them among those `known`.

    Raises:
        InputError: there is no such file, or it holds no links.
    """
    path = folder / "golden.json"
    raw = _load(path)
    links = raw.get("golden_links", raw.get("links"))
    if isinstance(links, Mapping):
        links = [link for of_cluster in links.values() for link in of_cluster]
    if not isinstance(links, list):
        raise InputError(f"{path.name}: neither 'golden_links' nor 'links' lists documents")
    ids = frozenset(known)
    kept: set[tuple[str, ...]] = set()
    skipped = dict.fromkeys(LEFT_OUT, 0)
    for entry in (tuple(sorted(set(link))) for link in links):
        if len(entry) < 2:
            skipped["fewer than two"] += 1
        elif not ids.issuperset(entry):
            skipped["unknown document"] += 1
        elif entry in kept:
            skipped["given before"] += 1
        else:
            kept.add(entry)
    return tuple(sorted(kept)), skipped


def read_links(folder: Path, clusters: Sequence[PersonCluster]) -> tuple[tuple[str, ...], ...]:
    """Read the golden links between documents of clusters; see `read_golden`."""
    return read_golden(folder, {d.id for cluster in clusters for d in cluster.documents})[0]


def _load(path: Path) -> dict[str, Any]:
    try:
        raw = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise InputError(f"{path.name}: can't be read as JSON ({type(error).__name__})") from None
    if not isinstance(raw, dict):
        raise InputError(f"{path.name}: a JSON object is expected")
    return raw


def _name_of(raw: Mapping[str, Any]) -> str:
    """Return the cluster's id for a message, whatever state the cluster is in."""
    meta = raw.get("metadata")
    name = meta.get("cluster_id") if isinstance(meta, dict) else None
    return name if isinstance(name, str) and len(name) <= 40 else "cluster without id"


def _document(
    path: Path, raw: Mapping[str, Any], record: dict[str, Any], singles: Path | None, strict: bool
) -> Document:
    name = f"{path.stem.removeprefix('cluster_')}_{record['id']}.json"
    content = record["content"]
    if singles is not None:
        # An id may hold anything in published data: look the file up, never build a path of it.
        there = next((entry for entry in singles.iterdir() if entry.name == name), None)
        single = _load(there) if there else {}
        if strict and single != record:
            raise InputError(f"{path.name}: {_name_of(raw)}: single: documents/{name} differs")
        content = single.get("content", content)
    return Document(record["id"], str(content), record["metadata"], Origin(name), record)
