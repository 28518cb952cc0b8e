"""Stores a run: what was asked for, and one file per cell.

    RUN/run.json       what was asked for, versions, the corpus's digest, persons without values
    RUN/cells/*.json   one cell each: settings, status (done, hole, failed), reason, seconds, raw
    RUN/snapshots/     what was found, by source and preset: a run of `linkmask scan` each

Files are written whole or not at all; no cell holds a value of a document, snapshots do.
"""

from __future__ import annotations

import platform
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import msgspec

from linkmask.errors import InputError, OutputError
from linkmask.pipeline.release import write_whole
from linkmask.testbench.cells import SCHEMA, Cell, Grid, cells_of
from linkmask.testbench.corpus import BenchCorpus
from linkmask.testbench.extras import weights_of
from linkmask.version import __version__


def open_run(run: Path, corpus: BenchCorpus, grid: Grid) -> None:
    """Make a run's folder, or go on in one; what its cells depend on must be the same.

    Raises:
        OutputError: it is another corpus's, was made with other settings, or is no run.
    """
    path = run / "run.json"
    fixed: dict[str, Any] = {"k": grid.k, "queries": grid.queries, "seed": grid.seed}
    fixed |= {"digest": corpus.digest, "version": __version__, "schema": SCHEMA}
    fixed |= {"snapshots": grid.snapshots, "bertscore": grid.bertscore}
    fixed |= {"sentence_model": grid.sentence_model and weights_of(Path(grid.sentence_model))}
    if path.is_file():
        before = {"sentence_model": "", **load(run)["fixed"]}
        if changed := [key for key, value in fixed.items() if before.get(key) != value]:
            raise OutputError(
                f"{run} holds a run with another {', '.join(changed)}: give another folder"
            )
    elif run.exists() and any(run.iterdir()):
        raise OutputError(f"{run} is not empty and holds no run: give another folder")
    (run / "cells").mkdir(parents=True, exist_ok=True)
    run.chmod(0o700)
    persons = [{"id": p.id, "risk": p.risk, "types": p.types} for p in corpus.persons]
    whole = {
        "fixed": fixed,
        "corpus": {
            "name": corpus.name,
            "documents": len(corpus.documents),
            "questions": len(corpus.questions),
        },
        "grid": msgspec.to_builtins(grid),
        "persons": persons,
        "versions": versions(),
    }
    write_whole(path, msgspec.json.format(msgspec.json.encode(whole)), 0o600)


def finished(run: Path, cell: Cell) -> bool:
    """Return whether a cell was run and needs no second try."""
    path = run / "cells" / cell.file
    return path.is_file() and _read(path)["status"] == "done"


def keep(run: Path, cell: Cell, kept: dict[str, Any]) -> None:
    """Write a cell."""
    write_whole(run / "cells" / cell.file, msgspec.json.encode(kept) + b"\n", 0o600)


def load(run: Path) -> dict[str, Any]:
    """Read run.json: what was asked for, and the corpus's persons.

    Raises:
        InputError: the folder holds no run.
    """
    path = run / "run.json"
    if not path.is_file():
        raise InputError(f"{run} holds no run of `linkmask bench`")
    return _read(path)


def load_cells(run: Path) -> Iterator[dict[str, Any]]:
    """Read the cells of a run that are there, in the order of its grid."""
    for cell in cells_of(msgspec.convert(load(run)["grid"], Grid)):
        path = run / "cells" / cell.file
        if path.is_file():
            yield _read(path)
        else:
            yield {"cell": msgspec.to_builtins(cell), "status": "open", "reason": "not run yet"}


def _read(path: Path) -> dict[str, Any]:
    try:
        return msgspec.json.decode(path.read_bytes(), type=dict[str, Any])
    except (OSError, msgspec.DecodeError):
        raise InputError(f"{path.name}: can't be read; delete it and run again") from None


def versions() -> dict[str, str]:
    """Return the versions of the software that made the figures."""
    import numpy
    import scipy

    return {
        "linkmask": __version__,
        "python": platform.python_version(),
        "numpy": numpy.__version__,
        "scipy": scipy.__version__,
    }


def point(out: Path, name: str, of: dict[str, Any], make: Callable[[], dict[str, Any]]) -> Any:
    """Return a raw result: read it if it was made with the same settings, else make and write it.

    Args:
        of: what it depends on, besides the version; another gives an error, not a mixture.

    Raises:
        OutputError: the file there was made of something else.
    """
    path = out / f"{name}.json"
    of = {"linkmask": __version__, **of}
    if path.is_file():
        found = msgspec.json.decode(path.read_bytes())
        if found.get("of") != of:
            raise OutputError(f"{path} was made of something else: give another folder")
        return found
    made = {"of": of, "versions": versions(), **make()}
    path.parent.mkdir(parents=True, exist_ok=True)
    write_whole(path, msgspec.json.encode(made) + b"\n", 0o600)
    return msgspec.json.decode(msgspec.json.encode(made))
