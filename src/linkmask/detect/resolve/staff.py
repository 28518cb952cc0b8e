"""Decides who is staff: whom a label names by a role is a PROVIDER, whoever found the name.

"Case manager: Anna Roth" is staff. A clinician of whom the text says that she is the patient, the
insured, a relative or a neighbour, or of whom it gives an age or a birth date, is a NAME.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import cache, lru_cache

from linkmask.choices import LANGUAGES
from linkmask.detect.candidates import Candidate
from linkmask.detect.lexicon import word_features as w
from linkmask.schema import compiled, expression, types, words
from linkmask.text.letters import word_key

RULE = "staff"
REACH = 90
"""Characters looked at on either side of a name."""
LONGEST = 5
"""Words of a role at most."""
_WORD = re.compile(r"[^\W\d_](?:[\w-]*[^\W_])?")
_NAMED = re.compile(r"[^\W\d_][\w'’-]*")
_DOCTOR = compiled("staff_doctor")
_TITLES = words("titles")["titles"]
_TITLE = compiled("staff_title")
_TITLE_AT = 24
"""Characters before a name in which its title stands."""
_SEPARATORS = ":=|–—-\t "
_PARTED = compiled("staff_parted")
"""What parts clauses; `re` skips fast to a plain set."""
_BRACKET = re.compile(r" ?\([^()\n]{0,24}\)\Z")
_CLOSED = compiled("staff_closed")
"""What stands behind a name that is all a label announces, and no speech: "Nurse: Ann, how are"."""
_CASES = ("", "s", "es", "n", "en", "e")
"""Endings of number and case that a role may bear in a label."""
_BORN = re.compile(expression("staff_born"))
"""A person's age or birth date, said right behind the name."""
_COPULA = compiled("staff_copula")
_WHOM = w.SUBJECT | w.CALLED | w.KIN


def mark_staff_as_providers(text: str, found: Sequence[Candidate]) -> list[Candidate]:
    """Return the disjoint candidates of a text, each person a NAME or a PROVIDER by its context."""
    private: set[frozenset[str]] = set()
    staff: set[int] = set()
    """Where the names end that have a role."""
    for one in found:
        if one.type == types.NAME or _is_clinician(one):
            before = _before_name(text, one.start)
            if _is_subject(text, one, before):
                private.add(_name_words(text[one.start : one.end]))
            elif one.type == types.NAME and _has_role(text, one, before):
                staff.add(one.end)
    if not private and not staff:
        return list(found)
    words = frozenset[str]().union(*private)
    lone = frozenset[str]().union(*(name for name in private if len(name) == 1))

    def decided(one: Candidate) -> Candidate:
        if one.type != types.NAME and not _is_clinician(one):
            return one
        name = _name_words(text[one.start : one.end])
        if name in private or not lone.isdisjoint(name) or (len(name) == 1 and name <= words):
            title = _DOCTOR.match(text, one.start, one.end)
            start = title.end() if title and title.end() < one.end else one.start
            return one._replace(start=start, type=types.NAME)
        if one.end in staff:
            return one._replace(type=types.PROVIDER, rule=f"{one.rule}+{RULE}".lstrip("+"))
        return one

    return list(map(decided, found))


def asks_for_one(label: str) -> bool:
    """Tell whether a label asks for a member of staff: "Treating physician", "Name des Arztes"."""
    words = [word for word in _words_of(label) if word not in _lists()["asking"]]
    if not _lists()["deeds"].isdisjoint(words):
        return False
    ends = [" ".join(words[-n:]) for n in range(1, min(LONGEST, len(words)) + 1)]
    cased = ((form, ending) for form in ends for ending in _CASES if form.endswith(ending))
    return any(form.removesuffix(ending) in _lists()["labels"] for form, ending in cased)


@cache
def _lists() -> Mapping[str, frozenset[str]]:
    """Return the lists of staff.toml, each entry as its words joined by blanks, folded."""
    words = {
        name: frozenset(" ".join(_words_of(one)) for one in w.spellings(text))
        for name, text in w.tables("staff").items()
    }
    words["labels"] |= frozenset().union(*(words[f"roles_{one}"] | words[one] for one in LANGUAGES))
    return words


@lru_cache(maxsize=1 << 12)
def _words_of(text: str) -> tuple[str, ...]:
    """Return the folded words of a label or a clause; "L'infirmière" has two."""
    return tuple(map(word_key, _WORD.findall(text)))


@lru_cache(maxsize=1 << 12)
def _name_words(name: str) -> frozenset[str]:
    words = [word_key(word) for word in _NAMED.findall(name)]
    kept = [word for word in words if not w.FEATURES[word] & (w.TITLE | w.CLINICIAN | w.BETWEEN)]
    return frozenset(kept or words)


def _is_clinician(one: Candidate) -> bool:
    return one.type == types.PROVIDER and "clinician" in one.rule.split("+")


def _before_name(text: str, start: int) -> str:
    """Return what stands before a name and its title."""
    before = text[max(start - REACH, 0) : start]
    titled = _TITLE.search(before, max(len(before) - _TITLE_AT, 0))
    return before[: titled.start()] if titled else before


def _label_of(before: str) -> tuple[str, bool]:
    """Return the words directly before a name, and whether they are its label."""
    bare = before.rstrip(" \t\n\xa0")
    gap = before[len(bare) :]
    head = bare.rstrip(_SEPARATORS + "*_").rstrip(".").rstrip()
    mark = bare[len(head) :]
    spaced = "\t" in gap or len(gap) > 1 or (gap and " " in mark and mark.strip("._ "))
    labelled = ":" in mark or "=" in mark or ("\n" not in gap and ("|" in mark or bool(spaced)))
    if labelled and head.endswith(")"):
        head = _BRACKET.sub("", head)
    return _PARTED.split(head)[-1].strip(" *_•>-") if labelled or gap == " " else "", labelled


def _has_role(text: str, one: Candidate, before: str) -> bool:
    """Does a label name a role, or the name bear a clinician's title?"""
    label, labelled = _label_of(before)
    after = text[one.end : one.end + REACH]
    closed = not after.strip(" .,") or _CLOSED.match(after) is not None
    titled = "title" not in one.rule.split("+") and _DOCTOR.match(text, one.start, one.end)
    return bool(titled or (labelled and closed and asks_for_one(label)))


def _is_subject(text: str, one: Candidate, before: str) -> bool:
    """Is it the patient, the insured, a relative: by an age, a label, or what is said of him?"""
    if _BORN.match(text, one.end) or _is_insured(text, one.end):
        return True
    label, labelled = _label_of(before)
    words = _words_of(label)[-LONGEST:]
    if labelled:
        whose = any(_is_private(word) or w.FEATURES[word] & w.NAMING for word in words)
        return whose and not asks_for_one(label)
    return bool(words and _is_private(words[-1]) and not before.rstrip().endswith("."))


def _is_private(word: str) -> bool:
    """Is it a word for the document's person, a relative, a neighbour or a friend?"""
    return bool(w.FEATURES[word] & _WHOM) or word_key(word) in _lists()["private"]


def _is_insured(text: str, end: int) -> bool:
    """Does the clause behind a name say that its bearer is insured, a patient, or was operated on?

    Between "is" and that word stand only function words and numbers. "Is the patient's physician"
    says it of nobody.
    """
    copula = _COPULA.match(text, end)
    for word in copula[1].split() if copula else ():
        if w.FEATURES[word] & w.SUBJECT or word_key(word) in _lists()["undergone"]:
            return True
        if (
            not w.FEATURES[word] & (w.FUNCTION | w.NUMBER)
            or word_key(word) in _lists()["of_others"]
        ):
            return False
    return False
