"""What is the same thing: one value for all spellings, and the other ways a value is written.

`canonical` looks at a value alone. `Aliases` knows the corpus: it joins "Dr. Vargas" and
"E. Vargas" to "Elena Vargas" where she is the only one it can be; what is ambiguous stays itself.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Mapping
from functools import cache

from linkmask import schema
from linkmask.graph import dates
from linkmask.graph.fold import fold, plain_letters

NAMES = frozenset({"NAME", "PROVIDER"})
IDS = frozenset({"PATIENT_ID", "NON_PERSONAL_ID", "NATIONAL_ID", "CREDIT_CARD", "IBAN"})


def plain(surface: str) -> str:
    """Return the thesis's form: lower case, whitespace collapsed, nothing else (SPEC §4.1)."""
    return " ".join(surface.lower().split())


def canonical(entity_type: str, surface: str, *, day_first: bool = False) -> str:
    """Return the value that all spellings of one thing share; never empty for a value that is not.

    Dates: ISO forms (`dates`). Ages: digits ("48", "25-40", "18 months", "late 50s"). Phones: `+`
    and digits where the country shows, else digits. Ids: letters and digits, small. Names: small,
    first name first, no degrees; a lone surname keeps its title ("dr vargas"). All else: `fold`.
    `day_first` decides 03/04/2024.
    """
    if entity_type in ("EVENT_DATE", "BIRTHDATE"):
        value = dates.read(surface, day_first)
    else:
        value = _BY_TYPE.get(entity_type, fold)(surface)
    return value or fold(surface) or plain(surface)


# ── by type ─────────────────────────────────────────────────────────────────────────────────────


@cache
def _label() -> re.Pattern[str]:
    """Words before an id that are no part of it: "Patient ID RV-8427"."""
    table = schema.words("ids")
    listed = sorted(
        {
            plain_letters(w)
            for kind in ("patient", "thing", "national", "glue")
            for w in table[kind]
        },
        key=lambda w: (-len(w), w),
    )
    body = "|".join(re.escape(word) for word in listed)
    return re.compile(rf"(?:(?:{body})[\s:#.]+)+(?=\S*\d)")


def _id(surface: str) -> str:
    text = _label().sub("", plain_letters(surface), count=1) if " " in surface else surface
    return "".join(c for c in plain_letters(text) if c.isalnum())


@cache
def _numbers() -> Mapping[str, int]:
    """Return the number that each number word means."""
    table = schema.words("numbers")
    return {
        fold(word): number
        for lang in ("en", "fr", "de")
        for number, word in enumerate(table[lang], 1)
    }


@cache
def _decades() -> Mapping[str, str]:
    decades = schema.words("numbers")["decades"]
    return {fold(word): f"{decade}s" for decade, row in decades.items() for word in row}


_UNITS = {"month": "months", "mois": "months", "monat": "months", "week": "weeks", "semaine": "weeks",
          "woche": "weeks", "day": "days", "jour": "days", "tag": "days"}  # fmt: skip


def _age(surface: str) -> str:
    text = plain_letters(surface)
    if found := re.findall(r"\d+", text):
        if re.search(r"\d0['’]?s\b", text):
            part = re.match(r"(early|mid|late)", text)
            return f"{part[1]} {found[0]}s" if part else f"{found[0]}s"
        unit = next((name for word, name in _UNITS.items() if word in text), "")
        return "-".join(str(int(n)) for n in found[:2]) + (f" {unit}" if unit else "")
    bare = fold(surface)
    for word, decade in _decades().items():
        if bare.endswith(word):
            return f"{bare[: -len(word)].strip()} {decade}".strip()
    without = re.sub(r"\s(?:years? old|years?|year olds?|ans|jahre(?: alt)?)$", "", bare)
    number = _numbers().get(without)
    return str(number) if number else bare


def _phone(surface: str) -> str:
    main = re.split(r"(?i)\s?(?:x|ext|poste|#|durchwahl)", surface, maxsplit=1)[0]
    number = re.sub(r"\D", "", main.replace("(0)", ""))
    if main.lstrip(" (").startswith("+"):
        return "+" + number
    if number.startswith("00") and len(number) > 10:
        return "+" + number[2:]
    if len(number) == 10 and number[0] not in "01":  # North America: the only plan without a 0
        return "+1" + number
    if len(number) == 11 and number[0] == "1":
        return "+" + number
    if len(number) == 10 and re.match(r"\D*0\d(?:([ .-]?)\d\d)(?:\1\d\d){3}\D*$", main):
        return "+33" + number[1:]  # written in pairs, or in one piece
    if len(number) == 11 and number[:2] in ("01", "02", "03", "07", "08") and number[1] != "0":
        return "+44" + number[1:]
    if len(number) == 10 and re.match(r"\D*0\d\d[ .-]\d{3}[ .-]\d\d[ .-]\d\d\D*$", main):
        return "+41" + number[1:]
    return number


def _address(surface: str) -> str:
    text = re.sub(r"[.,;#\n]+", " ", plain_letters(surface))
    words = [_STREETS.get(word, word) for word in text.replace("-", " ").split()]
    return re.sub(r"(?<=[a-z])str(?= \d|$)", "strasse", " ".join(words))


_STREETS = {
    "st": "street", "str": "strasse", "ave": "avenue", "av": "avenue", "rd": "road", "dr": "drive", "ln": "lane",
    "blvd": "boulevard", "bd": "boulevard", "bld": "boulevard", "ct": "court", "pl": "place", "ter": "terrace",
    "cir": "circle", "pkwy": "parkway", "hwy": "highway", "sq": "square", "trl": "trail", "ste": "suite",
    "apt": "apartment", "appt": "appartement", "rte": "route",
}  # fmt: skip


def _url(surface: str) -> str:
    return re.sub(r"^(?:https?://)?(?:www\.)?", "", plain_letters(surface)).rstrip("/")


@cache
def _titles() -> Mapping[str, str]:
    """Return the key of each title ("docteur" → "dr")."""
    return {
        re.sub(r"[.\s]+", " ", plain_letters(word)).strip(): key
        for key, row in schema.words("titles")["titles"].items()
        for word in row
    }


@cache
def _degrees() -> frozenset[str]:
    rows = schema.words("titles")["suffixes"]["degrees"]
    return frozenset(plain_letters(word).replace(".", "") for word in rows)


def _split_name(surface: str) -> tuple[str, list[str]]:
    """Return the key of the title ("" if none) and the words of a name, first name first."""
    text = plain_letters(surface).strip(" \"'.,;:()")
    parts = [part.strip() for part in text.split(",")]
    parts = [p for p in parts if p.replace(".", "").replace(" ", "") not in _degrees()]
    if len(parts) == 2 and len(parts[0].split()) <= 3 and len(parts[1].split()) <= 3:
        parts.reverse()  # VARGAS, Elena
    words = re.sub(r"[-_]", " ", re.sub(r"\.(?=\w)|\.", " ", " ".join(parts))).split()
    title = ""
    while len(words) > 1:
        size = next(
            (n for n in (4, 3, 2) if n < len(words) and " ".join(words[:n]) in _titles()), 1
        )
        key = _titles().get(" ".join(words[:size]))
        if key is None or (words[0] in ("m", "me", "fr") and not _titled(surface)):
            break
        title = "dr" if "dr" in (title, key) else key
        words = words[size:]
    while len(words) > 2 and words[-1] in _degrees():
        words.pop()
    return title, words


def _titled(surface: str) -> bool:
    """Tell whether a one- or two-letter title is one here, not an initial: M. Petit, Me Roux."""
    return bool(
        re.match(r"\W*(?:M\.?|Me|MM\.?|Fr\.?) [A-ZÀ-Þ][\w'’-]+(?: [A-ZÀ-Þ(]\S*){0,2}$", surface)
    ) and (not re.match(r"\W*M\.? [A-Z]\. ", surface))


def _name(surface: str) -> str:
    title, words = _split_name(surface)
    if title and len([w for w in words if w not in _particles()]) == 1:
        return " ".join([title, *words])
    return " ".join(words)


@cache
def _particles() -> frozenset[str]:
    return frozenset(schema.words("titles")["particles"]["all"])


_BY_TYPE: dict[str, Callable[[str], str]] = {
    **dict.fromkeys(IDS, _id),
    **dict.fromkeys(NAMES, _name),
    "AGE": _age,
    "PHONE_NUMBER": _phone,
    "EMAIL": lambda surface: "".join(plain_letters(surface).split()),
    "URL": _url,
    "IP_ADDRESS": lambda surface: plain_letters(surface).replace("-", ":"),
    "ADDRESS": _address,
}


# ── other ways of writing a value ───────────────────────────────────────────────────────────────


def forms(entity_type: str, value: str, *, day_first: bool | None = None) -> tuple[str, ...]:
    """Return the common ways of writing a value given by `canonical`, for a search without case.

    Only ways that mean this value and nothing else: a bare "48" or a lone surname is none, and
    03/04/2024 only if `day_first` is known. Ordered, without repeats; may be empty.
    """
    maker = _FORMS.get(entity_type)
    if entity_type in ("EVENT_DATE", "BIRTHDATE"):
        ways = dates.written(value, day_first)
    else:
        ways = maker(value) if maker else []
    return tuple(dict.fromkeys(way for way in ways if way))


def _age_forms(value: str) -> list[str]:
    if not re.fullmatch(r"\d{1,3}", value):
        return []
    word = next((w for w, n in _numbers().items() if str(n) == value), "")
    ways = [f"{value}-year-old", f"{value} year old", f"{value} years old", f"{value} years of age", f"{value} y/o",
            f"{value}yo", f"{value} yo", f"aged {value}", f"age {value}", f"age of {value}", f"age: {value}",
            f"{value} ans", f"{value}-jährige", f"{value}-jähriger", f"{value}-jährigen", f"{value} Jahre alt",
            f"{value}jährige", f"{value}jähriger"]  # fmt: skip
    return ways + ([f"{word.replace(' ', '-')}-year-old", f"{word}-year-old"] if word else [])


def _phone_forms(value: str) -> list[str]:
    if re.fullmatch(r"\+1\d{10}", value):
        a, b, c = value[2:5], value[5:8], value[8:]
        return [f"{a}-{b}-{c}", f"({a}) {b}-{c}", f"({a}){b}-{c}", f"{a}.{b}.{c}", f"{a} {b} {c}", f"{a}{b}{c}",
                f"+1 {a} {b} {c}", f"+1-{a}-{b}-{c}", f"1-{a}-{b}-{c}", f"+1 ({a}) {b}-{c}", value]  # fmt: skip
    if re.fullmatch(r"\+33\d{9}", value):
        pairs = ["0" + value[3], *(value[i : i + 2] for i in range(4, 12, 2))]
        rest = pairs[1:]
        ways = [mark.join(pairs) for mark in (" ", ".", "-", "")]
        return [*ways, f"+33 {value[3]} {' '.join(rest)}", f"+33{value[3:]}", f"0033{value[3:]}",
                f"+33 (0){value[3]} {' '.join(rest)}"]  # fmt: skip
    if value.startswith("+"):
        return [value, "00" + value[1:]] + ["0" + value[3:]] * (value[1:3] in ("41", "44", "49"))
    return [value]


def _id_forms(value: str) -> list[str]:
    pieces = re.findall(r"[^\W\d]+|\d+", value)
    return [value] + ([mark.join(pieces) for mark in "- "] if 1 < len(pieces) <= 4 else [])


def _name_forms(value: str) -> list[str]:
    """Return a full name in both orders; a lone surname only with its title."""
    words = value.split()
    if len(words) < 2:
        return []
    if words[0] in schema.words("titles")["titles"]:
        rest = " ".join(words[1:])
        return [f"{t} {rest}" for t in schema.words("titles")["titles"][words[0]]]
    first, last = _first_and_last(words)
    given, family = " ".join(first), " ".join(last)
    return [value, f"{family}, {given}", f"{family} {given}"]


_FORMS: dict[str, Callable[[str], list[str]]] = {
    "AGE": _age_forms,
    "PHONE_NUMBER": _phone_forms,
    **dict.fromkeys(IDS, _id_forms),
    "NAME": _name_forms,
}


# ── aliases ─────────────────────────────────────────────────────────────────────────────────────


def _first_and_last(words: list[str]) -> tuple[list[str], list[str]]:
    """Split the words of a name before its surname; particles belong to the surname."""
    cut = len(words) - 1
    generations = {plain_letters(w) for w in schema.words("titles")["suffixes"]["generations"]}
    while cut > 1 and words[cut] in generations:
        cut -= 1
    while cut > 1 and words[cut - 1] in _particles():
        cut -= 1
    return words[:cut], words[cut:]


def _fits(short: list[str], full: list[str]) -> bool:
    """Tell whether given names, perhaps initials, can be those of a full name."""
    if len(short) > len(full):
        return False
    at = 0
    for word in short:
        while at < len(full) and not _same(word, full[at]):
            at += 1
        if at == len(full):
            return False
        at += 1
    return _same(short[0], full[0]) if short else True


def _same(a: str, b: str) -> bool:
    return a == b or ((len(a) == 1 or len(b) == 1) and a[0] == b[0])


class Aliases:
    """Which short names mean which full name, in a corpus."""

    def __init__(self, known: Iterable[tuple[str, str, int]]) -> None:
        """Take the distinct (type, value, number of documents) of a corpus."""
        self._full: dict[tuple[str, str], list[str]] = {}
        self._starts: dict[str, list[str]] = {}
        for entity_type, value, _ in sorted(set(known)):
            if entity_type in NAMES:
                if parsed := _parse(value):
                    given, family = parsed
                    if given and len(given[0]) > 1:
                        self._full.setdefault((entity_type, family), []).append(value)
            elif entity_type == "ADDRESS":
                for size in range(3, len(value.split())):
                    self._starts.setdefault(" ".join(value.split()[:size]), []).append(value)

    def resolve(self, entity_type: str, value: str, in_document: Collection[str] = ()) -> str:
        """Return the full value that a short one means, or the value itself where unclear.

        Looked for first among `in_document`, the values of this type in the document, then in the
        corpus. A surname with a title, initials with a surname, a full name without its middle
        name; a street and number without its town.
        """
        if entity_type == "ADDRESS":
            return _only(self._starts.get(value, []), in_document, value)
        if entity_type not in NAMES:
            return value
        parsed = _parse(value)
        if parsed is None:
            return value
        given, family = parsed
        candidates = [
            full
            for full in self._full.get((entity_type, family), [])
            if full != value and _fits(given, (_parse(full) or ([], ""))[0])
        ]
        if not given and " " not in value:  # a bare word: a surname only beside its full name
            candidates = [full for full in candidates if full in in_document]
        longest = [c for c in candidates if not any(_wider(o, c) for o in candidates)]
        return _only(longest, in_document, value)

    def forms(self, entity_type: str, value: str) -> tuple[str, ...]:
        """Return `forms` and, for a full name, the short ones that mean nobody else here."""
        short: list[str] = []
        parsed = _parse(value) if entity_type in NAMES else None
        if parsed and parsed[0] and len(parsed[0][0]) > 1:
            given, family = parsed
            if len(self._full.get((entity_type, family), [])) <= 1:
                short = [f"{title} {family}" for title in schema.words("titles")["usual"]]
            if self.resolve(entity_type, f"{given[0][0]} {family}") in (
                value,
                f"{given[0][0]} {family}",
            ):
                short += [f"{given[0][0]}. {family}", f"{family}, {given[0][0]}."]
        return tuple(dict.fromkeys([*forms(entity_type, value), *short]))


def _parse(value: str) -> tuple[list[str], str] | None:
    """Return given names and surname of a canonical name; no given names after a title."""
    words = value.split()
    if not words or any(c.isdigit() for c in value) or len(words) > 6:
        return None
    if words[0] in schema.words("titles")["titles"]:
        return [], " ".join(words[1:])
    if len(words) == 1:
        return [], words[0]
    given, family = _first_and_last(words)
    return given, " ".join(family)


def _wider(a: str, b: str) -> bool:
    """Tell whether name `a` is name `b` with more said: Elena M. Vargas, Elena Vargas."""
    mine, other = _parse(a), _parse(b)
    return bool(
        mine
        and other
        and len(mine[0]) > len(other[0])
        and mine[1] == other[1]
        and _fits(other[0], mine[0])
    )


def _only(candidates: list[str], in_document: Collection[str], value: str) -> str:
    """Return the only candidate of the document, else of the corpus, else the value."""
    here = [c for c in candidates if c in in_document]
    for choice in (here, candidates):
        if choice:
            return choice[0] if len(choice) == 1 else value
    return value
