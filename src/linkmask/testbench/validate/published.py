"""Checks what every reader of a cluster relies on, as the published validator does."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from linkmask.testbench.validate.draft import Check, ClusterDraft

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
"""What a document may be (formulas.md §13.1)."""

METADATA = (
    "category",
    "cluster_id",
    "cluster_risk",
    "content_summary",
    "person",
    "questions",
)
"""What a cluster says about itself (formulas.md §13.2)."""

ANSWER_WORDS = 15
"""Most words of an answer (formulas.md §13.2)."""


def _keys(draft: ClusterDraft) -> Iterator[str]:
    if set(draft.raw) != {"documents", "metadata"}:
        yield "the top level must be exactly documents and metadata"


def _documents(draft: ClusterDraft) -> Iterator[str]:
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


def _document_ids(draft: ClusterDraft) -> Iterator[str]:
    if len({d["id"] for d in draft.documents}) < len(draft.documents):
        yield "two documents have the same id"


def _formats(draft: ClusterDraft) -> Iterator[str]:
    for document in draft.documents:
        if document["metadata"].get("format") not in FORMATS:
            yield f"{document['id']}: format must be one of {', '.join(FORMATS)}"


def _metadata(draft: ClusterDraft) -> Iterator[str]:
    present = draft.metadata if isinstance(draft.metadata, dict) else {}
    if missing := [key for key in METADATA if key not in present]:
        yield f"metadata lacks {', '.join(missing)}"


def _category(draft: ClusterDraft) -> Iterator[str]:
    if draft.metadata["category"] != "cluster":
        yield "category must be 'cluster'"


def _risk(draft: ClusterDraft) -> Iterator[str]:
    if draft.risk not in ("HIGH", "MEDIUM", "LOW"):
        yield "cluster_risk must be HIGH, MEDIUM or LOW"


def _questions(draft: ClusterDraft) -> Iterator[str]:
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


def _question_types(draft: ClusterDraft) -> Iterator[str]:
    if {str(q["type"]) for q in draft.questions} != {"specific", "general"}:
        yield "questions must be specific or general, and both must occur"


def _question_sources(draft: ClusterDraft) -> Iterator[str]:
    counts = sorted(min(len(q["sources"]), 2) for q in draft.questions)
    if counts != [1, 1, 2, 2]:
        yield "two questions must have one source, and two must have several"


def _answers(draft: ClusterDraft) -> Iterator[str]:
    for number, question in enumerate(draft.questions, 1):
        if len(question["a"].split()) > ANSWER_WORDS:
            yield f"question {number}: the answer has more than {ANSWER_WORDS} words"


def _person(draft: ClusterDraft) -> Iterator[str]:
    person = draft.metadata["person"]
    if not isinstance(person, dict) or not isinstance(person.get("entities"), list):
        yield "person must be an object with a list 'entities'"
        return
    for number, entity in enumerate(person["entities"], 1):
        if not _texts(entity) or len(entity) != 2 or not entity[0].strip():
            yield f"entity {number} must be [value, type], two texts, the value not blank"


def _entity_types(draft: ClusterDraft) -> Iterator[str]:
    for number, (_, name) in enumerate(draft.entities, 1):
        if draft.schema.type_of(name) is None:
            yield f"entity {number} has a type that schema {draft.schema.name} does not know"


def _entity_repeats(draft: ClusterDraft) -> Iterator[str]:
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
"""The published validator, check by check (formulas.md §13.6)."""


def _texts(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(item, str) for item in value)
