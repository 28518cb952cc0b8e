"""The incidence of a run as it was scored, so that planning again reads no mentions."""

from __future__ import annotations

from collections.abc import Sequence
from io import BytesIO
from pathlib import Path
from typing import Any
from zipfile import BadZipFile

import msgspec
import numpy as np

from linkmask.errors import RunError
from linkmask.records import Incidence

ARRAYS = ("start", "entity", "relevance", "type", "frequency", "uniqueness", "weight")


def dump(incidence: Incidence) -> memoryview:
    """Return an incidence as the bytes of an .npz file. No value is in it, but document ids are."""
    buffer = BytesIO()
    np.savez(
        buffer,
        **{name: getattr(incidence, name) for name in ARRAYS},
        documents=_bytes(incidence.documents),
        entities=_bytes(incidence.entities),
        types=_bytes(incidence.types),
    )
    return buffer.getbuffer()


def load(path: Path) -> Incidence:
    """Read an incidence back.

    Raises:
        RunError: the file is damaged.
    """
    try:
        with np.load(path, allow_pickle=False) as held:
            arrays = {name: held[name] for name in ARRAYS}
            documents, entities, types = (
                _texts(held[name]) for name in ("documents", "entities", "types")
            )
    except (OSError, ValueError, KeyError, EOFError, BadZipFile, msgspec.MsgspecError):
        raise RunError(f"{path} is damaged: start a new run") from None
    return Incidence(documents, entities, tuple(types), **arrays)


def _bytes(texts: Sequence[str]) -> Any:
    return np.frombuffer(msgspec.json.encode(list(texts)), dtype=np.uint8)


def _texts(held: Any) -> list[str]:
    return msgspec.json.decode(held.tobytes(), type=list[str])
