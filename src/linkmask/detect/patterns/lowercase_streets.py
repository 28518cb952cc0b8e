"""Recognizes French streets in lower case: "5 rue pasteur villeurbanne"."""

from __future__ import annotations

from linkmask.detect.patterns.rule import Rule, pieces, words
from linkmask.detect.patterns.rural_addresses import LINK_FR
from linkmask.detect.patterns.street_context import whole_address

SURE_FR = (
    "rue", "avenue", "av", "boulevard", "bd", "allée", "impasse", "chemin", "quai", "venelle",
    "ruelle", "sentier",
)  # fmt: skip
"""Words that nothing but a street is called by."""
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
)
