"""Asks a language model, if there is one, for a type, a sentence, or values that remain.

The model decides nothing alone. Its type counts if a policy knows it, its sentence if it does not
contradict the facts, and a value that it sees if the value stands in the text.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.linalg import norm

from linkmask.errors import ModelError
from linkmask.llm import LanguageModel, Request
from linkmask.llm.delimiters import mark_for
from linkmask.policy.decide import Ask
from linkmask.policy.justify import Rank, Write, bm25
from linkmask.policy.policy_tables import Policy

VERSION = "1"
UNKNOWN = "UNKNOWN"
TINY = 1e-12
REASON = {
    "type": "object",
    "properties": {"sentence": {"type": "string", "maxLength": 600}},
    "required": ["sentence"],
    "additionalProperties": False,
}


def type_asker(model: LanguageModel) -> Ask:
    """Return a function that asks which type known to the policies an unknown one is."""

    def ask(entity_type: str, policies: Sequence[Policy]) -> str | None:
        types = sorted({name for policy in policies for name in (*policy.rules, *policy.uncovered)})
        schema = {
            "type": "object",
            "properties": {"type": {"type": "string", "enum": [*types, UNKNOWN]}},
            "required": ["type"],
            "additionalProperties": False,
        }
        text = _prompt("type").format(type=entity_type, types=", ".join(types))
        try:
            answer = model.ask(_request("type", text, schema, 64)).value["type"]
        except ModelError:
            return None  # nobody answered: a person is asked
        return None if answer == UNKNOWN else str(answer)

    return ask


def reason_writer(model: LanguageModel) -> Write:
    """Return a function by which a language model writes a sentence of explanation from facts.

    Raises:
        ModelError: (the function) the model gives no sentence that can be used.
    """

    def write(facts: str) -> str:
        text = _prompt("reason").format(facts=facts)
        return str(model.ask(_request("reason", text, REASON, 256)).value["sentence"])

    return write


def example_ranker(model: LanguageModel) -> Rank:
    """Return a function that ranks texts by the cosine of their embeddings with a query's.

    If the server makes no embeddings, texts are ranked by BM25.
    """

    def rank(query: str, texts: Sequence[str]) -> Sequence[float]:
        try:
            first, *rest = (np.array(v, dtype=np.float64) for v in model.embed([query, *texts]))
        except ModelError:
            return bm25(query, texts)
        return [float(first @ v) / max(float(norm(first) * norm(v)), TINY) for v in rest]

    return rank


def remaining_values(
    model: LanguageModel, texts: Iterable[str], types: Collection[str], most: int = 1024
) -> Iterator[list[tuple[str, str]] | ModelError]:
    """Yield, for each masked text, what a model still sees: (value as it stands there, type).

    What does not stand in the text is dropped. `most`: tokens of an answer.
    """
    schema = _remaining_schema(tuple(sorted(types)))
    kept: list[str] = []

    def requests() -> Iterator[Request]:
        for text in texts:
            kept.append(text)
            named = ", ".join(sorted(types))
            asked = _prompt("remaining").format(mark=mark_for(text), text=text, types=named)
            yield _request("remaining", asked, schema, most)

    for answer in model.ask_all(requests()):
        text = kept.pop(0)
        if isinstance(answer, ModelError):
            yield answer
        else:
            seen = [(one["value"], one["type"]) for one in answer.value["values"]]
            yield [(value, kind) for value, kind in seen if value.strip() and value in text]


@cache
def _remaining_schema(types: tuple[str, ...]) -> dict[str, Any]:
    value = {
        "type": "object",
        "properties": {
            "value": {"type": "string", "minLength": 1, "maxLength": 200},
            "type": {"type": "string", "enum": list(types)},
        },
        "required": ["value", "type"],
        "additionalProperties": False,
    }
    return {
        "type": "object",
        "properties": {"values": {"type": "array", "items": value, "maxItems": 100}},
        "required": ["values"],
        "additionalProperties": False,
    }


def _request(name: str, text: str, schema: dict[str, Any], most: int) -> Request:
    return Request((("user", text),), schema, f"policy-{name}/{VERSION}", most)


@cache
def _prompt(name: str) -> str:
    return (Path(__file__).parent / "prompts" / f"{name}.txt").read_text(encoding="utf-8")
