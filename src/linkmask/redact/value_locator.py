"""Finds given values in a document where another detector found them (formulas.md §10.1)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from msgspec.structs import replace

from linkmask.records import Document, Mention
from linkmask.redact.match import Matcher


class ValueLocator:
    """Looks for values in documents: whole words, case and white space folded.

    Args:
        values: every value that will be asked for.
    """

    def __init__(self, values: Sequence[str]) -> None:
        self._number = {value: number for number, value in enumerate(values)}
        self._matcher = Matcher(values)

    def place(self, document: Document, given: Iterable[Mention]) -> tuple[list[Mention], int]:
        """Return the mentions with offsets, sorted, and how many were not found.

        A mention whose offsets have its value keeps them; any other is searched for in every field.
        """
        fields = dict(document.fields())
        found: dict[tuple[str, int, int, str, str], Mention] = {}
        stray: dict[int, list[Mention]] = {}
        for mention in given:
            text = fields.get(mention.field, "")
            if mention.start >= 0 and text[mention.start : mention.end] == mention.original:
                _keep(found, mention)
            else:
                stray.setdefault(self._number[mention.original], []).append(mention)
        placed: set[int] = set()
        for name, text in fields.items() if stray else ():
            for start, end, number in self._matcher.find([text])[0]:
                for mention in stray.get(number, ()):
                    placed.add(number)
                    _keep(
                        found,
                        replace(
                            mention, field=name, start=start, end=end, original=text[start:end]
                        ),
                    )
        order = {name: place for place, name in enumerate(fields)}
        mentions = sorted(found.values(), key=lambda m: (order[m.field], m.start, m.end, m.type))
        return mentions, sum(len(lost) for n, lost in stray.items() if n not in placed)


def _keep(found: dict[tuple[str, int, int, str, str], Mention], mention: Mention) -> None:
    """Keep the more relevant of two mentions of one value at one place."""
    key = mention.field, mention.start, mention.end, mention.type, mention.value
    if key not in found or found[key].relevance < mention.relevance:
        found[key] = mention
