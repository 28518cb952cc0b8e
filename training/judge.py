"""Learn which spans of case reports count: how much their chance and their words tell.

What is learned from is what chains see that did not read the report: each tenth of them is read by
a chain learned without it. Then a logistic regression per type, by Newton's method.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import replace
from math import log
from typing import Any

import numpy as np

from linkmask.detect.ner import features as words
from linkmask.detect.ner import span_selection
from linkmask.formulas.compiling import compiled
from training import chain, data

FAMILY, KIND = "report", "report"
TYPES = ("MEDICAL_CONDITION", "TREATMENT")
LEAST = 0.16
"""Chance of a span that is taken: a find that ends one word off is still masked, a miss is not."""
PARTS = 10
"""Parts of the reports, each read by a chain that learned from the others."""
RIDGE = 2.0
"""How much weights are drawn to 0, of features in units of their deviation."""
ROUNDS = 25
EXPECTED, TIMES = 0.1, 0.3
"""Share of a word's uses expected before it is met, and how many such uses are added."""
MOST = 6.3
"""A share says no more than this, in logarithms of odds."""

Report = tuple[str, str, data.Spans]
"""Name, text and marks."""
Marked = dict[tuple[int, int], int]
"""Marked spans of words → their type's number."""


def marked(
    split: Sequence[int], ends: Sequence[int], spans: data.Spans, like: Mapping[str, str]
) -> Marked:
    """Return the marked spans of words of a text, given where words start and end."""
    result: Marked = {}
    for start, end, label in spans:
        of = like.get(data.MAPS.get(label, label))
        inside = list(data._within(list(split), list(ends), start, end))
        if of in TYPES and inside:
            result[inside[0], inside[-1] + 1] = TYPES.index(of)
    return result


def table(texts: Sequence[Sequence[str]], gold: Sequence[Marked]) -> dict[str, list[int]]:
    """Return for each word how often it stands last in, first in, before, behind a marked span.

    As logarithms of odds in units, for each type; words met once that tell nothing are left out.
    """
    met: Counter[str] = Counter()
    there: Counter[tuple[str, int]] = Counter()
    for text, spans in zip(texts, gold, strict=True):
        low = [word.lower() for word in text]
        met.update(low)
        for (i, j), of in spans.items():
            for at, place in enumerate((j - 1, i, i - 1, j)):
                if 0 <= place < len(low):
                    there[low[place], of * span_selection.SHARES + at] += 1
    every = range(len(TYPES) * span_selection.SHARES)
    return {
        word: [share(there[word, at], n) for at in every]
        for word, n in sorted(met.items())
        if n > 1 or any(there[word, at] for at in every)
    }


def share(there: int, met: int) -> int:
    """Return how often a word is used so, as the logarithm of its odds in units."""
    odds = log((there + EXPECTED * TIMES) / (max(met - there, 0) + TIMES))
    return round(max(-MOST, min(MOST, odds)) / span_selection.UNIT)


def fit(seen: Any, right: Any) -> list[float]:
    """Return the weights of a logistic regression; the first feature is constant."""
    middle, apart = seen.mean(0), seen.std(0) + 1e-6
    middle[0], apart[0] = 0.0, 1.0
    seen = (seen - middle) / apart
    drawn = np.full(seen.shape[1], RIDGE)
    drawn[0] = 1e-6
    weights = np.zeros(seen.shape[1])
    for _ in range(ROUNDS):
        chance = 1 / (1 + np.exp(-(seen @ weights)))
        slope = seen.T @ (right - chance) - drawn * weights
        bend = (seen * (chance * (1 - chance))[:, None]).T @ seen + np.diag(drawn)
        weights += np.linalg.solve(bend, slope)
    weights /= apart
    weights[0] -= (weights * middle)[1:].sum()
    return [round(float(by), 3) for by in weights]


def learn(
    reports: Iterable[Report],
    beside: Iterable[Report],
    common: Container[str],
    before: chain.Learned,
    like: Mapping[str, str],
    **settings: float,
) -> dict[str, Any]:
    """Return weights, table and bounds of a judge (`chosen.Judge`), learned from reports.

    `beside` are reports that every chain reads, too, but whose marks are not judged by. `before` is
    where the weights of the family begin, `like` says which type a label is of.
    """
    texts: list[list[str]] = []
    gold: list[Marked] = []
    rows: list[data.Row] = []
    for name, text, spans in reports:
        split, starts, ends = words.split(text)
        rows += data.rows_of(name, text, spans, FAMILY, len(texts) % PARTS)
        texts.append(split)
        gold.append(marked(starts, ends, spans, like))
    for one in beside:
        rows += data.rows_of(*one, FAMILY, -1)
    labels = ("", *data.FAMILIES[FAMILY])
    number = {label: k for k, label in enumerate(labels)}
    whole = [data.Row(text, [""] * len(text), at % PARTS) for at, text in enumerate(texts)]
    encoded = chain.encode([*rows, *whole], common, rare=1, without=(words.GAZETTEER,))
    seen: list[list[list[float]]] = [[], []]
    right: list[list[bool]] = [[], []]
    for part in range(PARTS):
        of = [at for at, row in enumerate(rows) if row.fold != part]
        others = replace(encoded, starts=encoded.starts[of], sizes=encoded.sizes[of])
        known = [[number[label] for label in rows[at].labels] for at in of]
        learned = chain.learn(others, known, len(labels), before=before, **settings)
        apart = [at for at in range(len(texts)) if at % PARTS != part]
        shares = table([texts[at] for at in apart], [gold[at] for at in apart])
        for at in range(part, len(texts), PARTS):
            found = candidates(encoded, len(rows) + at, learned, texts[at], labels)
            features = span_selection.features(texts[at], found, shares, share(0, 0))
            for one, by in zip(found, features, strict=True):
                seen[one.type].append(by)
                right[one.type].append(gold[at].get((one.start, one.end)) == one.type)
    return {
        "weights": [
            fit(np.array(s, float), np.array(r, float)) for s, r in zip(seen, right, strict=True)
        ],
        "table": table(texts, gold),
        "unknown": share(0, 0),
        "least": LEAST,
    }


def candidates(
    encoded: chain.Encoded,
    row: int,
    learned: chain.Learned,
    text: Sequence[str],
    labels: Sequence[str],
) -> list[span_selection.WordSpan]:
    """Return the spans that a chain considers in a row."""
    state = learned.state[: len(encoded.names), None].astype(np.float32)
    score = chain.scores(
        encoded.starts[row], encoded.sizes[row], encoded.number, encoded.pointers, encoded.seen,
        encoded.combined, state,
    )  # fmt: skip
    here = np.exp(score - score.max(1, keepdims=True))
    found = np.empty((len(text) * span_selection.MOST, 4))
    wanted = np.array(
        [k for k, label in enumerate(labels) if label in span_selection.TYPES], np.int32
    )
    moves = np.exp(learned.transitions.astype(float))
    count = compiled(span_selection.spans)(here, moves, wanted, span_selection.LEAST, found)
    return span_selection.candidates(text, found[:count].tolist(), labels)
