"""Numbers issued to one person or account, most with a checksum."""

from __future__ import annotations

import re
from importlib import import_module

from linkmask.detect.patterns.rule import Judge, Rule, Verdict, before, digits


def _sum(module: str, entity_type: str, cue: str = "", cued_score: float = 0.9) -> Judge:
    """Return a judge: a checksum that holds is certain; one that fails needs a cue, if any may.

    `module` is one of python-stdnum's; `cue` an expression for what must stand before a number
    whose checksum fails (mistyped, or written before the checksum was introduced).
    """
    cues = re.compile(rf"(?i)(?<![^\W_])(?:{cue})(?![^\W_])[^\n\d]{{0,24}}$") if cue else None

    def judge(text: str, start: int, end: int) -> Verdict:
        if import_module(f"stdnum.{module}").is_valid(text[start:end]):
            return entity_type, 1.0
        if cues and cues.search(before(text, start)):
            return entity_type, cued_score
        return None

    return judge


def _cued(entity_type: str, cue: str, module: str = "") -> Judge:
    """Return a judge that needs a cue before the number; a checksum, if given, makes it certain."""
    cues = re.compile(rf"(?i)(?<![^\W_])(?:{cue})(?![^\W_])[^\n\d]{{0,24}}$")

    def judge(text: str, start: int, end: int) -> Verdict:
        if not cues.search(before(text, start)):
            return None
        valid = module and import_module(f"stdnum.{module}").is_valid(text[start:end])
        return entity_type, 1.0 if valid else 0.9

    return judge


CARD_CUE = "card|carte|karte|kreditkarte|kartennummer|visa|mastercard|amex|cb"
NIR_CUE = "s[ée]curit[ée] sociale|s[ée]cu|nir|nri|n° ?ss|n°? ?d'identification|num[ée]ro ss|insee|assur[ée]"
SSN_CUE = "ssn|social security|social|ss#|itin|tax ?id|tin"


def _card(text: str, start: int, end: int) -> Verdict:
    """Take a Luhn number that begins like a card's, in groups or whole; or any after a cue."""
    value = digits(text[start:end])
    luhn = import_module("stdnum.luhn").is_valid(value)
    cued = re.search(rf"(?i)(?:{CARD_CUE})[^\n\d]{{0,24}}$", before(text, start)) is not None
    if luhn and value[0] in "23456" and len(value) >= 13:
        return "CREDIT_CARD", 1.0 if cued or len(value) in (15, 16) else 0.8
    return ("CREDIT_CARD", 0.9) if cued else None


def _ssn(text: str, start: int, end: int) -> Verdict:
    """Take ddd-dd-dddd whatever it says; nine digits together only after a cue."""
    if "-" in text[start:end] or " " in text[start:end]:
        area, group, serial = re.split("[ -]", text[start:end])
        real = area not in ("000", "666") and group != "00" and serial != "0000"
        return "NATIONAL_ID", 0.95 if real and "-" in text[start:end] else 0.7
    cued = re.search(
        rf"(?i)(?<![^\W_])(?:{SSN_CUE})(?![^\W_])[^\n\d]{{0,24}}$", before(text, start)
    )
    return ("NATIONAL_ID", 0.9) if cued else None


def _boxed(text: str, start: int, end: int) -> Verdict:
    """Tell what digits written one per box are: a date, a phone number, or a French NIR."""
    value = digits(text[start:end])
    if len(value) == 8 and 1 <= int(value[:2]) <= 31 and 1 <= int(value[2:4]) <= 12:
        return "EVENT_DATE", 0.8
    if (len(value) == 10 and value[0] == "0") or (len(value) in (12, 13) and value.startswith("33")):
        return "PHONE_NUMBER", 0.9
    return ("NATIONAL_ID", 0.9) if len(value) in (13, 15) and value[0] in "12" else None


RULES = (
    Rule(
        "iban",
        "IBAN",
        r"[A-Za-z](?<!\w.)[A-Za-z][0-9]{2}(?:[ -]?[A-Za-z0-9]{4}){2,7}(?:[ -]?[A-Za-z0-9]{1,3})?(?!\w)",
        judge=_sum("iban", "IBAN", "iban"),
    ),
    Rule(
        "fr-nir",
        "NATIONAL_ID",
        r"[12](?<![\w.,-].)[ .]?[0-9]{2}[ .]?(?:0[1-9]|1[0-2]|[2-9][0-9])[ .]?(?:[0-9]{2}|2[ABab])"
        r"[ .]?[0-9]{3}[ .]?[0-9]{3}[ .|/]{0,3}[0-9]{2}(?!\w)",
        judge=_sum("fr.nir", "NATIONAL_ID", NIR_CUE),
        countries="fr",
    ),
    Rule(
        "fr-nir-no-key",
        "NATIONAL_ID",
        r"[12](?<![\w.,-].) ?[0-9]{2} ?(?:0[1-9]|1[0-2]) ?(?:[0-9]{2}|2[ABab])"
        r" ?[0-9]{3} ?[0-9]{3}(?!\w)",
        0.75,
        countries="fr",
    ),
    Rule(
        "boxed-digits",
        "NATIONAL_ID",
        r"[0-9](?<![\w.,-].)(?<![0-9] .)(?: [0-9]){7,14}(?!\w| [0-9])",
        judge=_boxed,
        countries="fr",
    ),
    Rule(
        "ch-ahv",
        "NATIONAL_ID",
        r"7(?<![\w.,-].)56[. ]?[0-9]{4}[. ]?[0-9]{4}[. ]?[0-9]{2}(?!\w)",
        judge=_sum("ch.ssn", "NATIONAL_ID", "ahv|avs|versichertennummer"),
        countries="ch",
    ),
    Rule(
        "card",
        "CREDIT_CARD",
        r"[0-9](?<![\w.,+-].)(?:[0-9]{11,18}|[0-9]{3}(?:[ -][0-9]{4}){2,3}(?:[ -][0-9]{1,4})?"
        r"|[0-9]{3}[ -][0-9]{6}[ -][0-9]{4,5})(?![\w]|[ .,-][0-9])",
        judge=_card,
    ),
    Rule(
        "us-ssn",
        "NATIONAL_ID",
        r"[0-9](?<![\w.,+/-].)(?:[0-9]{2}-[0-9]{2}-[0-9]{4}|[0-9]{2} [0-9]{2} [0-9]{4}|[0-9]{8})(?![\w]|-[0-9])",
        judge=_ssn,
        countries="us",
    ),
    Rule(
        "gb-nino",
        "NATIONAL_ID",
        r"[A-CEGHJ-PR-TW-Z](?<!\w.)[A-CEGHJ-NPR-TW-Z] ?[0-9]{2} ?[0-9]{2} ?[0-9]{2} ?[A-D](?!\w)",
        0.95,
        countries="gb",
    ),
    Rule(
        "gb-nhs",
        "NATIONAL_ID",
        r"[0-9](?<![\w.,+-].)[0-9]{2}[ -]?[0-9]{3}[ -]?[0-9]{4}(?![\w-])",
        judge=_cued("NATIONAL_ID", "nhs(?: (?:no|number|#))?", "gb.nhs"),
        countries="gb",
    ),
    Rule(
        "de-tax-id",
        "NATIONAL_ID",
        r"[1-9](?<![\w.,+-].)[0-9] ?[0-9]{3} ?[0-9]{3} ?[0-9]{3}(?!\w)",
        judge=_cued(
            "NATIONAL_ID",
            "steuer-?id(?:nr|-nr)?|steueridentifikationsnummer|idnr|tax id|tin|identifikationsnummer",
            "de.idnr",
        ),
        countries="de",
    ),
    Rule(
        "de-pension",
        "NATIONAL_ID",
        r"[0-9](?<![\w.,+-].)[0-9] ?[0-3][0-9][01][0-9]{3} ?[A-Z] ?[0-9]{3}(?!\w)",
        0.9,
        countries="de",
    ),
    Rule(
        "de-health",
        "NATIONAL_ID",
        r"[A-Z](?<!\w.) ?[0-9]{3} ?[0-9]{3} ?[0-9]{3}(?!\w)",
        judge=_cued(
            "NATIONAL_ID", "kvnr|krankenversichertennummer|versichertennummer|versicherten-?nr"
        ),
        countries="de",
    ),
)
