"""Masks a batch of documents; one that fails is set aside, and the others go on."""

from __future__ import annotations

from functools import partial

from linkmask.pipeline.progress import CorpusCounts
from linkmask.pipeline.reading import Pair, worked
from linkmask.redact import Redactor
from linkmask.runs import row_of
from linkmask.workers import Failure


def masked_lines(redactor: Redactor, pairs: list[Pair], counted: CorpusCounts) -> list[bytes]:
    """Mask documents, a line each; the line of a document that is set aside is empty.

    Where one fails, each is masked by itself, so that the others go on.
    """
    try:
        return list(map(row_of, redactor.many(pairs)))
    except Exception:
        alone = worked(partial(_line, redactor=redactor), iter(pairs), workers=1)
        lines = []
        for document, result in alone:
            if isinstance(result, Failure):
                counted.set_aside(document, "redact", result.message_or("masking failed"))
            lines.append(b"" if isinstance(result, Failure) else result)
        return lines


def _line(pair: Pair, redactor: Redactor) -> bytes:
    return row_of(redactor(*pair))
