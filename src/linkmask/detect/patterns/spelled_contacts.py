"""Recognizes spoken contacts: phone numbers in words, e-mail addresses with "dot" and "at"."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import repeat

from linkmask import schema
from linkmask.detect.patterns.contacts import TOP
from linkmask.detect.patterns.ids import CUES as CUES_OF_IDS
from linkmask.detect.patterns.ids import KIND, fold_same_length
from linkmask.detect.patterns.phones import number_is_asked_for
from linkmask.detect.patterns.rule import (
    Rule,
    Searched,
    Verdict,
    before,
    digits,
    pieces,
    words,
)
from linkmask.text.fold import word_bytes
from linkmask.text.letters import without_accents

# ── phone numbers: oh seven seven double-oh nine hundred 318; zéro six, trente-neuf, 22 10 ──────

NUMBERS: list[str] = [
    *(word for row in ("en", "fr") for word in schema.words("numbers")[row] if "-" not in word),
    *schema.words("numbers")["de"],
]
"""A word with a hyphen in it is two words here."""
ALSO = "oh zero zéro nought double triple hundred vingt cent null zwo hundert".split()
NUMBER = words([*NUMBERS, *ALSO])
BETWEEN = r"(?:[ ,./()-]{0,3}|[ -]et[ -](?=une?(?!\w)|onze(?!\w)))"
SPOKEN = rf"(?:[0-9]{{1,12}}+|{NUMBER})(?:{BETWEEN}(?:[0-9]{{1,12}}+|{NUMBER})){{1,24}}+"
WORD = re.compile(r"[^\W\d_]+")
MOST = 20
"""Words and runs of digits that a number has, at most: what is longer is counted aloud."""
DIGITS, WORDS = 1, 2
PARTS = {b"0" * size: DIGITS for size in range(1, 13)} | {
    word_bytes(form): WORDS for word in (*NUMBERS, *ALSO) for form in (word, without_accents(word))
}
"""What a number said is made of, each digit a 0."""
PAIRS = (b"\1\2", b"\2\1", b"\2\2")
"""A word beside digits or a word."""
_ZEROS = bytes.maketrans(b"123456789", b"0" * 9)
_BLANKS = bytes.maketrans(b"0123456789", b" " * 10)
_PART = re.compile(b"0{1,12}|[^0 ]+")

CUES = (
    "call", "calls", "ring", "rang", "phone", "telephone", "cell", "mobile", "tel", "contact",
    "dial", "text", "reach", "number", "téléphone", "tél", "portable", "joindre", "joignable",
    "appeler", "appelez", "appel", "numéro", "unter", "telefon", "handy", "mobil", "rufnummer",
    "anrufen", "erreichbar", "nummer", "medicare", "medicaid", "passport", "ssn",
)  # fmt: skip
NUMBERED = re.compile(
    r"(?i)(\w{2,24}) (?:number|nummer)(?!\w)|(?:numéro|nummer) (?:d[eu] (?:la )?|d['’])?(\w{2,24})"
)
"""Whose number is said: "claim number", "numéro de sécu"; a phone's if no word of ids says so."""
CUE = re.compile(rf"{words(CUES)}[^\n\d!?;]{{0,40}}$")


def _aloud(
    expression: re.Pattern[str], seen: Searched, begin: int, stop: int
) -> Iterator[re.Match[str]]:
    """Yield what is found where a number in words stands beside another: mostly none does."""
    said = word_bytes(seen.text[max(begin, 0) : stop])
    if PARTS.keys().isdisjoint(said.translate(_BLANKS).split()):
        return
    parts = bytes(map(PARTS.get, _PART.findall(said.translate(_ZEROS)), repeat(0)))
    if any(map(parts.__contains__, PAIRS)):
        yield from expression.finditer(seen.text, begin, stop)


def _spelled_number(text: str, start: int, end: int) -> Verdict:
    """Take six and more words and digits, or eight digits and a word, after a word for calling."""
    value = text[start:end]
    said, written = len(WORD.findall(value)), digits(value)
    runs = len(re.findall("[0-9]+", value))
    if not said or said + runs > MOST or not 7 <= said + len(written) <= MOST:
        return None
    if said + runs < (5 if runs else 6) and len(written) < 8:
        return None
    lead = before(text, start, 60)
    cue = CUE.search(lead)
    if not cue:
        return ("PHONE_NUMBER", 0.9) if number_is_asked_for(text, start) else None
    named = [part for pair in NUMBERED.findall(lead) for part in pair if part]
    named = named or WORD.findall(cue[0])[:1]
    kind = CUES_OF_IDS.get(fold_same_length(named[-1]), "") if named else ""
    return KIND[kind] if kind and KIND[kind] else "PHONE_NUMBER", 0.9


PHONES = (
    Rule(
        "phone-spoken",
        "PHONE_NUMBER",
        SPOKEN,
        judge=_spelled_number,
        near=pieces(CUES),
        reach=(0, 240),
        whole=True,
        scan=_aloud,
    ),
)

# ── e-mail: anna.roth [at] example [dot] org; anna (dot) roth @ example.org ─────────────────────

DOT = r"(?: ?[\[({] ?(?:(?i:dot|point|punkt)|\.) ?[\])}] ?|-(?:dot|point|punkt)-)"
AT = r" ?[\[({] ?(?i:at|à|ät|arr?obase?s?|@) ?[\])}] ?"
HOST = r"\w{1,40}+(?:-(?!dot-|point-|punkt-)\w{1,40}+){0,4}"


def _bracketed(text: str, start: int, end: int) -> Verdict:
    """Take an address with a sign spelled in brackets; others are left to the plain rules."""
    return ("EMAIL", 0.95) if re.search(r"[\[({]", text[start:end]) else None


SAID = r"(?: (?:dot|point|punkt) | ?\. ?|[ ]?(?:underscore|dash|hyphen|minus) )"
BOXES = (
    "gmail googlemail hotmail outlook yahoo icloud aol gmx protonmail orange wanadoo bluewin"
    " laposte comcast verizon btinternet bigpond videotron sympatico skynet telenet posteo freenet"
).split()
OWN = re.compile(r"[^\W_][._-]?[0-9_.-]|[0-9]")
"""A figure, an underscore or a point in what stands before the sign: no word of a sentence."""
FIGURES = "zero|oh|one|two|three|four|five|six|seven|eight|nine|ten"
SIGNS = ("at", "arobase", "arobas", "arrobase", "chez", "ät")
"""Words for the sign."""
SIGN = "|".join(sorted(SIGNS, key=len, reverse=True))
ALONE = re.compile(rf" [a-z0-9] (?:[a-z0-9] )?(?:\w{{1,10}} ){{0,2}}(?:{SIGN}) ")
WRITTEN = re.compile(r"(?i)e?-?mails?(?!\w)|courriel|@|(?:reach|write|contact|address)(?!\w)")
NOBODY = frozenset(
    "look is are was am it here there available open only not me us him her at and or by on in of"
    " the a email mail courriel them you hosted found worked works".split()
)


def _with_at(
    expression: re.Pattern[str], seen: Searched, begin: int, stop: int
) -> Iterator[re.Match[str]]:
    """Yield what is found where a word for the sign stands."""
    if any(seen.text.find(f" {sign} ", max(begin, 0), stop) >= 0 for sign in SIGNS):
        yield from expression.finditer(seen.text, begin, stop)


def _in_letters(
    expression: re.Pattern[str], seen: Searched, begin: int, stop: int
) -> Iterator[re.Match[str]]:
    """Yield what is found where single letters stand before a word for the sign."""
    if ALONE.search(seen.text, max(begin, 0), stop):
        yield from expression.finditer(seen.text, begin, stop)


def _spelled_email(text: str, start: int, end: int) -> Verdict:
    """Take "anna at post dot example": with "at" alone a word before or a sign tells that it is."""
    box, _, host = re.split(rf" ({SIGN}) ", text[start:end], maxsplit=1)
    last = re.split(r"\W+", box.lower())[-1]
    if last in NOBODY:
        return None
    if "." in host and " " not in host and not OWN.search(box):
        return None  # "what we bought at store.example.com"
    certain = re.search(SAID, host) or not box.isalpha() or WRITTEN.search(before(text, start, 96))
    return ("EMAIL", 0.95) if certain else None


LETTERED = rf"(?: (?:[a-z0-9]|[0-9]{{1,4}}|{FIGURES}|dot|underscore|dash))"

MAIL = (
    Rule(
        "email-in-letters",  # r o t h 4 4 at example dot org
        "EMAIL",
        rf"[a-z](?<!\w.){LETTERED}{{3,30}} (?:{SIGN}) (?:[\w-]{{1,40}}+(?:{SAID}| ){{1,2}}){{0,3}}"
        rf"(?:(?<=(?:dot|int|nkt) )(?:{'|'.join(TOP)}|example)"
        rf"|(?:{'|'.join(BOXES)})(?:\.[a-z]{{2,4}})?)"
        r"(?![\w@])",
        0.95,
        near=tuple(f" {sign} " for sign in SIGNS),
        reach=(120, 64),
        scan=_in_letters,
    ),
    Rule(
        "email-said",  # anna dot roth at example dot org, anna.roth at gmail, anna at postbox-mail
        "EMAIL",
        rf"[\w+](?<![\w.%+'-].)[\w.%+-]{{0,60}}+(?:{SAID}[\w%+-]{{1,40}}+){{0,4}}"
        rf"(?: (?:{FIGURES}|[0-9]{{1,4}})){{0,4}} (?:{SIGN}) "
        rf"(?:[\w-]{{1,40}}+(?:{SAID}| ){{1,2}}){{0,3}}"
        rf"(?:(?<=(?:dot|int|nkt) )(?:{'|'.join(TOP)}|example)"
        rf"|(?:{'|'.join(BOXES)})(?:\.[a-z]{{2,4}})?"
        rf"|[a-z][\w-]{{1,40}}\.(?:{'|'.join(TOP)})"
        r"|[\w-]{2,30}mail)"
        r"(?![\w@])",
        judge=_spelled_email,
        near=(
            *(f" {at} {box}" for at in SIGNS for box in BOXES),
            *(f" {at} " for at in SIGNS if at not in ("at", "chez")),
            " dot ",
            " point ",
            " punkt ",
            "mail",
        ),
        reach=(120, 120),
        scan=_with_at,
    ),
    Rule(
        "email-spelled",
        "EMAIL",
        rf"[\w+](?<![\w.%+'-].)[\w.%+-]{{0,80}}+(?:{DOT}[\w%+-]{{1,40}}+){{0,4}}(?:{AT}| ?@ ?)"
        rf"(?:{HOST}(?:{DOT}|\.|(?<=[\w-])(?: dot | point | punkt ))){{1,4}}[A-Za-z]{{2,12}}(?!\w)",
        judge=_bracketed,
        near=tuple(
            f"{left}{blank}{sign}"
            for left in "([{"
            for blank in ("", " ")
            for sign in ("at", "à", "ät", "@", "arobas", "arrobas", "dot", "point", "punkt", ".")
        ),
        reach=(120, 160),
    ),
)
"""Tried before the plain rules, which know but what stands behind the last spelled dot."""
