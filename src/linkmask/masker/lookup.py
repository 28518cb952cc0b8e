"""Maps the lookup file of an opened run into memory, or builds it first.

It is written whole, with the sizes, times and digests of the files from which it was made. Its
values are private: it is readable by its owner only, and `forget` removes it.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from secrets import token_hex
from tempfile import TemporaryDirectory
from typing import Any

from linkmask.config import Settings
from linkmask.errors import RunError
from linkmask.runs import Run
from linkmask.runs.arrays import dump_columns, map_columns
from linkmask.runs.atomic import write_whole
from linkmask.runs.file_names import LOOKUP, PLAN, RELEASED

FORMAT = 4
"""Version of the file's content; a file of another one is built anew."""
KEPT = -1
"""Number of an entity that the plan keeps."""
DISTINCT, ASKED, MASKS = "corpus", "asked", "masks"
"""Prefixes of the arrays of the searches: for documents, for texts, for masks."""
HOLDERS = "holders"
"""Prefix of the arrays of the documents of each entity."""

LookupColumns = tuple[dict[str, Any], dict[str, Any]]
"""The arrays by name, and the facts beside them."""


def plan_file(run: Run) -> str:
    """Return the name of the file with the valid plan: the released one, if there is one."""
    return RELEASED if (run.path / RELEASED).exists() else PLAN


KeyOf = Callable[[Settings], tuple[bytes, bool]]
"""Settings → the key of a run's keyed styles, and whether it is the user's."""


def open_lookup(run: Run, build: Callable[[], LookupColumns]) -> LookupColumns:
    """Map the lookup file of a run; build it first where it is missing or of another plan.

    `build` makes what the file holds from the run; it is handed in since it takes long to load.

    Raises:
        RunError: the run holds no plan, or is damaged.
    """
    path = run.path / LOOKUP
    made_of = [run.path / name for name in (plan_file(run), "mentions.jsonl")]
    with suppress(RunError):  # missing or damaged
        columns, head = map_columns(path)
        facts = head.facts or {}
        if facts.get("format") == FORMAT and _unchanged(facts["made_of"], made_of):
            return columns, facts
    columns, facts = build()
    facts |= {"format": FORMAT, "made_of": [_state(one, _sha256(one)) for one in made_of]}
    return _kept(path, columns, facts)


def _kept(path: Path, columns: Mapping[str, Any], facts: Mapping[str, Any]) -> LookupColumns:
    """Write the file and map it; in a folder that can't be written, map a file without a name."""
    aside = path.with_name(f"{LOOKUP}.{token_hex(4)}")  # another process may be building, too
    try:
        write_whole(aside, dump_columns(columns, facts=facts))
        aside.replace(path)
        mapped, head = map_columns(path)
    except OSError:
        with TemporaryDirectory(prefix="linkmask-") as folder:
            other = Path(folder) / LOOKUP
            write_whole(other, dump_columns(columns, facts=facts))
            mapped, head = map_columns(other)
    return mapped, head.facts


def _state(path: Path, digest: str) -> list[Any]:
    stat = path.stat()
    return [path.name, stat.st_size, stat.st_mtime_ns, digest]


def _unchanged(was: list[list[Any]], paths: list[Path]) -> bool:
    """Tell whether files are unchanged; those with another time are read and compared."""
    if [one[0] for one in was] != [path.name for path in paths]:
        return False
    return all(
        path.exists() and (_state(path, one[3]) == one or _sha256(path) == one[3])
        for one, path in zip(was, paths, strict=True)
    )


def _sha256(path: Path) -> str:
    try:
        with path.open("rb") as handle:
            return hashlib.file_digest(handle, "sha256").hexdigest()
    except OSError as error:
        raise RunError(f"can't read {path}: {error.strerror}") from None


def document_key(name: str) -> int:
    """Return the number by which a document's id is looked up."""
    data = name.encode("utf-8", "surrogatepass")
    return int.from_bytes(hashlib.blake2b(data, digest_size=8).digest(), "big")
