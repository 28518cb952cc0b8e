"""Forms in which people and their systems write values: each rule's takes and near-misses.

In a text, «…» marks the spans that are to be found as the type and nothing else is.
"""

import re

import pytest

from linkmask.detect.candidates import Scope
from linkmask.detect.structured import fields, tables
from marked_spans import COUNTRIES, MORE, check


def labelled(text: str, finder=fields) -> list[tuple[str, str]]:
    """Return values and types that a finder sees in a text."""
    return [(text[f.start : f.end], f.type) for f in finder.find(text, Scope("en", COUNTRIES))]


@pytest.mark.parametrize(
    ("marked", "language"),
    [
        ("born on the «third of May nineteen sixty-one», then", "en"),
        ("DOB «twelfth of august nineteen seventy-four»; born «May the third, 1961»", "en"),
        ("date of birth?\n[10:03] customer: «5 march 88» and", "en"),
        ("DOB «19610503», DOB «05 / 03 / 1961», DOB «O5 / O3 / 1961»", "en"),
        ("dob so I can look up?\n[04/11/2024, 19:05] Tariq: it is «19/8/97»\n", "en"),
        ("Date of birth?\n[03/04/24, 09:14:33] Ana (Tom's mum): «6.9.2015» he is", "en"),
        ("age and DOB\n12/03/2024, 08:20 - Mrs. Roth: 61. «15-8-1962». he is", "en"),
        ("Geburtsdatum bitte\n[14:02:11] Frau Ana Roth: «12.03.1960»", "de"),
        ("Date de naissance svp\n[14:02:11] Madame Kerbrat-Diallo : «12.03.1960»", "fr"),
        ("DOB\n«03/04/1984» 10:20\nnote: seen", "en"),
        ("née le «quinze août quatre-vingt-un»", "fr"),
        ("mme roth nee le «03/05/1938» ch 214, elle ne le voit pas", "fr"),
        ("Ich bin am «30. Juni 1948» in Stettin geboren und", "de"),
        ("am 3. Mai 2021 in Stettin operiert", "de"),
        ("D.0.B.: «O4/l9/1952»; on «3 May 1961» at York was born", "en"),
        ("Né(e)  le :  «25 / l2 / 1949»    Tél", "fr"),
        ("ref 19610503; DOB 19619903; two thirds of may; first of the second group", "en"),
        ("née le «trois mai mil neuf cent soixante et un» à", "fr"),
    ],
)
def test_a_birth_date_may_be_said_asked_for_or_written_in_one_piece(
    marked: str, language: str
) -> None:
    check("BIRTHDATE", marked, language, behind=MORE)


@pytest.mark.parametrize(
    "marked",
    [
        "3. May we contact you? on «3. May» in Mainz; «3 May» we left",
        "since «3 may 21», on «5 March» 12 patients, dated «3-MAY-49»\n",
        "On «30 April» the Fourth Section, on «May the third»",
    ],
)
def test_a_date_is_no_number_of_a_question(marked: str) -> None:
    check("EVENT_DATE", marked, behind=MORE)


@pytest.mark.parametrize(
    "marked",
    [
        "mail «deshawn.okafor at gmail dot com» or",
        "me «roisin dot delacroix at optus home dot example». She",
        "«anna point roth arobase orange point fr»; «a dot roth nine at talk talk dot net»",
        "look at gmail, I work at Royal Mail, value at baseline dot plot, he is at hotmail",
        "3 @ 4. Fr, see @ anna.roth",
    ],
)
def test_an_address_of_mail_may_be_said(marked: str) -> None:
    check("EMAIL", marked, behind=MORE)


@pytest.mark.parametrize(
    "marked",
    [
        "Sie an: «(03 61) 5 55 01 88», abends",
        "Frau Roth, DW «4418», Durchwahl -«417»; M. Roth, poste «4418».",
        "no is «07700900318»; Anna Roth («555-0177»); «418 555-0123 p. 22», Roth, «555-0119»\n",
        "carer Mo («0115 496 0147») informed; the 0115 4960 147 of it",
        "Dr ANNA ROTHAUSEN «0033639981122» and; plan IBX 0044 71820, then",
        "| ext «4471» | my number's «555 0147»; her number of visits 4471 120",
        "knee ext 45 degrees, 10 x 200 cm, phone 4 x 100, poste 12 du bilan, MRI x 120 views",
    ],
)
def test_an_inside_line_is_a_phone_number(marked: str) -> None:
    check("PHONE_NUMBER", marked, behind=MORE)


@pytest.mark.parametrize(
    "marked",
    [
        "sort code 80-22-60 a/c «00418823». a/c nos «31926819», «31926827» s/c 60-16-13",
        "pay «20 44 18  88230044» K",
        "a member of 20 000 and; folio «0441882», membership «04418», the membership 2024",
    ],
)
def test_an_account_is_known_by_what_stands_around_it(marked: str) -> None:
    check("PATIENT_ID", marked, behind=MORE)


@pytest.mark.parametrize(
    ("entity_type", "marked"),
    [
        ("PATIENT_ID", "the last four weeks 1200 members, card 4539 5787 6362 1486"),
    ],
)
def test_the_last_digits_of_a_number_count_as_what_they_end(entity_type: str, marked: str) -> None:
    check(entity_type, marked, behind=MORE)


@pytest.mark.parametrize(
    ("entity_type", "marked"),
    [
        (
            "PATIENT_ID",
            "Payroll no «003-88-17»; her student number is «4471902», staff id «E 4471 20».",
        ),
        ("PATIENT_ID", "numéro d'étudiant «20417788»; n° d'assurance maladie : «77 4410 22»,"),
        ("PATIENT_ID", "n° de dossier patient «44-71-09», patients"),
        ("PATIENT_ID", "Pat.-Nr. «44711», Vers.-Nr. «K447190238»; Mitarbeiternummer «44710»,"),
        ("PATIENT_ID", "hospital 44710 patients; hospital no 3; insurance claim no. 88120"),
        (
            "NATIONAL_ID",
            "licence no. «GB-44710»; work permit «WP 771 2043»; license plate 7XYZ 392",
        ),
        ("NATIONAL_ID", "S.S.N. «078-O5-112O», s.s.n. «078 05 1120»; MT 0912319884104, then"),
        ("NATIONAL_ID", "Green card «A012-345-678»; Passnummer «C01X00T47»; SIN «046 454 286»"),
        ("NATIONAL_ID", "carte d'identité n° «880692310285»; CHI «0101010016»; tai chi 12 times"),
        ("NATIONAL_ID", "national insurance number «44 17 71 22 C», insurance number 44 17 71"),
        ("NON_PERSONAL_ID", "Fallnr. «4004471182»; Schadensnummer «88-4417», policy **«88120»**"),
    ],
)
def test_a_number_is_whose_its_label_says(entity_type: str, marked: str) -> None:
    """Also in one word, in small numbers, and only with a word for a number where there must be."""
    check(entity_type, marked, behind=MORE)


@pytest.mark.parametrize(
    ("entity_type", "marked"),
    [
        ("PATIENT_ID", "member id «KBH*5520*19», CYP2C19*2/*17, HLA-B*57:01, DRB1*04 and"),
        ("NON_PERSONAL_ID", "the «KBH*5520*19» was; **«KBH5520»** was; 3*4*5 and"),
        ("NON_PERSONAL_ID", "policy «BH-44 821 9O».\n"),
        ("PATIENT_ID", "Roth, Anna   ID «R60 441 7782 01»   DOB 08.02.1939; R60 441 7782 of it"),
        ("PATIENT_ID", "ID «4471093» (DOB 3/4/61), claim ID 4471094 (May)"),
    ],
)
def test_an_id_may_have_stars_misread_ends_or_a_birth_date_behind(
    entity_type: str, marked: str
) -> None:
    check(entity_type, marked, behind=MORE)


@pytest.mark.parametrize(
    ("entity_type", "marked"),
    [
        ("CREDIT_CARD", "Kreditkarte: «4111.1111.1111.1111», VISA «4111 1111 1111 1111» on"),
        ("CREDIT_CARD", "MC xxxx-xxxx-xxxx-«4444», card ****«4471», Amex •••• «4471»"),
        ("IBAN", "Account: ****«4471»; note ** 2024, max 4471, *** 120 patients"),
        ("IBAN", "Konto-Nr. 532013000, BLZ «37040044», BLZ «370 400 44»"),
        ("IBAN", "compte bancaire n° «20041 01005 0500013M026 06»; 20041 01005 0500013M026 07"),
        ("IBAN", "RIB : «20041 01005 0500013M026 07»"),
        ("PATIENT_ID", "Konto-Nr. «532013000», BLZ 37040044"),
    ],
)
def test_numbers_of_banks_in_other_writings(entity_type: str, marked: str) -> None:
    """With points, with stars for all but the last, a bank's number and a French account's."""
    check(entity_type, marked, behind=MORE)


@pytest.mark.parametrize(
    "marked",
    [
        "reg «SK19 WLT», «SB70 HKN»; IN24 HRS, WK12 MAY",
        "Kennzeichen: «GL-R 418», then",
        "Policy «IP771 2093 A». Payee; claim no «R-0441 882-3»\nRe",
        "BG-Nummer: «12104//0044188»,",
        "LP 12 CM, LP 2 MG, plate 4 HOLES, LP at 3 PM, plate L4-L5, the plate 3A shows",
    ],
)
def test_a_thing_s_number_goes_on_in_groups(marked: str) -> None:
    check("NON_PERSONAL_ID", marked, behind=MORE)


@pytest.mark.parametrize(
    "marked",
    [
        "NISS : «61.05.03-441.88»",
        "Karten-Nr. «80756 01234 44188 23001»",
        "81756 01234 44188 23001",
        "look up?\nit's «pb 66 12 04 d».",
        "n° SS «261 05 29 232 118, clé 34»",
    ],
)
def test_national_numbers_of_neighbours(marked: str) -> None:
    check("NATIONAL_ID", marked, behind=MORE)


@pytest.mark.parametrize(
    ("marked", "language"),
    [
        ("«3 The Croft, Little Sutton, CH66 1NN»\nh.", "en"),
        (
            "NHS 943 476 5919\n«The Old Forge, Llanfihangel-y-Creuddyn, Aberystwyth SY23 4LA»\n",
            "en",
        ),
        ("«Penthouse 3, 1 Quayside Lofts, Salford Quays, M50 3XZ»; corr", "en"),
        ("«Flat 2/1, 118 Dumbarton Rd, Glasgow G11 6PR»", "en"),
        ("«61 Coldharbour Lane SE5» is", "en"),
        ("at «Flat 2, The Customs House, Quay Parade, Fishguard SA64 9XB». She", "en"),
        (
            "«Heather Bank, Kyleakin, Isle of Skye IV41 8XX»\n"
            "«12 Larch Grove, Athy, Co. Kildare R14 XX00»",
            "en",
        ),
        ("«19 Beinn Bhreagh Road, Baddeck NS B0E 1B0»; «V0J 3A0»", "en"),
        ("at «14B Kauri Point Rd, RD 4, Katikati 3181», was «9 High St», Year 2024.", "en"),
        ("at «Rt 2 Box 114B, Rowlesburg WV 26425». Route 5 box 3", "en"),
        ("12 May 2025\n\nClaims Department\n«PO Box 4410, Bradford BD1 9ZZ»\n", "en"),
        ("home=«3318 County Rd 61, Unit C, Fort Payne AL 35967»\n", "en"),
        ("gran, Mrs M Roth, «Glan-yr-Afon, Heol y Bont, St Clears SA33 4DX».\n", "en"),
        ("i live at «nineteen sixty two cedar ridge road» since nineteen sixty two", "en"),
        ("two very close friends, one of two close calls, from ten to twenty circle members", "en"),
        ("from five other long roads, one Long Street party", "en"),
        ("Eircode «H91 K7PX» here", "en"),
        ("3 cars close, 12 miles down the road, one Supreme Court, H91 2024 and", "en"),
        (
            "«8 bis, venelle du Four\nRésidence « Les Embruns », bât. C, appt 12\n29750 Loctudy»",
            "fr",
        ),
        ("au «12 rue des Lilas, Tresmont». Merci. «4 rue Roth - Tresmont», et", "fr"),
        ("«12 rue des Lilas\nTresmont»\nTél. du «14 impasse du Puits, L'Isle-Morvan», car", "fr"),
        ("«quarante-deux rue des lilas, Kervrac'h».", "fr"),
        ("j'habite «14 lotissement les flamboyants saint pierre 97410», 2 rue", "fr"),
        ("au «5 place du Marché», Mme Roth. «5 place du Marché». Elle", "fr"),
        ("«12 rue des Lilas»\nMadame, «4 rue Roth»\nBonjour\n", "fr"),
        ("«Gartenstr. 14a, Hinterhaus, 2. OG links\n99084 Erfurt»\n", "de"),
        ("wh. «8742 Obdach, Hauptplatz 11/Top 3»\n", "de"),
        ("neu: «Am Anger 3 / Stg. 2 / Tür 11, 2483 Ebreichsdorf».", "de"),
        ("auf dem Platz der Einheit, 3 auf der Allee", "de"),
    ],
)
def test_an_address_may_have_a_house_s_name_or_no_street(marked: str, language: str) -> None:
    check("ADDRESS", re.sub("« (.*?) »", "“\\1”", marked), language, behind=MORE)


@pytest.mark.parametrize(
    "marked",
    [
        "ts «bd24 9ab» n; postcode is «bs78qt»",
        "B: «eh128ln» ye; take 500mg, ab100th, zz100ab",
        "take 5 a day, at4 9th, t1 3yr, 1 a 2 b c, zz9 9zz",
    ],
)
def test_a_postcode_may_be_small_or_spelled(marked: str) -> None:
    """A dozen households share one: it is an address."""
    check("ADDRESS", marked, behind=MORE)


def test_fields_of_hospitals_messages_have_numbers_instead_of_names() -> None:
    """HL7: a name stands in the fifth field of PID, whatever is left out before."""
    message = (
        "MSH|^~\\&|ADT1|GH\n"
        "PID|1||0088213^^^GH^MR~77||ROTH^ANNA^M||19610503|F|||14 BANK^^ATHLONE||(090)6475511\n"
        'PV1|1|I|W3^12||||4412^VARGAS^ELENA^^^DR|""\n'
    )
    assert labelled(message) == [
        ("0088213", "PATIENT_ID"),
        ("77", "PATIENT_ID"),
        ("ROTH^ANNA^M", "NAME"),
        ("19610503", "BIRTHDATE"),
        ("14 BANK^^ATHLONE", "ADDRESS"),
        ("(090)6475511", "PHONE_NUMBER"),
        ("VARGAS^ELENA^^^DR", "PROVIDER"),
    ]
    assert labelled("He said PID|1 and OBR| in a line.") == []


def test_keys_of_json_and_tags_of_xml_are_labels() -> None:
    text = '{"lastName": "Roth", "dob":"1961-05-03", "zip": "97206", "note": "Patient fell"}'
    assert labelled(text) == [("Roth", "NAME"), ("1961-05-03", "BIRTHDATE"), ("97206", "LOCATION")]
    xml = '<p><FirstName>Anna</FirstName><dob x="1">1961-05-03</dob><b>Roth</b></p>'
    assert labelled(xml) == [("Anna", "NAME"), ("1961-05-03", "BIRTHDATE")]


def test_a_label_may_name_women_and_men() -> None:
    """ "Né(e) le" and "Vers-Nr" head columns; an ending in brackets is no other word."""
    table = "Nr|Name|Né(e) le|Vers-Nr\n1|Lena Roth|02.03.1959|T334455667\n"
    assert labelled(table, tables)[1:] == [
        ("02.03.1959", "BIRTHDATE"),
        ("T334455667", "PATIENT_ID"),
    ]
    assert fields.type_of("Assuré·e") == fields.type_of("assuré(e)") == "NAME"


def test_a_table_may_be_parted_by_commas() -> None:
    """Two known columns make it one, and quoted cells may hold commas; a sentence is none."""
    table = 'x\nid,last_name,dob,note\n1,"de Vries",03/05/61,"fell, again"\n2,Roth,1961-05-03,\n'
    assert labelled(table, tables) == [
        ("de Vries", "NAME"),
        ("03/05/61", "BIRTHDATE"),
        ("Roth", "NAME"),
        ("1961-05-03", "BIRTHDATE"),
    ]
    assert labelled("last name, dob, phone\nRoth, 3.5.61, 555-0144\n", tables) == []
    assert labelled("nom;dob\nde La Villardière;1.2.60\n", tables)[0][0] == "de La Villardière"


@pytest.mark.parametrize(
    ("kind", "marked"),
    [
        ("PATIENT_ID", "what is your member number?\nlena: «22019833» and"),
        ("NATIONAL_ID", "PHIN «123 456 789»  DOB; Aadhaar «4991 8235 1170»  then"),
        ("PATIENT_ID NATIONAL_ID", "plan 1 200 000 claims, id 12 34 units, member count 12 13 14"),
        ("PATIENT_ID", "and the amount?\nlena: 220198 and"),
    ],
)
def test_a_number_may_be_said_in_groups_or_answer_a_question(kind: str, marked: str) -> None:
    check(kind, marked, behind=MORE)


@pytest.mark.parametrize(
    ("marked", "language"),
    [
        ("née le «1er mars 51» à Gulleville; né un «14 mai 38» à", "fr"),
        ("Pat., geb. «7. Sept. 63» (geb. Roth)", "de"),
        ("seen 7. Sept. 63 patients; born «14 May» 38 years ago", "en"),
        ("née le «vingt-trois août septante-neuf».", "fr"),
    ],
)
def test_a_birth_date_may_have_a_short_year(marked: str, language: str) -> None:
    check("BIRTHDATE", marked, language, behind=MORE)


@pytest.mark.parametrize(
    ("marked", "language"),
    [
        ("au «010/55.01.77» et", "fr"),
    ],
)
def test_a_phone_number_may_answer_a_question(marked: str, language: str) -> None:
    check("PHONE_NUMBER", marked, language, behind=MORE)


def test_a_user_name_may_stand_right_behind_its_network() -> None:
    check("NAME", "skype «lena_v», discord server", behind=MORE)


def test_a_user_name_stands_behind_its_label() -> None:
    check(
        "NAME",
        "insta: «marges.toppers», twitter: @«lena_v», her login is «qx7.kestrel», qx7.kestrel",
        behind=MORE,
    )
