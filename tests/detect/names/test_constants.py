"""Constants of programs are no names, wherever they stand."""

from __future__ import annotations

import pytest

import linkmask


def masked(text: str) -> str:
    """Return a text as a run releases it."""
    (record,) = linkmask.mask([{"id": "a", "content": text}]).records
    return record["content"]


@pytest.mark.parametrize("text", ["- name: DB_USER", "- name: LOG_LEVEL", "name: APP_HOME_DIR"])
def test_a_constant_of_words_of_prose_is_no_name(text: str) -> None:
    assert masked(f"env:\n  {text}\n    value: info\n") == f"env:\n  {text}\n    value: info\n"


@pytest.mark.parametrize("name", ["SOLVEIG_RAVNSBORG", "JANE_DOE"])
def test_a_name_that_is_written_like_a_constant_is_masked(name: str) -> None:
    assert name not in masked(f"name: {name}\n")
