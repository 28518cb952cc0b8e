"""The word index names every document in which a search finds a value."""

from hypothesis import example, given, settings
from hypothesis import strategies as st

from linkmask.detect.corpus_pass.entry_rows import VocabularyEntry
from linkmask.detect.corpus_pass.vocabulary import Vocabulary
from linkmask.pipeline.word_index import WordIndex, indexed, words_of
from linkmask.records import Document
from linkmask.redact.match import Matcher
from linkmask.text.codes import fold_characters
from linkmask.text.fold import folded_value

SIGNS = "ab-1.,_' \n\u200b\u00ad\u0301éßİςⒶʹ’/"
TEXTS = st.lists(st.text(SIGNS, max_size=24), min_size=1, max_size=4)
VALUES = st.lists(st.text(SIGNS, min_size=1, max_size=6), min_size=1, max_size=4)

TOUCHING = ["Brandvold", "12.03.1980", "John McDonald", "4821377", "seen", "MR", "s", "X", " ", "."]


def documents(texts: list[str]) -> list[Document]:
    return [Document(f"d{number}", text) for number, text in enumerate(texts)]


@given(TEXTS, VALUES)
@example(["Seen on 3 March."], ["3 March"])
@example(["scan_Jane-Doe.pdf"], ["jane"])
@example(["Mr. Ka\u0301llio"], ["Kállio"])
@settings(max_examples=300, deadline=None)
def test_no_document_is_missed_in_which_detection_or_redaction_finds_a_value(
    texts: list[str], values: list[str]
) -> None:
    index = indexed(documents(texts))
    spelled = {folded_value(value) for value in values} - {""}
    words = Vocabulary({one: VocabularyEntry(one, "NAME", 1.0, "seen", "") for one in spelled})
    held = index.documents_with(map(words_of, spelled))
    seen = {one.id for one in documents(texts) if any(True for _ in words.search(one.content))}
    assert seen <= held
    forms = (words_of(fold_characters(value)) for value in values)
    held = index.documents_with(filter(None, forms))
    hits = Matcher(values).find(texts)
    assert {f"d{number}" for number, found in enumerate(hits) if found} <= held


@given(st.lists(st.sampled_from(TOUCHING), max_size=8).map("".join))
@settings(max_examples=300, deadline=None)
def test_no_document_is_missed_in_which_words_touch_a_value(text: str) -> None:
    index = indexed(documents([text]))
    for value in ("brandvold", "12.03.1980", "john mcdonald", "4821377"):
        words = Vocabulary({value: VocabularyEntry(value, "NAME", 1.0, "seen", "", True)})
        if any(True for _ in words.search(text)):
            assert index.documents_with([words_of(value)]) == {"d0"}


def test_documents_without_one_of_the_words_are_not_named() -> None:
    index = indexed(documents(["Ms Brandvold called.", "Ms Kallio called."]))
    assert index.documents_with([["ms", "kallio"]]) == {"d1"}
    assert index.documents_with([["kallio", "brandvold"], ["nobody"]]) == set()


def test_an_index_is_changed_and_not_built_again() -> None:
    """What is taken out and put in leaves the index of what is there."""
    every = documents(["Ms Brandvold", "Mr Kallio", "Dr Ashgrove", ""])
    changed = indexed(every[:2]).restricted_to({"d1"}).merged_with(indexed(every[2:]))
    assert sorted(changed.documents) == ["d1", "d2", "d3"]
    assert changed.length == sum(len(one.content) for one in every[1:])
    assert changed.documents_with([["brandvold"]]) == set()
    assert changed.documents_with([["kallio"], ["ashgrove"]]) == {"d1", "d2"}
    assert WordIndex().documents_with([["kallio"]]) == set()
