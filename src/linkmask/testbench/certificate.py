"""The certificate of a release that is on disk, made by anybody who holds it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from linkmask.config import Settings
from linkmask.corpus import Corpus
from linkmask.errors import InputError
from linkmask.pipeline.certificate import certificate
from linkmask.records import Document


def certify(release: Path, most: float) -> dict[str, Any]:
    """Return what the linker would find in a folder or table of masked documents.

    Args:
        most: limit in [0, 1] for the probability that a document's nearest is its person's.

    Returns:
        What `certificate` returns, and `not_read`, how many more documents there would be.

    Raises:
        InputError: there are fewer than two documents.
    """
    items = list(Corpus(release, Settings())())
    texts = [item.text for item in items if isinstance(item, Document)]
    if len(texts) < 2:
        raise InputError(f"{release}: linking takes two documents or more, there are {len(texts)}")
    return certificate(texts, most) | {"not_read": len(items) - len(texts)}
