"""Mentions and targets that tests of the redactor are given."""

from linkmask.records import CONTENT, Mention, Why, entity_id
from linkmask.redact import Target


def mention(text: str, original: str, kind: str, field: str = CONTENT, value: str = "") -> Mention:
    start = text.index(original)
    value = value or original.casefold()
    end = start + len(original)
    return Mention("d", field, start, end, kind, original, value, 0.9, Why("test"))


def targets(*pairs: tuple[str, str]) -> dict[str, Target]:
    """Targets of one surface each, given as (type, surface)."""
    return {entity_id(s.casefold(), kind): Target(kind, [s]) for kind, s in pairs}
