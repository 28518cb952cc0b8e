"""What becomes of a model's answer: rows that pass the checks, and the mentions made of them."""

from __future__ import annotations

from collections import Counter

from linkmask import schema
from linkmask.config import Settings
from linkmask.detect import prompted
from linkmask.detect.prompted import answer_rows
from linkmask.detect.view.readings import stored_fields
from linkmask.records import Document

SETTINGS = Settings()


def entries(rows, size=1000):
    dropped = Counter()
    kept = answer_rows.entries({"entities": rows}, schema.load("insurance").type_of, size, dropped)
    return kept, dict(dropped)


def found(content, rows, metadata=None, settings_=SETTINGS):
    """Mentions of a document by an answer's rows, and what was dropped."""
    dropped = Counter()
    document = Document("d", content, metadata or {})
    kept = answer_rows.entries({"entities": rows}, schema.load("insurance").type_of, 1000, dropped)
    fields = list(stored_fields(document, settings_))

    def value_of(entity_type, normalized):
        return normalized.lower()

    made = prompted.mentions(document, fields, kept, settings_, value_of, "stage1/1", dropped)
    return made, dict(dropped)
