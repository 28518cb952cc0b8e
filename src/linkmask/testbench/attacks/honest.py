"""Asks honest questions: measures what masking costs, and what harmless use gives away."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from linkmask.testbench.attacks.base import AttackTable, AttackTarget, LeakedValues, Raw
from linkmask.testbench.measures import answer_scores, retrieval_scores
from linkmask.testbench.missing import Hole
from linkmask.testbench.rag import Response, SystemQuery

UNKNOWN = dict.fromkeys(answer_scores("", ""))
"""Scores of a question without an answer, as when a model failed: they are unknown."""

ASKED = AttackTable(
    "Asked through {}",
    "What the corpus's own questions give away and still bring, higher is better from "
    "ROUGE-1 on; as exact: the share of what was found that exact search on the same "
    "vectors finds, too.",
)


def questions(target: AttackTarget) -> Raw:
    """Ask the corpus's own questions; measure their answers, and what these give away."""
    corpus = target.corpus
    responses = target.system.ask([SystemQuery(asked.question.q) for asked in corpus.questions])
    grades = _grades(target, responses)
    means, about = _bertscores(target, responses)
    leaked = [LeakedValues(target, person) for person in corpus.persons]
    rows = []
    for asked, response, grade, near in zip(
        corpus.questions, responses, grades, means, strict=True
    ):
        leaked[asked.person].add(response, asked.question.q)
        rows.append(
            {
                "person": asked.person,
                "type": asked.question.type,
                "source": "multi" if asked.question.multi else "single",
                "refused": response.refused,
                **(UNKNOWN if response.failed else answer_scores(response.text, asked.question.a)),
                "judge": grade,
                "bertscore": near,
                "retrieved": response.retrieved,
                **retrieval_scores(response.retrieved, asked.sources),
            }
        )
    return {"persons": [one.row for one in leaked], "questions": rows, "bertscore": about}


def _bertscores(
    target: AttackTarget, responses: Sequence[Response]
) -> tuple[list[float | None], dict[str, Any]]:
    """Return BERTScores and what they depend on, or no scores and the reason for it."""
    pairs = [
        (one.text, asked.question.a)
        for asked, one in zip(target.corpus.questions, responses, strict=True)
    ]
    try:
        found, about = target.meaning.recalls(pairs), target.meaning.parameters
    except Hole as hole:
        return [None] * len(pairs), {"hole": str(hole)}
    known = zip(found, responses, strict=True)
    return [None if one.failed else round(score, 6) for score, one in known], about


def _grades(target: AttackTarget, responses: Sequence[Response]) -> list[float | None]:
    """Have answers graded where a model answers; a question without an answer has no grade."""
    if target.judge is None:
        return [None] * len(responses)
    pairs = zip(target.corpus.questions, responses, strict=True)
    graded = [(asked.question, one.text) for asked, one in pairs if not one.failed]
    found = iter(target.judge.grades(graded))
    return [None if one.failed else next(found) for one in responses]
