"""Says how many documents are masked at once."""

from __future__ import annotations

BATCH = 1024
"""Documents masked at once, at most: after each batch the tables of the search are cold again."""
CHARACTERS = 4_000_000
"""Characters from which on a batch is full."""


def batch_weight(content: str, most: int = BATCH) -> int:
    """Return a text's part of the `CHARACTERS` of a batch, a short one's as one of `most`."""
    return max(len(content), -(-CHARACTERS // most))
