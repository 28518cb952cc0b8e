"""An opened run masks texts and documents as its corpus was masked."""

from __future__ import annotations

import json
import pickle
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from tests.masker.conftest import DOCUMENTS, Made

import linkmask
from linkmask.errors import RunError, SettingsError, UnknownDocument, UsageError
from linkmask.records import Masked, SetAside

STYLES = ["value", "redact", "pseudonym", "surrogate", "token"]


def released(out: Path) -> list[dict[str, object]]:
    files = sorted((out / "documents").iterdir())
    return [json.loads(line) for file in files for line in file.read_text().splitlines()]


def masks_of(out: Path) -> dict[str, str]:
    """Return what stands for each value in a release, by style pseudonym's rule: by document."""
    return {str(one["id"]): str(one["content"]) for one in released(out)}


@pytest.mark.parametrize("style", STYLES)
def test_documents_of_the_run_come_out_as_they_were_released(masked_in: Made, style: str) -> None:
    out = masked_in(style)
    masker = linkmask.open(out)
    made = list(masker.mask_documents(iter(DOCUMENTS)))
    assert [one.id for one in made] == [one["id"] for one in DOCUMENTS]
    for one, was in zip(made, released(out), strict=True):
        assert isinstance(one, Masked)
        assert one.content == was["content"]
        assert one.metadata == was.get("metadata", {})


@pytest.mark.parametrize("given", [None, 5, b"text", ["text"]])
def test_what_is_no_text_is_a_type_error_that_says_what_to_give(
    masked_in: Made, given: object
) -> None:
    masker = linkmask.open(masked_in("pseudonym"))
    for work in (masker.mask_text, masker.mask_query, masker.unmask_text):
        with pytest.raises(TypeError, match="is no text: give a str"):
            work(given)  # type: ignore[arg-type]
    for together in (masker.mask_texts, masker.mask_queries):
        with pytest.raises(TypeError, match=r"give \[text\]"):
            together("text")


@pytest.mark.parametrize(
    "asked",
    [
        "Ottoline Brandvold",
        "ottoline brandvold",
        "BRANDVOLD, Ottoline",
        "Ms. Brandvold",
        "ms brandvold",
        "Brandvold",
        "brandvold",
        "O. Brandvold",
        "Ottoline\u00a0Brandvold",
        "Öttoline Brandvold",
    ],
)
@pytest.mark.parametrize("frame", ["Is {} covered?", "{}", "What did {}'s claim cost?"])
def test_a_person_is_masked_alike_under_every_known_form(
    masked_in: Made, asked: str, frame: str
) -> None:
    """Case, accents, title, order and initials do not matter; the frame around it stays."""
    out = masked_in("pseudonym", linkable=True)
    mask = released(out)[1]["content"].split(" called")[0].removeprefix("Ms. ")  # type: ignore[attr-defined]
    assert mask.startswith("[NAME_")
    text = linkmask.open(out).mask_text(frame.format(asked))
    assert text.text == frame.format(mask)
    assert [one.known for one in text.spans] == [True]


@pytest.mark.parametrize("asked", ["(906) 555-0143", "906-555-0143", "9065550143", "906.555.0143"])
def test_a_number_is_masked_alike_without_its_punctuation(masked_in: Made, asked: str) -> None:
    masker = linkmask.open(masked_in("pseudonym"))
    masks = {masker.mask_text(f"Who called from {one}?").text for one in (asked, "906-555-0143")}
    assert len(masks) == 1
    assert "[PHONE_NUMBER_" in masks.pop()


def test_what_the_plan_keeps_stays_and_plain_text_too(masked_in: Made) -> None:
    masker = linkmask.open(masked_in("value"))
    asked = "Does a policy pay for glasses after thirty days?"
    assert masker.mask_text(asked).text == asked
    assert masker.mask_text(asked).spans == ()


@pytest.mark.parametrize(
    "asked", ["Dr. Tobias Akinwande-Frith", "Tobias Akinwande-Frith", "T. Akinwande-Frith"]
)
def test_a_name_that_the_plan_keeps_stays(masked_in: Made, asked: str) -> None:
    """Readers of the corpus see the provider's name, whatever type detection gives it here."""
    out = masked_in("pseudonym")
    assert "Tobias Akinwande-Frith" in masks_of(out)["visit"]
    assert linkmask.open(out).mask_text(f"Who is {asked}?").text == f"Who is {asked}?"


def test_identifiers_that_the_run_does_not_know_go_by_the_floor(masked_in: Made) -> None:
    """A name, an e-mail address and an SSN nobody in the corpus bears are masked by their type."""
    asked = "Write to Jonathan Quigglesworth, j.quig@example.org, SSN 078-05-1120."
    text = linkmask.open(masked_in("value")).mask_text(asked)
    assert text.text == "Write to [NAME], [EMAIL], SSN [NATIONAL_ID]."
    assert [one.known for one in text.spans] == [False] * 3


@pytest.mark.parametrize("style", STYLES)
def test_spans_stand_in_both_texts(masked_in: Made, style: str) -> None:
    asked = "Did Ms. Brandvold, tel. 906-555-0143, meet Jonathan Quigglesworth?"
    text = linkmask.open(masked_in(style)).mask_text(asked)
    left, at, there = [], 0, 0
    for one in text.spans:
        left.append((asked[at : one.start], text.text[there : one.masked_start]))
        at, there = one.end, one.masked_end
        assert text.text[one.masked_start : one.masked_end]
        assert one.style in (style, "value")
    left.append((asked[at:], text.text[there:]))
    assert all(before == after for before, after in left)
    assert len(text.spans) == 3


def test_placeholders_stay_as_they_are(masked_in: Made) -> None:
    masker = linkmask.open(masked_in("pseudonym"))
    once = masker.mask_text("Ms. Brandvold called [NAME_0123abcd] and [REDACTED].").text
    assert once.endswith("called [NAME_0123abcd] and [REDACTED].")
    assert masker.mask_text(once).text == once


@pytest.mark.parametrize("asked", ["Brandvolds", "xBrandvold", "Hancocks", "Brandvold7"])
def test_no_mask_stands_inside_a_word(masked_in: Made, asked: str) -> None:
    text = linkmask.open(masked_in("pseudonym")).mask_text(f"Is {asked} a word?")
    assert not text.spans or text.spans[0].end - text.spans[0].start == len(asked)


def test_a_word_beside_a_known_name_is_not_taken_into_it(masked_in: Made) -> None:
    """Detection may take "Ask O." for given names: the person stays the one the run knows."""
    masker = linkmask.open(masked_in("pseudonym"))
    text = masker.mask_text("Ask O. Brandvold.")
    assert text.text.startswith("Ask [")
    assert [one.known for one in text.spans] == [True]
    assert "Smith" not in masker.mask_text("Is Jane Brandvold-Smith covered?").text


def test_an_unknown_document_is_refused_by_id(masked_in: Made) -> None:
    masker = linkmask.open(masked_in("value"))
    changed = {**DOCUMENTS[1], "content": "Ms. Brandvold called again."}
    with pytest.raises(UnknownDocument, match="memo") as refused:
        list(masker.mask_documents([DOCUMENTS[0], changed]))
    assert refused.value.documents == ("memo",)
    assert "Brandvold" not in str(refused.value)


def test_an_id_that_holds_a_masked_value_is_named_by_number(masked_in: Made) -> None:
    masker = linkmask.open(masked_in("value"))
    with pytest.raises(UnknownDocument) as refused:
        list(masker.mask_documents([{"id": "claim of ottoline brandvold", "content": "Paid."}]))
    assert refused.value.documents == ("number 1",)


def test_unknown_documents_are_masked_whole_or_set_aside(masked_in: Made) -> None:
    masker = linkmask.open(masked_in("value"))
    new = {"id": "new", "content": "Ms. Brandvold and Jane Roe of Boston have asthma."}
    whole, known = masker.mask_documents([new, DOCUMENTS[3]], on_unknown="mask_all")
    assert isinstance(whole, Masked)
    assert whole.content == "[NAME] and [NAME] of [LOCATION] have [MEDICAL_CONDITION]."
    assert isinstance(known, Masked)
    assert known.content == DOCUMENTS[3]["content"]
    aside, _ = masker.mask_documents([new, DOCUMENTS[3]], on_unknown="set_aside")
    assert isinstance(aside, SetAside)
    assert (aside.document, aside.step) == ("new", "open")


def test_an_unknown_way_with_unknown_documents_is_refused(masked_in: Made) -> None:
    with pytest.raises(UsageError, match="refuse, mask_all, set_aside"):
        linkmask.open(masked_in("value"), on_unknown="skip")  # type: ignore[arg-type]


@pytest.mark.parametrize("style", ["pseudonym", "surrogate", "token"])
def test_originals_come_back(masked_in: Made, style: str) -> None:
    out = masked_in(style)
    masker = linkmask.open(out)
    back = list(masker.unmask_documents(released(out)))
    assert [one.content for one in back] == [one["content"] for one in DOCUMENTS]
    assert back[0].metadata == DOCUMENTS[0]["metadata"]
    asked = "Is Ottoline Brandvold covered?"
    assert masker.unmask_text(masker.mask_text(asked).text) == asked


@pytest.mark.parametrize(("linkable", "codes"), [(False, 2), (True, 1)])
@pytest.mark.parametrize("style", ["pseudonym", "surrogate", "token"])
def test_two_documents_write_a_person_alike_only_where_they_may_be_linked(
    masked_in: Made, style: str, linkable: bool, codes: int
) -> None:
    """Either mask comes back from another text, such as an answer, too."""
    masker = linkmask.open(masked_in(style, linkable=linkable))
    masks = {}
    for one in masker.mask_documents(DOCUMENTS[:2]):
        assert isinstance(one, Masked)
        masks[one.id] = next(r.text for r in one.replacements if r.type == "NAME")
    assert len({mask.split()[-1] for mask in masks.values()}) == codes
    for mask in masks.values():
        assert "brandvold" in masker.unmask_text(f"It says {mask}.").casefold()


def test_another_key_is_a_clear_error(masked_in: Made) -> None:
    with pytest.raises(RunError, match="does not open with this key"):
        linkmask.open(masked_in("pseudonym"), key=b"another key, quite long")


def test_a_key_given_as_bytes_is_as_long_as_one_in_a_file(masked_in: Made) -> None:
    with pytest.raises(SettingsError, match=r"the key in key= is shorter than 16 bytes"):
        linkmask.open(masked_in("pseudonym"), key=b"x")


def test_a_style_without_a_vault_can_not_be_unmasked(masked_in: Made) -> None:
    with pytest.raises(RunError, match="no vault"):
        linkmask.open(masked_in("value")).unmask_text("[NAME]")


def test_threads_share_a_masker(masked_in: Made) -> None:
    """Twelve threads get the same bytes as one."""
    masker = linkmask.open(masked_in("surrogate"))
    asked = [f"Did Ms. Brandvold call Jane Roe{n} at 906-555-0143?" for n in range(40)]
    once = [linkmask.open(masked_in("surrogate")).mask_text(one) for one in asked]
    with ThreadPoolExecutor(12) as pool:
        for _ in range(3):
            assert list(pool.map(masker.mask_text, asked)) == once


def test_a_masker_can_be_sent_to_another_process(masked_in: Made) -> None:
    masker = linkmask.open(masked_in("pseudonym"), on_unknown="set_aside")
    again = pickle.loads(pickle.dumps(masker))
    asked = "Is Ms. Brandvold covered?"
    assert again.mask_text(asked) == masker.mask_text(asked)
    assert again.on_unknown == "set_aside"


def test_closed_as_a_context_manager_it_masks_texts_but_no_document_of_the_run(
    masked_in: Made,
) -> None:
    with linkmask.open(masked_in("value")) as masker:
        pass
    assert masker.mask_text("Brandvold").text == "[NAME]"
    with pytest.raises(RunError, match="was closed"):
        list(masker.mask_documents(DOCUMENTS))


def test_a_folder_without_a_run_is_refused(tmp_path: Path) -> None:
    with pytest.raises(RunError, match="holds no run"):
        linkmask.open(tmp_path)
