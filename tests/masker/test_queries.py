"""A question that a run masked finds in the masked corpus what it found in the original one."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

import linkmask
from linkmask.testbench.indexes import Bm25

QUESTIONS = {"Ms. Brandvold?": {0, 1}, "maelle kervoazou in Hancock": {2}}
"""Each question, and the documents that name the person."""


@pytest.mark.parametrize("style", ["pseudonym", "surrogate"])
def test_a_masked_question_finds_the_document_that_it_found_unmasked(
    style: str, masked_in: Callable[[str], Path]
) -> None:
    out = masked_in(style)
    sides = [
        [json.loads(line)["content"] for line in path.read_text().splitlines()]
        for path in (out.parent / "in.jsonl", out / "documents" / "in.jsonl")
    ]
    original, masked = map(Bm25, sides)
    with linkmask.open(out) as masker:
        asked = [one.text for one in masker.mask_texts(list(QUESTIONS))]
    assert all(now != was for now, was in zip(asked, QUESTIONS, strict=True))
    for (was, about), now in zip(QUESTIONS.items(), asked, strict=True):
        assert original.search(was, 1)[0].tolist()[0] in about
        assert masked.search(now, 1)[0].tolist()[0] in about
