"""Street addresses, post boxes and postal codes, by the countries' ways of writing them."""

from __future__ import annotations

import re

from linkmask.detect.patterns.rule import Rule, Verdict, after, words

STREET_EN = (
    "Street|St|Avenue|Ave|Road|Rd|Drive|Dr|Lane|Ln|Boulevard|Blvd|Court|Ct|Place|Pl|Way|Terrace|Ter|Circle|Cir"
    "|Parkway|Pkwy|Highway|Hwy|Square|Sq|Trail|Trl|Crescent|Cres|Close|Gardens|Mews|Row|Alley|Loop|Plaza|Pike|Path"
    "|Broadway|Turnpike|Crossing|Grove|Hill|Ridge|Run|Walk|Heights"
)
STATE = (
    "A[LKZR]|C[AOT]|D[CE]|FL|GA|HI|I[DLNA]|K[SY]|LA|M[EDAINSOT]|N[EVHJMYCD]|O[HKR]|PA|RI|S[CD]|T[NX]|UT|V[TA]"
    "|W[AVIY]|P[R]"
)
UNIT = r"(?:,? (?:(?i:apt|apartment|suite|ste|unit|floor|fl|room|rm|bldg|flat)\b\.? ?#?|#) ?[\w-]{1,6})?"
WORD_EN = r"(?:(?:St|Ft|Mt)\.|[A-Z](?:[\w'’-]|\.(?=\w)){1,24})"
CITY = rf"{WORD_EN}(?: {WORD_EN}){{0,2}}"
ZIP = r"[0-9]{5}(?:-[0-9]{4})?(?![\w-])"
PLACE_US = (
    rf"(?:(?:,[ \n]?|\n| )(?={CITY},? (?:{STATE})(?!\w)|{CITY}[ \n]*(?:[.,;:()]|$)){CITY}"
    rf"(?:,? (?:{STATE})(?!\w))?(?:,? {ZIP})?|,? (?:{STATE}),? {ZIP})?"
)
POSTCODE_GB = r"[A-Z]{1,2}[0-9][A-Z0-9]? ?[0-9][A-Z]{2}(?!\w)"

STREET_FR = words(
    ["rue", "avenue", "av", "boulevard", "bd", "bld", "blvd", "place", "chemin", "allée", "impasse", "quai", "cours", "route", "rte", "square", "passage", "faubourg", "fbg", "résidence", "lotissement", "sentier", "ruelle", "esplanade", "promenade", "rond-point", "montée", "voie"],
    point=True,
)
CAP = r"(?:(?:Ste?|Dr|Gal|Pr|Mal)\.|[A-ZÀ-ÖØ-Þ0-9](?:[\w'’-]|\.(?=\w)){0,30}+)"
LINK = r"(?:(?:de|du|des|la|le|les|en|et|sous|sur|aux?|lès)[ ]|[dDlL]['’])"
NAME_FR = rf"(?:[ ](?i:{LINK}){{0,3}}{CAP}){{1,5}}"
TOWN_FR = (
    r"(?:(?:,|[ ]?[-–])?[\s]{1,3}(?:[0-9]{5}|[0-9]{2} [0-9]{3}|2[AB] ?[0-9]{3}|(?:CH-)?[0-9]{4})(?!\w)"
    rf"(?:,?[ ]{CAP}(?:[ -](?:(?:sur|en|de|la|le|les|sous)[ -])?{CAP}){{0,3}})?)?"
)
STREET_DE = (
    "straße |strasse |Straße |Strasse |str. |Str. |weg |Weg |platz |Platz |allee |Allee |gasse |Gasse |ring |Ring "
    "|ufer |Ufer |damm |Damm |markt |Markt |steig |chaussee |Chaussee |hof |Hof |graben |Tor "
)
END_DE = "(?:" + "|".join(f"(?<={re.escape(s)})" for s in STREET_DE.split("|")) + ")"
TOWN_DE = r"(?:,? (?:(?:D|DE|CH|A)-)?[0-9]{4,5} [A-ZÄÖÜ][\w.-]{1,30}(?: [A-ZÄÖÜ(][\w.)-]{1,30})?)?"


def _english(text: str, start: int, end: int) -> Verdict:
    """Drop "12 Senior Dr. Smith" and "3 Old St. Mary": the last word begins a name there."""
    short = re.search(r" (?:Dr|St|Ct|Pl)\.?$", text[start:end])
    if short and re.match(r"\.? [A-Z][a-z]", after(text, end, 4)):
        return None
    return "ADDRESS", 0.95


RULES = (
    Rule(
        "street-en",
        "ADDRESS",
        r"[0-9](?<![\w.,/$€-].)[0-9]{0,5}(?:-[0-9]{1,4})?[A-Za-z]? "
        r"(?:(?:[NSEW]|NE|NW|SE|SW|North|South|East|West)\.? )?(?:(?:[A-Z][\w.'’-]{0,30}|[0-9]{1,3}(?:st|nd|rd|th)) ){1,4}?"
        rf"(?:{STREET_EN})(?!\w)\.?(?: (?:[NSEW]|NE|NW|SE|SW|North|South|East|West)(?![\w.]))?{UNIT}{PLACE_US}(?:,? {POSTCODE_GB})?(?<![ ,])",
        judge=_english,
    ),
    Rule(
        "street-fr",
        "ADDRESS",
        rf"[0-9](?<![\w.,/$€].)[0-9]{{0,3}}(?:[-/][0-9]{{1,4}})?(?:[ ]?(?i:bis|ter|quater|[a-d])(?!\w))?,?[ ]{STREET_FR}{NAME_FR}"
        rf"(?:,? (?i:appt?|appartement|bât|bâtiment|esc|étage)\.? ?[\w]{{1,5}})?{TOWN_FR}",
        0.95,
        countries="fr ch",
    ),
    Rule(
        "street-fr-no-number",  # also Rue de Lausanne 12, 1201 Genève
        "ADDRESS",
        rf"{STREET_FR}{NAME_FR}{TOWN_FR}",
        0.7,
        countries="fr ch",
        languages="fr",
    ),
    Rule(
        "street-de",
        "ADDRESS",
        r"[A-ZÄÖÜ](?<!\w.)(?:[\w.'’-]{0,40}+ (?=[A-ZÄÖÜ])){0,2}[\w.'’-]{0,40}+ (?=[0-9])"
        rf"{END_DE}[0-9]{{1,4}}(?:[-/][0-9]{{1,4}})?(?: ?[a-z](?!\w))?(?!\w){TOWN_DE}",
        0.95,
        countries="de ch",
    ),
    Rule(
        "street-de-at",  # Am Markt 3, An der Alster 5, Unter den Linden 77
        "ADDRESS",
        r"[AUIZ](?<!\w.)(?:n der|n den|m|uf der|uf dem|nter den|m|n der|ur|um) [A-ZÄÖÜ][\wäöüß-]{2,30} "
        rf"[0-9]{{1,3}}(?: ?[a-z](?!\w))?(?![\w.,:%]|[ ](?:Uhr|Jahre|Prozent|Tage|Patient)){TOWN_DE}",
        0.7,
        countries="de ch",
        languages="de",
    ),
    Rule(
        "post-box",
        "ADDRESS",
        rf"[PB](?<!\w.)(?:(?<=P)(?i:\.? ?o\.? box|ostfach)|(?<=B)(?i:o[iî]te postale)) #?[0-9][0-9 ]{{0,8}}(?<! )(?!\w){PLACE_US}",
        0.95,
    ),
    Rule(
        "postcode-gb",
        "LOCATION",
        r"[A-Z](?<!\w.)[A-Z]?[0-9][A-Z0-9]? [0-9][A-Z]{2}(?!\w)",
        0.85,
        countries="gb",
    ),
    Rule(
        "zip-us",
        "LOCATION",
        rf"[A-Zzp](?<!\w.)(?:(?:{'|'.join('(?<=' + s[0] + ')' + s[1:] for s in ('ZIP', 'Zip', 'zip', 'Postal', 'postal'))})"
        rf"(?: ?-?[Cc]ode)?(?: is)?[: ]{{1,3}}(?P<v>{ZIP}))",
        0.9,
        countries="us",
    ),
    Rule(
        "postcode-fr",
        "LOCATION",
        r"[0-9](?<![\w.,/$€-].)(?:[0-9]{4}|[0-9] [0-9]{3}|[AB] ?[0-9]{3})(?=,? [A-ZÀ-Ý][\w'’-]{2,})",
        0.7,
        countries="fr",
        languages="fr",
    ),
    Rule(
        "postcode-de",
        "LOCATION",
        r"[0-9](?<![\w.,/$€-].)[0-9]{4}(?= [A-ZÄÖÜ][\wäöü-]{2,})",
        0.7,
        countries="de",
        languages="de",
    ),
)
