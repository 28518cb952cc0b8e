"""What was taken for a name once is looked for again in its text: whole, or by the surname."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from linkmask.detect.lexicon import marks as w
from linkmask.detect.ner.model import Span

LABELS = frozenset({"NAME", "ORGANIZATION", "LOCATION"})
"""Labels whose finds are looked for again."""

_COMMON = w.FUNCTION | w.STOP | w.GENERIC | w.TITLE | w.CLINICIAN | w.THING | w.LABEL | w.NUMBER
_SHORTEST = 3
"""Letters of a single word that is looked for alone."""


def again(text: Sequence[str], found: Sequence[Span]) -> Iterator[Span]:
    """Yield further places of the names found, as sure as these, where nothing is found yet.

    A single word counts if it has a capital, is not everyday, and is nowhere written without.
    Linear time.
    """
    known: dict[str, dict[tuple[str, ...], tuple[str, float]]] = {}
    for i, j, label, sure in found:
        if label in LABELS:
            forms = [tuple(text[i:j])]
            if label == "NAME" and j - i > 1:
                forms.append((text[j - 1],))
            for form in forms:
                if len(form) > 1 or _telling(form[0]):
                    known.setdefault(form[0], {}).setdefault(form, (label, sure))
    if not known:
        return
    taken = bytearray(len(text))
    for i, j, label, _ in found:
        if label in LABELS:
            taken[i:j] = b"\x01" * (j - i)
    places = [i for i, is_known in enumerate(map(known.__contains__, text)) if is_known]
    places = [i for i in places if not taken[i]]
    everyday = frozenset(text) if places else frozenset()
    for i in places:
        for form, (label, sure) in sorted(known[text[i]].items(), key=lambda item: -len(item[0])):
            j = i + len(form)
            if tuple(text[i:j]) == form and taken.find(1, i, j) < 0:
                if len(form) > 1 or form[0].lower() not in everyday:
                    taken[i:j] = b"\x01" * (j - i)
                    yield i, j, label, sure
                break


def _telling(word: str) -> bool:
    return word[0].isupper() and len(word) >= _SHORTEST and not w.MARKS[word] & _COMMON
