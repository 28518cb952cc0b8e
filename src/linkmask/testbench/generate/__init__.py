"""Generates corpora of any size from our own grammars and vocabularies, with exact truth.

A cluster hides one person in some of its documents; others (a circular, an audit) are about
nobody and carry the general questions. What is written is read back by `datasets`, and with the
default controls it passes the strict checks. A group of clusters shares its topic (condition,
treatment, town, provider) where decoys are asked for, and lends its persons to each other's
documents where documents are to hold several.

Every group depends on the seed and its number alone: written one after another, nothing is held.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from linkmask.testbench.generate.cluster_texts import cluster
from linkmask.testbench.generate.files import Files, Truth, prepare
from linkmask.testbench.generate.links import Mentioned, Pair, holders, links
from linkmask.testbench.generate.people import TOPIC, WritingPlan, person
from linkmask.testbench.synthetic_values import unrelated_value

__all__ = ["Generated", "WritingPlan", "groups", "write"]


@dataclass
class Generated:
    """What was written, counted."""

    documents: int = 0
    persons: int = 0
    mentions: int = 0
    links: int = 0

    def add(self, documents: list[Mentioned], links: list[Pair]) -> None:
        """Count a cluster."""
        self.documents += len(documents)
        self.persons += 1
        self.mentions += sum(len(mentions) for _, _, mentions in documents)
        self.links += len(links)


def write(out: Path, plan: WritingPlan, *, overwrite: bool = False) -> Generated:
    """Write a corpus: files/ and documents/ (or two .jsonl), mentions.jsonl, golden.json.

    Raises:
        OutputError: the folder is not empty and was not written here, or `overwrite` is not given.
    """
    prepare(out, overwrite=overwrite)
    written = Generated()
    with Files(out, plan.jsonl) as files, Truth(out) as truth:
        for clusters in groups(plan):
            for number, (record, links) in clusters.items():
                documents = _mentioned(record, keep=False)
                truth.put(number, documents, links)
                files.put(number, record)
                written.add(documents, links)
    return written


Group = dict[int, tuple[dict[str, Any], list[Pair]]]
"""Number of a cluster → its record, and its links.

Until it is written each of its documents has its `mentions`.
"""


def groups(plan: WritingPlan) -> Iterator[Group]:
    """Yield the clusters of a plan, group by group: number → record, links with its documents."""
    size = max(1 + plan.decoys, plan.persons)
    made = number = 0
    while made < plan.documents:
        clusters = _group(plan, number, size)
        made += sum(len(record["documents"]) for record, _ in clusters.values())
        number += size
        yield clusters


def _group(plan: WritingPlan, first: int, size: int) -> Group:
    rng = random.Random(f"{plan.seed}/{first}/{plan.language}")
    language = rng.choice(("en", "fr")) if plan.language == "both" else plan.language
    topic = {kind: unrelated_value(kind, rng, language) for kind in TOPIC}
    people = {
        first + i: person(plan, random.Random(f"{plan.seed}/{first + i}"), language, topic)
        for i in range(size)
    }
    records = {}
    for number, who in people.items():
        others = [(n, people[n]) for n in people if n != number][: plan.persons - 1]
        draw = random.Random(f"{plan.seed}/{number}/text")
        records[number] = cluster(draw, number, who, others)
    held = holders(of for record in records.values() for of in _mentioned(record))
    return {number: (record, links(number, held)) for number, record in records.items()}


def _mentioned(record: dict[str, Any], keep: bool = True) -> list[Mentioned]:
    """Return a cluster's documents with where values stand, which is no part of its files."""
    return [
        (d["id"], d["content"], d["mentions"] if keep else d.pop("mentions"))
        for d in record["documents"]
    ]
