"""Rows of entries say what the mapping says that they were made of, also once they were kept."""

from __future__ import annotations

import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st

from linkmask.detect.corpus_pass.entry_rows import (
    EntryRows,
    GrownEntries,
    VocabularyEntry,
    batch_of,
    batches_of,
)
from linkmask.detect.corpus_pass.vocabulary import Vocabulary

LETTERS = "abc1 ."
SPELLINGS = st.text(LETTERS + "øß", min_size=1, max_size=14)
ENTRIES = st.dictionaries(
    SPELLINGS,
    st.builds(
        VocabularyEntry,
        st.sampled_from(["mona voss", "52"]),
        st.sampled_from(["NAME", "AGE"]),
        st.floats(0, 1),
        st.just("seen"),
        st.sampled_from(["", "capital"]),
        st.booleans(),
    ),
    max_size=20,
)


def kept(entries: dict[str, VocabularyEntry]) -> EntryRows:
    """Return entries as they are read back, written in two parts."""
    rows = list(entries.items())
    return EntryRows([batch_of(rows[:3]), batch_of(rows[3:])])


@given(ENTRIES, SPELLINGS)
def test_rows_equal_their_mapping_also_in_another_process(
    entries: dict[str, VocabularyEntry], other: str
) -> None:
    rows = kept(entries)
    for one in (rows, pickle.loads(pickle.dumps(rows)), EntryRows(batches_of(entries))):
        assert list(one.items()) == list(entries.items())
        assert [one.at(number) for number in range(len(one))] == list(entries.values())
        assert one.get(other) == entries.get(other)
        assert (other in one) == (other in entries)


def test_spellings_of_one_hash_are_told_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("linkmask.detect.corpus_pass.entry_rows.crc32", lambda data: 1)
    entries = {text: VocabularyEntry(text, "NAME", 1.0, "seen", "") for text in ("ann", "bo", "cy")}
    assert EntryRows(batches_of(entries)) == entries
    assert EntryRows(batches_of(entries)).get("di") is None


def test_a_packed_vocabulary_finds_what_it_found() -> None:
    entries = {
        "mona voss": VocabularyEntry("mona voss", "NAME", 0.9, "seen", ""),
        "52": VocabularyEntry("52", "AGE", 0.8, "seen", "age"),
    }
    words = Vocabulary(entries)
    text = "Mona Voss, aged 52, met mona  voss."
    assert list(words.search(text))
    assert list(words.packed().search(text)) == list(words.search(text))


@given(ENTRIES, ENTRIES, st.sets(SPELLINGS))
def test_rows_grow_as_a_mapping_does_and_are_kept_again(
    before: dict[str, VocabularyEntry], own: dict[str, VocabularyEntry], gone: set[str]
) -> None:
    due = gone | own.keys() | set(list(before)[::3])
    grown = GrownEntries(kept(before), due, own)
    expected = {s: one for s, one in before.items() if s not in due} | own
    assert list(grown.items()) == list(expected.items())
    assert len(grown) == len(expected)
    assert all(grown.get(spelling) == expected.get(spelling) for spelling in due | before.keys())
    assert list(EntryRows(grown.batches()).items()) == list(expected.items())


@given(ENTRIES, ENTRIES, st.data())
def test_what_is_near_some_texts_finds_in_them_what_the_whole_vocabulary_finds(
    before: dict[str, VocabularyEntry], own: dict[str, VocabularyEntry], data: st.DataObject
) -> None:
    pieces = st.one_of(SPELLINGS, st.sampled_from([*before, *own, "."]), st.just("Noté_x.doc"))
    texts = data.draw(st.lists(st.lists(pieces, max_size=4).map("".join), max_size=4))
    words = Vocabulary(GrownEntries(kept(before), own.keys(), own))
    plain = Vocabulary(dict(words.entries))
    near = words.near(texts)
    for text in texts:
        assert list(near.search(text)) == list(plain.search(text))
