"""An opened run masks the same of a text whatever hidden characters stand in it."""

import functools
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import linkmask
from linkmask.text.view import without_hidden

ASKED = (
    "Ms. Ottoline Brandvold (906-555-0143) asked about SFH-2207-419 and Dr. Akinwande-Frith. "
    "Jane Merriwether, jane.m@example.org, member 44-1187-302, asked too."
)
HIDDEN = "\u00ad\u200b\u200e\u2060\ufeff\u034f\u3164\ufe0f"


@functools.cache
def opened(run: str) -> linkmask.Masker:
    return linkmask.open(run)


@pytest.fixture
def run(masked_in: Callable[[str], Path]) -> str:
    return str(masked_in("pseudonym").with_suffix(".run"))


@settings(
    max_examples=30, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(st.lists(st.tuples(st.integers(0, len(ASKED)), st.sampled_from(HIDDEN)), max_size=12))
def test_hidden_characters_hide_nothing_from_an_opened_run(
    run: str, inserted: list[tuple[int, str]]
) -> None:
    text = ASKED
    for place, hidden in sorted(inserted, reverse=True):
        text = text[:place] + hidden + text[place:]
    masked = opened(run).mask_text(text)
    assert without_hidden(masked.text) == opened(run).mask_text(ASKED).text
    assert "Merriwether" not in without_hidden(masked.text)
