"""Defines a grid of defences × retrievers × generators × attacks, and its cells."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from linkmask.errors import SettingsError
from linkmask.testbench.attacks import ATTACKS
from linkmask.testbench.bertscore import DEFAULT_MODEL as BERTSCORE
from linkmask.testbench.defences import DEFENCES, defence
from linkmask.testbench.generators import GENERATORS
from linkmask.testbench.retrievers import DEFAULT_RETRIEVERS, RETRIEVERS

NEITHER = "-"
"""Name of the retriever and generator of an attack that asks no system."""

SCHEMA = 2
"""Version of the cells' form."""


class Grid(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What a run is made of; a settings file in `experiments/` has the same keys."""

    defences: tuple[str, ...] = tuple(DEFENCES)
    """Names in `DEFENCES`."""
    attacks: tuple[str, ...] = tuple(ATTACKS)
    """Names in `ATTACKS`."""
    retrievers: tuple[str, ...] = DEFAULT_RETRIEVERS
    """Names in `RETRIEVERS`."""
    generators: tuple[str, ...] = (*GENERATORS, "llm")
    """Names in `GENERATORS`, or `llm`."""
    k: int = 3
    """Documents in the context."""
    queries: int = 200
    """Queries of an attacker who knows nobody."""
    seed: int = 0
    """Another seed, other random words and draws."""
    snapshots: str = ""
    """Another run of the same corpus, whose snapshots after extraction this one starts from."""
    presidio: str = ""
    """An interpreter that has Presidio, where this one has not."""
    judge: str = ""
    """Model that judges, writes for SAGE and drives agents; default: the one that answers."""
    embeddings: str = ""
    """Model that makes vectors for retriever `server`; default: the one that answers."""
    bertscore: str = BERTSCORE
    """Model of BERTScore: a name in the model cache, a folder, or `minilm`."""
    minilm: str = ""
    """Folder of all-MiniLM-L6-v2, where it is no package and not in the model cache."""
    sentence_model: str = ""
    """Folder of a sentence model, by which attack `linker` compares texts as well."""


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


Wanted = TypeVar("Wanted", bound=msgspec.Struct)


def read_settings(path: Path | None, kind: type[Wanted], given: dict[str, Any]) -> Wanted:
    """Read a settings file, and replace what was given; its key `about` is for people.

    Raises:
        SettingsError: the file can't be read, or names what there is not.
    """
    try:
        tree = tomllib.loads(path.read_text(encoding="utf-8")) if path else {}
        tree.pop("about", None)
        return msgspec.convert({**tree, **given}, kind)
    except (OSError, ValueError) as error:
        name = path.name if path else "the command line"
        raise SettingsError(f"{name}: {error}") from None


def read_grid(path: Path | None, given: dict[str, Any]) -> Grid:
    """Read the settings file of a run, and replace what was given.

    Raises:
        SettingsError: the file can't be read, or names what there is not.
    """
    return checked(read_settings(path, Grid, given))


def checked(grid: Grid) -> Grid:
    """Check that all names in a grid exist, and return it.

    Raises:
        SettingsError: a name does not exist.
    """
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
