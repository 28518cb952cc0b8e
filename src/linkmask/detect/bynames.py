"""Finds further names of a text's persons: bynames, and given names that elsewhere are places.

"Thandolwethu Mthembu ("Thando")" may be called Thando in the rest of the text; where "Van" is short
for Vartan, it is not a lake. These rules run last because they need the persons already found.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from linkmask.detect.candidates import Candidate
from linkmask.detect.lexicon import word_features as w
from linkmask.detect.relevance.rarity import is_everyday
from linkmask.schema import expression, types, types_of

_OPEN, _CLOSE = "\"“„«‘'", "\"”“»’'"
_BYNAME = r"(?P<name>[^\W\d_a-zß-öø-ÿ][^\W\d_]{1,15}(?:[-'’][^\W\d_]{1,12})?)"
_CUE = expression("bynames_cue")
_BESIDE = re.compile(
    rf",? ?(?:[(\[,] ?)?(?:(?:(?:he|she|they|il|elle|er|sie|who|qui|der|die) )?{_CUE}:? )?"
    rf"(?:[{_OPEN}] ?{_BYNAME} ?[{_CLOSE}]|(?<=\() ?{_BYNAME.replace('name', 'bare')}(?=\)))"
    rf"|,? (?:[(\[,] ?)?(?:(?:he|she|they|il|elle|er|sie|who|qui) )?{_CUE}:? "
    rf"{_BYNAME.replace('name', 'said')}(?![\w'’-])"
)
"""What somebody is called, behind their name: ("Van"), (Karo), "Beau", aka Rosie."""
_SAYS = re.compile(
    rf"(?i:(?<!\w)(?:goes by|calls (?:him|her)self|(?:likes|prefers|wants) to be called"
    rf"|se fait appeler|nennt sich)) [{_OPEN}]?{_BYNAME}(?![\w-])"
)
_SAYING = ("goes by", "be called", "calls h", "fait appeler", "nennt sich")
_PLACED = re.compile(
    expression("bynames_placed"),
    re.IGNORECASE,
)
"""Behind what a word is a place, whoever is named like it."""
_NO_BYNAME = (
    w.FUNCTION | w.STOP | w.GENERIC | w.CONDITION | w.CONDITION_HEAD | w.TREATMENT | w.KIN | w.LABEL
    | w.TREATMENT_HEAD | w.MODIFIER | w.PRACTICE | w.EITHER | w.HEALTH | w.ROLE | w.STAFF | w.FIELD
    | w.ORGANIZATION | w.OCCUPATION | w.DEMOGRAPHIC | w.NO_VALUE | w.LETTERS | w.TITLE | w.STATE
    | w.CALENDAR | w.NATIONALITY | w.CLINICIAN
)  # fmt: skip
_OTHERWISE = types_of("place", "organization") | {types.EVENT, types.UNIQUE_FACT, types.TREATMENT}
"""Types under which one word is looked at again."""
_WORD = re.compile(r"[^\W\d_]+(?:[-'’](?![sS]\b)[^\W\d_]+)*")
_SENTENCE_END = re.compile(r"[.!?]\s")
_SHORTEST = 3
"""Letters of a name that is looked for in the whole text."""
_MOST = 3
"""Words of a span that a person's name may be with a word more."""
_BELIEVED = 0.6
"""How sure a name is whose words are names elsewhere, too."""
_FIELDS = frozenset({"fields", "tables"})
"""Who finds names by what a form calls them."""
_HEADS = w.PRACTICE | w.EITHER | w.INSTITUTION | w.ORGANIZATION | w.HEALTH | w.PLACE_HEAD
"""Words that a body's name begins with: "Hôpital Georges-Pompidou"."""
_BODIES = types_of("place", "organization")
_SHAPE = w.CAP | w.UPPER | w.PHRASE | w.WORK | w.SURNAME
"""What an unknown word and a surname have: no other list."""


def with_bynames(text: str, spans: Sequence[Candidate]) -> list[Candidate]:
    """Return the disjoint spans of a text, with those of further names of its persons."""
    persons = [one for one in spans if one.type == types.NAME]
    if not persons:
        return list(spans)
    bynames = dict(_bynames(text, persons))
    names = [_WORD.findall(text[one.start : one.end]) for one in persons]
    given = _given(names)
    parts = {word for words in names for word in words if not w.MARKS[word] & _NO_BYNAME}
    again = {word for word in _sure(text, persons) if word in parts and _own(word)}
    kept: list[Candidate] = []
    for one in spans:
        word = _alone(text, one) if one.type in _OTHERWISE else ""
        if word in bynames or (word in given and not _placed(text, one)):
            kept.append(_byname(one.start, one.start + len(word)))
        elif one.detector == "ner" and one.type in _BODIES and _whole_name(text, one, parts):
            kept.append(one._replace(type=types.NAME, rule="called"))
        elif one.type not in _OTHERWISE or not _over_sentences(text, one, bynames):
            kept.append(one)
    return _filled(text, kept, bynames, again) if bynames or again else kept


def _byname(start: int, end: int) -> Candidate:
    return Candidate(start, end, types.NAME, "lexicon", "called", 0.7)


def _bynames(text: str, persons: Sequence[Candidate]) -> Iterator[tuple[str, int]]:
    """Yield what persons are called, and where it says so."""
    for one in persons:
        if beside := _BESIDE.match(text, one.end):
            kind = beside.lastgroup or ""
            name = beside[kind]
            m = w.MARKS[name]
            sure = kind != "bare" or m & w.GIVEN or _short_for(name, text[one.start : one.end])
            if sure and not name.isupper() and (m & w.GIVEN or not m & _NO_BYNAME):
                yield name, beside.start(kind)
    small = text.lower()
    if any(cue in small for cue in _SAYING):
        for said in _SAYS.finditer(text):
            if not w.MARKS[said["name"]] & _NO_BYNAME:
                yield said["name"], said.start("name")


def _short_for(byname: str, name: str) -> bool:
    """Is it a piece of a name: Karo for Oghenekaro, Kasia for Katarzyna?"""
    small = byname.lower()
    words = _WORD.findall(name.lower())
    return any(small in word or small[:2] == word[:2] for word in words)


def _given(names: Iterable[Sequence[str]]) -> set[str]:
    """Return the given names of persons who are named with more than one word."""
    return {
        word
        for words in names
        if len(words) > 1
        for word in words
        if w.MARKS[word] & w.GIVEN and len(word) >= _SHORTEST
    }


def _alone(text: str, one: Candidate) -> str:
    """Return the only word of a span, without a possessive; "" if there are more."""
    word = _WORD.match(text, one.start, one.end)
    rest = text[word.end() : one.end] if word else "?"
    return word[0] if word and rest in {"", "'s", "’s"} else ""


def _over_sentences(text: str, one: Candidate, bynames: dict[str, int]) -> bool:
    """Does a span with a byname in it reach over the end of a sentence: "Van. Van said"?"""
    if not bynames or not _SENTENCE_END.search(text, one.start, one.end):
        return False
    return any(word in bynames for word in _WORD.findall(text, one.start, one.end))


def _whole_name(text: str, one: Candidate, parts: set[str]) -> bool:
    """Is it a person's name with a word more, which is nothing else: Zelko Morvel for Morvel?"""
    words = _WORD.findall(text, one.start, one.end)
    more = [w.MARKS[word] for word in words if word not in parts]
    if not 1 < len(words) <= _MOST or len(more) > 1 or len(more) == len(words):
        return False
    before = _WORD.findall(text[max(one.start - 24, 0) : one.start])
    if _placed(text, one) or (before and w.MARKS[before[-1]] & _HEADS):
        return False  # "Hôpital Georges-Pompidou"
    plain = all(m & w.GIVEN or not m & ~_SHAPE for m in more)
    return plain and text[one.start : one.end].replace("'", " ").split() == words


def _placed(text: str, one: Candidate) -> bool:
    """Does it stand where a place does, or is it one that a list knows?"""
    if one.detector != "ner" and w.MARKS[text[one.start : one.end]] & w.PLACE:
        return True
    return _PLACED.search(text, max(one.start - 12, 0), one.start) is not None


def _sure(text: str, persons: Sequence[Candidate]) -> Iterator[str]:
    """Yield the words of names that are believed: in fields, or where letter case says nothing."""
    for one in persons:
        name = text[one.start : one.end]
        field = one.detector in _FIELDS
        if one.score >= _BELIEVED and (field or name.islower() or name.isupper()):
            least = _SHORTEST if field else _SHORTEST + 1
            yield from (word for word in _WORD.findall(name) if len(word) >= least)


def _own(word: str) -> bool:
    """Is a word of a name none that is said otherwise?"""
    m = w.MARKS[word]
    plain = not m & (w.PLACE | w.THING | w.WORDY | w.OCCUPATION)
    return plain and not is_everyday(word.lower())


def _filled(
    text: str, spans: list[Candidate], bynames: dict[str, int], again: set[str]
) -> list[Candidate]:
    """Return the spans, and bynames and words of names where they stand in none."""
    found = list(spans)
    taken = bytearray(len(text))
    for one in spans:
        taken[one.start : one.end] = b"\x01" * (one.end - one.start)
    for word in _WORD.finditer(text):
        if taken.find(1, *word.span()) >= 0:
            continue
        free = word[0] in bynames
        if word[0] in again or (
            free and (len(word[0]) >= _SHORTEST or word.start() == bynames[word[0]])
        ):
            found.append(_byname(*word.span()))
    return sorted(found)
