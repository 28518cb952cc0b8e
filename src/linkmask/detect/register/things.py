"""Tells a name of a thing from a person's: of a program, a place, a treatment, or goods."""

from __future__ import annotations

import re

from linkmask.detect.candidates import Candidate
from linkmask.detect.lexicon.name_words import is_clinical_head, is_thing
from linkmask.detect.names.unlisted import WITHIN
from linkmask.detect.register import register_words
from linkmask.detect.register.evidence import REACH, is_certain
from linkmask.detect.structured.user_names import no_users
from linkmask.text.fold import word_bytes

_NEXT_WORD = re.compile(r" ([^\W\d_]{3,20}+)(?!\w)")
_ONE_OF_MANY = re.compile(r"(?<!\w)(?:an?|each|every|une?|chaque) \Z")
_NUMBERED = re.compile(r", ([^\W\d_]{3,9}) (?=[^\d\n]{0,12}\d)")


def is_name_of_thing(text: str, one: Candidate) -> bool:
    """Tell whether a name is that of a program, or of a place ("Victoria Station") or a treatment.

    "A Kocher clamp" is one of many, so a listed name within a sentence is nobody's there.
    """
    words = text[one.start : one.end].split()
    if "".join(words).lower() in no_users():
        return True
    proper = [word for word in words if word[0].isupper()]
    behind = _NEXT_WORD.match(text, one.end, one.end + REACH)
    if len(proper) != 1 or not behind:
        return False
    noun = behind[1]
    if not noun.islower():
        return noun[0].isupper() and is_thing(noun)
    start = text.index(proper[0], one.start)
    if one.rule == WITHIN and _ONE_OF_MANY.search(text[max(start - REACH, 0) : start]):
        return True
    return is_clinical_head(noun) and not is_certain(one)


def is_name_of_goods(text: str, one: Candidate) -> bool:
    """Tell whether a name is that of goods: measured ("a dash of X"), or of a model ("X, model 5").

    This is asked in texts about nobody alone: "Brandvold, type 2 diabetes" is a person.
    """
    before = word_bytes(text[max(one.start - REACH, 0) : one.start].rpartition("\n")[2]).split()
    behind = _NUMBERED.match(text, one.end)
    return not register_words("measures", "any").isdisjoint(before[-2:]) or (
        behind is not None and word_bytes(behind[1]).strip() in register_words("models", "any")
    )
