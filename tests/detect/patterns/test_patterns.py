"""Each rule by its table: what it takes, and the near-misses it leaves.

In a text, «…» marks the spans that are to be found and nothing else is; the type stands before it.
"""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from linkmask.detect.candidates import Scope
from linkmask.detect.patterns import TABLES, find
from marked_spans import COUNTRIES, found

TYPES = {rule.type for table in TABLES for rule in table} | {"BIRTHDATE", "PATIENT_ID"}


def check(entity_type: str, marked: str, language: str = "en") -> None:
    """Assert that exactly the marked spans are found, all of one type."""
    expected, got = found(marked, language, entity_type)
    assert got == expected
    _, everything = found(marked, language)
    assert everything == expected, "other types take something too"


EMAIL = [
    "Contact: «liam.varga@phnxmail.com» notes",
    "(«jlin@hsanalytics.net»).",
    "<«a+b_c%d@sub.domain.co.uk»>",
    "Schreiben Sie an «anna.müller@klinik-nord.de».",
    "«o'brien@example.org», thanks",
    "mail anna.roth@ or @home, 3 @ 4 EUR each",
    "write to «anna.roth [at] example [dot] org» please",
    "reply to '«s.varga@example.org»' or <.«linda@example.com»>",
    'to "«liam. varga@example.org»", then done. «liam@example.org» wrote',
    "«m.roth @ example . org» or «anna@ example.fr»",
    "from «Tessa Rowan/CLAIMS/ACME@ACME» to all",
    "user@localhost and a@b are none",
    "see you @ noon. Then 3 @ 4. Fr, km/h @ A, rate A/B @ C",
]


@pytest.mark.parametrize("marked", EMAIL)
def test_email(marked: str) -> None:
    check("EMAIL", marked)


PHONE = [
    ("Contact: «555-239-8004» for more data.", "en"),
    ("Boston («617-555-0184»). Lab results", "en"),
    ("call «(617) 555-0184» now", "en"),
    ("«+1 617 555 0184» and «1-617-555-0184»", "en"),
    ("launches (contact: «555-201-6789 x415» for referrals)", "en"),
    ("Tel. «020 7946 0958», London", "en"),
    ("ring «+44 20 7946 0958» instead", "en"),
    ("Tél. : «06 12 34 56 78»", "fr"),
    ("au «01.49.22.15.44» ou «+33 6 12 34 56 78»", "fr"),
    ("au «0033612345678» ou «+33 (0)6 12 34 56 78» ou (33) 6", "fr"),
    ("Secrétariat «0735201354» le matin", "fr"),
    ("Telefon: «030 1234567»", "de"),
    ("mobil «0171/1234567» oder «+49 30 5682001»", "de"),
    ("Rufnummer «044 668 18 00»", "de"),
    ("phone: «5550184»", "en"),
    ("au «+33 06 12 34 56 78» ou «(33)0612345678»", "fr"),
    ("«001-204-821-0538x16944» fax, (contact\\,«833.719.3994x1887»)", "en"),
    ("tél. «06 12 34 5678 9» ou fax : «12 345 67»", "fr"),
    # near-misses
    ("called 12 of 30 members; tel. 3 times; phone 12 months later, 4 x 100 x 20", "en"),
    ("the office paid 1,234,567 and 12 345 678 home care visits", "en"),
    ("jours 1 - 2 - 3 et 4 . 5", "fr"),
    ("between 412 and 450 visits, 12-15 of 1,000", "en"),
    ("a total of 1,234,567 claims and 12 000 000 euros", "en"),
    ("with 97110, 97112 and 97530 billed", "en"),
    ("on page 123-456", "en"),
    ("$617.555.0184 or page 617-555-01845", "en"),
    ("un budget de 1 200 000 euros", "fr"),
]


@pytest.mark.parametrize(("marked", "language"), PHONE)
def test_phone(marked: str, language: str) -> None:
    check("PHONE_NUMBER", marked, language)


ADDRESS = [
    ("resides at «2289 Bayview Drive, Seabrook, TX 77586».", "en"),
    ("practice at «450 Westview Drive» is closing", "en"),
    ("resides at «184 Marlborough St #4, Boston» and works", "en"),
    ("through Brightview Care at «675 Magnolia Blvd., Suite 210».", "en"),
    ("«12 N. Main St., Apt 4B, St. Louis, MO 63101»", "en"),
    ("lives at «1889 Oak Ridge Lane, Napa Valley».", "en"),
    ("at «10 Downing Street, London SW1A 2AA».", "en"),
    ("mail to «P.O. Box 1234, Albany, NY 12201»", "en"),
    ("demeurant «12 bis rue de la République, 69003 Lyon».", "fr"),
    ("au «45 rue des Glycines, 75013 Paris»", "fr"),
    ("«255 Rue Pierre Charlot» à Paris", "fr"),
    ("au «3 place du marché», au centre", "fr"),
    ("habite «17 AVENUE GABRIEL PERI, 94400 VITRY» depuis", "fr"),
    ("«Rue de Lausanne 12, 1201 Genève»", "fr"),
    ("wohnt «Musterstraße 12a, 10115 Berlin».", "de"),
    ("in der «Berliner Str. 7» gemeldet", "de"),
    ("«Lindenweg 3, 8001 Zürich»", "de"),
    ("wohnhaft («Am Markt 3, 04109 Leipzig») seit", "de"),
    ("(«Lindenweg 3, 15230 Frankfurt (Oder)»)", "de"),
    ("«Am Markt 3, 04109 Leipzig»", "de"),
    ("Das «Postfach 12 34»", "de"),
    ("au «9 AVENUE DES TILLEULS, STUDIO 25, 38 400 VALMONT-LE-HAUT».", "fr"),
    ("au «3 rue des Laitières à Valmont dans le 38400».", "fr"),
    ("Odile Roth «sept allée des peupliers 38400 Valmont»", "fr"),
    ("Roth«7 rue Haute Tour 38400 Valmont», «12 rue du 11 novembre 1918, 38400 Valmont»", "fr"),
    ("Inc, «Straße des 3. Oktober 13, 10115 Berlin», Telefon", "de"),
    ("«Flat 3, 12 Mill Lane, Ashford» and «RR 2 Box 118, Ashford, OH 44805»", "en"),
    ("«N4521 County Road K\nAshford, WI 53010»\n\nand «12 Harbor Vw Unit 9».", "en"),
    ("lives at «12 Orchard\nStreet, Ashford, OH 44805» since", "en"),
    ("Lena Roth\n«3119 Piazza Bellini 35\n Apt. 329\n Valmont\n Switzerland 91321»\n", "en"),
    ("> «77 ul. Krucza 94\n> Suite 4\n> Poland 35403»\n> bye", "en"),
    ("his address: «504 Harjutie 54», there; she lives at «Hovedgaden 17»", "en"),
    ("«Unit 471 Box 739\nDPO AP 70942»", "en"),
    ("at the corner of «Mill Avenue and 3rd Street»", "en"),
    ("please send a new one to «86 Rua Bela 54 Apt. 12»\n21 253 109 8211 office", "en"),
    ("«c/o Roth, 12 Mill Lane, Ashford, OH 44805»", "en"),
    ("in «Via Verdi 12, 00100 Valmonte», «Calle del Sol 5, 28900 Valmonte»", "en"),
    ("«Lindgatan 4, 111 20 Valstad»; «Molengracht 12, 1015 CJ Valstad» since", "en"),
    ("«3119 Mill Road Suite 12, ASHFORD, Norway 91321» and «9 Mill Lane, Ashford, Ireland».", "en"),
    ("Olga Reimers, wohnh.\n«Alte Rehwiese 12 a\n24937 Flensburg»", "de"),
    ("Torben Klee - «Kirchkamp 5 - 27383 Scheeßel»", "de"),
    ("Klein, «Döbelner Str. 103, 01683 Nossen»\nSt.-Nr. folgt", "de"),
    ("M. Roux, «12 r. de la République, 93200 St-Denis»; «9 sq. Vergennes», au fond", "fr"),
    # near-misses
    ("Haus 5, 20000 Menschen; Kapitel 12, 10115 Personen", "de"),
    ("sent via Verdi 12 times; the Via Verdi 5 study; via Mail 3; her Plaza", "en"),
    ("treated 12 of 30 patients in unit 4; sent to 3 Doctors; located at 12 Sites", "en"),
    ("«12 Mill Lane»\nPatient 48923\n«9 Mill Lane», Claim 12345, in 2021", "en"),
    ("deux rues plus loin, trois places de parking, la voie du 3 mai", "fr"),
    ("turn the corner of the ward and the hall; a box of 12, Box 3", "en"),
    ("On 5 March Dr. Ellen Park saw 12 Senior Dr. Smith", "en"),
    ("took 3 Long Walks and 24 Sessions of Physical Therapy", "en"),
    ("450 patients on the Main Street of medicine", "en"),
    ("une rue calme, la place de l'assuré, en cours", "fr"),
    ("During 12 visits the Doctor 5 times asked", "en"),
    ("auf dem Weg 3 Tage lang", "de"),
]


@pytest.mark.parametrize(("marked", "language"), ADDRESS)
def test_address(marked: str, language: str) -> None:
    expected, got = found(marked, language, "ADDRESS")
    assert got == expected


@pytest.mark.parametrize(
    "marked",
    [
        "im Jahr 2024 Patienten und 1500 Kalorien",
        "aus 1500 Patienten",
    ],
)
def test_a_short_postcode_is_told_by_words_or_its_own_line(marked: str) -> None:
    """Four digits before a capital are a postcode where one is said to live, else a count."""
    expected, got = found(marked, "de", "LOCATION")
    assert got == expected


@pytest.mark.parametrize("number", ["01749 496 0233", "01373 496 0110"])
def test_a_number_in_groups_behind_a_town_is_no_postcode(number: str) -> None:
    text = f"Works: 22 Quarry Hill, Wells. phone {number}"
    spans = find(text, Scope("en"))
    assert [text[one.start : one.end] for one in spans if one.type == "PHONE_NUMBER"] == [number]


def test_a_volume_of_a_journal_is_no_year_of_birth() -> None:
    """ "Jg." counts the years of journals as well as of people."""
    for text in ("Ärzteblatt, Jg. 45, Heft 3", "Zeitschrift Jg. 38 (2003)"):
        assert found(text, "de", "BIRTHDATE")[1] == []


@pytest.mark.parametrize(
    ("text", "date"),
    [
        ("Die Unterlagen kamen im März 2021. und später.", "März 2021"),
        ("Wir trafen uns am 9. Februar. er kam allein.", "9. Februar"),
        ("On 9 February. she left.", "9 February"),
        ("On 9 Feb. 2021 she left.", "9 Feb. 2021"),
        ("Le 9 févr. 2021 elle est partie.", "9 févr. 2021"),
    ],
)
def test_a_point_belongs_to_a_month_that_is_cut_short_alone(text: str, date: str) -> None:
    """Behind a month that is written out, it ends a sentence, whatever follows."""
    assert [text[one.start : one.end] for one in find(text, Scope())] == [date]


def test_a_postcode_behind_a_town_is_a_place() -> None:
    """Without a street too: à Valmont, 38400."""
    expected, got = found(
        "résidant à Valmont, «38400», dans le «38400», 38400 fois.", "fr", "LOCATION"
    )
    assert got == expected


DATES = [
    ("visited on «03/15/2024» for", "en"),
    ("received «10/5/23», filed", "en"),
    ("As of «2023-06-01», and «2024/03/15»", "en"),
    ("at «2023-05-12T10:30:00Z» exactly", "en"),
    ("on «March 15, 2024» and «Mar 15th 2024» and «15 March 2024»", "en"),
    ("effective «April 1st»; by «June 30».", "en"),
    ("anticipated «November 15-30» due", "en"),
    ("on «September 9-10, 2023».", "en"),
    ("during «January-October 2023» and «February–March 2024»", "en"),
    ("between «October-December 2023».", "en"),
    ("issued «October 2023», «Sept. 2022» and «mar 2021»", "en"),
    ("for «Fall 2023» and «spring of 2022»", "en"),
    ("from «2020-2023»; since «2019»; in «2021», (ed. 5)", "en"),
    ("le «15 mars 2024», le «1er avril 2023», dès «juin 2023»", "fr"),
    ("du «3 au 5 mars 2024» ; «31/12/2023» ; en «2021»", "fr"),
    ("le «15 MARS 2024», en «fevrier 2023», l'«été 2022»", "fr"),
    ("am «15. März 2024», ab «1. Juli», im «Juni 2023»", "de"),
    ("am «15.03.2024», seit «2019», im «Frühjahr 2023», am «9. Febr. 2024»", "de"),
    ("on «Monday, March 4, 2024», «Tue 3/5/2024» and «Wed Mar  6 10:00:01 2024»", "en"),
    ("Date: «Mon, 4 Mar 2024»", "en"),
    ("le «lundi 4 mars 2024», puis «mar. 5 mars 2024»", "fr"),
    ("am «Montag, den 4. März 2024» und «Di., 05.03.2024»", "de"),
    ("on Monday, and the sun: «12 March» wind", "en"),
    ("el «lunes 4 de marzo de 2024», «1 de abril»", "es"),
    ("«lunedì 4 marzo 2024» e nel «marzo 2024»", "it"),
    ("op «maandag 4 maart 2024» en «5 mei 2024»", "nl"),
    ("na «segunda-feira, 4 de março de 2024»", "pt"),
    ("on the 4th floor, the 14th, by the 2nd attempt", "en"),
    ("in «02/2024», «2023-11» edition", "en"),
    # near-misses
    ("in 12 of 30 cases, 15/40 patients, 7.5 points, 120/80 mmHg", "en"),
    ("took 2000 mg and paid $2,019 for 2023 units", "en"),
    ("they may 3 times march on", "en"),
    ("Q1 Reason for visit\nQ2: did staff explain", "en"),
    ("version 1.2.3, section 12.4, ratio 3/4", "en"),
    ("13/25/2024 and 2023-13-45 are no dates", "en"),
    ("24/7 care, 1-2-3 rule, Q12 h dosing", "en"),
    ("de 3 à 5 fois", "fr"),
]


@pytest.mark.parametrize(("marked", "language"), DATES)
def test_event_date(marked: str, language: str) -> None:
    expected, got = found(marked, language, "EVENT_DATE BIRTHDATE")
    assert got == expected


BIRTHDATES = [
    ("Frau Keller, Jg. «1931», wohnt allein", "de"),
    ("Patient 48923 (DOB «08/14/1978») presented on 03/15/2024", "en"),
    ("was born on «March 3, 1975» in Springfield", "en"),
    ("born in «1975», treated in 2021", "en"),
    ("date_of_birth: «1975-03-02»", "en"),
    ("Date of birth: «2 May 1960». Seen 3 May 2021.", "en"),
    ("d.o.b. «05/12/1974», admitted 06/01/2023", "en"),
    ("Née le «1er avril 1983» à Lyon, vue le 2 mai 2021", "fr"),
    ("date de naissance : «12/04/1956»", "fr"),
    ("né en «1956»", "fr"),
    ("geb. «15.03.1974», aufgenommen am 01.02.2023", "de"),
    ("Geburtsdatum: «15. März 1974»", "de"),
    ("am «15.03.1974» geboren", "de"),
    ("D0B «O3/l4/1961», seen 03/14/2021", "en"),
    ("fecha de nacimiento: «12 de marzo de 1980», visto el 4 de abril de 2024", "es"),
    ("data di nascita: «12/03/1980»; nata a Bergamo il «12 marzo 1980»", "it"),
    ("geboortedatum: «12 maart 1980», geboren op «12-03-1980»", "nl"),
    ("data de nascimento: «12 de março de 1980», nascido em «12/03/1980»", "pt"),
    ("D.O.B. «0l/12/l949» Pol1cy", "en"),
    ("Ottoline Brandvold, «12/03/1967» (57 y.o.), was seen on 04/05/2024", "en"),
    ("Patiente : F | «22/02/1962» (62 ans) | vue le 03/04/2024 (3 mois)", "fr"),
    ("Adrien Voss, «14.02.1951» (73 Jahre), am 03.02.2024 gesehen (5)", "de"),
]


@pytest.mark.parametrize(("marked", "language"), BIRTHDATES)
def test_birth_date_by_the_words_around(marked: str, language: str) -> None:
    """What stands by a birth word is a birth date; the next date is not."""
    expected, got = found(marked, language, "BIRTHDATE")
    assert got == expected


AGES = [
    ("A «48»-year-old female, «34» year old, aged «48», «48» y/o, «58»yo male", "en"),
    ("adults aged «25-40», ages «16» and", "en"),
    ("employed, 30 yrs, retired; the loan, 25 years, is", "en"),
    ("age «42» with; (age «12»); at the age of «54»; over age «65»", "en"),
    ("«45-60» year-old patients; in the age group «45-60»", "en"),
    ("a «forty-eight»-year-old, aged «fifty two»", "en"),
    ("an «18-month»-old boy and a «6 weeks» old girl", "en"),
    ("just turned «60», when he was «64».", "en"),
    ("âgée de «48» ans, une femme de «62» ans, («68» ans)", "fr"),
    ("patients de «18-35» ans ; enfant âgé de «18 mois»", "fr"),
    ("eine «48»-jährige Patientin, «52» Jahre alt, im Alter von «60» Jahren", "de"),
    ("the is 91 when, she is 91 percent, he was 12 miles away, she was 3.5 and", "en"),
    ("âgée de «soixante-douze» ans ; son épouse a «quatre-vingt-onze» ans", "fr"),
    ("«zweiundneunzig» Jahre alt, die «zweiundneunzig»jährige Frau", "de"),
    # near-misses
    ("in 12% of 18 sessions over 4 weeks, 50 mg, $1,200, 6-month duration", "en"),
    ("over 3 weeks, under 40 mg, patients over 12 weeks", "en"),
    ("included 127 patients from 6 centers", "en"),
    ("the demise of unions in the 60s", "en"),
    ("a 10-year contract, 5 years later, 45 psi", "en"),
    ("average 4.2 days, page 12, turned 3 pages", "en"),
    ("on March 12, 2024, a letter; wards 4, 12, and 16, of which; I am 20 minutes away", "en"),
    ("depuis 3 ans, pendant 10 ans, il y a 5 ans, suivi de 5 ans, 2 ans plus tard", "fr"),
    ("depuis trente ans, she is seventy percent done, who is thirty minutes away", "fr"),
    ("seit 10 Jahren, 5 Jahre später, dreißig Jahre Erfahrung", "de"),
]


@pytest.mark.parametrize(("marked", "language"), AGES)
def test_age(marked: str, language: str) -> None:
    expected, got = found(marked, language, "AGE")
    assert got == expected


# ── properties ──────────────────────────────────────────────────────────────────────────────────

ALPHABET = st.sampled_from("0123456789 -/.#:@()+,abMQ‑–éß°İ\n")
PARTS = st.sampled_from([
    "March", "Patient", "claim", "03/15/2024", "617-555-0184", "H78456", "rue", "Straße", "née",
    "12", "48-year-old", "@", "https://", "aged", "#", "ID", "2023", "TX", "NCT04567823", "Main",
    "St,", "von", "4111111111111111", "İstanbul", "“”", "\r\n",
])  # fmt: skip


@settings(max_examples=150, deadline=None)
@given(st.text(ALPHABET, max_size=60) | st.lists(PARTS, max_size=12).map(" ".join))
def test_spans_are_in_range_disjoint_sorted_and_typed(text: str) -> None:
    """Whatever the text: spans lie in it, share nothing, are sorted, and say why."""
    end = 0
    for one in find(text, Scope("fr", COUNTRIES)):
        assert end <= one.start < one.end <= len(text)
        assert one.type in TYPES
        assert one.detector == "patterns"
        assert one.rule
        assert 0 < one.score <= 1
        end = one.end


@settings(max_examples=60, deadline=None)
@given(st.lists(PARTS, max_size=8).map(" ".join))
def test_what_is_found_does_not_depend_on_far_text(text: str) -> None:
    """A long neutral text before and after changes nothing but the offsets."""
    far = "lorem ipsum dolor sit amet. " * 12 + "\n\n"
    alone = [(f.start, f.end, f.type) for f in find(text + "\n\n", Scope())]
    within = [(f.start, f.end, f.type) for f in find(far + text + "\n\n" + far, Scope())]
    assert [(a - len(far), b - len(far), t) for a, b, t in within] == alone


@pytest.mark.parametrize(
    ("text", "variant"),
    [
        ("Mutation BRCA2 c.5946del confirmée", "BRCA2 c.5946del"),
        ("carries FBN1 c.4082G>A, de novo", "FBN1 c.4082G>A"),
        ("Genetik: CFTR p.Phe508del", "CFTR p.Phe508del"),
        ("MYH7 (NM_000257.4:c.1988G>A) found", "MYH7 (NM_000257.4:c.1988G>A)"),
        ("see p. 508 and c. 12, p.m. Phe", ""),
    ],
)
def test_a_gene_s_variant_is_found_by_the_way_it_is_written(text: str, variant: str) -> None:
    found = find(text, Scope("en", ("us", "fr", "de")))
    assert [text[f.start : f.end] for f in found if f.type == "UNIQUE_FACT"] == [variant][
        : bool(variant)
    ]
