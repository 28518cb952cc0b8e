"""Reads what Presidio's analyzer finds as mentions, in this process or in another."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path

from linkmask import schema
from linkmask.graph import entities
from linkmask.records import CONTENT, Document, Mention, Why
from linkmask.testbench.defences import presidio_spans
from linkmask.testbench.defences.presidio_spans import Spans
from linkmask.testbench.missing import Hole
from linkmask.testbench.type_tables import TABLES

OTHER: str = TABLES["presidio"]["other"]
"""What a type of Presidio's that the schema does not know counts as: nearly all are numbers."""
PATIENCE = 600
"""Seconds that another interpreter may take."""


def mentions(documents: Sequence[Document], python: str = "") -> list[Mention]:
    """Return what Presidio's rules find; of two that overlap the longer one, else the first.

    Args:
        python: an interpreter that has Presidio, where this one has not.

    Raises:
        Hole: there is no Presidio, or it failed.
    """
    texts = [document.content for document in documents]
    insurance = schema.load("insurance")
    found = []
    for document, spans in zip(documents, _spans(texts, python), strict=True):
        for start, end, name in _disjoint(spans):
            kind, original = insurance.type_of(name) or OTHER, document.content[start:end]
            value = entities.canonical(kind, original)
            why = Why("presidio")
            found.append(Mention(document.id, CONTENT, start, end, kind, original, value, 1.0, why))
    return found


def _spans(texts: list[str], python: str) -> list[Spans]:
    if find_spec("presidio_analyzer") is not None:
        return presidio_spans.spans_of(texts)[0]
    if not python:
        raise Hole("Presidio is not installed (pip install 'linkmask[presidio]', or --presidio)")
    command = [python, "-I", str(Path(presidio_spans.__file__))]
    told = "\n".join(map(json.dumps, texts))
    try:
        process = subprocess.run(  # noqa: S603 - the interpreter that the user named
            command, input=told, capture_output=True, text=True, check=True, timeout=PATIENCE
        )
        spans: list[Spans] = json.loads(process.stdout)["spans"]
    except (OSError, subprocess.SubprocessError, ValueError, KeyError) as error:
        raise Hole(f"Presidio could not be run ({type(error).__name__})") from None
    return spans


def _disjoint(spans: Spans) -> Spans:
    """Drop spans that overlap a longer one, or an earlier one as long."""
    kept: Spans = []
    for start, end, kind in sorted(spans, key=lambda s: (s[0] - s[1], s[0], s[2])):
        if start < end and all(end <= a or b <= start for a, b, _ in kept):
            kept.append((start, end, kind))
    return sorted(kept)
