"""Whose a value is: the document's person's, another's, nobody's, in three languages."""

import pytest

from linkmask.config import Settings
from linkmask.detect import first_pass
from linkmask.detect.candidates import Candidate, Scope
from linkmask.detect.document_attributions import attributions_of
from linkmask.detect.relevance import attributions, document_context, score
from linkmask.records import Document


def asked(text, value, kind, language, way="whose", rule="listed"):
    """Return what is told of the last place of a value in a text."""
    start = text.rindex(value)
    found = [Candidate(start, start + len(value), kind, "lexicon", rule, 0.8)]
    person = document_context(Document("d", text), Scope(language), "learned")
    return (attributions if way == "whose" else score)(text, found, person)[0]


KIN = [
    ("en", "The patient has gout. His roommate, Clyde Munson, has dementia.", "dementia"),
    ("en", "She takes insulin. Her mother died of stomach cancer.", "stomach cancer"),
    ("en", "He is well. His brother has epilepsy.", "epilepsy"),
    ("fr", "La patiente est asthmatique. Sa colocataire a une démence.", "démence"),
    ("fr", "Il va bien. Son frère souffre d'épilepsie.", "épilepsie"),
    ("fr", "Elle tousse. Sa mère est morte d'un cancer du sein.", "cancer du sein"),
    ("de", "Die Patientin hat Asthma. Ihre Nachbarin hat Demenz.", "Demenz"),
    ("de", "Der Patient hustet. Sein Bruder leidet an Epilepsie.", "Epilepsie"),
    ("de", "Sie ist gesund. Ihre Mutter starb an Brustkrebs.", "Brustkrebs"),
]
OWN = {
    "en": "The patient has {}. She takes tablets.",
    "fr": "La patiente a une {}. Elle prend un traitement.",
    "de": "Die Patientin hat {}. Sie nimmt Tabletten.",
}


@pytest.mark.parametrize(("language", "text", "value"), KIN)
def test_what_a_relative_or_neighbour_has_is_rather_anothers(language, text, value):
    """And its relevance is below that of the same value where it is the person's."""
    theirs = asked(text, value, "MEDICAL_CONDITION", language)
    own = OWN[language].format(value)
    mine = asked(own, value, "MEDICAL_CONDITION", language)
    assert theirs.other > mine.other + 0.1
    assert mine.person > theirs.person + 0.1
    below = asked(text, value, "MEDICAL_CONDITION", language, "score")
    assert below <= asked(own, value, "MEDICAL_CONDITION", language, "score")


@pytest.mark.parametrize(
    ("language", "firm", "own", "number"),
    [
        ("en", "Our hotline is {}.", "The patient can be reached at {}.", "312-555-0144"),
        ("en", "Call our office at {}.", "She asked us to ring her at {}.", "(312) 555-0144"),
        ("fr", "Notre accueil : {}.", "La patiente est joignable au {}.", "01 99 00 12 34"),
        ("fr", "Appelez nos bureaux au {}.", "Elle est joignable au {}.", "01 99 00 12 34"),
        ("de", "Unsere Hotline: {}.", "Die Patientin ist erreichbar unter {}.", "0151 23456789"),
        ("de", "Unser Büro: {}.", "Der Patient ist erreichbar unter {}.", "0151 23456789"),
    ],
)
def test_a_firms_own_number_is_nobodys(language, firm, own, number):
    theirs = asked(firm.format(number), number, "PHONE_NUMBER", language, rule="phone")
    assert theirs.nobody > 0.5 > theirs.person
    assert asked(own.format(number), number, "PHONE_NUMBER", language, rule="phone").person > 2 * (
        theirs.person
    )
    low, high = (
        asked(text.format(number), number, "PHONE_NUMBER", language, "score")
        for text in (firm, own)
    )
    assert low < high - 0.1


@pytest.mark.parametrize("number", ["1-800-555-0112", "(888) 555-0112", "0800 555 0112"])
def test_a_number_that_costs_its_caller_nothing_is_nobodys(number):
    text = "The patient was seen. Questions? {}"
    free = asked(text.format(number), number, "PHONE_NUMBER", "en", "score")
    paid = asked(text.format("906-555-0112"), "906-555-0112", "PHONE_NUMBER", "en", "score")
    assert free < paid - 0.05


RULES = {
    "en": "Bulletin to members. Effective {}, therapy for members over {} requires approval.",
    "fr": "Bulletin aux assurés. À compter du {}, les soins des assurés de plus de {} ans sont "
    "plafonnés.",
    "de": "Rundschreiben. Ab dem {} gilt die Regelung für Versicherte über {} Jahren. Die Leistung "
    "muss genehmigt sein.",
}
DAYS = {"en": "January 1, 2026", "fr": "1er janvier 2026", "de": "1. Januar 2026"}


@pytest.mark.parametrize("language", RULES)
def test_a_rules_day_and_age_are_nobodys_in_every_language(language):
    text = RULES[language].format(DAYS[language], "60")
    day = asked(text, DAYS[language], "EVENT_DATE", language)
    age = asked(text, "60", "AGE", language)
    assert day.nobody > 0.5 and age.nobody > 0.5
    assert asked(text, DAYS[language], "EVENT_DATE", language, "score") < 0.6
    assert asked(text, "60", "AGE", language, "score") < 0.6


@pytest.mark.parametrize(("language", "text", "value"), KIN)
def test_the_chances_are_shares_of_one(language, text, value):
    told = asked(text, value, "MEDICAL_CONDITION", language)
    assert sum(told) == pytest.approx(1.0)
    assert all(0.0 <= one <= 1.0 for one in told)


def test_whose_is_told_of_the_mentions_of_a_document_by_field():
    """A mention whose text stands there no more is left out."""
    content = "Ms. Ada Quill has gout. Her brother Tom has epilepsy."
    document = Document("d", content, {"patient_name": "Ada Quill"})
    settings = Settings()
    mentions = first_pass(document, settings, lambda kind, value, **_: value.lower())
    told = list(attributions_of(document, reversed(mentions), settings))
    assert {one for one, _ in told} == set(mentions)
    assert {one.field for one, _ in told} == {"content", "metadata/patient_name"}
    changed = Document("d", "x" + content, {"patient_name": "Ada Quill"})
    assert {one.field for one, _ in attributions_of(changed, mentions, settings)} == {
        "metadata/patient_name"
    }
