"""A question that a run masked finds in the masked corpus what it found in the original one."""

from __future__ import annotations

import json
import re
from collections import Counter
from pathlib import Path

import pytest
from tests.masker.conftest import Made

import linkmask
from linkmask import commands
from linkmask.graph.entities import canonical
from linkmask.masker.building import _without_middle
from linkmask.masker.masked_text import MaskedSpan, MaskedText, as_query
from linkmask.testbench.indexes import Bm25

QUESTIONS = {"Ms. Brandvold?": {0, 1}, "maelle kervoazou in Hancock": {2}}
"""Each question, and the documents that name the person."""


@pytest.mark.parametrize("linkable", [True, False])
@pytest.mark.parametrize("style", ["pseudonym", "surrogate", "token"])
def test_a_masked_question_finds_the_document_that_it_found_unmasked(
    style: str, linkable: bool, masked_in: Made
) -> None:
    out = masked_in(style, linkable=linkable)
    sides = [
        [json.loads(line)["content"] for line in path.read_text().splitlines()]
        for path in (out.parent / "in.jsonl", out / "documents" / "in.jsonl")
    ]
    original, masked = map(Bm25, sides)
    with linkmask.open(out) as masker:
        asked = masker.mask_queries(list(QUESTIONS))
    assert all(now != was for now, was in zip(asked, QUESTIONS, strict=True))
    for (was, about), now in zip(QUESTIONS.items(), asked, strict=True):
        assert original.search(was, 1)[0].tolist()[0] in about
        assert masked.search(now, 1)[0].tolist()[0] in about


SHORT_NAMES = {
    "a": "The alert went to the Rocky Mountain Imaging Network on Monday.",
    "b": "The packaging plant in Port Austin, MI reports injuries.",
}


@pytest.fixture(scope="module")
def with_places(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A release in which bodies and places are pseudonyms."""
    folder = tmp_path_factory.mktemp("places")
    rows = [{"id": name, "content": text} for name, text in SHORT_NAMES.items()]
    (folder / "in.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    chosen = {"style": "pseudonym", "linkable": True, "floor": ["PROVIDER", "LOCATION"]}
    settings = linkmask.load(overrides=chosen, environment={})
    commands.mask_files(folder / "in.jsonl", folder / "out", settings)
    return folder / "out"


@pytest.mark.parametrize(
    ("asked", "document"),
    [("Who works at the Rocky Mountain Network?", 0), ("Claims in Port Austin during 2023?", 1)],
)
def test_a_short_name_that_means_one_value_gets_its_mask(
    asked: str, document: int, with_places: Path
) -> None:
    """A body without the words between, and a town without its state, are masked alike."""
    lines = (with_places / "documents" / "in.jsonl").read_text().splitlines()
    with linkmask.open(with_places) as masker:
        (span,) = (masked := masker.mask_text(asked)).spans
    assert span.known
    mask = masked.text[span.masked_start : span.masked_end]
    assert mask in json.loads(lines[document])["content"]


def test_a_short_name_that_means_two_values_gets_neither_mask() -> None:
    """Where two bodies share their own words and their kind, the brief name means neither."""
    values = {("PROVIDER", f"rocky mountain {kind} network") for kind in ("imaging", "health")}
    assert _without_middle(values) == {}
    assert _without_middle({max(values)}) == {max(values): "rocky mountain network"}


@pytest.mark.parametrize(("style", "times"), [("pseudonym", 4), ("value", 1), ("surrogate", 2)])
def test_in_a_query_a_mask_weighs_twice_the_words_of_its_value(
    style: str, times: int, masked_in: Made
) -> None:
    """Not so what is only a type; a surrogate has as many words as its value."""
    asked = "Is Ottoline Brandvold covered?"
    with linkmask.open(masked_in(style, linkable=True)) as masker:
        mask = masker.mask_text(asked).text.removeprefix("Is ").removesuffix(" covered?")
        query = masker.mask_query(asked).removeprefix("Is ").removesuffix(" covered?")
    assert Counter(query.split()) == Counter(mask.split() * times)


def test_a_word_that_masks_of_one_value_share_is_written_once() -> None:
    """Two surrogates of a clinic are alternatives: "Group" must not weigh as two words."""
    span = MaskedSpan("e", "PROVIDER", "surrogate", 3, 16, 3, 12, known=True)
    masked = MaskedText("At Elk Group today", (span,))
    masks = [("Harbor Clinic", ["Elk Group", "Fox Group"], 1.0)]
    asked = as_query("At Harbor Clinic today", masked, lambda _: masks)
    assert asked == "At Elk Elk Group Group Fox Fox today"


def masked_with(
    place: Path, texts: dict[str, str], found: list[tuple[str, str, str]], *floor: str
) -> Path:
    """Release texts by id in which only the mentions given are known: id, type and value.

    Their types are on the floor, and `floor`.
    """
    source, given = place / "in.jsonl", place / "mentions.jsonl"
    rows = [json.dumps({"id": name, "content": text}) for name, text in texts.items()]
    source.write_text("\n".join(rows) + "\n")
    mentions = [
        {
            "document": name,
            "entity_type": kind,
            "original_value": value,
            "normalized_value": canonical(kind, value),
            "relevance": 1,
        }
        for name, kind, value in found
    ]
    given.write_text("\n".join(map(json.dumps, mentions)))
    kinds = sorted({*floor, *(kind for _, kind, _ in found)})
    chosen = {"style": "pseudonym", "floor": kinds, "generalize": {}}
    settings = linkmask.load(overrides=chosen, environment={})
    commands.mask_files(source, place / "out", settings, mentions=given)
    return place / "out"


def masks_in(out: Path) -> list[str]:
    """Return the mask in each released text, which holds one."""
    lines = (out / "documents" / "in.jsonl").read_text().splitlines()
    return [
        mask
        for line in lines
        for (mask,) in [re.findall(r"\[[A-Z_]+_[0-9a-f]+\]", json.loads(line)["content"])]
    ]


def test_a_query_has_the_masks_of_a_value_under_all_its_types_alike(tmp_path: Path) -> None:
    """A day that is somebody's birthday and the day of a visit has two masks in the corpus."""
    texts = {
        "born": "Ottoline Brandvold was born on 30 June 1977.",
        "seen": "Maelle Kervoazou was seen on 30 June 1977.",
    }
    found = [("born", "BIRTHDATE", "30 June 1977"), ("seen", "EVENT_DATE", "30 June 1977")]
    out = masked_with(tmp_path, texts, found)
    with linkmask.open(out) as masker:
        query = masker.mask_query("Who came on June 30, 1977?")
    assert [query.count(mask) for mask in masks_in(out)] == [6, 6]


def test_a_query_has_the_mask_of_a_document_in_which_detection_missed_its_value(
    tmp_path: Path,
) -> None:
    """It is masked there, too, and the mask can be undone."""
    texts = {"a": "Plan Harbor 109 was renewed.", "b": "An audit of plan Harbor 109 is due."}
    out = masked_with(tmp_path, texts, [("a", "NON_PERSONAL_ID", "Harbor 109")])
    first, second = masks_in(out)
    with linkmask.open(out) as masker:
        query = masker.mask_query("What of plan Harbor 109?")
        assert first != second
        assert {first, second} <= set(query.removesuffix("?").split())
        assert masker.unmask_text(second) == "harbor109"


def test_a_query_has_the_mask_of_a_value_within_what_detection_finds(tmp_path: Path) -> None:
    """The question names a hospital that the corpus does not hold, after a place that it masks."""
    texts = {"a": "She went to Harbor Ridge on Monday."}
    out = masked_with(tmp_path, texts, [("a", "LOCATION", "Harbor Ridge")], "PROVIDER")
    asked = "Who was seen at Harbor Ridge Medical Center?"
    with linkmask.open(out) as masker:
        assert [span.known for span in masker.mask_text(asked).spans] == [False]
        assert masks_in(out)[0] in masker.mask_query(asked)
