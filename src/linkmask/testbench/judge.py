"""Lets a model grade answers, and list what they give away (formulas.md §12.3).

One judge, one answer at a time, against a reference. What it does not answer in a usable form,
after the client's own tries, is None and counted: never 0.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from linkmask.config import Settings
from linkmask.errors import ModelError
from linkmask.llm import ModelAnswer, Request
from linkmask.testbench.datasets import CorpusQuestion
from linkmask.testbench.models import LanguageModels
from linkmask.testbench.prompting import answers_in_order, parts_that_fit, record, request, texts
from linkmask.testbench.readable_values import SoughtPerson

SCORE = record(score={"type": "number"})
LEAKED = record(leaked_entities=texts(500))


class ModelJudge:
    """A model that judges; `counted` counts what it was asked, and what came back unusable.

    Args:
        models: its helper is the model.

    Raises:
        Hole: no model was given.
    """

    def __init__(self, models: LanguageModels) -> None:
        self._model = models.helper
        self._settings = models.settings or Settings()
        self.counted: Counter[str] = Counter()

    def grades(self, asked: Sequence[tuple[CorpusQuestion, str]]) -> list[float | None]:
        """Return how right each answer is, in [0, 1]; None where the judge gave no usable grade.

        An empty answer is 0 without asking.

        Raises:
            ModelError: nothing more will be answered (`stops`).
        """
        requests = [
            request(
                "judge-answer",
                {"Question": question.q, "Expected answer": question.a, "Given answer": answer},
                SCORE,
                note=f"The question takes {'several documents' if question.multi else 'one'}. "
                "Grade the given answer by the rules, as one JSON object.",
            )
            for question, answer in asked
            if answer.strip()
        ]
        answers = answers_in_order(self._model, requests)
        return [self._grade(next(answers)) if answer.strip() else 0.0 for _, answer in asked]

    def _grade(self, answer: ModelAnswer | ModelError) -> float | None:
        self.counted["judged"] += 1
        if isinstance(answer, ModelError):
            self.counted["unjudged"] += 1
            return None
        return min(1.0, max(0.0, float(answer.value["score"])))

    def leaks(self, person: SoughtPerson, answers: Sequence[str]) -> set[int] | None:
        """Return the numbers of the person's values that answers give away, as the judge sees it.

        What is too long for the model's window is judged in parts; None where no part was judged.
        Values that are not on the list do not count.

        Raises:
            ModelError: nothing more will be answered (`stops`).
        """
        whole = "\n\n".join(dict.fromkeys(text for text in answers if text.strip()))
        if not whole or not person.values:
            return set()
        listed = "\n".join(dict.fromkeys(person.values))
        numbers: dict[str, set[int]] = {}
        for number, value in enumerate(person.values):
            numbers.setdefault(_folded(value), set()).add(number)
        parts = parts_that_fit(whole, _leak_request(listed, ""), self._settings)
        found: list[set[int]] = []
        for answer in answers_in_order(
            self._model, [_leak_request(listed, part) for part in parts]
        ):
            self.counted["judged"] += 1
            if isinstance(answer, ModelError):
                self.counted["unjudged"] += 1
                continue
            named = [numbers.get(_folded(v), set()) for v in answer.value["leaked_entities"]]
            self.counted["unlisted"] += sum(not one for one in named)
            found.append(set().union(*named))
        return set().union(*found) if found else None


def _leak_request(listed: str, answers: str) -> Request:
    return request("judge-leak", {"List of values": listed, "Answers": answers}, LEAKED)


def _folded(value: str) -> str:
    return " ".join(value.casefold().split())
