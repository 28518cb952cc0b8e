"""A budget is understood, and never passed."""

from __future__ import annotations

import pytest

from linkmask.errors import SettingsError
from linkmask.llm import token_estimate
from linkmask.llm.budget import parse


@pytest.mark.parametrize(
    ("text", "settings"),
    [
        ("5000", {"llm_budget_requests": 5000}),
        ("5k", {"llm_budget_requests": 5000}),
        ("200ktok", {"llm_budget_tokens": 200_000}),
        ("1.5Mtok", {"llm_budget_tokens": 1_500_000}),
        ("900 tokens", {"llm_budget_tokens": 900}),
    ],
)
def test_forms(text: str, settings: dict[str, int]) -> None:
    """Requests are a number, tokens a number and `tok`."""
    assert parse(text) == settings


@pytest.mark.parametrize("text", ["", "0", "-5", "5 km", "ktok", "5kk", "$5"])
def test_other_forms(text: str) -> None:
    """Anything else is refused with an example."""
    with pytest.raises(SettingsError, match="200ktok"):
        parse(text)


def test_guess_of_tokens() -> None:
    """The guess lies above what tokenizers make of prose, numbers and accents, below one a sign."""
    prose = "The member asked for a second opinion about the treatment of her condition. " * 20
    assert (
        1.2 * token_estimate.least_tokens(prose)
        < token_estimate.estimated_tokens(prose)
        < len(prose) / 2
    )
    assert token_estimate.estimated_tokens("12/04/2019") == 10
    assert token_estimate.estimated_tokens("") == 0
    assert 5 <= token_estimate.estimated_tokens("Élève naïve") <= 11
