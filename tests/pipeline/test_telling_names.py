"""A name of a document or file tells a masked value that stands in it as whole words."""

import pytest

from linkmask.pipeline.possible_spellings import PossibleSpellings
from linkmask.pipeline.telling_names import TellingNames
from linkmask.redact import Target
from linkmask.text.letters import spaced_words

NAMES = {
    "jane_roe.json": True,
    "Brandvold-2024.pdf": True,
    "STRASSÉ.txt": True,
    "Jane Roe0123456789abcdef0123456789abcdef": True,  # an id that repeats
    "scan 12.json": False,
    "roe.txt": False,
    "brandvolds.txt": False,
}
TARGETS = {
    "a": Target("NAME", ["Jane Roe"]),
    "b": Target("NAME", ["Ann Brandvold"], ["Brandvold"]),
    "c": Target("LOCATION", ["Straßé"]),
    "d": Target("AGE", ["12"]),
}


@pytest.mark.parametrize("expected", [(), list(NAMES)[:2], list(NAMES)])
def test_a_name_tells_what_it_holds_whether_it_was_expected_or_not(expected: list[str]) -> None:
    holds = TellingNames(TARGETS, PossibleSpellings(TARGETS))
    holds.expect(expected)
    assert {name: holds(spaced_words(name)) for name in NAMES} == NAMES
