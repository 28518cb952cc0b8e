"""Whose a value is lowers its relevance: a relative's, a firm's, a rule's, in three languages."""

import pytest

from linkmask.detect.candidates import Candidate, Scope
from linkmask.detect.relevance import score
from linkmask.detect.relevance.discourse import document_context
from linkmask.records import Document


def relevance(text, value, kind, language, rule="listed"):
    """Return the relevance of the last place of a value in a text."""
    start = text.rindex(value)
    found = [Candidate(start, start + len(value), kind, "lexicon", rule, 0.8)]
    context = document_context(Document("d", text), Scope(language), "learned")
    return score(text, found, context)[0]


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
def test_what_a_relative_or_neighbour_has_counts_no_more_than_ones_own(language, text, value):
    own = OWN[language].format(value)
    mine = relevance(own, value, "MEDICAL_CONDITION", language)
    assert relevance(text, value, "MEDICAL_CONDITION", language) <= mine


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
def test_a_firms_own_number_counts_less(language, firm, own, number):
    low, high = (
        relevance(text.format(number), number, "PHONE_NUMBER", language, "phone")
        for text in (firm, own)
    )
    assert low < high - 0.1


@pytest.mark.parametrize("number", ["1-800-555-0112", "(888) 555-0112", "0800 555 0112"])
def test_a_number_that_costs_its_caller_nothing_counts_less(number):
    text = "The patient was seen. Questions? {}"
    free = relevance(text.format(number), number, "PHONE_NUMBER", "en")
    paid = relevance(text.format("906-555-0112"), "906-555-0112", "PHONE_NUMBER", "en")
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
def test_a_rules_day_and_age_count_little_in_every_language(language):
    text = RULES[language].format(DAYS[language], "60")
    assert relevance(text, DAYS[language], "EVENT_DATE", language) < 0.6
    assert relevance(text, "60", "AGE", language) < 0.6
