"""Codes of style `token` are random, stay with their entity, and open with the run's key alone."""

import re
from pathlib import Path

import pytest

from linkmask.errors import RunError
from linkmask.redact.tokens import draw_tokens, read_tokens

KEY, OTHER = b"k" * 32, b"o" * 32
ENTITIES = [f"{number:032x}" for number in range(40)]


def test_each_entity_has_a_code_of_its_own_of_16_hex_digits(tmp_path: Path) -> None:
    tokens = draw_tokens(tmp_path / "tokens", KEY, ENTITIES)
    assert tokens.keys() == set(ENTITIES)
    assert len(set(tokens.values())) == len(ENTITIES)
    assert all(re.fullmatch("[0-9a-f]{16}", code) for code in tokens.values())


def test_codes_that_were_drawn_stay_and_new_entities_get_others(tmp_path: Path) -> None:
    path = tmp_path / "tokens"
    first = draw_tokens(path, KEY, ENTITIES[:20])
    later = draw_tokens(path, KEY, ENTITIES[10:])
    assert first.items() <= later.items()
    assert read_tokens(path, KEY) == later
    assert later.keys() == set(ENTITIES)


def test_another_run_draws_other_codes(tmp_path: Path) -> None:
    one, other = (draw_tokens(tmp_path / name, KEY, ENTITIES) for name in ("a", "b"))
    assert not set(one.values()) & set(other.values())


def test_codes_are_sealed(tmp_path: Path) -> None:
    """Neither entity nor code can be read without the key, and a changed file does not open."""
    path = tmp_path / "tokens"
    tokens = draw_tokens(path, KEY, ENTITIES)
    sealed = path.read_bytes()
    assert not any(one.encode() in sealed for pair in tokens.items() for one in pair)
    with pytest.raises(RunError, match="do not open"):
        read_tokens(path, OTHER)
    path.write_bytes(sealed[:-1] + bytes([sealed[-1] ^ 1]))
    with pytest.raises(RunError, match="do not open"):
        draw_tokens(path, KEY, ENTITIES)


def test_where_none_were_drawn_there_are_none(tmp_path: Path) -> None:
    assert read_tokens(tmp_path / "tokens", KEY) == {}
    assert draw_tokens(tmp_path / "tokens", KEY, []) == {}
    assert not (tmp_path / "tokens").exists()
