"""Makes delimiters between a document and the instructions, which the document can't guess."""

from __future__ import annotations

from hashlib import sha256


def mark_for(text: str, beside: str = "") -> str:
    """Return a mark that stands neither in the text nor in what is shown beside it.

    It is a hash of the text: whoever wrote the text can't have put it there. The same text has the
    same mark, so that a request is the same when it is made again.
    """
    number = 0
    while (mark := f"=={_digest(text, number)}==") in text or mark in beside:
        number += 1
    return mark


def _digest(text: str, number: int) -> str:
    return sha256(f"{number}\n{text}".encode("utf-8", "surrogatepass")).hexdigest()[:24]
