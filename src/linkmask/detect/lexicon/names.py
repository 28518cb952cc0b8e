"""Personal names: with a title or a label, by given-name list and shape, and again by surname."""

from __future__ import annotations

from collections.abc import Iterator

from linkmask.detect.found import Found
from linkmask.detect.lexicon import words as w
from linkmask.detect.lexicon.words import Text

NOT_A_NAME = w.STOP | w.FUNCTION | w.NUMBER | w.LABEL
HEADS = w.PRACTICE | w.EITHER | w.INSTITUTION | w.ORGANIZATION | w.PLACE_HEAD
_LONGEST = 5


def person_end(t: Text, i: int) -> int:
    """Return the word after the person's name that begins at word i (i itself: no name there)."""
    j = i
    while j < len(t) and j - i < _LONGEST and (j == i or _continues(t, j)):
        m = t.marks[j]
        known = j > i and m & (w.GIVEN | w.SURNAME) and not m & w.FUNCTION
        if m & w.CAP and (known or not m & NOT_A_NAME):
            j += 1
        elif m & w.PARTICLE and (after := _after_particles(t, j)):
            j = after
        else:
            break
    while j > i + 1 and t.marks[j - 1] & HEADS and not t.marks[j - 1] & (w.SURNAME | w.GIVEN):
        j -= 1
    return j


def _continues(t: Text, j: int) -> bool:
    gap = t.gap(j)
    return t.joins(j) and "s " not in gap and "&" not in gap


def _after_particles(t: Text, j: int) -> int:
    """Return the word after "de la Cruz" when such a surname begins at word j, else 0."""
    for k in range(j + 1, min(j + 4, len(t))):
        if t.gap(k) not in {" ", "'", "’", "\u00a0", ". "}:
            return 0
        m = t.marks[k]
        if m & w.CAP and not m & NOT_A_NAME:
            return k + 1
        if not m & w.PARTICLE:
            return 0
    return 0


def find(t: Text) -> Iterator[Found]:
    """Yield NAME spans. Titles stay outside, so "Mr. Finch" and "Finch" are one value."""
    yield from _titled(t)
    yield from _labelled(t)
    yield from _inverted(t)
    yield from _listed(t)


def _found(t: Text, i: int, j: int, rule: str, score: float) -> Found:
    if t.marks[j - 1] & w.INITIAL and j - i > 1 and t.text[t.ends[j - 1] :][:1] == ".":
        start, end = t.take(i, j)
        return Found(start, end + 1, "NAME", "lexicon", rule, score)
    start, end = t.take(i, j)
    return Found(start, end, "NAME", "lexicon", rule, score)


def _titled(t: Text) -> Iterator[Found]:
    for i in t.at(w.TITLE):
        if (
            not t.marks[i] & w.CAP
            or t.taken[i]
            or t.gap(i + 1) not in {" ", ". ", "\u00a0", ".\u00a0", "."}
        ):
            continue
        j = person_end(t, i + 1)
        if j > i + 1 and t.free(i + 1, j):
            yield _found(t, i + 1, j, "title", 0.9)


def _labelled(t: Text) -> Iterator[Found]:
    for i in t.at(w.LABEL):
        k = i + 1
        while (
            k < len(t) and k < i + 4 and t.marks[k] & (w.LABEL | w.PARTICLE) and ":" not in t.gap(k)
        ):
            k += 1
        gap = t.gap(k)
        colon = gap.strip() in {":", "(", ': "', "=", "#"} and gap.count("\n") <= 1 and k < len(t)
        if not colon and gap not in {" ", ", ", "\u00a0", " – ", " - ", "\n"}:
            continue
        j = person_end(t, k)
        if j == k or not t.free(k, j):
            continue
        known = any(m & (w.GIVEN | w.SURNAME) for m in t.marks[k:j])
        if any(m & (HEADS | w.PLACE) for m in t.marks[k:j]) and not known:
            continue
        if colon and (known or (j - k > 1 and not _shouted(t, k, j))):
            yield _found(t, k, j, "label", 0.9)
        elif not colon and t.gap(k) != "\n" and (j - k > 1 or known) and not _shouted(t, k, j):
            yield _found(t, k, j, "label", 0.85 if known else 0.7)


def _shouted(t: Text, i: int, j: int) -> bool:
    """All capitals and in no list: more likely a heading, a form field or a code."""
    return all(m & w.UPPER and not m & (w.GIVEN | w.SURNAME) for m in t.marks[i:j])


def _inverted(t: Text) -> Iterator[Found]:
    """Find "Finch, Arlo" where a line or field begins, and "JALONNET Christine" anywhere."""
    for i in t.at(w.CAP):
        m = t.marks[i]
        if m & (NOT_A_NAME | w.PLACE | HEADS | w.INITIAL) or t.taken[i] or i + 1 >= len(t):
            continue
        after = t.marks[i + 1]
        if not after & w.CAP or not after & w.GIVEN or t.taken[i + 1]:
            continue
        gap = t.gap(i + 1)
        comma = (
            gap == ", "
            and (m & (w.SURNAME | w.UPPER) or t.opens(i))
            and not m & w.GIVEN & ~w.SURNAME
        )
        upper = gap == " " and m & w.UPPER and not after & w.UPPER and len(t.words[i]) > 2
        if upper or (comma and t.gap(i + 2)[:1] not in {","}):
            j = i + 2
            if j < len(t) and t.marks[j] & w.INITIAL and t.gap(j) == " ":
                j += 1
            yield _found(t, i, j, "inverted", 0.75)


def _listed(t: Text) -> Iterator[Found]:
    for i, j in t.runs():
        k = i
        while k < j:
            m = t.marks[k]
            if t.taken[k] or (m & (w.STOP | w.FUNCTION) and not (m & w.GIVEN and k + 1 < j)):
                k += 1
                continue
            end = person_end(t, k) if not m & NOT_A_NAME else k + 1
            end = max(end, k + 1)
            if score := _score(t, k, end):
                yield _found(t, k, end, "listed", score)
            k = end


def _score(t: Text, i: int, j: int) -> float:
    """Return how surely words [i, j) are a person's name, 0 if they are not taken for one."""
    marks = t.marks[i:j]
    if not t.free(i, j) or any(m & HEADS and not m & (w.SURNAME | w.GIVEN) for m in marks):
        return 0.0
    first, size = marks[0], j - i
    given = first & w.GIVEN or (first & w.INITIAL and size > 2 and marks[1] & w.GIVEN)
    surname = any(m & w.SURNAME for m in marks[1:])
    if size == 1:
        single = first & w.GIVEN and not first & (w.WORDY | w.PLACE | w.UPPER | w.SURNAME)
        return 0.5 if single else 0.0
    if first & w.WORDY and not surname:
        return 0.0 if first & w.PLACE or t.opens(i) else 0.45
    if given:
        return 0.8 if surname else 0.7
    if first & w.INITIAL and not marks[1] & (w.INITIAL | w.STOP):
        return 0.65 if t.gap(i + 1)[:1] == "." else 0.0
    if surname and first & w.SURNAME and not first & w.PLACE and not t.opens(i):
        return 0.45
    return (
        0.45
        if size == 2
        and not any(m & (w.UPPER | w.PLACE | w.GENERIC | w.HEALTH) for m in marks)
        and _told(t, i, j)
        else 0.0
    )


def _told(t: Text, i: int, j: int) -> bool:
    """Does what follows speak of a person: "Utku Karaarslan, a 45-year-old", "… (DOB"?"""
    if j >= len(t):
        return False
    gap, word = t.gap(j), t.words[j]
    return (
        gap == " ("
        and word in {"DOB", "ID", "MRN", "born", "aged", "age", "né", "née", "geb", "geboren"}
    ) or (
        gap == ", "
        and (
            word in {"born", "aged", "age", "né", "née", "geboren", "geb"}
            or word.endswith(("-year-old", "yo"))
            or (word.isdigit() and len(word) == 2)
        )
    )
