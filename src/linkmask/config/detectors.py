"""Adds to settings the digests of the models that are read from local folders."""

from __future__ import annotations

import hashlib
from importlib.util import find_spec
from pathlib import Path
from urllib.parse import urlsplit

from msgspec.structs import replace

from linkmask.choices import LOCAL_MODELS
from linkmask.config.settings import Settings
from linkmask.errors import SettingsError

SENTENCES = "model.safetensors"
"""The file that the folder of a sentence model holds."""


def with_detectors(settings: Settings) -> Settings:
    """Return settings that know the digest of each local model, and of public texts.

    A digest in the settings of a run stays, because its plan does not need the model any more.
    Whoever loads the model compares the digests (`detect/other_detectors`); so does whoever reads
    the texts.

    Raises:
        SettingsError: an address has no known form, or a folder holds no such model.
    """
    digests = settings.detector_digests
    found = {
        one: digests.get(one) or folder_digest(folder_of(one))
        for one in settings.other_detectors
        if not is_server(one)
    }
    digests_of = {
        "sentence_model_digest": _sentences(settings),
        "background_digest": _public_texts(settings),
    }
    return replace(settings, detector_digests=found, **digests_of)


def with_public_texts_of_today(settings: Settings) -> Settings:
    """Return settings that know the digest of the public texts as they are now."""
    return replace(
        settings, background_digest=_public_texts(replace(settings, background_digest=""))
    )


def _sentences(settings: Settings) -> str:
    """Return the digest of the sentence model, "" where there is none."""
    if not settings.sentence_model or settings.sentence_model_digest:
        return settings.sentence_model_digest if settings.sentence_model else ""
    folder = Path(settings.sentence_model).expanduser()
    if not (folder / SENTENCES).is_file():
        raise SettingsError(
            f"sentence_model: {settings.sentence_model!r} is no folder with a {SENTENCES}; "
            "linkmask fetches no model: name a folder on this machine"
        )
    return folder_digest(folder)


def _public_texts(settings: Settings) -> str:
    """Return the digest of the public texts, "" where there are none to read."""
    path = Path(settings.background).expanduser()
    if not settings.background or settings.background_digest or not path.exists():
        return settings.background_digest if settings.background else ""
    return folder_digest(path)


def is_server(address: str) -> bool:
    """Is it the address of a server, and no local model?

    Raises:
        SettingsError: it is neither.
    """
    kind = address.partition(":")[0]
    if kind in LOCAL_MODELS:
        return False
    if kind in ("http", "https") and urlsplit(address).hostname:
        return True
    local = ", ".join(f"{kind}:/path/of/a/model" for kind in LOCAL_MODELS)
    raise SettingsError(
        f"other_detectors: an address names no detector: give {local}, "
        "or a server's address, such as http://127.0.0.1:5002/analyze"
    )


def folder_of(address: str) -> Path:
    """Return the folder of a local model, given as `spacy:/path`.

    Raises:
        SettingsError: there is no such model, or the package that reads it is not installed.
    """
    kind, _, place = address.partition(":")
    folder, model = Path(place).expanduser(), LOCAL_MODELS[kind]
    if not place or not (folder / model.file).is_file():
        raise SettingsError(
            f"other_detectors: {address!r} is no folder of a {kind} model with a "
            f"{model.file}; linkmask fetches no model: name a folder on this machine"
        )
    if find_spec(model.package) is None:
        name = model.install or model.package
        raise SettingsError(f"other_detectors: {name} is not installed: pip install {name}")
    return folder


def folder_digest(folder: Path) -> str:
    """Return the SHA-256 of a folder's files: their names and what they hold, 64 hex digits.

    Of a file, it is that of the file alone.
    """
    whole = hashlib.sha256()
    files = [folder] if folder.is_file() else sorted(folder.rglob("*"))
    for path in (one for one in files if one.is_file()):
        with path.open("rb") as handle:
            content = hashlib.file_digest(handle, "sha256").digest()
        whole.update(path.relative_to(folder).as_posix().encode() + b"\0" + content)
    return whole.hexdigest()
