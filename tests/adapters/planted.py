"""A small corpus with planted values, and the search for them in every byte of what a store holds.

The documents are whole records: id, text, metadata. One id is the hash of its text, one a UUID made
of it, one holds a name.
"""

from __future__ import annotations

import hashlib
import json
import pickle
import re
import uuid
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

CLAIM = "Claim by Ottoline Brandvold, born 30 June 1977, tel. (906) 555-0143, for new glasses."
MEMO = "Ms. Brandvold called from 906-555-0143 about SFH-2207-419."
VISIT = "Maëlle Kervoazou saw Dr. Tobias Akinwande-Frith in Hancock about her asthma."
DOCUMENTS: list[tuple[str, str, dict[str, Any]]] = [
    (
        hashlib.sha256(CLAIM.encode()).hexdigest(),
        CLAIM,
        {"member": "SFH-2207-419", "holder": {"names": ["Ottoline Brandvold"]}, "pages": 2},
    ),
    ("memo", MEMO, {"kind": "memo", "etag": hashlib.md5(MEMO.encode()).hexdigest()}),
    (str(uuid.uuid5(uuid.NAMESPACE_URL, VISIT)), VISIT, {"author": "Tobias Akinwande-Frith"}),
    ("kervoazou_2024", "The inhaler of Maëlle Kervoazou was paid for.", {}),
    ("policy", "A policy pays after thirty days. Lost inhalers are not covered.", {"pages": 1}),
]
PLANTED = ("brandvold", "ottoline", "kervoazou", "maëlle", "akinwande", "555-0143", "2207-419")
"""What may stand nowhere, in small letters."""
QUESTION = "Did Ms. Brandvold call?"


def leaks(*held: Any) -> list[str]:
    """Return what is found of the planted values, and of hashes of raw texts, in some objects.

    Each is searched pickled and printed as JSON, and bytes and texts as they are.
    """
    found = set()
    for one in held:
        for data in _dumps(one):
            small = data.lower()
            found |= {value for value in PLANTED if value.encode() in small}
            found |= {value for value in PLANTED if json.dumps(value)[1:-1].encode() in small}
            found |= {f"hash of {text[:12]}" for text in HASHED if text.encode() in small}
    return sorted(found)


def _dumps(held: Any) -> Iterator[bytes]:
    if isinstance(held, bytes | str):
        yield held if isinstance(held, bytes) else held.encode()
        return
    yield repr(held).encode()
    with suppress(TypeError):  # keys that JSON has not
        yield json.dumps(held, default=repr, ensure_ascii=False).encode()
    with suppress(TypeError, AttributeError, pickle.PicklingError):  # a lock, a local function
        yield pickle.dumps(held)


HASHED = [
    getattr(hashlib, name)(text.encode()).hexdigest()
    for _, text, _ in DOCUMENTS
    for name in ("md5", "sha1", "sha256")
    if any(value in text.lower() for value in PLANTED)
] + [DOCUMENTS[2][0]]


def snippet(page: Path, word: str) -> str:
    """Return the programs of a page that hold a word, one after another."""
    text = page.read_text("utf-8")
    found = [one for one in re.findall(r"^```py\n(.*?)^```$", text, re.M | re.S) if word in one]
    assert found, f"{page} shows no program with {word}"
    return "\n".join(found)
