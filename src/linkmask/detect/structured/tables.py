"""Recognizes values that a table's head names: "| Name | MRN |" and the rows below it.

A table is a run of lines with the same number of cells, separated by "|", ";", tabs or two spaces
and more. It counts if a line of dashes stands below its head, or two of its columns are known, or
four rows in five fit. Lines separated by commas count only if no space follows the commas in the
head and two of the columns are known.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

from linkmask import schema
from linkmask.detect.candidates import Candidate, Scope
from linkmask.detect.lexicon import word_features as w
from linkmask.detect.resolve.staff import asks_for_one
from linkmask.detect.structured.fields import FITS, PERSONS, is_label, type_of
from linkmask.detect.structured.label_types import names_user
from linkmask.detect.structured.row_numbers import (
    is_code,
    is_full_name,
    numbers_in_forms,
    says_number,
)
from linkmask.detect.structured.rows import (
    GAP,
    LONGEST,
    PARTING,
    Cell,
    cells_by_commas,
    cells_of,
    mark_of,
)
from linkmask.detect.structured.user_names import user_in
from linkmask.schema import compiled, types
from linkmask.text.fold import lower

CODES = frozenset(schema.words("columns")["codes"])
"""Heads of columns that hold codes of diagnoses."""
SHORT = frozenset(schema.words("columns")["short"])
"""Heads of columns of names that count beside a column that only persons have."""
_OF_PERSONS = frozenset({types.NAME, types.BIRTHDATE, types.NATIONAL_ID})
BESIDE = {
    types.AGE: re.compile(r"1?[0-9]?[0-9](?: ?(?:y|yo|yrs?|ans|J\.?))?"),
    types.MEDICAL_CONDITION: re.compile(r"[A-TV-Z][0-9][0-9A-Z](?:\.[0-9A-Z]{1,4})?"),
}
"""What is taken only beside columns of persons and of whom they saw."""

_COMMAS = compiled("tables_commas")
_RULE = re.compile(r"[-=:+|;\t ]{3,}")
_NUMBERED = re.compile(r"^[0-9]{1,2}[a-z]?[.)] ")
_ASIDE = re.compile(r" ?\([^()]{0,30}\)$")
"""What forms write around a head: "2. Employee (last, first)"."""
_JOINED = re.compile(r"[^\W\d_]{1,20}(?:(?:[-’]|''?)[^\W\d_]{1,20}){1,3}")
"""One name of several words: Nakagawa-Ruiz, O'Dwyer, also as SQL writes it, O''Dwyer."""
_AGAIN = re.compile(r"[^\W\d]{3,30}(?:[ _.][^\W\d]{1,20}){0,3}[ _]?[1-4]")
"""A head with the number of a field: "addr1", "phone 2"."""
_NUMBER = re.compile(r"(?<=[^\W\d_])(?=[1-4]$)")
_WORDS = re.compile(r"[^\W\d_]+")
_NO_NAME = w.STOP | w.FUNCTION | w.LABEL | w.ILL_OR_CURE
_ANSWERS = _NO_NAME & ~(w.STOP | w.FUNCTION) | w.NO_VALUE | w.FIELD | w.CALENDAR | w.HEALTH
MOST_ROWS = 0.8
"""Share of the rows that must fit where one column alone is known: a surname may be a word that no
name is made of ("Hier")."""
_HEAD = 40
"""Characters of a column's head, at most."""

USER = "user"
"""What a column of user names is called here: their type is NAME."""
NUMBER = "number"
"""What a column is called here that holds the numbers of the persons beside it: PATIENT_ID."""

SCORE = {types.BIRTHDATE: 0.96}
"""More than any date has without its head; other columns say less than a value's own form."""


def find(text: str, scope: Scope) -> Iterator[Candidate]:
    """Yield what stands under the heads that name direct identifiers, in linear time."""
    if ":" in text or "|" in text:
        yield from numbers_in_forms(text, column_type)
    if "\n" not in text:
        return
    if text.count(",") > text.count(", "):
        yield from _commas(text)
    if not any(text.count(mark) > 1 for mark in PARTING):
        return  # a head has rows
    lines = text.split("\n")
    marks = list(map(mark_of, lines))
    if not any(one and one == after for one, after in pairwise(marks)):
        return
    head: dict[int, str] = {}
    rows: list[list[Cell]] = []
    mark, width, ruled = "", 0, False
    begins: list[int] = []
    at = 0
    for line, parted, below in zip([*lines, ""], [*marks, ""], [*marks[1:], "", ""], strict=True):
        start, at = at, at + len(line) + 1
        if not head and (not parted or parted != below):
            continue
        cells = cells_of(line, start, parted) if parted and len(line) <= LONGEST else []
        if head and cells and parted == mark:
            if _RULE.fullmatch(line.strip()):
                ruled = True
                continue
            row = cells if len(cells) == width else _below(cells, begins, start)
            if row:
                rows.append(row)
                continue
        yield from values_of_rows(text, head, rows, ruled)
        head = _column_types(text, cells) if cells and parted == below else {}
        mark, width, ruled, rows = parted, len(cells), False, []
        begins = [first - start for first, _ in cells] if mark == GAP and len(head) > 1 else []


def _below(cells: list[Cell], begins: list[int], start: int) -> list[Cell]:
    """Return the cells of a row of which some are empty, one for each head; none if unlike a row.

    Each begins where a head does, or is what two blanks part from the one before it; `begins` are
    the places of the heads in their line, the row's line begins at `start`.
    """
    by_place: dict[int, Cell] = {}
    place = -1
    for first, last in cells:
        if first - start in begins:
            place = first - start
        if place < 0:
            return []
        by_place[place] = (by_place.get(place, (first, last))[0], last)
    return [by_place.get(at, (start, start)) for at in begins] if len(by_place) > 1 else []


def _commas(text: str) -> Iterator[Candidate]:
    """Yield what stands under the heads of tables parted by commas (RFC 4180, a line a row)."""
    end = 0
    for line in _COMMAS.finditer(text):
        cells = cells_by_commas(text, *line.span()) if line.start() >= end else []
        head = _column_types(text, cells) if len(cells) > 1 else {}
        if len(head) < 2:
            continue
        rows: list[list[Cell]] = []
        end = line.end()
        while end < len(text):
            start, end = end + 1, text.find("\n", end + 1)
            end = len(text) if end < 0 else end
            row = cells_by_commas(text, start, end) if end - start <= LONGEST else []
            if len(row) != len(cells):
                break
            rows.append(row)
        yield from values_of_rows(text, head, rows, ruled=False)


def _column_types(text: str, cells: list[Cell]) -> dict[int, str]:
    """Return the types of the columns that a head names; one with a figure or a mask is none."""
    heads = [_NUMBERED.sub("", text[start:end]) for start, end in cells]
    for value in heads:
        numbered = any(map(str.isdigit, value)) and not _AGAIN.fullmatch(value)
        if len(value) > _HEAD or "[" in value or numbered:
            return {}
    columns = types_of_columns(heads)
    if set(columns.values()) <= BESIDE.keys() or len(cells) < 2:
        return {}
    if types.NAME in columns.values():
        free = (cell for cell in enumerate(cells) if cell[0] not in columns)
        columns |= {column: NUMBER for column, (start, end) in free if says_number(text[start:end])}
    return columns


def types_of_columns(heads: Sequence[str]) -> dict[int, str]:
    """Return the types of columns by number; a short head counts beside one of persons: "fn"."""
    columns = {number: kind for number, head in enumerate(heads) if (kind := column_type(head))}
    if not _OF_PERSONS.isdisjoint(columns.values()):
        short = (number for number, head in enumerate(heads) if _spaced(head) in SHORT)
        columns = {**dict.fromkeys(short, types.NAME), **columns}
    return columns


def column_type(head: str) -> str:
    """Return the type of what stands in a column with this head, "" if none is looked for."""
    label = _spaced(_ASIDE.sub("", head))
    if label in PERSONS:
        return types.NAME
    if asks_for_one(label):
        return types.PROVIDER
    entity_type = types.MEDICAL_CONDITION if label in CODES else type_of(_NUMBER.sub(" ", head))
    if entity_type in FITS or entity_type in BESIDE:
        return entity_type
    return USER if names_user(head) else ""


def _spaced(head: str) -> str:
    return " ".join(_WORDS.findall(lower(head)))


def values_of_rows(
    text: str, head: dict[int, str], rows: list[list[Cell]], ruled: bool
) -> Iterator[Candidate]:
    """Yield the values of rows whose type a column's head names.

    Args:
        text: the text of the rows.
        head: the type of each known column, by its number.
        rows: where the values of each row stand in the text.
        ruled: whether something else shows that the first row is a head.
    """
    telling = [kind for kind in head.values() if kind not in (types.MEDICAL_CONDITION, NUMBER)]
    sure = ruled or len(telling) > 1
    cells = [(*row[column], kind) for row in rows for column, kind in head.items()]
    fits = [cell for cell in cells if fits_column(text[cell[0] : cell[1]], cell[2], alone=sure)]
    if sure or (len(rows) > 1 and len(fits) >= MOST_ROWS * len(rows)):
        for start, end, entity_type in fits:
            begin = _untitled(text, start, end) if entity_type == types.NAME else start
            yield Candidate(
                begin, end, entity_type, "tables", "column", SCORE.get(entity_type, 0.85)
            )
    for start, end, _ in [cell for cell in cells if cell[2] == USER] if sure else ():
        yield from user_in(text, start, end)
    if NUMBER in head.values():
        yield from _numbers(text, head, rows)


def _numbers(text: str, head: dict[int, str], rows: list[list[Cell]]) -> Iterator[Candidate]:
    """Yield the numbers that stand in one row with a full name, if nearly all rows are such."""
    names = [column for column, kind in head.items() if kind == types.NAME]
    for number in (column for column, kind in head.items() if kind == NUMBER):
        found = [
            row[number]
            for row in rows
            if is_code(text[slice(*row[number])])
            and is_full_name(text[slice(*row[name])] for name in names)
        ]
        if len(found) >= MOST_ROWS * len(rows):
            for start, end in found:
                yield Candidate(start, end, types.PATIENT_ID, "tables", "column", 0.85)


def _untitled(text: str, start: int, end: int) -> int:
    """Return where a name begins behind its title: "Mrs Roth"."""
    title = _TITLED.match(text, start, end)
    return title.end() if title and w.FEATURES[title[1]] & w.TITLE else start


_TITLED = re.compile(r"([^\W\d_]{1,12})\.? (?=[^\W\d_])")


def fits_column(value: str, entity_type: str, *, alone: bool) -> bool:
    """Does a value look like its column's type? `alone`: a name may be a single word."""
    if entity_type in (USER, NUMBER):
        return False
    if entity_type in BESIDE:
        return alone and BESIDE[entity_type].fullmatch(value) is not None
    if entity_type not in (types.NAME, types.PROVIDER):
        return bool(FITS[entity_type].fullmatch(value))
    words = _WORDS.findall(value)
    whole = FITS[types.NAME].fullmatch(value) or (alone and len(words) == 1 and words[0] == value)
    if is_label(value) or (len(words) == 1 and w.FEATURES[words[0]] & w.NO_VALUE):
        return False
    if alone and _JOINED.fullmatch(value):
        return value[0].isupper() and all(map(_in_name, words))
    begins = words and (words[0][0].isupper() or w.FEATURES[words[0]] & w.PARTICLE)
    cased = value.istitle() or (value.isupper() and len(value) > 2)
    if alone and len(words) == 1 and cased and not w.FEATURES[value] & _ANSWERS:
        return bool(whole)  # "Fin", a word elsewhere
    fit = [bool(_in_name(word)) for word in words]
    odd = fit.count(False)
    if alone and odd == 1 and len(fit) > 2:  # "NG WAI MAN"
        odd = bool(w.FEATURES[words[fit.index(False)]] & (w.NO_VALUE | w.FIELD | w.CALENDAR))
    return bool(whole and begins) and not odd


def _in_name(word: str) -> bool:
    m = w.FEATURES[word]
    if m & (w.GIVEN | w.SURNAME | w.PARTICLE | w.INITIAL):
        return True  # "Young A"
    return word[0].isupper() and not m & _NO_NAME
