"""How much a value, in its document, helps to identify the person the document is about."""

from __future__ import annotations

from collections.abc import Sequence

from linkmask.detect.found import Found
from linkmask.records import Document

PRIOR = {
    "NAME": 0.95, "PATIENT_ID": 0.95, "ADDRESS": 0.9, "PHONE_NUMBER": 0.8, "EMAIL": 0.8,
    "NATIONAL_ID": 1.0, "CREDIT_CARD": 1.0, "IBAN": 1.0, "BIRTHDATE": 0.95,
}  # fmt: skip


def about(document: Document) -> float:
    """Return how much the document as a whole speaks of one person, in [0, 1]."""
    return 0.5


def score(text: str, found: Sequence[Found], person: float) -> list[float]:
    """Return a relevance in [0, 1] for each span of one text."""
    return [PRIOR.get(one.type, 0.5) for one in found]
