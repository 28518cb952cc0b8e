"""Joins retrieval, a generator and perhaps a guard into a system that answers questions."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Literal

import numpy as np

from linkmask.errors import ModelError, Refused
from linkmask.records import Floats
from linkmask.testbench.indexes import SearchIndex

Kind = Literal["answer", "member", "extract"]


@dataclass(frozen=True, slots=True)
class SystemQuery:
    """A question to a system: an honest one, one about membership, or one that extracts."""

    text: str
    kind: Kind = "answer"


@dataclass(frozen=True, slots=True)
class Response:
    """What a system did with a query.

    `retrieved`: numbers of the documents in the context, best first; `parts`: the pieces of the
    answer, each in one run; `refused`: a guard or the model itself kept the system from answering;
    `failed`: a model was asked and gave no answer that can be used, so nothing is known.
    """

    retrieved: tuple[int, ...] = ()
    parts: tuple[str, ...] = ()
    refused: bool = False
    failed: bool = False

    @property
    def text(self) -> str:
        """The answer in one piece."""
        return "\n".join(self.parts)


Answered = tuple[str, ...] | ModelError
"""An answer in parts, or why a model gave none."""
Generator = Callable[[Sequence[SystemQuery], Sequence[Sequence[str]]], Sequence[Answered]]
"""Answers to queries from their contexts."""
DECLINED = re.compile(
    r"\W*(?:I'?m |I am |Sorry,? )?(?:sorry\b|I (?:can(?:'|’)?t|cannot|won(?:'|’)?t|am unable)|"
    r"unable to|as an AI\b|je (?:ne peux|suis désolé))",
    re.IGNORECASE,
)
"""Beginnings of answers in which a model declines in words, and not by the protocol."""
Hide = Callable[[Floats], bool]
"""Decides by the scores of all texts whether the best one is left out of the context."""


@dataclass(frozen=True)
class Vote:
    """How many voters answer from one document each, and how their answers become one.

    Voter v searches the documents whose number is v, except multiples of `voters`. `count_votes`
    returns the parts of the answer, given the query and the answers of the voters.
    """

    voters: int
    count_votes: Callable[[str, Sequence[Sequence[str]]], tuple[str, ...]]


@dataclass(frozen=True)
class Guard:
    """The part of a defence that acts while a system answers; each member may be missing.

    `query` tells whether a query may be answered. `least` is the share of the best possible score
    that a text must reach to enter the context. `hide` tells, given the index, whether the best
    text is left out; the next one replaces it. `rules` are further instructions to a model.
    `output` tells whether an answer to a context may be returned. `vote` lets documents vote on the
    answer, each read alone.
    """

    query: Callable[[str], bool] | None = None
    least: float = 0.0
    hide: Callable[[SearchIndex], Hide] | None = None
    rules: str = ""
    output: Callable[[str, Sequence[str]], bool] | None = None
    vote: Vote | None = None


@dataclass
class System:
    """Texts behind retrieval, a generator and perhaps a guard."""

    texts: Sequence[str]
    index: SearchIndex | None
    generator: Generator
    k: int = 3
    guard: Guard = field(default_factory=Guard)
    spoken: bool = False
    """Whether the generator answers Yes or No to a question, as a model does."""
    counted: Counter[str] = field(default_factory=Counter)
    """How many queries were asked; how many refused or failed, had their best text hidden, and how
    many answers begin as a model declines (these are answers all the same)."""

    def __post_init__(self) -> None:
        hide = self.guard.hide
        self._hide = hide(self.index) if hide and self.index is not None else None

    def ask(self, queries: Sequence[SystemQuery]) -> list[Response]:
        """Answer queries, in their order."""
        if self.guard.vote:
            responses = [self._by_vote(query, self.guard.vote) for query in queries]
            self.counted["asked"] += len(responses)
            self.counted["failed"] += sum(one.failed for one in responses)
            return responses
        found = [self.retrieve(query.text) for query in queries]
        allowed = [self.guard.query is None or self.guard.query(q.text) for q in queries]
        contexts = [[self.texts[d] for d in hits] for hits in found]
        chosen = [i for i, fine in enumerate(allowed) if fine]
        parts = self.generator([queries[i] for i in chosen], [contexts[i] for i in chosen])
        made = dict(zip(chosen, parts, strict=True))
        responses = [self._response(hits, made.get(i), contexts[i]) for i, hits in enumerate(found)]
        self.counted["asked"] += len(responses)
        self.counted["refused"] += sum(one.refused for one in responses)
        self.counted["failed"] += sum(one.failed for one in responses)
        if self.spoken:
            self.counted["declined"] += sum(bool(DECLINED.match(one.text)) for one in responses)
        return responses

    def _response(
        self, hits: tuple[int, ...], answered: Answered | None, context: list[str]
    ) -> Response:
        if answered is None or isinstance(answered, Refused):
            return Response(hits, refused=True)
        if isinstance(answered, ModelError):
            return Response(hits, failed=True)
        if self.guard.output is not None and not self.guard.output("\n".join(answered), context):
            return Response(hits, refused=True)
        return Response(hits, answered)

    def _by_vote(self, query: SystemQuery, vote: Vote) -> Response:
        """Answer by the votes of voters that read one document each."""
        if self.index is None:
            return Response()
        scores = self.index.scores(query.text)
        parts = [np.arange(voter, len(scores), vote.voters) for voter in range(vote.voters)]
        best = [int(part[scores[part].argmax()]) for part in parts if len(part)]
        hits = tuple(d for d in best if scores[d] > self.index.least)
        replies = self.generator([query] * len(hits), [[self.texts[d]] for d in hits])
        answers = [one for one in replies if not isinstance(one, ModelError)]
        if hits and not answers:
            return Response(hits, failed=True)
        return Response(hits, vote.count_votes(query.text, answers))

    def retrieve(self, query: str) -> tuple[int, ...]:
        """Return the numbers of the k best texts, best first; ties by number."""
        if self.index is None:
            return ()
        order, scores = self.index.search(query, self.k + 1)
        hidden = self._hide is not None and self._hide(scores)
        self.counted["hidden"] += hidden
        order = order[1:] if hidden else order[: self.k]
        least = max(self.index.least, self.guard.least)
        return tuple(int(d) for d in order if scores[d] > least)
