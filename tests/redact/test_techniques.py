"""Each technique on written-out cases, in English, French and German forms.

A row: the value as it stands in a text, its normalized form, the language, what is written.
None: the technique can't tell, and `[TYPE]` is written instead.
"""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from linkmask.redact.techniques import TECHNIQUES
from linkmask.redact.techniques.dates import may_name_day
from linkmask.redact.techniques.facts import class_

CASES = {
    "generalization:month": [
        ("March 12, 2024", "2024-03-12", "en", "March 2024"),
        ("12 mars 2024", "2024-03-12", "fr", "mars 2024"),
        ("12. März 2024", "2024-03-12", "de", "März 2024"),
        ("03.06.2024", "2024-06-03", "de", "2024-06"),
        ("12 mars 2024", "2024-03-12", "en", "mars 2024"),
        ("12 fevrier 2024", "2024-02-12", "de", "février 2024"),
        ("14 feb", "--02-14", "en", "February"),
        ("12/03", "--03-12", "en", "March"),
        ("12/03", "--03-12", "pt", "março"),
        ("Q4 2023", "2023-Q4", "en", "Q4 2023"),
        ("15 to 30 Nov 2023", "2023-11-15/2023-11-30", "en", "November 2023"),
        ("28 Jan - 3 Feb 2024", "2024-01-28/2024-02-03", "en", "January 2024–February 2024"),
        ("spring 2021", "2021-spring", "en", "2021"),
        ("last week", "last week", "en", None),
    ],
    "generalization:quarter": [
        ("March 12, 2024", "2024-03-12", "en", "Q1 2024"),
        ("12 octobre 2024", "2024-10-12", "fr", "T4 2024"),
        ("30.06.2024", "2024-06-30", "de", "Q2 2024"),
        ("2024", "2024", "en", "2024"),
        ("12 May", "--05-12", "en", None),
    ],
    "generalization:year": [
        ("03/12/1971", "1971-03-12", "en", "1971"),
        ("né en mars 1971", "1971-03", "fr", "1971"),
        ("12.03.1971", "1971-03-12", "de", "1971"),
        ("Dec 2023 to Jan 2024", "2023-12/2024-01", "en", "2023–2024"),
        ("4 July 1931", "1931-07-04", "en", None),
        ("12 May", "--05-12", "en", None),
    ],
    "generalization:band": [
        ("47", "47", "en", "40–49"),
        ("47-year-old", "47", "en", "40–49-year-old"),
        ("47 ans", "47", "fr", "40–49 ans"),
        ("93 Jahre", "93", "de", "90+ Jahre"),
        ("forty-seven", "47", "en", "40–49"),
        ("7 months", "7 months", "en", "0–9"),
        ("in his 40s", "in his 40s", "en", None),
    ],
    "generalization:under90": [
        ("89-year-old", "89", "en", "89-year-old"),
        ("90 ans", "90", "fr", "90+ ans"),
        ("einundneunzig", "91", "de", "90+"),
        ("elderly", "elderly", "en", None),
    ],
    "generalization:common": [
        ("Chronic back pain", "", "en", "Chronic back pain"),
        ("heart disease", "", "en", "heart disease"),
        ("neurological symptoms", "", "en", None),
        ("symptoms", "", "en", "symptoms"),
        ("pulmonary hypertension", "", "en", None),
        ("heart attack", "", "en", None),
        ("persistent depressive disorder", "", "en", None),
        ("hypertension artérielle modérée", "", "fr", "hypertension artérielle modérée"),
        ("sclérose en plaques", "", "fr", None),
        ("Typ-2-Diabetes", "", "de", "Typ-2-Diabetes"),
        ("Morbus Crohn", "", "de", None),
        ("diabete mellito", "", "it", "diabete mellito"),
        ("hoge bloeddruk", "", "nl", "hoge bloeddruk"),
        ("esclerosis múltiple", "", "es", None),
        ("", "", "en", ""),
    ],
    "generalization:town": [
        ("14 Elm Street, Apt 3, Denver, CO 80203", "", "en", "Denver, Colorado"),
        ("22 Baker Street, London NW1 6XE", "", "en", "London"),
        ("12 rue des Lilas, 69003 Lyon", "", "fr", "Lyon"),
        ("Hauptstraße 5, 10115 Berlin", "", "de", "Berlin"),
        ("Bahnhofstrasse 1, CH-8001 Zürich", "", "de", "Zürich"),
        ("12345 Main Street, Denver, CO 80203", "", "en", "Denver, Colorado"),
        ("1600 Oak Ave NW, Washington, DC 20500", "", "en", "Washington, District of Columbia"),
        ("4410 Quill Road, Suite 3", "", "en", None),
        ("4410 Camino Alto", "", "en", None),
        ("Elm House, Elm Street, CO 80203", "", "en", None),
        ("Church Lane NW1 6XE", "", "en", None),
        ("1234 rue des Lilas", "", "fr", None),
        ("59000 Lille", "", "fr", "Lille"),
        ("14 Elm Street", "", "en", None),
        ("PO Box 12, CO 80203", "", "en", None),
    ],
    "generalization:region": [
        ("14 Elm Street, Denver, CO 80203", "", "en", "Colorado"),
        ("Denver, Colorado", "", "en", "Colorado"),
        ("Colorado", "", "en", "Colorado"),
        ("12 rue des Lilas, 69003 Lyon", "", "fr", "Rhône"),
        ("97400 Saint-Denis", "", "fr", "La Réunion"),
        ("Hauptstraße 5, 10115 Berlin", "", "de", None),
        ("Denver", "", "en", None),
    ],
    "generalization:area": [
        ("80203", "", "en", "802**"),
        ("Denver, CO 80203", "", "en", "Colorado"),
        ("Springfield", "", "en", None),
    ],
    "generalization:kind": [
        ("Alpine Pain Clinic", "alpine pain clinic", "en", "clinic"),
        ("Ridgeview Medical Center", "ridgeview medical center", "en", "medical center"),
        ("Clinique des Tilleuls", "clinique des tilleuls", "fr", "clinique"),
        ("Clínica del Hospital Vell", "clínica del hospital vell", "es", "clínica"),
        ("Kantonsspital Quellental", "kantonsspital quellental", "de", "Kantonsspital"),
        ("Denver, CO", "denver, co", "en", "Colorado"),
        ("Denver", "denver", "en", None),
        ("Dr. Ottoline Brandvold", "ottoline brandvold", "en", None),
    ],
    "generalization:specialty": [
        ("Alpine Pain Clinic", "", "en", "pain clinic"),
        ("Lakeside Oncology", "", "en", "oncology"),
        ("Harbor Behavioral Health", "", "en", "behavioral health"),
        ("Ridgeview Medical Center", "", "en", "medical center"),
        ("Cabinet dentaire des Tilleuls", "", "fr", "cabinet dentaire"),
        ("Rehaklinik Quellental", "", "de", "Rehaklinik"),
        ("Denver, CO", "", "en", "Colorado"),
        ("Harborline Mutual", "", "en", None),
        ("Dr. Ottoline Brandvold", "", "en", None),
    ],
    "generalization:class": [
        ("severe asthma", "severe asthma", "en", "respiratory condition"),
        ("Dépression", "depression", "fr", "trouble psychique"),
        ("Hauterkrankung mit Ekzem", "", "de", "Hauterkrankung"),
        ("appendectomy", "appendectomy", "en", "surgical procedure"),
        ("thrombocytopenia", "", "en", "health condition"),
        ("lupus", "lupus", "en", None),
    ],
    "generalization:range": [
        ("$1,234.50", "", "en", "$1,000–2,000"),
        ("1 234,50 €", "", "fr", "1 000–2 000 €"),
        ("1.234,50 EUR", "", "de", "1.000–2.000 EUR"),
        ("CHF 1'234.50", "", "de", "CHF 1.000–2.000"),
        ("1.234,50 €", "", "es", "1.000–2.000 €"),
        ("$0.40", "", "en", "$0–1"),
        ("between $5 and $9", "", "en", None),
    ],
    "truncation:last4": [
        ("4242 4242 4242 4242", "", "en", "****4242"),
        ("DE89 3704 0044 0532 0130 00", "", "de", "****3000"),
        ("FR76-3000-6000-0112-3456-7890-189", "", "fr", "****0189"),
        ("12345678", "", "en", None),
    ],
    "truncation:zip3": [
        ("02139", "", "en", "021**"),
        ("02139-4307", "", "en", "021**"),
        ("03601", "", "en", "000**"),
        ("69003 Lyon", "", "fr", None),
    ],
    "masking": [
        ("jane.doe@clinic.example", "", "en", "j***@clinic.example"),
        ("é.martin@mutuelle.example", "", "fr", "é***@mutuelle.example"),
        ("jane@doe-jane.example", "", "en", None),
        ("not a mailbox", "", "de", None),
    ],
}


def test_every_technique_has_cases() -> None:
    """No technique is without a table, and no table without a technique."""
    assert CASES.keys() == TECHNIQUES.keys()


@pytest.mark.parametrize(
    ("technique", "original", "value", "language", "written"),
    [(technique, *row) for technique, rows in CASES.items() for row in rows],
)
def test_a_technique_writes(
    technique: str, original: str, value: str, language: str, written: str | None
) -> None:
    """What a technique writes is what its table says."""
    assert TECHNIQUES[technique](original, value, language) == written


@pytest.mark.parametrize("said", ["lung cancer stage IV", "Lungenkrebs", "cancer du poumon"])
def test_a_cancer_is_one_whatever_organ_it_is_of(said: str) -> None:
    assert class_(said, said, "en") == "cell growth disorder"


@pytest.mark.parametrize("said", ["pulmonary embolism", "heartfelt"])
def test_a_word_that_begins_like_one_of_another_class_has_the_widest(said: str) -> None:
    assert class_(said, said, "en") == "health condition"


SHAPES = st.one_of(
    st.text(max_size=20),
    st.from_regex(r"\A~?(\d{1,4}|-)(-\d\d?(-\d\d?)?|-Q\d|-[a-z]+)?(/\d{4}-\d\d-\d\d)?\Z"),
    st.from_regex(r"\A[<>~]?\d{1,6}([.,]\d+)?( ?[-/] ?\d{1,4})?( ?[A-Za-z%€]{1,4})?\Z"),
)


@given(st.sampled_from(sorted(TECHNIQUES)), SHAPES, SHAPES, st.sampled_from("en fr de sv".split()))
def test_no_technique_fails_whatever_the_value(
    technique: str, original: str, value: str, language: str
) -> None:
    """A month of 22 is none: "0317-22" is no date, though the tagger may take it for one."""
    written = TECHNIQUES[technique](original, value, language)
    assert written is None or isinstance(written, str)


@pytest.mark.parametrize(
    ("value", "exact"),
    [
        ("1923-09-19", True),  # a year that tells an age of 90 or more is not written
        ("1933-05-04/1962", True),
        ("23022018", True),
        ("10 / 03 | 2020", True),
        ("0317-22", True),
        ("1923-09", False),
        ("1906/1964", False),
        ("1944-71", False),
        ("between 1193 and 1198", False),
        ("last week", False),
        ("07 2002", False),
        ("1 | 3 | 2020", True),
        ("mid-1990s", False),
        ("1990er", False),
        ("q3 fy2023", False),
        ("10:30", False),
        ("14 to 21 days", False),
    ],
)
def test_a_date_that_cannot_be_written_coarser_may_name_a_day(value: str, exact: bool) -> None:
    assert may_name_day(value) is exact
