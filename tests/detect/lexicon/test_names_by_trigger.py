"""Names and bodies told by their setting, beside what only looks so."""

from __future__ import annotations

import pytest

from linkmask.detect.candidates import Scope
from linkmask.detect.lexicon import find

# (language, text, spans of the type)
NAMES = [
    ("en", "Dear Resident,\nhello", []),
    ("en", "Thanks!\nBest,\nClaims", []),
    ("en", "Patient: Yeah, it hurts.\nDoctor: Where?\nPatient: Nope.\nPatient: Great!\nBye", []),
    ("en", "Patient: Zelko, 45\n", ["Zelko"]),
    ("en", "Name: CHAKRABARTI, SUDESHNA  Sex F", ["CHAKRABARTI, SUDESHNA"]),
    ("en", "Patient: MWANGI, WANJIKU A DOB 1961", ["MWANGI, WANJIKU A"]),
    ("en", "Insured: FINCH, INC", ["FINCH"]),
    ("en", "NAME (OPTIONAL): STANLEY CRISP", ["STANLEY CRISP"]),
    ("en", "He rang. Q. Tell me. A. By bus. Q. Spell it.", []),
    ("en", "Vitamin D. Deficiency", []),
    ("en", "HL58932, Amara", ["Amara"]),
    ("en", "call me Monday, the death of France, the Grace Period ends", []),
    ("fr", "Monsieur le DPO, Madame la Présidente, M. le Directeur", []),
    ("fr", "Ville : Lyon\nTiers responsable : Vincent Oberlé", ["Vincent Oberlé"]),
    ("fr", "Né à Lyon. C. Début des soins", []),
    ("en", "He read his sons’ Evenings aloud, and his sons Evenings.", []),
    ("de", "An alle Mitglieder\nGuten Tag,\nKunde: Guten Abend", []),
    ("de", "Geburtsname: Brandvold", ["Brandvold"]),
    ("en", "file name: letter", []),
    ("en", "Product name: letter", []),
    ("en", "file name: Ottoline Brandvold", ["Ottoline Brandvold"]),
    ("en", "name: Zelko", ["Zelko"]),
    ("en", "Bill Page is 44. Will Power called.", ["Bill Page", "Will Power"]),
    ("en", "Mark Law, 52, came. Penny Banks was a roofer.", ["Mark Law", "Penny Banks"]),
    ("en", "Will Power be cut? Mark Page 3. Bill Page limits. May Day came. MARK LAW says", []),
    ("en", "The Grant Power said so. Bill Page is wrong.", []),
]

OTHERS = [
    ("ORGANIZATION", "works for Tom, works at Home, employed by the city, job in May", []),
    ("DEMOGRAPHIC", "Nationality: Belgian. Sex: unknown. Race: none", ["Belgian"]),
    ("INDIRECT_IDENTIFIER", "Ms Ott, a lawyer practising in Leeds; power of attorney", []),
    ("INDIRECT_IDENTIFIER", "a driver's license; a poor historian; médecin en chef", []),
]


def spans(text: str, entity_type: str, language: str = "en") -> list[str]:
    found = find(text, Scope(language=language))
    return [text[f.start : f.end] for f in found if f.type == entity_type]


@pytest.mark.parametrize(("language", "text", "expected"), NAMES, ids=[n[1][:30] for n in NAMES])
def test_names_are_told_from_labels_replies_and_functions(language, text, expected):
    assert spans(text, "NAME", language) == expected


@pytest.mark.parametrize(("kind", "text", "expected"), OTHERS, ids=[o[1][:30] for o in OTHERS])
def test_homes_employers_and_groups_are_told_from_words_that_look_so(kind, text, expected):
    assert spans(text, kind) == expected


def test_relatives_are_no_trait_of_sex():
    """ "fille" is a daughter in "sa fille" and a girl elsewhere."""
    text = "Sa fille Anouch et la fille du patient ; une fille de 3 ans, une femme de 40 ans"
    assert spans(text, "DEMOGRAPHIC", "fr") == ["fille", "femme"]
