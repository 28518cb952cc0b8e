"""Recognizes ages and age ranges. The span is the age itself; the triggers stand around it."""

from __future__ import annotations

import re

from linkmask import schema
from linkmask.choices import LANGUAGES
from linkmask.detect.patterns.rule import Rule, Verdict, after, before, words

NUMBERS = schema.words("numbers")
HEAD = r"(?<![\w.,$€£#/-].)"
N = r"(?:1[01][0-9]|[0-9]{1,2})(?![0-9]|[.,][0-9])"
TO = r"(?:[ ]?[-–—][ ]?|[ ](?:to|and|through|à|et|bis|und)[ ])"
RANGE = rf"{N}(?:{TO}{N})?\+?"
FIRST = rf"[0-9]{HEAD}[0-9]{{0,2}}(?![0-9])(?:{TO}{N})?"
"""An age or a range at the begin of an expression."""

YEAR = r"[ ]?[-–‑]?[ ]?(?:years?|yrs?\.?|year's)"
WORD = words([w for lang in LANGUAGES for w in NUMBERS[lang] if len(w) > 2])
WORD_FR = words([w for w in NUMBERS["fr"] if len(w) > 3])
WORD_DE = words([w for w in NUMBERS["de"] if len(w) > 3]).removesuffix(r"(?![^\W\d_])")
COUNTED = (
    "%|percent|days|weeks|months|times|pages|mg|visits|sessions|minutes|hours|points|miles|km"
    "|centers|cases"
)

DURATION = re.compile(
    r"(?i)(?<!\w)(?:depuis|pendant|durant|il y a|dans|après|avant|sur|tous les|toutes les|en"
    r"|environ|d'ici|encore|durée(?: \w+)? de|suivi de|période de|délai de|bail de|contrat de"
    r"|garantie de|peine de|au bout de|à|\d+e?)(?: les)?(?: plus de| moins de| environ)? $"
)
AGED = re.compile(
    r"(?i)(?:âgé|agé|âge|age)\w*(?: moyen)?(?: \w+){0,2}\W{0,3}(?:entre )?$|(?:patiente?s?|hommes?"
    r"|femmes?|fille|garçon|enfants?|adultes?|personnes?|monsieur|madame|assurée?s?|retraitée?"
    r"|adhérente?s?) (?:\w+ )?(?:de|entre) $"
)
LONGER = re.compile(r"(?i) ?ans (?:plus|après|auparavant|d['’]|de )")


def _french(text: str, start: int, end: int) -> Verdict:
    """Tell an age from a duration: "48 ans" after "depuis" is none."""
    lead = before(text, start, 40)
    if AGED.search(lead):
        return "AGE", 0.95
    lasting = DURATION.search(lead) or LONGER.match(after(text, end))
    return None if lasting else ("AGE", 0.8)


RULES = (
    Rule(
        "years-old",  # 48-year-old, 45-60 year-old, 48 years old, 48 y/o, 48yo, 48 years of age
        "AGE",
        rf"(?P<v>{FIRST})(?:{YEAR}(?:[- –‑]{{1,2}}olds?(?![a-z])|[ ]of[ ]age)"
        r"|[ -]?(?i:y\.?/?o\.?|yr\.? olds?|years?old)(?![a-z]))",
        0.95,
        near=("year", "yr", "yo", "y/o", "y.o", "y o"),
        reach=(24, 48),
        digit=(8, 0),
    ),
    Rule(
        "months-old",  # 18-month-old, 6 weeks old; the unit belongs to the age
        "AGE",
        rf"(?P<v>[0-9]{HEAD}[0-9]?[- ](?:months?|weeks?|days?))[- ]olds?(?![a-z])",
        0.95,
        near=("-old", " old"),
        reach=(24, 48),
        digit=(12, 0),
    ),
    Rule(
        "aged",  # aged 48, age: 12, ages 25 to 40, age of 54, age group 45-60, âge : 48, Alter 48
        "AGE",
        r"[AaÂâ](?<![^\W_].)(?:(?<=[Aa])(?i:ged?s?|lter)|(?<=[Ââ])(?i:ges?|gée?s?))(?![a-z])"
        r"(?i:[ _](?:range|group|demographic|bracket|category|at \w+|of|von|d'environ|de|between"
        r"|from|entre|zwischen|over|under|above|below|is|was|approximately|about)){0,3}"
        rf"(?:\s?[:=(]\s?|\s)(?P<v>{RANGE})"
        r"(?![%\w]|[- ](?:mg|km|weeks?|days?|months?|mois|%|\$))",
        0.95,
        near=(
            "age",
            "aged",
            "ages",
            "alter",
            "âge",
            "âged",
            "âges",
            "âgé",
            "âgée",
            "âgés",
            "âgées",
        ),
        reach=(8, 88),
        digit=(0, 88),
        whole=True,
    ),
    Rule(
        "turned",
        "AGE",
        rf"[tT](?<!\w.)urn(?:s|ed|ing)? (?P<v>{N})(?![\w%]|[ ](?:{COUNTED}))",
        0.8,
        near=("turn",),
        reach=(8, 48),
        digit=(0, 12),
    ),
    Rule(
        "when-she-was",
        "AGE",
        rf"[wW](?<!\w.)hen (?:he|she|they|I|you|we) (?:was|were|is|turned) (?P<v>{N})"
        r"(?=[.,;)]|\s*$)",
        0.85,
        near=("when ",),
        reach=(8, 48),
        digit=(0, 32),
    ),
    Rule(
        "age-in-words",  # forty-eight-year-old
        "AGE",
        rf"(?P<v>{WORD})[- ](?:year[- ]olds?|years (?:old|of age))(?!\w)",
        0.95,
        near=("-year-old", " year old", " year-old", "-year old", " years old", " years of age"),
        reach=(32, 40),
    ),
    Rule(
        "fr-ans-in-words",  # quatre-vingt-onze ans
        "AGE",
        rf"(?P<v>{WORD_FR}) ans(?!\w)",
        judge=_french,
        near=tuple(sorted({f"{word[-3:]} ans" for word in NUMBERS["fr"] if len(word) > 3})),
        reach=(40, 40),
    ),
    Rule(
        "de-jahre-in-words",  # zweiundneunzig Jahre alt, zweiundneunzigjährig
        "AGE",
        rf"(?P<v>{WORD_DE})(?:-?j[äa]e?hrige?[mnrs]?| Jahren? alt)(?!\w)",
        0.95,
        near=("jährig", "jaehrig", "jahrig", " jahre alt", " jahren alt"),
        reach=(40, 48),
    ),
    Rule(
        "aged-in-words",
        "AGE",
        rf"[aA](?<!\w.)ged? (?:of )?(?P<v>{WORD})",
        0.9,
        near=("aged ", "age of"),
        reach=(8, 48),
    ),
    Rule(
        "fr-ans", "AGE", rf"(?P<v>{FIRST}) ?(?i:ans)(?!\w)", judge=_french, near=("0 ans", "0ans")
    ),
    Rule(
        "fr-mois",
        "AGE",
        r"[âaÂA](?<!\w.)g[ée]e?s? (?:de |d['’]environ )(?P<v>[0-9]{1,2} mois)(?!\w)",
        0.95,
        near=(" mois",),
        digit=(4, 0),
    ),
    Rule(
        "de-jahre",  # 48-jährige, 48 Jahre alt, 48 J.
        "AGE",
        rf"(?P<v>{FIRST})(?:[ -]?(?i:j[äa]e?hrige?[mnrs]?)(?!\w)| Jahren? alt(?!\w)| J\.(?=[ ,)]))",
        0.95,
        near=("jähr", "jaehr", "0 jahr", "0 j."),
        reach=(32, 48),
        digit=(4, 0),
    ),
)
