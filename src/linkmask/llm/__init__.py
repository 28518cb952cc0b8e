"""Asks a language model: messages and a JSON Schema in, a checked answer out.

`connect(settings)` gives a `LanguageModel` behind any OpenAI-compatible server, with a cache, a
budget and retries. Nothing here knows what the questions are about.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import islice

from linkmask.config import Settings
from linkmask.llm.request import LanguageModel, ModelAnswer, Request, Usage

__all__ = [
    "CostEstimate",
    "LanguageModel",
    "ModelAnswer",
    "Request",
    "Usage",
    "connect",
    "estimate",
    "tokens_of",
]


def connect(settings: Settings) -> LanguageModel:
    """Return the model that the settings name. Nothing is sent until it is asked.

    Raises:
        SettingsError: `llm_url`, `llm_model` or `llm_key_env` is missing or wrong.
        RunError: the cache of answers can't be used.
    """
    from linkmask.llm.client import Client

    return Client(settings)


@dataclass(frozen=True, slots=True)
class CostEstimate:
    """What requests would cost. Tokens are estimated without the model's tokenizer, from above.

    `requests` counts all of them, `cached` those that the cache answers. Of the others,
    `tokens_in` are the tokens of the prompts, and `tokens_out` those of the longest answers.
    """

    requests: int = 0
    cached: int = 0
    tokens_in: int = 0
    tokens_out: int = 0

    def __add__(self, other: CostEstimate) -> CostEstimate:
        return CostEstimate(
            self.requests + other.requests,
            self.cached + other.cached,
            self.tokens_in + other.tokens_in,
            self.tokens_out + other.tokens_out,
        )


def estimate(requests: Iterable[Request], settings: Settings) -> CostEstimate:
    """Estimate what requests would cost. Nothing is sent; answers in the cache cost nothing.

    Raises:
        RunError: the cache of answers can't be used.
    """
    from linkmask.llm.memory import CHUNK, AnswerMemory, path_of
    from linkmask.llm.token_estimate import of_prompt

    memory = AnswerMemory(settings) if path_of(settings).exists() else None
    total = CostEstimate()
    stream = iter(requests)
    while some := list(islice(stream, CHUNK)):
        recalled = memory.recall(some) if memory else [(b"", None)] * len(some)
        fresh = [one for one, (_, answer) in zip(some, recalled, strict=True) if answer is None]
        total += CostEstimate(
            len(some),
            len(some) - len(fresh),
            sum(map(of_prompt, fresh)),
            sum(one.max_tokens for one in fresh),
        )
    if memory:
        memory.cache.close()
    return total


def tokens_of(request: Request) -> int:
    """Estimate the tokens of a request and its longest answer, which must fit `llm_context`."""
    from linkmask.llm.token_estimate import of_request

    return of_request(request)
