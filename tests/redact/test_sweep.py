"""Which spellings are searched for everywhere."""

from unittest.mock import patch

import pytest
from hypothesis import given
from hypothesis import strategies as st

from linkmask.redact import sweep, sweepable

WORDS = ["will", "Grace", "year", "Mar", "12", "1520", "52-year-old", "Dr.", "A-77382", "é", "²³½¾"]


@pytest.mark.parametrize("kind", ["NAME", "LOCATION", "AGE", "PATIENT_ID", "EVENT_DATE"])
@given(st.lists(st.sampled_from(WORDS), max_size=4), st.sampled_from([" ", "\t", "", ", "]))
def test_most_spellings_are_decided_early_as_the_whole_rule_decides(
    kind: str, words: list[str], between: str
) -> None:
    surface = between.join(words)
    with patch.object(sweep, "_is_sure", lambda *_: False):
        whole = sweepable(kind, surface)
    assert sweepable(kind, surface) == whole
