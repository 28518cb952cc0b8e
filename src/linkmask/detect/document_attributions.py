"""Computes on request whose the mentions of a document are: its person's, another's, nobody's."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from linkmask.config import Settings
from linkmask.detect.relevance import Attribution, attributions, document_context
from linkmask.detect.view import scope_of, stored_fields
from linkmask.records import Document, Mention


def attributions_of(
    document: Document, mentions: Iterable[Mention], settings: Settings
) -> Iterator[tuple[Mention, Attribution]]:
    """Yield each mention of a document with its chances, by field and start.

    A mention whose text is not where it was found is left out.
    """
    context = document_context(document, scope_of(document, settings), settings.relevance)
    by_field: dict[str, list[Mention]] = {}
    for mention in mentions:
        by_field.setdefault(mention.field, []).append(mention)
    for stored in stored_fields(document, settings):
        standing = sorted(by_field.get(stored.field, ()), key=lambda one: (one.start, one.end))
        standing = [one for one in standing if stored.value[one.start : one.end] == one.original]
        seen = stored.visible()
        found = [seen.behind_label(seen.candidate(mention)) for mention in standing]
        yield from zip(standing, attributions(seen.text, found, context), strict=True)
