"""Chunks of masked texts: nothing is lost, no mask and no word is cut."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from linkmask.cli import main
from linkmask.corpus.chunks import Chunk, cut_into_chunks, parse
from linkmask.errors import SettingsError

WORDS = st.lists(
    st.sampled_from(["a", "word", "[NAME]", "[NAME_0a1b2c3d]", "end.", "# title", "x" * 40]),
    max_size=60,
)
BLANKS = st.lists(st.sampled_from([" ", "\n", "\n\n", "  "]), min_size=60, max_size=60)


@given(WORDS, BLANKS, st.integers(1, 80), st.integers(0, 30))
def test_no_word_is_lost_or_cut(words: list[str], blanks: list[str], size: int, over: int) -> None:
    text = "".join(word + blank for word, blank in zip(words, blanks, strict=False))
    chunks = list(cut_into_chunks(text, size, min(over, size // 2)))
    whole = set(text.split())
    assert {word for chunk in chunks for word in chunk.text.split()} == whole
    for chunk in chunks:
        assert text[chunk.start :].startswith(chunk.text)
        assert len(chunk.text) <= size or len(chunk.text.split()) == 1
    if not over:
        assert " ".join(chunk.text for chunk in chunks).split() == text.split()


def test_a_mask_of_several_words_is_not_cut() -> None:
    text = "we saw Mary Ann Smith there"
    chunks = list(cut_into_chunks(text, 12, 0, [(7, 21)]))
    assert [chunk.text for chunk in chunks] == ["we saw", "Mary Ann Smith", "there"]


def test_a_chunk_begins_in_the_one_before_by_the_overlap() -> None:
    chunks = list(cut_into_chunks("one two three four five six", 14, 6))
    assert [chunk.text for chunk in chunks] == ["one two three", "three four", "four five six"]


def test_a_chunk_knows_the_headings_above_it() -> None:
    text = "# A\n\ntext of a\n\n## B\n\ntext of b\n\n# C\n\ntext of c"
    found = {chunk.text.split("\n")[-1]: chunk.headings for chunk in cut_into_chunks(text, 20, 0)}
    assert found == {"text of a": ("A",), "text of b": ("A", "B"), "text of c": ("C",)}


def test_a_paragraph_is_kept_whole_where_it_can_be() -> None:
    text = "first one. And more of it.\n\nsecond one. And more of it."
    assert next(cut_into_chunks(text, 34, 0)) == Chunk(0, (), "first one. And more of it.")


@pytest.mark.parametrize("given", ["", "x", "0", "10,", "-5", "10,5,1"])
def test_a_size_that_is_none_is_refused(given: str) -> None:
    with pytest.raises(SettingsError, match="SIZE"):
        parse(given)


def test_chunks_of_what_is_released_stand_beside_it(tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    lines = "Patient name: Ottoline Brandvold\n\nShe called about the plan again.\n"
    (tmp_path / "in" / "a.md").write_text(f"# Claim\n\n{lines * 20}")
    command = ["mask", str(tmp_path / "in"), "-o", str(tmp_path / "out"), "--quiet"]
    with pytest.raises(SystemExit):
        main([*command, "--chunks", "200,40"])
    rows = [
        json.loads(line)
        for line in (tmp_path / "out" / "chunks.jsonl").read_text().split("\n")[:-1]
    ]
    masked = (tmp_path / "out" / "documents" / "a.md").read_text()
    assert {row["document"] for row in rows} == {"a"}
    assert all(row["headings"] == ["Claim"] and row["field"] == "content" for row in rows)
    assert all(masked[row["start"] :].startswith(row["text"]) for row in rows)
    assert {word for row in rows for word in row["text"].split()} == set(masked.split())
    assert not re.search("Brandvold|Ottoline", str(rows))
    with pytest.raises(SystemExit):
        main([*command, "--overwrite"])
    assert not (tmp_path / "out" / "chunks.jsonl").exists()
