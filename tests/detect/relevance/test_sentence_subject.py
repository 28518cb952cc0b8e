"""Of whom a sentence speaks: what ails a relative, a neighbour or a witness is not the person's."""

import pytest

from linkmask.detect.candidates import Candidate, Scope
from linkmask.detect.relevance import score
from linkmask.detect.relevance.discourse import document_context
from linkmask.records import Document
from relevance_rules import explain


def found_in(text, *values, kind="MEDICAL_CONDITION"):
    starts = [text.index(value) for value in values]
    return [
        Candidate(start, start + len(value), kind, "lexicon", "listed", 0.8)
        for start, value in zip(starts, values, strict=True)
    ]


def rules_of(language, text, *values, kind="MEDICAL_CONDITION"):
    """Return, for each value in order, the rule that gives it to another, "" if none does."""
    found = found_in(text, *values, kind=kind)
    person = document_context(Document("d", text), Scope(language), "rules")
    each = explain(text, found, person)
    return [next((r for r in rules if r.startswith(("ill:", "other:"))), "") for rules in each]


ANOTHERS = [
    ("en", "The patient has gout. His older brother died of glioma.", "glioma"),
    ("en", "She takes insulin. Her late husband Rolf, a cooper, had emphysema.", "emphysema"),
    ("en", "Maternal grandmother had lupus.", "lupus"),
    ("en", "He shares a room; the roommate has dementia.", "dementia"),
    ("en", "Her boss, who drove, is treated for narcolepsy.", "narcolepsy"),
    ("en", "FH: stroke at sixty.", "stroke"),
    ("en", "Cellmate Bo Lind gave the alarm, type 1 diabetes himself.", "type 1 diabetes"),
    ("fr", "La patiente tousse. Son frère aîné est mort d'un gliome.", "gliome"),
    ("fr", "Grand-mère maternelle : lupus.", "lupus"),
    ("fr", "Il va bien. Sa femme, tisserande, a une sclérose en plaques.", "sclérose en plaques"),
    ("fr", "Le voisin de chambre a une démence.", "démence"),
    ("de", "Der Patient hustet. Sein älterer Bruder starb an einem Gliom.", "Gliom"),
    ("de", "Großmutter mütterlicherseits mit Lupus.", "Lupus"),
    ("de", "Sie ist gesund. Ihr Mann, ein Böttcher, hat Epilepsie.", "Epilepsie"),
    ("de", "Der Zimmernachbar hat Demenz.", "Demenz"),
]


@pytest.mark.parametrize(("language", "text", "value"), ANOTHERS)
def test_what_ails_somebody_else_of_whom_the_sentence_speaks_is_theirs(language, text, value):
    assert rules_of(language, text, value) == ["ill:said"]


PERSONS = [
    ("en", "The patient lives with her mother and has asthma.", "asthma"),
    ("en", "Injuries stated by a neighbour: concussion.", "concussion"),
    ("en", "Mr. Rask, a father of five, suffered burns.", "burns"),
    ("en", "A young mother with eclampsia was admitted.", "eclampsia"),
    ("en", "His wife says that the patient has gout.", "gout"),
    ("en", "Her husband died in May and she has had insomnia since.", "insomnia"),
    ("en", "The neighbours say dementia took his wits.", "dementia"),
    ("en", "Child: Ida Brandt, asthma.", "asthma"),
    ("fr", "La patiente vit avec sa mère et souffre d'asthme.", "asthme"),
    ("fr", "M. Rask, père de cinq enfants, a des brûlures.", "brûlures"),
    ("fr", "Son mari est mort en mai ; elle a une insomnie depuis.", "insomnie"),
    ("fr", "Sa fille signale une chute.", "chute"),
    ("de", "Die Patientin lebt mit ihrer Mutter und hat Asthma.", "Asthma"),
    ("de", "Herr Rask, Vater von fünf Kindern, hat Verbrennungen.", "Verbrennungen"),
    ("de", "Ihr Mann starb im Mai, seitdem hat die Patientin Schlafstörungen.", "Schlafstörungen"),
    ("de", "Ihr Sohn berichtet von einem Sturz.", "Sturz"),
]


@pytest.mark.parametrize(("language", "text", "value"), PERSONS)
def test_what_others_only_stand_beside_is_the_persons(language, text, value):
    assert rules_of(language, text, value) == [""]


def test_the_writers_own_family_may_be_whom_a_text_is_about():
    assert rules_of("en", "My son Tom has asthma.", "asthma") == ["ill:mine"]
    assert rules_of("fr", "Ma fille a une otite.", "otite") == ["ill:mine"]
    assert rules_of("de", "Unser Sohn hat Asthma.", "Asthma") == ["ill:mine"]


def test_a_relatives_trade_tells_more_of_the_person_than_a_relatives_illness():
    text = "The patient is well. Her brother, a glass eye maker, has asthma."
    assert rules_of("en", text, "glass eye maker", kind="INDIRECT_IDENTIFIER") == ["other:said"]
    person = document_context(Document("d", text), Scope("en"), "rules")
    (trade,) = score(text, found_in(text, "glass eye maker", kind="INDIRECT_IDENTIFIER"), person)
    (illness,) = score(text, found_in(text, "asthma"), person)
    assert trade > illness
