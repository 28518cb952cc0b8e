"""A plan is made anew while a check finds further values, up to a limit."""

import re

import pytest

import linkmask
from linkmask import detect, redact
from linkmask.pipeline.jobs.masking_job import TRIES
from linkmask.pipeline.redaction import corpus_redaction
from linkmask.records import Mention, Why

WORDS = ("lamp", "chair", "table", "bowl", "rug", "shelf")


def _masked(monkeypatch: pytest.MonkeyPatch, count: int) -> linkmask.Result:
    """Mask a text with a detector that sees one further mail address at each look."""
    find = detect.first_passes
    hidden = iter(WORDS[:count])
    first = True

    def first_passes(documents, *rest):  # type: ignore[no-untyped-def]
        nonlocal first
        found = find(documents, *rest)
        (document,) = documents
        word = "" if first else next(hidden, "")
        first = False
        if word and (where := re.search(word, document.content)):
            mail = (*where.span(), "EMAIL", word, word, 1.0, Why("test"))
            found[0] = [*found[0], Mention(document.id, "content", *mail)]
        return found

    monkeypatch.setattr(detect, "first_passes", first_passes)
    settings = linkmask.load(overrides={"workers": 1}, environment={})
    text = f"Ms. Anna Brandvold called about the {', the '.join(WORDS)} and the claim."
    return linkmask.mask([text], settings)


@pytest.mark.parametrize("count", [1, TRIES])
def test_values_that_come_to_light_one_after_another_are_all_masked(
    monkeypatch: pytest.MonkeyPatch, count: int
) -> None:
    """A mask changes what detection finds beside it: a long document of names takes some rounds."""
    result = _masked(monkeypatch, count)
    assert result.set_aside == [] and result.scan.job.retries == count
    (one,) = result.documents
    assert [word for word in WORDS if word in one.content] == list(WORDS[count:])


def test_a_document_in_which_each_check_finds_more_is_set_aside(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    result = _masked(monkeypatch, TRIES + 1)
    (aside,) = result.set_aside
    assert "new-value" in aside.reason and result.scan.job.retries == TRIES


def test_a_further_round_lists_the_spellings_of_new_values_alone(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    listed: list[str] = []
    search = redact.searched_spellings

    def noted(targets, settings):  # type: ignore[no-untyped-def]
        listed.extend(targets)
        return search(targets, settings)

    monkeypatch.setattr(corpus_redaction, "searched_spellings", noted)
    result = _masked(monkeypatch, TRIES)
    assert result.scan.job.retries == TRIES
    assert len(listed) == len(set(listed)) >= 1 + TRIES
