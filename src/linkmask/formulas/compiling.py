"""Runs loops as they are on small corpora, and compiled by numba on large ones.

`@kernel` marks a plain function over arrays and leaves it as it is; `fast(function, work)` gives
back that very function, or its compiled twin where there is enough work to pay for the compiler.
Nothing here imports numba before the first compiled call.

Compiled code is kept in the user's cache folder under a digest of the sources it was made from,
so stale code is impossible; where nothing can be written, it is compiled anew in each process.
"""

from __future__ import annotations

import hashlib
import os
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import cache, partial
from importlib import import_module
from importlib.metadata import version
from itertools import pairwise
from pathlib import Path
from threading import Lock
from typing import Any, TypeVar, cast

import numpy as np

from linkmask.machine import usable_cores

F = TypeVar("F", bound=Callable[..., Any])

COMPILE_FROM = 20_000
"""Mentions from which compiled loops are used: below, they would run before numba is imported."""

PARTS = 8
"""Number of parts into which large loops are cut."""
SMALL_PARTS = 64
"""The same for loops that return long columns: those of a small part are soon in use again."""

_waiting: list[Callable[..., Any]] = []


def kernel(function: F) -> F:
    """Mark a plain-loop function as one that compiled code may call; return it unchanged."""
    _waiting.append(function)
    return function


def fast(function: F, work: int, kept_from: int | None = None) -> F:
    """Return `function`, compiled when `work` (mentions, about) is at least `COMPILE_FROM`.

    `kept_from`: work from which compiled code is used if it was kept earlier. Loops that are slow
    without it have a lower one.
    """
    enough = kept_from is not None and work >= kept_from and has_kept_code(function)
    return compiled(function) if enough or work >= COMPILE_FROM else function


@cache
def has_kept_code(function: Callable[..., Any]) -> bool:
    """Tell whether a kernel's compiled code was kept, so that loading it is all there is to do."""
    file = Path(function.__code__.co_filename)
    folder = _folder(file.parent, version("numba"))
    return folder is not None and any(folder.rglob(f"{file.stem}.{function.__name__}-*.nbi"))


MAX_THREADS = 8


def thread_count() -> int:
    """Return how many threads the loops may use: the cores this process has, up to 8."""
    return min(usable_cores(), MAX_THREADS)


def in_parts(function: Callable[[int, int], Any], n: int, work: int) -> list[Any]:
    """Return `function(a, b)` for each part of range(n), on all cores if loops are compiled.

    The parts depend on `n` alone, so a sum over them is the same on any machine.
    """
    return list(_in_order(function, n, work, PARTS))


def _in_order(function: Callable[[int, int], Any], n: int, work: int, parts: int) -> Iterator[Any]:
    cuts = sorted({n * k // parts for k in range(parts + 1)}) if n >= 8 * parts else [0, n]
    runs = list(pairwise(cuts))
    if work < COMPILE_FROM or len(runs) == 1:
        yield from (function(a, b) for a, b in runs)
        return
    with ThreadPoolExecutor(thread_count()) as pool:
        yield from pool.map(function, *zip(*runs, strict=True))


def in_column(function: Callable[[int, int], Any], n: int, work: int) -> Any:
    """Return the floats that `function(a, b)` returns for the parts of range(n), as one column."""
    column = np.empty(n)

    def part(a: int, b: int) -> None:
        column[a:b] = function(a, b)

    in_parts(part, n, work)
    return column


def joined_parts(function: Callable[[int, int], Any], n: int, work: int) -> list[Any]:
    """Return the columns that `function(a, b)` returns for the parts of range(n), joined.

    Each part is copied as soon as those before it are, so that few are in memory at once. There is
    room for `n` rows at first; what is not written takes no memory.
    """
    columns: list[Any] = []
    sizes: list[int] = []
    for part in _in_order(function, n, work, SMALL_PARTS):
        columns = columns or [np.empty((n, *one.shape[1:]), one.dtype) for one in part]
        sizes = sizes or [0] * len(part)
        for k, one in enumerate(part):
            end = sizes[k] + len(one)
            if end > len(columns[k]):
                longer = np.empty((2 * end, *one.shape[1:]), one.dtype)
                longer[: sizes[k]] = columns[k][: sizes[k]]
                columns[k] = longer
            columns[k][sizes[k] : end] = one
            sizes[k] = end
    return [column[:size] for column, size in zip(columns, sizes, strict=True)]


@cache
def compiled(function: F) -> F:
    """Return the compiled twin of a kernel; it releases the interpreter lock while it runs."""
    numba: Any = import_module("numba")
    config: Any = import_module("numba.core.config")
    folder = _folder(Path(function.__code__.co_filename).parent, numba.__version__)
    is_tested = folder is not None and numba.version_info.short <= KNOWN and not config.DISABLE_JIT
    if not is_tested:
        _ready()
    with _one:
        before, config.CACHE_DIR = config.CACHE_DIR, str(folder or "")
        try:
            twin = numba.njit(nogil=True, cache=folder is not None)(function)
        finally:
            config.CACHE_DIR = before
    if is_tested:
        twin._cache.load_overload = partial(_load, twin._cache)
    return cast(F, twin)


_one = Lock()
"""numba reads its cache folder from a global setting, so only one kernel is compiled at a time."""

KNOWN = (0, 68)
"""Newest numba version on which cached code may be loaded without full initialization."""


def _load(kept: Any, signature: Any, context: Any) -> Any:
    """Load compiled code; only where there is none let numba get ready to compile.

    Numba would initialize its compiler first, which takes longer than loading all kept code.
    """
    import_module("numba.core.runtime").rtsys.initialize(context)
    found = kept._load_overload(signature, context)
    if found is None:
        _ready()
    return found


def _ready() -> None:
    """Ready numba to compile kernels that call one another."""
    _without_blas()
    from numba.extending import register_jitable

    while _waiting:
        register_jitable(_waiting.pop())


BLAS = "scipy.linalg.cython_blas"


@cache
def _without_blas() -> None:
    """Keep numba from importing SciPy's BLAS, half of its start-up time; no kernel needs it."""
    if BLAS in sys.modules:
        return
    sys.modules[BLAS] = None  # type: ignore[assignment] # as if it could not be imported
    try:
        import_module("numba.np.arraymath")
    finally:
        del sys.modules[BLAS]


@cache
def _folder(room: Path, version: str) -> Path | None:
    """Make the private cache folder for the code of a room and of the formulas."""
    try:
        rooms = {room, Path(__file__).parent}
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
