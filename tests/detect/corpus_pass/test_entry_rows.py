"""Entries that an edition kept say what the mapping says that they were made of."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from linkmask.detect.corpus_pass.entry_rows import EntryRows, GrownEntries, batch_of
from linkmask.detect.corpus_pass.entry_table import VocabularyEntry
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
def test_kept_rows_equal_their_mapping(entries: dict[str, VocabularyEntry], other: str) -> None:
    rows = kept(entries)
    assert list(rows.items()) == list(entries.items())
    assert rows.get(other) == entries.get(other)
    assert (other in rows) == (other in entries)
    wanted = [*list(entries)[::2], other]
    assert rows.found(wanted) == {s: entries[s] for s in wanted if s in entries}


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
    assert list(EntryRows(list(grown.batches())).items()) == list(expected.items())


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
