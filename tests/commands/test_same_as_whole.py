"""An update releases what a whole run does under the same counts and the same ledger.

Both also mask the same for readers of earlier editions, whom a whole run does not know of. Rare
words are left out: an update masks them in new documents alone.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path
from random import Random

import pytest

sys.path.insert(0, str(Path(__file__).parents[2]))

from benchmarks.update_fuzz import LOW, differing, letter, put, stated_in, update_and_whole

from linkmask import commands, config
from linkmask.commands import update as updating
from linkmask.runs import Run


def bytes_in(out: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in (out / "documents").iterdir()}


@pytest.mark.parametrize("limits", [{}, LOW], ids=["", "low"])
@pytest.mark.parametrize("seed", range(3))
def test_where_documents_came_an_update_releases_the_bytes_of_a_whole_run(
    seed: int, limits: dict[str, float], tmp_path: Path
) -> None:
    random = Random(seed)
    source, out, whole = (tmp_path / name for name in ("in", "out", "whole"))
    source.mkdir()
    settings = config.load(overrides={"workers": 1, "rare_terms": 0, **limits}, environment={})
    for number in range(24):
        put(source, f"d{number:02}", letter(random))
    commands.mask_files(source, out, settings)
    for edition in range(2):
        for number in range(3):
            put(source, f"e{edition}-{number}", letter(random))
        update_and_whole(source, out, whole / str(edition), settings)
    assert bytes_in(out) == bytes_in(whole / "1")
    assert stated_in(tmp_path / "out.run") == stated_in(whole / "1.run")


def test_a_bare_surname_means_another_or_nobody_once_a_namesake_comes(tmp_path: Path) -> None:
    """Only the corpus pass finds it, and its document does not change."""
    source, out, whole = (tmp_path / name for name in ("in", "out", "whole"))
    source.mkdir()
    settings = config.load(overrides={"workers": 1, "rare_terms": 0}, environment={})
    put(source, "a", "Ms. Elena Brandvold, member ID 4411-0093-2, was seen on 3 March 2024.")
    put(source, "b", "E. Brandvold called her doctor on Monday, as agreed.")
    put(source, "c", "The letter was signed yesterday, and Brandvold has it by now.")
    commands.mask_files(source, out, settings)
    put(source, "d", "Mr. Tom Brandvold, member ID 4411-0055-7, was seen on 9 March 2024.")
    update_and_whole(source, out, whole, settings)
    with Run.open(tmp_path / "out.run") as run, Run.open(tmp_path / "whole.run") as anew:
        assert [*run.mentions()] == [*anew.mentions()]
        assert {one.value for one in run.mentions() if one.document == "c"} == {"brandvold"}


def test_what_a_deleted_document_said_of_a_name_stays_masked_under_the_name_itself(
    tmp_path: Path,
) -> None:
    """Only the corpus pass found the surname, and nobody says whose it is any more."""
    source, out, run = (tmp_path / name for name in ("in", "out", "out.run"))
    source.mkdir()
    settings = config.load(overrides={"workers": 1, "rare_terms": 0}, environment={})
    put(source, "a", "Ms. Elena Brandvold, member ID 4411-0093-2, was seen on 3 March 2024.")
    put(source, "c", "the keys are with brandvold on the shelf.")
    put(source, "d", "Mr. Teemu Kallio, member ID 4411-0055-7, was seen on 9 March 2024.")
    commands.mask_files(source, out, settings)
    before = bytes_in(out)["c.json"]
    assert b"brandvold" not in before
    assert whose(run, "c") == {"elena brandvold"}
    (source / "a.json").unlink()
    updating.update_files(run, source, out, {})
    assert bytes_in(out)["c.json"] == before
    assert whose(run, "c") == {"brandvold"}
    kept = (path.read_bytes().lower() for path in run.rglob("*") if path.is_file())
    assert not any(b"elena" in data for data in kept)


@pytest.mark.parametrize("scope", ["corpus", "documents"])
@pytest.mark.parametrize(
    "text",
    [
        "the keys are with e. brandvold on the shelf.",
        "the keys of Brandvold, e. are on the shelf.",
        "e. brandvold has the keys, and the Brandvold shelf is empty.",
    ],
)
def test_a_name_of_which_less_is_known_by_now_is_masked_as_wide_as_it_was(
    tmp_path: Path, text: str, scope: str
) -> None:
    """Else the next edition shows an initial that the first one hid."""
    source, out, run = (tmp_path / name for name in ("in", "out", "out.run"))
    source.mkdir()
    given = {"workers": 1, "rare_terms": 0, "scope": scope}
    settings = config.load(overrides=given, environment={})
    put(source, "a", "Ms. Elena Brandvold, member ID 4411-0093-2, was seen on 3 March 2024.")
    put(source, "c", text)
    put(source, "d", "Mr. Teemu Kallio, member ID 4411-0055-7, was seen on 9 March 2024.")
    commands.mask_files(source, out, settings)
    before = masks_of_any_type(bytes_in(out)["c.json"])
    for gone in ("a", "d"):
        (source / f"{gone}.json").unlink()
        updating.update_files(run, source, out, {})
        assert masks_of_any_type(bytes_in(out)["c.json"]) == before


def test_a_title_is_shown_beside_a_name_of_which_less_is_known_by_now(tmp_path: Path) -> None:
    """A whole run shows it too; a new text that holds the name with a title is masked alike."""
    source, out, whole = (tmp_path / name for name in ("in", "out", "whole"))
    source.mkdir()
    settings = config.load(overrides={"workers": 1, "rare_terms": 0}, environment={})
    put(source, "a", "Ms. Elena Brandvold, member ID 4411-0093-2, was seen on 3 March 2024.")
    put(source, "c", "The keys lie with Ms. Brandvold now.")
    put(source, "d", "Mr. Teemu Kallio, member ID 4411-0055-7, was seen on 9 March 2024.")
    commands.mask_files(source, out, settings)
    assert b"Ms." not in bytes_in(out)["c.json"]
    (source / "a.json").unlink()
    put(source, "e", "The letter for Ms. Brandvold came.")
    update_and_whole(source, out, whole, settings)
    assert bytes_in(out) == bytes_in(whole)
    assert b"The letter for Ms. [NAME] came." in bytes_in(out)["e.json"]


def masks_of_any_type(masked: bytes) -> bytes:
    """Return a masked text without the types: by itself, a rest of a name may have another one."""
    return re.sub(rb"\[[A-Z_]+\]", b"[]", masked)


def whose(run: Path, document: str) -> set[str]:
    """Return the values that a run says that a document holds."""
    with Run.open(run) as opened:
        return {one.value for one in opened.mentions() if one.document == document}


@pytest.mark.parametrize("seed", [23, 57, 77])
def test_where_documents_came_changed_and_went_an_update_shows_no_more_than_a_whole_run(
    seed: int,
) -> None:
    """A value that only documents mentioned which are gone may stay masked.

    In these corpora, a given name means itself, and a shorter phrase and a surname mean a longer
    phrase and a clinic by then.
    """
    settings = config.load(overrides={"workers": 1, "rare_terms": 0, **LOW}, environment={})
    assert {one.kind for one in differing(seed, settings)} <= {"masked", "kept"}


def test_where_values_are_searched_for_in_their_documents_alone_what_was_hidden_stays_so() -> None:
    """In this corpus, a document no longer mentions a person whom others still mention."""
    given = {"workers": 1, "rare_terms": 0, "scope": "documents", **LOW}
    found = {one.kind for one in differing(10, config.load(overrides=given, environment={}))}
    assert found <= {"masked", "kept", "otherwise"}


def test_what_only_a_value_that_is_gone_masked_stays_masked_under_another_value() -> None:
    """In this corpus, "Lindqvist" is a readable organization's name in a document in which it was
    masked as the name of a person, whom no document mentions by then."""
    given = {"workers": 1, "rare_terms": 0, "corpus_pass": False, **LOW}
    found = {one.kind for one in differing(5, config.load(overrides=given, environment={}))}
    assert found <= {"masked", "kept"}


def test_where_a_namesake_went_a_name_has_the_pseudonym_of_a_whole_run(tmp_path: Path) -> None:
    """In this corpus, a given name had that of another value with this spelling, which is gone."""
    key = tmp_path / "key"
    key.write_text("4e" * 32)
    key.chmod(0o600)
    given = {"workers": 1, "rare_terms": 0, "style": "pseudonym", "key_file": str(key), **LOW}
    assert not list(differing(2, config.load(overrides=given, environment={})))
