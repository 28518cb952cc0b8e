"""Recognizes street addresses, post boxes and postal codes in the notation of each country."""

from __future__ import annotations

import re

from linkmask import schema
from linkmask.detect.patterns import multiline_addresses, postcode_addresses
from linkmask.detect.patterns.rule import Rule, Verdict, after, pieces, words
from linkmask.detect.patterns.street_context import STATE, whole_address

STREETS = schema.words("streets")
HEAD = r"(?<![\w.,/$€-].)"

# ── English: 2289 Bayview Drive, Apt 4, Seabrook, TX 77586 ──────────────────────────────────────

STREETS_EN: list[str] = STREETS["en"]
SHORT_EN = "|".join(word for word in STREETS_EN if word.lower() in STREETS["short"])
STREET_EN = rf"(?:(?:{SHORT_EN})(?!\w)\.?|(?:{'|'.join(STREETS_EN)}))"
COMPASS = r"(?:[NSEW]|NE|NW|SE|SW|North|South|East|West)"
ZIP = r"[0-9]{5}(?:-[0-9]{4})?(?![\w-])"
UNITS = "apt|apartment|suite|ste|unit|floor|fl|room|rm|bldg|flat"
UNIT = rf"(?:,? (?:(?i:{UNITS})\b\.? ?#?|#) ?[\w-]{{1,6}})?"
WORD_EN = r"(?:(?:St|Ft|Mt)\.|[A-Z](?:[\w'’-]|\.(?=\w)){1,24})"
CITY = rf"{WORD_EN}(?: {WORD_EN}){{0,2}}"
POSTCODE_GB = r"[A-Z]{1,2}[0-9][A-Z0-9]? ?[0-9][A-Z]{2}(?!\w)"
NOT_CITY = "(?!(?:Patient|Claim|Policy|Phone|Tel|Email|The|She|He|His|Her|They|Dr|Mrs?|Ms)(?!\\w))"
PLACE_EN = (
    rf"(?:(?:,[ \n]?|\n| ){NOT_CITY}(?:{CITY},? {POSTCODE_GB}"
    rf"|{CITY},? {STATE}(?!\w)(?:,? {ZIP})?)"
    rf"|(?:,[ \n]?|\n){NOT_CITY}{CITY}(?=[ ]*(?:[.,;:()\n]|$)| [a-z])"
    rf"|,? {STATE},? {ZIP}|,? {POSTCODE_GB})?"
)
NAME_EN = r"(?:(?:[A-Z][\w.'’-]{0,30}|[0-9]{1,3}(?:st|nd|rd|th))[ \n]){1,4}"

# ── French: 12 bis rue de la République, 69003 Lyon ─────────────────────────────────────────────

STREETS_FR: list[str] = STREETS["fr"]
STREET_FR = words(STREETS_FR, point=True)
CAP = r"(?:(?:Ste?|Dr|Gal|Pr|Mal)\.|[A-ZÀ-ÖØ-Þ0-9](?:[\w'’-]|\.(?=\w)){0,30}+)"
LINK = r"(?:(?:de|du|des|la|le|les|en|et|sous|sur|aux?|lès)[ ]|[dDlL]['’])"
NAME_FR = rf"(?:[ ](?i:{LINK}){{0,3}}{CAP}){{1,5}}"
SMALL_FR = rf"[ ](?i:{LINK}){{1,3}}[a-zà-ÿ][a-zà-ÿ'’-]{{2,20}}"
WORDS_FR = (
    rf"(?:[ ](?i:{LINK}){{0,3}}[a-zà-ÿ][a-zà-ÿ'’-]{{2,20}}){{1,3}}?"
    r"(?=[ ,]{1,2}[0-9]{2}|, [A-ZÀ-Þ]|$|\n)"
)
POSTCODE_FR = r"(?:[0-9]{5}|[0-9]{2} [0-9]{3}|2[AB] ?[0-9]{3}|(?:CH-)?[0-9]{4})(?!\w)"
TOWN_SMALL_FR = (
    r"(?:(?:,? [a-zà-ÿ][a-zà-ÿ'’-]{1,20}){1,4} [0-9]{5}(?![\w%]|[.,][0-9]| ?(?:€|euros?|fois|km)))?"
)
"""A town in small letters, told by its postcode behind."""
UNIT_FR = r"(?:,? (?i:appt?|appartement|bât|bâtiment|esc|étage)\.? ?[\w]{1,5})?"
CAP_FR = r"(?:[LD]['’])?[A-ZÀ-ÖØ-Þ][^\W\d_]{1,24}(?:['’]h)?"
NOT_TOWN_FR = (
    "(?!(?:Mmes?|Mlles?|MM?|Madame|Monsieur|Mademoiselle|Docteur|Ma[îi]tre|Dr|Me|Pr|Tél|Fax|Mail|Nom|Prénom"
    "|Je|Il|Elle|Nous|Vous|On|Le|La|Les|Un|Une|Ce|Cette|Mon|Ma|Mes|Son|Sa|Votre|Notre|Bât|Bâtiment|Apt|Appt"
    "|Appartement|Esc|Escalier|Étage|Résidence|Objet|Bonjour|Cher|Chère|Merci|Dossier|Client|Contrat|Assuré"
    "|Assurée|Patiente?|Né|Née|Âge|Date|Signature|Facture|Sinistre|Téléphone|Portable|Adresse)(?!\\w))"
)
TOWN_FR = (
    rf"(?:(?:,|[ ]?[-–]|[\s])[\s]{{0,3}}{POSTCODE_FR}"
    rf"(?:,?[ ]{CAP}(?:[ -](?:(?:sur|en|de|la|le|les|sous)[ -])?{CAP}){{0,3}})?"
    rf"|(?:,[ \n]|[ ][-–(][ ]?|\n){NOT_TOWN_FR}"
    rf"{CAP_FR}(?:[ -](?:(?:sur|en|de|la|le|les|sous|aux?|lès)[ -])?(?:[dl]['’])?{CAP_FR}){{0,3}}"
    r"(?=[ ]{0,2}(?:[.,;:)\n]|$)|[ ](?![dD](?:e|u|es) |[dD]['’])[a-zà-ÿ]))?"
)
"""A town with its postcode; without one what a comma or a dash tells."""

# ── German: Musterstraße 12a, 10115 Berlin ──────────────────────────────────────────────────────

STREETS_DE: list[str] = STREETS["de"]
ENDINGS = [form for end in STREETS_DE for form in (end, end.capitalize())]
STREET_DE = "(?:" + "|".join(f"(?<={re.escape(end)} )" for end in ENDINGS) + ")"
WORD_DE = r"[A-ZÄÖÜ(](?:[\w)-]|\.(?=\w)){1,30}"
BY_RIVER_DE = (
    r" (?:(?:an|ob|vor) der [A-ZÄÖÜ][a-zäöüß]{2,14}|am (?:Main|Rhein|Neckar|Inn|Lech|Harz|See)"
    r"|im (?:Breisgau|Allgäu|Taunus|Odenwald))(?!\w)"
)
"""What belongs to a town's name: "Frankfurt am Main"."""
TOWN_DE = (
    rf"(?:,? (?:(?:D|DE|CH|A)-)?[0-9]{{4,5}} {WORD_DE}(?:{BY_RIVER_DE}| {WORD_DE})?"
    rf"|, {WORD_DE}(?=[.;)\n]|$))?"
)


NOT_AT_DE = (
    "(?!(?:Tag|Alter|Jahr|Monat|Zimmer|Bett|Bereich|Kapitel|Abschnitt|Absatz|Punkt|Teil|Fall|Stadium"
    "|Segment|Quartal|Artikel|Anhang|Abend|Grad|Level|Schritt|Phase|Haus)[ ])"
)
"""What "im" and a number stand around that is no street."""

COUNTED_FR = words(schema.words("numbers")["fr"][1:])


NUMBERED = re.compile(
    r"(?:County|State|US|Township|Ranch|Farm|Twp) (?:Road|Rd|Highway|Hwy|Route|Rte)\.?$"
)


def _english(text: str, start: int, end: int) -> Verdict:
    """Drop "12 Senior Dr. Smith" and "3 Old St. Mary": the last word begins a name there."""
    if NUMBERED.search(text[start:end]) and re.match(" [0-9]", after(text, end, 2)):
        return None  # the road is called by a number, which another rule knows
    short = re.search(r" (?:Dr|St|Ct|Pl)\.?$", text[start:end])
    named = short and re.match(r"\.? [A-Z][a-z]", after(text, end, 4))
    return None if named else ("ADDRESS", 0.95)


def _german(text: str, start: int, end: int) -> Verdict:
    """Drop "Weg 3": a street's name is more than the word for a street."""
    name = re.split(r" (?=[0-9])", text[start:end], maxsplit=1)[0]
    return None if name.lower() in STREETS_DE else ("ADDRESS", 0.95)


DATED = (
    Rule(
        "street-de-of-dated",  # Straße des 17. Juni 135, Platz der Republik 1
        "ADDRESS",
        r"[SPAW](?<!\w.)(?:(?<=S)tra(?:ß|ss)e|(?<=P)latz|(?<=A)llee|(?<=W)eg)"
        r" (?:de[rs]|am|zu[mr]|vo[mn]) (?:[0-9]{1,2}\. )?[A-ZÄÖÜ][\w-]{1,30}"
        r"(?: [A-ZÄÖÜ][\w-]{1,30})? [0-9]{1,4}[a-z]?(?!\w)",
        0.95,
        near=("straße ", "strasse ", "platz ", "allee ", "weg "),
        reach=(8, 96),
        digit=(0, 96),
        countries="de ch",
        widen=whole_address,
    ),
    Rule(
        "street-fr-dated",  # 12 rue du 11 novembre 1918
        "ADDRESS",
        r"[0-9](?<![0-9.,/$€].)[0-9]{0,3}(?:[ ]?(?i:bis|ter|quater|[a-d])(?!\w))?"
        rf",?[ ]{STREET_FR} (?i:du) [0-9]{{1,2}}(?:er)? [A-Za-zéû]{{3,10}}"
        r"(?: (?:1[89]|20)[0-9]{2})?(?!\w)",
        0.95,
        near=tuple(
            f" {street} du 0" for street in ("rue", "avenue", "av", "place", "boulevard", "bd")
        ),
        reach=(12, 120),
        countries="fr ch",
        widen=whole_address,
    ),
)
"""Tried before dates: streets that are called by one, or whose number is said as one."""

RULES = (
    *multiline_addresses.RULES,
    *postcode_addresses.POSTCODES,
    Rule(
        "street-en",
        "ADDRESS",
        rf"[0-9]{HEAD}[0-9]{{0,5}}(?:-[0-9]{{1,4}})?[A-Za-z]? (?:{COMPASS}\.? )?{NAME_EN}"
        rf"{STREET_EN}(?!\w)(?: {COMPASS}(?![\w.]))?{UNIT}{PLACE_EN}",
        judge=_english,
        near=tuple(f" {street.lower()}" for street in STREETS_EN),
        reach=(96, 160),
        digit=(96, 0),
        whole=True,
        widen=whole_address,
    ),
    Rule(
        "street-fr",
        "ADDRESS",
        r"[0-9](?<![0-9.,/$€].)[0-9]{0,3}(?:[-/][0-9]{1,4})?"
        rf"(?:[ ]?(?i:bis|ter|quater|[a-d])(?!\w))?(?:,?[ ]{STREET_FR}"
        rf"(?:{NAME_FR}|{SMALL_FR}{TOWN_SMALL_FR})"
        rf"|[ ](?:de la|du|des?) {STREET_FR}{NAME_FR}){UNIT_FR}{TOWN_FR}",
        0.95,
        near=tuple(f" {street}" for street in pieces(STREETS_FR)),
        reach=(24, 240),
        digit=(24, 0),
        whole=True,
        countries="fr ch",
        widen=whole_address,
    ),
    Rule(
        "street-fr-no-number",  # also Rue de Lausanne 12, 1201 Genève
        "ADDRESS",
        rf"{STREET_FR}{NAME_FR}{TOWN_FR}",
        0.7,
        near=pieces(STREETS_FR),
        reach=(24, 240),
        whole=True,
        countries="fr ch",
        languages="fr",
        widen=whole_address,
    ),
    Rule(
        "street-de",
        "ADDRESS",
        r"[A-ZÄÖÜ](?<!\w.)(?<!(?=During|Spring|String).)"
        r"(?:[\w.'’-]{0,40}+ (?=[A-ZÄÖÜ])){0,2}[\w.'’-]{0,40}+ (?=[0-9])"
        rf"{STREET_DE}[0-9]{{1,3}}(?:[-/][0-9]{{1,4}})?(?: ?[a-z](?!\w))?(?!\w){TOWN_DE}",
        judge=_german,
        near=tuple(f"{end} 0" for end in STREETS_DE),
        reach=(96, 128),
        countries="de ch",
        widen=whole_address,
    ),
    Rule(
        "street-de-at",  # Am Markt 3, An der Alster 5, Unter den Linden 77
        "ADDRESS",
        r"[AUIZ](?<!\w.)(?:n der|n den|m|uf de[rm]|nter den|ur|um) (?:[a-zäöü]{2,12}en )?"
        rf"{NOT_AT_DE}[A-ZÄÖÜ][\wäöüß-]{{2,30}} [0-9]{{1,3}}(?: 1/2| ?[a-z](?!\w))?"
        r"(?![\w:%]|[.](?! ?[\n]|$)|,(?! ?\n| [A-ZÄÖÜ0-9])|[ ](?:Uhr|Jahre|Prozent|Tage|Patient))"
        rf"{TOWN_DE}",
        0.7,
        countries="de ch",
        languages="de",
        widen=whole_address,
    ),
    Rule(
        "street-fr-in-words",  # sept allée des roses 77500 Chelles
        "ADDRESS",
        rf"{COUNTED_FR} {STREET_FR}(?:{NAME_FR}|{WORDS_FR}){TOWN_FR}",
        0.9,
        near=tuple(f" {street}" for street in pieces(STREETS_FR)),
        reach=(40, 160),
        whole=True,
        countries="fr ch",
        widen=whole_address,
    ),
    Rule(
        "post-box",
        "ADDRESS",
        r"[PBCc](?<!\w.)(?:(?<=P)(?i:\.? ?o\.? box|ostfach)|(?<=B)(?i:o[iî]te postale)"
        r"|(?<=[Cc])ase postale|(?<=C)\.? ?P\.)"
        rf" #?[0-9](?:[0-9 ]{{0,8}}[0-9])?(?!\w){PLACE_EN}",
        0.95,
        near=("box", "postfach", "postale", "c.p. 0", "c. p. 0", "cp. 0"),
        reach=(16, 160),
        digit=(0, 4),
        widen=whole_address,
    ),
)

POSTCODES = (
    Rule(
        "zip-us",
        "LOCATION",
        rf"[ZzPp](?<!\w.)(?i:ip|ostal)(?i: ?-?code)?(?: is)?[: ]{{1,3}}(?P<v>{ZIP})",
        0.95,
        near=("zip", "postal"),
        reach=(8, 48),
        digit=(0, 24),
        countries="us",
    ),
    Rule(
        "postcode-fr",
        "LOCATION",
        rf"[0-9]{HEAD}(?:[0-9]{{4}}|[0-9] [0-9]{{3}}|[AB] ?[0-9]{{3}})(?=,? [A-ZÀ-Ý][\w'’-]{{2,}})",
        0.7,
        countries="fr",
        languages="fr",
    ),
    Rule(
        "postcode-behind",  # à Valmont, 38400; dans le 75011
        "LOCATION",
        r"[àd](?<!\w.)(?:(?<=à) [A-ZÀ-Þ][\w'’-]{1,30}(?:[ -][A-ZÀ-Þ][\w'’-]{1,30})?"
        r"(?:, ?| \(| dans le | )"
        r"|(?<=d)ans le )(?P<v>[0-9]{5}|[0-9]{2} [0-9]{3})(?!\w|[.,][0-9])",
        0.7,
        near=("00000", "00 000"),
        reach=(80, 16),
        countries="fr",
        languages="fr",
    ),
)
"""Tried behind all streets, which may hold one."""
