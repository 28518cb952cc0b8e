"""Completes the columns of persons in tables without a head, by what most of their cells are.

The tagger and the lists find most names of a column; the rest of its cells are names, too. Fewer
will do beside a column of birth dates or sexes. Beside a column of names, one whose dates lie
decades apart holds birth dates, and one with another code of the same length in each row numbers.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from itertools import compress

from linkmask.detect.candidates import Candidate
from linkmask.detect.lexicon.name_words import is_given_name
from linkmask.detect.resolve.birth_dates import year_of_day
from linkmask.detect.structured.row_numbers import is_code
from linkmask.detect.structured.rows import LEAST_ROWS, Cell, tables
from linkmask.detect.structured.tables import MOST_ROWS, fits_column
from linkmask.schema import types, words
from linkmask.text.fold import lower

NAMED = 0.6
"""Share of the cells of a column that must be found names before the others count as names."""
BORN = 0.4
"""The same where another column of the table has dates like birth dates, or sexes."""
BESIDE = 0.2
"""The same for a column beside such a one: surnames beside given names."""
DECADES = 15
"""Years between the first and the last date of a column of birth dates, at least."""
YEARS = 8
"""The same beside a column of sexes."""
SCORE = {types.NAME: 0.85, types.BIRTHDATE: 0.96, types.PATIENT_ID: 0.85}
"""Those of columns that a head names."""

SEXES = frozenset(words("columns")["sexes"])
_WORDS = re.compile(r"[^\W\d_]+")
_LETTER = re.compile(r"[^\W\d_]")


def in_columns(text: str, found: Sequence[Candidate]) -> Iterator[Candidate]:
    """Yield names, birth dates and numbers of tables with a column of which most cells are names.

    The cost is linear in the text, and in the candidates times their logarithm.
    """
    names = sorted((one.start, one.end) for one in found if one.type == types.NAME)
    for rows in tables(text):
        columns = [
            [cell for cell in column if cell[0] < cell[1]] for column in zip(*rows, strict=True)
        ]
        sexes = any(_are_sexes(text, cells) for cells in columns)
        apart = YEARS if sexes else DECADES
        born = [_birth_dates(text, cells, len(rows), apart) for cells in columns]
        shares = [_share_of_names(text, cells, names) for cells in columns]
        persons = list(compress(columns, _persons(shares, BORN if sexes or any(born) else NAMED)))
        for start, end in (cell for cells in persons for cell in cells):
            if fits_column(text[start:end], types.NAME, alone=True):
                yield _candidate(start, end, types.NAME)
        if persons:
            for cells, dates in zip(columns, born, strict=True):
                yield from (_candidate(*cell, types.BIRTHDATE) for cell in dates)
                numbers = _numbers(text, cells, len(rows))
                yield from (_candidate(*cell, types.PATIENT_ID) for cell in numbers)


def _candidate(start: int, end: int, entity_type: str) -> Candidate:
    return Candidate(start, end, entity_type, "tables", "like its column", SCORE[entity_type])


def _share_of_names(text: str, cells: Sequence[Cell], names: Sequence[Cell]) -> float:
    """Return the share of found and listed names among cells; 0 if few have the form of names."""
    fits = [cell for cell in cells if fits_column(text[slice(*cell)], types.NAME, alone=True)]
    if len(cells) < LEAST_ROWS or len(fits) < MOST_ROWS * len(cells):
        return 0.0
    known = (_is_listed(text[slice(*cell)]) or _is_found(text, cell, names) for cell in fits)
    return sum(known) / len(cells)


def _persons(shares: Sequence[float], least: float) -> Iterator[bool]:
    """Yield for each column whether it has names: most of its cells, or some beside such a one."""
    for share, *beside in zip(shares, [0.0, *shares], [*shares[1:], 0.0], strict=False):
        yield share >= least or (share >= BESIDE and max(beside) >= least)


def _are_sexes(text: str, cells: Sequence[Cell]) -> bool:
    """Tell whether a column holds the sexes of persons, of which it has two."""
    values = {lower(text[start:end]) for start, end in cells}
    return len(values) > 1 and values <= SEXES


def _is_listed(value: str) -> bool:
    """Is one word of a cell a given name of the lists?"""
    return any(map(is_given_name, _WORDS.findall(value)))


def _is_found(text: str, cell: Cell, names: Sequence[Cell]) -> bool:
    """Do found names cover the letters of a cell?"""
    start, end = cell
    at = max(bisect_right(names, (start, len(text))) - 1, 0)
    while at < len(names) and names[at][0] < end:
        first, last = names[at]
        if _LETTER.search(text, start, max(first, start)):
            return False
        start = max(start, last)
        at += 1
    return not _LETTER.search(text, start, end)


def _birth_dates(text: str, cells: Sequence[Cell], rows: int, apart: int) -> list[Cell]:
    """Return the dates of a column, if nearly all rows have one and they are years `apart`."""
    years = {cell: year for cell in cells if (year := year_of_day(text, *cell))}
    if len(years) < MOST_ROWS * rows or max(years.values()) - min(years.values()) < apart:
        return []
    return list(years)


def _numbers(text: str, cells: Sequence[Cell], rows: int) -> Sequence[Cell]:
    """Return the cells of a column that has a number of its own, equally long, in each row."""
    values = {text[start:end] for start, end in cells}
    same = len(set(map(len, values))) == 1 and all(map(is_code, values))
    return cells if len(values) == rows and same else ()
