"""Made-up copies keep their marks in place."""

import sys
from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT))

from training import data, fill, made, perturb  # noqa: E402


@given(st.text(max_size=80), st.integers(0, 99))
def test_a_worse_copy_is_as_long_as_its_text(text: str, seed: int) -> None:
    for way in perturb.WAYS:
        assert len(way(text, Random(seed))) == len(text)


def test_each_way_does_what_it_says() -> None:
    r = Random(1)
    assert perturb.capitals("José Ruiz, ß", r) == "JOSÉ RUIZ, ß"
    assert perturb.small("José RUIZ", r) == "josé ruiz"
    assert perturb.bare("José Müller", r) == "Jose Muller"
    assert set(perturb.scanned("0" * 200, r)) == {"0", "O"}
    assert set(perturb.broken("a b " * 50, r)) == set("ab \n")
    assert perturb.careless("Ann LEE", Random(3)) in {"ann LEE", "Ann LEE"}


def test_the_same_story_in_two_languages_has_one_fold() -> None:
    assert data.fold_of_text("en-0007") == data.fold_of_text("fr-0007")


needs_lists = pytest.mark.skipif(not made.LISTS.is_dir(), reason="needs the lists of names")


@needs_lists
def test_exchanged_names_stand_where_the_marks_say() -> None:
    """One value becomes one other, everywhere; what lies between stays."""
    text = "Mr Aurelius Krumholtz of Acme Ltd met Ms Holt; Acme Ltd paid."
    spans = [(3, 21, "NAME"), (25, 33, "ORGANIZATION"), (41, 45, "NAME"), (47, 55, "ORGANIZATION")]
    new, marks = fill.exchanged(text, spans, "seed", "en")
    person, body, other, again = (new[start:end] for start, end, _ in marks)
    assert new == f"Mr {person} of {body} met Ms {other}; {again} paid."
    assert body == again != "Acme Ltd"
    assert " " in person
    assert [kind for _, _, kind in marks] == [kind for _, _, kind in spans]


@needs_lists
def test_a_clinical_text_bears_other_names_in_its_own_case() -> None:
    """The patient's names, those behind a title and those marked are exchanged, small ones too."""
    record = {
        "text": "[doctor] hi , aurelia . Aurelia saw Dr. Krumholtz . Zoan waits .",
        "meta": {"patient_firstname": "Aurelia", "patient_familyname": None},
        "spans": [{"start": 52, "end": 56, "label": "NAME"}],
    }
    spans = data.named(record)
    new, marks = fill.exchanged(record["text"], spans, "seed", "en")
    names = [new[start:end] for start, end, _ in marks]
    assert len(names) == 4 and names[0].islower() and not any(map(str.islower, names[1:]))
    assert new == "[doctor] hi , {} . {} saw Dr. {} . {} waits .".format(*names)
    assert not {"aurelia", "Aurelia", "Krumholtz", "Zoan"} & set(names)


@needs_lists
def test_our_templates_are_filled_in_their_language_and_marked_in_place() -> None:
    """A mark has no blank at its ends, every slot is known, and nothing of a slot is left."""
    seen = set()
    for topic in ("", "clinical"):
        for lang, _, (text, spans) in fill.ours(7, 2, topic):
            seen.add((topic, lang))
            assert "{{" not in text
            assert "}}" not in text
            for start, end, kind in spans:
                assert kind in {*fill.OTHERS, "DATE", "DEM", "MEDICAL_CONDITION", "TREATMENT"}
                assert text[start:end] == text[start:end].strip() != ""
    clinical = {("clinical", lang) for lang in ("en", "fr", "de")}
    assert seen == clinical | {
        ("", lang) for lang in ("en", "fr", "de", *data.LOCALES, *made.NAMED)
    }


def test_every_slot_of_our_templates_is_known() -> None:
    text = fill.OURS.read_text("utf-8")
    slots = set(fill._SLOT.findall(text))
    assert slots <= {*fill.SLOTS, *fill._OTHER}
