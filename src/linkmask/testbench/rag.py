"""A system that is asked: texts behind retrieval, a generator, and perhaps a guard."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Literal

import numpy as np

from linkmask.testbench.indexes import Index
from linkmask.testbench.indexes import words as words

Kind = Literal["answer", "member", "extract"]


@dataclass(frozen=True, slots=True)
class Query:
    """A question to a system: an honest one, one about membership, or one that extracts."""

    text: str
    kind: Kind = "answer"


@dataclass(frozen=True, slots=True)
class Response:
    """What a system did with a query.

    `retrieved`: numbers of the documents in the context, best first; `parts`: the pieces of the
    answer, each in one run; `refused`: a guard kept the system from answering.
    """

    retrieved: tuple[int, ...] = ()
    parts: tuple[str, ...] = ()
    refused: bool = False

    @property
    def text(self) -> str:
        """The answer in one piece."""
        return "\n".join(self.parts)


Generator = Callable[[Sequence[Query], Sequence[Sequence[str]]], list[tuple[str, ...]]]
"""Answers to queries from their contexts, each answer in parts."""


@dataclass(frozen=True)
class Guard:
    """What a defence does while a system answers; each part may be missing.

    `query`: may this be answered? `least`: share of the best possible score a text must reach to
    enter the context. `output`: may this answer to that context be given?
    """

    query: Callable[[str], bool] | None = None
    least: float = 0.0
    output: Callable[[str, Sequence[str]], bool] | None = None


@dataclass
class System:
    """Texts behind retrieval, a generator and perhaps a guard."""

    texts: Sequence[str]
    index: Index | None
    generator: Generator
    k: int = 3
    guard: Guard = field(default_factory=Guard)
    spoken: bool = False
    """Whether the generator speaks for itself (says Yes and No), as a model does."""

    def ask(self, queries: Sequence[Query]) -> list[Response]:
        """Answer queries, in their order."""
        found = [self.retrieve(query.text) for query in queries]
        allowed = [self.guard.query is None or self.guard.query(q.text) for q in queries]
        contexts = [[self.texts[d] for d in hits] for hits in found]
        chosen = [i for i, fine in enumerate(allowed) if fine]
        parts = self.generator([queries[i] for i in chosen], [contexts[i] for i in chosen])
        said = dict(zip(chosen, parts, strict=True))
        responses = []
        for i, hits in enumerate(found):
            refused = i not in said
            if not refused and self.guard.output is not None:
                refused = not self.guard.output("\n".join(said[i]), contexts[i])
            responses.append(Response(hits, (), True) if refused else Response(hits, said[i]))
        return responses

    def retrieve(self, query: str) -> tuple[int, ...]:
        """Return the numbers of the k best texts, best first; ties by number."""
        if self.index is None:
            return ()
        scores = self.index.scores(query)
        order = np.argsort(-scores, kind="stable")[: self.k]
        least = max(self.index.least, self.guard.least)
        return tuple(int(d) for d in order if scores[d] > least)
