"""The lookup file of an opened run: private, built once, made anew with its run, and erased."""

from __future__ import annotations

import json
import shutil
import stat
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path

import numpy as np
import pytest
from tests.masker.conftest import DOCUMENTS, Made
from tests.masker.test_masker import released

import linkmask
from linkmask import commands
from linkmask.masker import building
from linkmask.masker import lookup as lookups
from linkmask.pipeline.edition_state import kept_values
from linkmask.runs import Run
from linkmask.runs.file_names import KNOWN, LOOKUP
from linkmask.text.codes import WORD


@pytest.fixture
def copied(masked_in: Made, tmp_path: Path) -> Path:
    """A fresh copy of the run in style surrogate and of what it wrote, without a lookup file."""
    out = masked_in("surrogate")
    shutil.copytree(out, tmp_path / "out")
    shutil.copytree(out.with_name("out.run"), tmp_path / "out.run")
    (tmp_path / "out.run" / LOOKUP).unlink(missing_ok=True)
    return tmp_path / "out"


def lookup(out: Path) -> Path:
    return out.with_name("out.run") / LOOKUP


def asked(out: Path) -> str:
    return linkmask.open(out).mask_text("Did Ms. Brandvold call 906-555-0143?").text


def test_it_is_readable_by_its_owner_only(copied: Path) -> None:
    linkmask.open(copied)
    assert stat.S_IMODE(lookup(copied).stat().st_mode) == 0o600


def test_it_is_built_once(copied: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A second opening reads it and builds nothing."""
    first = asked(copied)
    monkeypatch.delattr(building, "build_lookup")
    assert asked(copied) == first


def test_it_is_the_same_where_the_release_kept_no_values(copied: Path) -> None:
    linkmask.open(copied)
    first = lookup(copied).read_bytes()
    for name in (LOOKUP, KNOWN):
        lookup(copied).with_name(name).unlink()
    linkmask.open(copied)
    assert lookup(copied).read_bytes() == first


def test_values_that_were_kept_of_other_mentions_are_not_used(copied: Path) -> None:
    with Run.open(copied.with_name("out.run")) as run:
        assert kept_values(run)
        with run.find("mentions.jsonl").open("ab") as log:
            log.write(b"\n")
        assert kept_values(run) is None


def test_processes_that_open_at_once_get_the_same(copied: Path) -> None:
    """Each may build the file; none meets a half of it."""
    with ProcessPoolExecutor(4, get_context("spawn")) as pool:
        texts = set(pool.map(asked, [copied] * 8))
    assert len(texts) == 1
    assert [one.name for one in lookup(copied).parent.glob(f"{LOOKUP}*")] == [LOOKUP]


@pytest.mark.parametrize("left", [0, 7, 1000, -1])
def test_a_damaged_one_is_built_anew(copied: Path, left: int) -> None:
    first = asked(copied)
    whole = lookup(copied).read_bytes()
    lookup(copied).write_bytes(whole[:left])
    assert asked(copied) == first
    assert lookup(copied).stat().st_size == len(whole)


def test_another_release_is_looked_up_anew(copied: Path) -> None:
    """The run writes in another style: an opened run follows what was released last."""
    assert "[NAME]" not in asked(copied)
    run = copied.with_name("out.run")
    commands.apply_run(run, copied, {"style": "value"}, overwrite=True)
    assert asked(copied) == "Did [NAME] call [PHONE_NUMBER]?"


def test_a_folder_that_can_not_be_written_is_opened(
    copied: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = asked(copied)
    lookup(copied).unlink()
    write = lookups.write_whole

    def refuse(path: Path, *rest: object) -> None:
        if path.parent == copied.with_name("out.run"):
            raise PermissionError(path)
        write(path, *rest)  # type: ignore[arg-type]

    monkeypatch.setattr(lookups, "write_whole", refuse)
    assert asked(copied) == first
    assert not lookup(copied).exists()


def test_forget_erases_it_and_what_is_built_again_knows_nothing(copied: Path) -> None:
    """No form of the person is left in it; the other documents are masked as they were."""
    was = {str(one["id"]): one["content"] for one in released(copied)}
    linkmask.open(copied)
    searched = lookup(copied).read_bytes()
    run = copied.with_name("out.run")
    digests = json.loads((run / "released.json").read_text())["originals"]
    assert set(digests) == {one["id"] for one in DOCUMENTS}
    commands.forget_subject(run, ["Ottoline Brandvold"])
    assert not lookup(copied).exists()
    assert "claim" not in json.loads((run / "released.json").read_text())["originals"]
    (copied.parent / "in.jsonl").unlink(missing_ok=True)
    masker = linkmask.open(copied)
    left = lookup(copied).read_bytes().lower()
    assert b"brandvold" not in left
    spelled = np.array([WORD + ord(c) for c in "brandvold"], np.int32).tobytes()
    assert spelled in searched  # as the search keeps its forms
    assert spelled not in lookup(copied).read_bytes()
    (visit,) = masker.mask_documents([DOCUMENTS[2]])
    assert visit.content == was["visit"]  # type: ignore[union-attr]


def test_surrogates_in_an_answer_stay(masked_in: Made) -> None:
    """What a model says of the masked corpus is masked already, however it looks."""
    masker = linkmask.open(masked_in("surrogate"))
    answer = masker.mask_text("Ottoline Brandvold and Maëlle Kervoazou called 906-555-0143.").text
    assert "Brandvold" not in answer
    assert masker.mask_text(answer).text == answer
