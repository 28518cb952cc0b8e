"""Resolves the candidates of all sources into the best disjoint spans, by learned chances.

Each span gets three chances (`chances`) by what is seen of it (`features`). Among the spans that
reach into one another, those disjoint ones stay whose gains have the largest sum (weighted interval
scheduling; Kleinberg and Tardos 2005, §6.1). The gain is recall first: a span that covers a value
with another type or extent is worth a part of the right one, and what is unlikely to cover a value
costs little. Two rules are certain whatever was learned: a value with an unmistakable form stays,
and what a rule finds of a type that is always masked is covered by a span of such a type.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence
from operator import itemgetter
from typing import NamedTuple

from training.resolving.chances import Chance, Chances
from training.resolving.features import Key, detectors, neighbours

from linkmask.detect.candidates import OWN, Candidate
from linkmask.detect.register import ABOUT_A_PERSON, Register
from linkmask.detect.resolve import LEARNED, SAME
from linkmask.detect.resolve import _certain as is_certain
from linkmask.schema import types

EXACT, TYPED, COVERED = 1.0, 0.3, 0.03
"""Worth of the right span and type, of a touched value of its type, of a covered character."""
DIRECT = 0.02
"""Worth of a character of a value of a type that is always masked, beside that."""
COST = 0.15
"""Chance to belong to a value from which a character is worth to be covered."""
FORCED, CERTAIN = 1e2, 1e4
"""Worth of a character that must be covered, and of one of a value that is certain by its form."""
KEPT = 1e-3
"""Least worth of a span that was found by its form, its label or its place in a table."""
STAFF = 0.7
"""Chance to be exact from which a name that a rule found is the name of staff."""
TWELFTHS = 12
UNION = "union"
"""What proposes the union of a rule's span and the tagger's."""
RETYPED = "retyped"
"""What proposes a name that a rule found for one of staff."""
DOUBTED = frozenset({LEARNED, "lexicon", UNION, RETYPED})
"""Detectors whose spans are left out where they are not likely to cover a value."""
NEAR = 16
"""Overlapping spans of a span that are looked at, at most."""

MANNERS = {
    "judgment": frozenset({"matter", "amount"}),
    "report": frozenset({"disease", "sign", "drug", "procedure"}),
}
"""Kind of text → rules of the tagger that it has alone."""
CLINICAL = frozenset({"medical_condition", "treatment"})

Place = tuple[int, int, str]
"""Start, end, type."""


class Span(NamedTuple):
    """A span with its type, the candidates that propose it, and the names of these."""

    start: int
    end: int
    type: str
    sources: tuple[Candidate, ...]
    named: tuple[tuple[str, str, int], ...]
    by: str
    certain: bool
    rules: frozenset[str]


def resolve(
    text: str,
    found: Iterable[Candidate],
    chances: Chances,
    floor: Collection[str] = (),
    register: Register = ABOUT_A_PERSON,
) -> list[Candidate]:
    """Return disjoint spans sorted by start; they do not depend on the order of `found`.

    A span's `rule` names the rules that proposed it or a part of it with its type, joined by "+".
    `floor`: the types that are always masked.
    """
    groups = [spans(group) for group in overlapping(found)]
    kept = list[Candidate]()
    for group, keys in zip(groups, seen(text, groups, register), strict=True):
        weighed = [chances.of(each) for each in keys]
        gains = _gains(group, weighed, floor)
        kept += (_winner(one, group) for one in best(group, gains))
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
    """Return the distinct spans of a group, sorted, with unions of a rule's and the tagger's."""
    by: dict[Place, list[Candidate]] = defaultdict(list)
    for one in group:
        by[one[:3]].append(one)
    found = [_span(place, of) for place, of in by.items()]
    if len(by) > 1:
        found += [_span(place, of, UNION) for place, of in _unions(by).items()]
    for span in found[: len(by)]:
        other = span.start, span.end, types.PROVIDER
        if span.type == types.NAME and other not in by and not span.certain:
            found.append(_span(other, span.sources, RETYPED))
    return sorted(found)


def _span(place: Place, sources: Sequence[Candidate], by: str = "") -> Span:
    named = {(by or o.detector, o.rule, int(o.score * TWELFTHS)) for o in sources}
    known = tuple(sorted(named)) if len(named) > 1 else tuple(named)
    certain = not by and any(map(is_certain, sources))
    rules = frozenset([one.rule for one in sources])
    return Span(*place, tuple(sources), known, by or detectors(known), certain, rules)


def _unions(by: dict[Place, list[Candidate]]) -> dict[Place, list[Candidate]]:
    """Return the unions of a rule's span with the tagger's where both may be of one value."""
    whole: dict[Place, list[Candidate]] = {}
    learned = [
        (place, [one for one in of if one.detector == LEARNED])
        for place, of in by.items()
        if any(one.detector == LEARNED for one in of)
    ][:NEAR]
    for (start, end, kind), of in by.items() if learned else ():
        alike = SAME.get(kind)
        ruled = [one for one in of if one.detector != LEARNED]
        if not alike or not ruled or any(map(is_certain, ruled)):
            continue
        for (first, last, other), proposed in learned:
            union = min(start, first), max(end, last), kind
            if first < end and start < last and other in alike and union not in by:
                whole.setdefault(union, [*ruled, *proposed])
    return whole


def seen(text: str, groups: Iterable[list[Span]], register: Register) -> Iterator[list[list[Key]]]:
    """Yield the keys of the features of each span of each group.

    Nothing is looked at of a span that is kept anyway: it overlaps no other and is not doubted.
    """
    groups = list(groups)
    times = Counter((text[one.start : one.end], one.type) for group in groups for one in group)
    manner = _manner(groups)
    nobody, foreign = register.nobody, bool(register.foreign)
    for group in groups:
        if len(group) == 1 and DOUBTED.isdisjoint(group[0].by.split("+")):
            yield [[]]
            continue
        keys: list[list[Key]] = []
        last: tuple[int, int] = -1, -1
        for start, end, kind, _, named, by, _, _ in group:
            if (start, end) != last:
                last, value = (start, end), text[start:end]
                around = neighbours(text, start, end)
            keys.append(
                [
                    ("form", value, kind),
                    ("sources", named, kind),
                    ("document", min(times[value, kind], 4), manner, nobody, foreign, by, kind),
                    *[(*key, kind) for key in around],
                ]
            )
        if len(group) > 1:
            _overlaps(group, keys)
        else:
            keys[0].append(("lone", group[0].type))
        yield keys


def _manner(groups: Iterable[list[Span]]) -> str:
    """Return what kind of text it is, by the labels that the tagger has for such texts alone."""
    rules = {rule for group in groups for one in group for rule in one.rules}
    kinds = (kind for kind, labels in MANNERS.items() if not labels.isdisjoint(rules))
    return next(kinds, "clinical" if not CLINICAL.isdisjoint(rules) else "other")


def _overlaps(group: Sequence[Span], keys: Sequence[list[Key]]) -> None:
    """Add what each span of a sorted group overlaps, the nearest by their starts."""
    for n, one in enumerate(group):
        for m in range(n + 1, min(n + 1 + NEAR, len(group))):
            other = group[m]
            if other.start >= one.end:
                break
            starts = "=" if one.start == other.start else "<"
            ends = "=" if one.end == other.end else "<" if one.end < other.end else ">"
            to, back = _HOW[starts, ends]
            keys[n].append(
                ("overlap", to, one.type, one.by, other.type, other.by, other.certain, other.rules)
            )
            keys[m].append(
                ("overlap", back, other.type, other.by, one.type, one.by, one.certain, one.rules)
            )


_HOW = {
    ("=", "="): ("same", "same"),
    ("=", "<"): ("begins", "begun"),
    ("=", ">"): ("begun", "begins"),
    ("<", "="): ("ended", "ends"),
    ("<", "<"): ("before", "behind"),
    ("<", ">"): ("holds", "within"),
}
"""How two spans overlap, by which starts and ends first → in the eyes of one, and of the other."""


def _gains(group: Sequence[Span], weighed: Sequence[Chance], floor: Collection[str]) -> list[float]:
    forced = {
        (one.start, one.end)
        for one in group
        if one.type in floor and one.by not in (LEARNED, UNION, RETYPED)
    }
    gains = []
    for one, chance in zip(group, weighed, strict=True):
        size = one.end - one.start
        gain = EXACT * chance.exact + TYPED * chance.typed + COVERED * size * (chance.any - COST)
        always = one.type in floor
        if always:
            gain += DIRECT * size * chance.typed
        if gain < KEPT and not DOUBTED.issuperset(one.by.split("+")):
            gain = KEPT
        if forced and (always or (one.by == RETYPED and chance.exact >= STAFF)):
            gain += FORCED * sum(b - a for a, b in forced if one.start <= a and b <= one.end)
        if one.certain:
            gain += CERTAIN * size
        elif OWN in one.by:
            gain += FORCED * size
        gains.append(gain)
    return gains


def best(group: Sequence[Span], gains: Sequence[float]) -> list[Span]:
    """Return the disjoint spans whose gains have the largest sum, sorted by start."""
    if len(group) == 1:
        return list(group) if gains[0] > 0 else []
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
    lead = max(one.sources, key=lambda o: (o.detector != LEARNED, o.score, o.detector, o.rule))
    rules = {lead.rule}
    for other in group:
        same = other.type == one.type and other.by not in (UNION, RETYPED)
        if same and other.start < one.end and one.start < other.end:
            rules.update(*(rule.split("+") for rule in other.rules))
    named = "+".join([lead.rule, *sorted(rules - {lead.rule, ""})])
    return lead._replace(start=one.start, end=one.end, rule=named)
