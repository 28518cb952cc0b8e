"""Recognizes codes of catalogues, because a code reveals the diagnosis that it stands for.

A code is the same for everybody, so it is not an id; it has the type of what it stands for.
"""

from __future__ import annotations

import re

from linkmask.detect.patterns.rule import Rule, Verdict, after, before

MORE = (
    r"(?:[A-Z]?[0-9][0-9AB](?:[0-9]{2,3})?(?:\.[0-9A-Z]{1,4})?"
    r"(?:, ?| and | & | ?/ ?|; ?| et | und | or )){0,6}$"
)
"""Codes of a list before the last one."""

ICD_NAMED = re.compile(rf"(?i:(?<![^\W_])(?:icd|cim)(?![^\W\d_])[^\n;.]{{0,20}}?){MORE}")
ICD = re.compile(
    r"(?i:(?<![^\W_])(?:icd|cim|diagnos[a-zé]{1,5}|dx|code)(?![^\W\d_])[^\n;.]{0,20}?)"
    rf"{MORE}|[(\[]{MORE}"
)
CPT = re.compile(
    r"(?i:(?<![^\W_])(?:cpt|hcpcs|(?:service|procedure|billing|treatment|billed) codes?|ccam)"
    rf"(?![^\W_])[^\n;.0-9]{{0,20}}){MORE}"
)


def _icd(text: str, start: int, end: int) -> Verdict:
    """Take J84.01 in brackets or after a word for codes; J84 only after the catalogue's name."""
    cue = ICD if "." in text[start:end] else ICD_NAMED
    closed = "." in text[start:end] and after(text, end, 1) in (")", "]")
    said = closed or cue.search(before(text, start, 80)) is not None
    return ("MEDICAL_CONDITION", 0.9) if said else None


def _cpt(text: str, start: int, end: int) -> Verdict:
    """Take a code of a service after a word that says so."""
    return ("TREATMENT", 0.9) if CPT.search(before(text, start, 80)) else None


AMINO = (
    "ala", "arg", "asn", "asp", "cys", "gln", "glu", "gly", "his", "ile", "leu", "lys", "met",
    "phe", "pro", "ser", "thr", "trp", "tyr", "val",
)  # fmt: skip
"""Amino acids, as a protein's change is written with them."""
CHANGED = (
    r"(?:(?<=[cgmn]\.)\(?[0-9*-][0-9_+*-]{0,24}"
    r"(?:del|dup|ins|inv|con|[ACGT]{1,3}>)[ACGT0-9a-z]{0,24}"
    rf"|(?<=p\.)\(?(?i:{'|'.join(AMINO)})[0-9]{{1,5}}(?:[A-Z][a-z]{{2}}|[*=]|fs|del|dup)?"
    r"[\w*]{0,12})\)?"
)
"""What is changed in a gene, behind "c.", or in its protein, behind "p."."""

RULES = (
    Rule(
        "gene-variant",  # SCN9A c.2298del, CFTR p.Phe508del (Human Genome Variation Society)
        "UNIQUE_FACT",
        r"[A-Zcgmnp](?<![\w.].)(?:(?<=[A-Z])[A-Z0-9]{1,9}[ :,(]{1,3}(?:NM_[0-9.]{4,14}:)?[cgmnp])?"
        rf"\.{CHANGED}(?!\w)",
        0.95,
        near=(
            *(f"{kind}.{mark}0" for kind in "cgmn" for mark in ("", "(", "-", "*")),
            *(f"p.{mark}{acid}" for acid in AMINO for mark in ("", "(")),
        ),
        reach=(36, 80),
        digit=(0, 24),
    ),
    Rule(
        "icd",
        "MEDICAL_CONDITION",
        r"[A-TV-Z](?<![\w.,/-].)[0-9][0-9AB](?:\.[0-9A-Z]{1,4})?(?![\w/-]|\.[0-9])",
        judge=_icd,
        near=(*(f"{letter}00." for letter in "abcdefghijklmnopqrstvwxyz"), "icd", "cim"),
        reach=(8, 64),
        digit=(0, 64),
    ),
    Rule(
        "service-code",
        "TREATMENT",
        r"[0-9A-V](?<![\w.,/$€#-].)[0-9]{4}(?:-[0-9A-Z]{2})?(?![\w%-]|[.,][0-9])",
        judge=_cpt,
        near=("cpt", "hcpcs", "ce code", "re code", "ing code", "ment code", "ed code"),
        reach=(0, 96),
        digit=(0, 96),
    ),
)
