"""Loads the key of a run, or makes one, and encrypts by keys derived from it."""

from __future__ import annotations

import hmac
import os
from collections.abc import Mapping
from pathlib import Path
from secrets import token_hex
from typing import Any

import msgspec

from linkmask.config import Settings
from linkmask.errors import RunError, SettingsError
from linkmask.runs import Run
from linkmask.runs.atomic import write_whole

SHORTEST_KEY = 16

Key = bytes | str | os.PathLike[str] | None
"""A key, or the path of the file that holds it."""


def load_key(settings: Settings, path: Path | None, environment: Mapping[str, str]) -> bytes:
    """Return the key: `key_file`, LINKMASK_KEY, the file at `path`, or a new one written there.

    The new file is readable by its owner only. Without a path no key is made.

    Raises:
        SettingsError: there is no key and no place to keep one, it can't be read, or it is
            shorter than 16 bytes.
        RunError: the new one can't be written.
    """
    if settings.key_file:
        return _read_key(Path(settings.key_file))
    if given := environment.get("LINKMASK_KEY", ""):
        return long_enough(given.encode(), "LINKMASK_KEY")
    if path is None:
        raise SettingsError("this style needs a key: set key_file or LINKMASK_KEY")
    if not path.exists():
        write_private(path, f"{token_hex(32)}\n".encode("ascii"))
    return _read_key(path)


def key_of_run(run: Run, settings: Settings, given: Key = None) -> bytes:
    """Return the key a run's secrets are sealed with: as given, as set, or the run's own.

    Raises:
        SettingsError: there is none, it can't be read, or it is shorter than 16 bytes.
    """
    if isinstance(given, bytes):
        return long_enough(given, "key=")
    if given:
        settings = msgspec.structs.replace(settings, key_file=os.fspath(given))
    return load_key(settings, run.key_path if run.key_path.exists() else None, os.environ)


def write_private(path: Path, data: bytes) -> None:
    """Write a file whole; its owner alone can read it.

    Raises:
        RunError: the file can't be written.
    """
    try:
        write_whole(path, [data])
    except OSError as error:
        raise RunError(f"can't write {path}: {error.strerror}") from None


def _read_key(path: Path) -> bytes:
    try:
        return long_enough(path.read_bytes().strip(), str(path))
    except OSError as error:
        why = f"can't read the key in {path}: {error.strerror}"
        raise SettingsError(f"{why}; --key-file names another file") from None


def long_enough(key: bytes, where: str) -> bytes:
    """Return a key that was given, if it is long enough to be one.

    Raises:
        SettingsError: it is shorter than 16 bytes; `where` says where it is from.
    """
    if len(key) < SHORTEST_KEY:
        raise SettingsError(
            f"the key in {where} is shorter than {SHORTEST_KEY} bytes: give a longer one"
        )
    return key


def derived_key(key: bytes, use: bytes) -> bytes:
    """Return a key of its own for each use, so that no two uses weaken one another."""
    return hmac.digest(key, b"linkmask vault " + use, "sha256")


def cipher(key: bytes) -> Any:
    """Return AES-GCM under a run's key."""
    from cryptography.hazmat.primitives.ciphers.aead import AESGCM

    return AESGCM(derived_key(key, b"seal"))
