"""Ages and age ranges. The value is the age itself; the words that say so stand around it."""

from __future__ import annotations

import re

from linkmask import schema
from linkmask.detect.patterns.rule import Rule, Verdict, after, before, words

NUMBERS = schema.words("numbers")

N = r"(?:1[01][0-9]|[0-9]{1,2})(?![0-9]|[.,][0-9])"
TO = r"(?:[ ]?[-–—][ ]?|[ ](?:to|and|through|à|et|bis|und)[ ])"
AGES = rf"{N}(?:{TO}{N})?\+?"
HEAD = r"(?<![\w.,$€£#/-].)"
YEAR = r"[- –‑]?(?:years?|yrs?\.?|year's)"
WORD = words([w for lang in ("en", "fr", "de") for w in NUMBERS[lang] if len(w) > 2])
DECADE = words([w for row in NUMBERS["decades"].values() for w in row])

FR_SPAN = re.compile(
    r"(?i)(?<!\w)(?:depuis|pendant|durant|il y a|dans|après|avant|sur|tous les|toutes les|en|environ|d'ici|encore"
    r"|durée(?: \w+)? de|suivi de|période de|délai de|bail de|contrat de|garantie de|peine de|au bout de|à|\d+e?)"
    r"(?: les)?(?: plus de| moins de| environ)? $"
)
FR_AGE = re.compile(
    r"(?i)(?:âgé|agé|âge|age)\w*(?: moyen)?(?: \w+){0,2}\W{0,3}(?:entre )?$|(?:patiente?s?|homme|femme|fille|garçon|enfants?"
    r"|adultes?|personnes?|monsieur|madame|assurée?s?|retraitée?|hommes|femmes|adhérente?s?) (?:\w+ )?(?:de|entre) $"
)


def _french(text: str, start: int, end: int) -> Verdict:
    """Tell an age from a duration: "48 ans" after "depuis" is none."""
    lead = before(text, start, 40)
    if FR_AGE.search(lead):
        return "AGE", 0.95
    tail = after(text, end, 24)
    if FR_SPAN.search(lead) or re.match(r"(?i) ?ans (?:plus|après|auparavant|d['’]|de )", tail):
        return None
    return "AGE", 0.8


def _parenthesis(text: str, start: int, end: int) -> Verdict:
    """Take "(58M)" or "58/F" at the begin of a line or in brackets."""
    return ("AGE", 0.85) if before(text, start, 1) in ("", "(", "\n", "[") else None


RULES = (
    Rule(
        "years-old",  # 48-year-old, 45-60 year-old, 48 years old, 48 y/o, 48yo, 48 years of age
        "AGE",
        rf"(?P<v>[0-9]{HEAD}[0-9]{{0,2}}(?![0-9])(?:{TO}{N})?)"
        rf"(?:{YEAR}(?:[- –‑]olds?(?![a-z])|[ ]of[ ]age)|[ -]?(?i:y\.?/?o\.?|yr\.? olds?|years?old)(?![a-z]))",
        0.95,
    ),
    Rule(
        "months-old",  # 18-month-old, 6 weeks old; the unit belongs to the age
        "AGE",
        rf"(?P<v>[0-9]{HEAD}[0-9]?[- ](?:months?|weeks?|days?))[- ]olds?(?![a-z])",
        0.95,
    ),
    Rule(
        "aged",  # aged 48, age: 12, ages 25 to 40, at the age of 54, over age 65, âge : 48, Alter: 48
        "AGE",
        r"[AaÂâ](?<![^\W_].)(?:(?<=[Aa])(?i:ged?s?|lter)|(?<=[Ââ])(?i:ges?|gée?s?))(?![a-z])"
        r"(?i:[ _](?:range|group|demographic|at \w+|of|von|bracket|d'environ|de|between|from|entre|zwischen"
        r"|over|under|above|below|is|was|approximately|about|category)){0,3}"
        rf"(?:\s?[:=(]\s?|\s)(?P<v>{AGES})(?![%\w]|[- ](?:mg|km|weeks?|days?|months?|mois|%|\$))",
        0.95,
    ),
    Rule(
        "ages-of",  # between the ages of 25 and 40
        "AGE",
        rf"[Aa]{HEAD}ges of (?P<v>{AGES})(?!\w)",
        0.95,
    ),
    Rule(
        "turned",
        "AGE",
        rf"[tT](?<!\w.)urn(?:s|ed|ing)? (?P<v>{N})(?![\w%]|[ ](?:percent|days|pages))",
        0.8,
    ),
    Rule(
        "people-over",  # patients over 65, adults 45-65, children under 12, those older than 40
        "AGE",
        r"[pPaAcCwWmMiItTsSbBgGeE](?<!\w.)(?i:atients?|dults?|hildren|eople|ersons?|omen|en|embers?|ndividuals?"
        r"|hose|nyone|eniors?|eens|eenagers?|oys|irls|nrollees|eneficiaries|articipants|olicy ?holders|mployees)"
        r"(?: (?:are|were|is|who are|aged?))?(?i: over| under| above| below| older than| younger than| at least| from| between)?"
        rf" (?P<v>(?:(?<=over |elow |nder |bove |than |east |from |ween ){N}(?:{TO}{N})?|{N}[-–]{N})\+?)"
        r"(?![\w%]|[ -](?:%|percent|days|weeks|months|mg|visits|sessions|minutes|hours|points|miles|km|were|had|who|with a score))",
        0.85,
    ),
    Rule(
        "and-older",  # 65 and older, 65+ years, 65 or over
        "AGE",
        rf"(?P<v>[0-9]{HEAD}[0-9]{{1,2}}(?:\+(?= (?i:years?|patients?|members?|population|age)))?)(?<=[0-9+])"
        r"(?:(?<=\+) | (?:years )?(?:and|or) (?:older|over|above|younger|under)(?![a-z]))",
        0.85,
    ),
    Rule(
        "sex-and-age",  # 58M, (45 F), M58
        "AGE",
        rf"(?P<v>[1-9]{HEAD}[0-9])[ /-]?(?:[MF]|male|female|H)(?=[\s),;\]])",
        judge=_parenthesis,
    ),
    Rule(
        "sex-age",  # (female, 48), M/48, male 58
        "AGE",
        r"[mMfF](?<!\w.)(?i:emale|ale|an)?(?:, ?|/)(?P<v>[1-9][0-9])(?=[),;/]|\s(?:y|and|with|from|was|presents))",
        0.85,
    ),
    Rule("age-in-words", "AGE", rf"(?P<v>{WORD})[- ]year[- ]olds?(?!\w)", 0.9),
    Rule("aged-in-words", "AGE", rf"[aA](?<!\w.)ged? (?:of )?(?P<v>{WORD})", 0.9),
    Rule(
        "decade-of-life",  # in her late fifties, mid-40s, dans la cinquantaine
        "AGE",
        r"[iI](?<!\w.)n (?i:his|her|their|my|your|the|den|ihren|seinen) (?P<v>(?:(?:early|mid|late)(?:[- ]to[- ](?:mid|late))?"
        rf"[- ])?(?:{DECADE}|[2-9]0['’]?s(?!\w)))",
        0.85,
    ),
    Rule(
        "fr-ans",
        "AGE",
        rf"(?P<v>[0-9]{HEAD}[0-9]{{0,2}}(?![0-9])(?:(?:[-–]| à | et ){N})?) ?(?i:ans)(?!\w)",
        judge=_french,
    ),
    Rule(
        "fr-mois",
        "AGE",
        r"[âaÂA](?<!\w.)g[ée]e?s? (?:de |d['’]environ )(?P<v>[0-9]{1,2} mois)(?!\w)",
        0.9,
    ),
    Rule(
        "de-jahre",  # 48-jährige, 48 Jahre alt, Alter von 48 Jahren, zwischen 25 und 40 Jahren
        "AGE",
        rf"(?P<v>[0-9]{HEAD}[0-9]{{0,2}}(?![0-9])(?:{TO}{N})?)(?:[ -]?(?i:j[äa]e?hrige?[mnrs]?)(?!\w)| Jahren? alt(?!\w)| J\.(?=[ ,)]))",
        0.95,
    ),
)
