"""Hidden characters, inserted anywhere, hide no value from either pass, relevance or the check."""

from hypothesis import given, settings
from hypothesis import strategies as st

from linkmask.config import Settings
from linkmask.detect import first_pass, run_corpus_pass, value_statistics, vocabulary
from linkmask.graph import entities
from linkmask.records import Document, Mention
from linkmask.text.view import without_hidden
from linkmask.verify.rescan import Inspector

RULES = Settings(detector="rules")
TEXT = (
    "Re: claim of Mrs. Odile Varnholt, born 14 March 1961, member ID WX-448-2210.\n"
    "The patient was treated for rheumatoid arthritis at Quellmoor Clinic by Dr. Ines Tarvo. "
    "Her  phone is (415) 555-0188; she lives at 2289 Bayview Drive, Seabrook, TX 77586.\n"
    "« Née à Zürich », she wrote, aged 63. Varnholt asked us to reply by e-mail.\n"
)
OTHER = "On Monday odile varnholt came again: glioblastoma, 63 years old, seen at quellmoor clinic."
HIDDEN = "\u00ad\u200b\u200e\u2060\ufeff\u034f\u3164\ufe0f"


@st.composite
def hiding(draw: st.DrawFn, text: str) -> str:
    """A text with hidden characters at random places, no soft hyphen at the end of a line."""
    for place in sorted(draw(st.lists(st.integers(0, len(text)), max_size=12)), reverse=True):
        choice = HIDDEN[1:] if text[place : place + 1] in ("\n", " ", "") else HIDDEN
        text = text[:place] + draw(st.sampled_from(choice)) + text[place:]
    return text


def both_passes(*texts: str) -> list[list[Mention]]:
    """Return the mentions of some documents after the corpus pass."""
    documents = [Document(str(number), text) for number, text in enumerate(texts)]
    found = [first_pass(one, RULES, entities.canonical) for one in documents]
    every = [mention for mentions in found for mention in mentions]
    known = vocabulary(value_statistics(every), len(documents), RULES, entities.forms)
    return [
        run_corpus_pass(one, mentions, known, RULES, entities.canonical)
        for one, mentions in zip(documents, found, strict=True)
    ]


def seen(mention: Mention) -> tuple[object, ...]:
    """Return all of a mention that does not depend on hidden characters."""
    original = without_hidden(mention.original)
    return original, mention.type, mention.value, mention.relevance, mention.why


PLAIN = both_passes(TEXT, OTHER)


@settings(max_examples=25, deadline=None)
@given(hiding(TEXT), hiding(OTHER))
def test_both_passes_find_and_score_the_same(text: str, other: str) -> None:
    """Type, value and relevance of each mention are those of the text without them."""
    for mentions, plain, held in zip(both_passes(text, other), PLAIN, (text, other), strict=True):
        assert [seen(one) for one in mentions] == [seen(one) for one in plain]
        assert all(held[one.start : one.end] == one.original for one in mentions)


def test_the_corpus_pass_finds_what_the_first_can_not() -> None:
    """Else the property above would say nothing of the corpus pass."""
    alone = first_pass(Document("1", OTHER), RULES, entities.canonical)
    assert "odile varnholt" in {one.original for one in PLAIN[1]} - {one.original for one in alone}


@settings(max_examples=40, deadline=None)
@given(hiding(TEXT))
def test_the_check_reads_values_through_hidden_characters(text: str) -> None:
    values = {one.entity: [one.original] for one in PLAIN[0]}
    left = {finding.entity for finding in Inspector(values, RULES)(Document("0", text)).findings}
    assert left == {e.entity for e in Inspector(values, RULES)(Document("0", TEXT)).findings}
    assert left
