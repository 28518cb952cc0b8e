"""Defences × retrievers × generators × attacks: each cell is run once and kept as one file.

The same command goes on where a run stopped; a hole keeps its reason, a failed cell is tried
again. Tables are made from the files of the folder alone (`tables`).
"""

from __future__ import annotations

import time
import traceback
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec

from linkmask import llm
from linkmask.config import Settings
from linkmask.testbench.attacks import ATTACKS, Target
from linkmask.testbench.cells import NEITHER, SCHEMA, Cell, Grid, cells_of
from linkmask.testbench.defences import Defended, Hole, Workshop, defence
from linkmask.testbench.folder import begin, finished, keep, versions
from linkmask.testbench.generators import GENERATORS, written_by
from linkmask.testbench.rag import Generator, System
from linkmask.testbench.retrievers import RETRIEVERS
from linkmask.testbench.tested import read_corpus

Told = Callable[[str, int, int], None]
"""Called with a cell's name, how many cells are through, and how many there are."""


def silent(name: str, done: int, total: int) -> None:
    """Show no progress."""


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
