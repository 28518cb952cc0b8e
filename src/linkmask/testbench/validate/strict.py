"""Checks what the method requires and the published validator leaves open."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from linkmask.testbench.type_tables import TABLES
from linkmask.testbench.validate.draft import Check, ClusterDraft

DOCUMENTS = range(4, 7)
WORDS = range(40, 121)
"""Documents per cluster, words per document (formulas.md §13.1)."""

HIGH_VULNERABILITY = frozenset(TABLES["validate"]["high_vulnerability"])
"""Types of high vulnerability (formulas.md §13.3)."""

FORBIDDEN: Mapping[str, Sequence[str]] = TABLES["validate"]["forbidden"]
"""Types that a person of this risk does not show (formulas.md §13.3), national ids like names."""


@dataclass(frozen=True, slots=True)
class Profile:
    """Bounds of a risk level, both ends in: entities, high-vulnerability ones, shared share."""

    entities: tuple[int, int]
    vulnerable: tuple[int, int]
    overlap: tuple[float, float]


PROFILES: Mapping[str, Profile] = {
    "HIGH": Profile((7, 99), (3, 99), (0.7, 0.9)),
    "MEDIUM": Profile((4, 6), (0, 2), (0.4, 0.6)),
    "LOW": Profile((1, 4), (0, 0), (0.0, 0.3)),
}
"""What makes a cluster HIGH, MEDIUM or LOW (formulas.md §13.3); `overlap` is the share of the
person's entities that stand in two or more documents."""


def _combinations(draft: ClusterDraft) -> Iterator[str]:
    if len({(q["type"], len(q["sources"]) > 1) for q in draft.questions}) < 4:
        yield "each of specific and general must be asked once of one and once of several documents"


def _types_by_risk(draft: ClusterDraft) -> Iterator[str]:
    risk = draft.risk
    for number, (_, name) in enumerate(draft.entities, 1):
        if draft.schema.type_of(name) in FORBIDDEN[risk]:
            yield f"entity {number} has a type that a {risk} person does not show"


def _sources_exist(draft: ClusterDraft) -> Iterator[str]:
    known = {d["id"] for d in draft.documents}
    for number, question in enumerate(draft.questions, 1):
        if not known.issuperset(question["sources"]):
            yield f"question {number} names a document that is not in the cluster"
        elif len(set(question["sources"])) < len(question["sources"]):
            yield f"question {number} names a document twice"


def _verbatim(draft: ClusterDraft) -> Iterator[str]:
    for number, occurrences in enumerate(_occurrences(draft), 1):
        if not occurrences:
            yield f"entity {number} stands in no document as it is written"


def _words(draft: ClusterDraft) -> Iterator[str]:
    for document in draft.documents:
        words = len(document["content"].split())
        if words not in WORDS:
            yield f"{document['id']} has {words} words, not {WORDS[0]} to {WORDS[-1]}"


def _count(draft: ClusterDraft) -> Iterator[str]:
    if len(draft.documents) not in DOCUMENTS:
        yield f"there must be {DOCUMENTS[0]} to {DOCUMENTS[-1]} documents"


def _cluster_id(draft: ClusterDraft) -> Iterator[str]:
    name = draft.metadata["cluster_id"]
    number = re.fullmatch(r"cluster_(\d{1,9})", name if isinstance(name, str) else "")
    of_file = re.fullmatch(r"cluster_(\d{1,9})", draft.stem)
    if number is None or of_file is None or int(number[1]) != int(of_file[1]):
        yield "cluster_id must be cluster_N, with the number of the file's name"
        return
    for position, document in enumerate(draft.documents, 1):
        if not re.fullmatch(rf"{name}_doc\d{{1,9}}", document["id"]):
            yield f"the id of document {position} must be {name}_docN"


def _profile(draft: ClusterDraft) -> Iterator[str]:
    risk = draft.risk
    profile = PROFILES[risk]
    entities = draft.entities
    types = Counter(draft.schema.type_of(name) for _, name in entities)
    vulnerable = sum(n for name, n in types.items() if name in HIGH_VULNERABILITY)
    shared = sum(n > 1 for n in _occurrences(draft, re.IGNORECASE)) / max(1, len(entities))
    for what, value, (least, most) in (
        ("entities", len(entities), profile.entities),
        ("entities of high vulnerability", vulnerable, profile.vulnerable),
        ("as the share of entities in several documents", round(shared, 3), profile.overlap),
    ):
        if not least <= value <= most:
            yield f"{risk} allows {least} to {most} {what}, here {value}"


STRICT: Mapping[str, Check] = {
    "combinations": _combinations,
    "types-by-risk": _types_by_risk,
    "sources-exist": _sources_exist,
    "verbatim": _verbatim,
    "words": _words,
    "documents-number": _count,
    "cluster-id": _cluster_id,
    "profile": _profile,
}
"""What the published validator leaves open although the method asks for it (formulas.md §13.6)."""


def _occurrences(draft: ClusterDraft, flags: int = 0) -> list[int]:
    """Count, for each of the person's entities, the documents that hold it as a whole word."""
    texts = [document["content"] for document in draft.documents]
    patterns = [rf"(?<!\w){re.escape(value)}(?!\w)" for value, _ in draft.entities]
    return [sum(bool(re.search(p, text, flags)) for text in texts) for p in patterns]
