"""Extracts mentions by a language model in two stages: prompts out, checked mentions back.

formulas.md §3 states the rules of both stages.

`asking` sends documents to a model, `answer_rows` checks the replies, and `unite` finds their
values in the text and makes mentions of them; `existing` selects the values of the corpus that
stage 2 shows.
"""

from linkmask.detect.prompted.asking import (
    DocumentAnswer,
    Question,
    ask,
    list_room,
    question,
    requests_of,
)
from linkmask.detect.prompted.existing import Existing, existing
from linkmask.detect.prompted.prompts import ValueRows, prompt
from linkmask.detect.prompted.unite import DETECTOR, after, beside, mentions, overlaps

__all__ = [
    "DETECTOR",
    "DocumentAnswer",
    "Existing",
    "Question",
    "ValueRows",
    "after",
    "ask",
    "beside",
    "existing",
    "list_room",
    "mentions",
    "overlaps",
    "prompt",
    "question",
    "requests_of",
]
