"""Names told by their setting and in small letters; what must not be taken for a name."""

import pytest

from linkmask.detect import lexicon
from linkmask.detect.candidates import Scope

# (language, text, the values found as NAME or PROVIDER)
HITS = [
    # what an age, a title or a relation says of an unlisted word
    ("en", "his wife Xandrine drove", ["Xandrine"]),
    ("fr", "TARQUEL JOSUA BRUN, née le 4 mai", ["TARQUEL JOSUA BRUN"]),
    # greeted
    ("en", "Dear Zelmo Karth:", ["Zelmo Karth"]),
    ("de", "Mit freundlichen Grüßen\nOttokarl Brandhuld", ["Ottokarl Brandhuld"]),
    ("de", "Sachbearbeiter: Herr Brandhuld", ["Brandhuld"]),
    # all in capitals, a name ends where something is done
    ("en", "VALENTINA ROTH ASKED TWICE", ["VALENTINA ROTH"]),
    ("en", "Insured: CHAN KAM WING", ["CHAN KAM WING"]),
    # labels
    ("en", "Case manager: Xandrine Quintelo", ["Xandrine Quintelo"]),
    ("fr", "Patiente: JANVELLE CREAC'H", ["JANVELLE CREAC'H"]),
    ("fr", "Nom : WANOVEL\nÂge", ["WANOVEL"]),
    ("en", "In Kallimo v. Tervok the court", []),
    # questions and answers
    ("en", "Q. Your name?\nA. Anna Brandhuld.", ["Anna Brandhuld"]),
    ("en", "Q. When?\nA. April thirtieth.", []),
    # an everyday word that is a name here
    ("en", "Ms. Tannery came. The tannery burnt. Tannery is far.", ["Tannery"]),
    # words that are words in another language, or in this one
    ("en", "Mr. Allen said Will Smith paid", ["Allen", "Will Smith"]),
    # small letters
    ("en", "hi , martha . how are you ?", ["martha"]),
    ("en", "so john is a 61-year-old male", ["john"]),
    # the family name first, or behind a word that is none
    ("fr", "pour TARQUEL SERGE NOEL", ["TARQUEL SERGE NOEL"]),
    ("fr", "  MARQUENEL C. 30032022", ["MARQUENEL C."]),
    ("en", "Producer Brian Gelmar said", ["Brian Gelmar"]),
    ("es", "Germán llamó ayer.", ["Germán"]),
    # what stands beside a name
    ("fr", "Assuré : Pierre Faure N° 402", ["Pierre Faure"]),
    ("en", "First Name: Chidi MI: T", ["Chidi"]),
    ("en", "Patient: J.H. Mr. H. came", ["J.H.", "H"]),
]

MISSES = [
    ("en", "RN visit on Monday, RN Visit Monday"),
    ("en", "SILVER SPRING, MD 20901"),
    ("en", "His father May 3 left"),
    ("en", "mbr Denies it"),
    ("en", "the initial visit, the initial X-ray"),
    ("en", "Thank You Card"),
    ("en", "Name: None\nPatient: Yes\nName: Unknown\nName: Date\n"),
    ("fr", "Nom : Inconnu\n"),
    ("de", "Name: Siehe\n"),
    ("en", "Hi Team,\nHello Everyone, Dear Colleagues,"),
    ("fr", "From: x\nSubject: rapatriement\n\nBonjour,\n\nCi-joint"),
    ("en", "Thanks,\nOriginal Message\nFrom: "),
    ("en", "Thanks,\nClaims Department"),
    ("en", "Sr. Administrative Assistant\nMS Word, $20 MM RCM"),
    ("en", "Houston, 63, and Section 4, 12, apply"),
    ("en", "Hospital is a 50 year-old building"),
    ("en", "To: Claims Department\nFrom: Monday, June 3"),
    ("en", "To: Augusta, Texas\n"),
    ("en", "his wife American by birth"),
    ("en", "She speaks French or German."),
    ("it", "Altra assicurazione? Ordine del giorno, Cantina sociale."),
    ("de", "Kisten? Dann die Bären."),
    ("en", "a thing called Bouncing."),
    ("en", "Exhibit\nOPTION A. PANEL B. VITAMIN C. STAGE D."),
    ("en", "Melborn,\nAustralia"),
    ("en", "the will of god may carry grace and faith"),
    ("en", "miss the bus, doctor will see you, mr imaging"),
    ("en", "Mr. Tarvo Rock came to the rock. Rock"),
    ("fr", "INFLIXIMAB SOL INJ SER"),
    ("de", "Professor der Architektur, Bürgermeister der Stadt"),
    ("en", "PAST MEDICAL HISTORY, Labor Day, X-ray Cervical Spine"),
    ("en", "Chronic Congestive Heart Failure"),
    ("fr", "Clinique Médicale. Réunion Clinique."),
]


def persons(text: str, language: str) -> list[str]:
    found = lexicon.find(text, Scope(language=language))
    return [text[f.start : f.end] for f in found if f.type in {"NAME", "PROVIDER"}]


@pytest.mark.parametrize(("language", "text", "expected"), HITS, ids=[hit[1][:40] for hit in HITS])
def test_hit(language: str, text: str, expected: list[str]) -> None:
    """The setting gives the name away whole, listed or not."""
    assert persons(text, language) == expected


@pytest.mark.parametrize(("language", "text"), MISSES, ids=[miss[1][:40] for miss in MISSES])
def test_near_miss(language: str, text: str) -> None:
    """The same settings around everyday words, headings, places and bodies give no name."""
    assert [p for p in persons(text, language) if p != "Tarvo Rock"] == []


def test_a_clinicians_grade_is_no_short_form_of_the_name() -> None:
    """What stands in brackets behind a clinician is not looked for again."""
    text = "Dr. Mona Voss (PHX) and PHX"
    assert persons(text, "en") == ["Dr. Mona Voss"]


@pytest.mark.parametrize(
    "piece",
    ["Hi ", "To: ", "\nTo: A, ", "To: <", "Thanks\n", "is a 5 ", "mr. ", "name: x ", "A, 63, "],
)
def test_hostile_repetition_is_read_in_one_pass(piece: str) -> None:
    """Hundreds of thousands of one cue end, with spans inside the text."""
    text = piece * (150_000 // len(piece))
    assert all(0 <= f.start < f.end <= len(text) for f in lexicon.find(text, Scope()))
