"""A run's incidence and links as they were scored: planning again neither reads nor joins."""

from __future__ import annotations

from collections.abc import Sequence
from io import BytesIO
from pathlib import Path
from typing import Any
from zipfile import BadZipFile

import msgspec
import numpy as np

from linkmask.errors import RunError
from linkmask.records import Incidence, Links

ARRAYS = ("start", "entity", "relevance", "type", "frequency", "uniqueness", "weight")


def dump(incidence: Incidence, links: Links) -> memoryview:
    """Return both as the bytes of an .npz file. No value is in it, but document ids are."""
    buffer = BytesIO()
    np.savez(
        buffer,
        **{name: getattr(incidence, name) for name in ARRAYS},
        documents=_bytes(incidence.documents),
        entities=_bytes(incidence.entities),
        types=_bytes(incidence.types),
        left=links.left,
        right=links.right,
        strength=links.strength,
        blocked=links.blocked,
    )
    return buffer.getbuffer()


def load(path: Path) -> tuple[Incidence, Links]:
    """Read incidence and links back.

    Raises:
        RunError: the file is damaged.
    """
    try:
        with np.load(path, allow_pickle=False) as held:
            arrays = {name: held[name] for name in ARRAYS}
            documents, entities, types = (
                _texts(held[name]) for name in ("documents", "entities", "types")
            )
            pairs = held["left"], held["right"], held["strength"]
            links = Links(*pairs, int(held["blocked"]))
    except (OSError, ValueError, KeyError, EOFError, BadZipFile, msgspec.MsgspecError):
        raise RunError(f"{path} is damaged: start a new run") from None
    return Incidence(documents, entities, tuple(types), **arrays), links


def _bytes(texts: Sequence[str]) -> Any:
    return np.frombuffer(msgspec.json.encode(list(texts)), dtype=np.uint8)


def _texts(held: Any) -> list[str]:
    return msgspec.json.decode(held.tobytes(), type=list[str])
