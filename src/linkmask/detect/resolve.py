"""Resolves the candidates of all sources into the best disjoint spans, by learned chances.

Each span gets three chances (`span_chances`) by what is seen of it (`span_features`). Among the
spans that reach into one another, those disjoint ones stay whose gains have the largest sum
(weighted interval scheduling; Kleinberg and Tardos 2005, §6.1). The gain is recall first: a span
that covers a value with another type or extent is worth a part of the right one. Two rules are
certain whatever was learned: a value with an unmistakable form stays, and what a rule finds of a
type that is always masked is covered by a span of such a type.
"""

from __future__ import annotations

import tomllib
from bisect import bisect_left, bisect_right
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from operator import itemgetter
from pathlib import Path
from typing import NamedTuple

from linkmask.detect import span_chances
from linkmask.detect.candidates import OWN, Candidate
from linkmask.detect.register import Register
from linkmask.detect.span_chances import REMEMBERED, Chances
from linkmask.detect.span_features import REACH, Key, Surroundings
from linkmask.schema import types, types_of

CERTAIN = 0.95
"""A pattern at or above this score is certain by its form: only a longer certain one beats it."""

BY_FORM = frozenset({"patterns", OWN})
"""Detectors whose finds have a form of their own."""

ELSEWHERE = "context"
"""Detector of what the second pass finds."""

LEARNED = "ner"
"""Detector of what the trained model finds."""

TABLES = tomllib.loads(Path(__file__).with_name("resolver.toml").read_text("utf-8"))
WORTH: Mapping[str, float] = TABLES["worth"]
"""What a span is worth by its chances; the file says which entry is what."""
MANNERS = {manner: frozenset(rules) for manner, rules in TABLES["manners"].items()}
"""Kind of text → rules of the tagger that it has alone."""
FORCED, PROVEN = 1e2, 1e4
"""Worth of a character that must be covered, and of one of a value that is certain by its form."""
SURE = 0.5
"""Score from which the tagger's span stays if it overlaps no other."""
TWELFTHS = 12
CLINICAL = types_of("clinical")
CLINICIAN = "clinician"
"""Rule of persons with a clinician's title, which are names or staff as the text says."""
NEAR = 16
"""Overlapping spans of a span that are looked at, at most."""


class Span(NamedTuple):
    """A span with its type, the candidates that propose it, the surest first, and who they are."""

    start: int
    end: int
    type: str
    sources: tuple[Candidate, ...]
    by: str

    @property
    def certain(self) -> bool:
        """Is it certain by its form?"""
        return any(one.detector in BY_FORM and one.score >= CERTAIN for one in self.sources)


class Weighable(NamedTuple):
    """Sorted spans that reach into one another, what is seen of each, and a name for all that."""

    group: list[Span]
    seen: list[list[Key]]
    met: tuple[object, ...]


Text = tuple[str, Iterable[Candidate], Register]
"""A text, what was found in it, and its register."""


def resolve_candidates(
    read: Iterable[Text], floor: Collection[str] = (), chances: Chances | None = None
) -> list[list[Candidate]]:
    """Return for each text disjoint spans, sorted by start; the order of candidates is no matter.

    A span's `rule` names the rules that proposed it or a part of it with its type, joined by "+".
    `floor`: the types that are always masked.
    """
    weights = chances or span_chances.shipped()
    known = weights.decisions
    if len(known) > REMEMBERED:
        known.clear()
    parts_of = [list(parts(*each, floor, known)) for each in read]
    weighable = [part for parts in parts_of for part in parts if isinstance(part, Weighable)]
    asked = [
        (one.type, keys)
        for part in weighable
        for one, keys in zip(part.group, part.seen, strict=True)
    ]
    chance = iter(weights.of(asked).tolist())
    for group, _, met in weighable:
        gains = _gains(group, [next(chance) for _ in group], floor)
        kept = [_winner(one, group) for one in best(group, gains)]
        known[met] = _moved(kept, -group[0].start)
    return [
        [
            one
            for part in parts
            for one in (
                _moved(known[part.met], part.group[0].start)
                if isinstance(part, Weighable)
                else [part]
            )
        ]
        for parts in parts_of
    ]


def _moved(found: Iterable[Candidate], by: int) -> list[Candidate]:
    return [Candidate(one[0] + by, one[1] + by, *one[2:]) for one in found]


def parts(
    text: str,
    found: Iterable[Candidate],
    register: Register,
    floor: Collection[str],
    known: Mapping[object, list[Candidate]],
) -> Iterator[Candidate | Weighable]:
    """Yield what is certain, and the groups among which something is to be decided, by start.

    `known` holds what was decided before of the same candidates in the same words.
    """
    found = list(found)
    rules = {one.rule for one in found}
    manner = next((of for of, own in MANNERS.items() if not own.isdisjoint(rules)), "other")
    of_text = manner, register.nobody, bool(register.foreign)
    for near in overlapping(found):
        together = _selected(near) if manner == "report" else near
        if len(together) == 1 and together[0].detector != LEARNED:
            yield together[0]
            continue
        start, end = together[0].start, max(one.end for one in together)
        low, high = max(start - REACH, 0), min(end + REACH, len(text))
        edges = start - low, low == 0, high == len(text)
        met = text[low:high], edges, of_text, floor, *_moved(together, -start)
        if (kept := known.get(met)) is not None:
            yield from _moved(kept, start)
            continue
        group = spans(together)
        if one := decided(group, floor):
            yield _winner(one, group)
            continue
        words = Surroundings(text, low, high, manner)
        seen: list[list[Key]] = []
        last, keys = (-1, -1), list[Key]()
        for span in group:
            if span[:2] != last:
                last, keys = span[:2], words.keys(*span[:2])
            by = (("rule", o.detector, o.rule, int(o.score * TWELFTHS)) for o in span.sources)
            seen.append([*keys, *by, ("document", span.by, *of_text)])
        _overlaps(group, seen, manner)
        yield Weighable(group, seen, met)


def _selected(found: list[Candidate]) -> list[Candidate]:
    """Return candidates of a case report without terms whose extent was not chosen among all.

    What `ner/span_selection` chose counts alone, if there is any.
    """
    chosen = [one for one in found if one.type not in CLINICAL or one.detector == LEARNED]
    return chosen if any(one.type in CLINICAL for one in chosen) else found


def decided(group: Sequence[Span], floor: Collection[str]) -> Span | None:
    """Return what spans of one extent are if nothing need be weighed, else None.

    Rules agree on its type, and the tagger does not see one of `floor` in its place; or the tagger
    alone is sure, or says that it is a number, whose owner is known (`ner/code_owner`).
    """
    ruled = [one for one in group if one.by != LEARNED]
    if len(ruled or group) > 1 or any(one[:2] != group[0][:2] for one in group):
        return None
    [one] = ruled or group
    if ruled:
        direct = one.type in floor or not any(other.type in floor for other in group)
        return one if direct else None
    sure = one.type == types.PATIENT_ID or one.sources[0].score >= SURE
    return one if sure else None


def merge(found: Iterable[Candidate], floor: Collection[str] = ()) -> list[Candidate]:
    """Return disjoint spans of several readings, sorted by start: each was chosen before.

    They are resolved without learned chances: those stay that cover the most, then the surer. A
    span that only the corpus pass found need not be covered, else a surname would be cut out of a
    clinic's name.
    """
    kept = list[Candidate]()
    for group in map(spans, overlapping(found)):
        chances = [(one.sources[0].score / 100, 0.0, 1.0) for one in group]
        kept += (_winner(one, group) for one in best(group, _gains(group, chances, floor)))
    return kept


def overlapping(found: Iterable[Candidate]) -> Iterator[list[Candidate]]:
    """Yield the candidates that reach into one another together, by ascending start."""
    group: list[Candidate] = []
    end = 0
    for one in sorted(found, key=itemgetter(0)):
        if one.start >= one.end:
            continue
        if group and one.start >= end:
            yield group
            group = []
        group.append(one)
        end = max(end, one.end)
    if group:
        yield group


def spans(group: Sequence[Candidate]) -> list[Span]:
    """Return the distinct spans of a group, sorted."""
    by: dict[tuple[int, int, str], list[Candidate]] = {}
    for one in group:
        by.setdefault(one[:3], []).append(one)
    return sorted(_span(*place, of) for place, of in by.items())


def _span(start: int, end: int, kind: str, of: list[Candidate]) -> Span:
    if len(of) == 1:
        return Span(start, end, kind, (of[0],), of[0].detector)
    of.sort(key=lambda o: (o.detector == LEARNED, -o.score, o.detector, o.rule))
    return Span(start, end, kind, tuple(of), "+".join(sorted({one.detector for one in of})))


def _overlaps(group: Sequence[Span], seen: Sequence[list[Key]], manner: str) -> None:
    """Add what each span of a group overlaps, the nearest by their starts."""
    if len(group) == 1:
        seen[0].append(("alone", manner))
    for n, one in enumerate(group):
        for m in range(n + 1, min(n + 1 + NEAR, len(group))):
            other = group[m]
            if other.start >= one.end:
                break
            starts = "=" if one.start == other.start else "<"
            ends = "=" if one.end == other.end else "<" if one.end < other.end else ">"
            to = starts + ends
            for at, how, a, b in ((n, to, one, other), (m, to.translate(_SWAPPED), other, one)):
                lead = f"{how} {'same' if one.type == other.type else 'other'}"
                seen[at].append(("over", lead, f"{a.by}<{b.by}", b.type, b.by, b.certain, manner))
                seen[at] += (("against", lead, rule) for rule in {o.rule for o in b.sources})


_SWAPPED = str.maketrans("<>", "><")
"""What one span is to another, by which starts and ends first, in the eyes of the other."""


def _gains(
    group: Sequence[Span], chances: Iterable[Sequence[float]], floor: Collection[str]
) -> list[float]:
    """Return what each span is worth: by its chances, and by what it must cover."""
    ruled = [one for one in group if one.by not in (LEARNED, ELSEWHERE)]
    always = {one[:2] for one in ruled if one.type in floor}
    if not ruled:  # whose a number is was decided by its context (`ner/code_owner`)
        always = {one[:2] for one in group if one.type == types.PATIENT_ID}
    titled = {one[:2] for one in ruled if any(o.rule == CLINICIAN for o in one.sources)}
    must_be = {True: sorted(always | titled), False: sorted(titled)}
    gains = []
    for one, (exact, typed, covered) in zip(group, chances, strict=True):
        size, direct = one.end - one.start, one.type in floor
        gain = WORTH["exact"] * exact + WORTH["typed"] * typed
        gain += WORTH["covered"] * size * (covered - WORTH["cost"])
        gain += (
            WORTH["direct"] * exact + WORTH["always"] * size * typed if direct else -WORTH["span"]
        )
        if direct or one.type == types.PROVIDER:
            must = must_be[direct]
            inside = must[bisect_left(must, (one.start,)) : bisect_left(must, (one.end,))]
            gain += FORCED * sum(b - a for a, b in inside[:NEAR] if b <= one.end)
        if one.by != LEARNED:
            gain = max(gain, WORTH["kept"])
        if one.certain or OWN in one.by:
            gain += PROVEN * size * (1 + (OWN in one.by))
        gains.append(gain)
    return gains


def best(group: Sequence[Span], gains: Sequence[float]) -> list[Span]:
    """Return the disjoint spans whose gains have the largest sum, sorted by start."""
    order = sorted(range(len(group)), key=lambda n: (group[n].end, n))
    ends = [group[n].end for n in order]
    total, before, taken = [0.0], list[int](), list[bool]()
    for at, n in enumerate(order):
        last = bisect_right(ends, group[n].start, 0, at)
        more = total[last] + gains[n]
        before.append(last)
        taken.append(more > total[at])
        total.append(max(more, total[at]))
    kept, at = list[Span](), len(order)
    while at:
        if taken[at - 1]:
            kept.append(group[order[at - 1]])
            at = before[at - 1]
        else:
            at -= 1
    return kept[::-1]


def _winner(one: Span, group: Sequence[Span]) -> Candidate:
    """Return a span as its surest source found it, with the rules that agree on its type."""
    lead, sources = one.sources[0], one.sources
    if len(group) > 1:
        at = bisect_left(group, one)
        near = group[max(at - NEAR, 0) : at + NEAR]
        same = (o for o in near if o.type == one.type and o.start < one.end and one.start < o.end)
        sources = tuple(source for other in same for source in other.sources)
    if len(sources) == 1:
        return lead
    rules = {rule for source in sources for rule in source.rule.split("+")} - {lead.rule, ""}
    return lead._replace(rule="+".join([lead.rule, *sorted(rules)])) if rules else lead
