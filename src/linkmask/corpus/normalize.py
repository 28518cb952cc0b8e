"""Computes the normal form and the ids of documents (formulas.md §2.1)."""

from __future__ import annotations

from hashlib import md5


def normalize(content: str) -> str:
    """Lower-case the content, nothing else (formulas.md §2.1)."""
    return content.lower()


def document_id(given: str, content: str, separator: str = "") -> str:
    """Return `given`, then the hex md5 of the normalized content (formulas.md §2.1).

    The hash is the last 32 characters of the id; nothing else of the id may be parsed back out.
    """
    digest = md5(normalize(content).encode(), usedforsecurity=False).hexdigest()
    return f"{given}{separator}{digest}"


class UniqueIds:
    """Gives each document of one corpus an id of its own.

    An id that stands alone in the corpus stays as it is. One that repeats gets the content's hash
    appended, whichever of its documents comes first; further documents with the same id *and* the
    same text become `id#2…`, `id#3…` before the hash, so every row of the input has its row in the
    output. The order of the input decides the ordinal, nothing else.

    `hashed`: ids that stand alone and look as if they had a hash appended; no other gets them.
    """

    def __init__(self, repeated: frozenset[str], hashed: frozenset[str] = frozenset()) -> None:
        self._repeated = repeated
        self.given = not repeated
        """True where every document keeps the id it was given."""
        self._times: dict[str, int] = {}
        self._taken = set(hashed)

    def unique(self, given: str, content: str) -> str:
        """Return the id under which linkmask knows the document."""
        if given not in self._repeated:
            return given
        full, found = document_id(given, content), ""
        times = self._times.get(full, 0)
        while not found or found in self._taken:
            times += 1
            found = full if times == 1 else document_id(f"{given}#{times}", content)
        self._times[full] = times
        self._taken.add(found)
        return found
