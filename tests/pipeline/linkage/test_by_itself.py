"""With preset uniform and three settings, a document's masks say nothing about other documents."""

from collections.abc import Mapping
from functools import cache
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

import linkmask
from linkmask.corpus import Corpus
from linkmask.records import Document

ROOT = Path(__file__).parents[3]
BY_ITSELF = {"rare_terms": 0, "corpus_pass": False, "scope": "documents", "workers": 1}


@cache
def documents() -> list[Document]:
    """The documents of the example, in which persons have several each."""
    read = Corpus(ROOT / "examples" / "insurance" / "documents", linkmask.Settings())()
    return [item for item in read if isinstance(item, Document)]


def masked(
    corpus: list[Document], overrides: Mapping[str, object] = BY_ITSELF
) -> dict[str, object]:
    chosen = linkmask.load(preset="uniform", overrides=overrides, environment={})
    return {one.id: one.written for one in linkmask.mask(corpus, chosen).documents}


@cache
def alone(number: int) -> dict[str, object]:
    return masked([documents()[number]])


@settings(max_examples=12, deadline=None)
@given(st.sets(st.integers(0, 39), min_size=2, max_size=12))
def test_a_document_is_masked_alike_alone_and_in_any_corpus(numbers: set[int]) -> None:
    together = masked([documents()[number] for number in sorted(numbers)])
    for number in numbers:
        assert alone(number).items() <= together.items()


def test_without_these_settings_rare_words_say_that_another_document_holds_them() -> None:
    usual = {"workers": 1}
    assert not masked(documents()[:1], usual).items() <= masked(documents(), usual).items()
    assert alone(0).items() <= masked(documents()).items()
