"""Which documents an update reads again."""

from functools import partial
from types import SimpleNamespace
from typing import Any

import pytest

from linkmask.config import Settings
from linkmask.detect.corpus_pass.entry_rows import VocabularyEntry
from linkmask.detect.corpus_pass.vocabulary import Vocabulary
from linkmask.pipeline.editions.updating import Update
from linkmask.pipeline.word_index import indexed
from linkmask.records import Document


@pytest.mark.parametrize(
    ("text", "read_again"),
    [("aged 52", {"a"}), ("aged\u200b 52", {"a"}), ("room 52", {"a"}), ("aged 525", set())],
)
def test_news_are_looked_for_in_the_text_as_it_is_seen(text: str, read_again: set[str]) -> None:
    """A hidden character hides nothing, and the context may be any; the job is a stand-in.

    A mention of the first pass takes the value that its spelling has in the corpus in any context.
    """
    words = Vocabulary({"52": VocabularyEntry("52", "AGE", 1.0, "seen", "age")})
    settings, document = Settings(), Document("a", f"She is {text} now.")
    job: Any = SimpleNamespace(
        _vocabulary=Vocabulary({}),
        detector=SimpleNamespace(vocabulary=words),
        settings=settings,
        index=indexed([document]),
        difference=SimpleNamespace(fresh=set()),
        _of_other_meaning=lambda last, words: set(),
        _documents_of=lambda names: [document],
    )
    job.unchanged_with = partial(Update.unchanged_with, job)
    assert Update._holding_news(job, set()) == read_again
