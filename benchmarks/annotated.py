"""Reads the annotated sets: texts, and what is marked in them."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from hashlib import md5
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
DATA = HERE.parents[1] / "shared" / "data"
TEXTS = HERE.parent / "training" / "texts"
SETS = {
    "tab": "tab/tab_dev",
    "spia": "spia/spia_dev",
    "eds_pseudo": "eds_pseudo/eds_pseudo",
    "presidio_synth": "presidio_research/presidio_synth_v2",
    "presidio_large": "presidio_research/presidio_generated_large",
    "maccrobat": "maccrobat/maccrobat_dev",
    "bc5cdr_train": "bc5cdr/bc5cdr_train",
    "bc5cdr_devel": "bc5cdr/bc5cdr_devel",
    "ncbi": "ncbi/ncbi_train",
    "wikigold": "wikigold/wikigold",
    "europeana_fr": "europeana_fr/europeana_fr",
    "europeana_de": "europeana_de/europeana_de",
    "germeval": "germeval/germeval_dev",
    "emailcoref": "emailcoref/emailcoref_train",
    "synthea": "synthea/synthea_dev",
    "wiki_bios": "wiki_bios/wiki_bios_dev",
}
"""Name → file under the data folder, without its ending."""


OTHERS = {"O", "N"}
"""Owners of marks in our own texts who are not the person."""

Span = tuple[int, int, str]
"""Start, end, type of a find."""


@dataclass(frozen=True)
class Marked:
    """A mention that is marked: its type ("" where it is of no certain type), or to be ignored."""

    start: int
    end: int
    label: str
    type: str
    ignore: bool = False
    identifier: str = ""
    entity: str = ""


@dataclass(frozen=True)
class Truth:
    """A text and what is marked in it."""

    id: str
    text: str
    marked: tuple[Marked, ...]


def read(name: str, sample: int = 0) -> list[Truth]:
    """Read a set; with `sample`, the documents whose ids' digests are the smallest."""
    if name == "own" or name.endswith(".txt"):
        truths = own([Path(name)] if name != "own" else sorted(TEXTS.glob("*.txt")))
    else:
        path, labels = place(name), labels_of(name)
        with path.open(encoding="utf-8") as lines:
            truths = [truth(json.loads(line), labels) for line in lines]
    if sample and len(truths) > sample:
        ranked = sorted(truths, key=lambda one: md5(one.id.encode()).hexdigest())
        keep = {one.id for one in ranked[:sample]}
        truths = [one for one in truths if one.id in keep]
    return truths


def place(name: str) -> Path:
    """Return the file of a set: its own name, if that ends in ".jsonl"."""
    return Path(name) if name.endswith(".jsonl") else DATA / f"{SETS[name]}.jsonl"


def labels_of(name: str) -> dict[str, Any]:
    """Return what a set's labels mean, from the `labels.json` beside its file; ours are types."""
    if name == "own" or name.endswith(".txt"):
        return {}
    return json.loads((place(name).parent / "labels.json").read_text("utf-8"))  # type: ignore[no-any-return]


def own(paths: Iterable[Path]) -> list[Truth]:
    """Read texts of the form of `training/texts`."""
    sys.path.insert(0, str(HERE.parent))
    from training import texts

    return [
        Truth(
            one.id,
            one.text,
            tuple(Marked(m.start, m.end, m.type, m.type, identifier=m.whose) for m in one.marks),
        )
        for path in paths
        for one in texts.read(path)
    ]


def truth(record: Mapping[str, Any], labels: Mapping[str, Any]) -> Truth:
    """Read one record, its labels as `labels.json` maps them, parts of one value joined."""
    marked: list[Marked] = []
    for span in record["spans"]:
        key = f"{span['label']}|{span.get('status')}"
        to = labels[key] if key in labels else labels[span["label"]]
        identifier = span.get("identifier") or ""
        ignore = to == "IGNORE" or identifier == "NO_MASK"
        entity = str(span.get("entity_id") or f"{span['start']}-{span['end']}")
        kind = "" if ignore or not to else to
        marked.append(
            Marked(span["start"], span["end"], span["label"], kind, ignore, identifier, entity)
        )
    return Truth(record["id"], record["text"], tuple(marked))


def joined(one: Truth, merge: Iterable[str]) -> list[Span]:
    """Return the typed mentions, neighbours of the types in `merge` joined to one."""
    spans: list[Span] = []
    for m in sorted(one.marked, key=lambda m: (m.start, m.end)):
        if not m.type:
            continue
        if spans and m.type in merge and spans[-1][2] == m.type:
            gap = one.text[spans[-1][1] : m.start]
            if m.start >= spans[-1][1] and len(gap) < 4 and not gap.strip(" ,\n"):
                spans[-1] = (spans[-1][0], m.end, m.type)
                continue
        spans.append((m.start, m.end, m.type))
    return spans
