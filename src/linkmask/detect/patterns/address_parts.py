"""Widens an address over the parts of it that stand right beside it.

Flat, floor, postcode and town are parts of an address, in whatever order a country writes them
(UPU S42).
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from linkmask import schema
from linkmask.detect.candidates import Candidate
from linkmask.detect.patterns.rule import words
from linkmask.schema import types

PART = (
    rf"(?:{words(schema.words('addresses')['parts'], point=True)}\s?(?:n[.º°]{{1,2}}\s?|#)?"
    r"[\"“]?[\w/-]{0,6}[\"”]?(?![\w])|[0-9]{1,3}\.?\s?[ºª°](?:\s?[\w.]{1,6})?)"
)
"""A part of a house: "Apt. 4", "3.º Esq.", "Stiege 3"."""
CODE = (
    r"(?:(?i:C\.?P\.?|CEP)\s)?(?:[A-Z]{1,2}-)?(?:[0-9]{5}(?:-[0-9]{3})?|[0-9]{4}-[0-9]{3}"
    r"|[0-9]{4}(?:\s?[A-Z]{2})?|[A-Z][0-9]{4}[A-Z]{3})"
)
TOWN = (
    r"[^\W\d_a-zà-öø-ÿ][\w'’-]{1,30}(?:[ -](?:[a-z]{1,3} ){0,2}[^\W\d_a-zà-öø-ÿ][\w'’-]{1,30}){0,4}"
)
REGION = r"(?:\s\([^()\n]{2,24}\)|(?:, | - |/| )[A-Z]{2}(?!\w))?"
BEHIND = re.compile(
    rf"(?:(?:,?\s|,?\s?[–-]\s?){PART}|(?:,?\s|\s[–-]\s|\sà\s){CODE}[\s,-]{{1,2}}{TOWN}{REGION})"
)
BEFORE = re.compile(rf"(?:{PART},\s){{1,3}}$|(?<!\w)(?:Van|De|Den|Ter|Ten|Het)\s(?:de[nr]?\s)?$")
POSTCODE = re.compile(
    rf"(?<![\w.,/-])(?:(?:(?i:C\.?P\.?|CEP)\s)?(?:[0-9]{{5}}-[0-9]{{3}}|[0-9]{{4}}-[0-9]{{3}})(?!\w)(?:\s{TOWN})?"
    rf"|(?:[A-Z]{{1,2}}-)?(?:[0-9]{{5}}|[0-9]{{4}}\s?[A-Z]{{2}})[\s,-]{{1,2}}(?:te\s)?{TOWN}{REGION})"
)
"""A postcode that needs no street beside it, with its town."""
TO_CODE = 60
"""Characters between a street and its postcode, at most."""
MOST_WORDS = 8
WORDS = re.compile(r"[^\W\d_]+")
SENTENCE = frozenset(
    schema.words("addresses")["sentence_en"] + schema.words("addresses")["sentence_fr"]
)
ENDED = re.compile(r"(?:[^\W\d_]{4}|[0-9])[.!?]\s|[;:]\s|\n\s*\n|[0-9]{6}|@")
"""What ends a sentence or begins another field."""
WORD_END = re.compile(r"\w{0,8}")
REACH = 40
"""Characters before an address in which parts of it are looked for."""
PARTS = 5
"""Parts behind an address, at most."""


def with_address_parts(text: str, spans: Iterable[Candidate]) -> list[Candidate]:
    """Return the spans, disjoint and sorted; an ADDRESS takes in the parts that stand beside it."""
    whole, end = list[Candidate](), 0
    for span in spans:
        if span.end <= end:
            continue
        one = _with_parts(text, span, end) if span.type == types.ADDRESS else span
        start, end = max(one.start, end), one.end
        whole.append(one._replace(start=start))
    return whole


def _with_parts(text: str, one: Candidate, first: int) -> Candidate:
    before = BEFORE.search(text[max(first, one.start - REACH) : one.start])
    start = one.start - (len(before[0]) if before else 0)
    end = WORD_END.match(text, one.end).end()  # type: ignore[union-attr]
    for _ in range(PARTS):
        behind = BEHIND.match(text, end)
        if not behind:
            break
        end = behind.end()
    code = POSTCODE.search(text, end, end + TO_CODE)
    if code and code.start() > end and _is_within_address(text, end, code.start()):
        end = code.end()
    return one._replace(start=start, end=end)


def _is_within_address(text: str, start: int, end: int) -> bool:
    """Tell whether what stands between a street and a postcode is more of the address."""
    said = [word.lower() for word in WORDS.findall(text, start, end)]
    if len(said) > MOST_WORDS or not SENTENCE.isdisjoint(said):
        return False
    return not ENDED.search(text, start - 1, end)
