"""A search for the spellings whose words a text has finds what a search for all of them finds."""

from hypothesis import example, given, settings
from hypothesis import strategies as st

from linkmask.config import Settings
from linkmask.pipeline.values.possible_spellings import PossibleSpellings, words_checked, words_cut
from linkmask.pipeline.word_index import words_read
from linkmask.records import Document, Mention, Why, entity_id
from linkmask.redact import Redactor, Target, searched_spellings
from linkmask.verify import Inspector

SIGNS = "ab-1.,_' \n\u200b\u00ad\u0301éßİςⒶʹ’/%20&#x3b;[]"
TEXTS = st.text(SIGNS, max_size=30)
VALUES = st.lists(st.text(SIGNS, min_size=1, max_size=8), min_size=1, max_size=4, unique=True)
SETTINGS = Settings()


def targets(values: list[str]) -> dict[str, Target]:
    return {f"{n:032x}": Target("NAME", [one], [f"Dr. {one}"]) for n, one in enumerate(values)}


@given(TEXTS, VALUES)
@example("Seen: John%20Brandvold, J&#x3b;", ["john brandvold"])
@example("Mr. Ka\u0301llio", ["Kállio"])
@settings(max_examples=200, deadline=None)
def test_the_check_finds_the_same_values(text: str, values: list[str]) -> None:
    every, document = targets(values), Document("d", text)
    near = PossibleSpellings(every).among(words_checked(document))
    found = [
        Inspector(searched_spellings(one, SETTINGS), SETTINGS).readable([text])
        for one in (every, near)
    ]
    assert found[0] == found[1]


@given(TEXTS, VALUES, st.integers(0, 20), st.integers(1, 5))
@example("Seen Hartford today", ["Hart", "ford"], 5, 4)
@settings(max_examples=200, deadline=None)
def test_redaction_masks_the_same_spans(text: str, values: list[str], at: int, size: int) -> None:
    """Also what a mask within a word makes a word of its own."""
    every, document = targets(values), Document("d", text)
    here = []
    if len(original := text[at : at + size]) > 0:
        value = original.lower()
        span = at, at + len(original)
        here = [Mention("d", "content", *span, "NAME", original, value, 1.0, Why("rules"))]
        every[entity_id(value, "NAME")] = Target("NAME", [original], (), "", value)
    words = set(words_read(document)) | words_cut(document, here)
    near = searched_spellings(PossibleSpellings(every).among(words), SETTINGS)
    whole = Redactor(every, SETTINGS)(document, here)
    assert Redactor(every, SETTINGS, spellings=near)(document, here).written == whole.written


def test_spellings_with_other_words_are_left_out() -> None:
    """And an entity without a spelling that can stand in the texts."""
    every = targets(["Jane Roe", "Ann Brandvold"])
    left = PossibleSpellings(every).among(words_checked(Document("d", "Dr. Jane Roe called.")))
    assert [(one.surfaces, one.forms) for one in left.values()] == [
        (["Jane Roe"], ["Dr. Jane Roe"])
    ]
