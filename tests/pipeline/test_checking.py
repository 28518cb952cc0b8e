"""A check goes on from the one before it."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from linkmask import Settings, scan
from linkmask.pipeline.checking import typed
from linkmask.pipeline.detection import Detector
from linkmask.pipeline.redaction import Redaction
from linkmask.records import Document, Mention, Plan
from linkmask.verify import spans_of

TEXTS = {
    "a": "Maren Holt, 47, a beekeeper from Vensor, has sarcoidosis. Mail maren@example.org.",
    "b": "Mail for tobias@example.org: the appeal of Tobias Lamfen was received.",
    "c": "Coverage is limited to 20 sessions a year.",
}
SETTINGS = Settings(detector="rules", workers=1)


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


def test_a_second_check_detects_only_where_masks_changed_and_finds_what_a_fresh_one_finds(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    asked: list[str] = []
    many = Detector.many

    def remembered(self: Detector, documents: Sequence[Document]) -> list[list[Mention]]:
        asked.extend(document.id for document in documents)
        return many(self, documents)

    monkeypatch.setattr(Detector, "many", remembered)
    scanned = scan([Document(name, text) for name, text in TEXTS.items()], SETTINGS)

    def texts(plan: Plan) -> dict[str, str]:
        return {one.id: one.content for one in scanned.apply(plan)}

    def masker(plan: Plan) -> Redaction:
        return Redaction(scanned.job.run, scanned.incidence, plan, SETTINGS)

    known = scanned._read, scanned.job.tally
    loose = scanned.plan(Settings(theta_doc=1.0, theta_chain=1.0))
    strict = scanned.plan(Settings(theta_doc=0.85, theta_chain=1.0))
    was, now = texts(loose), texts(strict)
    changed = [name for name in TEXTS if was[name] != now[name]]
    assert 0 < len(changed) < len(TEXTS)

    _, _, first = masker(loose).check(*known)
    assert asked == list(TEXTS)
    asked.clear()
    again, _, second = masker(strict).check(*known, before=first)
    assert asked == changed
    assert again == masker(strict).check(*known)[0]
    asked.clear()
    masker(strict).check(*known, before=second)
    assert asked == []
