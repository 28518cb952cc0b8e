"""Cuts out of candidates what a reader added between values: line ends, and labels before them,
such as `birth date: ` of an XML file."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from linkmask.detect.candidates import Candidate
from linkmask.detect.resolve import LEARNED
from linkmask.text.added import Span, label_spans, line_ends, outside


def beside_labels(
    text: str, labels: Collection[str], start: int, found: list[Candidate]
) -> list[Candidate]:
    """Return the candidates without labels where lines and cells begin, from `start` on.

    A label stands nowhere in the file, so that nothing there could be masked; it is searched as a
    key of the input. A candidate that reaches over one becomes two. In a line that is a label's
    name and nothing else ("patient_name"), the model finds nothing: it reads sentences.
    """
    if not labels or not found:
        return found
    spans, names = label_spans(text, labels, start)
    kept = [one for one in found if one.detector != LEARNED or one[:2] not in names]
    return _cut(text, kept, spans)


def within_lines(text: str, found: list[Candidate]) -> list[Candidate]:
    """Return the candidates of a text that has a value a line, each within one line."""
    return _cut(text, found, line_ends(text)) if found else found


def _cut(text: str, found: list[Candidate], added: Sequence[Span]) -> list[Candidate]:
    return [
        one._replace(start=start, end=end)
        for one in found
        for start, end in outside(text, one.start, one.end, added)
    ]
