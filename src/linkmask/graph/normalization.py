"""Normalizes ages, phone numbers, ids and addresses, and lists the ways to write them."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache

from linkmask import schema
from linkmask.choices import LANGUAGES
from linkmask.text.letters import fold_value, plain_letters

# ── ages ────────────────────────────────────────────────────────────────────────────────────────

UNITS = {"month": "months", "mois": "months", "monat": "months", "week": "weeks", "day": "days",
         "semaine": "weeks", "woche": "weeks", "jour": "days", "tag": "days"}  # fmt: skip
AGE_FORMS = (
    "{}-year-old", "{} year old", "{} years old", "{} years of age", "{} y/o", "{}yo", "{} yo",
    "aged {}", "age {}", "age of {}", "age: {}", "{} ans", "{}-jährige", "{}-jähriger",
    "{}-jährigen", "{}jährige", "{}jähriger", "{} Jahre alt",
)  # fmt: skip


LAST = 99
"""Numbers in the list of a language, from 1 on."""


@cache
def _numbers() -> Mapping[str, int]:
    """Return the number that each number word means."""
    lists = schema.words("numbers").values()
    rows = (enumerate(words, 1) for words in lists if len(words) == LAST)
    return {fold_value(word): number for row in rows for number, word in row}


@cache
def _decades() -> Mapping[str, str]:
    """Return the decade that "fifties" means: "50s"."""
    decades = schema.words("numbers")["decades"]
    return {fold_value(word): f"{decade}s" for decade, row in decades.items() for word in row}


def age(surface: str) -> str:
    """Return an age as digits: "48", "25-40", "18 months", "late 50s"."""
    text = fold_value(surface)
    if found := re.findall(r"\d+", text):
        if re.search(r"\d0 ?'?s\b", text):
            part = re.match(r"early|mid|late", text)
            return f"{part[0]} {found[0]}s" if part else f"{found[0]}s"
        unit = next((unit for word, unit in UNITS.items() if word in text), "")
        return " ".join(["-".join(str(int(number)) for number in found[:2]), unit]).strip()
    for word, decade in _decades().items():
        if text.endswith(word):
            return f"{text[: -len(word)]}{decade}"
    bare = re.sub(r"\s(?:years? old|years?|ans|anos|anni|jaar|jahre(?: alt)?)$", "", text)
    return str(_numbers().get(bare, text))


def age_forms(value: str) -> list[str]:
    """Return an age with the words that show it is one; a bare number may be anything."""
    if not re.fullmatch(r"\d{1,3}", value):
        return []
    word = next((word for word, number in _numbers().items() if str(number) == value), "")
    ways = [way.format(value) for way in AGE_FORMS]
    return [*ways, f"{word.replace(' ', '-')}-year-old"] if word else ways


# ── phone numbers ───────────────────────────────────────────────────────────────────────────────

EXTENSION = re.compile(r"(?i)[\s,;]*(?:x|ext|poste|#|durchwahl)")
TRUNK = ("31", "32", "33", "41", "43", "44", "49")
"""Country codes in place of which a 0 is dialled at home: NL, BE, FR, CH, AT, GB, DE."""
CODED = re.compile(rf"(?:{'|'.join(TRUNK)})[1-9][0-9]{{8,9}}")
"""A number with such a code, as a table keeps it: digits alone."""


MISREAD = re.compile(r"(?<=[0-9OolI(. -])[OolI](?=[0-9OolI])|(?<=[0-9OolI])[OolI](?![^\W_])")
"""A letter that was read in place of a digit."""


def _digit(letter: re.Match[str]) -> str:
    return "0" if letter[0] in "Oo" else "1"


SPOKEN = {"oh": "0", "zero": "0", "nought": "0", "null": "0", "zwo": "2", "vingt": "20",
          "hundred": "00", "hundert": "00", "cent": "00"}  # fmt: skip
TIMES = {"double": 2, "triple": 3}


def _written(surface: str) -> str:
    """Return a number said in words as digits; one with any other word in it as it is."""
    parts = re.findall(r"[^\W\d_]+|\d+|[+,]", plain_letters(surface))
    if not any(part in SPOKEN or part in _plain_numbers() for part in parts):
        return surface
    number, times, at = "", 1, 0
    while at < len(parts):
        for size in (4, 3, 2, 1):  # quatre-vingt-dix-huit
            word = "-".join(parts[at : at + size])
            if word in SPOKEN or word in _plain_numbers():
                break
        digits = SPOKEN.get(word) or str(_plain_numbers().get(word, word))
        at += size
        if word in TIMES:
            times = TIMES[word]
        elif word.isalpha() and digits == word:
            return surface
        elif word != ",":
            number, times = number + digits * times, 1
    return number


@cache
def _plain_numbers() -> Mapping[str, int]:
    """Return the number that each number word means, without accents."""
    return {plain_letters(word).replace(" ", "-"): number for word, number in _numbers().items()}


def phone(surface: str) -> str:
    """Return a number's digits as dialled at home where the code is one of `TRUNK`, else with `+`.

    A number dialled at home has no country code, so numbers of two countries with the same digits
    count as one. An extension is not part of the value.
    """
    main = EXTENSION.split(MISREAD.sub(_digit, _written(surface)), maxsplit=1)[0]
    main = re.sub(r"\s", "", main).replace("(0)", "")
    number = re.sub(r"\D", "", main)
    abroad = main.lstrip("(").startswith("+") or CODED.fullmatch(main) is not None
    if number.startswith("00") and len(number) > 10:
        number, abroad = number[2:], True
    if re.match(r"\(\d\d\)", main) and len(number) in (11, 12):  # (33) 6 12 34 56 78
        abroad = True
    if abroad:
        return "0" + number[2:].lstrip("0") if number[:2] in TRUNK else "+" + number
    if len(number) == 10 and number[0] not in "01":  # North America: the only plan without a 0
        return "+1" + number
    return "+" + number if len(number) == 11 and number[0] == "1" else number


def phone_forms(value: str) -> list[str]:
    """Return the groupings a number is written in, at home and from abroad.

    A table may keep it as a number, which has no plus and no zero before it.
    """
    if re.fullmatch(r"\+1\d{10}", value):
        a, b, c = value[2:5], value[5:8], value[8:]
        ways = ("{}-{}-{}", "({}) {}-{}", "({}){}-{}", "({})-{}-{}", "({}){}{}", "({}) {}{}",
                "{}-{}{}", "{}/{}-{}", "{}.{}.{}", "{} {} {}", "{}{}{}",
                "+1 {} {} {}", "+1-{}-{}-{}", "1-{}-{}-{}", "+1 ({}) {}-{}",
                "+1{}{}{}", "1{}{}{}")  # fmt: skip
        return [way.format(a, b, c) for way in ways]
    if not re.fullmatch(r"0[1-9]\d{8,9}", value):
        return [value]
    ways_abroad = [f"{plus}{code}{value[1:]}" for code in TRUNK for plus in ("+", "00", "")]
    ways_abroad.append(value[1:])
    if len(value) == 11:
        return [value, f"{value[:3]} {value[3:7]} {value[7:]}", *ways_abroad]
    pairs = [value[i : i + 2] for i in range(0, 10, 2)]
    french = [f"{code}{value[1]} {' '.join(pairs[1:])}" for code in ("+33 ", "+33 (0)", "0033 ")]
    swiss = [f"{value[:3]} {value[3:6]} {value[6:8]} {value[8:]}"]
    return [*(mark.join(pairs) for mark in (" ", ".", "-", "")), *french, *swiss, *ways_abroad]


# ── ids, addresses, the rest ────────────────────────────────────────────────────────────────────


@cache
def _label() -> re.Pattern[str]:
    """Return an expression for words before an id, no part of it: "Patient ID RV-8427"."""
    table = schema.words("ids")
    kinds = ("patient", "thing", "national", "glue")
    words = {plain_letters(word) for kind in kinds for word in table[kind]}
    longest_first = sorted(words, key=lambda word: (-len(word), word))
    body = "|".join(re.escape(word) for word in longest_first)
    return re.compile(rf"(?<!\w)(?:(?:{body})[\s:#.]{{1,3}}){{1,4}}(?=\S{{0,20}}\d)")


def identifier(surface: str) -> str:
    """Return the letters and digits of an id, small, without a label before it."""
    text = plain_letters(surface)
    if " " in text:
        text = _label().sub("", text, count=1)
    return "".join(character for character in text if character.isalnum())


LEAST = 6
"""Smallest number of digits of an id that is also searched for without leading zeros."""


def id_forms(value: str) -> list[str]:
    """Return an id in one piece, and cut between letters and digits.

    A table may keep it as a number, which has no zeros before it.
    """
    pieces = re.findall(r"[^\W\d]+|\d+", value)
    number = value.lstrip("0")
    bare = [number] if value.isdecimal() and value != number and len(number) >= LEAST else []
    return [value, *bare, *(mark.join(pieces) for mark in "- " if 1 < len(pieces) <= 4)]


FLAT = re.compile(r"^(?:flat|apartment|unit|suite|studio|appartement) \w+ (?=\d)")


def address_forms(value: str) -> list[str]:
    """Return an address without its town, and its street where that has a name of its own."""
    for pattern in _streets():
        if found := pattern.search(FLAT.sub("", value)):
            street = found["street"]
            ordinary = set(street.split()) & set(schema.words("streets")["ordinary"]["names"])
            return [found[0]] if ordinary else [found[0], street]
    return []


@cache
def _streets() -> tuple[re.Pattern[str], ...]:
    """Return how number and street stand in a value: 4 quarry lane, 4 rue de x, lindenweg 4."""
    table = schema.words("streets")
    en, fr, de = (
        "|".join(sorted({plain_letters(word).strip(".") for word in table[lang]}, key=len)[::-1])
        for lang in LANGUAGES
    )
    return (
        re.compile(rf"^\d\w* (?:bis |ter )?(?P<street>(?:{fr}) \S+(?: [^\d\s]\S*){{0,5}})"),
        re.compile(rf"^\d\w* (?P<street>(?:\S+ ){{1,4}}?(?:{en}))(?!\S)"),
        re.compile(rf"^(?P<street>(?:\S+ ){{0,2}}?\S+(?:{de}))(?!\S) \d+\w?(?!\S)"),
    )


def address(surface: str) -> str:
    """Return an address small, without points and commas, short words for streets written out."""
    short = schema.words("streets")["short"]
    text = re.sub(r"[.,;#\n>?*|-]+", " ", plain_letters(surface))
    words = [short.get(word, word) for word in text.split()]
    return re.sub(r"(?<=[a-z])str(?= \d|$)", "strasse", " ".join(words))
