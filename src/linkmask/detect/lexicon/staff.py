"""Staff apart from patients: whom a role beside the name makes a PROVIDER, whoever found the name.

A role is a label ("Case manager: Anna Roth"), stands before the name ("the nurse, Anneke"), behind
it ("Anna Roth, RN", "Anna Roth (infirmière)") or below it, where somebody signs. It says nothing of
whom the text calls the patient or the insured, gives an age or a birth date, or names as a
relative. Who is staff once is staff throughout the text.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Iterator, Sequence
from functools import cache, lru_cache
from typing import NamedTuple

from linkmask.detect.found import Found
from linkmask.detect.lexicon import marks as w

RULE = "staff"
PERSONS = frozenset({"NAME", "PROVIDER"})
BY_ROLE = frozenset({"letters", "role"})
"""Rules of the lexicon whose PROVIDER is a person beside whose name something says so."""

_REACH = 90
"""Characters looked at on either side of a name."""
_ROLE = 5
"""Words of a role at most."""
_MOST = 50
"""Persons of a text looked at who share a part of their name."""
_WORD = re.compile(r"[^\W\d_](?:[\w-]*[^\W_])?")
_TITLE = re.compile(
    r"(?:(?<=[\s(,;:|])|^)(?:(?:an?|une?|eine?|einem|einer) )?(?:Mrs|Mr|Ms|Miss|Mx|Mme|Mlle"
    r"|[Mm]adame|[Mm]onsieur|M|Frau|Herrn?|Hr|Fr|Dr|Prof)\b\.? {0,2}\Z"
)
_TITLE_AT = 24
"""Characters before a name in which its title stands."""
_SEPARATORS = ":=|–—-\t "
_PARTED = re.compile(
    r"[\n\t|:;,()\[\]<>/ .!?](?:(?<=[\n\t|:;,()\[\]<>/])|(?<= ) +|(?<=\.) |(?<=[^\W\d_][!?]) )"
)
"""What parts clauses; `re` skips fast to a plain set."""
_BRACKET = re.compile(r" ?\([^()\n]{0,24}\)\Z")
_CLOSED = re.compile(
    r"[ \t]{0,9}\n|\t| {2}| ?[|;/(\[]| [–—-] |\.\s|, {0,2}[A-Z]"
    r"|,? (?:[^\W\d_]{2,10}\.? ?){0,2}[+(]?\d"
)
"""What stands behind a name that is all a label announces, and no speech: "Nurse: Ann, how are"."""
_BEHIND = re.compile(r"(?:,| [–—-])[ \n]|\s?\(|\s(?=[A-Z]{2})")
_ENDS = re.compile(r"[\n\t,;.:()|]| {2}| [–—-] |/")
_POINTED = re.compile(r"\A(?:[A-Z][a-z]?\.){2,5}")
_BELOW = re.compile(r"[ \t,]{0,3}\r?\n[ \t]{0,8}([^\n]{2,70})")
_BORN = re.compile(
    r"[,;]?[ \n]{0,3}\(?(?:(?:DOB|D\.O\.B|born|née?|geb|geboren|aged?|âgée?|Née?|Date of birth)\b"
    r"|(?:(?:is|was|est|ist|war|an?|une?|eine?) ){0,2}(?:now )?\d{1,3}"
    r"(?:[,;)]|[ -]?(?:y|yo|y/o|yrs?|years?|ans|Jahre|jährige?[nr]?|[MFmf])(?![\w/]))(?!\w))"
)
_NAMED = re.compile(r"[^\W\d_][\w'’-]*")
_DIGIT = re.compile(r"[0-9]")
_CASES = ("", "s", "es", "n", "en", "e")
"""Endings of number and case that a role may bear in a label."""


class _Lists(NamedTuple):
    """The lists of staff.toml, each entry as its words joined by blanks, folded."""

    roles: frozenset[str]
    led: frozenset[str]
    """Roles of a language whose labels begin with them: "gestionnaire du dossier"."""
    labels: frozenset[str]
    treated: frozenset[str]
    handled: frozenset[str]
    departments: frozenset[str]
    registers: frozenset[str]
    articles: frozenset[str]
    being: frozenset[str]
    asking: frozenset[str]
    joining: frozenset[str]
    deeds: frozenset[str]
    anywhere: frozenset[str]
    greeting: frozenset[str]


@cache
def _lists() -> _Lists:
    tables = tomllib.loads((w.DATA / "staff.toml").read_text("utf-8"))
    said = {name: frozenset(map(_key, w.spellings(text))) for name, text in tables.items()}
    said["greeting"] = frozenset(w.entries(tables["greeting"]))
    each = {tongue: said[f"roles_{tongue}"] | said[tongue] for tongue in ("en", "fr", "de")}
    roles = frozenset().union(*each.values())
    return _Lists(
        roles,
        each["fr"],
        roles | said["labels"],
        said["treated"],
        said["treated"] | said["handled"],
        *(said[name] for name in _Lists._fields[5:]),
    )


def _key(text: str) -> str:
    return " ".join(_words(text))


@lru_cache(maxsize=1 << 12)
def _words(text: str) -> tuple[str, ...]:
    """Return the words of a label or a clause, folded; those of "L'infirmière" are two."""
    return tuple(map(w.fold, _WORD.findall(text)))


# ── the text's persons ──────────────────────────────────────────────────────────────────────────


def staffed(text: str, found: Sequence[Found]) -> list[Found]:
    """Return the disjoint finds of a text, each person NAME or PROVIDER as the text says."""
    people = [one for one in found if one.type in PERSONS and _a_person(one)]
    if not people:
        return list(found)
    cast = _cast(text, people)
    return [_decided(text, one, cast) if one.type in PERSONS else one for one in found]


class _Cast(NamedTuple):
    """Who is who in a text; `told`: where the names end beside which it is said of staff."""

    subjects: _People
    doctors: _People
    """Subjects with a clinician's title."""
    staff: _People
    others: _People
    told: set[int]


def _cast(text: str, people: Iterable[Found]) -> _Cast:
    cast = _Cast(_People(), _People(), _People(), _People(), set())
    end = 0
    for one in people:
        name = _parts(text, one)
        listed = one.start - end < 6 and end in cast.told and _joins(text[end : one.start])
        before = _before(text, one.start)
        label = _label(before)
        if _born(text, one) or (not _clinician(one) and _subject(*label)):
            cast.subjects.add(name)
            if _DOCTOR.match(text, one.start):
                cast.doctors.add(name)
        elif _clinician(one):
            cast.staff.add(name)
        elif listed or _said(text, one, before, label) or _serves(text, one):
            cast.told.add(one.end)
            cast.staff.add(name)
        end = one.end
    for one in people:
        name = _parts(text, one)
        if one.end not in cast.told and len(name) > 1 and not cast.staff.has(name):
            cast.others.add(name)
    return cast


def _decided(text: str, one: Found, cast: _Cast) -> Found:
    """Return the find of a person or a body, a person's type as the text says."""
    name = _parts(text, one)
    if one.type == "NAME" or _by_role(one):
        alone = len(name) > 1 or not (cast.subjects.share(name) or cast.others.share(name))
        of_staff = one.end in cast.told or (alone and cast.staff.has(name))
        of_staff = of_staff and not cast.subjects.same(name)
        return _as_staff(text, one) if of_staff else one._replace(type="NAME")
    return _as_subject(text, one) if _clinician(one) and cast.doctors.has(name) else one


class _People:
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
        """Does anybody bear a part of the name?"""
        return not self._by_part.keys().isdisjoint(name)

    def same(self, name: frozenset[str]) -> bool:
        """Is it the name, part of the name, or more than the name of one of them?"""
        return any(name <= one or one <= name for one in self._near(name))

    def has(self, name: frozenset[str]) -> bool:
        """Is it the name, or part of the name, of one of them: "P. Sundaram", "Priya Sundaram"?"""
        full = {part for part in name if len(part) > 1}
        return bool(full) and any(
            full <= one and all(any(part[0] == at for part in one) for at in name - full)
            for one in self._near(full)
        )

    def _near(self, name: Iterable[str]) -> Iterator[frozenset[str]]:
        for part in name:
            yield from self._by_part.get(part, ())


def _a_person(one: Found) -> bool:
    return one.type == "NAME" or _by_role(one) or _clinician(one)


def _by_role(one: Found) -> bool:
    """Did the lexicon take it for staff by what stands beside it, which is looked at again here?"""
    return one.type == "PROVIDER" and not BY_ROLE.isdisjoint(_rules(one.rule))


def _clinician(one: Found) -> bool:
    return one.type == "PROVIDER" and "clinician" in _rules(one.rule)


@lru_cache(maxsize=1 << 10)
def _rules(rule: str) -> frozenset[str]:
    return frozenset(rule.split("+"))


def _parts(text: str, one: Found) -> frozenset[str]:
    return _parts_of(text[one.start : one.end])


@lru_cache(maxsize=1 << 12)
def _parts_of(name: str) -> frozenset[str]:
    words = [w.fold(word) for word in _NAMED.findall(name)]
    kept = [word for word in words if not w.MARKS[word] & (w.TITLE | w.CLINICIAN | w.BETWEEN)]
    return frozenset(kept or words)


def _as_staff(text: str, one: Found) -> Found:
    """Return the find as PROVIDER, with a title that belongs to it ("Schwester Agnieszka"), without
    a role that does not ("Hebamme Agnieszka")."""
    start = one.start
    if before := _TITLED.search(text[max(start - 14, 0) : start]):
        start -= len(before[0])
    elif role := _role_inside(text, one):
        start += 0 if _TITLED.fullmatch(role) else len(role)
    if one.type == "PROVIDER":
        return one._replace(start=start)
    return one._replace(start=start, type="PROVIDER", rule=f"{one.rule}+{RULE}".lstrip("+"))


def _as_subject(text: str, one: Found) -> Found:
    """Return the find as NAME, without the clinician's title of whom the document is about."""
    titled = _DOCTOR.match(text, one.start, one.end)
    return one._replace(start=titled.end() if titled else one.start, type="NAME")


_TITLED = re.compile(r"(?<!\w)(?:Nurse|Schwester|Pfleger(?:in)?|Dre|Dresse) \Z")
_DOCTOR = re.compile(r"(?:(?:Dr|Prof|Pr|Doctor|Docteur|Doktor)\b\.? {0,2}(?:med\. ?)?){1,3}")


def _born(text: str, one: Found) -> bool:
    """Is a person's age or birth date said right behind the name?"""
    return _BORN.match(text, one.end) is not None


def _joins(gap: str) -> bool:
    return gap.strip(" \n").lower() in {"and", "et", "und", "&", "/", "+"}


# ── who is the patient ──────────────────────────────────────────────────────────────────────────


def _subject(label: str, how: str) -> bool:
    """Is a name that is labelled so the patient's, the insured's, a relative's?"""
    if not label and how != ":":
        return False
    words = _words(label)[-_ROLE:]
    if how == ":":
        return any(w.MARKS[word] & _WHOM for word in words) and not _role_label(label)
    last = w.MARKS[words[-1]] if words else 0
    kin = last & w.KIN and words[-1] not in _lists().roles
    return bool((last & (w.SUBJECT | w.CALLED) and how == " ") or kin)


_WHOM = w.SUBJECT | w.CALLED | w.KIN | w.NAMING


# ── who is staff ────────────────────────────────────────────────────────────────────────────────


def _said(text: str, one: Found, before: str, labelled: tuple[str, str]) -> bool:
    """Does a role stand beside the name, or a clinician's title in it?"""
    role = _role_inside(text, one)
    label, how = _label(before + role) if role else labelled
    after = text[one.end : one.end + _REACH]
    if label and how == ":":
        if _closed(after) and (_role_label(label) or _by(label, _lists().handled)):
            return not _sister(text, one, label)
    elif label and (_apposed(label, how) or (how == " " and _by(label, _lists().treated))):
        return not _sister(text, one, label)
    rules = _rules(one.rule)
    titled = "title" not in rules and _DOCTOR.match(text, one.start, one.end)
    return "letters" in rules or bool(titled) or _behind(before, after)


def _closed(after: str) -> bool:
    """Is nothing left of a label's value behind the name?"""
    return not after.strip(" .,") or _CLOSED.match(after) is not None


def _role_inside(text: str, one: Found) -> str:
    """Return the role with which the find itself begins, and its blank: "Pfleger Jannik"."""
    first, gap, _ = text[one.start : one.end].partition(" ")
    return first + gap if gap and first.istitle() and w.fold(first) in _lists().roles else ""


def _serves(text: str, one: Found) -> bool:
    """Does the person answer for an insurer or a practice: "Obi: Hello, how can I help?"?"""
    begin = text.rfind("\n", max(one.start - _LINE, 0), one.start) + 1
    end = text.find("\n", one.end, one.end + _LINE)
    speaks = _CLOCK.fullmatch(text, begin, one.start) and _SPEAKER.match(text, one.end)
    if not speaks and not _THIS_IS.search(text, max(begin, one.start - 24), one.start):
        return False
    line = text[begin : end if end > 0 else one.end + _LINE].lower()
    return any(formula in line for formula in _lists().greeting)


_LINE = 200
_CLOCK = re.compile(r"[\d\[\](){}:.,\s-]{0,24}")
_SPEAKER = re.compile(r"[^\n:]{0,20}(?:\d\d?:\d\d)?[^\n:]{0,6}:(?!\S)")
_THIS_IS = re.compile(
    r"(?i)(?<!\w)(?:this is|my name(?: is|['’]s)|i['’]m|je m['’]appelle|ici"
    r"|mein name ist|ich bin) \Z"
)


def _before(text: str, start: int) -> str:
    """Return what stands before a name and its title."""
    before = text[max(start - _REACH, 0) : start]
    titled = _TITLE.search(before, max(len(before) - _TITLE_AT, 0))
    return before[: titled.start()] if titled else before


def _label(before: str) -> tuple[str, str]:
    """Return the words right before a name, and how they are parted from it: ":", ",", "(", " "."""
    bare = before.rstrip(" \t\n\xa0")
    gap = before[len(bare) :]
    head = bare.rstrip(_SEPARATORS + "*_").rstrip(".").rstrip()
    mark = bare[len(head) :]
    if ":" in mark or "=" in mark:
        how = ":"
    elif "\n" in gap:
        return "", ""
    elif (
        "\t" in gap
        or "|" in mark
        or (gap and mark.strip("._ ") and " " in bare[len(head) :])
        or len(gap) > 1
    ):
        how = ":"
    elif bare.endswith((",", "(")):
        how, head = bare[-1], bare[:-1].rstrip()
    elif gap == " ":
        how = " "
    else:
        return "", ""
    if how == ":" and head.endswith(")"):
        head = _BRACKET.sub("", head)
    return _PARTED.split(head)[-1].strip(" *_•>-"), how


def _dash(mark: str) -> bool:
    """Is it a dash between blanks, as between a label and its value?"""
    return mark[:1] == " " and mark.strip() in {"-", "–", "—"}


@lru_cache(maxsize=1 << 12)
def _role_label(label: str) -> bool:
    """Does a label ask for one of the staff: "Treating physician", "Name des Arztes"?"""
    lists = _lists()
    words = [word for word in _words(label) if word not in lists.asking]
    if not words or any(word in lists.deeds for word in words):
        return False
    return bool(_role_ends(words, lists.labels) or _role_begins(words))


def _role_begins(words: Sequence[str]) -> bool:
    """Do words begin with a role and go on with which: "gestionnaire du dossier"?"""
    lists = _lists()
    for n in range(min(_ROLE, len(words) - 1), 0, -1):
        first = " ".join(words[:n])
        if first in lists.roles:
            return first in lists.led or words[n] in lists.joining
    return False


def _role_ends(words: Sequence[str], roles: frozenset[str]) -> int:
    """Return how many words at the end are a role, 0 if none are."""
    for n in range(min(_ROLE, len(words)), 0, -1):
        said = " ".join(words[-n:])
        if any(said.removesuffix(ending) in roles for ending in _CASES if said.endswith(ending)):
            return n
    return 0


def _apposed(clause: str, how: str) -> bool:
    """Does a clause end with the role of whom it names next: "the nurse, Anneke", "OT (Ann)"?"""
    lists = _lists()
    words = _words(clause)[-9:]
    n = _role_ends(words, lists.labels if how == "(" else lists.roles)
    if not n or (how == "," and " ".join(words[-n:]) in lists.anywhere):
        return False
    left = words[:-n]
    k = len(left)
    while k and len(left) - k < 3 and left[k - 1] not in lists.articles and how == ",":
        k -= 1
    article = bool(k and left[k - 1] in lists.articles)
    if how == "," and not article:
        return False
    verb = left[k - 1 - article] if k > article else ""
    said = left[-1] if left else ""
    whose = w.MARKS[said] & (w.SUBJECT | w.KIN | w.CALLED) and how == " "
    return verb not in lists.being and said not in lists.being and not whose


def _by(clause: str, verbs: frozenset[str]) -> bool:
    """Does a clause end with what staff does: "Reviewed by"?"""
    words = _words(clause)
    return len(words) > 1 and words[-1] in {"by", "par", "von", "durch"} and words[-2] in verbs


def _sister(text: str, one: Found, label: str) -> bool:
    """Is "Schwester" a relative: somebody's, or beside others that a form lists?"""
    words = _words(label)
    if words[-1:] != ("schwester",):
        return False
    near = text[max(one.start - 200, 0) : one.end + 200]
    others = any(
        w.MARKS[kin[1]] & w.KIN and kin[1] != "Schwester" for kin in _KIN_LABEL.finditer(near)
    )
    return others or (len(words) > 1 and words[-2] in _lists().articles)


_KIN_LABEL = re.compile(r"([^\W\d_]{3,20}) ?:")


# ── behind the name ─────────────────────────────────────────────────────────────────────────────


def _behind(before: str, after: str) -> bool:
    """Do letters, a role or a desk stand behind the name, or below it where somebody signs?"""
    if (below := _BELOW.match(after)) and _alone(before):
        return _signs(below[1])
    gap = _BEHIND.match(after)
    if not gap:
        return False
    clause = _POINTED.sub(lambda letters: letters[0].replace(".", ""), after[gap.end() :], 1)
    end = _ENDS.search(clause)
    phrase, rest = (clause[: end.start()], clause[end.start() :]) if end else (clause, "")
    if _letters(phrase, rest):
        return True
    if gap[0].isspace():
        return False
    closes = "(" in gap[0] or rest[:1] in {"", "\n", "."} or not rest.strip()
    return _office(phrase, closes, "(" in gap[0])


def _letters(phrase: str, rest: str) -> bool:
    """Do letters that clinicians bear begin it: "RN", "MD, FACS"; no state with its postcode?"""
    first, _, more = phrase.partition(" ")
    first = first.split("/")[0]
    m = w.MARKS[first]
    if not first[:2].isupper() or first in {"PhD", "MPH"} or not m & _DEGREES:
        return False
    return not (m & w.STATE_CODE and _DIGIT.match(more or rest.strip()))


_DEGREES = w.LETTERS | w.LETTERS_BEFORE | w.LETTERS_BEHIND


def _office(phrase: str, closes: bool, bracketed: bool = False) -> bool:
    """Is it what somebody is in an office or a practice, and no occupation told of somebody?"""
    lists = _lists()
    words = _words(phrase)
    if not words or len(words) > 6 or words[0] in lists.articles | lists.being:
        return False
    desk = any(" ".join(words[n:]) in lists.departments for n in range(len(words)))
    if desk or words[0] in lists.registers:
        return closes or (desk and phrase[:1].isupper())
    if any(word in lists.deeds for word in words):
        return False
    role = _role_ends(words, lists.roles)
    if role and not bracketed and " ".join(words[-role:]) in lists.anywhere:
        return False
    return closes and bool(role or _role_begins(words))


def _alone(before: str) -> bool:
    """Does the name begin a line behind an empty one, a closing or nothing?"""
    line = before.rpartition("\n")
    if line[2].strip(" \t-–—*") or not line[1]:
        return not before.strip()
    above = line[0].rstrip(" \t\r")
    last = above.rpartition("\n")[2]
    return above.endswith(("\n", ",")) or any(
        w.MARKS[word] & w.CLOSING for word in _WORD.findall(last)
    )


def _signs(line: str) -> bool:
    """Is a line below a name what its bearer is: "Senior Claims Adjuster", "RPPS 1000 …", "RN"?"""
    first = _PARTED.split(line.strip())[0]
    if _letters(first, "") or _office(first, True):
        return ":" not in line[: len(first) + 2]
    words = _words(line)
    return bool(words and words[0] in _lists().registers and _DIGIT.search(line))
