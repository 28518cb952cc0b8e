"""Asks a language model which values it still sees in masked documents; these become mentions.

This is the quality check of formulas.md §14.1, if a model is given. A document that the model could
not check is not released.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from linkmask import policy
from linkmask.config import Settings
from linkmask.detect.view.readings import label_of
from linkmask.graph.entities import canonical
from linkmask.llm import LanguageModel
from linkmask.pipeline.checking.checked_texts import in_original
from linkmask.pipeline.planning.regulation import policies
from linkmask.pipeline.progress import Source
from linkmask.pipeline.reading import ByDocument
from linkmask.records import Document, Finding, Masked, Mention, Why
from linkmask.runs import MaskedFile
from linkmask.verify import spans_of

WHY = Why("model", "remaining/1")
_BETWEEN = re.compile(r"\n\n|: ")
"""Separator of labels and fields in the model's text; a value that it names may contain it."""


def check_with_model(
    masked: MaskedFile, source: Source, model: LanguageModel, settings: Settings
) -> tuple[list[Finding], dict[str, list[Mention]]]:
    """Return what a model sees in the masked documents: findings, and mentions by document.

    The mentions stand in the originals' offsets. What it names inside a mask is no value.
    """
    types = _sought(settings)
    rows = ByDocument(masked.rows(), masked.documents)
    waiting: list[Masked] = []

    def texts() -> Iterator[str]:
        for item in source():
            if isinstance(item, Document) and item.id in rows:
                waiting.append(rows.take(item.id).over(item))
                yield _shown(waiting[-1].written)

    findings: list[Finding] = []
    fresh: dict[str, list[Mention]] = {}
    for seen in policy.remaining_values(model, texts(), types):
        document = waiting.pop(0)
        name = document.id
        if isinstance(seen, Exception):
            detail = f"the model could not look at it ({type(seen).__name__})"
            findings.append(Finding(name, "unreadable", detail))
            continue
        standing = _mentions(document, seen)
        if excluded := [one for one in standing if one.field in document.written.excluded]:
            detail = f"a model sees values of type {_types(excluded)}"
            findings.append(Finding(name, "excluded", detail, blocking=False))
        if found := in_original(standing, document):
            detail = f"a model sees values of type {_types(found)}"
            findings.append(Finding(name, "new-value", detail))
            fresh[name] = found
    return findings, fresh


def _sought(settings: Settings) -> list[str]:
    """Return the types that are always masked: those of the floor and of the policies."""
    sought = {
        name
        for each in policies(settings)
        for name, rule in each.rules.items()
        if rule.technique in ("removal", "tokenization", "pseudonymization")
    }
    return [n for n in settings.entity_types.types if n in sought or n in settings.floor]


def _shown(document: Document) -> str:
    """Return a masked document as the model reads it: every field, short ones with their label."""
    return "\n\n".join(
        text if name in document.texts else f"{label_of(name)}: {text}"
        for name, text in document.every_field()
        if text.strip()
    )


def _types(mentions: Iterable[Mention]) -> str:
    return ", ".join(sorted({mention.type for mention in mentions}))


def _mentions(masked: Masked, seen: list[tuple[str, str]]) -> list[Mention]:
    """Return each place where a value that was seen stands outside of masks, as a whole word."""
    ours = spans_of(masked)
    found = []
    fields = list(masked.written.every_field())
    parts = {
        (part, kind)
        for value, kind in seen
        for part in ([value] if any(value in text for _, text in fields) else _BETWEEN.split(value))
        if part.strip()
    }
    for value, kind in sorted(parts, key=lambda one: (-len(one[0]), one)):
        word = re.compile(rf"(?<!\w){re.escape(value)}(?!\w)")
        for field, start, end in [
            (f, *m.span()) for f, text in fields for m in word.finditer(text)
        ]:
            if all(f != field or end <= begin or stop <= start for f, begin, stop in ours):
                ours.append((field, start, end))
                normal = canonical(kind, value)
                found.append(Mention(masked.id, field, start, end, kind, value, normal, 1.0, WHY))
    return sorted(found, key=lambda one: (one.field, one.start))
