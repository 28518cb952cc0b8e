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
from bisect import bisect_left, bisect_right, insort
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from operator import itemgetter
from pathlib import Path
from typing import NamedTuple

from linkmask.detect import span_chances
from linkmask.detect.candidates import OWN, Candidate
from linkmask.detect.register import Register
from linkmask.detect.span_chances import Chances
from linkmask.detect.span_features import LONG, REACH, Key, Proposer, Surroundings
from linkmask.schema import types

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
CLINICIAN = "clinician"
"""Rule of persons with a clinician's title, which are names or staff as the text says."""
NEAR = 16
"""Overlapping spans of a span that are looked at, at most."""
Place = tuple[int, int, str]
"""Start, end, type."""


class Span(NamedTuple):
    """A span with its type, the candidates that propose it, and the names of these."""

    start: int
    end: int
    type: str
    sources: tuple[Candidate, ...]
    named: tuple[Proposer, ...]
    by: str
    certain: bool
    rules: frozenset[str]


Group = list[Span]
"""The spans that reach into one another, sorted."""
Text = tuple[str, Iterable[Candidate], Register]
"""A text, what was found in it, and its register."""


Met = tuple[object, ...]
"""The words around a group, and its candidates by their distance from its start."""


class Weighable(NamedTuple):
    """A group among which something is to be decided, and what is seen of each of its spans.

    `met`: under what the decision is remembered, or nothing.
    """

    group: Group
    seen: list[list[Key]]
    met: Met | None = None


def resolve_candidates(
    read: Sequence[Text], floor: Collection[str] = (), chances: Chances | None = None
) -> list[list[Candidate]]:
    """Return for each text disjoint spans, sorted by start; the order of candidates is no matter.

    A span's `rule` names the rules that proposed it or a part of it with its type, joined by "+".
    `floor`: the types that are always masked.
    """
    learned = chances or span_chances.shipped()
    known = learned.decisions(frozenset(floor))
    parts_of = [list(parts(*each, known)) for each in read]
    weighable = [part for parts in parts_of for part in parts if isinstance(part, Weighable)]
    asked = [
        (one.type, keys)
        for group, seen, _ in weighable
        for one, keys in zip(group, seen, strict=True)
    ]
    chance = iter(learned.of(asked).tolist() if asked else ())
    return [
        [
            one
            for part in parts
            for one in (
                _chosen(part, [next(chance) for _ in part.group], floor, known)
                if isinstance(part, Weighable)
                else [part]
            )
        ]
        for parts in parts_of
    ]


def _chosen(
    part: Weighable,
    chances: Sequence[Sequence[float]],
    floor: Collection[str],
    known: dict[Met, Sequence[Candidate]],
) -> list[Candidate]:
    """Return the spans of a group with the largest sum of gains, as their surest sources found."""
    group = part.group
    kept = [_winner(one, group) for one in best(group, _gains(group, chances, floor))]
    if part.met:
        known[part.met] = _moved(kept, -group[0].start)
    return kept


def _moved(found: Sequence[Candidate], by: int) -> list[Candidate]:
    return [Candidate(one[0] + by, one[1] + by, *one[2:]) for one in found]


def parts(
    text: str,
    found: Iterable[Candidate],
    register: Register,
    known: Mapping[Met, Sequence[Candidate]] | None = None,
) -> Iterator[Candidate | Weighable]:
    """Yield what is certain, and the groups among which something is to be decided, by start.

    `known` holds what was decided before of the same candidates in the same words.
    """
    found = list(found)
    rules = {one.rule for one in found}
    manner = next((of for of, own in MANNERS.items() if not own.isdisjoint(rules)), "other")
    of_text = manner, register.nobody, bool(register.foreign)
    for together in overlapping(found):
        if len(together) == 1 and together[0].detector != LEARNED:
            yield together[0]
            continue
        if one := decided(together):
            yield one
            continue
        start, end = together[0].start, max(one.end for one in together)
        around = max(start - REACH, 0), min(end + REACH, len(text))
        met: Met | None = None
        if known is not None and end - start < LONG:
            edges = start - around[0], start == 0, end == len(text)
            met = text[slice(*around)], edges, of_text, frozenset(_moved(together, -start))
            if (kept := known.get(met)) is not None:
                yield from _moved(kept, start)
                continue
        group = spans(together)
        words = Surroundings(text, *around, manner)
        seen: list[list[Key]] = []
        last, keys = (-1, -1), list[Key]()
        for span in group:
            if span[:2] != last:
                last, keys = span[:2], words.keys(*span[:2])
            of = "document", span.by, *of_text
            seen.append([*keys, ("sources", span.by, span.named), of])
        if len(group) > 1:
            _overlaps(group, seen, manner)
        else:
            seen[0].append(("alone",))
        yield Weighable(group, seen, met)


def decided(group: Sequence[Candidate]) -> Candidate | None:
    """Return what a group of overlapping candidates is if nothing need be weighed, else None.

    That is a span that no other overlaps, unless the tagger alone proposes it and is not sure; one
    of the same extent as all others, if rules agree on its type; and one that is certain by its
    form and holds all others.
    """
    first = group[0]
    if len({one[:2] for one in group}) == 1:
        ruled = [one for one in group if one.detector != LEARNED]
        kinds = {one.type for one in ruled or group}
        if len(kinds) == 1 and (ruled or _is_sure(group)):
            return _united([one for one in group if one.type in kinds])
    if any(one.detector == OWN for one in group):
        return None
    certain = [one for one in group if is_certain(one)]
    if not certain or len({one[:3] for one in certain}) > 1:
        return None
    start, end, _ = place = certain[0][:3]
    if first.start < start or any(one.end > end for one in group):
        return None
    return _united([one for one in group if one[:3] == place])


def _is_sure(group: Sequence[Candidate]) -> bool:
    """Is the tagger sure of its only span, or is that a number whose owner is known?"""
    return group[0].type == types.PATIENT_ID or max(one.score for one in group) >= SURE


def _united(same: Sequence[Candidate]) -> Candidate:
    """Return a span as its surest source found it, with the rules of all that propose it."""
    if len(same) == 1:
        return same[0]
    lead = min(same, key=_surest)
    rules = {rule for one in same for rule in one.rule.split("+")} - {lead.rule, ""}
    return lead._replace(rule="+".join([lead.rule, *sorted(rules)])) if rules else lead


def _surest(one: Candidate) -> tuple[bool, float, str, str]:
    return one.detector == LEARNED, -one.score, one.detector, one.rule


def merge(
    found: Iterable[Candidate], weights: Mapping[str, float], floor: Collection[str] = ()
) -> list[Candidate]:
    """Return disjoint spans of several readings, sorted by start: each was chosen before.

    Where spans overlap, one wins whole: first those that are certain, then types of `floor` (a name
    must not hide in a longer fact that is kept), then the longer, then the surer, then the type
    with the larger of `weights`: an address keeps its town.
    """
    kept = list[Candidate]()
    for group in map(spans, overlapping(found)):
        merits = [_merit(one, floor) + weights.get(one.type, 0.0) / 1e3 for one in group]
        starts, taken = list[int](), dict[int, Span]()
        for n in sorted(range(len(group)), key=lambda n: (-merits[n], n)):
            one, at = group[n], bisect_left(starts, group[n].end)
            if not at or taken[starts[at - 1]].end <= one.start:
                insort(starts, one.start)
                taken[one.start] = one
        kept += (_winner(taken[start], group) for start in starts)
    return kept


def _merit(one: Span, floor: Collection[str]) -> float:
    """Return how much a span is preferred; what only the corpus pass found is not forced.

    Else a surname would be cut out of a clinic's name.
    """
    size, by_rules = one.end - one.start, [o for o in one.sources if o.detector != LEARNED]
    score = max(source.score for source in by_rules or one.sources)
    if one.certain:
        return PROVEN * size
    if one.type in floor and any(source.detector != ELSEWHERE for source in by_rules):
        return FORCED * size + score
    return size * (1.0 if by_rules else score) + score / 100


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


def spans(group: Sequence[Candidate]) -> Group:
    """Return the distinct spans of a group, sorted."""
    if len(group) == 1:
        return [_span(group[0][:3], group)]
    by: dict[Place, list[Candidate]] = {}
    for one in group:
        by.setdefault(one[:3], []).append(one)
    selected = sorted(o[:3] for o in group if o.detector == LEARNED and o.rule in MANNERS["report"])
    if selected:  # the extent was chosen among all (`ner/span_selection`)
        by = {place: of for place, of in by.items() if not _is_only_listed(place, of, selected)}
    formed = [place for place, of in by.items() if any(one.detector in BY_FORM for one in of)]
    if formed:  # a value with a form has its extent by the form
        by = {place: of for place, of in by.items() if not _is_part(place, of, formed[:NEAR])}
    return sorted(_span(place, of) for place, of in by.items())


def _is_part(place: Place, of: Iterable[Candidate], formed: Iterable[Place]) -> bool:
    """Is a span only the tagger's, and a part of one of its type that has a form?"""
    start, end, kind = place
    inside = any(kind == k and a <= start and end <= b for a, b, k in formed)
    return inside and all(one.detector == LEARNED for one in of)


def _is_only_listed(place: Place, of: Iterable[Candidate], selected: Sequence[Place]) -> bool:
    """Is a span only a list's, and does one of its type that was selected overlap it?"""
    start, end, kind = place
    before = bisect_left(selected, (end,))
    over = any(b > start and kind == k for _, b, k in selected[max(before - NEAR, 0) : before])
    return over and all(one.detector == "lexicon" for one in of)


def _span(place: Place, of: Sequence[Candidate]) -> Span:
    if len(of) == 1:
        [one] = of
        source = Proposer(one.detector, one.rule, int(one.score * TWELFTHS))
        rules = frozenset((one.rule,))
        return Span(*place, (one,), (source,), one.detector, is_certain(one), rules)
    named = tuple(sorted({Proposer(o.detector, o.rule, int(o.score * TWELFTHS)) for o in of}))
    by = "+".join(sorted({one.detector for one in named}))
    return Span(
        *place, tuple(of), named, by, any(map(is_certain, of)), frozenset(o.rule for o in of)
    )


def is_certain(found: Candidate) -> bool:
    """Tell whether a span is certain by its form."""
    return found.detector in BY_FORM and found.score >= CERTAIN


def _overlaps(group: Group, seen: Sequence[list[Key]], manner: str) -> None:
    """Add what each span of a group overlaps, the nearest by their starts."""
    for n, one in enumerate(group):
        for m in range(n + 1, min(n + 1 + NEAR, len(group))):
            other = group[m]
            if other.start >= one.end:
                break
            starts = "=" if one.start == other.start else "<"
            ends = "=" if one.end == other.end else "<" if one.end < other.end else ">"
            to, back = _HOW[starts + ends]
            same = "same" if one.type == other.type else "other"
            for key, (a, b) in ((seen[n], (one, other)), (seen[m], (other, one))):
                how = to if a is one else back
                of = how, same, a.by, b.type, b.by, b.certain, b.rules, manner
                key.append(("over", *of))


_HOW = {
    "==": ("same", "same"),
    "=<": ("begins", "begun"),
    "=>": ("begun", "begins"),
    "<=": ("ended", "ends"),
    "<<": ("before", "behind"),
    "<>": ("holds", "within"),
}
"""How two spans overlap, by which starts and ends first → in the eyes of one, and of the other."""


def _gains(group: Group, chances: Sequence[Sequence[float]], floor: Collection[str]) -> list[float]:
    ruled = [one for one in group if one.by != LEARNED]
    always = {one[:2] for one in ruled if one.type in floor}
    if not ruled:  # whose a number is was decided by its context (`ner/code_owner`)
        always = {one[:2] for one in group if one.type == types.PATIENT_ID}
    titled = sorted({one[:2] for one in ruled if CLINICIAN in one.rules})
    forced = sorted({*always, *titled})
    gains = []
    for one, (exact, typed, covered) in zip(group, chances, strict=True):
        size, must = one.end - one.start, titled if one.type == types.PROVIDER else []
        gain = WORTH["exact"] * exact + WORTH["typed"] * typed
        gain += WORTH["covered"] * size * (covered - WORTH["cost"])
        if one.type in floor:
            gain += WORTH["direct"] * exact + WORTH["always"] * size * typed
            must = forced
        else:
            gain -= WORTH["span"]
        inside = must[bisect_left(must, (one.start,)) : bisect_left(must, (one.end,))]
        gain += FORCED * sum(b - a for a, b in inside[:NEAR] if b <= one.end)
        if one.by != LEARNED:
            gain = max(gain, WORTH["kept"])
        if one.certain or OWN in one.by:
            gain += PROVEN * size * (1 + (OWN in one.by))
        gains.append(gain)
    return gains


def best(group: Group, gains: Sequence[float]) -> list[Span]:
    """Return the disjoint spans whose gains have the largest sum, sorted by start."""
    if len(group) == 1:
        return group if gains[0] > 0 else []
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


def _winner(one: Span, group: Group) -> Candidate:
    """Return a span as its surest source found it, with the rules that agree on its type."""
    lead = min(one.sources, key=_surest)
    at = bisect_left(group, one)
    near = group[max(at - NEAR, 0) : at + NEAR]
    same = (o for o in near if o.type == one.type and o.start < one.end and one.start < o.end)
    rules = {rule for other in same for names in other.rules for rule in names.split("+")}
    named = "+".join([lead.rule, *sorted(rules - {lead.rule, ""})])
    return lead._replace(start=one.start, end=one.end, rule=named)
