"""Decides who is staff: a name with a role beside it becomes a PROVIDER, whoever found the name.

A role is a label ("Case manager: Anna Roth"), or stands before the name ("the nurse, Anneke"), or
letters stand after it ("Anna Roth, RN"). It does not count for somebody whom the text calls the
patient or the insured, gives an age or a birth date, or names as a relative. `roles` finds the
evidence.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence
from functools import lru_cache

from linkmask.detect.candidates import Candidate
from linkmask.detect.lexicon import word_features as w
from linkmask.detect.resolve import roles
from linkmask.schema import expression, types
from linkmask.text.letters import word_key

RULE = "staff"

_MOST = 50
"""Persons of a text looked at who share a part of their name."""
_NAMED = re.compile(r"[^\W\d_][\w'’-]*")
_TITLED = re.compile(r"(?<!\w)(?:Nurse|Schwester|Pfleger(?:in)?|Dre|Dresse) \Z")
_DOCTOR = re.compile(r"(?:(?:Dr|Prof|Pr|[Dd]octor|[Dd]octeur|Doktor)\b\.? {0,2}(?:med\. ?)?){1,3}")
_IN_FULL = re.compile(r"(?:Doctor|Docteur|Doktor)\b")
"""A title that somebody is addressed by: "Patient: Doctor Lin, my knee hurts"."""


def mark_staff_as_providers(text: str, found: Sequence[Candidate]) -> list[Candidate]:
    """Return the disjoint candidates of a text, each person a NAME or a PROVIDER by its context."""
    people = [one for one in found if one.type == types.NAME or _is_clinician(one)]
    if not people:
        return list(found)
    subjects, titled = _NameIndex(), _NameIndex()
    roles_at: set[int] = set()
    """Where the names end beside which a role stands."""
    for one in people:
        before = roles.before_name(text, one.start)
        if _is_subject(text, one, before):
            name = _name_words(text[one.start : one.end])
            subjects.add(name)
            if _is_clinician(one) or _DOCTOR.match(text, one.start):
                titled.add(name)
        elif not _is_clinician(one) and _has_role(text, one, before):
            roles_at.add(one.end)

    def decided(one: Candidate) -> Candidate:
        name = _name_words(text[one.start : one.end])
        if one.type == types.NAME:
            of_staff = one.end in roles_at and not subjects.same(name)
            return _as_staff(text, one) if of_staff else _as_subject(text, one)
        return _as_subject(text, one) if _is_clinician(one) and titled.same(name) else one

    return [decided(one) for one in found]


class _NameIndex:
    """Names of persons, each as the set of its parts, known by each part."""

    def __init__(self) -> None:
        self._by_part: dict[str, dict[frozenset[str], None]] = defaultdict(dict)

    def add(self, name: frozenset[str]) -> None:
        """Add a name; of those that share a part, the first `_MOST` are kept."""
        for part in name:
            if len(known := self._by_part[part]) < _MOST:
                known[name] = None

    def same(self, name: frozenset[str]) -> bool:
        """Tell whether it is the name of one of them, a part of it, or an extension of it."""
        near = (one for part in name for one in self._by_part.get(part, ()))
        return any(name <= one or one <= name for one in near)


def _is_clinician(one: Candidate) -> bool:
    return one.type == types.PROVIDER and "clinician" in _rules(one.rule)


@lru_cache(maxsize=1 << 10)
def _rules(rule: str) -> frozenset[str]:
    return frozenset(rule.split("+"))


@lru_cache(maxsize=1 << 12)
def _name_words(name: str) -> frozenset[str]:
    words = [word_key(word) for word in _NAMED.findall(name)]
    kept = [word for word in words if not w.MARKS[word] & (w.TITLE | w.CLINICIAN | w.BETWEEN)]
    return frozenset(kept or words)


def _as_staff(text: str, one: Candidate) -> Candidate:
    """Return the find as PROVIDER, with a title that belongs to it ("Schwester Agnieszka"), without
    a role that does not ("Hebamme Agnieszka")."""
    start = one.start
    if before := _TITLED.search(text[max(start - 14, 0) : start]):
        start -= len(before[0])
    elif role := _role_inside(text, one):
        start += 0 if _TITLED.fullmatch(role) else len(role)
    return one._replace(start=start, type=types.PROVIDER, rule=f"{one.rule}+{RULE}".lstrip("+"))


def _as_subject(text: str, one: Candidate) -> Candidate:
    """Return the find as NAME, without a clinician's title: the bearer is no clinician here."""
    titled = _DOCTOR.match(text, one.start, one.end)
    title = len(titled[0]) if titled else len(_role_inside(text, one))
    start = one.start + title if one.start + title < one.end else one.start
    return one._replace(start=start, type=types.NAME)


# ── who is the patient ──────────────────────────────────────────────────────────────────────────

_BORN = re.compile(expression("staff_born"))
"""A person's age or birth date, said right behind the name."""
_APPOSITION = re.compile(r"(\w+)(?:, (?:[\w.-]+ ){0,3}| ?: (?:[\w.-]+ )?)\Z")
_COPULA = re.compile(r"[ \n](?:is|was|has been|ist|war|wurde|est|était|a été)(?!\w)")
_PREDICATE = re.compile(r"([^\w\n]+|\n)(\w+)")
_CLAUSE_ENDS = frozenset(".,;:!?)")
_OF_OTHERS = {"with", "by", "for", "from", "of", "to", "avec", "par", "pour", "mit", "von", "für"}
"""Words behind which another is spoken of: "was with a member of staff"."""
_WHOM = w.SUBJECT | w.CALLED | w.KIN


def _is_subject(text: str, one: Candidate, before: str) -> bool:
    """Is it the patient, the insured, a relative: by an age, a label, or what is said of him?

    A clinician's title is borne by patients, too: "patient Dr. Marsh", "Dr. Mayer is insured".
    """
    if _BORN.match(text, one.end) or _is_insured(text, one.end):
        return True
    label, how = roles.label_of(before)
    words = roles.words_of(label)[-roles.LONGEST :]
    last = w.MARKS[words[-1]] if words else 0
    apposed = _APPOSITION.search(before + _role_inside(text, one))
    if apposed and _is_private(apposed[1]):
        ends = roles.ends_value(text[one.end : one.end + roles.REACH])
        if ":" not in apposed[0] or (ends and not roles.asks_for_one(apposed[1])):
            return True  # "the insured, nurse Ann Roy", "Neighbour: nurse Ann Roy"
    if _is_clinician(one):
        closed = before.rstrip().endswith(".") or _IN_FULL.match(text, one.start)
        return bool(words and _is_private(words[-1]) and not last & w.KIN and not closed)
    if how == ":":
        whose = any(_is_private(word) or w.MARKS[word] & w.NAMING for word in words)
        return whose and not roles.asks_for_one(label)
    of_staff = words[-1:] and words[-1] in roles.lists()["roles"]  # "Schwester" is either
    owned = words[-2:-1] and words[-2] in roles.lists()["articles"]
    if last & w.KIN:
        return bool(owned or not of_staff)
    return bool(how == " " and words and _is_private(words[-1]))


def _is_private(word: str) -> bool:
    """Is it a word for the document's person, a relative, a neighbour or a friend?"""
    return bool(w.MARKS[word] & _WHOM) or word_key(word) in roles.lists()["private"]


def _is_insured(text: str, end: int) -> bool:
    """Does the clause behind a name say that its bearer is insured, a patient, or was operated on?

    Between "is" and that word, and right behind it, stand only function words and numbers: "is the
    patient's physician" says it of nobody.
    """
    copula = _COPULA.match(text, end)
    words = _PREDICATE.findall(text, copula.end(), copula.end() + roles.REACH) if copula else []
    for at, (gap, word) in enumerate(words):
        m = w.MARKS[word]
        if gap.strip():
            return False
        if m & w.SUBJECT:
            after, behind = words[at + 1] if at + 1 < len(words) else (".", "")
            closed = after.strip()[:1]
            return closed in _CLAUSE_ENDS if closed else bool(w.MARKS[behind] & w.FUNCTION)
        if word_key(word) in roles.lists()["undergone"]:
            return True
        if not m & (w.FUNCTION | w.NUMBER) or word in _OF_OTHERS:
            return False
    return False


# ── who is staff ────────────────────────────────────────────────────────────────────────────────


def _has_role(text: str, one: Candidate, before: str) -> bool:
    """Does a role stand beside the name, or a clinician's title in it?"""
    label, how = roles.label_of(before + _role_inside(text, one))
    after = text[one.end : one.end + roles.REACH]
    if how == ":":
        if roles.asks_for_one(label) and roles.ends_value(after):
            return True
    elif roles.ends_with_role(label, how):
        return True
    titled = "title" not in _rules(one.rule) and _DOCTOR.match(text, one.start, one.end)
    return bool(titled) or roles.letters_follow(after)


def _role_inside(text: str, one: Candidate) -> str:
    """Return the role with which the find itself begins, and its blank: "Pfleger Jannik"."""
    first, gap, _ = text[one.start : one.end].partition(" ")
    role = gap and first.istitle() and word_key(first) in roles.lists()["roles"]
    return first + gap if role else ""
