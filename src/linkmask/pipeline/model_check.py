"""A language model looks at masked documents: what it still sees there becomes a mention.

The last look of formulas.md §14.1, for those who give a model. A document that it could not look at
is not released.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from linkmask import policy, schema
from linkmask.config import Settings
from linkmask.graph.entities import canonical
from linkmask.llm import Model
from linkmask.pipeline.checking import in_original
from linkmask.pipeline.progress import Source, Tally
from linkmask.pipeline.redaction import Masker
from linkmask.pipeline.regulation import policies
from linkmask.records import CONTENT, Finding, Masked, Mention, Why
from linkmask.verify import spans_of

WHY = Why("model", "residue/1")


def look(
    masker: Masker, source: Source, model: Model, settings: Settings
) -> tuple[list[Finding], dict[str, list[Mention]]]:
    """Return what a model sees in the masked documents: findings, and mentions by document.

    The mentions stand in the originals' offsets. What it names inside a mask is no value.
    """
    types = _sought(settings)
    waiting: list[Masked] = []

    def texts() -> Iterator[str]:
        for item in masker.masked(source, Tally()):
            if isinstance(item, Masked):
                waiting.append(item)
                yield item.content

    findings: list[Finding] = []
    fresh: dict[str, list[Mention]] = {}
    for seen in policy.residue(model, texts(), types):
        masked = waiting.pop(0)
        name = masked.id
        if isinstance(seen, Exception):
            detail = f"the model could not look at it ({type(seen).__name__})"
            findings.append(Finding(name, "unreadable", detail))
            continue
        if found := in_original(_mentions(masked, seen), masked):
            kinds = ", ".join(sorted({mention.type for mention in found}))
            findings.append(Finding(name, "new-value", f"a model sees values of type {kinds}"))
            fresh[name] = found
    return findings, fresh


def _sought(settings: Settings) -> list[str]:
    """Return the types that are always written over: those of the floor and of the policies."""
    sought = {
        name
        for each in policies(settings)
        for name, rule in each.rules.items()
        if rule.technique in ("removal", "tokenization", "pseudonymization")
    }
    return [n for n in schema.load(settings.schema).types if n in sought or n in settings.floor]


def _mentions(masked: Masked, seen: list[tuple[str, str]]) -> list[Mention]:
    """Return each place where a value that was seen stands outside of masks, as a whole word."""
    ours = [(start, end) for field, start, end in spans_of(masked) if field == CONTENT]
    found = []
    for value, kind in sorted(set(seen), key=lambda one: (-len(one[0]), one)):
        for match in re.finditer(rf"(?<!\w){re.escape(value)}(?!\w)", masked.content):
            start, end = match.span()
            if all(end <= begin or stop <= start for begin, stop in ours):
                ours.append((start, end))
                normal = canonical(kind, value)
                one = Mention(masked.id, CONTENT, start, end, kind, value, normal, 1.0, WHY)
                found.append(one)
    return sorted(found, key=lambda one: one.start)
