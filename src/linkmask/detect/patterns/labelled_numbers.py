"""Recognizes numbers directly after a label for a person's number, whatever their shape.

"Hosp # 88-14-02" is not a date and "Insured's ID 0417 220 01" not a phone number. The line above
may have asked for the number.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from linkmask.detect.patterns.id_triggers import (
    KIND,
    PREFIX,
    TABLE,
    THINGS,
    WORD,
    Trigger,
    fold_same_length,
    last_trigger,
)
from linkmask.detect.patterns.ids import is_shaped
from linkmask.detect.recognizers.rule import Judge, Verdict, before, digits
from linkmask.schema import expression, types

REACH = 48

NUMBER = frozenset(TABLE["number"])
"""Words for a number."""
BEFORE = frozenset("n nr nro num numero nummer kennung identifiant codigo codice cod".split())
"""… that may stand before the word for whose it is."""
THEMSELVES, CALLED = (
    frozenset(map(fold_same_length, TABLE[name])) for name in ("themselves", "called")
)
SIGN = re.compile(r"(?:(?<![^\W_])n)?[#№°][ :#.]{0,4}$")
"""A sign for a number, which is no word."""
SIGNS = frozenset("#№°")
ABBREVIATIONS = frozenset(word for word in THEMSELVES if len(word) < 5)
DATE = re.compile(r"[0-9]{1,4}([-/.])[0-9]{1,2}\1[0-9]{1,4}|[0-9]{1,3}\.[0-9]{2}")
"""What is a date, or an amount, unless a word for a number stands right before."""
PERIOD = re.compile(r"(?:18|19|20)[0-9]{2}(?:[-/](?:(?:18|19|20)[0-9]{2}|[01]?[0-9]))?")


LEAST = 4
"""Digits that a number has at least, if it has no letters."""
LEAST_BARE = 5
"""… behind "ID" alone, which says of nobody that it is theirs."""


def _folded_lead(lead: str) -> str:
    """Return what stands before a number in plain small letters, its sign as a word."""
    small = fold_same_length(lead.rpartition("\n")[2] or lead)
    sign = None if SIGNS.isdisjoint(small) else SIGN.search(small)
    return small[: sign.start()] + " no " if sign else small


def _trigger_of_number(small: str) -> Trigger | None:
    """Return the trigger whose number is about to be told: right before, and a number is meant."""
    words = WORD.findall(small)
    trigger = last_trigger(small, words)
    if not trigger or words[-1] == "of":
        return None
    return trigger if trigger.near and _is_number(trigger, words) else None


def _is_number(trigger: Trigger, words: list[str]) -> bool:
    """Tell whether the trigger's number is meant: "member no.", "numéro d'adhérent", "MRN"."""
    trigger_words = trigger.word.split()
    behind = trigger.at + len(trigger_words)
    return (
        trigger_words[-1].endswith(("nr", "nummer"))
        or not THEMSELVES.isdisjoint((trigger.word, trigger_words[-1]))
        or not NUMBER.isdisjoint((*trigger_words, *words[behind:]))
        or not BEFORE.isdisjoint(front := words[max(0, trigger.at - 3) : trigger.at])
        or (behind == len(words) and "no" in front)
    )


def _right(value: str, trigger: Trigger, small: str) -> bool:
    """Tell whether a value looks like a number of a person, and not like a count or a date."""
    count = len(digits(value))
    letters = any(map(str.isalpha, value))
    least = (6 if letters else 7) if trigger.kind == "national" else (3 if letters else LEAST)
    if not least <= count <= 18 or PERIOD.fullmatch(value):
        return False
    return not DATE.fullmatch(value) or _announce_number(WORD.findall(small), trigger)


def _announce_number(words: list[str], trigger: Trigger) -> bool:
    """Tell whether the last words say that a number follows: "MRN", "n° de dossier médical"."""
    last = words[-1]
    if last in NUMBER or last in ABBREVIATIONS or last.endswith(("nr", "nummer")):
        return True
    front = words[max(0, trigger.at - 3) : trigger.at]
    return trigger.word.endswith(last) and not BEFORE.isdisjoint(
        "n" if w == "no" else w for w in front
    )


def _numbered(text: str, start: int, end: int) -> Verdict:
    """Take what stands right behind a word for a person's number."""
    value = text[start:end].lstrip("#")
    if value.isdecimal() and (len(value) < LEAST or PERIOD.fullmatch(value)):
        return None
    small = _folded_lead(before(text, start, REACH))
    trigger = _trigger_of_number(small)
    if not trigger:
        return _behind_bare_id(value, small)
    if trigger.kind not in ("patient", "national") or not _right(value, trigger, small):
        return None
    return KIND[trigger.kind], 0.95


BARE = re.compile(r"(?<![^\W\d_])(?:ids?|identifiant|identification|kennung)[ :.]{1,3}$")
LAST = re.compile(r"[^\W\d_]+(?=[^\w\n.,;:]{0,3}$)")


def _behind_bare_id(value: str, small: str) -> Verdict:
    """Take a code behind "ID", of which nothing says that it is a thing's."""
    code, count = _code(value), len(digits(value))
    if not code and count < LEAST_BARE:
        return None
    bare = BARE.search(small)
    if not bare:
        return None
    called = LAST.search(small, 0, bare.start())
    a_thing = called and (called[0] in CALLED or called[0] in THINGS)
    return None if a_thing else (types.PATIENT_ID, 0.9)


CODE = re.compile(r"[A-Z]{1,4}-[0-9]{2,4}|[A-Z]{1,4}-[0-9-]{2,8}-[^\W\d_]{3,12}")
"""Too short to be an id anywhere, or with a word that somebody chose: PE-41, ZK-41-rabbit."""


def _code(value: str) -> bool:
    """Tell whether a value is of capitals and digits, and no catalogue's."""
    bare = value.replace(" ", "")
    letters = re.match("[A-Z]*", bare)[0]  # type: ignore[index]
    if PREFIX.get(letters) in ("thing", "never"):
        return False
    return CODE.fullmatch(bare) is not None or is_shaped(bare)


# ── asked for in the line above ─────────────────────────────────────────────────────────────────

ASKING = re.compile(r"(?:\?|(?<![^\W\d_])(?:please|bitte|svp|s'il vous plait)[.!:]?)[ )»\"]{0,3}$")
REPLY = re.compile(expression("labelled_numbers_reply"))
"""Who answers, perhaps when, and how."""


def _answer_to_question(text: str, start: int, end: int) -> Verdict:
    """Take the answer to a question for somebody's number in the line above."""
    value = text[start:end]
    if len(digits(value)) < LEAST or PERIOD.fullmatch(value) or DATE.fullmatch(value):
        return None
    lines = before(text, start, 160).rsplit("\n", 2)[-2:]
    if len(lines) < 2 or not REPLY.fullmatch(fold_same_length(lines[1])):
        return None
    line_above = fold_same_length(lines[0])
    question = ASKING.search(line_above[-24:])
    if not question:
        return None
    words = WORD.findall(line_above[: len(line_above[:-24]) + question.start()])
    trigger = last_trigger(line_above, words)
    if trigger and trigger.kind in ("patient", "national") and _is_number(trigger, words):
        return KIND[trigger.kind], 0.95
    bare = not trigger and words[-1:] == ["id"] and CALLED.isdisjoint(words[-2:])
    return (types.PATIENT_ID, 0.9) if bare else None


JUDGES: Mapping[str, Judge] = {"numbered": _numbered, "number-asked": _answer_to_question}
