"""Draws the codes of styles that have them, and stores them sealed under the run's key."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Set
from pathlib import Path
from secrets import token_bytes, token_hex

from linkmask.errors import RunError
from linkmask.redact.run_key import cipher, write_private


def new_token(taken: Set[str]) -> str:
    """Return a random code of 16 hex digits that is not taken."""
    return next(code for code in iter(lambda: token_hex(8), "") if code not in taken)


def draw_tokens(
    path: Path,
    key: bytes,
    entities: Iterable[str],
    new: Callable[[Set[str]], str] = new_token,
) -> dict[str, str]:
    """Return the code of each entity: the one in the run, or a new one; also those of others there.

    They are kept at `path`, sealed. Without them, nobody can tell which code was whose.

    Raises:
        RunError: the tokens there can't be opened with this key.
    """
    tokens = read_tokens(path, key)
    taken = set(tokens.values())
    fresh = dict[str, str]()
    for entity in sorted(set(entities) - tokens.keys()):
        fresh[entity] = new(taken)
        taken.add(fresh[entity])
    if fresh:
        write_private(path, seal_tokens(key, tokens | fresh))
    return tokens | fresh


def read_tokens(path: Path, key: bytes) -> dict[str, str]:
    """Return the tokens of a run; none where none were drawn.

    Raises:
        RunError: they can't be opened with this key.
    """
    from cryptography.exceptions import InvalidTag

    try:
        sealed = path.read_bytes()
        return dict(json.loads(cipher(key).decrypt(sealed[:12], sealed[12:], b"tokens")))
    except FileNotFoundError:
        return {}
    except (OSError, InvalidTag, ValueError):
        raise RunError(f"the tokens in {path} do not open with this key") from None


def seal_tokens(key: bytes, tokens: Mapping[str, str]) -> bytes:
    """Seal tokens under a nonce of their own."""
    nonce = token_bytes(12)
    sealed: bytes = cipher(key).encrypt(nonce, json.dumps(tokens).encode(), b"tokens")
    return nonce + sealed
