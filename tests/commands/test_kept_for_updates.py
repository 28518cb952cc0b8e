"""What an edition keeps for the next one: vocabulary, values, vault, random codes."""

from __future__ import annotations

import json
from itertools import accumulate, pairwise
from pathlib import Path

import msgspec
import pytest
from click.testing import CliRunner

from linkmask import cli, commands
from linkmask.config import Settings
from linkmask.corpus import Corpus
from linkmask.pipeline.detection.detector import corpus_detector
from linkmask.pipeline.edition_state import state_by
from linkmask.pipeline.planning.generalization import remainders
from linkmask.pipeline.values.run_values import spelled, values_of
from linkmask.pipeline.word_index import WordIndex, indexed
from linkmask.records import Document, entity_id
from linkmask.redact.tokens import read_tokens
from linkmask.report.changes import ALL_AGAIN
from linkmask.runs import Run
from three_letters import LETTERS, NEW, inodes, released, update, write


def test_what_an_edition_keeps_for_the_next_is_what_its_mentions_make(place: Path) -> None:
    """However many editions brought it on: documents came, changed and went."""
    write(place, "d", NEW)
    update(place)
    write(place, "b", LETTERS["b"] + " She moved to Quarry Bend.")
    update(place)
    (place / "in" / "c.json").unlink()
    write(place, "e", "Mr Runa Brandvold saw Wenda Ashgrove on 3 March 2024.")
    update(place)
    assert words_kept(place) == words_in(place)
    with Run.open(place / "out.run") as run:
        kept, once = state_by(run), corpus_detector(run, run.settings).vocabulary
        assert kept is not None and once is not None
        assert kept.vocabulary.entries == once.entries
        fresh = values_of(run, run.settings.id_separator)
        assert {entity: one.surfaces for entity, one in kept.values.items()} == {
            entity: one.surfaces for entity, one in fresh.items()
        }
        masked = kept.masks.keys()
        assert masked
        left = remainders(kept.values, run.settings)
        assert left and left == remainders(fresh, run.settings)
        for one in kept.values.values():
            one.written = None  # what comes of it is compared in test_same_as_whole
        assert dict(spelled(dict(kept.values), masked, run.settings)) == dict(
            spelled(fresh, masked, run.settings)
        )


def test_a_first_release_keeps_the_words_of_each_document(place: Path) -> None:
    """So the first update reads no more than a later one."""
    assert words_kept(place) == words_in(place)
    assert len(words_kept(place)) == len(LETTERS)


def words_kept(place: Path) -> dict[str, set[int]]:
    """Return the hashes of the words of each document as the run keeps them."""
    with Run.open(place / "out.run") as run:
        kept = state_by(run)
    assert kept is not None
    return words_by_document(kept.index)


def words_in(place: Path) -> dict[str, set[int]]:
    """Return the same hashes as the files of the input give them."""
    read = Corpus(place / "in", Settings())
    return words_by_document(indexed(one for one in read() if isinstance(one, Document)))


def words_by_document(index: WordIndex) -> dict[str, set[int]]:
    """Return the hashes of the words of each document."""
    hashes, ends = memoryview(index.words).cast("I"), accumulate(memoryview(index.sizes).cast("I"))
    bounds = pairwise([0, *ends])
    return {d: {*hashes[a:b]} for d, (a, b) in zip(index.documents, bounds, strict=True)}


@pytest.mark.parametrize("stale", ["version", "mentions"])
def test_what_was_kept_of_other_mentions_or_by_another_version_is_not_used(
    place: Path, stale: str
) -> None:
    """Values that no document holds stand in it here: they must not reach the next edition."""
    update(place)
    path = place / "out.run" / "known.msgpack"
    with Run.open(place / "out.run") as run:
        kept = state_by(run)
    assert kept is not None
    for one in kept.values.values():
        one.surfaces["Nowhere Written"] = 1
    setattr(kept, stale, "another")
    path.write_bytes(msgspec.msgpack.encode(kept))
    write(place, "d", NEW)
    update(place)
    with Run.open(place / "out.run") as run:
        made = state_by(run)
        assert made is not None and made.values
        assert not any("Nowhere Written" in one.surfaces for one in made.values.values())
    assert b"Ashgrove" not in released(place)["d.json"]


def test_the_command_says_that_what_was_kept_is_not_readable_and_writes_all_files(
    place: Path,
) -> None:
    """In one sentence, and only then: by the next edition all is kept again."""
    names = [str(place / name) for name in ("out.run", "in", "out")]
    said = []
    for kept in (b"of another version", None):
        if kept:
            (place / "out.run" / "known.msgpack").write_bytes(kept)
        before = inodes(place)
        done = CliRunner().invoke(cli.main, ["update", *names[:2], "-o", names[2]])
        assert done.exit_code == 0, done.output
        assert (inodes(place) == before) == (kept is None)
        said.append(" ".join(done.output.split()).count(ALL_AGAIN))
    assert said == [1, 0]


def test_the_vault_holds_what_stayed_and_what_is_new_and_nothing_of_the_deleted(
    tmp_path: Path,
) -> None:
    (tmp_path / "in").mkdir()
    for name, text in LETTERS.items():
        write(tmp_path, name, text)
    settings = Settings(workers=1, style="pseudonym")
    commands.mask_files(tmp_path / "in", tmp_path / "out", settings)
    before = inodes(tmp_path)
    (tmp_path / "in" / "c.json").unlink()
    write(tmp_path, "d", NEW)
    update(tmp_path)
    assert inodes(tmp_path)["a.json"] == before["a.json"]
    held = (tmp_path / "out.run" / "vault").read_text().splitlines()
    assert {json.loads(line)["document"] for line in held} == {"a", "b", "d"}
    commands.unmask_files(tmp_path / "out", tmp_path / "back")
    for name in ("a", "b", "d"):
        back = tmp_path / "back" / "documents" / f"{name}.json"
        assert back.read_bytes() == (tmp_path / "in" / f"{name}.json").read_bytes()


def test_documents_without_a_mask_need_no_line_in_the_vault(tmp_path: Path) -> None:
    """A corpus with a document in which nothing is masked is updated in a style that is undone."""
    (tmp_path / "in").mkdir()
    write(tmp_path, "a", LETTERS["a"])
    write(tmp_path, "hours", "The office is open on Fridays.")
    settings = Settings(workers=1, style="pseudonym")
    commands.mask_files(tmp_path / "in", tmp_path / "out", settings)
    write(tmp_path, "hours", "The office is open on Mondays.")
    update(tmp_path)
    assert commands.unmask_files(tmp_path / "out", tmp_path / "back") == 2
    back = tmp_path / "back" / "documents" / "hours.json"
    assert back.read_bytes() == (tmp_path / "in" / "hours.json").read_bytes()


def test_random_codes_of_what_the_corpus_no_longer_holds_are_dropped(tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    for name, text in LETTERS.items():
        write(tmp_path, name, text)
    commands.mask_files(tmp_path / "in", tmp_path / "out", Settings(workers=1, style="token"))
    (tmp_path / "in" / "c.json").unlink()
    update(tmp_path)
    run = tmp_path / "out.run"
    key = (run / "key").read_bytes().strip()
    with Run.open(run) as opened:
        held = {entity_id(m.value, m.type) for m in opened.mentions()}
    assert held and read_tokens(run / "tokens", key).keys() <= held
