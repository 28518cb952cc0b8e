"""Finding every form of every value: whole words, any case and accents, right offsets."""

import re
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from linkmask.redact import match
from linkmask.redact.match import Matcher
from linkmask.text.codes import WORD, fold, folded_codes

ALPHABET = "aAbB1.,#- \t\r\néÉ\u0301ßSsİiıœ’'😀\ufeff_[]"


def found(forms: list[str], text: str) -> list[str]:
    return [text[start:end] for start, end, _ in Matcher(forms).find([text])[0]]


@pytest.mark.parametrize(
    ("form", "text", "hits"),
    [
        ("Ann Field", "ann  FIELD, Ann\r\nField and annfield", ["ann  FIELD", "Ann\r\nField"]),
        ("52", "52 152 52.5 1,52 x52 52x 52, 52. (52)", ["52", "52", "52", "52"]),
        ("#77382", "#77382 A#77382 ##77382", ["#77382", "#77382"]),
        ("50+", "50+ 50 50+x 150+", ["50+"]),
        ("José Núñez", "JOSE NUNEZ, Jose\u0301 Nu\u0301n\u0303ez",
         ["JOSE NUNEZ", "Jose\u0301 Nu\u0301n\u0303ez"]),
        ("Strasse", "Straße STRASSE straßen", ["Straße", "STRASSE"]),
        ("stras", "Straße", []),
        ("se", "Straß se", ["se"]),
        ("istanbul", "İstanbul İİ ISTANBUL", ["İstanbul", "ISTANBUL"]),
        ("Œuvre", "oeuvre", ["oeuvre"]),
        ("O'Brien", "O’Brien o'brien", ["O’Brien", "o'brien"]),
        ("FC-88245", "FC–88245 fc-88245", ["FC–88245", "fc-88245"]),
        ("Ann", "\ufeffAnn 😀Ann😀 ❤️Ann", ["Ann", "Ann", "Ann"]),
        ("Ann", "Ann_ _Ann Anné Ann\u0301 Ann2", ["Ann", "Ann", "Ann\u0301"]),
        ("Ann Field", "__Ann Field__ scan_ann_field_2.pdf", ["Ann Field", "ann_field"]),
        ("ann_field", "Ann Field", ["Ann Field"]),
        ("Ann Field", "A\u200bnn Fi\u00adeld", ["A\u200bnn Fi\u00adeld"]),
        ("edith", "\u0301edith e\u0301dith xe\u0301dith", ["edith", "e\u0301dith"]),
        ("Ann \ufeff", "Ann Field", ["Ann"]),
        ("\ufeff Ann\u200b  \u00ad Field ", "Ann Field", ["Ann Field"]),
        ("***", "*** ***", []),
        ("", "anything", []),
        ("Müller & Söhne", "MULLER &  SOHNE", ["MULLER &  SOHNE"]),
    ],
)  # fmt: skip
def test_hits_and_near_misses(form: str, text: str, hits: list[str]) -> None:
    assert found([form], text) == hits


def test_overlapping_and_nested_forms_are_all_found() -> None:
    forms = ["Hill", "Potrero Hill", "Hill Clinic", "Potrero Hill Clinic"]
    assert found(forms, "The Potrero Hill Clinic") == [
        "Potrero Hill", "Potrero Hill Clinic", "Hill", "Hill Clinic",
    ]  # fmt: skip


def test_texts_do_not_run_into_each_other() -> None:
    hits = Matcher(["Ann Field"]).find(["Ann", "Field", "Ann Field", "", "x Ann Field"])
    assert hits == [[], [], [(0, 9, 0)], [], [(2, 11, 0)]]


def test_hits_carry_the_number_given_with_the_form() -> None:
    assert Matcher(["!", "Ann", "Bo"], [7, -2, 5]).find(["Bo, Ann"]) == [[(0, 2, 5), (4, 7, -2)]]


@given(st.text(ALPHABET, max_size=40))
def test_folding_keeps_track_of_every_offset(text: str) -> None:
    characters, codes, offsets = fold(text)
    assert (codes[characters] >= 0).all() and (codes[codes[characters] % WORD] % WORD >= 0).all()
    if offsets is None:
        assert len(characters) == len(text)
    else:
        assert len(offsets) == len(characters) + 1 and offsets[-1] == len(text)
        assert all(a <= b for a, b in pairwise(offsets))


def test_what_was_folded_folds_to_itself() -> None:
    """Else a text with a rare character would be searched in another folding than the forms."""
    text = "".join(chr(c) for c in range(0x3000) if not 0xD800 <= c < 0xE000)
    once = folded_codes(text)
    assert (folded_codes("".join(chr(c % WORD) for c in once)) == once).all()


PLAIN = "aAbB1.,#- \n_é😀"


@settings(max_examples=200)
@given(st.lists(st.text(PLAIN, min_size=1, max_size=4), max_size=4), st.text(PLAIN, max_size=40))
def test_the_search_equals_the_regular_expression_of_the_specification(
    forms: list[str], text: str
) -> None:
    """formulas.md §10.1, an underscore as white space; overlaps within a form left out of both."""
    text = text.replace("é", "e")
    forms = [form.replace("é", "e").strip() for form in forms]
    hits = Matcher(forms).find([text])[0]
    for number, form in enumerate(forms):
        if not any(map(str.isalnum, form)):
            continue
        form = form.replace("_", " ").strip()
        body = r"[\s_]+".join(map(re.escape, form.split()))
        before = r"(?<![^\W_])" + (r"(?<!\d[.,])" if form[0].isdigit() else "")
        after = r"(?![^\W_])" + (r"(?![.,]\d)" if form[-1].isdigit() else "")
        pattern = re.compile(f"(?=({before}{body}{after}))", re.I)
        expected = [m.span(1) for m in pattern.finditer(text)]
        assert [(s, e) for s, e, n in hits if n == number] == expected


@settings(max_examples=40, deadline=None)
@given(st.lists(st.text(ALPHABET, max_size=6), max_size=5), st.text(ALPHABET, max_size=60))
def test_compiled_and_plain_search_agree(forms: list[str], text: str) -> None:
    plain = Matcher(forms).find([text])
    before, match.COMPILE_FROM = match.COMPILE_FROM, 0
    try:
        assert Matcher(forms).find([text]) == plain
    finally:
        match.COMPILE_FROM = before


@given(st.lists(st.text("ab. ", max_size=8), max_size=4), st.text("ab. ", max_size=80))
def test_forms_are_found_wherever_the_text_is_cut_into_blocks(forms: list[str], text: str) -> None:
    whole = Matcher(forms).find([text])
    before, match.BLOCK = match.BLOCK, 1
    try:
        assert Matcher(forms).find([text]) == whole
    finally:
        match.BLOCK = before


def test_forms_are_entered_alike_whatever_number_is_folded_at_a_time(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    forms = ["Ann Roe", "", "e\u0301ly", "\u0301a", "Straße", "a\0b", "x_y", "Ann Roe", "İzmir"]
    whole = Matcher(forms).columns()
    monkeypatch.setattr(match, "FORMS", 2)
    parts = Matcher(forms).columns()
    assert {name: array.tobytes() for name, array in parts.items()} == {
        name: array.tobytes() for name, array in whole.items()
    }


def test_the_search_goes_over_to_compiled_loops_on_the_way() -> None:
    matcher = Matcher(["Ann Field", "#77382"])
    text = "Ann Field, claim #77382. " * 40
    before, match.COMPILE_FROM = match.COMPILE_FROM, 2_500
    try:
        first, second, third = (matcher.find([text]) for _ in range(3))
    finally:
        match.COMPILE_FROM = before
    assert first == second == third and len(first[0]) == 80


def test_more_hits_than_expected_are_all_reported() -> None:
    assert len(found(["a"], "a " * 5_000)) == 5_000


def test_the_search_is_compiled_by_the_steps_it_takes() -> None:
    """A text that repeats a long form takes hundreds of steps a character, another takes one."""
    long = " ".join(["ab"] * 60)
    repeated, plain = Matcher([long]), Matcher([long])
    text = "ab " * 5000
    assert len(repeated.find([text])[0]) == 5000 - 59
    assert repeated.compiled
    assert plain.find(["cd " * 5000]) == [[]]
    assert not plain.compiled
