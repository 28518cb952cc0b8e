"""Personal names: with a title or a label, inverted, by list and shape, and again by surname."""

from __future__ import annotations

from collections.abc import Iterator

from linkmask.detect.found import Found
from linkmask.detect.lexicon import marks as w
from linkmask.detect.lexicon.words import BLANK, Text

NOT_A_NAME = w.STOP | w.FUNCTION | w.NUMBER | w.LABEL
HEADS = w.PRACTICE | w.EITHER | w.INSTITUTION | w.ORGANIZATION | w.PLACE_HEAD
AFTER_TITLE = BLANK | {". ", ".", ".\u00a0"}
_COMMON = HEADS | w.GENERIC | w.THING | w.STOP | w.FUNCTION | w.PLACE
_CLINICAL = w.CONDITION | w.CONDITION_HEAD | w.TREATMENT | w.TREATMENT_HEAD | w.MODIFIER
_LONGEST = 5
_IS = {"is", "was", "est", "ist", "lautet"}
_BORN = {"DOB", "born", "aged", "age", "né", "née", "geb", "geboren"}


def find(t: Text, language: str) -> Iterator[Found]:
    """Yield NAME spans. Titles stay outside, so "Mr. Finch" and "Finch" are one value."""
    yield from _titled(t, language)
    yield from _labelled(t)
    yield from _inverted(t)
    yield from _listed(t)


def again(t: Text, surnames: dict[str, str]) -> Iterator[Found]:
    """Yield the surnames of persons found before, with their type, where they stand alone."""
    if surnames:
        for i in t.at(w.CAP):
            if (
                not t.taken[i]
                and not t.marks[i] & _COMMON
                and (entity_type := surnames.get(t.words[i]))
            ):
                yield t.take(i, i + 1, entity_type, "surname again", 0.6)


def person_end(t: Text, i: int) -> int:
    """Return the word after the person's name that begins at word i (i itself: no name there)."""
    j = i
    while j - i < _LONGEST and (j == i or _continues(t, j)):
        m = t.marks[j]
        known = j > i and m & (w.GIVEN | w.SURNAME) and not m & w.FUNCTION
        initial = m & w.INITIAL and t.gap[j + 1][:1] == "."
        if m & w.CAP and (known or initial or not m & NOT_A_NAME):
            j += 1
        elif m & w.PARTICLE and (after := _after_particles(t, j)):
            j = after
        else:
            break
    while j > i + 1 and t.marks[j - 1] & HEADS and not t.marks[j - 1] & (w.SURNAME | w.GIVEN):
        j -= 1
    return j


def _continues(t: Text, j: int) -> bool:
    gap = t.gap[j]
    return t.joins(j) and "s " not in gap and "&" not in gap


def _after_particles(t: Text, j: int) -> int:
    """Return the word after "de la Cruz" when such a surname begins at word j, else 0."""
    for k in range(j + 1, min(j + 4, len(t.words))):
        if t.gap[k] not in BLANK | {"'", "’", ". "}:
            return 0
        m = t.marks[k]
        if m & w.CAP and not m & NOT_A_NAME:
            return k + 1
        if not m & w.PARTICLE:
            return 0
    return 0


def _take(t: Text, i: int, j: int, rule: str, score: float) -> Found:
    found = t.take(i, j, "NAME", rule, score)
    if t.marks[j - 1] & w.INITIAL and j - i > 1 and t.text[found.end : found.end + 1] == ".":
        return Found(found.start, found.end + 1, "NAME", "lexicon", rule, score)
    return found


def _titled(t: Text, language: str) -> Iterator[Found]:
    monsieur = [i for i in t.at(w.INITIAL) if t.words[i] == "M"] if language == "fr" else []
    for i in sorted(t.at(w.TITLE) + monsieur):
        if not t.marks[i] & w.CAP or t.taken[i] or t.gap[i + 1] not in AFTER_TITLE:
            continue
        j = person_end(t, i + 1)
        if j > i + 1 and t.free(i + 1, j):
            yield _take(t, i + 1, j, "title", 0.9)


def _labelled(t: Text) -> Iterator[Found]:
    for i in t.at(w.LABEL):
        k = i + 1
        while (
            k < i + 4
            and ":" not in t.gap[k]
            and (t.marks[k] & (w.LABEL | w.PARTICLE) or t.words[k] in _IS)
        ):
            k += 1
        colon = t.gap[k].strip() in {":", "(", ': "', "=", "#"} and t.gap[k].count("\n") <= 1
        closing = t.marks[i] & w.CLOSING and t.gap[k].strip() in {"", ","}
        if not colon and not closing and t.gap[k] not in BLANK | {", ", " – ", " - "}:
            continue
        j = person_end(t, k)
        if j == k or not t.free(k, j):
            continue
        known = any(m & (w.GIVEN | w.SURNAME) for m in t.marks[k:j])
        if not known and (j - k == 1 or any(_unlike(m) for m in t.marks[k:j])):
            continue
        yield _take(t, k, j, "label", 0.9 if colon else 0.85 if known else 0.7)


def _unlike(mark: int) -> int:
    """Unlike a name: a head word, a place, or capitals (a heading, a form field, a code)."""
    return mark & (HEADS | w.PLACE | w.UPPER | w.GENERIC | w.HEALTH | w.THING | _CLINICAL)


def _inverted(t: Text) -> Iterator[Found]:
    """Find "Finch, Arlo" where a line or field begins, and "JALONNET Christine" anywhere."""
    for k in t.at(w.GIVEN):
        i, m = k - 1, t.marks[k - 1]
        if k == 0 or not t.marks[k] & w.CAP or not t.free(i, k + 1) or not m & w.CAP:
            continue
        if m & (NOT_A_NAME | w.INITIAL) or (m & (w.PLACE | HEADS) and not m & w.SURNAME):
            continue
        j = k + 1
        while j < k + 3 and t.marks[j] & (w.INITIAL | w.GIVEN) and t.gap[j] == " ":
            j += 1
        if t.gap[k] == ", ":
            told = _inverted_by_comma(t, i, k, j)
        else:
            told = t.gap[k] == " " and _inverted_by_case(t, i, k)
        if told:
            if t.gap[i] in {"'", "’"} and len(t.words[i - 1]) < 3:  # "O'Neil, Mary"
                i -= 1
            yield _take(t, i, j, "inverted", 0.75)


def _inverted_by_comma(t: Text, i: int, k: int, j: int) -> bool:
    m = t.marks[i]
    closed = t.gap[j][:1] not in {",", "'", "’"}
    ends = t.gap[j].strip()[:1] in {"", ";", ".", ")", "<"}
    listed = any(mark in t.gap[i] + t.gap[j] for mark in "\n;")
    if closed and ends and listed and t.opens(i):
        return not (m & w.PLACE and t.marks[k] & w.PLACE)
    surname = m & w.SURNAME or not m & w.GIVEN
    return bool(closed and surname and m & (w.SURNAME | w.UPPER) and not t.marks[k] & w.PLACE)


def _inverted_by_case(t: Text, i: int, k: int) -> bool:
    m, given = t.marks[i], t.marks[k]
    if m & w.UPPER and len(t.words[i]) > 2 and not given & w.UPPER:
        return True
    unlisted = not m & (w.GIVEN | w.UPPER & -(not given & w.UPPER)) and not given & w.WORDY
    return bool(
        unlisted and "\n" in t.gap[i] and "\n" in t.gap[k + 1] and not _unlike(m) & ~w.UPPER
    )


def _listed(t: Text) -> Iterator[Found]:
    for i, j, _ in t.runs:
        k = i
        while k < j:
            end = k + 1
            if not t.taken[k] and _may_begin(t, k, j):
                end = max(person_end(t, k), end)
                if score := _score(t, k, end):
                    yield _take(t, k, end, "listed", score)
            k = end


def _may_begin(t: Text, k: int, j: int) -> bool:
    """May word k of a run that ends at j begin a name? "May Finch" does, "May 3" does not."""
    m = t.marks[k]
    if not m & NOT_A_NAME:
        return True
    return bool((m & w.GIVEN and k + 1 < j) or (m & w.INITIAL and t.gap[k + 1][:1] == "."))


def _score(t: Text, i: int, j: int) -> float:
    """Return how surely words [i, j) are a person's name, 0 if they are not; word i is free."""
    marks = t.marks[i:j]
    first, size = marks[0], j - i
    if size == 1:
        sure = first & w.GIVEN and not first & (w.WORDY | w.PLACE | w.UPPER | w.SURNAME | w.STOP)
        return 0.5 if sure else 0.0
    if not t.free(i, j) or any(m & HEADS and not m & (w.SURNAME | w.GIVEN) for m in marks):
        return 0.0
    if marks[-1] & w.THING:
        return 0.0
    surname = any(m & w.SURNAME for m in marks[1:])
    if first & w.WORDY and not surname:
        return 0.0 if first & (w.PLACE | w.STOP) or t.opens(i) else 0.45
    if first & w.GIVEN or (first & w.INITIAL and size > 2 and marks[1] & w.GIVEN):
        return 0.8 if surname else 0.7
    if first & w.INITIAL:
        named = t.gap[i + 1][:1] == "." and any(not m & w.INITIAL for m in marks[1:])
        heading = "\n" in t.gap[i] and not surname  # "A. Proceedings"
        return 0.65 if named and not heading and t.words[i : i + 2] != ["U", "S"] else 0.0
    if i and t.marks[i - 1] & w.NUMBER and t.gap[i] == " ":  # "2834 Oakridge Lane"
        return 0.0
    if surname and not t.opens(i) and not first & (w.PLACE | w.GENERIC | w.UPPER):
        return 0.45
    if size > 3 or any(_unlike(m) or m & w.INITIAL for m in marks):
        return 0.0
    return 0.45 if _told(t, j) or _alone_on_line(t, i, j) else 0.0


def _alone_on_line(t: Text, i: int, j: int) -> bool:
    """Is the line nothing but this, and does the next begin with a number, as in an address?"""
    bare = "\n" in t.gap[i] and "\n" in t.gap[j] and t.gap[j].strip("\n\r\t >") == ""
    return bare and i > 0 and bool(t.marks[j] & w.NUMBER)


def _told(t: Text, j: int) -> bool:
    """Does what follows at word j speak of a person: ", a 45-year-old", "(DOB …"?"""
    word = t.words[j]
    if t.gap[j] == " (":
        return word in _BORN or word in {"ID", "MRN"}
    return t.gap[j] == ", " and (
        word in _BORN
        or word.endswith(("-year-old", "yo"))
        or (t.words[j + 1 : j + 2] != [] and t.words[j + 1].endswith("-year-old"))
        or (word.isdigit() and len(word) == 2)
    )
