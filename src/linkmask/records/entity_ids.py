"""Computes the id of an entity, and the label by which it is named where others read it."""

from __future__ import annotations

from hashlib import blake2b

try:
    from _md5 import md5  # type: ignore[import-not-found] # a third of the time of OpenSSL's
except ImportError:
    from hashlib import md5


def entity_id(value: str, entity_type: str, separator: str = "::") -> str:
    """Hex md5 of value, separator and type (formulas.md §2.4); older data has no separator."""
    return entity_digest(value, entity_type, separator).hex()


def entity_digest(value: str, entity_type: str, separator: str = "::") -> bytes:
    """Return the 16 bytes that `entity_id` writes in hex."""
    text = f"{value}{separator}{entity_type}".encode("utf-8", "surrogatepass")
    digest: bytes = md5(text, usedforsecurity=False).digest()
    return digest


LABEL = 12
"""Hex digits of an entity's label."""


def entity_label(entity: str, salt: bytes) -> str:
    """Name an entity where others may read it: a keyed hash of its id.

    The id is an unkeyed hash, so anybody can compute it for a guessed value. The label needs the
    run's salt, so only its holder can. Without a salt the label is the beginning of the id.
    """
    if not salt:
        return entity[:LABEL]
    return blake2b(entity.encode(), key=salt, digest_size=LABEL // 2).hexdigest()
