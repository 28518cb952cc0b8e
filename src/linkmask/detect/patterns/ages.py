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
TENS = words(NUMBERS["en"][19:])
DECADE = words([w for row in NUMBERS["decades"].values() for w in row])
PEOPLE = words([
      "patient", "patients", "adult", "adults", "child", "children", "person", "people", "women",
      "men", "member", "members", "those", "individual", "individuals", "anyone", "seniors",
      "teens", "teenagers", "boys", "girls", "enrollees", "beneficiaries", "participants",
      "policyholders", "employees", "workers",
])  # fmt: skip
PEOPLE_DE = words([
      "Patienten", "Patientinnen", "Versicherte", "Versicherten", "Personen", "Frauen", "Männer",
      "Mitglieder", "Kinder", "Menschen", "Erwachsene", "Senioren", "Teilnehmer", "Jugendliche",
])  # fmt: skip
LIMIT = "over|under|above|below|older than|younger than|at least|between"
SEXES = ("m", "f", "h", "male", "female")
COUNTED = (
    "%|percent|days|weeks|months|times|pages|mg|visits|sessions|minutes|hours|points|miles|km"
    "|centers|cases"
)
APPOSED = (
    "an?|who|whose|of|from|was|is|has|had|said|says|told|died|works?|worked|lives?|lived|came|went"
)
"""Words after an age between commas, which tell it from a day or a count."""

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


def _bracket(text: str, start: int, end: int) -> Verdict:
    """Take "58M" in brackets or at the begin of a line; elsewhere it may be millions."""
    return ("AGE", 0.85) if before(text, start, 1) in ("", "(", "\n", "[") else None


def _no_service(text: str, start: int, end: int) -> Verdict:
    """Take "F, 64y," in a row of words; "employed, 30 yrs, retired" tells no age."""
    worked = WORKED.search(before(text, start, 32)) or WORKED.match(after(text, end, 32))
    return None if worked else ("AGE", 0.75)


WORKED = re.compile(
    r"(?i)[^.\n]*?(?:work|employ|serv|smok|marri|experience|career|since|warranty|term|lease|loan)"
)


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
        "she-was",  # she was 91 when she fell; he is 47.
        "AGE",
        rf"[hH](?<![^\W\d_sS].)e (?:is|was) (?P<v>{N})(?=[.,;!)]|\s(?:when|at|and|now)(?!\w)|\s*$)",
        0.85,
        near=("he is 0", "he was 0"),
        reach=(8, 24),
    ),
    Rule(
        "people-over",  # patients over 65, adults 45-65, children under 12, those older than 40
        "AGE",
        rf"{PEOPLE}(?: (?:who )?(?:are|were|is|aged))?"
        rf"(?: (?:{LIMIT})|(?: from)?(?= [0-9]{{1,3}}[-–][0-9])) (?P<v>{RANGE})"
        rf"(?![\w%]|-[0-9]|[ -](?:{COUNTED}|were|had|who|with a score))",
        0.85,
        near=(
            *tuple(f" {word} 0" for word in LIMIT.replace("older ", "").split("|")),
            " 0-0",
            " 00-0",
            " 000-0",
        ),
        reach=(48, 48),
    ),
    Rule(
        "and-older",  # 65 and older, 65+ years, 65 or over
        "AGE",
        rf"(?P<v>[0-9]{HEAD}[0-9](?:\+(?= (?i:years?|patients?|members?|population|age)))?)"
        r"(?:(?<=\+)| (?:years )?(?:and|or) (?:older|over|above|younger|under)(?![a-z]))",
        0.85,
        near=(
            "0+",
            " and older",
            " and over",
            " and above",
            " or older",
            " or over",
            " and y",
            " and under",
            " or y",
        ),
        reach=(24, 48),
        digit=(12, 0),
    ),
    Rule(
        "sex-and-age",  # 58M, (45 F)
        "AGE",
        rf"(?P<v>[1-9]{HEAD}[0-9])[ /-]?(?:[MF]|male|female|H)(?=[\s),;\]])",
        judge=_bracket,
        near=tuple(f"0{mark}{sex}" for mark in ("", " ", "/", "-") for sex in SEXES),
        reach=(8, 40),
        whole=True,
    ),
    Rule(
        "sex-age",  # (female, 48), M/48
        "AGE",
        r"[mMfF](?<!\w.)(?i:emale|ale|an)?(?:, ?|/)"
        r"(?P<v>[1-9][0-9])(?=[),;/]|\s(?:y|and|with|from|was|presents))",
        0.85,
        near=("male, 0", "male,0", "m, 0", "f, 0", "man, 0", "m/0", "f/0"),
        reach=(16, 40),
    ),
    Rule(
        "in-commas",  # Ms. Hart, 46, a surveyor; the surveyor, 46, had
        "AGE",
        rf"(?P<v>[1-9](?<=[^\W\d_], .)[0-9]), (?:{APPOSED})(?!\w)",
        0.8,
        near=(", 00, ",),
        reach=(8, 24),
    ),
    Rule(
        "in-commas-short",  # M. Kowal, 71 a, ancien mineur; Frau Huber, 68a, gestürzt
        "AGE",
        r"(?P<v>[1-9](?<=[^\W\d_.], .)[0-9]) ?a\.?(?=\s?[,;)])",
        0.85,
        near=(", 00a,", ", 00 a,", ", 00a.,", ", 00 a.,", ", 00a;", ", 00 a;"),
        reach=(8, 24),
        languages="fr de",
    ),
    Rule(
        "people-from",  # Patienten ab 60, Versicherte über 65
        "AGE",
        rf"{PEOPLE_DE} (?:ab|über|unter|von|bis) (?P<v>{RANGE})"
        r"(?![\w%]|-[0-9]|[.,:][0-9]|[ -](?:Uhr|Euro|EUR|CHF|Prozent|Tagen?|Wochen?|Monaten?"
        r"|Stunden?|Punkten?|kg|Kilo))",
        0.85,
        near=(" ab 0", " über 0", " unter 0", " von 0", " bis 0"),
        reach=(32, 48),
        languages="de",
    ),
    Rule(
        "in-cells",  # GREAVES, Winifred (Mrs), 78 yrs, member; | F | 64y | MRN
        "AGE",
        r"(?P<v>[1-9](?<=[,|;(] .)[0-9]) ?(?:y|yrs?|years|J)\.?(?=\s?[,|;)])",
        judge=_no_service,
        near=(", 00", "| 00", "; 00", "( 00"),
        reach=(8, 32),
    ),
    Rule(
        "i-am",  # I am 78. Je suis âgé is elsewhere
        "AGE",
        rf"[iI](?<!\w.)(?: am|'m|’m) (?P<v>{N})(?=[.,;!]|\s(?:and|but|now|years)(?!\w)|\s*$)",
        0.85,
        near=("i am 0", "i'm 0"),
        reach=(8, 48),
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
        "is-in-words",  # she turned ninety-one; he is seventy.
        "AGE",
        r"[tThHsSwWI](?<!\w.)(?:urn(?:s|ed|ing)|(?:(?<=[hH])e|he|ho) (?:is|was)|(?<=I) am)"
        rf" (?P<v>{TENS})(?=[.,;!)]|\s(?:and|but|now|years|last|this|next|on|in)(?!\w)|\s*$)",
        0.85,
        near=tuple(f"{tens}ty" for tens in ("en", "ir", "or", "if", "ix", "gh", "ne")),
        reach=(24, 24),
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
        "decade-of-life",  # in her late fifties, in their mid-40s, dans la cinquantaine
        "AGE",
        r"[iIdD](?<!\w.)(?:n|ans) (?:his|her|their|my|your|the|la|den|ihren|seinen) "
        r"(?P<v>(?:(?:early|mid|late)(?:[- ]to[- ](?:mid|late))?[- ])?(?:"
        rf"{DECADE}|(?<!the )[2-9]0['’]?s(?!\w)))",
        0.85,
        near=("ties", "0s", "0's", "taine", "zigern", "ßigern"),
        reach=(48, 40),
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
    Rule(
        "de-zwischen",  # zwischen 25 und 40 Jahren
        "AGE",
        rf"[zZ](?<!\w.)wischen (?P<v>{RANGE}) Jahren?(?!\w)",
        0.9,
        near=("zwischen 0",),
        reach=(8, 64),
    ),
)
