"""Words the corrections of values."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from linkmask.choices import ANOTHER, APART, HERE, NOBODY
from linkmask.pipeline.correcting import in_document, is_entity, subject
from linkmask.records import entity_label
from linkmask.report.wording import count
from linkmask.review.decisions import Decisions
from linkmask.review.opened_run import OpenedRun
from linkmask.review.stored_review import Decision

WORDS = {
    "": "",
    NOBODY: "nobody’s: no identifier",
    APART: "a value by itself",
    HERE: "masked in one document only",
}
"""Corrections in words, except types and other values."""


class Correction(NamedTuple):
    """A correction of a value, or of parts of it, under all keys with the same correction.

    `name`: the entity by type and label. `where`: which of its mentions are meant; "" for all.
    `documents`: those that are meant, by number, where it is said of documents.
    """

    keys: list[str]
    entity: str
    name: str
    correction: str
    where: str
    documents: list[int]
    made: Decision


def corrections(decisions: Decisions) -> list[Correction]:
    """Return the corrections, pending ones too; equal corrections share a row."""
    opened, number = decisions.opened, decisions.opened.hashed_documents
    groups: dict[tuple[str, str, str], list[str]] = {}
    for key, correction in sorted(decisions.corrections.items()):
        entity = subject(key)
        part = "@" if "@" in key else key.removeprefix(entity)
        groups.setdefault((entity, part, correction), []).append(key)
    rows = []
    for (entity, part, correction), keys in groups.items():
        at = opened.ids.get(entity)
        kind = "" if at is None else opened.type(at)
        name = f"{kind} {entity_label(entity, opened.incidence.salt)}".strip()
        hashes = (key.partition("@")[2] for key in keys)
        documents = sorted(number[one] for one in hashes if one in number) if part == "@" else []
        made = decisions.kept.corrections.get(keys[0], Decision(correction))
        where = _where(part, len(keys))
        rows.append(Correction(keys, entity, name, correction, where, documents, made))
    return rows


def _where(part: str, keys: int) -> str:
    if part == "@":
        return f"in {count(keys, 'document')}"
    return "written in one way" if part else ""


def correction_of(rows: Iterable[Correction], opened: OpenedRun, entity: int) -> str:
    """Return in words what an entity was corrected to, or ""."""
    own = (one for one in rows if one.entity == opened.incidence.entities[entity])
    return "; ".join(_located(in_words(opened, one.correction), one.where) for one in own)


def _located(words: str, where: str) -> str:
    return f"{where}: {words}" if where else words


def in_words(opened: OpenedRun, correction: str) -> str:
    """Return a correction in words; the value of another entity stands in them."""
    if (number := opened.ids.get(correction)) is not None:
        return f"one with {opened.display_value(number)}"
    if is_entity(correction):
        return "one with a value that is gone"
    if another := ANOTHER.fullmatch(correction):
        return f"another person of this name ({another[1]})"
    return WORDS.get(correction, f"is {correction}")


def correction_in_words(opened: OpenedRun, correction: str) -> str:
    """Return a correction in words, in which another entity stands by its label."""
    if is_entity(correction):
        return f"one with {entity_label(correction, opened.incidence.salt)}"
    return in_words(opened, correction)


def next_person(decisions: Decisions, entity: str) -> str:
    """Return the correction that gives a name to a further person."""
    correction = (one for key, one in decisions.corrections.items() if subject(key) == entity)
    taken = [int(found[1]) for one in correction if (found := ANOTHER.fullmatch(one))]
    return f"another-{max(taken, default=1) + 1}"


def keys_in(opened: OpenedRun, entity: int, documents: Iterable[int]) -> list[str]:
    """Return the keys of an entity's corrections in some documents, by number."""
    names, own = opened.incidence.documents, opened.incidence.entities[entity]
    return [in_document(own, names[d]) for d in documents]
