"""Finds the words of a full name where they stand alone in the same document.

"Requested for: Hjördis Blöndal … Hjördis needs it": a form, a table or the tagger told the whole
name, and nothing else tells that its words are names.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping

from linkmask.detect.candidates import Candidate
from linkmask.detect.lexicon import CLINICIAN
from linkmask.detect.lexicon import word_features as w
from linkmask.detect.resolve import LEARNED
from linkmask.schema import types

SURE = 0.9
"""Score from which a full name that only the tagger found tells the words of a name."""
TOLD = 0.7
"""Score from which a name of one word, and a clinician's, that the lexicon found tells a name."""
LONGEST = 5
"""Words of a full name, at most."""
SHORTEST = 3
"""Letters of a word that is looked for."""
_CAPITAL = r"[^\W\d_a-zß-öø-ÿ]"
_WORD = re.compile(
    rf"(?<![\w@/.-])(?<! a )(?<! an ){_CAPITAL}[^\W\d_]{{2,30}}+(?![\w@/-]|\.\w)"
    rf"(?:(?= (?P<next>{_CAPITAL}[^\W\d_]*)))?"
)
"""A word with a capital, and the next one, if that has a capital, too; no part of an address."""
_THE = re.compile(r"[Tt]he $")
_SMALL = re.compile(r"(?<![\w@/\\.-])[^\W\d_A-Z]\w*+(?![@/\\-]|\.\w)")
"""A word that begins with a small letter, or with a capital beyond ASCII; no part of an address."""
_ENDS = ("", "s", "es")
"""Of a name and of its plural: "the Finches"."""
_PARTS = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)?")
_COMMON = (
    w.FUNCTION | w.STOP | w.GENERIC | w.TITLE | w.CLINICIAN | w.THING | w.LABEL | w.NUMBER
    | w.PLACE | w.COUNTRY | w.KIN | w.CALENDAR | w.CONDITION | w.TREATMENT | w.PARTICLE
)  # fmt: skip
"""What a word must not be, besides a name."""


def words_of_names(text: str, found: Iterable[Candidate]) -> Mapping[str, str]:
    """Return the words of the names found in a text and their plurals, small → their type.

    A clinician is named again by the last word alone.
    """
    words: dict[str, str] = {}
    for one in found:
        clinician = one.rule == CLINICIAN
        if not (one.type == types.NAME or clinician):
            continue
        parts = _PARTS.findall(text[one.start : one.end])
        if len(parts) > LONGEST or not all(part[0].isupper() for part in parts):
            continue
        if len(parts) < 2 or clinician:
            told = one.detector != LEARNED and one.score >= TOLD
            parts = [part for part in parts[-1:] if told and not w.MARKS[part] & w.WORDY]
        elif one.detector == LEARNED and one.score < SURE:
            continue
        for part in filter(_tells, parts):
            words |= dict.fromkeys((part.lower() + end for end in _ENDS), one.type)
    return words


def _tells(part: str) -> bool:
    marks = w.MARKS[part] | w.MARKS[part.capitalize()]
    return len(part) >= SHORTEST and not marks & _COMMON


def _stands_alone(text: str, hit: re.Match[str], words: Mapping[str, str]) -> bool:
    """Is a word no part of a thing's name: "the Lake", "Finch Inn"?"""
    then = hit["next"]
    if not hit[0].endswith("s") and _THE.search(text, max(hit.start() - 4, 0), hit.start()):
        return False
    return not then or then.lower() in words or (then.isupper() and len(then) > 1)


def parts_of_names(
    text: str, words: Mapping[str, str], found: Iterable[Candidate]
) -> Iterator[Candidate]:
    """Yield words of names that stand where nothing else was found. Takes linear time.

    A word that the text also has in small letters is no name.
    """
    hits = [hit for hit in _WORD.finditer(text) if hit[0].lower() in words]
    hits = [hit for hit in hits if _stands_alone(text, hit, words)]
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
