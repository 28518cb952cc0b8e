"""Defines what files of recognizers hold: rows, and entity types of the user's own.

Shipped rows and a user's own have one form (docs/recognizers.md). `recognizers` reads the files and
checks them; `detect/recognizers` compiles the rows and runs them.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator
from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from linkmask.schema import types

Unit = Annotated[float, Meta(ge=0.0, le=1.0)]
Reach = Literal["label", "line", "sentence", "cell"]
YAML = (".yaml", ".yml")
"""How files in Presidio's form end."""


class RecognizerRow(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One recognizer: what it finds, what must stand near it, and what shows that it works."""

    id: str
    """Name in explanations, tests and weights; unique among all files in use."""
    type: str = ""
    """Entity type of what is found; empty only where `keep` is true."""
    pattern: str = ""
    """Regular expression. Its group `v`, if it has one, is the value."""
    values: tuple[str, ...] = ()
    """List of values, each found as whole words, in place of a pattern."""
    values_file: str = ""
    """File with one value a line, relative to the file of the row."""
    keep: bool = False
    """What is found is no value and never masked."""
    ignore_case: bool | None = None
    """Whether letter case counts; by default it does in patterns and does not in values."""
    validate: str = ""
    """Name of a check: `stdnum:be.nn`, `phonenumbers`, `date`, or one of linkmask."""
    triggers: tuple[str, ...] = ()
    """Words of which one must stand near the value."""
    need: Literal["both", "either"] = "both"
    """Whether a value needs its check and a trigger, or one of them will do: a check that holds,
    which makes it certain, or a trigger."""
    gap: str = r"[^\n\d]{0,24}"
    """Expression for what may stand between a trigger and its value with reach `label`."""
    reach: Reach = "line"
    """Where a trigger counts: right before the value (`label`), or in its line, sentence, cell."""
    score: Unit = 1.0
    """Confidence; from 0.95 on only a longer certain value overrules it."""
    literals: tuple[str, ...] = ()
    """Texts of which each match holds one: the pattern is tried near them alone, to save time."""
    languages: tuple[str, ...] = ()
    """Languages of the texts that are searched; all if empty."""
    countries: tuple[str, ...] = ()
    """Settings of `countries` with which it is used; all if empty."""
    fields: tuple[str, ...] = ()
    """Fields, columns or paths of keys that are searched; all if empty."""
    documents: tuple[str, ...] = ()
    """Ids of the documents that are searched, and the only ones in which it counts; all if
    empty."""
    examples: tuple[str, ...] = ()
    """Texts in which it must find something."""
    near_misses: tuple[str, ...] = ()
    """Texts in which it must find nothing."""
    source: str = ""
    """The specification or document that the row follows."""


class OwnType(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """An entity type of the user's own."""

    name: str
    weight: Unit
    """How bad a leak is."""
    group: Literal["direct", "sensitive", "quasi", "added"] = "added"
    """Group of the type in reports and to the planner."""
    floor: bool = False
    """Whether it is masked whatever the risk."""
    style: str = ""
    """Style of its masks, if another than the settings'."""
    definition: str = ""
    """What the type means, in a sentence."""


class Recognizers(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The rows and types of some files, ready to be kept in a run: no file is read again."""

    rows: tuple[RecognizerRow, ...] = ()
    types: tuple[OwnType, ...] = ()

    @property
    def digest(self) -> str:
        """SHA-256 over all rows and types: equal digests find equal values."""
        return hashlib.sha256(msgspec.json.encode(self)).hexdigest()


def faults(row: RecognizerRow) -> Iterator[tuple[str, str]]:
    """Yield what is wrong with the form of a row: a key, and what is said of it."""
    if not re.fullmatch(r"[\w][\w.-]{0,79}", row.id):
        yield "id", "takes letters, digits, '-', '_' and '.': employee-number"
    given = [key for key in ("pattern", "values", "values_file") if getattr(row, key)]
    if len(given) != 1:
        one_of = "give one of pattern, values or values_file"
        yield given[-1] if given else "id", one_of + (", not several" if given else "")
    if not row.type and not row.keep:
        yield "id", f'needs a type, such as type = "{types.PATIENT_ID}", or keep = true'
    for key in ("fields", "documents"):
        if row.keep and getattr(row, key):
            yield key, f"does not go with keep = true, which holds in all {key}"
    if not all(re.search(r"\w", one) for one in row.triggers):
        yield "triggers", "must be words"
    if not all(re.search(r"\w", value) for value in row.values):
        yield "values", "each must hold a letter or a digit"


def compile_error(pattern: str) -> str:
    """Return why a pattern is no regular expression, and "" if it is one."""
    try:
        re.compile(pattern)
    except (re.error, OverflowError, RecursionError) as error:
        return f"is no regular expression: {error}"
    return ""
