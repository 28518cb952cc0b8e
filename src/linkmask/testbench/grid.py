"""Defences × retrievers × generators × attacks: each cell is run once and kept as one file.

    RUN/run.json       what was asked for, versions, the corpus's digest, persons without values
    RUN/cells/*.json   one cell each: settings, status (done, hole, failed), reason, seconds, raw

Cells are written whole or not at all. The same command goes on where a run stopped; a hole keeps
its reason, a failed cell is tried again. Tables are made from these files alone (`tables`).
"""

from __future__ import annotations

import platform
import time
import traceback
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec

from linkmask import __version__, llm
from linkmask.config import Settings
from linkmask.errors import InputError, OutputError, SettingsError
from linkmask.releasing import write_whole
from linkmask.testbench.attacks import ATTACKS, Target
from linkmask.testbench.defences import DEFENCES, Defended, Hole, Workshop, defence
from linkmask.testbench.rag import GENERATORS, RETRIEVERS, Generator, System, written_by
from linkmask.testbench.tested import Corpus, read_corpus

NEITHER = "-"
"""Stands for retriever and generator of an attack that asks no system."""

SCHEMA = 1
"""Version of the cells' form."""


class Grid(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What a run is made of; a settings file in `experiments/` has the same keys."""

    defences: tuple[str, ...] = tuple(DEFENCES)
    """Names in `DEFENCES`."""
    attacks: tuple[str, ...] = tuple(ATTACKS)
    """Names in `ATTACKS`."""
    retrievers: tuple[str, ...] = tuple(RETRIEVERS)
    """Names in `RETRIEVERS`."""
    generators: tuple[str, ...] = (*GENERATORS, "llm")
    """Names in `GENERATORS`, or `llm`."""
    k: int = 3
    """Documents in the context."""
    queries: int = 200
    """Queries of an attacker who knows nobody."""
    seed: int = 0
    """Another seed, other random words and draws."""


@dataclass(frozen=True, slots=True)
class Cell:
    """One place of the table."""

    defence: str
    retriever: str
    generator: str
    attack: str

    @property
    def file(self) -> str:
        """Name of the cell's file."""
        parts = self.defence, self.retriever, self.generator, self.attack
        return "--".join(part for part in parts if part != NEITHER) + ".json"


Told = Callable[[str, int, int], None]
"""Called with a cell's name, how many cells are through, and how many there are."""


def silent(name: str, done: int, total: int) -> None:
    """Show no progress."""


def read_grid(path: Path | None, given: dict[str, Any]) -> Grid:
    """Lay what was given over a settings file.

    Raises:
        SettingsError: the file can't be read, or names what there is not.
    """
    import tomllib

    try:
        tree = tomllib.loads(path.read_text(encoding="utf-8")) if path else {}
        tree.pop("about", None)
        grid = msgspec.convert({**tree, **given}, Grid)
    except (OSError, ValueError) as error:
        name = path.name if path else "the command line"
        raise SettingsError(f"{name}: {error}") from None
    for what, names, known in (
        ("attack", grid.attacks, ATTACKS),
        ("retriever", grid.retrievers, RETRIEVERS),
        ("generator", grid.generators, [*GENERATORS, "llm"]),
    ):
        if unknown := [name for name in names if name not in known]:
            raise SettingsError(f"no {what} {unknown[0]!r}; there are: {', '.join(known)}")
    for name in grid.defences:
        defence(name)
    if grid.k < 1 or grid.queries < 1:
        raise SettingsError("k and queries must be at least 1")
    return grid


def cells_of(grid: Grid) -> list[Cell]:
    """Return the cells of a grid, defence by defence."""
    cells = []
    for name in grid.defences:
        for attack in grid.attacks:
            if not ATTACKS[attack].system:
                cells.append(Cell(name, NEITHER, NEITHER, attack))
        cells += [
            Cell(name, retriever, generator, attack)
            for retriever in grid.retrievers
            for generator in grid.generators
            for attack in grid.attacks
            if ATTACKS[attack].system
        ]
    return cells


def bench(
    source: Path,
    run: Path,
    grid: Grid,
    settings: Settings | None = None,
    told: Told = silent,
) -> int:
    """Fill every cell that is not filled yet; return how many were run now.

    Args:
        settings: name the language model for generator `llm`; without one its cells are holes.

    Raises:
        InputError: the corpus can't be read.
        OutputError: the folder holds a run of another corpus or with other settings.
    """
    corpus = read_corpus(source)
    begin(run, corpus, grid)
    wanted = cells_of(grid)
    open_ = [cell for cell in wanted if not finished(run, cell)]
    shop = Workshop(corpus, grid.seed)
    done = len(wanted) - len(open_)
    for name in dict.fromkeys(cell.defence for cell in open_):
        with Bench(shop, name, grid, settings) as filling:
            for cell in (cell for cell in open_ if cell.defence == name):
                told(cell.file.removesuffix(".json"), done, len(wanted))
                keep(run, cell, filling.fill(cell))
                done += 1
        for person in corpus.persons:
            person.forget()
    told("", done, len(wanted))
    return len(open_)


class Bench:
    """One defence of a corpus with the systems built on it, made when first needed."""

    def __init__(self, shop: Workshop, name: str, grid: Grid, settings: Settings | None) -> None:
        self.shop, self.defence, self.grid, self.settings = shop, name, grid, settings
        self._made: tuple[Defended | None, str, float] | None = None
        self._indexes: dict[str, Any] = {}
        self._model: llm.Model | None = None

    def __enter__(self) -> Bench:
        return self

    def __exit__(self, *failed: object) -> None:
        if self._model is not None:
            self._model.close()

    def fill(self, cell: Cell) -> dict[str, Any]:
        """Run a cell; what goes wrong becomes its status, with the kind of the error alone."""
        begun = time.perf_counter()
        kept: dict[str, Any] = {"cell": msgspec.to_builtins(cell), "schema": SCHEMA}
        defended: Defended | None = None
        try:
            defended = self._defended()
            raw = ATTACKS[cell.attack].run(self._target(cell, defended))
            kept |= {"status": "done", "raw": raw}
        except Hole as hole:
            kept |= {"status": "hole", "reason": str(hole)}
        except Exception as error:  # a cell that fails must not take the others with it
            at = traceback.extract_tb(error.__traceback__)[-1]
            where = f"{Path(at.filename).name}:{at.lineno}"
            kept |= {"status": "failed", "reason": f"{type(error).__name__} at {where}"}
        if defended is not None:
            kept["cost"] = {
                "entities": defended.entities,
                "entities_of": defended.entities_of,
                "characters": defended.characters,
                "aside": defended.aside,
                "epsilon": defended.epsilon,
                "seconds": round(self._made[2], 3) if self._made else 0.0,
            }
        return kept | {"seconds": round(time.perf_counter() - begun, 3), "versions": versions()}

    def _defended(self) -> Defended:
        if self._made is None:
            begun = time.perf_counter()
            try:
                made, reason = defence(self.defence).make(self.shop), ""
            except Hole as hole:
                made, reason = None, str(hole)
            self._made = made, reason, time.perf_counter() - begun
        if self._made[0] is None:
            raise Hole(self._made[1])
        return self._made[0]

    def _target(self, cell: Cell, defended: Defended) -> Target:
        grid = self.grid
        index = None
        generator: Generator = GENERATORS["parrot"]
        if cell.retriever != NEITHER:
            if defended.guard.least and cell.retriever == "bm25":
                raise Hole("a BM25 score has no scale to cut at")
            if defended.searched:
                index = self._index(cell.retriever, defended)
            generator = self._generator(cell.generator)
        spoken = cell.generator == "llm"
        system = System(defended.texts, index, generator, grid.k, defended.guard, spoken)
        return Target(self.shop.corpus, defended, system, grid.seed, grid.queries)

    def _index(self, retriever: str, defended: Defended) -> Any:
        if retriever not in self._indexes:
            self._indexes[retriever] = RETRIEVERS[retriever](defended.texts)
        return self._indexes[retriever]

    def _generator(self, name: str) -> Generator:
        if name in GENERATORS:
            return GENERATORS[name]
        if self.settings is None or not self.settings.llm_url:
            raise Hole("no language model was given (--llm-url, --llm-model)")
        if self._model is None:
            self._model = llm.connect(self.settings)
        return written_by(self._model)


# ── the run folder ──────────────────────────────────────────────────────────────────────────────


def begin(run: Path, corpus: Corpus, grid: Grid) -> None:
    """Make a run's folder, or go on in one; what its cells depend on must be the same.

    Raises:
        OutputError: it is another corpus's, was made with other settings, or is no run.
    """
    path = run / "run.json"
    fixed: dict[str, Any] = {"k": grid.k, "queries": grid.queries, "seed": grid.seed}
    fixed |= {"digest": corpus.digest, "version": __version__, "schema": SCHEMA}
    if path.is_file():
        before = load(run)["fixed"]
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
    """Read what a run was made of.

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
    """Return what the figures were made with."""
    import numpy
    import scipy

    return {
        "linkmask": __version__,
        "python": platform.python_version(),
        "numpy": numpy.__version__,
        "scipy": scipy.__version__,
    }
