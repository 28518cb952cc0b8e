"""Ids of persons and things by table: what each rule takes, and the near-misses it leaves."""

import pytest

from linkmask.detect.candidates import Scope
from linkmask.detect.patterns import find
from marked_spans import found

PATIENT_IDS = [
    "Patient «RV-8427» was seen",
    "Patient Arlo Finch (ID «H78456») visited",
    "Patient ID «#KF2390JL» completed",
    "patient ID#«4582-9173», a man",
    "A claims review for patient «#783492» revealed",
    "Participant «PA-4892-LK» showed",
    "MRN: «00123456»; member_id: «W9R04J»",
    "Notable case: «PT-0098» required",
    "claim denied for «JK-7743-22»'s biologic",
    "for Liam Varga (ID «78245-D») at",
    "n° patient «8745621»",
    "IPP : «2457230678»",
    "Patientennummer «4711-88»",
    "Versichertennr. «A-4711»",
    "Patient 2 : Roth L. | F | 01/04/83 | «2549384958» | «59884865»",
    "ROTH LENA | F | 30-12-1974 (49 ans) | «9010572683»\t«10294875403»",
    "Lena Roth 10/07/1980, «4019341801»\ndossier de Paul Roth, «2029342803», né le 02/12/1970",
    "ayant comme IP «9849332821», NDA : «1298947650»",
    "| Q1 | 12/04/2023 | 450 | 0612345678 |; on 03/04/2021, 120000 of 34567890.5",
]


@pytest.mark.parametrize("marked", PATIENT_IDS)
def test_patient_id(marked: str) -> None:
    expected, got = found(marked, "en", "PATIENT_ID")
    assert got == expected


THING_IDS = [
    "Claim «#48922-LK» for nerve stimulation",
    "policy «#CT-9821-RV» and plan «TWC-45Q8»",
    "(«PRE-2024-771») was filed",
    "Research study «NCT04567823» at the university",
    "authorization code «GRT4471P»",
    "Policy «RX-45B» in Q2",
    "invoice no. «20231145»",
    "application (no. «47116/99») against",
    "Claims memo «234-8876» details on FORM 12-B",
    "«48824-CC» was approved",
    "dossier n° «2023-4417»",
    "Re: member appeal. Second request, «CLM-24-118306»",
    "Schadennummer «88-2231»",
    "Aktenzeichen: «12-4455»",
    "policy «WDM/7741/PX», Policy «XX-99X», then «POL-2023-5512»",
    "member «CLM-24-118306» and patient «CLAIM-2231»",
    "the seat of his wheelchair, part no. «88-2041-7», is on page 10384",
    "Bestellnummer «88-41207», Artikelnr. «4711-0815»",
    "numéro de pièce «4471-22», número de artículo «5518-02»",
    "parts of article 1204 and item 3302",
    "user names, the handle of it, @ noon, login at 9, AND/OR 5, HIV/AIDS 3",
]


@pytest.mark.parametrize("marked", THING_IDS)
def test_non_personal_id(marked: str) -> None:
    expected, got = found(marked, "en", "NON_PERSONAL_ID")
    assert got == expected


def test_the_nearest_word_decides() -> None:
    """Two ids in a sentence: each is what the word next to it says."""
    text = "Claim #KU7821 for patient W9R04J was denied; policy 774-32GY of member TQ-2189."
    kinds = {text[f.start : f.end]: f.type for f in find(text, Scope())}
    assert kinds == {
        "#KU7821": "NON_PERSONAL_ID",
        "W9R04J": "PATIENT_ID",
        "774-32GY": "NON_PERSONAL_ID",
        "TQ-2189": "PATIENT_ID",
    }


@pytest.mark.parametrize("marked", [
    "Mr Patel, hosp no 00771823; Mr Shah, «00771899»; both in bay 2",
    "Frau Klee, Mieternr. «1180-14-02», zog aus",
    "sa voisine Mme Petit, «55-0417-118»",
])  # fmt: skip
def test_a_long_number_that_nothing_explains_is_an_id(marked: str) -> None:
    expected, got = found(marked, "en", "NON_PERSONAL_ID")
    assert got == expected


NO_IDS = [
    "COVID-19, HbA1c, B12, IL-6, L4-L5 fusion, TP53, BRCA1/BRCA2, CD22+, PHQ-9, SARS-CoV-2",
    "ICD-10 code E11.9, CPT code 99213, treatment codes 97110 and 97112, HCPCS J1305",
    "12% of 450 claims, 18 sessions, $1,200, 50 mg, 5-FU, 100 x 109/L, 2nd, 10mg, 3D, 25mi",
    "The policy 2023 covers 450 cases; study 3; case 12; patients 450; in room 2010",
    "a 12-week program, 1-on-1, 80/20, 4/5 rating, 24/7",
    "2 345 678 people, 1234567 inhabitants, 250000 steps, 150/100, 10.0.19045, CHF 123456",
    "pages 118-204, 2019-2020, 20240315, 0800-1630, ISBN 978-3-16-148410-0, (EU) 2016/679",
]


@pytest.mark.parametrize("text", NO_IDS)
def test_no_id(text: str) -> None:
    """Codes of catalogues, genes, doses, counts and ranges are nobody's number."""
    hits = find(text, Scope())
    assert [text[f.start : f.end] for f in hits if f.type.endswith("_ID")] == []


CODES = [
    ("MEDICAL_CONDITION", "fibrosis («J84.01»), ICD-10: «E11.9», «I10» and «J45»; code «M54.5»"),
    ("MEDICAL_CONDITION", "[«C34.1», «Z51.11»] CIM-10 «F32.1»"),
    ("MEDICAL_CONDITION", "vitamin B12, B12 shots (B12), L4 root, section A10.2, T2 in room C12"),
    ("TREATMENT", "service code «99213», «97110» and «J1305»; CPT «97112-59», HCPCS «G0283»"),
    ("TREATMENT", "for 45000 dollars, zip code 97112, 12345 procedures, code of conduct 99213"),
]


@pytest.mark.parametrize(("entity_type", "marked"), CODES)
def test_a_code_of_a_catalogue_is_what_it_stands_for(entity_type: str, marked: str) -> None:
    expected, got = found(marked, "en", entity_type)
    assert got == expected


NATIONAL = [
    ("SSN: «125-17-4954»", "en"),
    ("social security number is «078 05 1120»", "en"),
    ("NIR «2 95 10 99 126 111 93»", "fr"),
    ("sécurité sociale «295109912611193»", "fr"),
    ("Steuer-ID: «36 574 261 809»", "de"),
    ("NI number «AB 12 34 56 C»", "en"),
    ("NHS number «943 476 5919»", "en"),
    ("AHV «756.9217.0769.85»", "de"),
    ("passport no. «X4512234»", "en"),
    ("driver's license number is «F162823540116»", "en"),
    ("license «CA-DL-4412345»", "en"),
    ("permis de conduire n° «881012300456»", "fr"),
    ("Sozialversicherungsnummer «65170839J003»", "de"),
    ("SSN «078-\n05-1120»", "en"),
    ("Numéro de sécurité sociale «173 2857 4932».", "fr"),
    ("Assurée : Odile Marchand N° «402 654 803 958 12», son NSS est le «177084235608507»", "fr"),
    ("NIR «2 95 10 99126 111» 09-07-1987 et «2 95 10 99126 111» 09/07/87", "fr"),
    ("assuré 06 12 34 56 78, échelle 0 1 2 3 4 5 6 7 8, sécu depuis 2019, 12 mois", "fr"),
    # near-misses
    ("the areas 000-12-3456 and 666-12-3456 were never issued", "en"),
    ("123-45-67890 and 1234-56-789", "en"),
]


@pytest.mark.parametrize(("marked", "language"), NATIONAL)
def test_national_id(marked: str, language: str) -> None:
    expected, got = found(marked, language, "NATIONAL_ID")
    assert got == expected


ACCOUNTS = [
    ("IBAN", "My IBAN is «GB29 NWBK 6016 1331 9268 19» now"),
    ("IBAN", "auf «DE89370400440532013000» überweisen"),
    ("CREDIT_CARD", "card number «4111 1111 1111 1111», exp"),
    ("CREDIT_CARD", "paid with «378282246310005»"),
    ("CREDIT_CARD", "mastercard «5555-5555-5555-4444»"),
    (
        "IBAN",
        "GB28NWBK60161331926819 fails its checksum, QQ28 NWBK 6016 1331 9268 19 is no country's",
    ),
    ("IBAN", "«GB28 NWBK 6016 1331 9268 19» in fours has been mistyped"),
    ("CREDIT_CARD", "the number 4111 1111 1111 1112 fails Luhn"),
    ("IP_ADDRESS", "from «192.168.0.12» and «2001:db8::ff00:42:8329»"),
    ("NON_PERSONAL_ID", "device «00:1B:44:11:3A:B7»"),
    ("IP_ADDRESS", "version 10.2.3.4, 1.2.3, 999.1.1.1, 12:30:45, C::B"),
    ("URL", "see «https://www.example.org/a?b=c#d». Also «www.aphp.fr», «alpinepain.co.uk/x»"),
    ("URL", "e.g. this, i.e. that, Dr.Voss, end.Start of U.S. law"),
]


@pytest.mark.parametrize(("entity_type", "marked"), ACCOUNTS)
def test_accounts_and_addresses_of_machines(entity_type: str, marked: str) -> None:
    expected, got = found(marked, "en", entity_type)
    assert got == expected
