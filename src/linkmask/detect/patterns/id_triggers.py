"""Lists words before an id that say whose it is: a patient's, a claim's, a state's.

The words are in schema/words/ids.toml.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from linkmask import schema
from linkmask.schema import types

TABLE = schema.words("ids")
KIND = {
    "patient": types.PATIENT_ID,
    "thing": types.NON_PERSONAL_ID,
    "national": types.NATIONAL_ID,
    "code": "",
}
ACCENTS = str.maketrans("àáâãäçèéêëìíîïñòóôõöùúûü", "aaaaaceeeeiiiinooooouuuu")
"""What a word may stand without, in print as in typing."""
MASK = re.compile(r"\[[A-Z][A-Z0-9_]{2,40}\]")
"""What masking left of a value; its name is no word for an id."""
INITIALS = re.compile(r"(?<![^\W_])[a-z](?:\. ?[a-z](?![^\W_])){1,3}\.?")
"""I.D., M.R. no., H.C.N."""
POINTED = re.compile(r"\. ?[a-z](?![^\W_])")
"""A letter alone behind a point, as all of these have: found fast."""


def fold_same_length(lead: str) -> str:
    """Return what stands before an id in small letters, without accents and masks, as long."""
    if "[" in lead and "]" in lead:
        lead = MASK.sub(lambda mask: "+" * len(mask[0]), lead)
    lead = lead.lower()
    if not lead.isascii():
        lead = lead.translate(ACCENTS)
    if POINTED.search(lead):
        lead = INITIALS.sub(_together, lead)
    return lead


def _together(initials: re.Match[str]) -> str:
    return "".join(filter(str.isalpha, initials[0])).ljust(len(initials[0]))


TRIGGERS = {
    fold_same_length(word.replace("'", " ")): kind
    for kind in ("thing", "patient", "national", "code")
    for word in TABLE[kind]
}
NUMBER = ("no", "nos", "nr", "num", "number", "numbers", "nummer", "id", "identification")
"""Words for a number, behind what it is the number of."""
NUMBER_FR = ("n", "no", "nro", "num", "numero", "identifiant", "codigo", "codice")
"""Before it, with or without "de" between."""


def _numbered(word: str, before: bool) -> Iterator[str]:
    """Yield the ways of saying the number of something: "hospital no", "numéro d étudiant"."""
    if before:
        links = ("", "d ", "de ", "de l ")
        yield from (f"{number} {link}{word}" for number in NUMBER_FR for link in links)
        yield f"{word} n"
    else:
        yield from (f"{word} {number}" for number in NUMBER)
        yield from (f"{word}{number}" for number in ("nr", "nummer"))


TRIGGERS |= {
    phrase: kind
    for kind in ("patient", "national", "thing")
    for end in ("", "_fr")
    for word in map(fold_same_length, TABLE[f"{kind}_numbered{end}"])
    for phrase in _numbered(word, before=bool(end))
    if phrase not in TRIGGERS
}
TRIGGERS |= {
    word + link + number: kind
    for word, kind in TRIGGERS.items()
    if " " not in word and len(word) > 3
    for link in ("", "s", "n", "en")
    for number in ("nr", "nummer")
    if word + link + number not in TRIGGERS
}
"""German writes it in one word: Fallnr, Mitgliedsnummer."""
THINGS = frozenset(word for word, kind in TRIGGERS.items() if kind in ("thing", "code"))
"""Words before the number of a thing: a claim's, a device's."""
GLUE = frozenset(map(fold_same_length, TABLE["glue"]))
PREFIX = {
    letters: kind for kind in ("patient", "thing", "never") for letters in TABLE["prefixes"][kind]
}
"""Letters that ids of a kind begin with."""
REACH = 56
"""Characters before an id in which its word is looked for."""
WORD = re.compile(r"[^\W\d_]+")


LAST_WORDS = frozenset(phrase.rpartition(" ")[2] for phrase in TRIGGERS)
"""Words of which one ends each trigger: most words of a text need no further look."""
LONGEST = 1 + max(phrase.count(" ") for phrase in TRIGGERS)
"""Words of a trigger, at most."""
GLUED = GLUE | {"s"}
RIGHT_BEFORE = GLUED | LAST_WORDS
"""Words of which one stands right before an id that is nothing but digits or small letters."""
BETWEEN = re.compile(r"(?:[^\W\d]|[\s:#.()\[\]°=№'’«\"*-])*")
"""What may stand between a word and its id beside glue: no digit, no comma."""


class Trigger(NamedTuple):
    """The word that says whose number follows, its kind, whether it stands right before, and how
    many words stand before it.
    """

    word: str
    kind: str
    near: bool
    at: int = 0


def last_trigger(lead: str, words: list[str]) -> Trigger | None:
    """Return the last trigger among the words of `lead`, the text before an id in small letters."""
    if LAST_WORDS.isdisjoint(words):
        return None
    for last in (n for n in reversed(range(len(words))) if words[n] in LAST_WORDS):
        for first in range(max(last + 1 - LONGEST, 0), last + 1):
            phrase = " ".join(words[first : last + 1])
            if phrase in TRIGGERS:
                near = only_glue_follows(lead, words[last:])
                return Trigger(phrase, TRIGGERS[phrase], near, first)
    return None


def only_glue_follows(lead: str, words: list[str]) -> bool:
    """Tell whether after the first of these last words of `lead` only glue follows."""
    if not GLUED.issuperset(words[1:]):
        return False
    at = len(lead)
    for word in reversed(words):
        at = lead.rfind(word, 0, at)
    return BETWEEN.fullmatch(lead, at + len(words[0])) is not None
