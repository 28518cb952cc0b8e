"""Honest use: what masking costs, and what harmless questions give away."""

from __future__ import annotations

from linkmask.testbench.attacks.base import Haul, Raw, Target
from linkmask.testbench.measures import answer_scores, retrieval_scores
from linkmask.testbench.rag import Query


def questions(target: Target) -> Raw:
    """Ask the corpus's own questions: what do they still answer, and what do they give away?"""
    corpus = target.corpus
    responses = target.system.ask([Query(asked.question.q) for asked in corpus.questions])
    hauls = [Haul(target, person) for person in corpus.persons]
    rows = []
    for asked, response in zip(corpus.questions, responses, strict=True):
        hauls[asked.person].add(response, asked.question.q)
        rows.append(
            {
                "person": asked.person,
                "type": asked.question.type,
                "source": "multi" if asked.question.multi else "single",
                "refused": response.refused,
                **answer_scores(response.text, asked.question.a),
                **retrieval_scores(response.retrieved, asked.sources),
            }
        )
    return {"persons": [haul.row for haul in hauls], "questions": rows}
