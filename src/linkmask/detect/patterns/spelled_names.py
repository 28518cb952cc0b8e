"""Recognizes names that are spelled letter by letter: "S M I T H", "z e deux r o u k i"."""

from __future__ import annotations

import re
from string import ascii_lowercase

from linkmask.detect.lexicon import word_features
from linkmask.detect.patterns.rule import Rule, Verdict, before
from linkmask.text.fold import lower

BETWEEN = (
    "apostrophe|hyphen|dash|double|then|and then|capital|space|and|new word"
    "|tiret|trait d['’]union|deux|espace|puis|plus loin|plus|accent|doppel|zwei|zweimal|bindestrich"
)
"""What is said between letters."""
LETTER = r"[^\W\d_](?![\w'’])"
NO_PRONOUN = (
    "(?<!(?=[iI] (?:am|have|was|would|need|want|called?|live|got|had|can|just|don)(?!\\w)).)"
)
"""Behind the last letter of a name an English speaker may go on with "I"."""
SPELLED = (
    r"[^\W\d_](?<![\w'’.&/+-].)(?![\w'’])"
    rf"(?:(?:,? |[-–]|\. ?|, ?)(?:(?:{BETWEEN}) ){{0,2}}{LETTER}{NO_PRONOUN}){{2,30}}"
    r"(?:[-–][a-zß-ÿ]{2,20}(?!\w))?"
)
CUE = re.compile(
    r"(?i)(?<!\w)(?:spel\w{1,6}|épel\w{1,6}|buchstab\w{1,8}|letters?|names?|surname|nom|prénom|nachname"
    r"|vorname|name ist|that['’]?s|c['’]est|this is|écri\w{1,4}|schreib\w{1,4}|mit|avec|with)(?!\w)"
    r"[^\n.;]{0,40}$"
)
LEAD = 160
"""Characters before letters among which the name that they spell may stand."""
FEW, SURE = 3, 4
"""Letters that a name has at least, and without a word that says so."""
_SINGLE = re.compile(r"(?<![^\W\d_])[^\W\d_](?![^\W\d_])")
_WORD = re.compile(r"[^\W\d_]{3,}")


def _spelled(text: str, start: int, end: int) -> Verdict:
    """Take letters that spell a word before them or a listed name, or behind a word that says so.

    The alphabet ("hepatitis A, B, C") and one letter over and over spell nothing.
    """
    said = _SINGLE.findall(text[start:end])
    name = lower("".join(said))
    if len(said) < FEW or name in ascii_lowercase or len(set(name)) < FEW - 1:
        return None
    lead = before(text, start, LEAD)
    if any(_begins_alike(word, name) for word in _WORD.findall(lead)):
        return "NAME", 0.9
    listed = word_features.MARKS[name.capitalize()] & (word_features.GIVEN | word_features.SURNAME)
    if len(said) >= SURE and (listed or CUE.search(lead[-64:])):
        return "NAME", 0.9
    return None


def _begins_alike(word: str, name: str) -> bool:
    return len(word) >= FEW and lower(word)[:FEW] == name[:FEW]


PAIRS = tuple(
    f"{mark}{one}{mark}{two}{after}"
    for mark, after in ((" ", " "), ("-", "-"))
    for one in ascii_lowercase
    for two in ascii_lowercase
)

RULES = (
    Rule(
        "name-spelled",
        "NAME",
        SPELLED,
        judge=_spelled,
        near=PAIRS,
        reach=(120, 160),
    ),
)
