"""Defines the shapes of ids, and of codes that only look like ids, such as those of ICD-10."""

from __future__ import annotations

import re

from linkmask.schema import expression

LETTERS = re.compile("[A-Za-z]*")
YEAR = r"(?:19|20)[0-9]{2}(?:[-/](?:19|20)?[0-9]{2})?"
"""A year or two, which no word makes a number of somebody's unless it says that one follows."""
OF_A_YEAR = re.compile(rf"[A-Za-z]{{5,}}[-/]{YEAR}")
"""A word and its year: SURVEY-2024. The letters that ids begin with are fewer, or known."""
MIXED = re.compile(
    r"(?=[^a-z]*[A-Z])(?:[A-Z]{1,6}-?[0-9]{2,12}[A-Z]{0,4}|[0-9]{2,12}-?[A-Z]{1,5}[0-9A-Z]*"
    r"|(?=[0-9-]*[A-Z])[A-Z0-9]{5,20}|[A-Z0-9]{1,12}(?:[-/.*][A-Z0-9]{1,12}){1,5})$"
)
"""Capitals and digits mixed, as in H78456, 45T9R7P2, PT-8872-3A, KBH*5520*19."""
CATALOGUE = re.compile(
    r"[A-TV-Z][0-9][0-9AB](?:\.[0-9A-Z]{1,4})?$"  # ICD-10
    r"|[A-Z][0-9]{4}$"  # HCPCS
    r"|[CLTS][0-9]{1,2}(?:[-/][CLTS]?[0-9]{1,2})+$"  # vertebrae
    r"|[A-Z]{1,6}[0-9](?:/[A-Z]{1,6}[0-9])+$"  # genes
    r"|[A-Z0-9-]{1,8}\*[0-9]{1,4}(?:/\*?[0-9]{1,4}|-.*)?$"  # alleles
    r"|[A-Z]{1,6}-?[0-9]{1,2}[A-Z]?$|[A-Z]{1,4}[0-9][A-Z][0-9]$|[0-9]{1,2}[A-Z]{1,2}$"  # markers
    rf"|[0-9]+(?:{expression('ids_units')})$"  # units
    r"|[0-9]{1,2}-[A-Z]{1,2}$|P[0-9]{1,2}/[0-9]{1,2}$"  # parts of a form, pages
    r"|[0-2]?[0-9]H[0-5][0-9]$"  # times
    r"|(?=(?:[A-Z]*[01]){1,3}[A-Z]*$)[A-Z01]{9,20}$"  # a word, misread
    r"|[0-9]+/(?:L|D?ML|[DUF]L|H|MIN)$"  # per litre
    r"|[A-Z]{2,12}/[0-9]{1,2}\.[0-9]{1,2}$"  # a product and its version (RFC 9110, 10.1.5)
    r"|[0-9.,/-]+$"  # no letter at all
)
"""Looks like an id and is none."""
SHORT = re.compile(r"[A-Z]{1,6}-[0-9]{2}[A-Z]$|[A-Z]{2,6}-[0-9]{2,3}$")
"""May be one, right after a word that says so: policy RX-45B."""


def is_shaped(value: str) -> bool:
    """Tell whether a value is an id by its shape: capitals and digits, and no catalogue's code."""
    return MIXED.match(value) is not None and CATALOGUE.match(value) is None


ENDS = r"(?=[,;:)\]|]|\.(?:\s|$)| {2}|[ ]?\n|[ ]?$)"
GROUPS = re.compile(
    rf"(?:(?: [0-9]{{2,6}}|-[0-9]{{1,6}})(?![0-9])){{0,4}}"
    rf"(?: [0-9]{{2,6}}| [0-9]{{1,4}}[OI]{{1,2}}|-[0-9]{{1,6}})(?: [A-Z]{{1,2}}(?!\w))?{ENDS}"
    rf"| [A-Z]{{1,2}}{ENDS}"
)


def grouped(text: str, start: int, end: int) -> tuple[int, int]:
    """Take in the groups of digits that a number goes on with, up to a mark or the line's end."""
    more = GROUPS.match(text, end) if end - start > 3 else None
    return start, more.end() if more else end
