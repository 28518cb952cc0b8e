"""Finds what makes the bearer of a name staff: roles and letters beside it.

The evidence is a label before the name ("Treating physician: …"), an apposition ("the nurse, …"),
or letters after the name ("…, RN"). `staff` decides from it who is staff.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import cache, lru_cache

from linkmask.choices import LANGUAGES
from linkmask.detect.lexicon import word_features as w
from linkmask.schema import expression
from linkmask.text.letters import word_key

REACH = 90
"""Characters looked at on either side of a name."""
LONGEST = 5
"""Words of a role at most."""
_WORD = re.compile(r"[^\W\d_](?:[\w-]*[^\W_])?")
_TITLE = re.compile(expression("roles_title"))
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
_DIGIT = re.compile(r"[0-9]")
_CASES = ("", "s", "es", "n", "en", "e")
"""Endings of number and case that a role may bear in a label."""
_DEGREES = w.LETTERS | w.LETTERS_BEFORE | w.LETTERS_BEHIND


@cache
def lists() -> Mapping[str, frozenset[str]]:
    """Return the lists of staff.toml, each entry as its words joined by blanks, folded."""
    tables = w.tables("staff")
    said = {
        name: frozenset(" ".join(words_of(one)) for one in w.spellings(text))
        for name, text in tables.items()
    }
    said["roles"] = frozenset().union(*(said[f"roles_{one}"] | said[one] for one in LANGUAGES))
    said["labels"] |= said["roles"]
    return said


@lru_cache(maxsize=1 << 12)
def words_of(text: str) -> tuple[str, ...]:
    """Return the folded words of a label or a clause; "L'infirmière" has two."""
    return tuple(map(word_key, _WORD.findall(text)))


# ── before the name ─────────────────────────────────────────────────────────────────────────────


def before_name(text: str, start: int) -> str:
    """Return what stands before a name and its title."""
    before = text[max(start - REACH, 0) : start]
    titled = _TITLE.search(before, max(len(before) - _TITLE_AT, 0))
    return before[: titled.start()] if titled else before


def label_of(before: str) -> tuple[str, str]:
    """Return the words directly before a name, and the separator: ":", ",", "(" or " "."""
    bare = before.rstrip(" \t\n\xa0")
    gap = before[len(bare) :]
    head = bare.rstrip(_SEPARATORS + "*_").rstrip(".").rstrip()
    mark = bare[len(head) :]
    spaced = "\t" in gap or len(gap) > 1 or (gap and " " in mark and mark.strip("._ "))
    if ":" in mark or "=" in mark or ("\n" not in gap and ("|" in mark or spaced)):
        how = ":"
        if head.endswith(")"):
            head = _BRACKET.sub("", head)
    elif bare.endswith((",", "(")) and "\n" not in gap:
        how, head = bare[-1], bare[:-1].rstrip()
    elif gap == " ":
        how = " "
    else:
        return "", ""
    return _PARTED.split(head)[-1].strip(" *_•>-"), how


def ends_value(after: str) -> bool:
    """Tell whether the name is the last part of a label's value."""
    return not after.strip(" .,") or _CLOSED.match(after) is not None


@lru_cache(maxsize=1 << 12)
def asks_for_one(label: str) -> bool:
    """Tell whether a label asks for a member of staff: "Treating physician", "Name des Arztes"."""
    words = [word for word in words_of(label) if word not in lists()["asking"]]
    if not lists()["deeds"].isdisjoint(words):
        return False
    return bool(_role_ends(words, lists()["labels"]))


def _role_ends(words: Sequence[str], roles: frozenset[str]) -> int:
    """Return how many words at the end are a role, 0 if none are."""
    for n in range(min(LONGEST, len(words)), 0, -1):
        said = " ".join(words[-n:])
        if any(said.removesuffix(ending) in roles for ending in _CASES if said.endswith(ending)):
            return n
    return 0


def ends_with_role(clause: str, how: str) -> bool:
    """Tell whether a clause ends with the role of the next name: "the nurse, Anneke"."""
    words = words_of(clause)[-9:]
    n = _role_ends(words, lists()["labels" if how == "(" else "roles"])
    if not n or (how != "(" and " ".join(words[-n:]) in lists()["anywhere"]):
        return False
    left = words[:-n]
    k = len(left)
    if how == ",":
        while k and len(left) - k < 3 and left[k - 1] not in lists()["articles"]:
            k -= 1
    article = bool(k and left[k - 1] in lists()["articles"])
    if how == "," and not article:
        return False
    verb = left[k - 1 - article] if k > article else ""
    last = left[-1] if left else ""
    owned = w.MARKS[last] & (w.SUBJECT | w.KIN | w.CALLED) and how == " "
    return lists()["being"].isdisjoint({verb, last}) and not owned


# ── behind the name ─────────────────────────────────────────────────────────────────────────────


def letters_follow(after: str) -> bool:
    """Tell whether letters that clinicians bear stand after the name: "…, RN", "… MD, FACS"."""
    gap = _BEHIND.match(after)
    if not gap:
        return False
    clause = _POINTED.sub(lambda letters: letters[0].replace(".", ""), after[gap.end() :], 1)
    end = _ENDS.search(clause)
    return _are_letters(*((clause[: end.start()], clause[end.start() :]) if end else (clause, "")))


def _are_letters(phrase: str, rest: str) -> bool:
    """Does a phrase begin with such letters, and is it no state with its postcode?"""
    first, _, more = phrase.partition(" ")
    first = first.split("/")[0]
    m = w.MARKS[first]
    if not first[:2].isupper() or first in {"PhD", "MPH"} or not m & _DEGREES:
        return False
    return not (m & w.STATE_CODE and _DIGIT.match(more or rest.strip()))
