"""Finds the entities that stand in the answers to a user's questions."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

import numpy as np

from linkmask.config import Settings
from linkmask.pipeline.answers.questions import UserQuestion
from linkmask.pipeline.values.possible_spellings import words_in
from linkmask.pipeline.values.run_value import RunValues
from linkmask.pipeline.values.run_values import spelled
from linkmask.records import Incidence, Ints
from linkmask.schema import RARE_TERM
from linkmask.verify import Inspector


def questions_about(
    questions: Sequence[UserQuestion], values: RunValues, incidence: Incidence, settings: Settings
) -> Ints:
    """Return how many questions' answers hold each entity, in any of its spellings.

    Of a question that names documents, only entities of these documents count.

    Args:
        values: those of the corpus; what is worked out of their spellings is kept there.
    """
    counts = np.zeros(incidence.n_entities, np.int32)
    inspect = Inspector(_spellings(questions, values, settings), settings)
    number = {name: n for n, name in enumerate(incidence.entities)}
    document = {name: n for n, name in enumerate(incidence.documents)}
    for question in questions:
        held = {number[name] for name in inspect.readable([question.answer]) if name in number}
        if question.documents:
            known = (document[name] for name in question.documents if name in document)
            rows = (incidence.entity[incidence.start[d] : incidence.start[d + 1]] for d in known)
            held &= {entity for row in rows for entity in row.tolist()}
        counts[sorted(held)] += 1
    return counts


def _spellings(
    questions: Sequence[UserQuestion], values: RunValues, settings: Settings
) -> dict[str, list[str]]:
    """Return the spellings of the entities that share a word with an answer."""
    asked, of_word = words_in(one.answer for one in questions), defaultdict[str, set[str]](set)
    for entity, one in values.items():
        if one.type != RARE_TERM:
            for word in words_in((one.value, *one.surfaces)):
                of_word[word].add(entity)
    near = set[str]().union(*(of_word[word] for word in asked & of_word.keys()))
    every = spelled(values, near, settings)
    return {entity: [*one.surfaces, *one.forms] for entity, one in every}
