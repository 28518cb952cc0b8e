"""Checks that the first row of a table names its columns, and no person.

Names of columns are not masked. Where nothing says which column holds the text, a first row of data
must not be taken for them.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache

from linkmask import schema
from linkmask.config import Settings
from linkmask.corpus.fields import shape_of
from linkmask.corpus.files import Flaw, no_text

UNKNOWN_COLUMNS = (
    "no column 'content', and no column has a name that is known: name the one that holds the text "
    "with --text-field; if the first row is data, put names of columns above it"
)
PERSON_AS_COLUMN = (
    "column {} may be called by somebody's name, which is not masked: rename it, or name the "
    "column that holds the text with --text-field"
)
_HUMP = re.compile(r"(?<=[a-z])(?=[A-Z])")
_CAPITALIZED = re.compile(r"[^\W\d_a-zß-ÿ][a-zß-ÿ'’-]+")


def check_text(columns: Sequence[str], settings: Settings) -> None:
    """Check that a table has the column of texts that was named, or names of columns.

    Without names, its first row would be taken for them and be written as it is.

    Raises:
        Flaw: it has neither.
    """
    shape = shape_of(settings)
    if any(one in columns or _first(one) in columns for one in shape.texts):
        return
    if shape.named:
        raise Flaw(no_text("column", shape.texts))
    if not any(map(is_known_column, columns)) and not all(map(_names_a_thing, columns)):
        raise Flaw(UNKNOWN_COLUMNS)
    for number, name in enumerate(columns, 1):
        if may_be_a_person(name):
            raise Flaw(PERSON_AS_COLUMN.format(number))


def is_known_column(name: str) -> bool:
    """Tell whether a column's name says, in a language that is known, what the column holds."""
    words = re.findall(r"[^\W\d_]+", _HUMP.sub(" ", name).casefold())
    return " ".join(words) in _labels() or not _label_words().isdisjoint(words)


def _names_a_thing(name: str) -> bool:
    """Tell whether a column's name has words, and only such as name columns.

    A first row of such words alone may be written as it is: as data, it would tell of nobody.
    """
    words = re.findall(r"\w+", _HUMP.sub(" ", name).replace("_", " ").casefold())
    return bool(words) and words_of_labels().issuperset(words)


def may_be_a_person(column: str) -> bool:
    """Tell whether a column's name is capitalized words of which no list of column names has one.

    A table may have a column for each person; names of columns are not masked.
    """
    words = column.split()
    if len(words) < 2 or not all(map(_CAPITALIZED.fullmatch, words)):
        return False
    return _column_words().isdisjoint(word.casefold() for word in words)


@cache
def _column_words() -> frozenset[str]:
    """Return all words of lists of columns and labels, and everyday words."""
    everyday = schema.words("common").values()
    return words_of_labels().union(w for words in everyday for w in words.split())


@cache
def words_of_labels() -> frozenset[str]:
    """Return all words of lists of columns and labels."""
    tables = [*schema.words("columns").values(), *schema.words("fields").values()]
    words = {word for labels in tables for label in labels for word in label.split()}
    held = schema.words("label_words").values()
    return frozenset(
        words.union(w for table in held for one in table.values() for w in one.split())
    )


@cache
def _labels() -> frozenset[str]:
    return frozenset(label for labels in schema.words("fields").values() for label in labels)


@cache
def _label_words() -> frozenset[str]:
    held = schema.words("label_words")
    tables = [held[name].values() for name in ("heads", "general", "alone")]
    words = {word for table in tables for one in table for word in one.split()}
    held = schema.words("columns")
    return frozenset({*words, *held["texts"], *held["persons"], "id"})


def _first(path: str) -> str:
    return path.partition(".")[0].removesuffix("[]")
