"""Finds further occurrences of the tagger's names and clinical terms in the same text.

A name is searched for whole or by its surname; a condition or treatment whole or by the short form
given after it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import compress, count

from linkmask.detect.lexicon import word_features as w
from linkmask.detect.ner.model import Span
from linkmask.schema import types, types_of

LABELS = types_of("person", "organization", "place")
"""Labels whose finds are looked for again."""

CLINICAL = frozenset({"DISEASE", "SIGN", "DRUG"})
"""Those of case reports: a text that calls something a finding once means it each time. Not what is
done to somebody: "removed" is marked in one place and not in the next."""

_COMMON = w.FUNCTION | w.STOP | w.GENERIC | w.TITLE | w.CLINICIAN | w.THING | w.LABEL | w.NUMBER
_SHORTEST = 3
"""Letters of a single word that is looked for alone."""

SpansByFirstWord = dict[str, dict[tuple[str, ...], tuple[str, float]]]
"""First word → forms that begin with it → label and confidence."""


def repeated_mentions(text: Sequence[str], found: Sequence[Span]) -> Iterator[Span]:
    """Yield further occurrences of found names and terms, with their score, in free text.

    A single word of a name counts if it has a capital, is not an everyday word, and never stands in
    lower case in the text; a single word of a clinical term counts if it is long enough. Linear
    time.
    """
    for labels, forms in ((LABELS, _names), (CLINICAL, _terms)):
        known: SpansByFirstWord = {}
        for span in found:
            if span[2] in labels:
                for form in forms(text, *span[:3]):
                    known.setdefault(form[0], {}).setdefault(form, span[2:])
        if known:
            yield from _places(text, [span for span in found if span[2] in labels], known)


def _names(text: Sequence[str], i: int, j: int, label: str) -> Iterator[tuple[str, ...]]:
    forms = [tuple(text[i:j])]
    if label == types.NAME and j - i > 1:
        forms.append((text[j - 1],))
    return (form for form in forms if len(form) > 1 or _is_distinctive(form[0]))


def _terms(text: Sequence[str], i: int, j: int, _: str) -> Iterator[tuple[str, ...]]:
    """Yield a term and its short form: "chemoembolization (TACE)"."""
    if j - i > 1 or len(text[i]) > _SHORTEST or text[i].isupper():
        yield tuple(text[i:j])
    if text[j : j + 1] == ["("] and text[j + 2 : j + 3] == [")"] and _short(text[j + 1]):
        yield (text[j + 1],)


def _places(text: Sequence[str], found: Sequence[Span], known: SpansByFirstWord) -> Iterator[Span]:
    taken = bytearray(len(text))
    for i, j, *_ in found:
        taken[i:j] = b"\x01" * (j - i)
    places = [i for i in compress(count(), map(known.__contains__, text)) if not taken[i]]
    everyday = frozenset(text) if places else frozenset()
    lengths = {
        first: sorted({len(form) for form in forms}, reverse=True) for first, forms in known.items()
    }
    for i in places:
        forms = known[text[i]]
        for length in lengths[text[i]]:
            j = i + length
            form = tuple(text[i:j])
            if len(form) == length and form in forms and taken.find(1, i, j) < 0:
                label, sure = forms[form]
                if label in CLINICAL or len(form) > 1 or form[0].lower() not in everyday:
                    taken[i:j] = b"\x01" * (j - i)
                    yield i, j, label, sure
                break


def _is_distinctive(word: str) -> bool:
    return word[0].isupper() and len(word) >= _SHORTEST and not w.MARKS[word] & _COMMON


def _short(word: str) -> bool:
    return sum(map(str.isupper, word)) > 1
