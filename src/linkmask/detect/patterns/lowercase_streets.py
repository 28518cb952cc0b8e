"""Recognizes French and German streets in lower case, with a number word, or by a regional word.

"5 rue pasteur villeurbanne", "am alten sägewerk 3", "hein-hoyer-straße hundertzwölf".
"""

from __future__ import annotations

import re

from linkmask import schema
from linkmask.detect.patterns.rule import Rule, Verdict, before, pieces, words
from linkmask.detect.patterns.rural_addresses import LINK_FR
from linkmask.detect.patterns.street_context import whole_address

# ── French: 5 rue pasteur villeurbanne, vingt-deux impasse des mimosas ──────────────────────────

SURE_FR = (
    "rue", "avenue", "av", "boulevard", "bd", "allée", "impasse", "chemin", "quai", "venelle",
    "ruelle", "sentier",
)  # fmt: skip
"""Words that nothing but a street is called by."""
ALSO_FR = ("rang", "croissant", "terrasse", "clos", "parvis", "rocade", "digue", "cour")
"""Words by which a street is called where a number stands before and a capital behind."""
WORD_FR = r"[a-zà-ÿ](?:[a-zß-ÿ]|['’-](?=[a-zß-ÿ])){2,24}"
NO_NAME_FR = (
    "(?!(?:des|du|de|depuis|et|and|ou|mais|pour|avec|sans|dans|par|qui|que|est|sont|il|elle|on|je|nous"
    "|vous|car|donc|le|la|les|un|une|merci|chez|maintenant|tél|tel|mon|ma|mes|son|sa)(?!\\w))"
)
"""Small words that go on behind a street."""
NAME_FR = (
    rf"(?:[ ](?:{LINK_FR}){{0,3}}{NO_NAME_FR}{WORD_FR})"
    rf"(?:[ ](?:{LINK_FR}){{0,2}}{NO_NAME_FR}{WORD_FR}){{0,2}}"
)
TOWN_FR = rf"(?:,?[ ]à[ ]{WORD_FR})?"
NUMBERS_FR = schema.words("numbers")["fr"][1:]

# ── German: am alten sägewerk 3, Hein-Hoyer-Straße hundertzwölf ─────────────────────────────────

IN_WORDS_DE = "|".join(sorted(schema.words("numbers")["de"], key=len, reverse=True))
NUMBER_DE = rf"(?i:(?:(?:ein|zwei)?hundert(?:und)?)?(?:{IN_WORDS_DE})|(?:ein|zwei)hundert)(?![\w-])"
ENDINGS_DE = ("straße", "strasse", "gasse", "allee", "weg", "platz", "ring", "damm", "ufer")
STREET_DE = "(?:" + "|".join(f"(?<={end[-3:]})(?<={end})" for end in ENDINGS_DE) + ")"
NO_CUE_DE = r"(?!(?:wohn\w{0,8}|adresse|anschrift|ist|bin|gemeldet|tag|uhr)\b)"
FIRST_DE = NO_CUE_DE.replace("(?!", "(?<!(?=", 1)[:-1] + ").)"
"""The same asked of the word whose first letter stands before."""
LIVED_DE = re.compile(
    r"(?i)(?:(?<!\w)(?:wohn(?:t|e|en|haft|end|adresse)|adresse|anschrift|gemeldet|zu hause|wh\.)"
    r"(?: (?:ist|in|bin))?[ :,]{1,3}|(?:^|\n)[ \t]{0,4})$"
)
ENDS_LINE = re.compile(r"[ \t]{0,4}(?:\n|$)")


def _small_de(text: str, start: int, end: int) -> Verdict:
    """Take "am alten sägewerk 3" on a line of its own or where one lives."""
    lead = LIVED_DE.search(before(text, start, 40))
    if not lead:
        return None
    alone = "\n" in text and ENDS_LINE.match(text, end) is not None
    return ("ADDRESS", 0.85) if lead[0].strip() or alone else None


def _said_de(text: str, start: int, end: int) -> Verdict:
    """Take a name and a number in words right behind a word for where one lives."""
    lead = LIVED_DE.search(before(text, start, 40))
    return ("ADDRESS", 0.85) if lead and lead[0].strip() else None


RULES = (
    Rule(
        "street-fr-small",  # 5 rue pasteur villeurbanne, 12 ter allée des peupliers
        "ADDRESS",
        rf"[0-9](?<![0-9.,/$€].)[0-9]{{0,3}}(?:[ ]?(?i:bis|ter|quater|[a-d])(?!\w))?,?[ ]"
        rf"{words(SURE_FR, point=True)}{NAME_FR}{TOWN_FR}(?![\w'’-])",
        0.85,
        near=tuple(f" {street}" for street in pieces(SURE_FR)),
        reach=(24, 120),
        digit=(24, 0),
        whole=True,
        countries="fr ch",
        widen=whole_address,
    ),
    Rule(
        "street-fr-words-small",  # vingt-deux impasse des mimosas à vénissieux
        "ADDRESS",
        rf"{words(NUMBERS_FR)}(?:[ ](?:bis|ter))?[ ]"
        rf"{words(SURE_FR)}{NAME_FR}{TOWN_FR}(?![\w'’-])",
        0.85,
        near=tuple(f" {street}" for street in pieces(SURE_FR)),
        reach=(40, 120),
        whole=True,
        countries="fr ch",
        languages="fr",
        widen=whole_address,
    ),
    Rule(
        "street-fr-also",  # 1422 rang Saint-Édouard; 233, 4e Avenue
        "ADDRESS",
        rf"[1-9](?<![0-9.,/$€].)[0-9]{{0,4}}[A-Za-z]?,?[ ](?:{words(ALSO_FR)}"
        rf"(?:[ ](?i:{LINK_FR}){{0,3}}[A-ZÀ-Þ][\w'’-]{{1,30}}){{1,3}}"
        r"|[0-9]{1,3}(?:re|e|ère) (?:Avenue|Rue|Rang))(?![\w'’-])",
        0.85,
        near=(
            *(f" {street} " for street in pieces(ALSO_FR)),
            "0e avenue",
            "0e rue",
            "0re rue",
            "0e rang",
            "0re avenue",
        ),
        reach=(16, 96),
        countries="fr ch",
        widen=whole_address,
    ),
    Rule(
        "street-de-in-words",  # Hein-Hoyer-Straße hundertzwölf
        "ADDRESS",
        rf"[^\W\d_](?<!\w.)[\w-]{{2,40}}{STREET_DE} {NUMBER_DE}",
        0.85,
        near=tuple(f"{end} " for end in ENDINGS_DE),
        reach=(44, 40),
        countries="de ch",
        languages="de",
        widen=whole_address,
    ),
    Rule(
        "street-de-small",  # am alten sägewerk 3; kirchstraße 12
        "ADDRESS",
        rf"[a-zäöü](?<!\w.){FIRST_DE}[a-zäöüß-]{{1,30}}"
        rf"(?: {NO_CUE_DE}[a-zäöüß-]{{2,24}}){{0,3}} [0-9]{{1,3}}(?: ?[a-z](?!\w))?"
        r"(?![\w.:%]|,[0-9])",
        judge=_small_de,
        near=(
            "wohn",
            "adresse ",
            "anschrift ",
            "am ",
            "im ",
            "an der ",
            "auf de",
            "in der ",
            "zum ",
            "zur ",
            "hinter ",
            "unter ",
            "straße 0",
            "strasse 0",
            "weg 0",
            "gasse 0",
            "platz 0",
        ),
        reach=(40, 64),
        digit=(0, 64),
        countries="de ch",
        languages="de",
        widen=whole_address,
    ),
    Rule(
        "street-de-small-in-words",  # wohnhaft lange reihe dreiundzwanzig
        "ADDRESS",
        rf"[^\W\d_](?<!\w.){FIRST_DE}[\w-]{{1,30}}(?: {NO_CUE_DE}[\w-]{{2,24}}){{0,2}} {NUMBER_DE}",
        judge=_said_de,
        near=("wohn", "adresse ", "anschrift "),
        reach=(0, 96),
        countries="de ch",
        languages="de",
        widen=whole_address,
    ),
    Rule(
        "estate-de",  # Siedlung Sonnenhang, Haus 4, Whg. 12
        "ADDRESS",
        r"[SW](?<!\w.)(?:(?<=S)iedlung|(?<=W)ohn(?:park|anlage|heim|stift))"
        r"(?: [A-ZÄÖÜ][\w-]{2,30}){1,2}"
        r",? (?:(?:Haus|Block|Nr\.?|Hs\.) ?)?[0-9]{1,4}[a-z]?(?!\w)",
        0.9,
        near=("siedlung ", "wohnpark ", "wohnanlage ", "wohnheim ", "wohnstift "),
        reach=(2, 96),
        countries="de ch",
        widen=whole_address,
    ),
)
