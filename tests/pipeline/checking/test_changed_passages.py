"""A large document is read again where its masks changed, and as a whole before its release."""

import re
from collections.abc import Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import linkmask
from linkmask.pipeline.checking import changed_passages
from linkmask.pipeline.checking.changed_passages import BREAK, NEAR, ChangedPassages
from linkmask.pipeline.detection.detector import Detector
from linkmask.pipeline.jobs.masking_job import MaskingJob
from linkmask.records import CONTENT, Document, Masked, Mention, Replacement, Why
from linkmask.redact.splice import splice
from linkmask.runs import masked_file
from linkmask.schema import types

VALUE = re.compile(r"(?<!\S)(?:\[NAME\] )?(v\d+)(?! \[NAME\])(?!\S)")
"""What `_found` finds: a word whose value, in this made language, hangs on its neighbours."""
FILLER = " ".join(["the", "claim", "was", "sent", "and", "read"] * 40)


def _found(document: Document) -> list[Mention]:
    why = Why("test", "value", 0.9)
    return [
        Mention(document.id, field, *one.span(1), types.NAME, one[1], one[1], 0.9, why)
        for field, text in document.fields()
        for one in VALUE.finditer(text)
    ]


def _masked(document: Document, words: set[str]) -> Masked:
    """Mask some words of a document wherever they stand."""
    made = [
        Replacement(field, *one.span(), one[0], types.NAME, f"[{types.NAME}]")
        for field, text in document.fields()
        for one in re.finditer(r"v\d+", text)
        if one[0] in words
    ]
    fields = {
        field: splice(text, [one for one in made if one.field == field])
        for field, text in document.fields()
    }
    return Masked(document, document.with_fields(fields), made)


TEXT = st.lists(
    st.builds("v{} {:.{}}".format, st.integers(0, 12), st.just(FILLER), st.integers(0, 1400)),
    max_size=40,
).map(" ".join)
SOME = st.sets(st.integers(0, 12).map("v{}".format), max_size=8)


@settings(max_examples=150, deadline=None)
@given(TEXT, TEXT, SOME, SOME)
def test_where_neighbours_alone_count_passages_show_what_the_whole_shows(
    content: str, note: str, then: set[str], now: set[str]
) -> None:
    """Whatever masks come and go, in the text and in a long field beside it."""
    document = Document("1", content, {"note": note, "short": "v1 v2"})
    before, after = _masked(document, then), _masked(document, now)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(changed_passages, "LARGE", 1000)
        passages = ChangedPassages(after, before)
        seen = passages.mentions(_found(passages.document), _found(before.written))
    assert seen == _found(after.written)


def test_only_the_beginning_and_what_stands_near_a_change_is_read() -> None:
    content = " ".join(f"v{number} {FILLER}" for number in range(400))
    document = Document("1", content)
    now = _masked(document, {"v3", "v200"})
    passages = ChangedPassages(now, _masked(document, {"v3"}))
    read = passages.document.content
    assert passages.worthwhile and len(read) < 4 * NEAR + 1000
    first, second = read.split(BREAK)
    assert now.content.startswith(first) and f"v199 {FILLER[:50]}" not in second
    assert "[NAME]" in second and second in now.content


def test_where_masks_change_all_over_a_document_it_is_read_as_a_whole() -> None:
    document = Document("1", " ".join(f"v{number % 2} {FILLER}" for number in range(400)))
    assert not ChangedPassages(_masked(document, {"v1"}), _masked(document, set())).worthwhile


HIDDEN = ("lamp", "chair", "table")
SAID = "The {} was sold on the market."
APART = " ".join(f"{SAID.format(word)} {FILLER} {FILLER}." for word in HIDDEN)
TOGETHER = f"{FILLER} {FILLER} {' '.join(map(SAID.format, HIDDEN))} {FILLER} {FILLER}."


def _checked(
    monkeypatch: pytest.MonkeyPatch, pages: str, only_whole: bool
) -> tuple[str, list[bool], str]:
    """Mask a text in which detection sees the next of three names once the last one is masked.

    Returns:
        What is released; of each text that detection read in a check, whether it was the whole; the
        last one. `only_whole`: only in the whole text it sees a name.
    """
    text = f"Ms. Anna Brandvold called about the claim. {FILLER}. {pages}"
    monkeypatch.setattr(changed_passages, "LARGE", 1000)
    monkeypatch.setattr(masked_file, "LARGE", 1000)
    read: list[str] = []
    detect = Detector.many

    def seeing(self: Detector, documents: Sequence[Document]) -> list[list[Mention]]:
        found = detect(self, documents)
        for document, mentions in zip(documents, found, strict=True):
            read.append(document.content)
            word = next((one for one in HIDDEN if one in document.content), "")
            whole = len(document.content) > 0.9 * len(text)
            if word and (whole or not only_whole):
                at = document.content.index(f"{word} was sold")
                place = (at, at + len(word), types.NAME, word, word, 0.9, Why("test", "late", 0.9))
                mentions.append(Mention(document.id, CONTENT, *place))
        return found

    monkeypatch.setattr(Detector, "many", seeing)
    overrides = {"workers": 1, "detector": "rules"}
    result = linkmask.mask([text], linkmask.load(overrides=overrides, environment={}))
    (one,) = result.documents
    return one.content, [len(each) > 0.9 * len(text) for each in read], read[-1]


@pytest.mark.parametrize("only_whole", [True, False])
@pytest.mark.parametrize("pages", [APART, TOGETHER])
def test_nothing_is_released_that_detection_has_not_read_as_a_whole(
    monkeypatch: pytest.MonkeyPatch, pages: str, only_whole: bool
) -> None:
    """Even where its passages show nothing of what the whole text shows."""
    released, whole, last = _checked(monkeypatch, pages, only_whole)
    assert last == released and whole[-1]
    assert [word for word in HIDDEN if f"The {word}" in released] == []
    assert False in whole


def test_passages_that_show_what_must_be_masked_spare_a_reading_of_the_whole(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    _, whole, _ = _checked(monkeypatch, TOGETHER, only_whole=False)
    assert whole == [True, False, False, False, True]


def test_a_document_that_was_checked_by_its_passages_alone_is_never_released(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """It has no digest, so what is written is nothing that was checked."""
    monkeypatch.setattr(MaskingJob, "may_improve", lambda self, checked: self.retries < 1)
    with pytest.raises(ValueError, match="not enough values"):
        _checked(monkeypatch, TOGETHER, only_whole=False)
