"""A number behind a word for a person's number is the person's, whatever it looks like."""

import pytest

from linkmask.detect.candidates import Scope
from linkmask.detect.patterns import find

ALL = ("us", "gb", "fr", "de", "ch")


def typed(text: str, language: str = "en") -> list[tuple[str, str]]:
    """Return type and spelling of what is found."""
    return [(f.type, text[f.start : f.end]) for f in find(text, Scope(language, ALL))]


def numbers(*kinds: str, text: str, language: str = "en") -> list[str]:
    """Return the spellings of what is found of some types."""
    return [spelling for kind, spelling in typed(text, language) if kind in kinds]


@pytest.mark.parametrize(
    ("language", "text", "number"),
    [
        ("en", "Membership 512 330 904", "512 330 904"),
        ("en", "membership no. QT 5512 084, paid", "QT 5512 084"),
        ("en", "MR# 90217", "90217"),
        ("en", "Member no 7744 2091 3388 is on file", "7744 2091 3388"),
        ("en", '{"loyalty_no": "7744 2091 33", "tier": 2}', "7744 2091 33"),
        ("de", "Mitgliedsnummer 4418 2203 18 wurde gesperrt", "4418 2203 18"),
        ("en", "M.R. no. 90217", "90217"),
        ("en", "Insured's I.D. number 7712-04 on file", "7712-04"),
        ("en", "Med. Rec. No: 8820", "8820"),
        ("en", "Hosp # 77-10-03", "77-10-03"),
        ("en", "Inmate no. 88-2041", "88-2041"),
        ("en", "Pt. No. 2025-003318", "2025-003318"),
        ("en", "Emp. ID 50218", "50218"),
        ("en", "Clock no. B-3042, driver", "B-3042"),
        ("en", "M.R.N. 00317734", "00317734"),
        ("en", "pupil number 004418", "004418"),
        ("en", "Badge 5512", "5512"),
        ("en", "Subscriber ID 0423 118 02", "0423 118 02"),
        ("en", "the participant (P-07) said", "P-07"),
        ("en", "ID: TRX 60 22 4418", "TRX 60 22 4418"),
        ("fr", "numéro d'adhérent : 8812 4407", "8812 4407"),
        ("fr", "numero adherent 8812 4407", "8812 4407"),
        ("fr", "N° adhérent 8812 4407", "8812 4407"),
        ("fr", "No de dossier médical 11-04-87", "11-04-87"),
        ("fr", "n° eleve 0044182", "0044182"),
        ("fr", "Écrou 25-00318", "25-00318"),
        ("fr", "ADH 00 52 61 30 C", "00 52 61 30 C"),
        ("fr", "répondant Q-41-0220", "Q-41-0220"),
        ("de", "Pers.-Nr. 50218", "50218"),
        ("de", "Schuelernummer 20418; Schüler-Nr. 20419", "20419"),
        ("de", "Mitglieds-Nr.: 2024-118830", "2024-118830"),
        ("de", "Aufnahme-Nr. 2025-003318", "2025-003318"),
        ("de", "Kd.-Nr. 330118", "330118"),
        ("de", "Kennung TW-220", "TW-220"),
        ("de", "Versichertenkarte 80756 00120 04418 71", "80756 00120 04418 71"),
        ("en", "Health plan ID 482133", "482133"),
        ("en", "Dental Plan No. 88213-4", "88213-4"),
        ("en", "health plan identification number 88213771", "88213771"),
        ("en", "health insurance claim number 123456789A", "123456789A"),
        ("en", "Medicare claim number 455-21-8867A", "455-21-8867A"),
        ("en", "Member identification number: 8837261", "8837261"),
        ("fr", "Nom : Oberlé\nID : 48213\nNé le : 12/03/1961", "48213"),
        ("fr", "Identifiant : 48213", "48213"),
        ("fr", "Identifiant mutuelle : 48213", "48213"),
    ],
)
def test_a_number_behind_a_word_for_a_person_s_number_is_the_person_s(
    language: str, text: str, number: str
) -> None:
    assert number in numbers("PATIENT_ID", text=text, language=language)
    assert not numbers("EVENT_DATE", "PHONE_NUMBER", text=text, language=language)


@pytest.mark.parametrize(
    ("language", "text", "number"),
    [
        ("en", "NHS no. 9434 7659 19", "9434 7659 19"),
        ("en", "H.C.N. 0044 229 308", "0044 229 308"),
    ],
)
def test_a_national_number_may_be_spaced(language: str, text: str, number: str) -> None:
    assert numbers("NATIONAL_ID", text=text, language=language) == [number]


@pytest.mark.parametrize(
    ("language", "text", "number"),
    [
        ("en", "Agent: What's your member number?\nGuest: RK 5520 118\n", "RK 5520 118"),
        ("en", "Ben: Her ID?\nana_k: HLT 220 071 6. she is 9", "HLT 220 071 6"),
        ("en", "Your MRN please?\n> 0044182", "0044182"),
        ("fr", "Conseil : votre numéro d'adhérent svp ?\n[14:02] Ana : 7730 2214\n", "7730 2214"),
        ("fr", "Votre n° d'assuré, s'il vous plaît\nAna : c'est 773022", "773022"),
        ("de", "Agent: Ihre Versichertennummer bitte?\nGast: P220881734", "P220881734"),
        ("de", "Wie ist Ihre Mitgliedsnummer?\n[09:11] Gast: das ist 2204 118", "2204 118"),
    ],
)
def test_a_number_may_be_asked_for_in_the_line_above(language: str, text: str, number: str) -> None:
    assert numbers("PATIENT_ID", "NATIONAL_ID", text=text, language=language) == [number]


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("en", "Membership from 01/02/2020, membership 45.00, membership 2019-2024"),
        ("en", "the number of patients from 2024-03-12 on; 1200 patients"),
        ("en", "MRN DOB 03/12/1961"),
        ("en", "Meeting ID 884 220 118, event ID 55208812, device ID 4418-22-10"),
        ("en", "[PATIENT_ID] seen 03/12/2024, [PATIENT_ID] 20 mg"),
        ("en", "a record number of 12000 visitors; admission no earlier than 2024-03-12"),
        ("en", "Insurance: Harbour Mutual, policy KX 2204 118; Payer: Orel 03/12/2024"),
        ("en", "Which form?\nGuest: 2204"),
        ("en", "Plan ID: 48213; health plan 2024; health insurance claim 48213 was denied"),
        ("en", "Claim number 48213, claim identification number: 8837261, Ticket ID : 48213"),
        ("en", "SURVEY-2024, MEMBER-2023 and PATIENT/2024; SURVEY 2024, Membership 2024"),
        ("fr", "ID du sinistre : 48213, ID contrat : 48213, ID de transaction : 48213, ID : 12"),
        ("fr", "Séjour du 03/12/2024, adhésion 2019-2024"),
        ("de", "Mitglied seit 03.12.2024, Zimmer 2204"),
    ],
)
def test_a_date_a_count_a_thing_and_a_mask_are_no_person_s_number(language: str, text: str) -> None:
    assert not numbers("PATIENT_ID", text=text, language=language)


def test_a_number_behind_a_french_colon_is_a_number() -> None:
    """French sets a blank before the colon, which may be one that does not break."""
    for lead in ("N° : ", "N°\u00a0: ", "ID\u202f: ", "Numéro : "):
        assert [value for _, value in typed(f"{lead}48213", "fr")] == ["48213"], lead


def test_a_date_may_be_asked_for_beside_a_number() -> None:
    text = "Date of birth and member number?\nGuest: 04/07/1988 and BK6630214"
    assert typed(text) == [("BIRTHDATE", "04/07/1988"), ("PATIENT_ID", "BK6630214")]


@pytest.mark.parametrize(
    "text",
    [
        "Bank: GB11 TEST 0000 7075 3166",
        "BSB 000-318",
        "transit 00318, rest",
        "IBAN  GB82  TEST  OOOO  3746  3856",
    ],
)
def test_parts_of_a_bank_s_number_are_one(text: str) -> None:
    assert [kind for kind, _ in typed(text)] == ["IBAN"]


@pytest.mark.parametrize(
    ("text", "types"),
    [
        ("Date of service: 04/11/2024  DOB: 08/13/1957", "EVENT_DATE BIRTHDATE"),
        ("Vue le 11/04/2024 Née le 13/08/1957", "EVENT_DATE BIRTHDATE"),
        ("Aufnahme 11.04.2024, geboren am 13.08.1957", "EVENT_DATE BIRTHDATE"),
        ("DOB [BIRTHDATE] Visit 04/11/2024", "EVENT_DATE"),
        ("née le [BIRTHDATE_2], vue le 11/04/2024", "EVENT_DATE"),
        ("Seen 04/11/2024, DOB: [BIRTHDATE]", "EVENT_DATE"),
        ("[NAME], born in [LOCATION] on 13 August 1957", "BIRTHDATE"),
        ("née [NAME] le 13/08/1957", "BIRTHDATE"),
        ("13 August 1957 (born), at home", "BIRTHDATE"),
        ("Er wurde am 13.08.1957 geboren und lebte", "BIRTHDATE"),
        ("born  13  August 1957", "BIRTHDATE"),
        ("born\n13 August 1957", "BIRTHDATE"),
    ],
)
def test_a_birth_word_counts_for_one_date_and_a_mask_is_no_birth_word(
    text: str, types: str
) -> None:
    assert [kind for kind, _ in typed(text)] == types.split()


@pytest.mark.parametrize(
    ("lang", "text", "phone"),
    [
        ("fr", "Merci de rappeler la patiente au 06 39 98 12 34.", "06 39 98 12 34"),
        ("en", "Please call the patient on 020 7946 0958.", "020 7946 0958"),
    ],
)
def test_a_small_word_before_a_phone_number_is_no_part_of_a_code(
    lang: str, text: str, phone: str
) -> None:
    found = [(text[f.start : f.end], f.type) for f in find(text, Scope(lang))]
    assert (phone, "PHONE_NUMBER") in found
    assert all(kind != "PATIENT_ID" for _, kind in found)


@pytest.mark.parametrize(
    ("language", "text", "number"),
    [
        ("fr", "carte tiers payant 61/0218/447 au guichet", "61/0218/447"),
    ],
)
def test_a_cards_number_is_no_telephone(language: str, text: str, number: str) -> None:
    assert typed(text, language) == [("PATIENT_ID", number)]
