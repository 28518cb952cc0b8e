"""Those who act on a person: clinicians by title, letters or role; practices, insurers, bodies."""

from __future__ import annotations

from collections.abc import Iterator

from linkmask.detect.found import Found
from linkmask.detect.lexicon import words as w
from linkmask.detect.lexicon.names import person_end
from linkmask.detect.lexicon.words import Text

HEADS = w.PRACTICE | w.EITHER | w.INSTITUTION | w.ORGANIZATION | w.PLACE_HEAD | w.EVENT_HEAD
LEADS = w.PROVIDER_LEAD | w.INSTITUTION_LEAD | w.ORGANIZATION_LEAD | w.EVENT_LEAD
_OF = {
    "of",
    "for",
    "de",
    "du",
    "des",
    "der",
    "d",
    "la",
    "le",
    "les",
    "l",
    "the",
    "am",
    "im",
    "in",
    "à",
    "von",
    "zu",
    "zum",
    "sur",
    "an",
}


def find(t: Text) -> Iterator[Found]:
    """Yield PROVIDER spans, and what the same head words decide: LOCATION, ORGANIZATION, EVENT."""
    yield from _titled(t)
    yield from _lettered(t)
    yield from _roles(t)
    yield from _known(t)
    yield from _headed(t)
    yield from _led(t)


def _found(t: Text, i: int, j: int, entity_type: str, rule: str, score: float) -> Found:
    start, end = t.take(i, j)
    return Found(start, end, entity_type, "lexicon", rule, score)


def _titled(t: Text) -> Iterator[Found]:
    end = 0
    for i in t.at(w.CLINICIAN):
        if i < end or not t.marks[i] & w.CAP:
            continue
        k = i + 1
        while (
            k < len(t)
            and t.marks[k] & (w.BETWEEN | w.CLINICIAN)
            and t.gap(k) in {". ", " ", ".", "-"}
        ):
            k += 1
        if t.gap(k) not in {". ", " ", ".", "\u00a0", ".\u00a0"}:
            continue
        end = person_end(t, k)
        if end > k and not (t.marks[k] & w.UPPER and t.words[i] == "PD"):
            yield _found(t, i, end, "PROVIDER", "clinician", 0.9)
            if t.words[i] == "Drs" and end + 1 < len(t) and t.words[end] in {"and", "et", "und"}:
                last = person_end(t, end + 1)
                if last > end + 1:
                    yield _found(t, end + 1, last, "PROVIDER", "clinician", 0.85)


def _lettered(t: Text) -> Iterator[Found]:
    for k in t.at(w.LETTERS):
        if not t.marks[k] & w.CAP or t.gap(k) not in {", ", " "} or k == 0 or t.taken[k - 1]:
            continue
        i = k
        while i > 0 and k - i < 4 and t.marks[i - 1] & w.CAP and (i == k or t.joins(i)):
            if t.marks[i - 1] & (w.STOP | w.FUNCTION) and not t.marks[i - 1] & w.GIVEN:
                break
            i -= 1
        marks = t.marks[i:k]
        if k - i < 2 or not any(m & (w.GIVEN | w.INITIAL) for m in marks[:-1]):
            continue
        if t.free(i, k) and not marks[-1] & (HEADS & ~w.ORGANIZATION) and not t.marks[i] & w.UPPER:
            yield _found(t, i, k, "PROVIDER", "letters", 0.85)


def _roles(t: Text) -> Iterator[Found]:
    for i in t.at(w.ROLE):
        if t.gap(i + 1) not in {" ", ": "}:
            continue
        j = person_end(t, i + 1)
        marks = t.marks[i + 1 : j]
        if j - i > 2 and t.free(i + 1, j) and not any(m & HEADS for m in marks):
            yield _found(t, i + 1, j, "PROVIDER", "role", 0.8)


def _known(t: Text) -> Iterator[Found]:
    for i, j, bits in t.phrases:
        if bits & w.KNOWN and t.marks[i] & w.CAP and t.free(i, j):
            yield _found(t, i, j, "PROVIDER", "known", 0.8)
    for i in t.at(w.KNOWN):
        if t.marks[i] & w.CAP and not t.taken[i]:
            j = i + 1
            while (
                j < len(t) and t.marks[j] & w.CAP and t.joins(j) and t.marks[j] & (HEADS | w.HEALTH)
            ):
                j += 1
            yield _found(t, i, j, "PROVIDER", "known", 0.7)


def _headed(t: Text) -> Iterator[Found]:
    """Find English-style names: a capitalised run whose last word says what it is."""
    for first, j in t.runs():
        i = first
        while i < j and (
            t.taken[i]
            or t.marks[i] & w.FUNCTION
            or (t.marks[i] & w.STOP and not t.marks[i] & w.GENERIC)
        ):
            i += 1
        head = next((h for h in range(j - 1, i - 1, -1) if t.marks[h] & HEADS), -1)
        if head < i or not t.free(i, head + 1):
            continue
        end = (
            _of_something(t, head)
            if t.marks[head] & (LEADS | w.INSTITUTION) and head + 1 == j
            else 0
        )
        said = [m for m in t.marks[i:head] if not m & (w.GENERIC | w.FUNCTION)]
        if not said and not end:
            continue
        if head == i and not end:
            continue
        decided = _decide(t, i, head)
        if decided:
            yield _found(t, i, end or head + 1, *decided)


def _decide(t: Text, i: int, head: int) -> tuple[str, str, float] | None:
    """Return type, rule and score of the name [i, head], by its head and the words before it."""
    m, before = t.marks[head], t.marks[i:head]
    healthy = any(b & w.HEALTH for b in before)
    sure = 0.8 if head - i > 1 else 0.65
    if m & w.INSTITUTION:
        return "LOCATION", "institution", sure
    if m & w.EITHER and healthy:
        return "PROVIDER", "practice", sure
    if m & w.PRACTICE and not m & w.EITHER:
        return "PROVIDER", "practice", sure
    if m & w.PLACE_HEAD:
        person = t.marks[i] & w.GIVEN and m & w.SURNAME
        return None if person else ("LOCATION", "place", 0.65)
    if m & w.EVENT_HEAD:
        return "EVENT", "happening", 0.6
    if m & w.ORGANIZATION:
        return "ORGANIZATION", "organization", sure - 0.1
    if m & w.EITHER:
        return "ORGANIZATION", "organization", 0.5
    return None


def _of_something(t: Text, head: int) -> int:
    """Return the word after "University of Iowa" when `head` is "University", else 0."""
    k = head + 1
    if k >= len(t) or t.gap(k) not in {" ", "\u00a0"} or t.words[k].lower() not in _OF:
        return 0
    while (
        k < len(t)
        and k < head + 4
        and t.words[k].lower() in _OF
        and t.gap(k) in {" ", "'", "’", "\u00a0"}
    ):
        k += 1
    end = _capitals(t, k)
    if (
        end > k
        and end + 1 < len(t)
        and t.words[end] in {"and", "et", "und", "of"}
        and t.gap(end) == " "
    ):
        more = _capitals(t, end + 1)
        if more > end + 1 and not t.marks[end + 1] & w.STOP | w.FUNCTION:
            return more
    return end if end > k else 0


def _capitals(t: Text, k: int) -> int:
    """Return the end of the capitalised words from k on, at most five of them."""
    j = k
    while (
        j < len(t)
        and j - k < 5
        and t.marks[j] & w.CAP
        and (t.gap(j) in {" ", "'", "’", "\u00a0", "-"} or (j > k and t.joins(j)))
    ):
        j += 1
    return j


def _led(t: Text) -> Iterator[Found]:
    """Find names whose first word says what they are: "Clinique du Parc", "Klinikum Nürnberg"."""
    leads = [(i, i + 1, t.marks[i]) for i in t.at(LEADS)]
    leads += [phrase for phrase in t.phrases if phrase[2] & LEADS]
    for i, k, bits in sorted(leads, key=lambda lead: (lead[0], -lead[1])):
        if not t.free(i, k):
            continue
        j = k
        while (
            j < len(t)
            and j < k + 3
            and t.words[j].lower() in _OF
            and t.gap(j) in {" ", "'", "’", "\u00a0"}
        ):
            j += 1
        if not t.marks[i] & w.CAP and j == k and not bits & w.EVENT_LEAD:
            continue
        end = _capitals(t, j)
        if (
            end == j
            or all(m & (w.STOP | w.FUNCTION | w.UPPER) for m in t.marks[j:end])
            or not t.free(i, end)
        ):
            continue
        if bits & w.INSTITUTION_LEAD:
            yield _found(t, i, end, "LOCATION", "institution", 0.75)
        elif bits & w.PROVIDER_LEAD:
            yield _found(t, i, end, "PROVIDER", "practice", 0.75)
        elif bits & w.EVENT_LEAD:
            if t.marks[i] & w.CAP:
                yield _found(t, i, end, "EVENT", "happening", 0.65)
        elif t.marks[i] & w.CAP:
            yield _found(t, i, end, "ORGANIZATION", "organization", 0.65)
