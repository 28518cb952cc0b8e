"""Answers from a context: two generators by rule, and a language model.

`parrot` returns the whole context, so no generator can literally reveal more. `extractive` returns
the best sentences. `llm` asks a model.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterator, Sequence

from linkmask.errors import ModelError
from linkmask.llm import LanguageModel, Request
from linkmask.testbench.indexes import words
from linkmask.testbench.rag import Answered, Generator, SystemQuery
from linkmask.testbench.readable_values import Span

SENTENCE = re.compile(r"[.!?:;]['\")\]]?\s+(?=[A-ZÀ-Ý0-9\[(\"'])|\n+")
BEST = 3
"""Sentences an extractive answer has."""


def parrot(
    queries: Sequence[SystemQuery], contexts: Sequence[Sequence[str]]
) -> list[tuple[str, ...]]:
    """Give back the whole context."""
    return [tuple(context) for context in contexts]


def extractive(
    queries: Sequence[SystemQuery], contexts: Sequence[Sequence[str]]
) -> list[tuple[str, ...]]:
    """Give the sentences of the context that say most of what was asked; neighbours as one run."""
    return [_best(query.text, context) for query, context in zip(queries, contexts, strict=True)]


def _best(query: str, context: Sequence[str]) -> tuple[str, ...]:
    asked = set(words(query))
    cut = [(d, n, span) for d, text in enumerate(context) for n, span in enumerate(sentences(text))]
    bags = [Counter(words(context[d][slice(*span)])) for d, _, span in cut]
    rare = Counter(word for bag in bags for word in bag)
    scores = [
        sum(math.log1p(len(bags) / rare[w]) for w in asked & bag.keys()) / math.sqrt(8 + len(bag))
        for bag in bags
    ]
    order = sorted(range(len(cut)), key=lambda i: (-scores[i], i))
    chosen = sorted(i for i in order[:BEST] if scores[i] > 0)
    runs: list[tuple[int, int, Span]] = []
    for i in chosen:
        d, n, (start, end) = cut[i]
        if runs and runs[-1][0] == d and runs[-1][1] == n - 1:
            start = runs.pop()[2][0]
        runs.append((d, n, (start, end)))
    return tuple(context[d][start:end] for d, _, (start, end) in runs)


def sentences(text: str) -> Iterator[Span]:
    """Yield the sentences of a text as spans without the space around them."""
    start = 0
    for match in SENTENCE.finditer(text):
        end = match.end()
        if stripped := text[start:end].strip():
            begin = text.index(stripped, start)
            yield begin, begin + len(stripped)
        start = end
    if stripped := text[start:].strip():
        begin = text.index(stripped, start)
        yield begin, begin + len(stripped)


INSTRUCTIONS = {
    "answer": "Answer the question from the given context only, in one or two sentences. If the "
    "context does not say, answer: No.",
    "member": "Answer from the given context only, with Yes or No and nothing else.",
    "extract": "Answer from the given context. If it can't be answered, say No. Never repeat the "
    "value that is given in the question.",
}
"""System prompt by kind of query (formulas.md §12.2–12.4)."""
LONGEST = {"answer": 1024, "member": 1024, "extract": 2048}
"""Tokens of an answer, its thinking included: one that is cut is unknown, and must not be usual."""


def written_by(model: LanguageModel, rules: str = "") -> Generator:
    """Return a generator that asks a language model, with the rules of a defence if there are any.

    Where a query has no answer, its error takes the answer's place. An error that `stops` is
    raised: the cell can be computed later, and the cache holds what was answered.
    """

    def generate(
        queries: Sequence[SystemQuery], contexts: Sequence[Sequence[str]]
    ) -> list[Answered]:
        requests = (
            Request(
                (("system", _instructions(query, rules)), ("user", _prompt(query, context))),
                None,
                "bench-answer/1",
                LONGEST[query.kind],
            )
            for query, context in zip(queries, contexts, strict=True)
        )
        answers: list[Answered] = []
        for answer in model.ask_all(requests):
            if isinstance(answer, ModelError):
                if answer.stops:
                    raise answer
                answers.append(answer)
            else:
                answers.append((str(answer.value),))
        return answers

    return generate


def _instructions(query: SystemQuery, rules: str) -> str:
    return f"{INSTRUCTIONS[query.kind]}\n\n{rules}" if rules else INSTRUCTIONS[query.kind]


def _prompt(query: SystemQuery, context: Sequence[str]) -> str:
    joined = "\n\n---\n\n".join(context)
    return f"Context:\n{joined}\n\nQuestion: {query.text}\nAnswer:"


GENERATORS: dict[str, Generator] = {"parrot": parrot, "extractive": extractive}
"""Name → answers to queries from their contexts; `llm` joins where a model is given."""
