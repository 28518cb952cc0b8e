"""Damaged files of a run: refused in one sentence that names the file and says what to do."""

from __future__ import annotations

from collections.abc import Callable, Sized
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from linkmask.errors import RunError
from linkmask.pipeline.linkage.common_words import common_words, keep_common_words
from linkmask.runs import Run
from linkmask.runs.file_names import COMMON_WORDS, PLAN
from linkmask.runs.mentions import mentions_in, places_of
from runs_made import TYPE_OF, made, mention

NAMES = [f"person-{n}" for n in range(8)]
DAMAGES: dict[str, Callable[[bytes], bytes | None]] = {
    "cut": lambda data: data[: len(data) // 2],
    "emptied": lambda data: b"",
    "replaced": lambda data: b"\xff\x00{]" * len(data),
    "removed": lambda data: None,
}


def all_of(rows: Any) -> Sized:
    return list(rows)


READERS: dict[str, Callable[[Run], Any]] = {
    "lines": lambda run: all_of(run.lines()),
    "by id": lambda run: all_of(run.lines_by_document().values()),
    "of some": lambda run: all_of(run.mentions_of(NAMES)),
    "of few": lambda run: run.mention_table_of(NAMES, TYPE_OF),
}
"""Ways to read the mentions by document, as apply, update and verify do."""
WHOLE: dict[str, Callable[[Run], Any]] = {
    "mentions": lambda run: all_of(run.mentions()),
    "table": lambda run: run.mention_table(TYPE_OF),
    "spellings": lambda run: all_of(run.spellings()),
}
"""Ways to read all of them, which pass over lines that are no mention."""


def planned(path: Path) -> Run:
    """Return a run that was planned, whose logs consist of two batches."""
    run = made(path)
    for log in ("stage1", "mentions"):
        for half in (NAMES[:4], NAMES[4:]):
            with run.log(log) as out:
                for name in half:
                    out.add(name, [mention(name)])
        with run.log(log) as out:
            out.finish()
    run.write_json(PLAN, {})
    return run


def damage(path: Path, how: str) -> None:
    data = DAMAGES[how](path.read_bytes())
    if data is None:
        path.unlink()
    else:
        path.write_bytes(data)


@pytest.mark.parametrize("how", DAMAGES)
@pytest.mark.parametrize("name", ["mentions.jsonl", "mentions.done.jsonl"])
@pytest.mark.parametrize("way", [*READERS, *WHOLE])
def test_damaged_mentions_are_never_read_in_part(
    tmp_path: Path, way: str, name: str, how: str
) -> None:
    """Or else what they leave out would be released, or an id stand in an error."""
    if way in WHOLE and (name, how) == ("mentions.jsonl", "replaced"):
        pytest.skip("a log of the full length is checked where it is read by document")
    with planned(tmp_path / "r") as run:
        assert len({**READERS, **WHOLE}[way](run)) > 0
        damage(run.path / name, how)
        with pytest.raises(RunError) as failed:
            {**READERS, **WHOLE}[way](run)
    said = str(failed.value)
    assert said == f"{run.path / name} is damaged: start a new run"


def test_a_list_of_documents_that_ends_too_early_is_that_of_an_interrupted_run_without_a_plan(
    tmp_path: Path,
) -> None:
    """So a run that was killed during detection goes on."""
    with planned(tmp_path / "r") as run:
        marks = run.path / "mentions.done.jsonl"
        marks.write_bytes(marks.read_bytes().splitlines(keepends=True)[0])
        with pytest.raises(RunError, match=r"mentions\.done\.jsonl is damaged"):
            run.lines_by_document()
        (run.path / PLAN).unlink()
        assert list(run.lines_by_document()) == NAMES[:4]


@pytest.mark.parametrize("log", ["stage1", "detected", "mentions"])
def test_a_log_without_the_list_of_its_documents_is_damaged(tmp_path: Path, log: str) -> None:
    """Or else the mentions would count as given, and no check would detect in what is released."""
    with planned(tmp_path / "r") as run:
        assert run.has("stage1") and not run.has("detected")
        (run.path / f"{log}.jsonl").touch()
        (run.path / f"{log}.done.jsonl").unlink(missing_ok=True)
        with pytest.raises(RunError) as failed:
            run.has(log)
        assert str(failed.value) == f"{run.path / log}.done.jsonl is damaged: start a new run"


@pytest.mark.parametrize("at_once", [False, True], ids=["by batches", "at once, as a cluster"])
def test_a_run_whose_first_pass_was_removed_whole_is_damaged(tmp_path: Path, at_once: bool) -> None:
    """Or else nothing would tell it from one of mentions that a user gave."""
    with made(tmp_path / "r") if at_once else planned(tmp_path / "r") as run:
        if at_once:
            run.replace_log("stage1", [(name, [mention(name)]) for name in NAMES])
        for end in ("jsonl", "done.jsonl"):
            (run.path / f"stage1.{end}").unlink()
    with Run.open(tmp_path / "r") as run, pytest.raises(RunError, match=r"stage1\.done\.jsonl is"):
        run.has("stage1")
    with made(tmp_path / "given") as run:
        assert not run.has("stage1")


@pytest.mark.parametrize("name", ["released.json", "released-0123.json"])
@pytest.mark.parametrize("held", [{}, [], {"documents": {}, "masked": []}, None])
def test_a_record_of_a_release_that_lacks_a_member_is_damaged(
    tmp_path: Path, held: Any, name: str
) -> None:
    with made(tmp_path / "r") as run:
        run.write_json(name, {"documents": {}, "masked": [], "settings": {}})
        assert run.read_json(name)["documents"] == {}
        run.write_json(name, held)
        with pytest.raises(RunError) as failed:
            run.read_json(name)
        assert str(failed.value) == f"{run.path / name} is damaged: start a new run"


def test_lines_of_another_document_are_not_taken_for_those_of_one(tmp_path: Path) -> None:
    """Two lines of one length that changed places would mask one person in another's document."""
    with planned(tmp_path / "r") as run:
        log = run.path / "mentions.jsonl"
        log.write_bytes(b"".join(reversed(log.read_bytes().splitlines(keepends=True))))
        with pytest.raises(RunError, match=r"mentions\.jsonl is damaged"):
            list(run.lines())


def test_a_line_that_is_no_mention_is_said_without_what_it_holds(tmp_path: Path) -> None:
    path = tmp_path / "mentions.jsonl"
    path.write_bytes(b'{"document":"Ann Roy","relevance":"Bo Lind"}\nAnn Roy\n')
    for read in (lambda: mentions_in(path.read_bytes()), lambda: places_of(path)):
        with pytest.raises(RunError, match=r"mentions\.jsonl.* is damaged: start") as failed:
            read()
        assert "Roy" not in str(failed.value)


@pytest.mark.parametrize(
    "data", [b"\xff" * 12, b"not a list of words here", b"", np.array([3, 5], np.uint64).tobytes()]
)
def test_damaged_common_words_are_refused(tmp_path: Path, data: bytes) -> None:
    with made(tmp_path / "r") as run:
        words = np.array([3, 5, 2**63], np.uint64)
        keep_common_words(run, words)
        assert common_words(run).tolist() == words.tolist()
        (run.path / COMMON_WORDS).write_bytes(data)
        with pytest.raises(RunError, match=r"common-words is damaged: mask the corpus anew"):
            common_words(run)


def test_for_a_damaged_plan_no_new_run_is_asked(tmp_path: Path) -> None:
    with planned(tmp_path / "r") as run:
        damage(run.path / PLAN, "replaced")
        with pytest.raises(RunError, match=r"plan\.json is damaged: remove .* linkmask plan"):
            run.read_json(PLAN)
