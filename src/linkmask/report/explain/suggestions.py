"""Suggests similar names for one that was asked for and does not exist."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches
from itertools import islice
from string import hexdigits

NEAREST = 3
LISTED = 8
"""Parts of what was asked for that are named at most."""
LOOKED = 50_000
"""Largest number of names that are compared, since similarity is slow to compute."""


def nearest_names(text: str, names: Iterable[str], cutoff: float = 0.6) -> list[str]:
    """Return the few names closest to a text, whatever their case, closest first."""
    plain: dict[str, str] = {}
    for name in islice(names, LOOKED):
        plain.setdefault(name.casefold(), name)
    return [plain[one] for one in get_close_matches(text.casefold(), plain, NEAREST, cutoff)]


def near_ids(text: str, ids: Iterable[str]) -> list[str]:
    """Return the entity ids that begin nearly as a text does; none if it is no such beginning."""
    if len(text) < 6 or not set(text) <= set(hexdigits):
        return []
    return nearest_names(text, dict.fromkeys(name[: len(text)] for name in ids), 0.8)


def no_document(name: str, ids: Iterable[str]) -> str:
    """Say that there is no such document, and which ids are near."""
    found = nearest_names(name, ids)
    hint = f"near: {', '.join(found)}" if found else "risk.json lists all ids"
    return f"the run holds no document with this id; {hint}"


def not_detected(names: list[str], parts: list[str], compared: bool) -> str:
    """Say that no detected value is written so, which are similar, and what can be done.

    `parts`: entities that are a part of it, or that it is a part of, with where each stands.
    """
    if parts:
        more = f"; … and {len(parts) - LISTED:,} more" if len(parts) > LISTED else ""
        return (
            "what you ask for is not detected as a value as it is typed, but in parts, or as a "
            f"part of one: {'; '.join(parts[:LISTED])}{more}. Ask for these by id"
        )
    near = f" Near: {'; '.join(names)}." if names else ""
    hint = "" if compared else " To compare it with the values of the run, add --show-values."
    return (
        f"what you ask for is not detected as a value, and is no id or beginning of one.{near} If "
        "it stands in a document, most likely it is still readable there: add it to a copy of the "
        "run's mentions.jsonl and mask again with that file as --mentions, or ask what was "
        f"detected in that document (explain --document).{hint}"
    )
