"""Labels of forms: what they name is found, and only where it looks like it."""

from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from linkmask.detect.candidates import Scope
from linkmask.detect.structured import messages
from linkmask.detect.structured.fields import find, type_of


def hits(text):
    return [(one.type, text[one.start : one.end]) for one in find(text, Scope())]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Home address: 9 Mill Lane, Whitby", [("ADDRESS", "9 Mill Lane, Whitby")]),
        ("| Member no. | AB 4711 |\n| Plan | Gold |", [("PATIENT_ID", "AB 4711")]),
        ("DOB: 3 May 1980   Patient name: ada de LUNE", [
            ("BIRTHDATE", "3 May 1980"), ("NAME", "ada de LUNE")]),
        ("x\n  - Nom : LUNE Ada\r\n", [("NAME", "LUNE Ada")]),
        ("Versichertennummer: A123456780; gültig", [("PATIENT_ID", "A123456780")]),
        ("SSN\t: 078 05 1120", [("NATIONAL_ID", "078 05 1120")]),
        ("Last name ......... LUNE\nDate of birth ..... 9 Nov 1966", [
            ("NAME", "LUNE"), ("BIRTHDATE", "9 Nov 1966")]),
        ("Nachname ____Lune____ Vorname ____ Ada ____", [("NAME", "Lune"), ("NAME", "Ada")]),
        ("Member no.: ………… AB 4711", [("PATIENT_ID", "AB 4711")]),
        ("(0010,0010) PN [Lune^Ada]     #   8, 1 PatientName", [("NAME", "Lune"), ("NAME", "Ada")]),
        ("(0010,0030) DA [19610503]  #   8, 1 PatientBirthDate", [("BIRTHDATE", "19610503")]),
        ('<birthTime value="19610503"/>', [("BIRTHDATE", "19610503")]),
        ("Patient: Zelka Threlkeld\nCust: Ada Lune", [
            ("NAME", "Zelka Threlkeld"), ("NAME", "Ada Lune")]),
        ("nome: jose ribamar da conceicao neto", [("NAME", "jose ribamar da conceicao neto")]),
        ("Patient name: Ada Lune seen today", [("NAME", "Ada Lune")]),
        ("Patient name: Ada Lune, called.", [("NAME", "Ada Lune")]),
        ("Patient name: Nomvula thandi mthembu", [("NAME", "Nomvula thandi mthembu")]),
    ],
)  # fmt: skip
def test_a_labelled_value_is_taken_whole(text, expected):
    assert hits(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "Patient name: see page 3",
        "Member no: pending",
        "Address: as above",
        "The home address: 9 Mill Lane",
        "Diagnosis: asthma",
        "Phone: none",
        "Name: Ada",
        "Names ............ 12",
        "Last name ........ see page 3",
        "Mr. Roth ... he said",
        "(0008,0070) LO [Siemens]  #   8, 1 Manufacturer",
        '<effectiveTime value="19610503"/>',
        "Patient: Great news",
        "Patient: great news for today",
        "Patient: Ottoline Brandvold. Mrs. Brandvold came.",
    ],
)
def test_near_misses_are_left(text):
    assert hits(text) == []


def test_labels_are_read_as_words_whatever_their_case_and_marks():
    assert [type_of(label) for label in ("Date of Birth", "E-Mail", "PATIENT_ID:", "colour")] == [
        "BIRTHDATE",
        "EMAIL",
        "PATIENT_ID",
        "",
    ]


def test_a_label_in_two_languages_names_what_either_side_names():
    assert type_of("Geburtsdatum / Date de naissance") == "BIRTHDATE"
    assert type_of("Colour/E-mail") == "EMAIL"
    assert type_of("and/or") == ""
    assert type_of("Geb.") == "BIRTHDATE"


LABELS = ("Name", "Patient name", "Nom", "DOB", "Member no.", "E-mail", "Home address", "Plan", "a")
BETWEEN = (": ", ":", " : ", "\t: ", " | ", "\n")
VALUES = (
    "Ada Lune", "LUNE Ada", "Ada", "3 May 1980", "AB 4711", "078 05 1120", "9 Mill Lane, Whitby",
    "ada@mill.example", "none", "", "İ ß",
)  # fmt: skip
AFTER = ("\n", "\r\n", "  ", " |\n", "; ", "\n\n")
LINES = st.tuples(*map(st.sampled_from, (LABELS, BETWEEN, VALUES, AFTER))).map("".join)
ANY_LINES = st.lists(LINES | st.text("aN:| \t\n.9-", max_size=8), max_size=6).map("".join)


def test_spans_lie_in_the_text_and_are_equal_or_disjoint():
    """Whatever labels, values and ends of lines follow one another; many of the texts hold some."""
    reached = 0

    @settings(max_examples=200, deadline=None)
    @given(ANY_LINES, ANY_LINES)
    def check(before, after):
        nonlocal reached
        text = f"{before}\nMember no: 4711882\n{after}"
        spans = sorted({(one.start, one.end) for one in find(text, Scope())})
        for start, end in spans:
            assert 0 <= start < end <= len(text)
            assert text[start:end] == text[start:end].strip()
        assert all(end <= start for (_, end), (start, _) in pairwise(spans))
        reached += bool(spans)

    check()
    assert reached >= 100


def test_long_hostile_lines_are_read_to_their_end():
    """A value behind half a million characters of blanks, bars or colons is found."""
    for text in ("a " * 200_000, "|" * 200_000, "a:" * 200_000, "  " * 200_000):
        text += "\nMember no: 4711882\n"
        assert [text[one.start : one.end] for one in find(text, Scope())] == ["4711882"]
    assert list(find("Name:" + "x" * 10**6, Scope())) == []


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            '{"name": [{"family": "van der Morvel", "given": ["Zoan", "Ada"]}]}',
            [("NAME", "van der Morvel"), ("NAME", "Zoan"), ("NAME", "Ada")],
        ),
        ('{"address": [{"line": ["9 Mill Lane", "Nether"], "city": "Whitby"}]}', [
            ("LOCATION", "Whitby"), ("ADDRESS", "9 Mill Lane"), ("ADDRESS", "Nether")]),
        ('{"preferredName": "Zo", "nom_usage": "Petit"}', [("NAME", "Zo"), ("NAME", "Petit")]),
        ('{"family": "Commercial plan"}', []),
        ('{"given": ["None"], "family": "unknown"}', []),
    ],
)  # fmt: skip
def test_keys_of_json_may_hold_lists_and_count_beside_their_like(text, expected):
    assert sorted(hits(text)) == sorted(expected)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("First name\nZoan\nLast name *\nMorvel\nDate of birth (MM/DD/YYYY)\n03/04/1981\n",
         [("NAME", "Zoan"), ("NAME", "Morvel"), ("BIRTHDATE", "03/04/1981")]),
        ("Nom\nMorvel\nPrénom\nZoan\nVille\nSète\n",
         [("NAME", "Morvel"), ("NAME", "Zoan"), ("LOCATION", "Sète")]),
        ("Nachname\nMorvel\nVorname\nZoan\nOrt\nBremen\n",
         [("NAME", "Morvel"), ("NAME", "Zoan"), ("LOCATION", "Bremen")]),
        ("First name\nLast name\nCity\nState\nZip\nPhone\n", []),  # an empty form
        ("The name\nof the member\nis said\nby her\nor by him\nwho calls\n", []),
    ],
)  # fmt: skip
def test_values_of_a_form_may_stand_below_their_labels(text, expected):
    assert hits(text) == expected


X12 = (
    "REF*0F*ZX44102~NM1*IL*1*MORVEL*ZOAN*T***MI*ZX44102~N3*12 KLOOF RD~N4*KNYSNA*WC*6570~"
    "DMG*D8*19880211*F~NM1*PR*2*BLUE CROSS*****PI*00510~NM1*82*1*HARGREAVE*LINUS****XX*1447711882~"
    "PER*IC*ADA LUNE*TE*5135550199~CLM*88-4410*120"
)


def test_elements_of_x12_have_numbers_instead_of_names():
    assert hits(X12) == [
        ("PATIENT_ID", "ZX44102"), ("NAME", "MORVEL*ZOAN*T"), ("PATIENT_ID", "ZX44102"),
        ("ADDRESS", "12 KLOOF RD"), ("ADDRESS", "KNYSNA*WC*6570"), ("BIRTHDATE", "19880211"),
        ("PROVIDER", "HARGREAVE*LINUS"), ("NON_PERSONAL_ID", "1447711882"),
        ("NAME", "ADA LUNE"), ("PHONE_NUMBER", "5135550199"), ("NON_PERSONAL_ID", "88-4410"),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("last=Morvel; first=Zoan; dob=1988-02-11", [
            ("NAME", "Morvel"), ("NAME", "Zoan"), ("BIRTHDATE", "1988-02-11")]),
        ("nom=Morvel&prenom=Zoan&ville=Brest", [
            ("NAME", "Morvel"), ("NAME", "Zoan"), ("LOCATION", "Brest")]),
        ("nachname=Morvel, vorname=Zoan", [("NAME", "Morvel"), ("NAME", "Zoan")]),
        ("p = 0.05, n=12; first=1", []),
        ('Person(first="Dune", last="Rain", dob=date(1961, 5, 3))', [
            ("BIRTHDATE", "1961, 5, 3"), ("NAME", "Dune"), ("NAME", "Rain")]),
        ("{ firstName: 'Dune', lastName: 'Rain' }", [("NAME", "Dune"), ("NAME", "Rain")]),
        ('{ Name = "Dune", Phone = "0161 4960" }', [
            ("NAME", "Dune"), ("PHONE_NUMBER", "0161 4960")]),
        ("['nom' => 'Dune', 'prenom' => 'Rain']", [("NAME", "Dune"), ("NAME", "Rain")]),
        ("- {name: Dune, born: 1979-01-30}", [("NAME", "Dune"), ("BIRTHDATE", "1979-01-30")]),
        ("{name: web, port: http}, {name: 'db'}, Font(name='Rain', made=date(2020, 1, 2))", []),
        ("{'first_name': 'Zoan', 'member_id': 'ZX44102'}", [
            ("NAME", "Zoan"), ("PATIENT_ID", "ZX44102")]),
        ('<name><family value="Morvel"/><given value="Zoan"/></name>', [
            ("NAME", "Morvel"), ("NAME", "Zoan")]),
        ('{"name": "Suharto", "mrn": "88120"}', [("PATIENT_ID", "88120"), ("NAME", "Suharto")]),
        ('{"name": "Humira", "dose": "40 mg"}', []),
    ],
)  # fmt: skip
def test_keys_may_be_written_as_programs_do(text, expected):
    assert sorted(hits(text)) == sorted(expected)


def test_two_labels_of_parts_of_a_name_are_believed_with_one_word_each():
    text = "attributes: first name: Euphemia\nlast name: Kowalczyk"
    found = [(text[one.start : one.end], one.type) for one in find(text, Scope())]
    assert found == [("Euphemia", "NAME"), ("Kowalczyk", "NAME")]


@pytest.mark.parametrize(
    "text", ["first name: required\nlast name: required", "Patient name: Discharged\nWard: 4"]
)
def test_a_label_alone_or_a_placeholder_does_not_make_one_word_a_name(text):
    assert not list(find(text, Scope()))


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("?21Miete?30COBADEFF?32Regen, Dune?33geb. Nebel\n", ["Regen, Dune", "geb. Nebel"]),
        ("?20SVWZ+Abschlag?32Stadtwerke Erfurt?34992", []),
        ("/BIC/ABNANL2A/NAME/D REGEN/REMI/HUUR", ["D REGEN"]),
        ("/NAME/NORDLICHT VERZEKERING NV/REMI/PREMIE", []),
        ("EREF+NOTPROVIDED ABWA+Dune Regen SVWZ+Geschenk", ["Dune Regen"]),
        ("IBAN: NL02 BIC: ABNANL2A Naam: D. Regen Omschrijving: x", ["D. Regen"]),
        ("dup claim for member 'Dune Regen', by user 'dregen'", ["Dune Regen", "dregen"]),
        ("patient 'fell', the name 'Blue Kettle', the client 'Firefox', type 'user'", []),
    ],
    ids=["MT940", "a firm", "SWIFT", "a firm 2", "SEPA", "in a line", "quoted", "no names"],
)
def test_banks_and_logs_say_whose_name_it_is(text: str, names: list[str]) -> None:
    assert [value for kind, value in hits(text) if kind == "NAME"] == names


EDIFACT = (
    "UNB+UNOC:3+A+B+260302:1000+1'UNH+1+MEDREQ:D:01B:UN'"
    "NAD+PAT+88214471++QUENNELL:DRUSILLA+14 LARCH ROAD+FROME++BA11 3QX+GB'DTM+329:19690314:102'"
    "PNA+DOC+::9++++SU:O?'DWYER+FS:UNA'CTA+IC+:Basil Thorne'COM+01632960118:TE+b?+t@posteo.net:EM'"
    "DTM+137:20260302:102'NAD+SU+4006++Larch Ltd'"
)


def test_places_in_a_segment_of_edifact_tell_what_stands_there() -> None:
    found = {EDIFACT[one.start : one.end]: one.type for one in messages.edifact(EDIFACT)}
    assert found == {
        "QUENNELL": "NAME",
        "DRUSILLA": "NAME",
        "88214471": "PATIENT_ID",
        "14 LARCH ROAD+FROME++BA11 3QX": "ADDRESS",
        "19690314": "BIRTHDATE",
        "O?'DWYER": "NAME",
        "UNA": "NAME",
        "Basil Thorne": "NAME",
        "01632960118": "PHONE_NUMBER",
        "b?+t@posteo.net": "EMAIL",
    }
