"""A text that speaks of no person loses nothing but direct identifiers."""

import pytest

from linkmask import detect
from linkmask.config import Settings
from linkmask.detect.candidates import Candidate, Scope
from linkmask.detect.register import Register
from linkmask.detect.register.language import unknown_language
from linkmask.detect.register.noise import without_noise
from linkmask.detect.relevance.discourse import document_context
from linkmask.detect.view.readings import scope_of
from linkmask.detect.written_masks import with_stand_ins
from linkmask.graph import entities
from linkmask.records import Document, Mention

SETTINGS = Settings()
README = """# gridloom

Gridloom is a library for Python that reads archives and writes them as Parquet. GNU make 4 or newer
is needed; on Debian the headers live in a package of their own.

    $ sudo apt install libssl1 build-essential

Bug reports are welcome. Jenkins runs the tests, and Travis builds the wheels.
"""
TICKET = """Ticket 4471: the VPN drops every night around two. Restarted the gateway, replaced the
switch in room 2.14, patched the firmware. Works again. Closed by automation."""
PROSE = {
    "es": "Las obras comenzarán en octubre y durarán unos ocho meses, según informó la Junta. El"
    " precio del trigo bajó por tercera semana. Los barcos seguirán funcionando los domingos.",
    "it": "I lavori inizieranno a ottobre e dureranno circa otto mesi, ha comunicato la Regione. Il"
    " prezzo del grano è sceso per la terza settimana. I traghetti continueranno a viaggiare.",
    "nl": "Het werk begint in oktober en duurt ongeveer acht maanden, meldde de gemeente. De prijs"
    " van tarwe daalde voor de derde week op rij. De veerboten blijven varen op zondag.",
    "pt": "As obras começam em outubro e duram cerca de oito meses, informou a autarquia. O preço"
    " do trigo desceu pela terceira semana seguida. Os barcos continuam a circular ao domingo.",
}
CLAIM = """Ms. Brandvold, 46, was admitted on 12 March 2024 with sepsis. She was discharged after
two weeks and lives in Dover. Her claim is pending."""
STUDY = """Retrospective study of hospital claims: patients with Fabry disease treated at Quarrymead
Rehabilitation received enzyme replacement therapy. Mean age was 47 years."""


def mentions(text: str) -> list[Mention]:
    return detect.first_pass(Document("d", text, {}), SETTINGS, entities.canonical)


def lost(text: str) -> list[str]:
    """What of a text alone may be masked: values on the floor, values with relevance."""
    return [m.original for m in mentions(text) if m.type in SETTINGS.floor or m.relevance > 0]


@pytest.mark.parametrize("text", [README, TICKET], ids=["readme", "ticket"])
def test_a_text_about_nobody_loses_nothing(text: str) -> None:
    """`Python` is no name, `GNU` and "VPN drops" are no treatment, libssl1 is no address."""
    assert lost(text) == []


@pytest.mark.parametrize("language", PROSE)
def test_prose_in_another_language_is_not_turned_into_names(language: str) -> None:
    assert unknown_language(PROSE[language]) == language
    assert lost(PROSE[language]) == []


@pytest.mark.parametrize("text", [README, CLAIM, STUDY], ids=["english", "claim", "study"])
def test_english_is_a_known_language(text: str) -> None:
    assert unknown_language(text) == ""


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("Ticket 48211, reported by Anna Berg: VPN drops every morning.", []),
        ("Hi Tom, the VPN drops again. Thanks, Anna", []),
        ("Anna Berg has asthma and takes EES drops.", ["asthma", "EES drops"]),
        ("My sister Anna Berg had a PE last year.", ["PE"]),
        ("Anna Berg told me she has MS.", ["MS"]),
        ("Anna Berg takes eye drops.", ["eye drops"]),
        ("The patient Anna Berg takes EES drops.", ["EES drops"]),
    ],
)
def test_capitals_before_drops_are_a_treatment_beside_clinical_words(
    text: str, values: list[str]
) -> None:
    """Such words are those of health, and other values that are clinical."""
    kinds = {"MEDICAL_CONDITION", "TREATMENT"}
    mentions = detect.first_pass(Document("a", text), SETTINGS, entities.canonical)
    assert [one.original for one in mentions if one.type in kinds] == values


def test_direct_identifiers_in_a_text_about_nobody_are_found() -> None:
    planted = """
Maintainer: Gwendolyn Pratt

Questions to gwendolyn.pratt@posteo.net, payments to IBAN DE89 3704 0044 0532 0130 00.
Returns go to 14 Larch Road, Pittsfield, MA 01201.
"""
    assert lost(README + planted) == [
        "Gwendolyn Pratt",
        "gwendolyn.pratt@posteo.net",
        "DE89 3704 0044 0532 0130 00",
        "14 Larch Road, Pittsfield, MA 01201",
    ]


@pytest.mark.parametrize(
    ("line", "number"),
    [
        ("Case number: 26-cv-20418, see the letter.", "26-cv-20418"),
        ("The replacement was Order # 88213.", "88213"),
        ("Docket No. 5518-2024 is closed.", "5518-2024"),
        ("Fixed in issue #12534 and PR #44102.", ""),
        ("Ticket 4471 is closed.", ""),
    ],
)
def test_a_long_number_behind_its_word_is_found_in_a_text_about_nobody(
    line: str, number: str
) -> None:
    """It may be that of somebody's case; a number that only its sign shows is a project's."""
    assert lost(f"{README}\n{line}\n") == ([number] if number else [])


@pytest.mark.parametrize(
    "line",
    [
        "Tip: stir in a dash of Otto Brandvold and let it rest for two minutes.",
        "Espressomachine Otto Brandvold, model ND-420",
        "The second tender is for the bridge at Larch Lane.",
    ],
    ids=["measured", "model", "street without a number"],
)
def test_names_of_goods_and_bare_streets_are_no_persons_in_a_text_about_nobody(line: str) -> None:
    assert lost(f"{README}\n{line}\n") == []


def test_a_name_in_a_text_about_nobody_stays_a_name_without_such_words() -> None:
    assert lost(f"{README}\nThe logo was drawn by Otto Brandvold, model maker.\n") == [
        "Otto Brandvold"
    ]


def test_what_the_tagger_takes_for_facts_is_nobodys_in_a_text_about_nobody() -> None:
    text = "Bitte melden Sie das Licht. The lamp is out in the yard, and the gate stays shut."
    fact = Candidate(0, 5, "INDIRECT_IDENTIFIER", "ner", "indirect_identifier", 0.5)
    for impersonal in (False, True):
        register = Register(nobody=True, impersonal=impersonal)
        assert without_noise(text, [fact], register) == []
        assert without_noise(text, [fact], Register()) == [fact]
    named = Candidate(51, 55, "AGE", "patterns", "aged", 0.9)
    assert without_noise(text, [fact, named], Register(nobody=True)) == [fact, named]
    listed = fact._replace(detector="lexicon")
    assert without_noise(text, [listed], Register(nobody=True)) == [listed]


def test_a_doubtful_name_stays_in_news_where_a_title_shows_another_one() -> None:
    text = "The fair of Velmont opened. Mr Roth thanked Skaalen."
    start = text.index("Skaalen")
    doubtful = Candidate(start, start + 7, "NAME", "ner", "name", 0.3)
    titled = Candidate(28, 35, "NAME", "lexicon", "title", 0.9)
    news, readme = Register(nobody=True), Register(nobody=True, impersonal=True)
    assert doubtful in without_noise(text, [titled, doubtful], news)
    assert doubtful not in without_noise(text, [doubtful], news)
    assert doubtful not in without_noise(text, [titled, doubtful], readme)


def test_two_words_of_insurance_do_not_make_a_long_readme_a_persons() -> None:
    text = README * 40 + "The claim that it is slow claims too much."
    assert document_context(Document("d", text, {}), Scope(), "learned").register.nobody


def test_a_name_by_its_title_is_found_in_another_language() -> None:
    text = f"{PROSE['es']}\n\nPersona de contacto: Sra. Remedios Valcárcel\n\n{PROSE['es']}"
    assert lost(text) == ["Remedios Valcárcel"]


def test_a_message_of_an_insurer_is_code_and_about_its_patient() -> None:
    text = (
        "ISA*00*          *00*          *ZZ*SUBMITTERID    *ZZ*RECEIVERID     *240102*1253*^*00501"
        "*000000905*1*T*:~GS*HC*SENDER*RECEIVER*20240102*0802*1*X*005010X222A1~ST*837*0021~"
        "NM1*IL*1*SMYTHE*JANELLE****MI*JS00111223333~DMG*D8*19430501*F~CLM*26463774*100~"
        "REF*D9*17312345600006351~SE*6*0021~GE*1*1~IEA*1*000000905~"
    )
    assert {"26463774", "17312345600006351", "JS00111223333", "19430501"} <= set(lost(text))


@pytest.mark.parametrize("text", [CLAIM, STUDY], ids=["claim", "study"])
def test_texts_about_health_and_about_persons_keep_their_relevance(text: str) -> None:
    """A study names nobody, but what it says of a clinic may be linked to a person elsewhere."""
    found = [m for m in mentions(text) if m.type in {"MEDICAL_CONDITION", "TREATMENT", "LOCATION"}]
    assert found
    assert all(m.relevance > 0 for m in found)


def test_a_short_text_with_a_name_is_about_that_person() -> None:
    found = {m.original: m.relevance for m in mentions("Seller: Otto Brandvold. Location: Dover")}
    assert found["Otto Brandvold"] > 0
    assert all(relevance > 0 for relevance in found.values())


COURT = """In der Familiensache betreffend die elterliche Sorge für Jeremy-Pascal Wohlfahrt{}
Verfahrensbeistand: Gisbert Wunder
Beteiligte: Mandy Wohlfahrt, Südring 118, 38440 Wolfsburg, und Ahmad Popal unbekannten Aufenthalts.
Die Sachverständige Dr. Krumbiegel erstattet das Gutachten bis Ende September. Das Jugendamt wird
von Frau Nothnagel vertreten. Die Kosten des Verfahrens tragen beide Seiten je zur Hälfte.
"""


@pytest.mark.parametrize(("born", "somebody"), [(", geb. 23.04.2014", True), ("", False)])
def test_a_birth_date_makes_a_long_text_one_about_somebody(born: str, somebody: bool) -> None:
    found = {m.original: m.relevance for m in mentions(COURT.format(born))}
    assert (found["Dr. Krumbiegel"] > 0) is somebody


IN_ROLES = {
    "en": "The member with lupus, 52 years old, asked for a letter about the new plan in spring.",
    "fr": "Le bénéficiaire atteint de lupus, 52 ans, a demandé une lettre sur la nouvelle formule.",
    "de": "Das Mitglied mit Lupus, 52 Jahre alt, bat um einen Brief über den neuen Tarif im Mai.",
    "es": "El afiliado con lupus, de 52 años, pidió una carta sobre el nuevo plan antes de marzo.",
    "it": "L'iscritto con lupus, di 52 anni, ha chiesto una lettera sul piano prima di marzo.",
    "nl": "Het lid met lupus, 52 jaar oud, vroeg om een brief over het nieuwe plan voor maart.",
    "pt": "O beneficiário com lúpus, de 52 anos, pediu uma carta sobre o plano antes de março.",
}


@pytest.mark.parametrize("language", IN_ROLES)
def test_an_age_of_somebody_named_by_a_role_is_a_persons(language: str) -> None:
    assert "52" in lost(IN_ROLES[language])


def test_an_age_and_an_illness_in_a_short_text_are_a_persons_and_an_age_alone_is_not() -> None:
    note = "52 y/o with lupus, called about the letter, wants it by Friday, call back at five."
    assert lost(note) == ["52", "lupus"]
    tree = "The tree is 90 years old and will be cut in March, because its roots lift the pavement."
    assert lost(tree) == []


def test_an_age_and_an_occupation_said_of_one_in_a_short_text_are_a_persons() -> None:
    """A file of its own with nothing else was released as it was."""
    keeper = "The lighthouse keeper, 46, of Duluth was treated for asthma on 14 June 2024."
    assert lost(keeper) == ["lighthouse keeper", "46", "Duluth", "asthma", "14 June 2024"]
    robbed = "The beekeeper, 46, of Duluth was robbed on 14 June 2024 by two men in a blue van."
    assert lost(robbed) == ["beekeeper", "46", "Duluth", "14 June 2024"]
    oak = "The oak, 300, in Duluth by the blacksmith was felled on 3 May after the storm of March."
    assert lost(oak) == []


@pytest.mark.parametrize(
    "text",
    [
        "| Field | Value |\n|---|---|\n| Deductible | 1 |",
        "| Page | Chase | Marshal |\n|:--|--:|---|\n| 1 | 2 | 3 |",
        "The surgeon did a Whipple procedure. Apply a Kocher clamp, then close the wound.",
        "We moved the queue to Apache Kafka last year, and the brokers run in two zones.",
        '{"name":"Victoria Station","no":"20240101"}',
    ],
    ids=["head", "heads", "called after", "program", "station"],
)
def test_heads_of_tables_and_what_is_called_after_somebody_are_no_names(text: str) -> None:
    assert [one.original for one in mentions(text) if one.type in SETTINGS.floor] == []


def test_a_first_word_that_the_text_has_in_small_letters_is_no_name() -> None:
    """The tagger is unsure of a word that only a capital makes a name."""
    quoted = 'Fares are low.\n> "Rides late twice."\n\nScores (1 to 5)\n  meals 3.1\n  rides 2.7\n'
    found = [Candidate(18, 23, "NAME", "ner", "name", 0.43)]
    assert without_noise(quoted, found, Register()) == []
    assert without_noise(quoted.replace("rides", "tours"), found, Register()) == found
    surname = quoted.replace("Rides", "Ockow").replace("rides", "ockow")
    assert without_noise(surname, found, Register()) == found


@pytest.mark.parametrize(
    "text",
    [
        "Mark said that the mark on the arm hurts. Patient: Mark Sullivan.",
        "The benefits of Haraldsen were paid on Monday, and she read the letter of the member.",
        "She read the Mikkelsen memo, and the team of Ellsworth was told that he is ill.",
        "La méthode de Charpentier lui plaît. Le patient est content.",
        "The patient is ill.\n\n| Patient | Sandberg |\n|---|---|\n| Ward | 3 |\n",
    ],
    ids=["first word", "benefits", "memo and team", "méthode", "head"],
)
def test_a_listed_name_stays_one_beside_things_and_where_its_word_stands(text: str) -> None:
    """Each stands where a thing's name may stand."""
    found = " ".join(one.original for one in mentions(text) if one.type in ("NAME", "LOCATION"))
    for name in ("Mark", "Haraldsen", "Mikkelsen", "Ellsworth", "Charpentier", "Sandberg"):
        assert text.count(name) == found.count(name)


def test_persons_beside_things_and_in_heads_stay_names() -> None:
    """A full name heads a column, a label stands beside a name, and a claim is somebody's."""
    text = "| | Anna Roth |\n|---|---|\n| x | 3 |"
    assert "Anna Roth" in lost(text)
    assert "Hartwell" in lost("The man was ill.\n\n| Name | Hartwell |\n|---|---|\n| Age | 40 |\n")
    assert "Hockaday" in lost("She told us about it, and the Hockaday claim was settled on Monday.")


def test_an_age_in_an_impersonal_text_with_words_for_roles_is_nobodys() -> None:
    text = f"{README}\nThe worker of the client is 2 years old, and so is the driver.\n"
    assert lost(text) == []


def test_a_document_whose_metadata_says_what_it_is_is_taken_at_its_word() -> None:
    personal = Document("d", README, {"type": "claim"})
    assert not document_context(personal, Scope(), "learned").register.nobody
    assert document_context(Document("d", README, {}), Scope(), "learned").register.nobody


def test_relevance_by_type_alone_asks_for_no_register() -> None:
    assert not document_context(Document("d", README, {}), Scope(), "type").register.nobody


def test_candidates_of_a_text_about_a_person_all_stay() -> None:
    weak = Candidate(0, 6, "NAME", "ner", "name", 0.5)
    assert without_noise("Python runs", [weak], Register()) == [weak]
    assert without_noise("Python runs", [weak], Register(nobody=True, impersonal=True)) == []


def test_a_town_with_its_river_is_one_address() -> None:
    text = "Die Rechnung ging an Herrn Altmann, Goethestr. 27, 60313 Frankfurt am Main."
    assert "Goethestr. 27, 60313 Frankfurt am Main" in lost(text)


def test_a_short_text_with_a_titled_clinician_is_about_somebody() -> None:
    """Nothing else in it is a word for a person, and the clinician may be the insured."""
    found = {
        m.original: m.relevance
        for m in mentions(
            "Frau Dr. Mayer wohnt seit dem Mai 2020 in Aue, und das Haus dort ist neu gebaut."
        )
    }
    assert found["Dr. Mayer"] > 0


LOG = """2023-12-19 08:14:03 INFO Dienst start op knoop-04
WAARSCHUWING Grootte van de verbindingspool is 10

FOUT Proces 7 gestopt na 120 s: de VPN valt elke nacht rond twee uur weg, nieuwe poging gepland.
FOUT Injectie van de configuratie mislukt: de sleutel voor de snelheid ontbreekt

Beheerder: {NAME}

Melding 4471: na de update drukt de printer in ruimte 2.14 lege pagina's af. Wachtrij geleegd, het
stuurprogramma is opnieuw geïnstalleerd, de trommel is vervangen. Werkt weer.

Contactpersoon: mevrouw {NAME}

Retouren naar {ADDRESS}.

Vragen aan {EMAIL}.
"""
VALUES = {
    "NAME": "Maria Johanna van der Heijden-Groot",
    "ADDRESS": "Lange Nieuwstraat 14, 3512 PH Utrecht",
    "EMAIL": "f.schaapveld@example.org",
}


def test_masks_do_not_change_what_a_text_speaks_of() -> None:
    """The masked text has fewer words, and the same register as the original."""
    masks = {kind: f"[{kind}]" for kind in VALUES}
    read = [Document("d", LOG.format(**values), {}) for values in (VALUES, masks)]
    scopes = [scope_of(one, SETTINGS) for one in read]
    before, after = (document_context(*each, "learned") for each in zip(read, scopes, strict=True))
    assert before.register == after.register
    assert before.register.nobody


def test_a_mask_is_read_as_a_value_of_its_length() -> None:
    text = "Dr [NAME_1a2b3c4d] of [LOCATION] saw [WHATEVER]"
    assert with_stand_ins(text).split() == ["Dr", "Smith", "of", "London", "saw", "12345"]
    assert len(with_stand_ins(text)) == len(text)


def test_a_code_that_begins_with_a_word_of_a_language_does_not_tell_it() -> None:
    """The A of A-1107 is a word in Portuguese, and one word over and over."""
    rows = "\n".join(f"A-{n} | Obadiah Crumb | cirrhosis" for n in range(1107, 1127))
    assert unknown_language(f"Claim | Member | Diagnosis\n{rows}") == ""


SPANISH = "Junta. El precio bajó. Vive en Zaragoza con dolor torácico desde el 9 de enero, viudo."


@pytest.mark.parametrize(
    ("value", "kind"),
    [("Zaragoza", "LOCATION"), ("dolor torácico", "MEDICAL_CONDITION"), ("viudo", "DEMOGRAPHIC")],
)
def test_the_tagger_is_believed_in_the_languages_it_learned(value: str, kind: str) -> None:
    """It learned from Spanish texts, not from Polish ones, and not from texts about nobody."""
    start = SPANISH.index(value)
    one = Candidate(start, start + len(value), kind, "ner", kind.lower(), 0.5)
    about = Candidate(0, 5, "EMAIL", "patterns", "email", 1.0)
    assert one in without_noise(SPANISH, [about, one], Register(foreign="es"))
    assert one not in without_noise(SPANISH, [about, one], Register(foreign="pl"))
    assert one not in without_noise(SPANISH, [about, one], Register(nobody=True, foreign="es"))
