"""Stores the places of replacements in the masked texts and the originals, for `unmask`.

The vault is in the run folder, encrypted document by document with AES-GCM under the run's key;
without the key nothing of a value can be read. A record names the document it belongs to, so
records cannot be swapped. It has a digest of each masked text, so a text that was changed since is
refused instead of damaged. The nonce is derived from key, document and content (as in SIV modes):
the same run writes the same vault, and a nonce is never used for two contents.
"""

from __future__ import annotations

import hmac
import json
from base64 import b64decode, b64encode
from collections.abc import Callable, Container, Iterator
from hashlib import sha256
from pathlib import Path
from typing import Any

import msgspec

from linkmask.errors import RunError
from linkmask.records import Document, Masked, Replacement
from linkmask.redact.run_key import cipher, derived_key


class MaskedField(msgspec.Struct):
    """One masked field: digest of its new text, (start, end, original) of each mask in it.

    `value` is the field's own value where it was no running text. A typed column, of numbers or
    dates, holds null in place of the mask, so it is put back whole.
    """

    field: str
    digest: str
    masks: list[tuple[int, int, str]]
    value: int | float | str | None = None


class Sealed(msgspec.Struct):
    """One line of the vault."""

    document: str
    sealed: str


def seal(masked: Masked, key: bytes, reversible: Container[str]) -> bytes:
    """Return a document's line of the vault, or nothing if no mask can be undone.

    `reversible`: ids of the entities whose style can be undone.
    """
    return _line(masked.id, list(_masked_fields(masked, reversible)), key)


def _line(document: str, held: list[MaskedField], key: bytes) -> bytes:
    if not held:
        return b""
    content = json.dumps(msgspec.to_builtins(held)).encode()  # ASCII: holds lone surrogates too
    name = document.encode("utf-8", "surrogatepass")
    nonce = hmac.digest(derived_key(key, b"nonce"), name + b"\0" + content, "sha256")[:12]
    sealed = b64encode(nonce + cipher(key).encrypt(nonce, content, name)).decode()
    return msgspec.json.encode(Sealed(document, sealed)) + b"\n"


def _masked_fields(masked: Masked, reversible: Container[str]) -> Iterator[MaskedField]:
    before = dict(masked.original.fields())
    after = dict(masked.written.fields())
    raw = dict(masked.original.leaves())
    by_field: dict[str, list[tuple[int, int, str]]] = {}
    shift: dict[str, int] = {}
    for one in masked.replacements:
        start = one.start + shift.get(one.field, 0)
        end = start + len(one.text)
        shift[one.field] = end - one.end
        if one.entity in reversible:
            original = before[one.field][one.start : one.end]
            by_field.setdefault(one.field, []).append((start, end, original))
    for field, masks in by_field.items():
        value = raw.get(field)
        whole = value if isinstance(value, int | float) else before[field]
        kept = None if field in masked.original.texts else whole
        yield MaskedField(field, _digest(after[field]), masks, kept)


def check_key(path: Path, key: bytes) -> None:
    """Check that a key opens the vault at a path, by one record of it.

    Raises:
        RunError: there is no vault, it is damaged, or the key is another one.
    """
    try:
        with path.open("rb") as handle:
            first = handle.readline()
        if first:
            record = msgspec.json.decode(first, type=Sealed)
            _opened(record.document, record.sealed, key)
    except FileNotFoundError:
        raise RunError(NO_VAULT.format(path)) from None
    except (OSError, msgspec.MsgspecError) as error:
        raise RunError(f"the vault {path} can't be read ({type(error).__name__})") from None


NO_VAULT = "no vault at {}: the run was made without a style that can be undone"


def sealed_lines(path: Path, documents: int | None) -> Iterator[tuple[Sealed, bytes]]:
    """Yield the records of a vault, each with its line.

    Args:
        documents: how many it must hold; None if that is not known.

    Raises:
        RunError: there is no vault, it is damaged, or it holds less or more documents.
    """
    count = 0
    try:
        with path.open("rb") as handle:
            for line in handle:
                yield msgspec.json.decode(line, type=Sealed), line
                count += 1
    except FileNotFoundError:
        raise RunError(NO_VAULT.format(path)) from None
    except (OSError, msgspec.MsgspecError) as error:
        raise RunError(f"the vault {path} can't be read ({type(error).__name__})") from None
    if documents not in (None, count):
        raise RunError(f"the vault {path} is damaged: it holds {count} of {documents} documents")


class Vault:
    """The vault of a run, opened to take masks back.

    Args:
        documents: how many it must hold; None if that is not known.

    Raises:
        RunError: there is no vault, or it is damaged.
    """

    def __init__(self, path: Path, key: bytes, documents: int | None = None) -> None:
        self._key = key
        records = (record for record, _ in sealed_lines(path, documents))
        self._sealed = {record.document: record.sealed for record in records}

    def restore(self, document: Document) -> Document:
        """Return a masked document with its originals put back, byte for byte.

        Raises:
            RunError: the key is another one, or the document was changed since it was masked.
        """
        return self.restored(document).written

    def restored(self, document: Document) -> Masked:
        """Return a masked document with its originals put back, and where each was.

        Raises:
            RunError: the key is another one, or the document was changed since it was masked.
        """
        texts: dict[str, Any] = {}
        places: list[Replacement] = []
        fields = dict(document.fields())
        leaves = dict(document.leaves())
        for held in self._open(document.id):
            text = fields.get(held.field)
            if held.value is not None and leaves.get(held.field, "") is None:
                texts[held.field] = held.value
                continue
            if text is None or _digest(text) != held.digest:
                raise RunError(
                    f"document {document.id}: {held.field} was changed since it was masked; "
                    "restore the masked file and try again"
                )
            texts[held.field] = _put_back(text, held)
            places += (Replacement(held.field, a, b, "", "", was) for a, b, was in held.masks)
        return Masked(document, document.with_fields(texts), places)

    def without(
        self, documents: Container[str], forgotten: Callable[[str], bool]
    ) -> Iterator[bytes]:
        """Yield the vault's lines again, without some documents and without some originals.

        Nobody can restore what is left out.

        Raises:
            RunError: the key is another one.
        """
        for name in self._sealed:
            held = [_without(one, forgotten) for one in self._open(name)]
            kept = [] if name in documents else [one for one in held if one.masks]
            yield _line(name, kept, self._key)

    def _open(self, name: str) -> list[MaskedField]:
        sealed = self._sealed.get(name)
        return [] if sealed is None else _opened(name, sealed, self._key)


def _opened(name: str, record: str, key: bytes) -> list[MaskedField]:
    """Open the record of one document.

    Raises:
        RunError: the key is another one.
    """
    from cryptography.exceptions import InvalidTag

    try:
        sealed = b64decode(record)
        associated = name.encode("utf-8", "surrogatepass")
        content: bytes = cipher(key).decrypt(sealed[:12], sealed[12:], associated)
    except (InvalidTag, ValueError):
        raise RunError(
            f"document {name}: the vault does not open with this key; "
            "give the key the run was made with"
        ) from None
    return msgspec.convert(json.loads(content), list[MaskedField])


def _put_back(text: str, held: MaskedField) -> Any:
    parts, at = [], 0
    for start, end, original in held.masks:
        parts += [text[at:start], original]
        at = end
    whole = "".join([*parts, text[at:]])
    number = isinstance(held.value, int | float) and whole == str(held.value)
    return held.value if number else whole


def _without(held: MaskedField, forgotten: Callable[[str], bool]) -> MaskedField:
    kept = [mask for mask in held.masks if not forgotten(mask[2])]
    value = held.value if len(kept) == len(held.masks) else None
    return MaskedField(held.field, held.digest, kept, value)


def _digest(text: str) -> str:
    return sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
