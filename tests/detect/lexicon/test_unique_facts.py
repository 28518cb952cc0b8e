"""Facts about a person: what they are found by, and rule-text they are told from."""

from __future__ import annotations

import pytest

from linkmask.detect.candidates import Scope
from linkmask.detect.lexicon import find

KINDS = {"UNIQUE_FACT", "INDIRECT_IDENTIFIER", "EVENT"}

# (language, text, spans of facts)
HITS = [
    ("en", "I was the only woman among twenty-two crew, sir", ["only woman among twenty-two crew"]),
    ("en", "He is the oldest bell ringer in the county.", ["oldest bell ringer in the county"]),
    ("en", "the first woman to row the strait", ["first woman to row the strait"]),
    ("en", "Tom Hill, the youngest mayor of the coast, fell", ["youngest mayor of the coast"]),
    ("fr", "Elle est la seule accordeuse de la province.", ["seule accordeuse de la province"]),
    ("de", "Er ist der letzte Korbmacher im Dorf.", ["letzte Korbmacher im Dorf"]),
]  # fmt: skip

# (language, text): of nobody, or no fact
MISSES = [
    ("en", "The only exception is in section 4. The first claim was paid. The oldest policy"),
    ("en", "The first person to report the loss must sign. The last member of the plan"),
    ("en", "Her first visit was in May; it was the only symptom; he was last seen well"),
    ("en", "Members who own a vehicle. Anyone who runs a business. If he owns a boat, tell us"),
    ("en", "Each member who keeps bees must say so. A patient who plays golf"),
    ("en", "The plan runs a program. The insurer won the appeal. It keeps records"),
    ("en", "Dr. Smith runs the clinic; Dr. Ott, the only surgeon on the panel"),
    ("en", "He holds a policy, runs a fever, keeps going, plays outside, and works full time"),
    ("en", "She raised concerns and wrote a letter; he drives a car"),
    ("en", "president of the company, captain of claims, mother of the patient"),
    ("en", "In the event of a flood or fire, losses caused by an earthquake are excluded"),
    ("en", "the fire department, the flood insurance, any storm, lung collapse"),
    ("en", "EVA said 3 things, the scale of 10, vas 3"),
    ("fr", "réduction de 20 % sur la prime, baisse de 5 % des tarifs, ASIA Central"),
    ("fr", "En cas d'incendie ou lors d'une grève; IRM : effondrement de la vertèbre L2"),
    ("en", "the brand of insulin, sinking feeling, the collapse, Brand of shoes"),
    ("fr", "La seule exception. Le premier rendez-vous. Il tient compte du dossier."),
    ("de", "Die erste Rechnung, der letzte Termin. Die Kasse führt ein Register"),
]


def facts(text: str, language: str) -> list[str]:
    found = find(text, Scope(language=language))
    return [text[f.start : f.end] for f in found if f.type in KINDS]


@pytest.mark.parametrize(("language", "text", "expected"), HITS, ids=[hit[1][:40] for hit in HITS])
def test_a_fact_about_a_person_is_found_to_the_end_of_its_clause(language, text, expected):
    assert facts(text, language) == expected


@pytest.mark.parametrize(("language", "text"), MISSES, ids=[miss[1][:40] for miss in MISSES])
def test_what_a_rule_says_of_anybody_is_no_fact(language, text):
    assert facts(text, language) == []


def test_a_fact_stops_before_a_place_or_a_date_that_is_found_itself():
    text = "She was the first pilot in Denver in 1974."
    found = [(f.type, text[f.start : f.end]) for f in find(text, Scope())]
    assert ("UNIQUE_FACT", "first pilot") in found
    assert ("LOCATION", "Denver") in found
