"""No value is longer than its type allows, whatever the text says over and over."""

from itertools import pairwise

import pytest

import linkmask
from hostile_shapes import SHAPES
from linkmask.config import Settings
from linkmask.detect.candidates import Candidate
from linkmask.detect.resolve.bounds import bounded, longest
from linkmask.schema import load


def mentions(name: str, size: int):
    scan = linkmask.scan([SHAPES[name](size)], Settings(workers=1))
    return [*scan.job.run.mentions("stage1"), *scan.job.run.mentions()]


@pytest.mark.parametrize(
    "name",
    [
        "one letter", "hyphens in a word", "a title", "a name", "letters with hyphens",
        "plus and digits", "digits one by one", "underscores in a word", "an illness",
    ],
)  # fmt: skip
def test_no_value_is_longer_than_its_type_allows(name: str) -> None:
    """Nor does the search for it cost the square of the text."""
    found = mentions(name, 2500)
    assert {"john brandvold", "john.brandvold@example.org"} <= {m.value for m in found}
    assert [m.type for m in found if m.end - m.start > longest(m.type)] == []


def test_every_type_has_a_length_that_its_finds_stay_below() -> None:
    for schema in ("insurance", "general", "regulated", "thesis"):
        assert all(80 <= longest(name) <= 2000 for name in load(schema).types)


def test_a_long_span_is_cut_between_words_and_nothing_of_it_is_left_readable() -> None:
    text = "Anna Brandvold, " * 40
    pieces = list(bounded(text, [Candidate(0, len(text) - 2, "NAME", "ner", "name", 0.9)]))
    assert all(one.end - one.start <= longest("NAME") for one in pieces)
    rest = [text[one.end : other.start] for one, other in pairwise(pieces)]
    assert set(rest) <= {" ", ", "}
    assert all(text[one.start].isalpha() and text[one.end - 1].isalpha() for one in pieces)


def test_a_word_longer_than_any_value_is_none() -> None:
    text = "Anna " + "x" * 500 + " Brandvold"
    pieces = bounded(text, [Candidate(0, len(text), "NAME", "ner", "name", 0.9)])
    assert [text[one.start : one.end] for one in pieces] == ["Anna", "Brandvold"]


def test_a_span_of_an_ordinary_length_is_left_as_it_is() -> None:
    one = Candidate(0, 20, "NAME", "ner", "name", 0.9)
    assert list(bounded("- Anna Brandvold, - x", [one])) == [one]
