"""Recognizes the number of the person in a row or form, whose label says only "No", "Ref" or "#".

Such a number counts where a full name stands in the same row or form, and if it is no counter: it
has five digits, or letters and three digits ("48213", "TR-88213").
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import lru_cache

from linkmask.detect.candidates import Candidate
from linkmask.detect.lexicon.name_words import is_surname, is_thing, may_be_given
from linkmask.schema import compiled, types, words
from linkmask.text.letters import plain_letters

LABEL = "member no"
"""What such a number is read behind, as if its key said whose it is."""
_WORDS = re.compile(r"[^\W\d_]+")
_CODE = re.compile(words("field_forms")["code"])
_LABELLED = compiled("row_numbers_labelled")
"""A label and its value in a form, or a key and its value in JSON."""
_ENDS = re.compile(r"\n[ \t\r]*\n|[{}]")
"""What ends a form: a blank line, or the brace of a record."""
_AROUND = 400
"""Characters between a number and a name of one form, at most."""


@lru_cache(maxsize=1 << 12)
def says_number(head: str) -> bool:
    """Tell whether the head of a column, or a key, says only that it is a number: "Nr.", "#"."""
    table = words("label_words")["numbers"]
    if head.strip() in table["sign"].split():
        return True
    found = set(_WORDS.findall(plain_letters(head)))
    return bool(found) and found <= {*table["number"].split(), *table["reference"].split()}


def is_code(value: str) -> bool:
    """Tell whether a value is the number of something, and no counter, amount or date."""
    return bool(_CODE.fullmatch(value))


def is_full_name(cells: Iterable[str]) -> bool:
    """Tell whether the cells of a row that hold names have two words, one of them a listed name.

    "Victoria Station" is nobody's.
    """
    words = [word for cell in cells for word in _WORDS.findall(cell)]
    listed = any(may_be_given(word) or is_surname(word) for word in words)
    return len(words) > 1 and listed and not is_thing(words[-1])


def numbers_in_forms(text: str, column_type: Callable[[str], str]) -> Iterator[Candidate]:
    """Yield the numbers whose label says only "number" in a form with a full name."""
    lines = list(_LABELLED.finditer(text))
    numbers = [
        (one.start("value"), value)
        for one in lines
        if is_code(value := one["value"].rstrip()) and says_number(one["label"])
    ]
    names = [
        one.start("value")
        for one in (lines if numbers else ())
        if column_type(one["label"]) == types.NAME and is_full_name([one["value"]])
    ]
    for start, value in numbers:
        at = bisect_left(names, start)
        beside = (sorted((start, name)) for name in names[max(at - 1, 0) : at + 1])
        if any(b - a < _AROUND and not _ENDS.search(text, a, b) for a, b in beside):
            yield Candidate(start, start + len(value), types.PATIENT_ID, "tables", "column", 0.85)


def labels_of_numbers(
    fields: Iterable[tuple[str, str]], column_type: Callable[[str], str]
) -> Mapping[str, str]:
    """Return a label for each field whose key says only "number" beside the name of a person."""
    texts = dict(fields)
    numbers = [
        field
        for field, value in texts.items()
        if is_code(value.strip()) and says_number(field.rpartition("/")[2])
    ]
    if not numbers:
        return {}
    names: dict[str, list[str]] = {}
    for field, value in texts.items():
        above, _, key = field.rpartition("/")
        if column_type(key) == types.NAME:
            names.setdefault(above, []).append(value)
    return {
        field: LABEL for field in numbers if is_full_name(names.get(field.rpartition("/")[0], ()))
    }
