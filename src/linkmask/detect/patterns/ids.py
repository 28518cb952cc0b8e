"""Recognizes ids of persons and things. The nearest trigger says whose: a patient's, a claim's.

An id is a word with digits. An unmistakable shape (capitals and digits mixed, `#` before) counts
wherever it stands; plain digits and lower-case letters need a trigger directly before them. The
triggers are in schema/words/ids.toml.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from string import ascii_letters
from typing import NamedTuple

from linkmask import schema
from linkmask.detect.patterns.rule import Rule, Searched, Verdict, after, before, digits
from linkmask.detect.recognizers.shipped import stage
from linkmask.schema import expression, types

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


CUES = {
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


CUES |= {
    phrase: kind
    for kind in ("patient", "national")
    for end in ("", "_fr")
    for word in map(fold_same_length, TABLE[f"{kind}_numbered{end}"])
    for phrase in _numbered(word, before=bool(end))
    if phrase not in CUES
}
CUES |= {
    word + link + number: kind
    for word, kind in CUES.items()
    if " " not in word and len(word) > 3
    for link in ("", "s", "n", "en")
    for number in ("nr", "nummer")
    if word + link + number not in CUES
}
"""German writes it in one word: Fallnr, Mitgliedsnummer."""
THINGS = frozenset(word for word, kind in CUES.items() if kind in ("thing", "code"))
"""Words before the number of a thing: a claim's, a device's."""
GLUE = frozenset(map(fold_same_length, TABLE["glue"]))
PREFIX = {
    letters: kind for kind in ("patient", "thing", "never") for letters in TABLE["prefixes"][kind]
}
REACH = 56
"""Characters before an id in which its word is looked for."""

WORD = re.compile(r"[^\W\d_]+")
LETTERS = re.compile("[A-Za-z]*")


def _sizes(cues: Iterable[str]) -> dict[str, list[int]]:
    """Return numbers of words by last word, in one pass: there are thousands of cues."""
    sizes: dict[str, set[int]] = {}
    for words in map(str.split, cues):
        sizes.setdefault(words[-1], set()).add(len(words))
    return {last: sorted(found, reverse=True) for last, found in sizes.items()}


SIZES = _sizes(CUES)
"""Last word of a cue → how many words the cues have that end with it, most first."""
LAST_WORDS = frozenset(SIZES)
GLUED = GLUE | {"s"}
RIGHT_BEFORE = GLUED | LAST_WORDS
"""Words of which one stands right before an id that is nothing but digits or small letters."""

BETWEEN = re.compile(r"(?:[^\W\d]|[\s:#.()\[\]°=№'’«\"*-])*")
"""What may stand between a word and its id beside glue: no digit, no comma."""

NUMBERED = re.compile(
    r"(?i)(?<![^\W_])(?:nos?\.|n°|nr\.?|num|number|numéro|nummer|id|ids|#)[ \u00a0\u202f:#]{0,3}$"
)
"""A word or a sign for a number right before it; French sets a blank on either side of a colon."""
YEAR = r"(?:19|20)[0-9]{2}(?:[-/](?:19|20)?[0-9]{2})?"
"""A year or two, which no word makes a number of somebody's unless it says that one follows."""
OF_A_YEAR = re.compile(rf"[A-Za-z]{{5,}}[-/]{YEAR}")
"""A word and its year: SURVEY-2024. The letters that ids begin with are fewer, or known."""
NAMED = re.compile(
    r"[A-Z](?:[\w'’-]+|\.|r\.|rs\.|s\.) (?:[A-Z]\. )?[A-Z][\w'’-]+,? ?"
    r"(?:[(\[](?:(?i:id|no)\.?)?|(?:ID|Id))[ :#]{0,3}$"
)
"""A person's name, then an opening bracket or "ID": the number is the person's."""

FOR_WHOM = ("for ", "from ", "by ", "with ", "like ")
"""Denied *for* JK-7743: whom, not what."""

MIXED = re.compile(
    r"(?=[^a-z]*[A-Z])(?:[A-Z]{1,6}-?[0-9]{2,12}[A-Z]{0,4}|[0-9]{2,12}-?[A-Z]{1,5}[0-9A-Z]*"
    r"|(?=[0-9-]*[A-Z])[A-Z0-9]{5,20}|[A-Z0-9]{1,12}(?:[-/.*][A-Z0-9]{1,12}){1,5})$"
)
"""Capitals and digits mixed, as in H78456, 45T9R7P2, PT-8872-3A, KBH*5520*19."""

CATALOGUE = re.compile(
    r"[A-TV-Z][0-9][0-9AB](?:\.[0-9A-Z]{1,4})?$"  # ICD-10
    r"|[A-Z][0-9]{4}$"  # HCPCS
    r"|[CLTS][0-9]{1,2}(?:[-/][CLTS]?[0-9]{1,2})+$"  # vertebrae
    r"|[A-Z]{1,6}[0-9](?:/[A-Z]{1,6}[0-9])+$"  # genes
    r"|[A-Z0-9-]{1,8}\*[0-9]{1,4}(?:/\*?[0-9]{1,4}|-.*)?$"  # alleles
    r"|[A-Z]{1,6}-?[0-9]{1,2}[A-Z]?$|[A-Z]{1,4}[0-9][A-Z][0-9]$|[0-9]{1,2}[A-Z]{1,2}$"  # markers
    rf"|[0-9]+(?:{expression('ids_units')})$"  # units
    r"|[0-9]{1,2}-[A-Z]{1,2}$|P[0-9]{1,2}/[0-9]{1,2}$"  # parts of a form, pages
    r"|[0-2]?[0-9]H[0-5][0-9]$"  # times
    r"|(?=(?:[A-Z]*[01]){1,3}[A-Z]*$)[A-Z01]{9,20}$"  # a word, misread
    r"|[0-9]+/(?:L|D?ML|[DUF]L|H|MIN)$"  # per litre
    r"|[0-9.,/-]+$"  # no letter at all
)
"""Looks like an id and is none."""


SHORT = re.compile(r"[A-Z]{1,6}-[0-9]{2}[A-Z]$|[A-Z]{2,6}-[0-9]{2,3}$")
"""May be one, right after a word that says so: policy RX-45B."""


SENTENCE = re.compile(r"\n|(?<=[a-z0-9)]{3})[.!?;] ")
"""A word decides about what comes later in its own sentence."""


class Trigger(NamedTuple):
    """The word that says whose number follows, its kind, whether it stands right before, and how
    many words stand before it.
    """

    word: str
    kind: str
    near: bool
    at: int = 0


def last_trigger(lead: str, words: list[str]) -> Trigger | None:
    """Return the last cue among the words of `lead`, what stands before an id in small letters."""
    if LAST_WORDS.isdisjoint(words):
        return None
    for last in range(len(words) - 1, -1, -1):
        for size in SIZES.get(words[last], ()):
            phrase = " ".join(words[last - size + 1 : last + 1]) if size <= last + 1 else ""
            if phrase in CUES:
                near = only_glue_follows(lead, words[last:])
                return Trigger(phrase, CUES[phrase], near, last - size + 1)
    return None


def only_glue_follows(lead: str, words: list[str]) -> bool:
    """Tell whether after the first of these last words of `lead` only glue follows."""
    if not GLUED.issuperset(words[1:]):
        return False
    at = len(lead)
    for word in reversed(words):
        at = lead.rfind(word, 0, at)
    return BETWEEN.fullmatch(lead, at + len(words[0])) is not None


def _judge(text: str, start: int, end: int) -> Verdict:
    value = text[start:end].lstrip("#")
    plain = value.isdecimal()
    count = len(value) if plain else len(digits(value))
    if count < 2 or (count == 2 and plain):
        return None
    shaped = not plain and _shaped(value)
    marked = "#" in text[max(0, start - 1) : start + 1]
    lead = before(text, start, REACH)
    small = fold_same_length(lead)
    if not (shaped or marked or _last_word(small) in RIGHT_BEFORE):
        return None
    letters = LETTERS.match(value)[0].upper()  # type: ignore[index]
    prefix = PREFIX.get(letters, "")
    if prefix == "never" and re.match("[A-Za-z]+-[0-9]", value):
        return None
    cue = last_trigger(small, WORD.findall(small))
    if cue and cue.near:
        if cue.kind == "code":
            return None
        likely = shaped or SHORT.match(value) is not None
        if likely or _enough(text, start, end, count, marked):
            if prefix == "patient" and cue.word in TABLE["weak"]:
                return types.PATIENT_ID, 0.9
            of_thing = letters in TABLE["prefixes"]["telling"] and cue.kind == "patient"
            return (types.NON_PERSONAL_ID if of_thing else KIND[cue.kind]), 0.95
    if not shaped and not (marked and count >= 3):
        kind = types.PATIENT_ID if _beside_birth(text, end) else types.NON_PERSONAL_ID
        return (kind, 0.7) if count >= 5 and NUMBERED.search(lead) else None
    if prefix in KIND:
        return KIND[prefix], 0.85
    if OF_A_YEAR.fullmatch(value):
        return None
    if "DL" in value.split("-")[:2]:  # a driver's license
        return types.NATIONAL_ID, 0.85
    if lead.endswith(FOR_WHOM) or text.startswith(("'s", "’s"), end) or NAMED.search(lead):
        return types.PATIENT_ID, 0.85
    small = fold_same_length(SENTENCE.split(lead)[-1])
    cue = last_trigger(small, WORD.findall(small))
    if cue and KIND[cue.kind] and cue.word != "patients":
        return KIND[cue.kind], 0.8
    return _behind(text, end)


BORN_BEHIND = re.compile(
    r"(?i)[ \t,;|()/]{1,6}(?:d\.?o\.?b|born|birth ?date|date of birth|née?|geb|date de naissance"
    r"|ddn)(?![^\W\d_])"
)


def _beside_birth(text: str, end: int) -> bool:
    """Tell whether a birth date follows: then a number whose word says nothing is the person's."""
    return BORN_BEHIND.match(text, end, end + 32) is not None


def _shaped(value: str) -> bool:
    """Tell whether a value is an id by its shape: capitals and digits, and no catalogue's code."""
    return MIXED.match(value) is not None and CATALOGUE.match(value) is None


def _last_word(small: str) -> str:
    """Return the last word of some text, "" if there is none."""
    word = small.rstrip(" ").rpartition(" ")[2]
    if word.isalpha():  # mostly
        return word
    found = WORD.search(small[::-1])
    return found[0][::-1] if found else ""


def _enough(text: str, start: int, end: int, count: int, marked: bool) -> bool:
    """Tell whether plain digits or small letters after an id's word are its id, not a count."""
    value = text[start:end]
    named = marked or NUMBERED.search(before(text, start, 12)) is not None
    if re.fullmatch(YEAR, value) and not named:
        return False
    if re.fullmatch(r"[0-9]{1,4}\.[0-9]{2}", value) and not named:
        return False
    if re.fullmatch(r"[0-9.]+(?i:mg|ml|kg|cm|mm|st|nd|rd|th|k|h|s|am|pm|d|x)", value):
        return False
    if before(text, start, 11).lower().endswith("number of "):
        return False
    counted = r"(?i)[,.][0-9]|[ -]?(?:%|days?|weeks?|patients?|cases?|claims?|members?)"
    if re.match(counted, after(text, end, 10)):
        return False
    return count >= 4 or named


ENDS = r"(?=[,;:)\]|]|\.(?:\s|$)| {2}|[ ]?\n|[ ]?$)"
GROUPS = re.compile(
    rf"(?:(?: [0-9]{{2,6}}|-[0-9]{{1,6}})(?![0-9])){{0,4}}"
    rf"(?: [0-9]{{2,6}}| [0-9]{{1,4}}[OI]{{1,2}}|-[0-9]{{1,6}})(?: [A-Z]{{1,2}}(?!\w))?{ENDS}"
    rf"| [A-Z]{{1,2}}{ENDS}"
)


def _grouped(text: str, start: int, end: int) -> tuple[int, int]:
    """Take in the groups of digits that a number goes on with, up to a mark or the line's end."""
    more = GROUPS.match(text, end) if end - start > 3 else None
    return start, more.end() if more else end


def _behind(text: str, end: int) -> Verdict:
    """Tell an id by the word right after it: "TWC-45Q8 plan"."""
    match = WORD.match(after(text, end).lstrip(" )\"'"))
    kind = KIND[CUES.get(fold_same_length(match.group()), "thing") if match else "thing"]
    return (kind, 0.75) if kind else None


def _from_digits(
    expression: re.Pattern[str], seen: Searched, begin: int, stop: int
) -> Iterator[re.Match[str]]:
    """Yield what begins where a word with digits does: every id has one, and most words have none.

    Between the begin of an id and its first digit stand at most `LEAD` letters and marks.
    """
    text, taken, end = seen.text, seen.taken, begin
    fits = expression.match
    for first in map(_START, RUN.finditer(seen.outline, begin, stop)):
        if first < end or taken[first]:
            continue
        start = first
        if text[first - 1 : first] in IN_LEAD:
            lead = text[max(end, first - LEAD) : first]
            begun = lead[len(lead.rstrip(IN_LEAD)) :].lstrip("*")
            start = first - len(begun)
        match = None
        if start > end and text[start - 1] == "#":
            match = fits(text, start - 1, stop)
        if match := match or fits(text, start, stop):
            end = match.end()
            yield match


_START = re.Match.start
RUN = re.compile(r"0(?!(?<![\w/.#-].)0?(?![\w/.-]))0*")
"""Digits of a shape, but not one or two of them alone."""
LEAD = 15
IN_LEAD = ascii_letters + "/-*"


CELLS = re.compile(
    r"(?:[0-9]{1,2}[/.-][0-9]{1,2}[/.-](?:[0-9]{4}|[0-9]{2})|[0-9](?: [0-9]){7})"
    r"(?: ?\([^()\n]{1,16}\))?"
    r"[ \t]*[|;\t][^\n]{0,40}?$"
)
"""A line of cells, one of them a date, before a cell."""
DATED = re.compile(r"(?:[0-9]{1,2}[/.-]){2}[0-9]{2,4} ?, ?$|[0-9](?: [0-9]){7}, ?$")
BORN = re.compile(r" ?, ?(?:née?|born|geb)(?![^\W_])")


def _dossier(text: str, start: int, end: int) -> Verdict:
    """Take a number in a line of cells with a date, or right beside a birth date: a person's."""
    lead = before(text, start, 96).rpartition("\n")[2]
    cell = lead.rstrip(" ").endswith(("|", ";", "\t")) and CELLS.search(lead)
    if not cell and not DATED.search(lead) and not BORN.match(after(text, end)):
        return None
    count = end - start
    if count == 10 and text[start] == "0":
        return None
    return (types.NATIONAL_ID, 0.9) if count >= 13 else (types.PATIENT_ID, 0.9)


def _listed(text: str, start: int, end: int) -> Verdict:
    """Take a number and a year behind "nos." or in a row of such: (nos. 58372/00, 61878/00)."""
    return (types.NON_PERSONAL_ID, 0.9) if ROW.search(before(text, start, 24)) else None


ROW = re.compile(
    r"(?i)(?:(?<![^\W_])(?:nos?|n[°º]s?)\.? ?|[0-9]{3,6}/[0-9]{2}(?:,|,? (?:and|et|und|&))\s)$"
)


RULES = (
    Rule(
        "application",
        types.NON_PERSONAL_ID,
        r"[0-9](?<![\w.,/-].)[0-9]{2,5}/[0-9]{2}(?![\w/-]|[.,][0-9])",
        judge=_listed,
        near=("000/00",),
        reach=(8, 32),
    ),
    Rule(
        "dossier",  # Varga Lena | F | 01/04/83 | 2549384958 | 59884865
        types.PATIENT_ID,
        r"[0-9](?<![\w.,/+#$€£-].)[0-9]{7,14}(?![\w%]|[.,/-][0-9])",
        judge=_dossier,
        near=("00000000",),
        reach=(4, 48),
    ),
    *stage("user-name"),
    *stage("study"),
    Rule(
        "id",
        types.NON_PERSONAL_ID,
        r"[#A-Za-z0-9](?:(?<=#)(?<!\w.)[A-Za-z0-9]|(?<=[A-Za-z0-9])(?<![\w./$€£+-].))(?<![.,][0-9])"
        r"(?=[A-Za-z/*-]{0,14}[0-9]|(?<=[0-9]))"
        r"[A-Za-z0-9]{0,40}+(?:(?://|[-/.*])[A-Za-z0-9]{1,40}+){0,5}+(?![\w%]|[.,][0-9])",
        judge=_judge,
        widen=_grouped,
        scan=_from_digits,
    ),
)
