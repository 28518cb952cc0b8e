"""Where what the model sees ends, and what it cannot be."""

import pytest

from linkmask.detect.lexicon.tokens import turns
from linkmask.detect.ner import words_of_name
from linkmask.detect.ner.boundaries import (
    cannot_be,
    split_at_boundaries,
)


def cut(text, label, entity_type="NAME"):
    start = text.index(label)
    return [text[i:j] for i, j in split_at_boundaries(text, start, start + len(label), entity_type)]


@pytest.mark.parametrize(
    ("text", "span", "entity_type", "left"),
    [
        ("Zoan Mor\tBrest\t4", "Zoan Mor\tBrest", "NAME", ["Zoan Mor", "Brest"]),
        ("4 May \t(Brest", "4 May \t(Brest", "EVENT_DATE", ["4 May", "Brest"]),
        ("SEX: F   ADM: 8 March", "F   ADM", "TREATMENT", []),
        ("Zoan Mor\nDOB: 4 May", "Zoan Mor\nDOB", "NAME", ["Zoan Mor"]),
        ("Zoan Mor      D.O.B. 4 May", "Zoan Mor      D.O.B", "NAME", ["Zoan Mor", "D.O.B"]),
        ("Zoan\nMorvel came", "Zoan\nMorvel", "NAME", ["Zoan\nMorvel"]),
        ("Herr Morvel jun. kam", "Morvel jun", "NAME", ["Morvel"]),
        ("by Zoan Mor\nMorvel\nSince", "Zoan Mor\nMorvel", "NAME", ["Zoan Mor", "Morvel"]),
        ("Zoan Mor.\nMorvel came", "Zoan Mor.\nMorvel", "NAME", ["Zoan Mor", "Morvel"]),
        ("Z 0 A N   M O R", "Z 0 A N   M O R", "NAME", ["Z 0 A N   M O R"]),
        ("Factor I deficiency", "Factor I deficiency", "MEDICAL_CONDITION",
         ["Factor I deficiency"]),
        ("my mari paul came", "mari paul", "NAME", ["paul"]),
        ("glycémie 2,1 g", "glycémie 2", "MEDICAL_CONDITION", ["glycémie 2,1"]),
        ("the Court (Zorvinrätt) held", "Court (Zorvinrätt", "ORGANIZATION",
         ["Court", "Zorvinrätt"]),
        ("Susan (Zoan) Mor", "Susan (Zoan) Mor", "NAME", ["Susan (Zoan) Mor"]),
        ("no A-417\tTel\t5", "A-417\tTel", "NON_PERSONAL_ID", ["A-417"]),
    ],
)  # fmt: skip
def test_a_span_ends_at_a_tab_a_label_or_a_clause(text, span, entity_type, left):
    assert cut(text, span, entity_type) == left


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("Q. Your name?\nA. Zoan Mor.", 2),
        ("[00:01] Q: Your name?\n[00:04] A: Zoan Mor.", 2),
        ("F: Wann?\nA: Gestern.", 2),
        ("A. Facts\nB. Law", 0),  # headings
        ("A. Mor\nDesk 4", 0),
        ("and Q. Mor\nA. Mor", 0),
    ],
)
def test_letters_are_speakers_where_somebody_asks_and_somebody_answers(text, count):
    assert len(turns(text)) == count


@pytest.mark.parametrize(
    ("text", "span", "label", "sure", "expected"),
    [
        ("j.docksley", "docksley", "NAME", 0.3, False),
        ("450 CHF in all", "CHF", "MEDICAL_CONDITION", 0.9, True),
        ("(CHF): 450", "CHF", "MEDICAL_CONDITION", 0.9, True),
        ("CHF and COPD", "CHF", "MEDICAL_CONDITION", 0.9, False),
        ("EDD started", "EDD", "NAME", 0.3, False),
        ("aue.orgel", "orgel", "NAME", 0.05, True),
        ("with arlo", "arlo", "NAME", 0.05, False),  # a list knows it
        ("with Zorvin", "Zorvin", "NAME", 0.15, False),
        ("sold by Zoan Ford", "Zoan Ford", "NAME", 0.9, False),
        ("signed ZM2", "ZM2", "NAME", 0.7, False),
        ("name: dune-router", "dune-router", "NAME", 0.9, True),
        ("author: night-owl", "night-owl", "NAME", 0.9, False),
        ("name: anna-marie", "anna-marie", "NAME", 0.9, False),
        ("name: moss-zorvin", "moss-zorvin", "NAME", 0.9, False),
        ("conf: 0.71", "0.71", "DATE", 0.5, True),
        ("BP 148/92", "BP 148/92", "CODE", 0.01, True),
        ("plan BP 148/92", "BP 148/92", "CODE", 0.1, False),
        ("on 4.10", "4.10", "DATE", 0.5, False),
        ("DR. KERN  -84,10", "84", "PATIENT_ID", 0.9, True),
        ("05.02. MIETE -640,00", "MIETE -640", "PATIENT_ID", 0.9, True),
        ("MIETE 640-00", "MIETE 640", "PATIENT_ID", 0.9, False),
        ("paid 1.240,55 now", "1.240,55", "CODE", 0.9, True),
        ("no. 84,10-2 now", "84,10-2", "PATIENT_ID", 0.9, False),
        ("par maître Zorvin", "Zorvin", "NAME", 0.8, False),
        ("Spilled by Anna Burns Two", "Anna Burns", "NAME", 0.9, False),
        ("They make building energy work", "building energy", "ORGANIZATION", 0.3, True),
        ("they make building energy work", "building energy", "ORGANIZATION", 0.3, False),
        ("The aunt signed a cheque", "cheque", "NAME", 0.6, True),
        ("the aunt signed a cheque", "cheque", "NAME", 0.6, False),
        ("The aunt saw sproat", "sproat", "NAME", 0.6, False),
        ("x", "x", "ORGANIZATION", 0.9, True),
        ("según la Ley 39/2015", "Ley", "NAME", 0.9, True),
        ("Mrs Ley called 39/2015", "Ley", "NAME", 0.9, False),
        ("Peso 19,5 kg", "Peso 19,5 kg", "ADDRESS", 0.9, True),
        ("Kerkstraat 19", "Kerkstraat 19", "ADDRESS", 0.9, False),
        ("Kerkstraat 19", "Kerkstraat 19", "ADDRESS", 0.05, True),
        ("X", "X", "LOCATION", 0.9, True),
        ("Herr K", "K", "NAME", 0.9, False),
        ("at Tier 2 copay", "Tier 2", "LOCATION", 0.5, True),
        ("in Dover 2", "Dover 2", "LOCATION", 0.5, False),
        ("need visual documentation", "visual documentation", "MEDICAL_CONDITION", 0.7, True),
        ("lack visual acuity", "visual acuity", "MEDICAL_CONDITION", 0.7, False),
    ],
)
def test_what_cannot_have_the_taggers_type_is_none(text, span, label, sure, expected):
    start = text.index(span)
    assert cannot_be(text, start, start + len(span), label, sure) is expected


@pytest.mark.parametrize(
    ("found", "name"),
    [
        ("Maëlle Kerbrat viendra", "Maëlle Kerbrat"),
        ("Achterberg belde", "Achterberg"),
        ("Hoekstra schreef terug", "Hoekstra"),
        ("Figueiredo telefonou", "Figueiredo"),
        ("Brandvold ruiz", "Brandvold ruiz"),
        ("Ottoline brandvold", "Ottoline brandvold"),
        ("Mrs dupont", "Mrs dupont"),
        ("Oklahoma cheerleaders", "Oklahoma cheerleaders"),
        ("frost rang", "frost"),
        ("kaur had", "kaur"),
        ("edward said", "edward"),
        ("theresa may", "theresa may"),
        ("emre can rang", "emre can"),
        ("yusuf can", "yusuf can"),
        ("anna he", "anna"),
        ("kevin m", "kevin m"),
    ],
)
def test_small_words_behind_a_surname_are_names_only_where_a_list_has_them(
    found: str, name: str
) -> None:
    """A given name or a title may have the surname behind it in small letters, listed or not.

    A verb and a function word are no surname, but for modals that are names.
    """
    words = found.split()
    assert " ".join(words[: words_of_name(words)]) == name
