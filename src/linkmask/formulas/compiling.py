"""Loops that run as they are on small corpora and compiled by numba on large ones.

`@kernel` marks a plain function over arrays and leaves it as it is; `fast(function, work)` gives
back that very function, or its compiled twin where there is enough work to pay for the compiler.
Nothing here imports numba before the first compiled call.

Compiled code is kept in the user's cache folder under a digest of the sources it was made from,
so stale code is impossible; where nothing can be written, it is compiled anew in each process.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any, TypeVar, cast

F = TypeVar("F", bound=Callable[..., Any])

COMPILE_FROM = 20_000
"""Mentions from which compiled loops are used: below, they would run before numba is imported."""

_waiting: list[Callable[..., Any]] = []


def kernel(function: F) -> F:
    """Mark a plain-loop function as one that compiled code may call; return it unchanged."""
    _waiting.append(function)
    return function


def fast(function: F, work: int) -> F:
    """Return `function`, compiled when `work` (mentions, about) is at least `COMPILE_FROM`."""
    return compiled(function) if work >= COMPILE_FROM else function


@cache
def compiled(function: F) -> F:
    """Return the compiled twin of a kernel; it releases the interpreter lock while it runs."""
    from numba.extending import register_jitable

    numba: Any = import_module("numba")
    config: Any = import_module("numba.core.config")

    while _waiting:
        register_jitable(_waiting.pop())
    folder = _folder(Path(function.__code__.co_filename), numba.__version__)
    if folder is None:
        return cast(F, numba.njit(nogil=True)(function))
    before, config.CACHE_DIR = config.CACHE_DIR, str(folder)
    try:
        return cast(F, numba.njit(nogil=True, cache=True)(function))
    finally:
        config.CACHE_DIR = before


def _folder(source: Path, version: str) -> Path | None:
    """Make the private cache folder for the code of `source`'s room and of the formulas."""
    try:
        rooms = {source.parent, Path(__file__).parent}
        digest = hashlib.sha256(version.encode())
        for path in sorted(path for room in rooms for path in room.glob("*.py")):
            digest.update(path.name.encode() + b"\0" + path.read_bytes())
        base = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
        folder = base / "linkmask" / f"compiled-{digest.hexdigest()[:16]}"
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        # Compiled code is loaded as it lies there: only from a folder that is ours alone.
        private = folder.stat().st_uid == os.getuid() and os.access(folder, os.W_OK)
    except (OSError, RuntimeError):
        return None
    return folder if private else None
