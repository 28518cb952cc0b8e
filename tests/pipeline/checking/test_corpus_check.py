"""A check goes on from the one before it."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

import linkmask
from linkmask import Settings, commands, scan
from linkmask.pipeline.checking import corpus_check
from linkmask.pipeline.checking.checked_documents import CheckedDocument
from linkmask.pipeline.checking.checked_texts import covered, typed
from linkmask.pipeline.checking.document_check import EarlierCheck, MaskedCheck, ReadBackCheck
from linkmask.pipeline.detection.detector import Detector
from linkmask.pipeline.fixed_names.keys import keys_of
from linkmask.pipeline.progress import CorpusCounts
from linkmask.records import CONTENT, Document, Finding, Masked, Mention, Why, entity_id
from linkmask.redact import Redactor
from linkmask.runs import MaskedRow
from linkmask.schema import types
from linkmask.verify import Inspected, Inspector, spans_of

TEXTS = {
    "a": "Maren Holt, 47, a beekeeper from Vensor, has sarcoidosis. Mail maren@example.org.",
    "b": "Mail for tobias@example.org: the appeal of Tobias Lamfen was received.",
    "c": "Coverage is limited to 20 sessions a year.",
}
SETTINGS = Settings(detector="rules", generalize={}, workers=1)


@pytest.mark.parametrize("style", ["redact", "pseudonym", "surrogate"])
def test_detection_is_shown_the_same_text_whatever_the_style(style: str) -> None:
    metadata = {"from": ["maren@example.org", {"to": "tobias@example.org, Tobias Lamfen"}], "n": 3}
    documents = [Document(name, text, metadata) for name, text in TEXTS.items()]
    scanned = scan(documents, SETTINGS)
    plan = scanned.plan()
    usual = list(scanned.apply(plan))
    other = scanned.apply(plan, Settings(detector="rules", style=style))
    assert sum(len(one.replacements) for one in usual) > 8
    for one, same in zip(map(typed, other), usual, strict=True):
        assert one.content == same.content
        assert one.metadata == same.metadata
        assert spans_of(one) == spans_of(same)


def counted(monkeypatch: pytest.MonkeyPatch) -> tuple[list[str], list[str]]:
    """Note the ids of the documents that are masked, and of those that detection is run on."""
    masked: list[str] = []
    detected: list[str] = []
    mask, detect = Redactor.many, Detector.many

    def masking(self: Redactor, pairs: Iterable[Any]) -> Iterator[Masked]:
        held = list(pairs)
        masked.extend(document.id for document, _ in held)
        return mask(self, held)

    def detecting(self: Detector, documents: Sequence[Document]) -> list[list[Mention]]:
        detected.extend(document.id for document in documents)
        return detect(self, documents)

    monkeypatch.setattr(Redactor, "many", masking)
    monkeypatch.setattr(Detector, "many", detecting)
    return masked, detected


def test_each_document_is_masked_once_and_after_a_failed_check_only_where_its_masks_change(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Detection is made to see a name, Vensor, only beside a mask; it stands in another one too."""
    documents = [Document(name, text) for name, text in TEXTS.items()]
    documents.append(Document("d", "The road to Vensor was closed."))
    masked, _ = counted(monkeypatch)
    plain = linkmask.mask(documents, SETTINGS)
    assert list(plain.documents) and list(plain.documents) and plain.audit
    assert masked == ["a", "b", "c", "d"]

    masked.clear()
    detect = Detector.many

    def seeing(self: Detector, documents: Sequence[Document]) -> list[list[Mention]]:
        found = detect(self, documents)
        for document, mentions in zip(documents, found, strict=True):
            at = document.content.find("Vensor")
            if at >= 0 and document.id == "a":
                why = Why("rules", "late", 1.0)
                place = at, at + len("Vensor"), "NAME", "Vensor", "vensor", 1.0, why
                mentions.append(Mention("a", CONTENT, *place))
        return found

    monkeypatch.setattr(Detector, "many", seeing)
    repaired = linkmask.mask(documents, SETTINGS)
    texts = {one.id: one.content for one in repaired.documents}
    assert masked == ["a", "b", "c", "d", "a", "d"]
    assert "Vensor" not in texts["a"] + texts["d"]
    assert texts["d"] == "The road to [NAME] was closed."


def test_after_another_plan_only_documents_whose_masks_change_are_masked_and_detected_in_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """What comes of it is what a first masking and a first check by that plan come to."""
    masked, detected = counted(monkeypatch)
    scanned = scan([Document(name, text) for name, text in TEXTS.items()], SETTINGS)
    loose = scanned.plan(Settings(theta_doc=1.0, theta_chain=1.0, generalize={}))
    strict = scanned.plan(Settings(theta_doc=0.85, theta_chain=1.0, generalize={}))

    alone = scanned.job.with_plan(strict, SETTINGS)
    alone.redact()
    whole = alone.check()
    was = {one.id: one.content for one in scanned.apply(loose)}
    now = {one.id: one.content for one in alone.documents() if isinstance(one, Masked)}
    changed = [name for name in TEXTS if was[name] != now[name]]
    assert 0 < len(changed) < len(TEXTS)

    job = scanned.job.with_plan(loose, SETTINGS)
    masked.clear()
    detected.clear()
    for plan, due in ((loose, list(TEXTS)), (strict, changed), (strict, [])):
        job.chosen = plan
        job.redact()
        checked = job.check()
        assert (masked, detected) == (due, due)
        masked.clear()
        detected.clear()
    assert checked.findings == whole.findings
    assert {one.id: one.content for one in job.documents() if isinstance(one, Masked)} == now
    assert masked == []


@pytest.mark.parametrize(
    ("text", "sees", "findings", "untouched", "stays"),
    [
        ("The road was closed.", "May", (), True, True),
        ("The road to Vensor was closed.", "May", (), True, False),
        ("The road was closed.", "Vensor", (), True, False),
        ("The road was closed.", "May", ("leftover",), True, False),
        ("The road was closed.", "May", (), False, False),
    ],
)
def test_what_a_check_found_stays_only_where_no_changed_entity_can_be_read(
    text: str, sees: str, findings: Sequence[Any], untouched: bool, stays: bool
) -> None:
    """Nor was one seen there, nor anything found, and masks and mentions are as they were."""
    vensor = entity_id("vensor", "NAME", SETTINGS.id_separator)
    document = Document("d", text)
    mention = Mention("d", CONTENT, 0, 3, "NAME", sees, sees.lower(), 1.0, Why("rules"))
    found = Inspected("d", [Finding("d", kind, "") for kind in findings], [mention])
    before = EarlierCheck(CheckedDocument(found, (), "of before"), untouched=untouched)
    search = Inspector({vensor: ["Vensor"]}, SETTINGS)
    reread = ReadBackCheck(search, None, keys_of(SETTINGS))
    check = MaskedCheck(reread, frozenset({vensor}), SETTINGS, frozenset({vensor}), search)
    row = check((document, [], MaskedRow("d", {}, []), before))
    assert (row.digest == "of before") is stays


def test_a_masked_value_that_comes_to_light_at_another_place_is_masked_there_too(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Detection is made to see the patient in a word, Vensor, that it had not taken for her."""
    document = Document("a", TEXTS["a"])
    detect = Detector.many
    (found,) = scan([document], SETTINGS).job.run.by_document()
    patient = next(one for one in found[1] if one.original == "Maren Holt")

    def seeing(self: Detector, documents: Sequence[Document]) -> list[list[Mention]]:
        found = detect(self, documents)
        for document, mentions in zip(documents, found, strict=True):
            if (at := document.content.find("Vensor")) >= 0:
                place = at, at + len("Vensor"), patient.type, "Vensor", patient.value, 1.0
                mentions.append(Mention("a", CONTENT, *place, patient.why))
        return found

    monkeypatch.setattr(Detector, "many", seeing)
    result = linkmask.mask([document], SETTINGS)
    (released,) = result.documents
    assert "from [NAME], has" in released.content
    assert result.audit.set_aside == []


def test_what_was_written_is_covered_where_attributes_that_became_alike_moved_it() -> None:
    """Two dates of one month are one line of attributes once they are written; the rest moves."""
    before = "2021-03\n2021-03\nsky 2021-04\nblue"
    spans = [
        ("record/attributes", 0, 7),
        ("record/attributes", 8, 15),
        ("record/attributes", 20, 27),
    ]
    texts = [before[start:end] for _, start, end in spans]
    written = [(*span, text, types.EVENT_DATE) for span, text in zip(spans, texts, strict=True)]
    document = Document("a", "x", others={"attributes": "2021-03\nsky 2021-04\nblue"})
    (_, seen) = covered(document, written).fields()
    assert seen == ("record/attributes", "[EVENT_DATE]\nsky [EVENT_DATE]\nblue")
    (_, blind) = covered(document, [(*span, "", types.EVENT_DATE) for span in spans]).fields()
    assert blind != seen


@pytest.mark.parametrize("style", ["value", "redact", "surrogate"])
def test_verify_reads_what_the_check_before_the_release_read(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, style: str
) -> None:
    """So that `verify` lists what the report says that it lists."""
    shown: list[list[tuple[str, str]]] = []
    found = ReadBackCheck.found

    def seeing(self: ReadBackCheck, documents: Sequence[Document], first: Any = ()) -> Any:
        shown.append([text for one in documents for text in one.fields()])
        return found(self, documents, first)

    monkeypatch.setattr(ReadBackCheck, "found", seeing)
    texts = TEXTS | {"d": "Maren Holt was seen on Monday, March 4, 2024 for sarcoidosis."}
    rows = [json.dumps({"id": name, "content": text}) for name, text in texts.items()]
    (tmp_path / "in.jsonl").write_text("\n".join(rows))
    settings = Settings(detector="rules", style=style, workers=1)
    commands.mask_files(tmp_path / "in.jsonl", tmp_path / "out", settings)
    checked = shown[-1]
    assert commands.verify_files(tmp_path / "out") == []
    assert shown[-1] == checked
    assert any("[" in text for _, text in checked)


def test_a_reason_names_type_and_field_but_no_key_that_may_be_a_name() -> None:
    counted = CorpusCounts()
    incidence = SimpleNamespace(
        entities=["e1"], types=("AGE", "NAME"), type=[1], numbers_of=lambda ids: [0]
    )
    fields = ("metadata/Ann Roth/2/birth_date", "content")
    finding = Finding("a", "leftover", "still readable", entity="e1", fields=fields)
    corpus_check.set_aside_unsafe([finding], counted, incidence)
    reason = counted.aside["a"].reason
    assert reason.endswith(": NAME in content, NAME in metadata/…/2/birth_date")
    hidden = Finding("b", "leftover", "", entity="e1", fields=("content",), hidden="in Base64")
    corpus_check.set_aside_unsafe([hidden], counted, incidence)
    assert counted.aside["b"].reason.endswith(": NAME in content in Base64")
