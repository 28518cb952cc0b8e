"""Masking in English and French (formulas.md §15), on the documents of examples/bilingual."""

from __future__ import annotations

import re
import sys
from collections import defaultdict
from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest
from benchmarks.bilingual_spans import (
    STYLES,
    SpanCounts,
    Version,
    by_place,
    by_string,
    covered,
    f1_interval,
    labels,
    settings_for,
    touching,
    versions,
)

import linkmask
from linkmask import schema
from linkmask.config import Settings
from linkmask.detect import language_of
from linkmask.records import Document, Replacement

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT))

from training import texts  # noqa: E402 - read from the checkout

EXAMPLES = ROOT / "examples" / "bilingual"
DOCUMENTS = {name: texts.read(EXAMPLES / f"{name}.txt") for name in ("en", "fr")}
LANGUAGES = pytest.mark.parametrize("language", ["en", "fr"])
CERTAIN = ("EMAIL", "NATIONAL_ID")
"""Types that are certain by their form."""

Made = Mapping[tuple[str, str], Mapping[str, Version]]


@pytest.fixture(scope="module")
def made() -> Made:
    """Both languages in both styles."""
    return {
        (language, name): masked(language, style)
        for language in DOCUMENTS
        for name, style in STYLES.items()
    }


def masked(language: str, style: str, seed: int = 0) -> dict[str, Version]:
    documents = [Document(d.id, d.text) for d in DOCUMENTS[language]]
    return versions(linkmask.mask(documents, settings_for(style, seed=seed)).documents)


def piece(start: int, end: int, text: str) -> Replacement:
    return Replacement("content", start, end, "e", "NAME", text)


# ── what was masked ─────────────────────────────────────────────────────────────────────────────


@LANGUAGES
def test_the_language_of_every_document_is_told(language: str) -> None:
    told = [language_of(Document(d.id, d.text), Settings()) for d in DOCUMENTS[language]]
    assert set(told) == {language}


@LANGUAGES
@pytest.mark.parametrize("name", STYLES)
def test_nothing_but_the_masks_is_changed(made: Made, language: str, name: str) -> None:
    for document in DOCUMENTS[language]:
        version = made[language, name][document.id]
        at, parts = 0, []
        for one in version.pieces:
            parts += [document.text[at : one.start], one.text]
            at = one.end
        assert "".join([*parts, document.text[at:]]) == version.text


@LANGUAGES
def test_strict_writes_one_placeholder_for_everything(made: Made, language: str) -> None:
    written = {one.text for version in made[language, "strict"].values() for one in version.pieces}
    assert written == {"[REDACTED]"}


CLASSIC = {"en": {"SSN", "Patient ID", "ID", "Physician", "Patient", "Doctor", "Provider"},
           "fr": {"Sécurité Sociale", "Médecin", "ID", "Patient", "IPP"}}  # fmt: skip
"""Labels of fields that NER is known to take for names and organizations (formulas.md §15.2)."""


@LANGUAGES
@pytest.mark.parametrize("name", STYLES)
def test_labels_of_fields_stand(made: Made, language: str, name: str) -> None:
    """ "Médecin: Dr. Jean Martin" keeps its label and loses its name; few others are lost."""
    seen, lost = [], []
    for document in DOCUMENTS[language]:
        spans = [(m.start, m.end) for m in document.marks]
        for start, end in labels(document.text):
            if not any(a < end and start < b for a, b in spans):
                seen.append(document.text[start:end])
                if covered((start, end), made[language, name][document.id].pieces):
                    lost.append(seen[-1])
    assert CLASSIC[language] <= set(seen) and not CLASSIC[language] & set(lost)
    assert len(lost) <= 0.05 * len(seen)


@LANGUAGES
def test_what_is_certain_by_its_form_is_masked(made: Made, language: str) -> None:
    for document in DOCUMENTS[language]:
        version = made[language, "strict"][document.id]
        for m in document.marks:
            phone = m.type == "PHONE_NUMBER" and document.text[m.start : m.end][-1].isdigit()
            if (m.type in CERTAIN or phone) and document.layout != "ocr":
                assert covered((m.start, m.end), version.pieces) == m.end - m.start


@LANGUAGES
@pytest.mark.parametrize("name", STYLES)
def test_hardly_a_disease_is_written_over(made: Made, language: str, name: str) -> None:
    """Rare words that its name shares with another document are not counted."""

    def values(document: str) -> Sequence[Replacement]:
        return [p for p in made[language, name][document].pieces if p.type != schema.RARE_TERM]

    touched = [
        covered((m.start, m.end), values(document.id)) > 0
        for document in DOCUMENTS[language]
        for m in document.marks
        if m.type == "MEDICAL_CONDITION"
    ]
    assert len(touched) > 100 and sum(touched) <= 0.03 * len(touched)


# ── surrogates ──────────────────────────────────────────────────────────────────────────────────


def surrogates(made: Made, language: str) -> Sequence[tuple[str, str, Replacement]]:
    """(document, original, piece) of everything written over by a surrogate, not by a type."""
    return [
        (d.id, d.text[one.start : one.end], one)
        for d in DOCUMENTS[language]
        for one in made[language, "surrogate"][d.id].pieces
        if not one.text.startswith("[")
    ]


@LANGUAGES
def test_a_surrogate_is_never_the_original(made: Made, language: str) -> None:
    found = surrogates(made, language)
    assert len(found) > 70
    assert not [new for _, old, new in found if old.casefold() == new.text.casefold()]


@LANGUAGES
def test_a_spelling_has_one_surrogate_in_a_document(made: Made, language: str) -> None:
    known: dict[tuple[str, str, str], set[str]] = defaultdict(set)
    for document, old, new in surrogates(made, language):
        known[document, new.entity, old].add(new.text)
    assert all(len(texts) == 1 for texts in known.values())
    assert len(known) < len(surrogates(made, language))  # some values come more than once


@LANGUAGES
def test_the_seed_decides(made: Made, language: str) -> None:
    """Same seed, same texts; another seed, other surrogates."""
    assert masked(language, "surrogate") == made[language, "surrogate"]
    other = masked(language, "surrogate", seed=1)
    assert sum(other[i].text == v.text for i, v in made[language, "surrogate"].items()) == 0


FORMS = {
    "EMAIL": r"[\w.-]+@example\.\w+",
    "PHONE_NUMBER": r"\D*\d(\D{0,3}\d){6,14}( ?x\d+)?",
    "NATIONAL_ID": r"\d[\d -]+\d",
    "BIRTHDATE": r".*\d.*",
    "NAME": r"[^\d@]+",
}


@LANGUAGES
@pytest.mark.parametrize("kind", FORMS)
def test_a_surrogate_has_the_form_of_its_type(made: Made, language: str, kind: str) -> None:
    written = [(o, n.text) for _, o, n in surrogates(made, language) if n.type == kind]
    assert written
    for old, new in written:
        assert re.fullmatch(FORMS[kind], new), kind
        if kind in ("NATIONAL_ID", "BIRTHDATE"):
            assert re.sub(r"\w", "", old) == re.sub(r"\w", "", new)


@LANGUAGES
def test_a_surrogate_speaks_the_language_of_its_document(made: Made, language: str) -> None:
    """Given names of persons written in full are of the language's list; months are its months."""
    tables = schema.words("surrogates")
    lists = ("given_female", "given_male", "given")
    given = {name for each in lists for name in tables[language][each].casefold().split()}
    full = [
        new.text.split()[0].casefold()
        for _, old, new in surrogates(made, language)
        if new.type == "NAME" and re.fullmatch(r"[A-Z][\w-]+ [A-Z][\w-]+", old)
    ]
    assert len(full) > 5
    assert sum(name in given for name in full) >= 0.9 * len(full)
    months = schema.words("calendar")["months"]
    mine = {name.casefold() for row in months[language] for name in row}
    others = {name.casefold() for one in months if one != language for row in months[one]
              for name in row} - mine  # fmt: skip
    dates = [n.text for _, _, n in surrogates(made, language) if n.type == "EVENT_DATE"]
    used = {word.casefold() for text in dates for word in re.findall(r"[^\W\d_]+", text)}
    assert used & mine and not used & others


# ── scores ──────────────────────────────────────────────────────────────────────────────────────


def test_a_place_is_found_again_behind_masks_of_another_length() -> None:
    """ "Ann had gout and Bo had flu" with Ann → [REDACTED] (3 → 10) and Bo → X (2 → 1)."""
    pieces = [piece(0, 3, "[REDACTED]"), piece(17, 19, "X")]
    version = Version("[REDACTED] had gout and X had flu", pieces)
    assert version.original(15, 19) == (8, 12)
    assert version.original(30, 33) == (24, 27)
    assert version.original(5, 14) is None and version.original(23, 26) is None


def test_strings_are_counted_as_often_as_they_stand() -> None:
    truth = ["Gout", "gout", "flu", "type 2\n diabetes"]
    found = ["gout", "Type 2 diabetes", "asthma", "flu", "flu"]
    assert by_string(truth, found) == SpanCounts(tp=3, fp=2, fn=1)


def test_places_must_be_exact_and_touching_must_not() -> None:
    truth, found = [(0, 4), (10, 20), (30, 33)], [(0, 4), (12, 20), (40, 44), None]
    assert by_place(truth, found) == SpanCounts(tp=1, fp=3, fn=2)
    assert touching(truth, found) == SpanCounts(tp=2, fp=2, fn=1)


def test_rates_are_those_of_the_published_counts() -> None:
    """formulas.md §15.3: TP 12, FP 14, FN 8 gives 0.4615, 0.6000, 0.5217."""
    c = SpanCounts(12, 14, 8)
    assert [round(x, 4) for x in (c.precision, c.recall, c.f1)] == [0.4615, 0.6, 0.5217]
    assert SpanCounts().f1 == 0


def test_an_interval_holds_the_change_and_is_nothing_where_nothing_changes() -> None:
    before = [SpanCounts(3, 1, 1), SpanCounts(2, 0, 2), SpanCounts(4, 2, 0)] * 5
    after = [SpanCounts(c.tp - 1, c.fp, c.fn + 1) for c in before]
    assert f1_interval(before, before) == (0, 0, 0)
    change, low, high = f1_interval(before, after)
    assert change == pytest.approx(60 / 105 - 90 / 120)
    assert low < change < high < 0


def test_labels_are_what_stands_before_a_colon_at_the_start_of_a_line() -> None:
    text = "N° de Sécurité Sociale : 1\nMédecin: Dr A\nhe said: no\n10:14 a\nA | B: c"
    assert [text[a:b] for a, b in labels(text)] == ["N° de Sécurité Sociale", "Médecin", "he said"]
