"""Refuses a key that can't be used, and to replace a run if its key would be lost or changed."""

from __future__ import annotations

import os
from pathlib import Path

from linkmask.config import Settings
from linkmask.errors import RunError
from linkmask.pipeline.planning.regulation import styles
from linkmask.redact import REVERSIBLE, vault
from linkmask.redact.run_key import load_key


def check_given_key(settings: Settings) -> None:
    """Refuse a key that can't be used before any work is done.

    Raises:
        SettingsError: a file of a key is named that can't be read, or a style needs the key that is
            given, and it is too short.
    """
    if settings.key_file or (REVERSIBLE & styles(settings) and os.environ.get("LINKMASK_KEY")):
        load_key(settings, None, os.environ)


def check_key(folder: Path, settings: Settings, keep_run: bool) -> None:
    """Refuse to release again with another key than the one that the run's vault is sealed with.

    Another key would change all pseudonyms, and nobody could restore those of the last release. The
    key in a run serves the run that replaces it.

    Raises:
        RunError: the key of the run's vault is neither in the run nor given, is another one, or
            would not be kept.
        SettingsError: the key that is given can't be read, or is too short.
    """
    own, sealed = folder / "key", folder / "vault"
    if own.exists() and not keep_run:
        raise RunError(
            f"{folder} holds the key of an earlier release, which --no-run would delete: move "
            f"{own} away, or keep the run"
        )
    if not sealed.exists() or not REVERSIBLE & styles(settings):
        return
    given = settings.key_file or os.environ.get("LINKMASK_KEY")
    if not given and not own.exists():
        raise RunError(
            f"{folder} was made with a key that you gave: give it again with --key-file or "
            "LINKMASK_KEY, or make a new key in another --run"
        )
    try:
        vault.check_key(sealed, load_key(settings, own, os.environ))
    except RunError as error:
        raise RunError(f"{error}, or release with a new key from another run") from None
