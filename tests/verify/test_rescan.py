"""Verification sees what redaction missed, and only that."""

import dataclasses

import pytest
from msgspec.structs import replace

from counted_work import lines_run
from linkmask import verify
from linkmask.config import Settings
from linkmask.records import (
    CapitalizedSpelling,
    Document,
    Finding,
    Masked,
    Mention,
    Replacement,
    Why,
    entity_id,
)
from linkmask.redact.techniques.numbers import band

SETTINGS = Settings()
NAME = entity_id("ann field", "NAME")
VALUES = {NAME: ["Ann Field", "Field, Ann"]}


def check(documents: list, values: dict, settings: Settings) -> list[Finding]:
    """What inspection finds in some documents."""
    inspect = verify.Inspector(values, settings)
    return [finding for document in documents for finding in inspect(document).findings]


def kinds(found: list) -> list[tuple[str, str, bool]]:
    return [(finding.document, finding.kind, finding.blocking) for finding in found]


def test_a_clean_document_has_no_finding() -> None:
    document = Document("d", "[NAME] of Fieldston, and Annfield.", {"by": "[NAME]"})
    assert check([document], VALUES, SETTINGS) == []


def test_a_value_left_in_any_spelling_or_place_is_found() -> None:
    """Case, accents, white space, other forms, metadata, numbers, names of fields, encodings."""
    places = [
        Document("a", "Here is ANN  \r\n field."),
        Document("b", "x", {"by": {"deep": ["ok", "Field, Ann"]}}),
        Document("c", "x", {"ann field": 1}),
        Document("d", "Ánn Field"),
        Document("e", "x", {"id": 4471882}),
        Document("f", "_Ann Field_"),
        Document("g", "scan_ann_field_2.pdf"),
        Document("h", "A\u200bnn Fi\u00adeld"),
        Document("i", "https://example.org/?by=Ann%20Field"),
        Document("j", "&Aacute;nn&nbsp;Field"),
        Document("k", "data:text/plain;base64,QW5uIEZpZWxkIGNhbGxlZC4="),
        Document("l", "token eyJzdWIiOiAiQW5uIEZpZWxkIn0 was sent"),
        Document("m", "She is \u202edleiF nnA\u202c."),
    ]
    values = {**VALUES, "id": ["4471882"]}
    assert kinds(check(places, values, SETTINGS)) == [
        (name, "leftover", True) for name in "abcdefghijklm"
    ]


@pytest.mark.parametrize(
    ("text", "way"),
    [
        ("Ann Field", ""),
        ("Ann Field, QW5uIEZpZWxkIGNhbGxlZC4=", ""),
        ("QW5uIEZpZWxkIGNhbGxlZC4=", "in Base64"),
        ("She is \u202edleiF nnA\u202c.", "backwards"),
        ("A n n  F i e l d", "with letters set apart"),
        ("".join(chr(0xE0000 + ord(one)) for one in "Ann Field"), "in unseen characters"),
    ],
)
def test_a_finding_says_how_a_value_is_hidden(text: str, way: str) -> None:
    """Or else nobody sees why the document was set aside."""
    (found,) = check([Document("d", text)], VALUES, SETTINGS)
    assert found.hidden == way and found.detail.endswith(way)


def test_no_finding_repeats_a_value() -> None:
    found = check([Document("d", "Ann Field")], VALUES, SETTINGS)
    assert found and "ield" not in found[0].detail and found[0].entity == NAME


def test_a_masked_value_in_an_excluded_field_is_found_and_does_not_block() -> None:
    """Whoever excludes a field is told what it gives away; nobody else's field is let off."""
    record = {"by": "Ann Field", "Ann Field": 1}
    document = Document("d", "x", others=record, excluded=frozenset({"record/by"}))
    assert kinds(check([document], VALUES, SETTINGS)) == [("d", "leftover", True)]
    for name in ("by", "Ann Field"):
        excluded = frozenset({f"record/{name}"})
        document = Document("d", "x", others={name: record[name]}, excluded=excluded)
        assert kinds(check([document], VALUES, SETTINGS)) == [("d", "excluded", False)]


def test_a_masked_value_in_a_key_is_found() -> None:
    for others in ({"Ann Field": None}, {"by": [{"Ann Field": {}}]}):
        document = Document("d", "x", others=others)
        assert kinds(check([document], VALUES, SETTINGS)) == [("d", "leftover", True)]


CUT_OR_NESTED = (
    "so [NAME", "so [NAME_12]", "[NAME[NAME]]", "[REDACTED_x]", "[NAMEaf299ac2]",
    "so [NAMEaf299ac and", "[NAME_af29", "[NAME_af299ac2 x", "for [NAME_OF_PATIENT]",
)  # fmt: skip


def placeholder_findings(before: str, after: str) -> list[Finding]:
    original = Document("d", before)
    masked = Masked(original, original.with_fields({"content": after}), [])
    return [one for one in check([masked], {}, SETTINGS) if one.kind == "placeholder"]


@pytest.mark.parametrize("text", CUT_OR_NESTED)
def test_placeholders_that_masking_cut_or_nested_are_found(text: str) -> None:
    """What the original itself holds of that form is no damage: a template, a text cut off."""
    [found] = placeholder_findings("so Ann Field", text)
    assert found.blocking
    assert placeholder_findings(text, text) == []
    assert placeholder_findings(f"{text} Ann Field", f"{text} [NAME[") != []


def test_whole_placeholders_are_no_findings() -> None:
    for text in ("[NAME]", "[NAME_0a1b2c3d]", "[REDACTED]", "[NAME OF PATIENT]", "[1]", "[NAMES]",
                 "[AGEd 52]"):  # fmt: skip
        assert placeholder_findings("so Ann Field", text) == [], text


def test_a_change_outside_the_masks_is_found() -> None:
    original = Document("d", "Ann Field is ill.", {"n": 1})
    mask = Replacement("content", 0, 9, NAME, "NAME", "[NAME]")
    written = original.with_fields({"content": "[NAME] is ill."})
    good = Masked(original, written, [mask])
    assert check([good], VALUES, SETTINGS) == []
    for bad in (
        written.with_fields({"content": "[NAME] is well."}),
        written.with_fields({"metadata/n": 2}),
        dataclasses.replace(written, metadata={}),
        dataclasses.replace(written, others={"n": 1}),
    ):
        assert ("d", "unreadable", True) in kinds(
            check([replace(good, written=bad)], VALUES, SETTINGS)
        )


def test_a_mention_must_be_covered_from_end_to_end() -> None:
    """A risky value such as an age is checked where it was found, not by a search."""
    original = Document("d", "Aged 52 years.")
    age = Mention("d", "content", 5, 7, "AGE", "52", "52", 0.9, Why("test"))
    inspect = verify.Inspector({}, SETTINGS)
    mask = Replacement("content", 5, 7, "e", "AGE", "[AGE]")
    good = Masked(original, original.with_fields({"content": "Aged [AGE] years."}), [mask])
    assert not inspect(good, [("e", age)]).findings
    bad = Masked(original, original, [])
    assert kinds(list(inspect(bad, [("e", age)]).findings)) == [("d", "leftover", True)]


def test_a_bare_surname_is_a_leftover_only_with_its_capital() -> None:
    values = {NAME: [CapitalizedSpelling("Banks")]}
    for text in ("Banks", "the banks of BANKS", "Bánks's"):
        assert kinds(check([Document("d", text)], values, SETTINGS)), text
    assert check([Document("d", "the banks")], values, SETTINGS) == []


def test_a_surname_that_is_an_everyday_word_is_looked_at_once_where_it_stands() -> None:
    """Four times the text takes about four times the work, counted in lines of code run."""
    inspect = verify.Inspector({NAME: [CapitalizedSpelling("Banks")]}, SETTINGS)
    assert kinds(list(inspect(Document("d", "straße an den banks, Banks")).findings))

    def work(n: int) -> int:
        return lines_run(lambda: inspect(Document("d", "the banks " * n)))

    assert work(800) < 5 * work(200)


def test_the_rest_of_a_masked_treatment_is_no_new_value() -> None:
    """What is unsure right after a drug's mask is not counted, a diagnosis there still is."""
    document = Document("d", "two rituximab infusions")
    mask = Replacement("content", 4, 13, "e", "TREATMENT", "[TREATMENT]")
    masked = Masked(
        document, document.with_fields({"content": "two [TREATMENT] infusions"}), [mask]
    )
    for score, counted in ((0.4, 0), (0.8, 1)):
        why = Why("lexicon", "", score)
        seen = Mention("d", "content", 16, 25, "TREATMENT", "infusions", "infusions", 0.5, why)
        inspect = verify.Inspector({}, SETTINGS)
        assert len(inspect(masked, found=[seen]).mentions) == counted


@pytest.mark.parametrize("age", [4, 10, 39, 61, 89])
def test_the_end_of_a_band_of_ages_is_nobody_s_age(age: int) -> None:
    """ "30–39-year-old" does not say "39-year-old"; that age itself is found."""
    told = f"a {age}-year-old engraver"
    end = f"{age // 10 * 10 + 9}-year-old"
    written = band(told, str(age), "en")
    inspect = verify.Inspector({"age": [end]}, SETTINGS)
    assert written and written.endswith(f"–{end} engraver")
    assert inspect.readable([written]) == set()
    assert inspect.readable([f"a {end} engraver", f"2–{end}"]) == {"age"}
