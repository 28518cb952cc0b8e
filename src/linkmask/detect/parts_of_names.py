"""Finds the words of a full name where they stand alone in the same document.

"Requested for: Hjördis Blöndal … Hjördis needs it": a form, a table or the tagger told the whole
name, and nothing else tells that its words are names.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping

from linkmask.detect.candidates import Candidate
from linkmask.detect.lexicon import word_features as w
from linkmask.detect.resolve import LEARNED
from linkmask.schema import types

SURE = 0.9
"""Score from which a full name that only the tagger found tells the words of a name."""
LONGEST = 5
"""Words of a full name, at most."""
SHORTEST = 3
"""Letters of a word that is looked for."""
_WORD = re.compile(
    r"(?<![\w@/.-])(?<![Tt]he )(?<! a )(?<! an )"
    r"[^\W\d_a-zß-öø-ÿ][^\W\d_]{2,30}+(?![\w@/-]|\.\w| [^\W\d_a-zß-öø-ÿ])"
)
"""A word with a capital, alone: no part of an address, none before another with a capital, and
none behind an article ("the Lake")."""
_SMALL = re.compile(r"(?<!\w)[^\W\d_A-Z]\w*")
"""A word that begins with a small letter, or with a capital beyond ASCII."""
_PARTS = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)?")
_COMMON = (
    w.FUNCTION | w.STOP | w.GENERIC | w.TITLE | w.CLINICIAN | w.THING | w.LABEL | w.NUMBER
    | w.PLACE | w.COUNTRY | w.KIN | w.CALENDAR | w.CONDITION | w.TREATMENT | w.PARTICLE
)  # fmt: skip
"""What a word must not be, besides a name."""


def words_of_names(text: str, found: Iterable[Candidate]) -> Mapping[str, str]:
    """Return the words of the full names found in a text, in small letters → their type."""
    words: dict[str, str] = {}
    for one in found:
        if one.type != types.NAME or (one.detector == LEARNED and one.score < SURE):
            continue
        parts = _PARTS.findall(text[one.start : one.end])
        if 1 < len(parts) <= LONGEST and all(part[0].isupper() for part in parts):
            words.update({part.lower(): one.type for part in parts if _tells(part)})
    return words


def _tells(part: str) -> bool:
    marks = w.MARKS[part] | w.MARKS[part.capitalize()]
    return len(part) >= SHORTEST and not marks & _COMMON


def parts_of_names(
    text: str, words: Mapping[str, str], found: Iterable[Candidate]
) -> Iterator[Candidate]:
    """Yield words of full names that stand where nothing else was found. Takes linear time.

    A word that the text also has in small letters is no name.
    """
    hits = [hit for hit in _WORD.finditer(text) if hit[0].lower() in words]
    if not hits:
        return
    taken = bytearray(len(text))
    for one in found:
        taken[one.start : one.end] = b"\x01" * (one.end - one.start)
    free = [hit for hit in hits if not any(taken[hit.start() : hit.end()])]
    small = set(_SMALL.findall(text)) if free else ()
    for hit in free:
        if (word := hit[0].lower()) not in small:
            yield Candidate(*hit.span(), words[word], "lexicon", "name again", 0.6)
