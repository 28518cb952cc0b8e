"""What finders see: blanks of any kind are blanks, wrapped lines go on, offsets stay."""

import re
import textwrap
import unicodedata

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from linkmask import detect
from linkmask.config import Settings
from linkmask.graph import entities
from linkmask.records import Document, Mention
from linkmask.text.layout import doubled, unify_blanks

PROSE = (
    "The claimant asked the board to look at the refusal once more, since the surgeon Dr. Ilse "
    "Brandhuld had written to Mr. Teemu Kallio on 14 March 2024 that the knee would not heal "
    "unaided; he lives at 2289 Bayview Drive, Seabrook, TX 77586 and can be reached there by all "
    "who are concerned with the case, as his wife Marta Kallio told the office in the same week."
)


def found(text: str) -> list[tuple[str, str]]:
    """Return what the rules find, each value with its blanks made one."""
    document = Document("d", text, {})
    mentions = detect.first_pass(document, Settings(detector="rules"), entities.canonical)
    return [(" ".join(m.original.split()), m.type) for m in mentions]


@given(st.text(alphabet=st.sampled_from("ab 1.:|_\t\n\r\u00a0\u202fé"), max_size=400))
def test_only_blanks_line_ends_and_italics_change_into_blanks_and_line_ends(text: str) -> None:
    """A find in what finders see has the same offsets in the text."""
    seen = unify_blanks(text)
    assert len(seen) == len(text)
    changed = [(a, b) for a, b in zip(text, seen, strict=True) if a != b]
    assert all(b == " " or (a, b) == ("\r", "\n") for a, b in changed)
    assert all(a.isspace() or a == "_" for a, _ in changed)


def test_values_in_italics_are_found_and_codes_with_underscores_stay_whole() -> None:
    text = "Patient: _Teemu Kallio_, __617-555-0184__; write to teemu_k@example.org, ___ copies."
    assert found(text) == found(text.replace("_T", " T").replace("o_", "o ").replace("__6", "  6"))
    assert ("teemu_k@example.org", "EMAIL") in found(text) and "___" in unify_blanks(text)


@pytest.mark.parametrize("blank", ["\u00a0", "\u202f", "\u2009", "\u3000"])
def test_a_blank_that_does_not_break_is_a_blank(blank: str) -> None:
    assert found(PROSE.replace(" ", blank)) == found(PROSE)


@pytest.mark.parametrize("width", [48, 60, 72, 100])
def test_values_are_found_over_the_ends_of_wrapped_lines(width: int) -> None:
    """Wherever a mailer or a scanner broke the lines, the same is found."""
    wrapped = "\n".join(textwrap.wrap(PROSE, width, break_on_hyphens=False))
    assert found(wrapped) == found(PROSE)


@pytest.mark.parametrize("unseen", ["\u00ad", "\u200b", "\u2060", "\ufeff"])
def test_characters_of_no_width_hide_nothing(unseen: str) -> None:
    """A value is found with those within it: "Kal", soft hyphen, "lio"."""
    hidden = re.sub(r"(?<=\w)(?=\w\w)", unseen, PROSE)
    assert [(v.replace(unseen, ""), kind) for v, kind in found(hidden)] == found(PROSE)
    mentions = _names(hidden, f"Teemu Kal{unseen}lio")
    held = {"content": hidden, "metadata/note": f"Teemu Kal{unseen}lio"}
    assert all(held[m.field][m.start : m.end] == m.original for m in mentions)
    seen = [[(m.field, m.value) for m in one] for one in (mentions, _names(PROSE, "Teemu Kallio"))]
    assert seen[0] == seen[1] and ("content", "marta kallio") in seen[0]


def _names(text: str, note: str) -> list[Mention]:
    document = Document("d", text, {"note": note})
    mentions = detect.first_pass(document, Settings(detector="rules"), entities.canonical)
    return [one for one in mentions if one.type == "NAME"]


@pytest.mark.parametrize("parts", ["; ", ",", "   "])
def test_rows_of_a_table_as_long_as_each_other_were_not_wrapped(parts: str) -> None:
    names = ("Kallio Teemu", "Brandhuld Ilse", "Roth Marta", "Mor Zoan", "Okwar Bright", "Lune Ada")
    rows = (parts.join((f"{one:14}".replace(" ", "."), f"19{n}4-01-02", "555-0148", f"W220{n}"))
            for n, one in enumerate(names))  # fmt: skip
    table = "\n".join(rows)
    assert unify_blanks(table) == table


@pytest.mark.parametrize(
    "text",
    [
        "Teemu Kallio\n2289 Bayview Drive\nSeabrook, TX 77586\nPhone 617-555-0184",
        "Patient: Teemu Kallio\nBirth date: 03/04/1961\nPhysician of the patient: Dr. Ilse Roth",
        "Name | Number of the member in the plan\nTeemu Kallio | 4711\nMarta Kallio | 4712",
        "one\ntwo\nthree",
    ],
)
def test_lines_that_were_not_wrapped_stay(text: str) -> None:
    """Addresses, forms and tables have line ends of their own."""
    assert unify_blanks(text) == text


LETTERS = {
    "en": PROSE,
    "fr": (
        "Mme Zoé Brûlé, née le 3 février 1961 à Orléans, habite 12 rue de l'Étang, 45000 Orléans. "
        "Prénom : Maïté. La patiente est suivie par le Dr Éric Lefèvre pour une sclérose en "
        "plaques ; numéro d'adhérent 448-2210."
    ),
    "de": (
        "Herr Jürgen Müßig, geboren am 3. März 1961, wohnhaft Königsstraße 12, 80331 München, "
        "wurde am 14.03.2024 von Frau Dr. Käthe Löw wegen einer Hüftgelenksentzündung behandelt."
    ),
}


@pytest.mark.parametrize("language", LETTERS)
def test_letters_with_their_accents_apart_are_the_same_letters(language: str) -> None:
    """Cues and values are seen either way, and a value takes the accents of its last letter."""
    text = LETTERS[language]
    apart = unicodedata.normalize("NFD", text)
    assert [(unicodedata.normalize("NFC", v), kind) for v, kind in found(apart)] == found(text)
    assert found(text)


@given(st.lists(st.booleans(), min_size=400, max_size=400), st.sampled_from(sorted(LETTERS)))
@settings(max_examples=25, deadline=None)
def test_a_text_with_some_accents_apart_gives_the_same_mentions(
    apart: list[bool], language: str
) -> None:
    text = LETTERS[language]
    mixed = (
        "".join(
            unicodedata.normalize("NFD", one) if split else one
            for one, split in zip(text, apart, strict=False)
        )
        + text[len(apart) :]
    )
    assert [(unicodedata.normalize("NFC", v), kind) for v, kind in found(mixed)] == found(text)


@pytest.mark.parametrize("language", LETTERS)
@pytest.mark.parametrize("every", [1, 2, 3, 5])
def test_blanks_doubled_here_and_there_part_nothing(language: str, every: int) -> None:
    """So does a scanner leave them, or who sets a text in even lines."""
    words = LETTERS[language].split(" ")
    text = "".join(w + ("  " if n % every == 0 else " ") for n, w in enumerate(words)).rstrip()
    assert found(text) == found(LETTERS[language])


@pytest.mark.parametrize("width", [50, 70, 100])
def test_blanks_doubled_in_even_lines_part_nothing(width: int) -> None:
    lines = textwrap.wrap(PROSE, width, break_on_hyphens=False)
    even = [
        "".join(w + ("  " if n < width - len(line) else " ") for n, w in enumerate(line.split()))
        for line in lines
    ]
    assert found("\n".join(line.rstrip() for line in even)) == found(PROSE)


@pytest.mark.parametrize(
    "text",
    [
        "Name  MRN  DOB\nTeemu Kallio  W22041  1961-03-04\nMarta Roth  W22042  1962-03-04",
        "Nom  Prénom  Ville\nBrûlé  Zoé  Orléans\nRoth  Maïté  Lyon",
        "Teemu Kallio   W22041\nMarta  Roth   W22042",
        "Name: Teemu Kallio  DOB: 1961-03-04  Member ID: 4471882",
        "Teemu  |  Kallio\tW22041",
        "alpha  one   x\n  beta indented only",
    ],
)
def test_blanks_that_part_columns_or_fields_stay(text: str) -> None:
    assert doubled(text) == []


WORDS = st.sampled_from(["ab", "a", "one", "1.", "x:", "é", "words", "of"])
GAPS = st.sampled_from([" ", " ", "  ", "  ", "   ", "\t"])
LINES = st.lists(st.tuples(WORDS, GAPS).map("".join), max_size=14).map("".join)


def test_only_the_second_of_two_blanks_within_a_line_is_too_many() -> None:
    """Whatever words and gaps lines are made of; in many of them a gap is doubled."""
    reached = 0

    @given(LINES, st.lists(LINES, max_size=2))
    def check(line: str, others: list[str]) -> None:
        nonlocal reached
        text = "\n".join([f"{line}of  the visit", *others])
        for start, end in doubled(text):
            assert text[start - 1 : end] == "  " and end == start + 1
            assert text[start - 2] not in " \n\t" and text[end] not in " \n\t"
            reached += 1

    check()
    assert reached >= 30


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Phone: ４１５－５５５－０１８８", ("４１５－５５５－０１８８", "PHONE_NUMBER")),
        ("Phone: (415) 555‑0188", ("(415) 555‑0188", "PHONE_NUMBER")),
        ("Phone: 415–555–0188", ("415–555–0188", "PHONE_NUMBER")),
        ("Tél. : 06–12–34–56–78", ("06–12–34–56–78", "PHONE_NUMBER")),
        ("E‑mail: zoan.m＠mail.example", ("zoan.m＠mail.example", "EMAIL")),
        ("Geboren am １２.０３.１９８０", ("１２.０３.１９８０", "BIRTHDATE")),
        ("Member no.: ＭＣ４４７１－８８２０", ("ＭＣ４４７１－８８２０", "PATIENT_ID")),
        ("Tel. ٠٦ ١٢ ٣٤ ٥٦ ٧٨", ("٠٦ ١٢ ٣٤ ٥٦ ٧٨", "PHONE_NUMBER")),
    ],
)
def test_figures_of_other_widths_and_scripts_are_figures(
    text: str, expected: tuple[str, str]
) -> None:
    assert expected in found(text)


def test_a_dash_between_two_numbers_stays_one() -> None:
    assert unify_blanks("pages 12–14, 2019–2020") == "pages 12–14, 2019–2020"


def test_a_head_with_narrow_gaps_above_rows_with_wide_ones_keeps_them() -> None:
    text = "SURNAME  FORENAME  BORN\nPEACE    ROSE      09/12/1977\nPRINCE   MAY       30/06/1990"
    assert doubled(text) == []
    assert ("PEACE", "NAME") in found(text)
    assert ("30/06/1990", "BIRTHDATE") in found(text)
