"""A trained resolver beside the shipped one: which overlapping candidates stay, by learned scores.

    python training/resolver.py FOLDER

FOLDER holds `f0.npz`, a tagger that did not learn from fold 0 (`training/train.py --fold 0 --out
FOLDER/f0.npz`). Read are the documents of fold 0 of all annotated sets, and every second text about
nobody. Two logistic regressions say how likely a candidate has the span and type of a mark, and how
likely it touches one of its type; each half of the documents is resolved by weights learned from
the other half. A value that is certain by its form wins, then a rule's find of a type of the floor;
among the others, the disjoint spans are kept whose scores have the largest sum. Nothing of this is
shipped: the table compares it with `detect.resolve`.

recall, precision   of marked characters
F1                  of mentions, with exactly their span and type
floor               marks of floor types that are covered whole by a find of such a type
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from hashlib import md5
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from scipy.optimize import minimize
from scipy.sparse import csr_matrix

sys.path.insert(0, str(Path(__file__).parents[1]))

from benchmarks import ablation
from linkmask import detect
from linkmask.config import Settings
from linkmask.detect import ner, resolve
from linkmask.detect.candidates import Candidate
from linkmask.detect.ner import model
from linkmask.detect.view import schema_weights

SETTINGS = Settings()
FLOOR = frozenset(SETTINGS.floor)
PER_CHARACTER = 0.02
"""How much a touching character counts beside an exact span: recall first."""
RAREST = 4
"""Candidates that have a feature, at least."""
RIDGE = 1.0


class Span(NamedTuple):
    """A span with its type, and the candidates that propose it."""

    start: int
    end: int
    type: str
    sources: tuple[Candidate, ...]

    @property
    def certain(self) -> bool:
        """Whether it is certain by its form."""
        return any(map(resolve._certain, self.sources))

    @property
    def detectors(self) -> str:
        """The detectors that propose it."""
        return "+".join(sorted({one.detector for one in self.sources}))


Group = list[Span]
Key = ablation.Key
Chances = Mapping[tuple[Key, int, int], tuple[float, float]]
"""Document, number of a group and of a span in it → chances to be exact, and to touch."""


def candidates(read: Mapping[Key, ablation.Text]) -> dict[Key, list[list[Candidate]]]:
    """Return the groups of overlapping candidates of each document, as the resolver gets them."""
    groups: dict[Key, list[list[Candidate]]] = {}
    shipped, seen = detect.merge, list[Candidate]()

    def merge(found: Iterable[Candidate], *more: Any) -> list[Candidate]:
        seen[:] = found
        return shipped(seen, *more)

    detect.merge = merge
    for key, text in read.items():
        seen.clear()
        ablation.finds(key, text, SETTINGS)
        groups[key] = list(resolve._groups(seen))
    detect.merge = shipped
    return groups


def spans(group: Sequence[Candidate]) -> Group:
    """Return the distinct spans of a group, with unions of a rule's and the tagger's."""
    by: dict[tuple[int, int, str], list[Candidate]] = defaultdict(list)
    for one in group:
        by[one[:3]].append(one)
    wider: dict[tuple[int, int, str], list[Candidate]] = defaultdict(list)
    for start, end, kind in by:
        alike = resolve.SAME.get(kind, ())
        ruled = [one for one in by[start, end, kind] if one.detector != resolve.LEARNED]
        if kind not in alike or not ruled or any(map(resolve._certain, ruled)):
            continue
        for first, last, other in by:
            whole = min(start, first), max(end, last), kind
            learned = [o for o in by[first, last, other] if o.detector == resolve.LEARNED]
            if first < end and start < last and other in alike and learned and whole not in by:
                wider[whole] += [one._replace(detector="union") for one in (*ruled, *learned)]
    return [Span(*key, tuple(dict.fromkeys(of))) for key, of in sorted({**by, **wider}.items())]


def features(text: str, one: Span, group: Group) -> set[str]:
    """Return what is seen of a span: who proposes it, its form, and what overlaps it."""
    value, kind, by = text[one.start : one.end], one.type, one.detectors
    seen = {
        "",
        f"type:{kind}",
        f"by:{by}:{kind}",
        f"characters:{min(len(value) // 4, 8)}:{kind}",
        f"words:{min(value.count(' ') + 1, 6)}:{by}",
        f"capital:{value[0].isupper()}:{kind}",
        f"break:{chr(10) in value}",
        f"before:{text[one.start - 1 : one.start].strip()}:{kind}",
        f"behind:{text[one.end : one.end + 1].strip()}:{kind}",
    }
    for source in one.sources:
        seen |= {f"rule:{source.rule}", f"rule:{source.rule}:{kind}"}
        seen.add(f"score:{source.rule}:{int(source.score * 8)}")
    for other in group:
        if other is one or other.end <= one.start or other.start >= one.end:
            continue
        how = ("<" if other.start <= one.start else "") + (">" if other.end >= one.end else "")
        same = other.type == kind
        seen |= {
            f"over:{how}:{same}:{by}:{other.detectors}",
            f"over:{how}:{kind}:{other.type}",
            f"certain:{how}:{other.certain}",
            *(f"over:{how}:{kind}:{source.rule}" for source in other.sources),
        }
    return seen


def fit(rows: Any, right: Any) -> Any:
    """Return the weights of a logistic regression."""

    def loss(weights: Any) -> tuple[float, Any]:
        logit = rows @ weights
        slope = rows.T @ (1 / (1 + np.exp(-logit)) - right) + RIDGE * weights
        return (np.logaddexp(0, logit) - right * logit).sum() + RIDGE / 2 * weights @ weights, slope

    return minimize(loss, np.zeros(rows.shape[1]), jac=True, method="L-BFGS-B").x


def learned(read: Mapping[Key, ablation.Text], groups: Mapping[Key, list[Group]]) -> Chances:
    """Return the chances of each span that overlaps another, by weights of the other half."""
    keys, rows, right, known, half = [], list[set[str]](), list[tuple[bool, bool]](), [], []
    types = defaultdict(set)
    for (name, _), text in read.items():
        types[name] |= {kind for _, _, kind, ignore in text.marks if kind and not ignore}
    for key, of in groups.items():
        marks = read[key].marks
        for number, group in enumerate(of):
            for place, one in enumerate(group if len(group) > 1 else ()):
                over = [m for m in marks if m[0] < one.end and one.start < m[1]]
                touch = any(m[2] == one.type and not m[3] for m in over)
                unsure = any(m[3] or not m[2] for m in over)
                keys.append((key, number, place))
                rows.append(features(read[key].content, one, group))
                right.append(((one.start, one.end, one.type, False) in over, touch))
                known.append(one.type in types[key[0]] and (touch or not unsure))
                half.append(int(md5("/".join(key).encode()).hexdigest(), 16) % 2)
    counts = Counter(name for row in rows for name in row)
    number_of = {name: n for n, name in enumerate(k for k, n in counts.items() if n >= RAREST)}
    ends, columns = [0], list[int]()
    for row in rows:
        columns += [number_of[name] for name in sorted(row) if name in number_of]
        ends.append(len(columns))
    table = csr_matrix((np.ones(len(columns)), columns, ends), shape=(len(rows), len(number_of)))
    chance = np.zeros((len(rows), 2))
    halves, sure, truth = np.array(half), np.array(known), np.array(right, float)
    for here in (0, 1):
        there = (halves != here) & sure
        for column in (0, 1):
            weights = fit(table[there], truth[there, column])
            chance[halves == here, column] = 1 / (1 + np.exp(-(table[halves == here] @ weights)))
    return dict(zip(keys, map(tuple, chance.tolist()), strict=True))


def heaviest(weighed: Sequence[tuple[Span, float]]) -> list[Span]:
    """Return the disjoint spans with the largest sum of weights (weighted interval scheduling)."""
    order = sorted(weighed, key=lambda pair: (pair[0].end, pair[0].start, pair[0].type))
    best: list[tuple[float, list[Span]]] = [(0.0, [])]
    for n, (one, weight) in enumerate(order):
        before = n
        while before and order[before - 1][0].end > one.start:
            before -= 1
        taken = best[before][0] + weight, [*best[before][1], one]
        best.append(max(best[n], taken, key=lambda pair: pair[0]))
    return best[-1][1]


def resolved(group: Group, chance: Callable[[Span], tuple[float, float]]) -> list[Span]:
    """Return the spans that stay: certain ones, rules' finds of the floor, then by score."""

    def score(one: Span) -> float:
        exact, touch = chance(one)
        return exact + PER_CHARACTER * touch * (one.end - one.start)

    def apart(one: Span, others: Iterable[Span]) -> bool:
        return not any(o.start < one.end and one.start < o.end for o in others)

    kept: list[Span] = []
    for one in sorted(group, key=lambda one: (one.start - one.end, one)):
        if one.certain and apart(one, kept):
            kept.append(one)
    for floor in (True, False):
        rest = [one for one in group if apart(one, kept)]
        if floor:
            rest = [one for one in rest if one.type in FLOOR]
            ruled = [one for one in rest if one.detectors != resolve.LEARNED]
            rest = [one for one in rest if not apart(one, ruled)]
        kept += heaviest([(one, score(one)) for one in rest])
    return sorted(kept)


def counted(text: ablation.Text, found: Sequence[Any], types: set[str]) -> Counter[str]:
    """Count what of a document's marks is found."""
    size = len(text.content)
    marked, ignored = bytearray(size), bytearray(size)
    for start, end, _, ignore in text.marks:
        (ignored if ignore else marked)[start:end] = b"\x01" * (end - start)
    all_of = ablation.covered(size, [one[:3] for one in found])
    floor = ablation.covered(size, [one[:3] for one in found if one[2] in FLOOR])
    exact = {(start, end, kind) for start, end, kind, ignore in text.marks if kind and not ignore}
    direct = [mark for mark in exact if mark[2] in FLOOR]
    return Counter(
        marked=sum(marked),
        true=sum(a & b for a, b in zip(all_of, marked, strict=True)),
        false=sum(a and not b and not c for a, b, c in zip(all_of, marked, ignored, strict=True)),
        exact=len(exact & {one[:3] for one in found}),
        truths=len(exact),
        finds=sum(one[2] in types for one in found),
        direct=len(direct),
        safe=sum(all(floor[start:end]) for start, end, _ in direct),
    )


def cells(counts: Counter[str]) -> list[float]:
    """Return recall, precision, F1 and floor."""
    c = counts
    return [
        c["true"] / max(c["marked"], 1),
        c["true"] / max(c["true"] + c["false"], 1),
        2 * c["exact"] / max(c["finds"] + c["truths"], 1),
        c["safe"] / max(c["direct"], 1),
    ]


def main() -> None:
    """Print the table: for each set, the shipped resolver → the learned one."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0] if __doc__ else "")
    parser.add_argument("folder", type=Path)
    tagger = model.Model(parser.parse_args().folder / "f0.npz")
    ner.shipped = lambda: tagger
    read = ablation.texts(0)
    raw = candidates(read)
    groups = {key: list(map(spans, of)) for key, of in raw.items()}
    chances, weights = learned(read, groups), schema_weights(SETTINGS)
    types: dict[str, set[str]] = defaultdict(set)
    for (name, _), text in read.items():
        types[name] |= {kind for _, _, kind, ignore in text.marks if kind and not ignore}
    sums: dict[str, tuple[Counter[str], Counter[str]]] = defaultdict(lambda: (Counter(), Counter()))
    for key, text in read.items():
        before = [
            one for group in raw[key] for one in resolve.merge(group, weights, SETTINGS.floor)
        ]
        after = list[Span]()
        for number, group in enumerate(groups[key]):
            seen = [chances.get((key, number, n), (1.0, 1.0)) for n in range(len(group))]
            after += resolved(group, dict(zip(group, seen, strict=True)).__getitem__)
        for name in (key[0], "all"):
            sums[name][0].update(counted(text, before, types[key[0]]))
            sums[name][1].update(counted(text, after, types[key[0]]))
    print("| set | recall | precision | F1 | floor |\n|---|---|---|---|---|")
    for name, (old, new) in sums.items():
        shown = (f"{a:.3f} → {b:.3f}" for a, b in zip(cells(old), cells(new), strict=True))
        print(f"| {name} | {' | '.join(shown)} |", flush=True)


if __name__ == "__main__":
    main()
