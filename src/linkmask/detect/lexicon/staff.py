"""Separates staff from patients: a name with a role beside it becomes a PROVIDER.

This holds for names of every source. A role is a label ("Case manager: Anna Roth"), or stands
before the name ("the nurse, Anneke"), after it ("Anna Roth, RN", "Anna Roth (infirmière)") or below
it in a signature. It does not count for somebody whom the text calls the patient or the insured,
gives an age or a birth date, or names as a relative. Staff in one place is staff throughout the
text.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from linkmask.detect.candidates import Candidate
from linkmask.detect.lexicon import roles
from linkmask.detect.lexicon import word_features as w
from linkmask.schema import expression, types, types_of
from linkmask.text.letters import word_key

RULE = "staff"
PERSONS = types_of("person", "provider")

_MOST = 50
"""Persons of a text looked at who share a part of their name."""
_BORN = re.compile(expression("staff_born"))
_NAMED = re.compile(r"[^\W\d_][\w'’-]*")


# ── the text's persons ──────────────────────────────────────────────────────────────────────────


def mark_staff_as_providers(text: str, found: Sequence[Candidate]) -> list[Candidate]:
    """Return the disjoint candidates of a text, each person a NAME or a PROVIDER by its context."""
    people = [one for one in found if one.type in PERSONS and _a_person(one)]
    if not people:
        return list(found)
    cast = _cast(text, people)
    return [_decided(text, one, cast) if one.type in PERSONS else one for one in found]


class _PersonRoles(NamedTuple):
    """Who is who in a text; `told`: where the names end beside which it is said of staff."""

    subjects: _NameIndex
    doctors: _NameIndex
    """Subjects with a clinician's title."""
    staff: _NameIndex
    others: _NameIndex
    told: set[int]


def _cast(text: str, people: Iterable[Candidate]) -> _PersonRoles:
    cast = _PersonRoles(_NameIndex(), _NameIndex(), _NameIndex(), _NameIndex(), set())
    end = 0
    for one in people:
        name = _name_words(text, one)
        listed = one.start - end < 6 and end in cast.told and _joins(text[end : one.start])
        before = roles.before_name(text, one.start)
        label = roles.label_of(before)
        if _born(text, one) or _of_subject(text, one, label):
            cast.subjects.add(name)
            if _DOCTOR.match(text, one.start):
                cast.doctors.add(name)
        elif _clinician(one):
            cast.staff.add(name)
        elif listed or _has_role_or_title(text, one, before, label) or _serves(text, one):
            cast.told.add(one.end)
            cast.staff.add(name)
        end = one.end
    for one in people:
        name = _name_words(text, one)
        if one.end not in cast.told and len(name) > 1 and not cast.staff.has(name):
            cast.others.add(name)
    return cast


def _decided(text: str, one: Candidate, cast: _PersonRoles) -> Candidate:
    """Return the find of a person or a body, a person's type as the text says."""
    name = _name_words(text, one)
    if one.type == types.NAME:
        alone = len(name) > 1 or not (cast.subjects.share(name) or cast.others.share(name))
        of_staff = one.end in cast.told or (alone and cast.staff.has(name))
        of_staff = of_staff and not cast.subjects.same(name)
        return _as_staff(text, one) if of_staff else _as_subject(text, one)
    return _as_subject(text, one) if _clinician(one) and cast.doctors.has(name) else one


class _NameIndex:
    """Names of persons, each as the set of its parts, known by each part."""

    def __init__(self) -> None:
        self._by_part: dict[str, dict[frozenset[str], None]] = {}

    def add(self, name: frozenset[str]) -> None:
        """Add a name; of those that share a part, the first `_MOST` are kept."""
        for part in name:
            known = self._by_part.setdefault(part, {})
            if len(known) < _MOST:
                known[name] = None

    def share(self, name: frozenset[str]) -> bool:
        """Tell whether any of them has a part of the name."""
        return not self._by_part.keys().isdisjoint(name)

    def same(self, name: frozenset[str]) -> bool:
        """Tell whether it is the name of one of them, a part of it, or an extension of it."""
        return any(name <= one or one <= name for one in self._near(name))

    def has(self, name: frozenset[str]) -> bool:
        """Tell whether it is a name of one of them or a part of it: "P. Sundaram"."""
        full = {part for part in name if len(part) > 1}
        return bool(full) and any(
            full <= one and all(any(part[0] == at for part in one) for at in name - full)
            for one in self._near(full)
        )

    def _near(self, name: Iterable[str]) -> Iterator[frozenset[str]]:
        for part in name:
            yield from self._by_part.get(part, ())


def _a_person(one: Candidate) -> bool:
    return one.type == types.NAME or _clinician(one)


def _clinician(one: Candidate) -> bool:
    return one.type == types.PROVIDER and "clinician" in _rules(one.rule)


@lru_cache(maxsize=1 << 10)
def _rules(rule: str) -> frozenset[str]:
    return frozenset(rule.split("+"))


def _name_words(text: str, one: Candidate) -> frozenset[str]:
    return _name_words_of(text[one.start : one.end])


@lru_cache(maxsize=1 << 12)
def _name_words_of(name: str) -> frozenset[str]:
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
    start = titled.end() if titled and titled.end() < one.end else one.start
    return one._replace(start=start, type=types.NAME)


_TITLED = re.compile(r"(?<!\w)(?:Nurse|Schwester|Pfleger(?:in)?|Dre|Dresse) \Z")
_DOCTOR = re.compile(r"(?:(?:Dr|Prof|Pr|Doctor|Docteur|Doktor)\b\.? {0,2}(?:med\. ?)?){1,3}")


def _born(text: str, one: Candidate) -> bool:
    """Is a person's age or birth date said right behind the name?"""
    return _BORN.match(text, one.end) is not None


def _joins(gap: str) -> bool:
    return gap.strip(" \n").lower() in {"and", "et", "und", "&", "/", "+"}


# ── who is the patient ──────────────────────────────────────────────────────────────────────────


def _of_subject(text: str, one: Candidate, labelled: tuple[str, str]) -> bool:
    """Does a label before a name or a predicate behind it make its bearer the patient, the insured?

    A clinician's title is borne by patients, too: "patient Dr. Marsh", "Dr. Mayer is insured".
    """
    if not _clinician(one):
        return _subject(*labelled) or _is_subject(text, one.end)
    last = roles.words_of(labelled[0])[-1:]
    ended = roles.before_name(text, one.start).rstrip().endswith(".")
    if last and w.MARKS[last[0]] & w.SUBJECT and not (ended or _IN_FULL.match(text, one.start)):
        return True
    return _is_subject(text, one.end)


def _is_subject(text: str, end: int) -> bool:
    """Does the clause behind a name say that its bearer is insured or a patient?

    Between "is" and that word, and right behind it, stand only function words and numbers: "is the
    patient's physician" says it of nobody.
    """
    copula = _COPULA.match(text, end)
    if not copula:
        return False
    words = _PREDICATE.findall(text, copula.end(), copula.end() + roles.REACH)
    for at, (gap, word) in enumerate(words):
        m = w.MARKS[word]
        if gap.strip():
            return False
        if m & w.SUBJECT:
            after, behind = words[at + 1] if at + 1 < len(words) else (".", "")
            closed = after.strip()[:1]
            return closed in _CLAUSE_ENDS if closed else bool(w.MARKS[behind] & w.FUNCTION)
        if not m & (w.FUNCTION | w.NUMBER) or word in _OF_OTHERS:
            return False
    return False


_IN_FULL = re.compile(r"(?:Doctor|Docteur|Doktor)\b")
"""A title that somebody is addressed by: "Patient: Doctor Lin, my knee hurts"."""
_COPULA = re.compile(r"[ \n](?:is|was|ist|war|est|était)(?!\w)")
_PREDICATE = re.compile(r"([^\w\n]+|\n)(\w+)")
_CLAUSE_ENDS = frozenset(".,;:!?)")
_OF_OTHERS = {"with", "by", "for", "from", "of", "to", "avec", "par", "pour", "mit", "von", "für"}
"""Words behind which another is spoken of: "was with a member of staff"."""


def _subject(label: str, how: str) -> bool:
    """Is a name that is labelled so the patient's, the insured's, a relative's?"""
    if not label and how != ":":
        return False
    words = roles.words_of(label)[-roles.LONGEST :]
    if how == ":":
        return any(w.MARKS[word] & _WHOM for word in words) and not roles.asks_for_one(label)
    last = w.MARKS[words[-1]] if words else 0
    of_staff = words[-1:] and words[-1] in roles.staff_lists().roles  # "Schwester" is either
    owned = words[-2:-1] and words[-2] in roles.staff_lists().articles
    kin = last & w.KIN and (owned or not of_staff)
    return bool((last & (w.SUBJECT | w.CALLED) and how == " ") or kin)


_WHOM = w.SUBJECT | w.CALLED | w.KIN | w.NAMING


# ── who is staff ────────────────────────────────────────────────────────────────────────────────


def _has_role_or_title(text: str, one: Candidate, before: str, labelled: tuple[str, str]) -> bool:
    """Does a role stand beside the name, or a clinician's title in it?"""
    lists = roles.staff_lists()
    role = _role_inside(text, one)
    label, how = roles.label_of(before + role) if role else labelled
    after = text[one.end : one.end + roles.REACH]
    if label and how == ":":
        form_asks = roles.asks_for_one(label) or roles.done_by(label, lists.handled)
        if form_asks and roles.ends_value(after):
            return True
    elif label and (
        roles.ends_with_role(label, how) or (how == " " and roles.done_by(label, lists.treated))
    ):
        return True
    rules = _rules(one.rule)
    titled = "title" not in rules and _DOCTOR.match(text, one.start, one.end)
    return bool(titled) or roles.role_follows(before, after)


def _role_inside(text: str, one: Candidate) -> str:
    """Return the role with which the find itself begins, and its blank: "Pfleger Jannik"."""
    first, gap, _ = text[one.start : one.end].partition(" ")
    role = gap and first.istitle() and word_key(first) in roles.staff_lists().roles
    return first + gap if role else ""


def _serves(text: str, one: Candidate) -> bool:
    """Does the person answer for an insurer or a practice: "Obi: Hello, how can I help?"?"""
    begin = text.rfind("\n", max(one.start - _LINE, 0), one.start) + 1
    end = text.find("\n", one.end, one.end + _LINE)
    speaks = _CLOCK.fullmatch(text, begin, one.start) and _SPEAKER.match(text, one.end)
    if not speaks and not _THIS_IS.search(text, max(begin, one.start - 24), one.start):
        return False
    line = text[begin : end if end > 0 else one.end + _LINE].lower()
    return any(formula in line for formula in roles.staff_lists().greeting)


_LINE = 200
_CLOCK = re.compile(r"[\d\[\](){}:.,\s-]{0,24}")
_SPEAKER = re.compile(r"[^\n:]{0,20}(?:\d\d?:\d\d)?[^\n:]{0,6}:(?!\S)")
_THIS_IS = re.compile(
    r"(?i)(?<!\w)(?:this is|my name(?: is|['’]s)|i['’]m|je m['’]appelle|ici"
    r"|mein name ist|ich bin) \Z"
)
