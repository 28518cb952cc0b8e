"""Extraction by a language model, in two stages: prompts out, checked mentions back.

The rules of both stages: formulas.md §3.

`asking` puts documents before a model; `answers` checks what it says, `places` finds it in the
text, `unite` makes mentions of it; `existing` is what stage 2 is shown of the corpus.
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
from linkmask.detect.prompted.prompts import Known, prompt
from linkmask.detect.prompted.unite import DETECTOR, after, beside, mentions, overlaps

__all__ = [
    "DETECTOR",
    "DocumentAnswer",
    "Existing",
    "Known",
    "Question",
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
