"""A table of entries says of each spelling what the mapping says that it was made of."""

import pickle

import msgspec
from hypothesis import given
from hypothesis import strategies as st

from linkmask.detect.corpus_pass.entry_table import EntryTable, VocabularyEntry
from linkmask.detect.corpus_pass.vocabulary import Vocabulary

ENTRIES = st.dictionaries(
    st.text(max_size=6),
    st.builds(
        VocabularyEntry,
        st.sampled_from(["mona voss", "52", "Ærø \ud83d"]),
        st.sampled_from(["NAME", "AGE"]),
        st.floats(0, 1),
        st.sampled_from(["seen", "form"]),
        st.sampled_from(["", "capital"]),
        st.booleans(),
    ),
    max_size=20,
)


@given(ENTRIES, st.text(max_size=6))
def test_a_table_equals_the_mapping_also_in_another_process(
    entries: dict[str, VocabularyEntry], other: str
) -> None:
    table = EntryTable(entries)
    for one in (table, pickle.loads(pickle.dumps(table))):
        assert list(one.items()) == list(entries.items())
        assert [one.at(number) for number in range(len(one))] == list(entries.values())
        assert one.get(other) == entries.get(other)
    for entry in table.values():
        assert msgspec.convert(msgspec.to_builtins(entry), VocabularyEntry) == entry


def test_spellings_of_one_hash_are_told_apart(monkeypatch) -> None:  # type: ignore[no-untyped-def]
    monkeypatch.setattr(
        "linkmask.detect.corpus_pass.entry_table.hash", lambda text: 1, raising=False
    )
    entries = {text: VocabularyEntry(text, "NAME", 1.0, "seen", "") for text in ("ann", "bo", "cy")}
    assert EntryTable(entries) == entries
    assert EntryTable(entries).get("di") is None


def test_a_packed_vocabulary_finds_what_it_found() -> None:
    entries = {
        "mona voss": VocabularyEntry("mona voss", "NAME", 0.9, "seen", ""),
        "52": VocabularyEntry("52", "AGE", 0.8, "seen", "age"),
    }
    words = Vocabulary(entries)
    text = "Mona Voss, aged 52, met mona  voss."
    assert list(words.search(text))
    assert list(words.packed().search(text)) == list(words.search(text))
