"""Each step runs once, and what it needs of a corpus or a document is worked out once.

Not anew for each key, and not for each check.
"""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import linkmask
from linkmask import detect, redact
from linkmask.commands import mask_files
from linkmask.detect import candidate_search
from linkmask.detect.register import language
from linkmask.pipeline.detection.detector import Detector
from linkmask.pipeline.fixed_names import keys
from linkmask.pipeline.jobs.release_job import ReleaseJob
from linkmask.pipeline.redaction import corpus_redaction

SETTINGS = linkmask.load(overrides={"workers": 1})


def counted(monkeypatch: pytest.MonkeyPatch, owner: object, name: str) -> list[int]:
    """Replace a function by one that counts its calls in the list that is returned."""
    calls: list[int] = []
    work: Callable[..., Any] = getattr(owner, name)

    def counting(*given: Any, **named: Any) -> Any:
        calls.append(1)
        return work(*given, **named)

    monkeypatch.setattr(owner, name, counting)
    return calls


def test_the_vocabulary_of_a_corpus_is_built_once_for_detection_and_check(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    calls = counted(monkeypatch, detect, "vocabulary")
    text = "Ms. Anna Brandvold was born on 4 May 1971 in Bergen."
    result = linkmask.mask([{"id": "1", "content": text}], SETTINGS)
    assert len(list(result.documents)) == 1
    assert len(calls) == 1


def test_the_language_of_a_document_is_not_told_anew_for_each_of_its_keys(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    calls = counted(monkeypatch, language, "identifier")

    def asked(keys: int) -> int:
        calls.clear()
        metadata = {f"batch {1000 + n} lot {keys}": "x" for n in range(keys)}
        record = {"id": "1", "content": "Nothing to report.", "metadata": metadata}
        assert len(list(linkmask.mask([record], SETTINGS).documents)) == 1
        return len(calls)

    asked(10)  # what else is read once is read now
    assert asked(50) < 50 and asked(200) < 50


def test_numbers_in_keys_are_not_scored_as_values(monkeypatch: pytest.MonkeyPatch) -> None:
    calls = counted(monkeypatch, detect, "score")

    def scored(keys: int) -> int:
        calls.clear()
        metadata = {f"key {100 + n}": "yes" for n in range(keys)}
        record = {"id": "1", "content": "", "metadata": metadata}
        assert len(list(linkmask.mask([record], SETTINGS).documents)) == 1
        return len(calls)

    assert scored(100) == scored(200) == 0


def test_numbered_keys_with_one_value_are_read_once_and_searched_in_bundles(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A short field that was read before, in this record or another, is not read again."""
    asked: list[str] = []
    ask = candidate_search.ask

    def noted(find: Any, read: Any) -> Any:
        asked.extend(text for text, _ in read if find.__module__.endswith("lexicon"))
        return ask(find, read)

    monkeypatch.setattr(candidate_search, "ask", noted)
    contexts = counted(monkeypatch, detect, "document_context")
    metadata = {f"key {10_000 + n}": "only here" for n in range(300)}
    record = {"id": "1", "content": "", "metadata": metadata}
    assert len(list(linkmask.mask([record], SETTINGS).documents)) == 1
    assert asked.count("key: only here") == 1
    searched = {key for key in metadata if key in asked}
    assert {"key 10000", "key 10299"} < searched  # keys are searched, too
    assert len(searched) == keys.ALIKE  # of those that differ in a short number alone, some
    assert len(contexts) < 20


def test_the_spellings_of_what_is_masked_are_listed_once_for_masking_and_check(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    listed: list[str] = []
    sought = redact.searched_spellings

    def noting(targets: dict[str, Any], settings: Any) -> Any:
        listed.extend(targets)
        return sought(targets, settings)

    monkeypatch.setattr(corpus_redaction, "searched_spellings", noting)
    text = "Ms. Anna Brandvold was born on 4 May 1971 in Bergen."
    assert len(list(linkmask.mask([{"id": "1", "content": text}], SETTINGS).documents)) == 1
    assert listed
    assert len(listed) == len(set(listed))


def test_the_check_detects_only_where_something_was_masked(monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[str] = []
    first_passes = Detector.first_passes

    def noted(self: Any, pairs: Any) -> Any:
        read.extend(document.id for document, _ in pairs)
        return first_passes(self, pairs)

    monkeypatch.setattr(Detector, "first_passes", noted)
    texts = {"named": "Ms. Anna Brandvold was seen in May.", "plain": "Members get a letter."}
    records = [{"id": name, "content": text} for name, text in texts.items()]
    released = {one.id: one.content for one in linkmask.mask(records, SETTINGS).documents}
    assert released["plain"] == texts["plain"] and released["named"] != texts["named"]
    assert read.count("named") == 2 and read.count("plain") == 1


def test_what_runs_is_the_method_each_step_once_and_in_its_order(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """No step begins within another; a command does those that `pipeline.mask` names, no more."""
    done: list[str] = []

    def noting(name: str) -> Callable[..., Any]:
        step = getattr(ReleaseJob, name)

        def run(self: ReleaseJob, *given: Any, **named: Any) -> Any:
            done.append(f"{name} begins")
            result = step(self, *given, **named)
            done.append(f"{name} ends")
            return result

        return run

    steps = ("detect", "score", "plan", "redact", "check", "release")
    for name in steps:
        monkeypatch.setattr(ReleaseJob, name, noting(name))
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "a.txt").write_text("Ms. Anna Brandvold was born on 4 May 1971 in Bergen.")
    mask_files(tmp_path / "in", tmp_path / "out", SETTINGS)
    assert done == [f"{name} {what}" for name in steps for what in ("begins", "ends")]
