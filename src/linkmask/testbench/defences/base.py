"""Defines a defence's parts."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from linkmask.testbench.rag import Guard

Stage = Literal["none", "corpus", "query", "retrieval", "prompt", "generation", "output"]


@dataclass(frozen=True)
class Defended:
    """A corpus behind a defence: its texts, a guard, and what it cost.

    `entities` and `characters` count what is masked, `entities_of` the entities to choose from,
    both without rare words.
    `aside` counts documents that are not released; their text is empty. `searched` is False if
    nothing is retrieved. `epsilon` is the budget spent by the person with most documents, if there
    is a budget. `indexed` are the texts that are searched, if others are shown. `notes` are
    further counts of the defence.
    """

    texts: Sequence[str]
    guard: Guard = field(default_factory=Guard)
    entities: int = 0
    entities_of: int = 0
    characters: int = 0
    aside: int = 0
    searched: bool = True
    epsilon: float = 0.0
    indexed: Sequence[str] | None = None
    notes: Mapping[str, float | Sequence[float]] = field(default_factory=dict)

    @property
    def cost(self) -> dict[str, Any]:
        """What it cost, as a cell keeps it."""
        return {
            "entities": self.entities,
            "entities_of": self.entities_of,
            "characters": self.characters,
            "aside": self.aside,
            "epsilon": self.epsilon,
            **self.notes,
        }


@dataclass(frozen=True)
class Defence:
    """A defence by name: where it acts, what it does in a sentence, and how it is made.

    `make` takes the `builder` of the corpus's defences.
    """

    stage: Stage
    says: str
    make: Callable[[Any], Defended]
