"""Estimates what detection with a language model would cost, without asking it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Literal

from linkmask import llm
from linkmask.config import Settings
from linkmask.detect import prompted
from linkmask.detect.prompted import ValueRows
from linkmask.llm.token_estimate import estimated_tokens
from linkmask.pipeline.progress import Source
from linkmask.records import SetAside
from linkmask.schema import types_of

VALUES = 4
"""Values that a document brings to the list of stage 2, about."""
SHOWN = 20
"""Values that a document is shown of those near it, about."""
RECKONED = ("a value of some words", min(types_of("clinical")))


def estimate(source: Source, settings: Settings) -> dict[str, llm.CostEstimate]:
    """Say what a corpus would cost, by stage, without asking.

    Stage 1 is counted exactly, and what is in the cache taken off. Stage 2 depends on what stage 1
    finds: it is reckoned with a list of usual size.
    """
    stages: dict[str, llm.CostEstimate] = {}
    documents = 0

    def requests(stage: Literal["stage1", "stage2"], known: ValueRows) -> Iterator[llm.Request]:
        nonlocal documents
        documents = 0
        for item in source():
            if not isinstance(item, SetAside):
                documents += 1
                asked = prompted.question(item, stage, settings, known)
                yield from prompted.requests_of(asked, settings)

    stages["stage1"] = llm.estimate(requests("stage1", ()), settings)
    if settings.corpus_pass:
        number = SHOWN if settings.llm_existing == "near" else VALUES * documents
        most = prompted.list_room(settings) // estimated_tokens(json.dumps(RECKONED))
        known = [RECKONED] * min(number, most, settings.top_k or number)
        stages["stage2"] = llm.estimate(requests("stage2", known), settings)
    return stages
