"""Retrieval by name."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from linkmask.testbench.indexes import Bm25, Index, Lsa

RETRIEVERS: dict[str, Callable[[Sequence[str]], Index]] = {"bm25": Bm25, "lsa": Lsa}
"""Name → index over texts."""
