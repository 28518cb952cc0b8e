"""Hand-written models for tests: answers computed from the request, nothing over a wire."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

from linkmask.errors import ModelError
from linkmask.llm import ModelAnswer, Request, Usage

Reply = Callable[[Request], Any]


class Scripted:
    """A `LanguageModel` that replies what a function says; errors stand in the answer's place.

    `asked` holds every request, in order.
    """

    def __init__(self, reply: Reply, cached: bool = False) -> None:
        self.reply, self.cached = reply, cached
        self.asked: list[Request] = []
        self.usage = Usage()

    def ask(self, request: Request) -> ModelAnswer:
        answer = next(self.ask_all([request]))
        if isinstance(answer, ModelError):
            raise answer
        return answer

    def ask_all(self, requests: Iterable[Request]) -> Iterator[ModelAnswer | ModelError]:
        for request in requests:
            self.asked.append(request)
            said = self.reply(request)
            if isinstance(said, ModelError):
                yield said
            else:
                yield ModelAnswer(said, 100, 10, 0.5, self.cached)

    def embed(self, texts: Sequence[str]) -> list[list[float]]:
        raise AssertionError("no test with this model asks for embeddings")

    def close(self) -> None:
        pass

    def __enter__(self) -> Scripted:
        return self

    def __exit__(self, *failure: object) -> None:
        pass


def document_of(request: Request) -> str:
    """The document in a request, between its marks."""
    user = request.messages[-1][1]
    mark = user[user.rindex("The document ended with the mark ") :].split()[6].rstrip(".")
    return user.split("Document:\n" + mark + "\n", 1)[1].rsplit("\n" + mark, 1)[0]


def known_of(request: Request) -> str:
    """The list of known values in a request of stage 2, as it is written."""
    user = request.messages[-1][1]
    return user.split("\n", 2)[2].split("\n==", 1)[0] if user.startswith("Known") else ""


def naming(values: dict[str, str], relevance: float = 0.9) -> Reply:
    """Reply with those of the values (to types) that stand in the document."""

    def reply(request: Request) -> Any:
        text = document_of(request).lower()
        rows = [[v, v, kind, relevance] for v, kind in values.items() if v.lower() in text]
        return {"entities": rows}

    return reply
