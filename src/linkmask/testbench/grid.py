"""Runs each cell of a grid once, and keeps it as one file.

The same command goes on where a run stopped; a hole keeps its reason, a failed cell is tried
again. Tables are made from the files of the folder alone (`tables`).
"""

from __future__ import annotations

import time
import traceback
from collections.abc import Callable, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

import msgspec

from linkmask.config import Settings
from linkmask.errors import ModelError
from linkmask.graph.linkage.sentences import SentenceModel
from linkmask.testbench.attacks import ATTACKS, AttackTarget
from linkmask.testbench.bertscore import BertScore
from linkmask.testbench.cells import NEITHER, SCHEMA, Cell, Grid, cells_of
from linkmask.testbench.corpus import read_corpus
from linkmask.testbench.defences import DefenceBuilder, Defended, defence
from linkmask.testbench.generators import GENERATORS, written_by
from linkmask.testbench.indexes import SearchIndex
from linkmask.testbench.judge import ModelJudge
from linkmask.testbench.missing import Hole
from linkmask.testbench.models import LanguageModels, spent_between
from linkmask.testbench.rag import Generator, Guard, System
from linkmask.testbench.retrievers import Retrieval
from linkmask.testbench.run_folder import finished, keep, open_run, versions

Progress = Callable[[str, int, int], None]
"""Called with a cell's name, how many cells are through, and how many there are."""


def silent(name: str, done: int, total: int) -> None:
    """Show no progress."""


def bench(
    source: Path,
    run: Path,
    grid: Grid,
    settings: Settings | None = None,
    progress: Progress = silent,
) -> int:
    """Fill every cell that is not filled yet; return how many were run now.

    Args:
        settings: name the language model; without one the cells that need it are holes.

    Raises:
        InputError: the corpus can't be read.
        OutputError: the folder holds a run of another corpus or with other settings.
        SettingsError: the folder that the grid names holds no sentence model.
    """
    corpus = read_corpus(source)
    model = SentenceModel(Path(grid.sentence_model)) if grid.sentence_model else None
    open_run(run, corpus, grid)
    wanted = cells_of(grid)
    open_ = [cell for cell in wanted if not finished(run, cell)]
    done = len(wanted) - len(open_)
    with closing(LanguageModels(settings, grid.judge)) as models:
        snapshots = Path(grid.snapshots or run) / "snapshots"
        builder = DefenceBuilder(corpus, grid.seed, models, grid.presidio, snapshots)
        retrieval = Retrieval(lambda: models.embedder(grid.embeddings), grid.minilm)
        meaning = BertScore(corpus, grid.bertscore, grid.minilm)
        for name in dict.fromkeys(cell.defence for cell in open_):
            filling = DefendedCorpus(builder, name, grid, retrieval, meaning, model)
            for cell in (cell for cell in open_ if cell.defence == name):
                progress(cell.file.removesuffix(".json"), done, len(wanted))
                keep(run, cell, filling.fill(cell))
                done += 1
            for person in corpus.persons:
                person.forget()
    progress("", done, len(wanted))
    return len(open_)


class DefendedCorpus:
    """One defence of a corpus with the systems built on it, made when first needed."""

    def __init__(
        self,
        builder: DefenceBuilder,
        name: str,
        grid: Grid,
        retrieval: Retrieval,
        meaning: BertScore,
        model: SentenceModel | None,
    ) -> None:
        self.builder, self.defence, self.grid = builder, name, grid
        self.retrieval, self.meaning, self.model = retrieval, meaning, model
        self._made: Defended | Hole | ModelError | None = None
        self._cost: dict[str, Any] = {}
        self._indexes: dict[str, SearchIndex] = {}

    def fill(self, cell: Cell) -> dict[str, Any]:
        """Run a cell; what goes wrong becomes its status, with a reason that holds no value."""
        begun, spent = time.perf_counter(), self.builder.models.spent()
        kept: dict[str, Any] = {"cell": msgspec.to_builtins(cell), "schema": SCHEMA}
        try:
            defended = self._defended()
            spent = self.builder.models.spent()
            target = self._target(cell, defended)
            kept |= {"status": "done", "raw": ATTACKS[cell.attack].run(target)}
            kept["asked"] = dict(target.system.counted)
            if target.judge:
                kept["judge"] = dict(target.judge.counted)
        except Hole as hole:
            kept |= {"status": "hole", "reason": str(hole)}
        except ModelError as error:
            kept |= {"status": "failed", "reason": f"{type(error).__name__}: {error}"}
        except Exception as error:  # a cell that fails must not take the others with it
            at = traceback.extract_tb(error.__traceback__)[-1]
            where = f"{Path(at.filename).name}:{at.lineno}"
            kept |= {"status": "failed", "reason": f"{type(error).__name__} at {where}"}
        if self._cost:
            kept["cost"] = self._cost
        if used := spent_between(spent, self.builder.models.spent()):
            kept |= {"model": used, "models": self.builder.models.names}
        if about := self.retrieval.parameters(cell.retriever):
            kept["retriever"] = about
        return kept | {"seconds": round(time.perf_counter() - begun, 3), "versions": versions()}

    def _defended(self) -> Defended:
        """Make the defence once; if that fails, each of its cells states the reason."""
        if self._made is None:
            begun, spent = time.perf_counter(), self.builder.models.spent()
            try:
                self._made = made = defence(self.defence).make(self.builder)
                self._cost = made.cost | {"seconds": round(time.perf_counter() - begun, 3)}
                if used := spent_between(spent, self.builder.models.spent()):
                    self._cost["model"] = used
            except (Hole, ModelError) as reason:
                self._made = reason
        if not isinstance(self._made, Defended):
            raise self._made
        return self._made

    def _target(self, cell: Cell, defended: Defended) -> AttackTarget:
        def system(documents: Sequence[int] | None = None) -> System:
            return self._system(cell, defended, documents)

        grid, models = self.grid, self.builder.models
        judge = ModelJudge(models) if cell.generator == "llm" else None
        return AttackTarget(
            self.builder,
            defended,
            system(),
            grid.queries,
            judge,
            system,
            self.meaning,
            defence(self.defence).make,
            self.model.embed if self.model else None,
        )

    def _system(
        self, cell: Cell, defended: Defended, documents: Sequence[int] | None = None
    ) -> System:
        """Build the retrieval system over all texts or some of them."""
        if cell.retriever == NEITHER:
            return System(defended.texts, None, GENERATORS["parrot"])
        guard = defended.guard
        if guard.rules and cell.generator != "llm":
            raise Hole("a system prompt acts on a language model alone")
        if (guard.least or guard.hide) and cell.retriever == "bm25":
            raise Hole("scores of BM25 have no fixed scale for a threshold")
        generator = self._generator(cell.generator, guard)
        texts, indexed = defended.texts, defended.indexed or defended.texts
        index = None
        if documents is not None:
            texts, indexed = ([some[d] for d in documents] for some in (texts, indexed))
            index = self.retrieval.index(cell.retriever, indexed) if defended.searched else None
        elif defended.searched:
            if cell.retriever not in self._indexes:
                self._indexes[cell.retriever] = self.retrieval.index(cell.retriever, indexed)
            index = self._indexes[cell.retriever]
        return System(texts, index, generator, self.grid.k, guard, cell.generator == "llm")

    def _generator(self, name: str, guard: Guard) -> Generator:
        if name in GENERATORS:
            return GENERATORS[name]
        return written_by(self.builder.models.speaker, guard.rules)
