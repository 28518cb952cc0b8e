"""Is a cluster what a benchmark needs? Checks on its file, before anything is built from it.

Each check has a name and yields complaints; each may rely on those before it. No complaint holds
a value of the cluster: entities and questions are numbered from 1, documents named by their id.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from linkmask.schema import Schema

FORMATS = (
    "claim_form",
    "medical_record",
    "insurance_memo",
    "provider_report",
    "patient_survey",
    "research_note",
    "policy_document",
    "audit_report",
    "news_article",
)
"""What a document may be (SPEC §12.1)."""

METADATA = (
    "category",
    "cluster_id",
    "cluster_risk",
    "content_summary",
    "person",
    "questions",
)
"""What a cluster says about itself (SPEC §12.2)."""

DOCUMENTS = range(4, 7)
WORDS = range(40, 121)
ANSWER_WORDS = 15
"""Documents per cluster, words per document, most words of an answer (SPEC §12.1, §12.2)."""

ISSUED = frozenset({"NATIONAL_ID", "CREDIT_CARD", "IBAN"})
"""Types of ours, beyond the 17 of SPEC §3.1, that single a person out alone."""

HIGH_VULNERABILITY = ISSUED | {
    *("NAME", "PATIENT_ID", "ADDRESS", "PHONE_NUMBER", "EMAIL", "BIRTHDATE", "MEDICAL_CONDITION")
}
"""Critical and high types of SPEC §3.2; the names that replaced its DIRECT_PII are direct too."""

FORBIDDEN: Mapping[str, frozenset[str]] = {
    "HIGH": frozenset(),
    "MEDIUM": frozenset({"NAME", "NATIONAL_ID"}),
    "LOW": ISSUED | {"NAME", "EMAIL", "PHONE_NUMBER", "ADDRESS", "PATIENT_ID"},
}
"""Types a person of this risk level does not show (SPEC §12.3); a national id counts as a name."""


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
"""What makes a cluster HIGH, MEDIUM or LOW (SPEC §12.3); `overlap` is the share of the person's
entities that stand in two or more documents."""


@dataclass(frozen=True, slots=True)
class Draft:
    """A cluster as its file has it, nothing promised: the JSON, the schema, the file's stem."""

    raw: Mapping[str, Any]
    schema: Schema
    stem: str

    @property
    def documents(self) -> Any:
        """What stands under `documents`."""
        return self.raw["documents"]

    @property
    def metadata(self) -> Any:
        """What stands under `metadata`."""
        return self.raw["metadata"]

    @property
    def risk(self) -> Any:
        """The risk level."""
        return self.metadata["cluster_risk"]

    @property
    def questions(self) -> Any:
        """The questions."""
        return self.metadata["questions"]

    @property
    def entities(self) -> Any:
        """The person's entities."""
        return self.metadata["person"]["entities"]


Check = Callable[[Draft], Iterator[str]]


def complaints(draft: Draft, *, strict: bool = True) -> Iterator[str]:
    """Yield what is wrong with a cluster as "check: complaint"; stop after the first such check.

    Without `strict` only the published validator's checks are made.
    """
    for name, check in (*CHECKS.items(), *(STRICT.items() if strict else ())):
        found = [f"{name}: {complaint}" for complaint in check(draft)]
        yield from found
        if found:
            return


def _keys(draft: Draft) -> Iterator[str]:
    if set(draft.raw) != {"documents", "metadata"}:
        yield "the top level must be exactly documents and metadata"


def _documents(draft: Draft) -> Iterator[str]:
    documents = draft.documents
    if not isinstance(documents, list) or not documents:
        yield "documents must be a list of at least one"
        return
    for number, document in enumerate(documents, 1):
        if not isinstance(document, dict) or not {"id", "content", "metadata"} <= set(document):
            yield f"document {number} lacks id, content or metadata"
        elif not (isinstance(document["id"], str) and isinstance(document["content"], str)):
            yield f"document {number}: id and content must be texts"
        elif not isinstance(document["metadata"], dict):
            yield f"document {number}: metadata must be an object"


def _document_ids(draft: Draft) -> Iterator[str]:
    if len({d["id"] for d in draft.documents}) < len(draft.documents):
        yield "two documents have the same id"


def _formats(draft: Draft) -> Iterator[str]:
    for document in draft.documents:
        if document["metadata"].get("format") not in FORMATS:
            yield f"{document['id']}: format must be one of {', '.join(FORMATS)}"


def _metadata(draft: Draft) -> Iterator[str]:
    present = draft.metadata if isinstance(draft.metadata, dict) else {}
    if missing := [key for key in METADATA if key not in present]:
        yield f"metadata lacks {', '.join(missing)}"


def _category(draft: Draft) -> Iterator[str]:
    if draft.metadata["category"] != "cluster":
        yield "category must be 'cluster'"


def _risk(draft: Draft) -> Iterator[str]:
    if draft.risk not in ("HIGH", "MEDIUM", "LOW"):
        yield "cluster_risk must be HIGH, MEDIUM or LOW"


def _questions(draft: Draft) -> Iterator[str]:
    questions = draft.questions
    if not isinstance(questions, list) or len(questions) != 4:
        yield "there must be exactly 4 questions"
        return
    for number, question in enumerate(questions, 1):
        if not isinstance(question, dict) or not {"q", "a", "sources", "type"} <= set(question):
            yield f"question {number} lacks q, a, sources or type"
        elif not (isinstance(question["q"], str) and isinstance(question["a"], str)):
            yield f"question {number}: q and a must be texts"
        elif not _texts(question["sources"]):
            yield f"question {number}: sources must be a list of document ids"


def _question_types(draft: Draft) -> Iterator[str]:
    if {str(q["type"]) for q in draft.questions} != {"specific", "general"}:
        yield "questions must be specific or general, and both must occur"


def _question_sources(draft: Draft) -> Iterator[str]:
    counts = sorted(min(len(q["sources"]), 2) for q in draft.questions)
    if counts != [1, 1, 2, 2]:
        yield "two questions must have one source, and two must have several"


def _answers(draft: Draft) -> Iterator[str]:
    for number, question in enumerate(draft.questions, 1):
        if len(question["a"].split()) > ANSWER_WORDS:
            yield f"question {number}: the answer has more than {ANSWER_WORDS} words"


def _person(draft: Draft) -> Iterator[str]:
    person = draft.metadata["person"]
    if not isinstance(person, dict) or not isinstance(person.get("entities"), list):
        yield "person must be an object with a list 'entities'"
        return
    for number, entity in enumerate(person["entities"], 1):
        if not _texts(entity) or len(entity) != 2 or not entity[0].strip():
            yield f"entity {number} must be [value, type], two texts, the value not blank"


def _entity_types(draft: Draft) -> Iterator[str]:
    for number, (_, name) in enumerate(draft.entities, 1):
        if draft.schema.type_of(name) is None:
            yield f"entity {number} has a type that schema {draft.schema.name} does not know"


def _entity_repeats(draft: Draft) -> Iterator[str]:
    entities = draft.entities
    if len({tuple(entity) for entity in entities}) < len(entities):
        yield "an entity is listed twice"


CHECKS: Mapping[str, Check] = {
    "keys": _keys,
    "documents": _documents,
    "document-ids": _document_ids,
    "format": _formats,
    "metadata": _metadata,
    "category": _category,
    "risk": _risk,
    "questions": _questions,
    "question-type": _question_types,
    "question-sources": _question_sources,
    "answer": _answers,
    "person": _person,
    "entity-type": _entity_types,
    "entity-repeats": _entity_repeats,
}
"""The published validator, check by check (SPEC §12.6)."""


def _combinations(draft: Draft) -> Iterator[str]:
    if len({(q["type"], len(q["sources"]) > 1) for q in draft.questions}) < 4:
        yield "each of specific and general must be asked once of one and once of several documents"


def _types_by_risk(draft: Draft) -> Iterator[str]:
    risk = draft.risk
    for number, (_, name) in enumerate(draft.entities, 1):
        if draft.schema.type_of(name) in FORBIDDEN[risk]:
            yield f"entity {number} has a type that a {risk} person does not show"


def _sources_exist(draft: Draft) -> Iterator[str]:
    known = {d["id"] for d in draft.documents}
    for number, question in enumerate(draft.questions, 1):
        if not known.issuperset(question["sources"]):
            yield f"question {number} names a document that is not in the cluster"
        elif len(set(question["sources"])) < len(question["sources"]):
            yield f"question {number} names a document twice"


def _verbatim(draft: Draft) -> Iterator[str]:
    for number, occurrences in enumerate(_occurrences(draft), 1):
        if not occurrences:
            yield f"entity {number} stands in no document as it is written"


def _words(draft: Draft) -> Iterator[str]:
    for document in draft.documents:
        words = len(document["content"].split())
        if words not in WORDS:
            yield f"{document['id']} has {words} words, not {WORDS[0]} to {WORDS[-1]}"


def _count(draft: Draft) -> Iterator[str]:
    if len(draft.documents) not in DOCUMENTS:
        yield f"there must be {DOCUMENTS[0]} to {DOCUMENTS[-1]} documents"


def _cluster_id(draft: Draft) -> Iterator[str]:
    name = draft.metadata["cluster_id"]
    number = re.fullmatch(r"cluster_(\d{1,9})", name if isinstance(name, str) else "")
    of_file = re.fullmatch(r"cluster_(\d{1,9})", draft.stem)
    if number is None or of_file is None or int(number[1]) != int(of_file[1]):
        yield "cluster_id must be cluster_N, with the number of the file's name"
        return
    for position, document in enumerate(draft.documents, 1):
        if not re.fullmatch(rf"{name}_doc\d{{1,9}}", document["id"]):
            yield f"the id of document {position} must be {name}_docN"


def _profile(draft: Draft) -> Iterator[str]:
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
"""What the published validator leaves open although the method asks for it (SPEC §12.6)."""


def _texts(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(item, str) for item in value)


def _occurrences(draft: Draft, flags: int = 0) -> list[int]:
    """Count, for each of the person's entities, the documents that hold it as a whole word."""
    texts = [document["content"] for document in draft.documents]
    patterns = [rf"(?<!\w){re.escape(value)}(?!\w)" for value, _ in draft.entities]
    return [sum(bool(re.search(p, text, flags)) for text in texts) for p in patterns]
