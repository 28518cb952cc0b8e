"""Resolves the candidates of all sources into disjoint spans, and keeps the reasons.

Where spans overlap, one wins whole and the others are dropped. `rank` is the order of preference.
First come spans that are certain by their form (a valid checksum, an unmistakable pattern) and
types that are always masked, because a name must not hide in a longer fact that is kept. Then the
longer span wins, then the higher score, then the larger weight: an address keeps its town. The
tagger's spans come last: they fill text that rules and lists leave open, and widen spans of the
same type.

rests   what the winners leave of a find of the tagger stays found
staff   persons of the disjoint spans who are staff, and no patients
bounds  how long a value may be
"""

from __future__ import annotations

from bisect import bisect_left, insort
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping
from operator import attrgetter

from linkmask.detect.candidates import OWN, Candidate
from linkmask.schema import types, types_of, words

CERTAIN = 0.95
"""A pattern at or above this score is certain by its form: only a longer certain one beats it."""

BY_FORM = frozenset({"patterns", OWN})
"""Detectors of values that have a form."""

BY_CORPUS = "context"
"""Detector of the mentions of the corpus pass."""

LEARNED = "ner"
"""Detector of the tagger's mentions."""

LEARNED_FIRST = types_of("clinical")
"""Types whose extent the tagger knows better than the gazetteers, which give way to it."""

BODIES = types_of("place", "organization")
SURE = 0.9
"""Score from which the model's direct identifier is no place or body of a list."""
LIKELY = 0.6
"""Score from which what is always masked is no part of a longer find of another type: two listed
names (.45) may be a part of a firm's, a name that the document has elsewhere (.6) is none."""

APART = frozenset({types.EVENT_DATE})
"""Types of which two values are never one: "15 March and 22 April"."""
BETWEEN = 10
"""Characters between two of them, and around them: "between", " et du ". More may hold a value."""

SAME: Mapping[str, frozenset[str]] = {
    kind: frozenset(same) for kind, same in words("forms")["same"].items()
}
"""Type of a span → types of the tagger's spans that may extend it."""

LINKS = types_of("url")
IN_PATHS = frozenset({"name in path", "person's path"})
"""Rules of names in paths (`names`)."""

_START = attrgetter("start")
Rank = tuple[int, int, float, float, int, str]


def merge(
    found: Iterable[Candidate], weights: Mapping[str, float], floor: Collection[str] = ()
) -> list[Candidate]:
    """Return disjoint spans, sorted by start; overlaps are resolved by `rank`, adjacency is kept.

    A winner's `rule` also names the rules of those it beat that agreed on its type, joined by "+".
    `weights` in [0, 1] by type break ties; `floor` are the types masked whatever the risk. The
    result does not depend on the order of `found`.
    """
    by_rules: list[Candidate] = []
    learned: list[Candidate] = []
    for one in _without_readable_links(found, floor):
        (learned if one.detector == LEARNED else by_rules).append(one)
    kept = _without(by_rules, learned, floor) if learned else by_rules
    disjoint = _disjoint([*kept, *learned], weights, floor)
    if len(kept) < len(by_rules):
        disjoint = _with_outvoted(by_rules, kept, disjoint, weights, floor)
    return disjoint


def _without_readable_links(
    found: Iterable[Candidate], floor: Collection[str]
) -> Iterable[Candidate]:
    """Drop addresses on the web that are not always masked and hold a name of a person.

    Such an address is certain by its form, and longer: the name would stay readable in it.
    """
    found = list(found)
    links = {one for one in found if one.type in LINKS and one.type not in floor}
    if not links or types.NAME not in floor:
        return found
    names = sorted(one.start for one in found if one.rule in IN_PATHS)
    holding = {one for one in links if bisect_left(names, one.start) < bisect_left(names, one.end)}
    return [one for one in found if one not in holding]


def _disjoint(
    found: Iterable[Candidate], weights: Mapping[str, float], floor: Collection[str]
) -> list[Candidate]:
    disjoint: list[Candidate] = []
    for group in _groups(found):
        disjoint += _resolved(group, weights, floor) if len(group) > 1 else group
    return disjoint


def _with_outvoted(
    by_rules: Iterable[Candidate],
    kept: Iterable[Candidate],
    disjoint: list[Candidate],
    weights: Mapping[str, float],
    floor: Collection[str],
) -> list[Candidate]:
    """Add what gave way to a find of the tagger that lost to another one in its turn."""
    dropped = Counter(by_rules) - Counter(kept)
    taken = {one.start: one for one in disjoint}
    starts = sorted(taken)
    free = [one for one in dropped if _overlapped(one, starts, taken) is None]
    return sorted([*disjoint, *_disjoint(free, weights, floor)], key=_START) if free else disjoint


def _groups(found: Iterable[Candidate]) -> Iterator[list[Candidate]]:
    """Yield groups of overlapping spans, by ascending start."""
    group: list[Candidate] = []
    end = 0
    for one in sorted(found, key=_START):
        if one.start >= one.end:
            continue
        if group and one.start >= end:
            yield group
            group = []
        group.append(one)
        end = max(end, one.end)
    if group:
        yield group


def _resolved(
    group: list[Candidate], weights: Mapping[str, float], floor: Collection[str]
) -> list[Candidate]:
    """Return the disjoint spans of those that reach into one another, by start."""
    by_rules = [one for one in group if one.detector != LEARNED]
    learned = [one for one in group if one.detector == LEARNED]
    if len(by_rules) > 1:
        by_rules = _winners(by_rules, weights, floor)
    if len(learned) > 1:
        learned.sort(key=lambda f: rank(f, weights, floor))
    return _fill(by_rules, learned, floor) if learned else by_rules


def _winners(
    group: list[Candidate], weights: Mapping[str, float], floor: Collection[str]
) -> list[Candidate]:
    """Return the disjoint spans that win of those that reach into one another, by start."""
    starts: list[int] = []
    kept: dict[int, Candidate] = {}
    rules: dict[int, set[str]] = {}
    for one in sorted(group, key=lambda f: rank(f, weights, floor)):
        over = _overlapped(one, starts, kept)
        if over is None:
            insort(starts, one.start)
            kept[one.start] = one
        elif kept[over].type == one.type and one.rule:
            rules.setdefault(over, set()).add(one.rule)
    return [_with_rules(kept[start], rules.get(start, set())) for start in starts]


def _without(
    by_rules: list[Candidate], learned: Iterable[Candidate], floor: Collection[str]
) -> list[Candidate]:
    """Drop what the lists say where the model knows better.

    That is how far a clinical term of their type goes, and that a word is no place but a name, or
    another direct identifier, that it is sure of.
    """
    direct = {one[:2] for one in learned if one.type in floor and one.score >= SURE}
    surer = {
        entity_type: sorted((f.start, f.end) for f in learned if f.type == entity_type)
        for entity_type in LEARNED_FIRST
    }

    def beaten(one: Candidate) -> bool:
        spans = surer[one.type]
        at = bisect_left(spans, (one.end, 0))
        return at > 0 and spans[at - 1][1] > one.start

    return [
        one
        for one in by_rules
        if one.detector != "lexicon"
        or not (beaten(one) if one.type in surer else one.type in BODIES and one[:2] in direct)
    ]


def _fill(
    disjoint: list[Candidate], learned: Iterable[Candidate], floor: Collection[str]
) -> list[Candidate]:
    """Add the tagger's spans where there is none, or where they extend one of the same type."""
    starts = [one.start for one in disjoint]
    kept = dict(zip(starts, disjoint, strict=True))
    for one in learned:
        end = bisect_left(starts, one.end)
        begin = end
        while begin and kept[starts[begin - 1]].end > one.start:
            begin -= 1
        over = [kept[start] for start in starts[begin:end]]
        whole = _widened(one, over, floor) if over else one
        if whole:
            for start in starts[begin:end]:
                del kept[start]
            starts[begin:end] = [whole.start]
            kept[whole.start] = whole
    return [kept[start] for start in starts]


def _widened(one: Candidate, over: list[Candidate], floor: Collection[str]) -> Candidate | None:
    """Return the longest of `over`, widened over all of them and `one`; None if that is not right.

    A span that is certain by its form, or of an unrelated type, is not widened, and one that is
    always masked and likely does not become a part of another type.
    """
    lead = over[0] if len(over) == 1 else max(over, key=lambda f: (f.end - f.start, -f.start))
    same = SAME.get(lead.type, ())
    if lead.type in APART and len(over) > 1 and _is_list(one, over):
        return None
    for f in (*over, one):
        if f.type not in same or is_certain_by_form(f):
            return None
        if f is not one and f.type != lead.type and f.type in floor and f.score >= LIKELY:
            return None
    start, end = min(one.start, over[0].start), max(one.end, over[-1].end)
    if (start, end) == (lead.start, lead.end):
        return None
    rule = "+".join(sorted({*lead.rule.split("+"), *one.rule.split("+")} - {""}))
    kind = (
        one.type if lead.type in types_of("group") else lead.type
    )  # "widow" in "widow of the keeper"
    return lead._replace(start=start, end=end, type=kind, rule=rule)


def _is_list(one: Candidate, over: list[Candidate]) -> bool:
    """Does a span list the others with little between them, and little around them?"""
    starts = [*(f.start for f in over), one.end]
    ends = [one.start, *(f.end for f in over)]
    return all(start - end <= BETWEEN for start, end in zip(starts, ends, strict=True))


def rank(found: Candidate, weights: Mapping[str, float], floor: Collection[str] = ()) -> Rank:
    """Return the key by which spans are preferred: the smallest wins.

    A name that only the corpus pass found counts as neither certain nor always masked here: a
    surname must not be cut out of a clinic's name.
    """
    length = found.end - found.start
    doubtful = found.detector == BY_CORPUS and found.type in types_of("person")
    row = 0 if is_certain_by_form(found) or (found.type in floor and not doubtful) else 1
    name = f"{found.type}/{found.detector}/{found.rule}"
    return row, -length, -found.score, -weights.get(found.type, 0.0), found.start, name


def is_certain_by_form(found: Candidate) -> bool:
    """Tell whether a candidate is certain by its form: see `CERTAIN`."""
    return found.detector in BY_FORM and found.score >= CERTAIN


def _overlapped(one: Candidate, starts: list[int], kept: Mapping[int, Candidate]) -> int | None:
    """Return the start of a kept span that shares a character with `one`, or None."""
    at = bisect_left(starts, one.end)
    if at and kept[starts[at - 1]].end > one.start:
        return starts[at - 1]
    return None


def _with_rules(winner: Candidate, others: set[str]) -> Candidate:
    more = sorted(others - {winner.rule})
    return winner._replace(rule="+".join([winner.rule, *more])) if more else winner
