"""How masked values are written: placeholders, pseudonyms, surrogates."""

import re

import pytest

from linkmask import schema
from linkmask.config import Settings
from linkmask.errors import SettingsError
from linkmask.records import Document
from linkmask.redact import Redactor, Target
from linkmask.redact.styles import STYLES, StyleContext, style_of
from linkmask.redact.surrogates.draw import without_case_and_accents

KEY = b"a key of some length"


def written(targets: dict[str, Target], **given: object) -> dict[str, list[str]]:
    """What the surrogate style makes of every spelling of every target."""
    write = STYLES["surrogate"](targets, StyleContext(**{"key": KEY, **given}))
    return {entity: [write(entity, s, "") for s in t.surfaces] for entity, t in targets.items()}


def one(kind: str, *surfaces: str, language: str = "en") -> list[str]:
    return written({"e": Target(kind, surfaces, (), language)})["e"]


def test_redact_and_value_say_nothing_or_the_type() -> None:
    targets = {"e": Target("NAME", ["Ann Field"])}
    assert STYLES["redact"](targets, StyleContext())("e", "Ann Field", "") == "[REDACTED]"
    assert STYLES["value"](targets, StyleContext())("e", "Ann Field", "") == "[NAME]"


def test_no_part_of_a_mailbox_is_left_that_holds_a_masked_name() -> None:
    """The domain of a family's firm names its members; that of a provider names nobody."""
    targets = {
        "n": Target("NAME", ["Tom Harding", "Émile Köhler"]),
        "e": Target("EMAIL", ["tomh@hardingjoinery.example"]),
    }
    write = STYLES["masking"](targets, StyleContext(everyone=targets))
    for mailbox in ("tomh@hardingjoinery.example", "shop@KÖHLER.example"):
        assert write("e", mailbox, "") == "[EMAIL]"
    assert write("e", "tomh@provider.example", "") == "t***@provider.example"


def test_a_pseudonym_depends_on_the_key_and_the_entity_alone() -> None:
    targets = {"e": Target("NAME", ["Ann Field"]), "f": Target("NAME", ["Bo Hill"])}
    write = STYLES["pseudonym"](targets, StyleContext(KEY))
    assert re.fullmatch(r"\[NAME_[0-9a-f]{8}\]", write("e", "Ann Field", ""))
    assert write("e", "Ann Field", "") == write("e", "FIELD, ANN", "") != write("f", "Bo Hill", "")
    assert write("e", "", "") != STYLES["pseudonym"](
        targets, StyleContext(b"another key, also long")
    )("e", "", "")


def test_without_a_key_a_pseudonym_must_be_asked_for() -> None:
    targets = {"e": Target("NAME", ["Ann Field"])}
    with pytest.raises(SettingsError, match="key"):
        STYLES["pseudonym"](targets, StyleContext())
    unkeyed = STYLES["pseudonym"](targets, StyleContext(unkeyed=True))
    assert unkeyed("e", "", "") == "[NAME_3f79bb7b]"  # sha256("e")


def test_every_placeholder_is_recognized_as_one() -> None:
    types = schema.load("insurance").types
    targets = {kind: Target(kind, ["x"]) for kind in types}
    pattern = schema.placeholders(types)
    for name in ("redact", "value", "pseudonym"):
        write = STYLES[name](targets, StyleContext(KEY))
        assert all(pattern.fullmatch(write(kind, "x", "")) for kind in types)
    assert not pattern.search("[name] [NAME ] NAME [NAMES] [NAME_12] [NAME_xyzxyzxy]")


def test_an_unknown_style_is_named_with_the_known_ones() -> None:
    with pytest.raises(SettingsError, match="surrogate"):
        style_of("blur")


def test_a_person_keeps_one_made_up_name_in_every_spelling() -> None:
    full, turned, short, initial, loud = one(
        "NAME", "Jane Doe", "Doe, Jane", "Dr. Doe", "J. Doe", "JANE DOE"
    )
    given, family = full.split()
    assert {given, family}.isdisjoint({"Jane", "Doe"})
    assert (turned, short, initial) == (
        f"{family}, {given}",
        f"Dr. {family}",
        f"{given[0]}. {family}",
    )
    assert loud == full.upper()


def test_a_date_keeps_its_form_and_moves_alike_in_every_spelling() -> None:
    long, iso, us, dotted, year = one(
        "EVENT_DATE", "12 March 2019", "2019-03-12", "03/12/2019", "12.03.2019", "2019"
    )
    day, month, moved = long.split()
    number = ["January", "February", "March", "April", "May", "June", "July", "August",
              "September", "October", "November", "December"].index(month) + 1  # fmt: skip
    assert moved == year != "2019"
    assert iso == f"{year}-{number:02}-{int(day):02}"
    assert (us, dotted) == (
        f"{number:02}/{int(day):02}/{year}",
        f"{int(day):02}.{number:02}.{year}",
    )


@pytest.mark.parametrize(
    ("kind", "language", "original", "expected"),
    [
        ("PHONE_NUMBER", "en", "(303) 555-7788", r"\(\d{3}\) 555-01\d\d"),
        ("PHONE_NUMBER", "en", "+1 303 555 7788", r"\+1 \d{3} 555 01\d\d"),
        ("PHONE_NUMBER", "fr", "06 12 34 56 78", r"0\d( \d\d){4}"),
        ("PHONE_NUMBER", "fr", "+33 6 12 34 56 78", r"\+33 \d( \d\d){4}"),
        ("EMAIL", "en", "ann@clinic.org", r"[a-z.]+@example\.(com|org|net)"),
        ("URL", "en", "https://clinic.org/ann", r"https://example\.org/\S+"),
        ("IP_ADDRESS", "en", "10.1.2.3", r"(192\.0\.2|198\.51\.100|203\.0\.113)\.\d+"),
        ("IP_ADDRESS", "en", "00:1A:2b:3c:4d:5e", r"02(:[0-9a-f]{2}){5}"),
        ("NATIONAL_ID", "en", "123-45-6789", r"666-\d\d-\d{4}"),
        ("IBAN", "de", "DE89 3704 0044 0532 0130 00", r"[A-Z]{2}00( \d{4}){4} \d\d"),
        ("IBAN", "en", "20-11-45", r"\d\d-\d\d-\d\d"),
        ("PATIENT_ID", "en", "Patient ID RV-8427b", r"Patient ID [A-Z]{2}-\d{4}[a-z]"),
        ("AGE", "en", "52-year-old", r"\d\d-year-old"),
        ("AGE", "en", "fifty-two", r"(forty|fifty)(-\w+)?"),
        ("PROVIDER", "en", "Poudre Valley Hospital", r"\w+ Hospital"),
        ("PROVIDER", "fr", "Clinique Saint-Paul", r"Clinique \w+"),
        ("ADDRESS", "de", "Lindenweg 12, 10115 Berlin", r"\w+ \d+, 00\d{3} \w+"),
        ("LOCATION", "en", "DENVER", r"[A-Z]+"),
        ("MEDICAL_CONDITION", "fr", "asthme", r"\D+"),
        ("EVENT_DATE", "en", "last spring", r"\[EVENT_DATE_[0-9a-f]{8}\]"),
    ],
)
def test_a_surrogate_has_the_form_of_its_type_and_means_nobody(
    kind: str, language: str, original: str, expected: str
) -> None:
    (made,) = one(kind, original, language=language)
    assert re.fullmatch(expected, made) and made != original


@pytest.mark.parametrize(
    ("with_weekday", "without"),
    [
        ("Monday, May 6, 2024", "May 6, 2024"),
        ("Mon. 6 May 2024", "6 May 2024"),
        ("Montag, 6. Mai 2024", "6. Mai 2024"),
        ("mar. 7 mai 2024", "7 mai 2024"),
    ],
)
def test_a_weekday_of_the_original_does_not_stand_beside_another_day(
    with_weekday: str, without: str
) -> None:
    assert one("EVENT_DATE", with_weekday, without) == [one("EVENT_DATE", without)[0]] * 2


def test_a_month_that_is_written_like_a_weekday_stays() -> None:
    assert re.fullmatch(r"[A-Z][a-z]{2} \d{1,2}, \d{4}", one("EVENT_DATE", "Mar 3, 2024")[0])


@pytest.mark.parametrize(
    ("original", "form"),
    [
        ("04/17/1962", r"\d\d/\d\d/\d{4}"),
        ("17.12.62", r"\d\d\.\d\d\.\d\d"),
        ("1962-11-27", r"\d{4}-\d\d-\d\d"),
        ("12/1962", r"\d\d/\d{4}"),
        ("4/17/1962", r"[1-9]\d?/[1-9]\d?/\d{4}"),
        ("17 May 1962", r"[1-9]\d? \w+ \d{4}"),
    ],
)
def test_a_date_has_as_many_digits_as_its_form_takes(original: str, form: str) -> None:
    for seed in range(30):
        (made,) = written({"e": Target("EVENT_DATE", [original])}, seed=seed)["e"]
        assert re.fullmatch(form, made), made


@pytest.mark.parametrize(
    ("original", "language", "spoken"),
    [
        ("21. Mai 1949", "de", "de"),
        ("21. Mai 1949", "", "de"),
        ("21. Mai 1949", "fr", "de"),
        ("21 mai 1949", "", "fr"),
        ("21 mai 1949", "de", "de"),
        ("21 May 1949", "de", "en"),
        ("3. April 1949", "en", "de"),
        ("3 avril 1949", "en", "fr"),
    ],
)
def test_a_months_name_stays_in_its_language(original: str, language: str, spoken: str) -> None:
    rows = schema.words("calendar")["months"][spoken]
    names = {name.casefold() for row in rows for name in row}
    for seed in range(12):
        targets = {"e": Target("EVENT_DATE", [original], (), language)}
        (made,) = written(targets, seed=seed)["e"]
        assert made.split()[1].casefold() in names, made


@pytest.mark.parametrize(
    ("kind", "language", "original", "expected"),
    [
        ("INDIRECT_IDENTIFIER", "en", "lighthouse keeper", "(?!an? )[^aeiou].*"),
        ("INDIRECT_IDENTIFIER", "en", "a lighthouse keeper", "a [^aeiou].*"),
        ("INDIRECT_IDENTIFIER", "en", "an astronomer", "an [aeiou].*"),
        ("INDIRECT_IDENTIFIER", "en", "astronomer", "[aeiou].*"),
        ("MEDICAL_CONDITION", "fr", "maladie de Crohn", "(?!une |des )[^aeiou].*"),
        ("MEDICAL_CONDITION", "fr", "la maladie de Crohn", "la [^aeiou].*"),
        ("MEDICAL_CONDITION", "fr", "asthme", "[aei].*"),
        ("MEDICAL_CONDITION", "fr", "l'asthme", "l'[aei].*"),
        ("MEDICAL_CONDITION", "fr", "des migraines", "des .*s.*"),
        ("MEDICAL_CONDITION", "de", "Diabetes", r"[A-ZÄÖÜ]\w+"),
        ("EVENT", "en", "the great flood", "the [^aeiou].*"),
    ],
)
def test_a_phrase_fits_the_article_that_is_there_and_brings_none(
    kind: str, language: str, original: str, expected: str
) -> None:
    for seed in range(12):
        (made,) = written({"e": Target(kind, [original], (), language)}, seed=seed)["e"]
        assert re.fullmatch(expected, made), made


def test_a_card_number_fails_its_checksum() -> None:
    for seed in range(20):
        targets = {"e": Target("CREDIT_CARD", ["4111 1111 1111 1111"])}
        digits = [int(c) for c in written(targets, seed=seed)["e"][0] if c.isdigit()][::-1]
        doubled = [sum(divmod(2 * digit, 10)) for digit in digits[1::2]]
        assert (sum(digits[::2]) + sum(doubled)) % 10


def test_surrogates_repeat_under_key_and_seed_and_change_with_either() -> None:
    targets = {str(n): Target("NAME", [f"Ann Field{n}"]) for n in range(20)}
    first = written(targets)
    assert written(targets) == first
    assert written(targets, seed=1) != first != written(targets, key=b"another key, as long")


def test_a_key_that_the_user_did_not_give_changes_no_surrogate(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Same input, settings and seed give the same bytes, though each run makes its own key."""
    monkeypatch.delenv("LINKMASK_KEY", raising=False)
    targets = {"n": Target("NAME", ["Ann Field"]), "e": Target("EVENT_DATE", ["last spring"])}
    document = Document("d", "Ann Field, last spring")

    def masked(key: bytes, **given: object) -> str:
        settings = Settings(style="surrogate", seed=7, **given)
        return Redactor(targets, settings, key=key)(document, []).content

    made = masked(KEY)
    assert masked(b"another key, also long") == made and "Field" not in made
    assert masked(b"another key, also long", unkeyed=True) == masked(KEY, unkeyed=True)
    named = masked(KEY, key_file="k")
    assert named != made and named != masked(b"another key, also long", key_file="k")
    monkeypatch.setenv("LINKMASK_KEY", KEY.decode())
    assert masked(KEY) == named


def test_entities_do_not_share_a_surrogate_while_the_lists_last() -> None:
    targets = {str(n): Target("NAME", [f"Ann Field{n}"]) for n in range(400)}
    assert len({each[0] for each in written(targets).values()}) == 400


def test_no_surrogate_is_a_value_of_the_corpus() -> None:
    """What would be one is drawn again; here every town but one is taken."""
    targets = {"e": Target("LOCATION", ["Denver"])}
    towns = {written(targets, seed=seed)["e"][0] for seed in range(8)}
    originals = sorted(towns)[1:]
    for seed in range(8):
        styled = Settings(style="surrogate", seed=seed)
        redactor = Redactor(targets, styled, key=KEY, originals=originals)
        assert redactor(Document("d", "denver"), []).content not in {t.lower() for t in originals}


def test_no_surrogate_holds_another_masked_value() -> None:
    targets = {"e": Target("NAME", ["Ann Field"])}
    family = written(targets)["e"][0].split()[1]
    targets["f"] = Target("NAME", [family])
    redactor = Redactor(targets, Settings(style="surrogate"), key=KEY)
    assert family not in redactor(Document("d", "Ann Field"), []).content


def gender_of(name: str) -> str:
    """The gender that the lists of made-up names say of a given name; "" where they say none."""
    lists = [schema.words("surrogates")[language] for language in ("en", "fr", "de")]
    return next(
        (g for g in ("female", "male") for one in lists if name in one[f"given_{g}"].split()), ""
    )


@pytest.mark.parametrize(
    ("language", "name", "gender"),
    [
        ("en", "Jane Doe", "female"),
        ("en", "Doe, John", "male"),
        ("en", "Mary Roe", "female"),
        ("fr", "Thierry Roussel", "male"),
        ("en", "Dr. Jane Doe", "female"),
        ("fr", "Bastien Roussel", "male"),
        ("fr", "Anne-Marie Roussel", "female"),
        ("de", "Jürgen Brandvold", "male"),
        ("en", "Mr. Zelko Finch", "male"),
        ("fr", "Mme Camille Roussel", "female"),
        ("fr", "Camille Roussel", ""),
        ("fr", "Jean-Marie Roussel", ""),
        ("en", "Mr. Jane Doe", ""),
        ("en", "Wei Zhang", ""),
        ("en", "Zelko Finch", ""),
    ],
)
def test_a_surrogate_keeps_the_gender_that_a_name_tells(
    language: str, name: str, gender: str
) -> None:
    """Where neither the name nor a title tells it, the made-up name tells none either."""
    for seed in range(12):
        target = {"e": Target("NAME", [name], (), language)}
        (made,) = written(target, seed=seed)["e"]
        untitled = made.removeprefix("Mr. ").removeprefix("Dr. ").removeprefix("Mme ")
        given = untitled.partition(", ")[2] or untitled.split()[0]
        assert gender_of(given) == gender, made


def test_the_lists_of_genders_and_of_made_up_names_agree() -> None:
    """No name is of both genders, and no made-up name without a gender is listed with one."""
    table = schema.words("genders")
    female, male = (
        {name for kind in ("", "_common", "_german") for name in table[f"{gender}{kind}"].split()}
        for gender in ("female", "male")
    )
    assert not female & male and min(len(female), len(male)) > 1000
    for language in ("en", "fr", "de"):
        lists = schema.words("surrogates")[language]
        plain_of = {
            key: {without_case_and_accents(n) for n in lists[key].split()}
            for key in lists
            if "given" in key
        }
        assert not plain_of["given_female"] & male and not plain_of["given_male"] & female
        assert not plain_of["given"] & (female | male), plain_of["given"] & (female | male)


@pytest.mark.parametrize(
    ("kind", "language", "original", "made"),
    [
        ("MEDICAL_CONDITION", "en", "severe asthma", "respiratory condition"),
        ("MEDICAL_CONDITION", "en", "asthma", "airway condition"),
        ("MEDICAL_CONDITION", "en", "breast cancer", "cell growth disorder"),
        ("MEDICAL_CONDITION", "en", "heartburn", "digestive condition"),
        ("MEDICAL_CONDITION", "en", "heat stroke", "health condition"),
        ("MEDICAL_CONDITION", "en", "adrenal crisis", "illness"),
        ("MEDICAL_CONDITION", "en", "an itchy scalp", "an illness"),
        ("MEDICAL_CONDITION", "fr", "la maladie de Parkinson", "la maladie neurologique"),
        ("MEDICAL_CONDITION", "de", "Bluthochdruck", "Kreislauferkrankung"),
        ("TREATMENT", "en", "appendectomy", "operation"),
        ("TREATMENT", "en", "Lisinopril", "Medicine"),
        ("TREATMENT", "en", "April check-up", "Intervention"),
        ("TREATMENT", "en", "plaster cast", "treatment"),
        ("TREATMENT", "fr", "chimiothérapie", "médication"),
        ("DEMOGRAPHIC", "en", "young widow", "person"),
        ("EVENT", "en", "the great flood", "the happening"),
        ("INDIRECT_IDENTIFIER", "en", "a lighthouse keeper", "a particular circumstance"),
    ],
)
def test_a_fact_gives_way_to_its_class(kind: str, language: str, original: str, made: str) -> None:
    """A surrogate says less, not something else: nobody is given another illness or craft."""
    assert one(kind, original, language=language) == [made]


def test_entities_of_one_class_are_written_alike() -> None:
    targets = {
        "a": Target("MEDICAL_CONDITION", ["asthma"]),
        "b": Target("MEDICAL_CONDITION", ["asthmatic bronchitis"]),
    }
    assert {text for texts in written(targets).values() for text in texts} == {"airway condition"}


def test_a_class_that_is_a_value_of_the_corpus_gives_way_to_the_widest() -> None:
    targets = {"e": Target("MEDICAL_CONDITION", ["severe asthma"])}
    held = lambda texts: [text == "respiratory condition" for text in texts]  # noqa: E731
    assert written(targets, forbidden=held)["e"] == ["health condition"]


def test_invented_facts_are_written_where_asked() -> None:
    invented = schema.words("surrogates")["en"]["MEDICAL_CONDITION"]
    targets = {"e": Target("MEDICAL_CONDITION", ["severe asthma"])}
    (made,) = written(targets, facts="invented")["e"]
    assert made in invented


@pytest.mark.parametrize(("days", "written"), [(24, "[EVENT_DATE]"), (25, "6 April 2024")])
def test_a_date_is_not_moved_to_a_day_that_is_masked_elsewhere(days: int, written: str) -> None:
    """The moved date would be found as a leftover, and its document set aside."""
    targets = {
        "a" * 32: Target("EVENT_DATE", ("12 March 2024",), value="2024-03-12"),
        "b" * 32: Target("EVENT_DATE", ("5 April",), value="--04-05"),
    }
    redactor = Redactor(targets, Settings(style="shift"), days={"a" * 32: days})
    assert redactor.mask_for("a" * 32, "12 March 2024") == written
