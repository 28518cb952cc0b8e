"""Checks drafts beyond the validator: marks in the text, stock names, repetitions.

Complaints hold no value of a cluster, as those of `validate`: they go into a prompt and a log.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache
from typing import Any

from linkmask import schema
from linkmask.testbench.authoring.briefs import TYPES, Brief
from linkmask.testbench.type_tables import TABLES
from linkmask.testbench.validate import STRICT, ClusterDraft, complaints

STOCK = re.compile(
    r"\b(j(ane|ohn) (doe|smith)|jean dupont|marie dupont|springfield|anytown|metropolis|123 main"
    r"|555-1234|123-45-6789|john q|acme)\b",
    re.IGNORECASE,
)
"""Values that models fall back on."""

TAG = re.compile(
    rf"[\[{{<(]\s*(?:{'|'.join(TYPES)})\b|\b(?:{'|'.join(t for t in TYPES if '_' in t)})\b"
)
"""A type's name where a text shows it: in brackets, or one with an underscore anywhere."""

OWN = frozenset(TABLES["authoring"]["own"])
"""Types of which no two persons share a value."""

SHINGLE, SHARED = 6, 0.3
"""Words in a run, and the share of a document's runs above which it repeats an earlier one."""

AFTER = {
    "draft": ("words", "documents-number", "cluster-id"),
    "entities": ("types-by-risk", "words", "verbatim", "documents-number", "cluster-id", "profile"),
    "questions": tuple(STRICT),
}
"""Strict checks that a cluster has to pass after each stage; the later stages mend the others."""


@cache
def _schema() -> schema.Schema:
    return schema.load("insurance")


def wrong(
    record: dict[str, Any],
    brief: Brief,
    stage: str,
    earlier: Sequence[dict[str, Any]],
    strict: bool,
) -> list[str]:
    """Return what is wrong with a cluster after a stage; empty where nothing is.

    Args:
        stage: a key of `AFTER`.
        earlier: the clusters that it must not repeat.
        strict: False makes the published validator's checks alone, and that of the ids.
    """
    draft = ClusterDraft(record, _schema(), brief.stem)
    # Ids become names of files, so theirs is checked always.
    if found := list(complaints(draft, strict=AFTER[stage] if strict else ("cluster-id",))):
        return found
    if not strict:
        return []
    return [*_marks(record), *_ordered(record, brief), *_repeats(record, earlier)]


def _marks(record: dict[str, Any]) -> Iterator[str]:
    """Find marks of types and stock values in the texts."""
    labels = [
        re.compile(rf"\b{kind} {re.escape(value)}(?!\w)")
        for value, kind in record["metadata"]["person"]["entities"]
    ]
    for document in record["documents"]:
        text = document["content"]
        if TAG.search(text) or any(label.search(text) for label in labels):
            yield f"tags: {document['id']} marks a value with its type"
        if STOCK.search(text):
            yield f"stock: {document['id']} holds a stock name, town or number"


def _ordered(record: dict[str, Any], brief: Brief) -> Iterator[str]:
    """Compare with what was asked for."""
    if len(record["documents"]) != brief.documents:
        yield f"order: there must be {brief.documents} documents"
    formats = sorted(document["metadata"]["format"] for document in record["documents"])
    if formats != sorted(brief.formats):
        yield f"order: the formats must be {', '.join(brief.formats)}, one each"


def _repeats(record: dict[str, Any], earlier: Sequence[dict[str, Any]]) -> Iterator[str]:
    """Find what an earlier cluster has: a person's own values, a question, a text."""
    entities = [c["metadata"]["person"]["entities"] for c in earlier]
    taken = {value.casefold() for of in entities for value, kind in of if kind in OWN}
    for number, (value, kind) in enumerate(record["metadata"]["person"]["entities"], 1):
        if kind in OWN and value.casefold() in taken:
            yield f"repeats: entity {number} is an earlier person's"
    asked = {q["q"].casefold() for c in earlier for q in c["metadata"]["questions"]}
    for number, question in enumerate(record["metadata"]["questions"], 1):
        if question["q"].casefold() in asked:
            yield f"repeats: question {number} was asked in an earlier cluster"
    runs = {run for c in earlier for d in c["documents"] for run in _runs(d["content"])}
    for document in record["documents"]:
        own = _runs(document["content"])
        if own and len(own & runs) > SHARED * len(own):
            yield f"repeats: {document['id']} tells what an earlier document told"


@cache
def _runs(text: str) -> frozenset[tuple[str, ...]]:
    words = re.findall(r"\w+", text.casefold())
    return frozenset(tuple(words[i : i + SHINGLE]) for i in range(len(words) - SHINGLE + 1))
