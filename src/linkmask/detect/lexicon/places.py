"""Places coarser than an address: city with state, listed places, what stands after "lives in"."""

from __future__ import annotations

from collections.abc import Iterator

from linkmask.detect.found import Found
from linkmask.detect.lexicon import words as w
from linkmask.detect.lexicon.words import Text

_DIRECTIONS = {
    "north",
    "south",
    "east",
    "west",
    "northern",
    "southern",
    "eastern",
    "western",
    "central",
    "greater",
    "upper",
    "lower",
    "northeast",
    "northwest",
    "southeast",
    "southwest",
    "rural",
    "downtown",
}
_NOT_AFTER_IN = (
    w.STOP
    | w.FUNCTION
    | w.GENERIC
    | w.UPPER
    | w.INITIAL
    | w.GIVEN
    | w.NATIONALITY
    | w.CONDITION
    | w.TREATMENT
    | w.TITLE
    | w.CLINICIAN
)


def find(t: Text, language: str) -> Iterator[Found]:
    """Yield LOCATION spans."""
    yield from _with_state(t)
    yield from _listed(t)
    yield from _areas(t)
    yield from _zip(t)
    if language != "de":  # there every noun is capitalised
        yield from _after_preposition(t)


def _found(t: Text, i: int, j: int, rule: str, score: float) -> Found:
    start, end = t.take(i, j)
    return Found(start, end, "LOCATION", "lexicon", rule, score)


def _with_state(t: Text) -> Iterator[Found]:
    """Find "Iowa City, IA", "Tucson, Arizona", "Paris, France", with a ZIP code behind."""
    spans = [(i, i + 1) for i in t.at(w.STATE | w.STATE_CODE | w.COUNTRY)]
    spans += [(i, j) for i, j, bits in t.phrases if bits & (w.STATE | w.COUNTRY)]
    for s, after in sorted(spans):
        m, j = t.marks[s], after
        if s == 0 or not m & w.CAP or (m & w.STATE_CODE and not m & (w.UPPER | w.STATE)):
            continue
        code = m & w.STATE_CODE
        if t.gap(s) != ", " and not (
            code and t.gap(s) == " " and t.gap(j) == " " and t.marks[min(j, len(t) - 1)] & w.NUMBER
        ):
            continue
        i = s
        while (
            i > 0
            and s - i < 3
            and _city_word(t, i - 1)
            and (i == s or (t.joins(i) and "s " not in t.gap(i)))
        ):
            i -= 1
        if i == s or t.taken[s]:
            continue
        if j < len(t) and t.gap(j) == " " and len(t.words[j]) == 5 and t.words[j].isdigit():
            j += 1
        yield _found(t, i, j, "city and state", 0.85)


def _city_word(t: Text, i: int) -> bool:
    m = t.marks[i]
    return bool(
        m & w.CAP
        and not t.taken[i]
        and (not m & (w.STOP | w.FUNCTION) or t.words[i] in _CITY_WORDS)
    )


_CITY_WORDS = {
    "New",
    "North",
    "South",
    "East",
    "West",
    "City",
    "Center",
    "Falls",
    "La",
    "Le",
    "Los",
    "El",
    "Des",
}


def _listed(t: Text) -> Iterator[Found]:
    spans = [(i, j) for i, j, bits in t.phrases if bits & w.PLACE]
    spans += [(i, i + 1) for i in t.at(w.PLACE)]
    for first, after in sorted(spans, key=lambda span: (span[0], -span[1])):
        i, j, m = first, after, t.marks[first]
        if not m & w.CAP or not t.free(i, j):
            continue
        if (j - i == 1 and m & (w.FUNCTION | w.STOP)) or (m & w.UPPER and len(t.words[i]) < 4):
            continue
        if (
            i > 0
            and t.words[i - 1].lower() in _DIRECTIONS
            and t.gap(i) == " "
            and t.marks[i - 1] & w.CAP
        ):
            i -= 1
        while j < len(t) and t.marks[j] & w.PLACE_HEAD and t.marks[j] & w.CAP and t.gap(j) == " ":
            j += 1
        yield _found(t, i, j, "listed", 0.55 if m & w.GIVEN and j - i == 1 else 0.7)


def _areas(t: Text) -> Iterator[Found]:
    """Find "Granite Falls area": capitalised words before a word for an area."""
    for k in t.at(w.AREA):
        if t.marks[k] & w.CAP or t.gap(k) != " ":
            continue
        i = k
        while (
            i > 0
            and k - i < 3
            and t.marks[i - 1] & w.CAP
            and not t.taken[i - 1]
            and not t.marks[i - 1] & (w.FUNCTION | w.STOP)
            and t.gap(i) == " "
        ):
            i -= 1
        if i < k and not all(m & (w.GENERIC | w.UPPER) for m in t.marks[i:k]):
            yield _found(t, i, k, "area", 0.6)


def _zip(t: Text) -> Iterator[Found]:
    for i in t.at(w.NUMBER):
        word = t.words[i]
        if len(word) in {5, 10} and word[:5].isdigit() and i > 0 and not t.taken[i]:
            back = (
                {t.words[i - 1].lower(), t.words[i - 2].lower()}
                if i > 1
                else {t.words[i - 1].lower()}
            )
            if back & {"zip", "zipcode", "postcode", "plz"} or back == {"code", "postal"}:
                yield _found(t, i, i + 1, "zip code", 0.85)


def _after_preposition(t: Text) -> Iterator[Found]:
    """Find "in Bozeman": an unlisted capitalised word where a place is likely."""
    for p in t.at(w.BEFORE_PLACE):
        if t.words[p] not in {"in", "near", "from", "outside", "à"} or t.gap(p + 1) != " ":
            continue
        i = j = p + 1
        while (
            j < len(t)
            and j - i < 3
            and t.marks[j] & w.CAP
            and not t.taken[j]
            and not t.marks[j] & _NOT_AFTER_IN
            and (j == i or t.gap(j) in {" ", "-"})
        ):
            j += 1
        last = t.marks[min(j, len(t) - 1)]
        follows = (
            t.gap(j) in {" ", "'s ", "’s ", "'", "’"} and last & (w.CAP | w.NUMBER)
            if j < len(t)
            else False
        )
        if (
            j > i
            and not follows
            and t.gap(j)[:1] != "("
            and all(len(word) > 3 for word in t.words[i:j])
        ):
            yield _found(t, i, j, "after preposition", 0.45)
