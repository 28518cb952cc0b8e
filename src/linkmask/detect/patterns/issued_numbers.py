"""Recognizes numbers that were issued to one person or account, most of them with a checksum."""

from __future__ import annotations

import re
from functools import lru_cache
from importlib import import_module

from linkmask.detect.patterns.date_triggers import when
from linkmask.detect.patterns.rule import Judge, Rule, Verdict, before, digits

CARD = (
    r"(?<!id )(?<!identity )(?<!health )(?<!green )(?<!medical )(?<!membership )card"
    r"|carte(?! (?:d['’](?!achat)|vitale|nationale|de (?:s[ée]jour|membre|mutuelle)|mutuelle))"
    r"|karte|kreditkarte|kartennummer|visa|mastercard|amex|cb|cc#?"
)
SSN = r"ssn|s\. ?s\. ?n\.?|social security|social|ss#|itin|tax ?id|tin"
NIR = (
    "s[ée]curit[ée] sociale|s[ée]cu|nir|nri|nss|n° ?ss|n°? ?d['’]identification|num[ée]ro ss|insee"
    "|assur[ée]e?"
)
TAX_DE = "steuer-?id(?:nr|-nr)?|steueridentifikationsnummer|identifikationsnummer|idnr|tax id|tin"
"""Words that stand before a card's number, before a national number, and so on."""


def _cue(words: str) -> re.Pattern[str]:
    """Return an expression for words before a number, with up to 24 other characters between."""
    return re.compile(rf"(?i)(?<![^\W_])(?:{words})(?![^\W_])[^\n\d]{{0,24}}$")


@lru_cache(maxsize=1 << 12)  # a number stands in many documents
def _valid(module: str, value: str) -> bool:
    """Tell whether a value holds the checksum of one of python-stdnum's modules."""
    return bool(import_module(f"stdnum.{module}").is_valid(value))


def _checked(entity_type: str, module: str, cue: str, otherwise: float = 0.0) -> Judge:
    """Return a judge: a checksum that holds is certain; one that fails needs a word before it.

    Numbers are mistyped, or older than their checksum. `otherwise`: score of a number in groups
    without such a word.
    """
    cues = _cue(cue)

    def judge(text: str, start: int, end: int) -> Verdict:
        if _valid(module, text[start:end]):
            return entity_type, 1.0
        if cues.search(before(text, start)):
            return entity_type, 0.95
        grouped = otherwise and re.search("[ .]", text[start:end])
        return (entity_type, otherwise) if grouped else None

    return judge


def _behind_trigger(entity_type: str, cue: str, module: str = "") -> Judge:
    """Return a judge for numbers of no special form: a word must stand before them."""
    cues = _cue(cue)

    def judge(text: str, start: int, end: int) -> Verdict:
        if not cues.search(before(text, start)):
            return None
        return entity_type, 1.0 if module and _valid(module, text[start:end]) else 0.95

    return judge


def _card(text: str, start: int, end: int) -> Verdict:
    """Take a Luhn number that begins like a card's, in groups or whole; or any after a cue."""
    value = digits(text[start:end])
    cued = CARD_BEFORE.search(before(text, start)) is not None
    if value[0] in "23456" and len(value) >= 13 and _valid("luhn", value):
        return "CREDIT_CARD", 1.0 if cued or len(value) in (15, 16) else 0.8
    return ("CREDIT_CARD", 0.95) if cued else None


CARD_BEFORE = re.compile(rf"(?i)(?:{CARD})[^\n\d]{{0,24}}$")
SSN_BEFORE = _cue(SSN)


def _ssn(text: str, start: int, end: int) -> Verdict:
    """Take ddd-dd-dddd; other groupings, and areas never issued, only after a cue."""
    parts = re.findall("[0-9]+", text[start:end])
    issued = len(parts) == 3 and parts[0] not in ("000", "666") and parts[1] != "00"
    hyphens = "-" in text[start:end]
    if SSN_BEFORE.search(before(text, start)):
        return "NATIONAL_ID", 0.95
    return ("NATIONAL_ID", 0.95) if issued and hyphens else None


def _ssn_misread(text: str, start: int, end: int) -> Verdict:
    """Take nine digits, some read as letters, after a word for the number, which may be misread."""
    value = text[start:end]
    letters = not set(value).isdisjoint("OolI")
    good = letters and len(digits(value)) >= 5 and SSN_MISREAD.search(before(text, start))
    return ("NATIONAL_ID", 0.95) if good else None


def _medicare(text: str, start: int, end: int) -> Verdict:
    """Take a Medicare number (CMS, MBI format), or any id behind "Medicare no."."""
    value = text[start:end]
    good = MBI.fullmatch(value) or (
        len(digits(value)) >= 5 and MEDICARE_NO.search(before(text, start))
    )
    return ("NATIONAL_ID", 0.95) if good else None


MBI = re.compile("[1-9][A-Z][A-Z0-9][0-9]-?[A-Z][A-Z0-9][0-9]-?[A-Z]{2}[0-9]{2}")
MEDICARE_NO = re.compile(
    r"(?i)(?<!\w)(?:medicare (?:beneficiary )?(?:no|number|id|nr|#)|mbi|hicn)[ .:#]{1,4}(?:is )?$"
)
SSN_MISREAD = re.compile(
    r"(?i)(?<!\w)(?:ssn|s\. ?s\. ?n\.?|ss ?#|s[o0]c[i1l]a[l1i](?: secur[i1l]ty)?)"
    r"(?![^\W_])[^\n\d]{0,24}$"
)


def _boxed(text: str, start: int, end: int) -> Verdict:
    """Tell what digits written one per box are: a date, a phone number, or a French NIR."""
    value = digits(text[start:end])
    if len(value) == 8 and 1 <= int(value[:2]) <= 31 and 1 <= int(value[2:4]) <= 12:
        return when(text, start, end)
    if re.fullmatch("0[0-9]{9}|330?[1-9][0-9]{8}", value):
        return "PHONE_NUMBER", 0.95
    return ("NATIONAL_ID", 0.95) if len(value) >= 12 else None


def _labelled(text: str, start: int, end: int) -> Verdict:
    """Take any 9 to 15 digits after the word for a French insurance number, but a phone number."""
    if re.fullmatch("0[1-9][0-9]{8}", digits(text[start:end])):
        return None
    return ("NATIONAL_ID", 0.95) if NIR_BEFORE.search(before(text, start)) else None


def _boxes(count: int | str) -> str:
    """Return an expression for that many further digits, one per box."""
    return f"(?: [0-9]){{{count}}}"


MONTH_YEAR = "(?:0 [1-9]|1 [0-2]) (?:1 9|2 0) [0-9] [0-9]"
BOXED_DATE = f"(?:0 [1-9]|[12] [0-9]|3 [01]) {MONTH_YEAR}"
DATE = f"(?:(?<=0) [1-9]|(?<=[12]) [0-9]|(?<=3) [01]) {MONTH_YEAR}"
"""A date when its first digit has been read."""
ALONE = r"(?!\w| [0-9](?!\w))"
NEXT = (
    rf"(?:(?<!\b[0-9] .)|(?<={BOXED_DATE} .)|(?<=[12]{_boxes(12)} .)|(?<=[12]{_boxes(14)} .)"
    rf"|(?<=0{_boxes(9)} .)|(?={DATE}{ALONE}))"
)
"""A number begins where boxes begin, or behind another number."""
NIR_BEFORE = _cue(NIR)
NEAR_NIR = ("curit", "sécu", "secu", "nir", "nri", "nss", "ss ", "identification", "insee", "assur")

RULES = (
    Rule(
        "iban",
        "IBAN",
        r"[A-Za-z](?<!\w.)[A-Za-z][0-9]{2}(?:[ -]?[A-Za-z0-9]{4}){2,7}(?:[ -]?[A-Za-z0-9]{1,3})?"
        r"(?!\w)",
        judge=_checked("IBAN", "iban", "iban"),
        near=("0000 0000", "0000-0000", "00000000"),
        reach=(40, 64),
    ),
    Rule(
        "fr-nir",  # 2 78 03 75 116 025 43
        "NATIONAL_ID",
        r"[12](?<![\w.,-].)[ .]?[0-9]{2}[ .]?(?:0[1-9]|1[0-2]|[2-9][0-9])[ .]?"
        r"(?:[0-9]{2}|2[ABab])[ .]?[0-9]{3}[ .]?[0-9]{3}"
        r"(?:[ .|/]{0,3}|,? ?(?i:cl[ée]f?) ?:? ?)[0-9]{2}"
        r"(?![\w]|[/.-][0-9])",
        judge=_checked("NATIONAL_ID", "fr.nir", NIR, 0.8),
        near=("000 000", "000000", "000.000"),
        reach=(32, 48),
        countries="fr",
    ),
    Rule(
        "fr-nir-no-key",
        "NATIONAL_ID",
        r"[12](?<![\w.,-].) ?[0-9]{2} ?(?:0[1-9]|1[0-2]) ?(?:[0-9]{2}|2[ABab])"
        r" ?[0-9]{3} ?[0-9]{3}(?![\w]|[/.-][0-9])",
        0.75,
        near=("000 000", "000000"),
        reach=(32, 48),
        countries="fr",
    ),
    Rule(
        "boxed-digits",  # 1 9 0 2 1 9 7 5 1 7 8 0 3 7 5 1 1 6 0 2 5: one number after another
        "NATIONAL_ID",
        rf"[0-9](?<![\w.,-].){NEXT}(?:(?<=[12]){_boxes(12)}(?:{_boxes(2)})?{ALONE}"
        rf"|{DATE}{ALONE}|(?<=0){_boxes(9)}{ALONE}|{DATE}(?={_boxes(7)})"
        rf"|(?<=[12]){_boxes(12)}(?:{_boxes(2)})?(?= {BOXED_DATE})|(?<=0){_boxes(9)}(?={_boxes(7)})"
        rf"|{_boxes('7,17')}?(?:{ALONE}|(?= {BOXED_DATE}{ALONE})))",
        judge=_boxed,
        near=("0 0 0 0",),
        reach=(32, 96),
        countries="fr",
    ),
    Rule(
        "fr-nir-labelled",  # sécurité sociale 173 2857 4932: whatever its checksum and spacing
        "NATIONAL_ID",
        r"[0-9](?<![\w.,/-].)(?:[ .|/-]{0,2}[0-9ABab]){8,14}"
        r"(?!\w|[ .|/-]{0,2}[0-9]| {1,2}[OlI][0-9OlI])",
        judge=_labelled,
        near=NEAR_NIR,
        reach=(0, 80),
        digit=(0, 56),
        countries="fr",
    ),
    Rule(
        "ch-ahv",
        "NATIONAL_ID",
        r"7(?<![\w.,-].)56[. ]?[0-9]{4}[. ]?[0-9]{4}[. ]?[0-9]{2}(?!\w)",
        judge=_checked("NATIONAL_ID", "ch.ssn", "ahv|avs|versichertennummer", 0.7),
        near=("000.0000", "000 0000", "0000000"),
        reach=(16, 40),
        countries="ch",
    ),
    Rule(
        "ch-health-card",  # 80756 and fifteen digits, on each Swiss insurance card
        "NATIONAL_ID",
        r"80756(?<![\w.,-].{5})(?: ?[0-9]{5}){3}(?!\w)",
        0.95,
        near=("00000 00000", "000000000000"),
        reach=(24, 48),
        countries="ch",
    ),
    Rule(
        "ca-ramq",  # STGD 6604 1915: born on the nineteenth of April 1966
        "NATIONAL_ID",
        r"[A-Z](?<![\w.,-].)[A-Z]{3} [0-9]{2}(?:[05][1-9]|[16][0-2]) "
        r"(?:0[1-9]|[12][0-9]|3[01])[0-9]{2}(?!\w|[ -][0-9])",
        0.95,
        near=(" 0000 0000",),
        reach=(8, 32),
    ),
    Rule(
        "za-id",  # 880229 5800 08 4
        "NATIONAL_ID",
        r"[0-9](?<![\w.,-].)[0-9][01][0-9][0-3][0-9] [0-9]{4} [01][0-9] [0-9](?!\w)",
        0.95,
        near=("000000 0000 00 0",),
        reach=(4, 32),
    ),
    Rule(
        "be-niss",  # 61.05.03-441.88: born on the third of May
        "NATIONAL_ID",
        r"[0-9](?<![\w.,-].)[0-9]\.[0-9]{2}\.[0-9]{2}-[0-9]{3}\.[0-9]{2}(?![\w.-])",
        0.95,
        near=("00.00.00-000.00",),
        reach=(4, 40),
    ),
    Rule(
        "card",
        "CREDIT_CARD",
        r"[0-9](?<![\w.,+-].)(?:[0-9]{11,18}|[0-9]{3}(?:[ .-][0-9]{4}){2,3}(?:[ -][0-9]{1,4})?"
        r"|[0-9]{3}[ .-][0-9]{6}[ .-][0-9]{4,5})(?![\w]|[ .,-][0-9])",
        judge=_card,
        near=("000000000000", "0000 0000", "0000-0000", "0000.0000", "0000 000000", "0000-000000"),
        reach=(24, 48),
    ),
    Rule(
        "us-ssn",
        "NATIONAL_ID",
        r"[0-9](?<![\w.,+/-].)(?:[0-9]{2}-\n?[0-9]{2}-\n?[0-9]{4}"
        r"|[0-9]{2} [0-9]{2} [0-9]{4}|[0-9]{8})(?![\w]|-[0-9])",
        judge=_ssn,
        near=("000-00-0000", "000- 00-0000", "000-00- 0000", "000 00 0000", "000000000"),
        reach=(16, 40),
        countries="us",
    ),
    Rule(
        "gb-nino",
        "NATIONAL_ID",
        r"[A-CEGHJ-PR-TW-Za-ceghj-pr-tw-z](?<!\w.)[A-CEGHJ-NPR-TW-Za-ceghj-npr-tw-z] ?[0-9]{2}"
        r" ?[0-9]{2} ?[0-9]{2} ?[A-Da-d](?!\w)",
        0.95,
        near=("00 00 00", "000000"),
        reach=(16, 40),
        countries="gb",
    ),
    Rule(
        "us-ssn-misread",  # Soc1al Security Number: 526-O4-678O
        "NATIONAL_ID",
        r"[0-9OolI](?<![\w.,/$-].)[0-9OolI]{2}[ -]?[0-9OolI]{2}[ -]?[0-9OolI]{4}(?![\w-])",
        judge=_ssn_misread,
        near=("ssn", "s.s.n", "ss#", "social", "security"),
        reach=(0, 64),
        digit=(0, 48),
        countries="us",
    ),
    Rule(
        "us-medicare",  # Medicare no. 1EG4-TE5-MK73
        "NATIONAL_ID",
        r"[0-9A-Z](?<![\w.,/$-].)[0-9A-Z-]{7,13}+(?!\w)",
        judge=_medicare,
        near=("medicare", "mbi", "hicn"),
        reach=(0, 64),
        digit=(0, 48),
        countries="us",
    ),
    Rule(
        "gb-nino-labelled",  # NI no. QQ 12 34 56 C: prefixes never issued, no last letter
        "NATIONAL_ID",
        r"[A-Za-z](?<!\w.)[A-Za-z] ?[0-9]{2} ?[0-9]{2} ?[0-9]{2}(?: ?[A-Da-d])?(?!\w)",
        judge=_behind_trigger(
            "NATIONAL_ID", r"n\.?i\.?(?: ?(?:no|number|#)\.?)?|nino|national insurance"
        ),
        near=("00 00 00", "000000"),
        reach=(16, 40),
        countries="gb",
    ),
    Rule(
        "gb-nhs",
        "NATIONAL_ID",
        r"[0-9](?<![\w.,+-].)[0-9]{2}[ -]?[0-9]{3}[ -]?[0-9]{4}(?![\w-])",
        judge=_behind_trigger("NATIONAL_ID", "nhs", "gb.nhs"),
        near=("000 000 0000", "000-000-0000", "0000000000"),
        reach=(16, 40),
        countries="gb",
    ),
    Rule(
        "de-tax-id",
        "NATIONAL_ID",
        r"[1-9](?<![\w.,+-].)[0-9] ?[0-9]{3} ?[0-9]{3} ?[0-9]{3}(?!\w)",
        judge=_behind_trigger("NATIONAL_ID", TAX_DE, "de.idnr"),
        near=("000 000 000", "00000000000"),
        reach=(16, 40),
        countries="de",
    ),
    Rule(
        "de-pension",  # 65 170839 J 003
        "NATIONAL_ID",
        r"[0-9](?<![\w.,+-].)[0-9] ?[0-3][0-9][01][0-9]{3} ?[A-Z] ?[0-9]{3}(?!\w)",
        0.95,
        near=("000000",),
        reach=(16, 40),
        countries="de",
    ),
    Rule(
        "national-labelled",  # CHI 0101010016, SIN 046 454 286, SVNR 1237 010180
        "NATIONAL_ID",
        r"[0-9](?<![\w.,/+-].)(?:[ -]?[0-9]){7,11}(?!\w|[ .,/-]?[0-9])",
        judge=_behind_trigger(
            "NATIONAL_ID", r"chi|sin|sv-?n(?:umme)?r|sozialversicherungs-?n(?:umme)?r"
        ),
        near=("chi ", "chi:", "chi-n", "sin ", "sin:", "svn", "sv-n", "sozialversicherungs"),
        reach=(0, 64),
        digit=(0, 48),
    ),
    Rule(
        "de-health",
        "NATIONAL_ID",
        r"[A-Z](?<!\w.) ?[0-9]{3} ?[0-9]{3} ?[0-9]{3}(?!\w)",
        judge=_behind_trigger(
            "NATIONAL_ID", "kvnr|krankenversichertennummer|versicherten-?(?:nummer|nr)"
        ),
        near=("000 000 000", "000000000"),
        reach=(16, 40),
        countries="de",
    ),
)
