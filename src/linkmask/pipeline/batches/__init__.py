"""The steps on a cluster or in processes, batch by batch.

record_batches  the steps as pure functions over Arrow record batches, for engines of others
batch_steps     what each function does to the documents of one batch
batch_job       the driver, which holds no text: it scores, plans and decides by the results
"""

from linkmask.pipeline.batches.record_batches import (
    COLUMNS,
    DATA,
    KEY,
    STEPS,
    StepWork,
    check,
    corpus_pass,
    detect,
    keep_work,
    loaded,
    rare_terms,
    release,
    words,
)

__all__ = [
    "COLUMNS",
    "DATA",
    "KEY",
    "STEPS",
    "StepWork",
    "check",
    "corpus_pass",
    "detect",
    "keep_work",
    "loaded",
    "rare_terms",
    "release",
    "words",
]
