"""What words tell that a text is a case report or a judgment: how much likelier each is there.

    python training/manner.py      which texts of each set are taken for one, learned without fold 0

Naive Bayes over words, every other kind of text counted alike (McCallum and Nigam 1998). A text is
of a kind if its words weigh `EACH` of it or more on average, and `IN_ALL` beyond that.
"""

from __future__ import annotations

import json
import sys
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping
from itertools import chain
from math import log
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from linkmask.detect.ner import features
from training import data, texts

MARKS = {"report": (data.REPORTS,), "judgment": ("tab/tab_dev", "spia/spia_dev"), "locale": ()}
"""Sets of each kind of text that is read apart; our own texts in other languages are one."""
OTHERS = (
    "wikigold/wikigold",
    "emailcoref/emailcoref_train",
    "ncbi/ncbi_train",
    "bc5cdr/bc5cdr_devel",
    "bc5cdr/bc5cdr_train",
    "aci_bench/aci_bench_dev",
    "mts_dialog/mts_dialog",
    "synthea/synthea_dev",
    "panorama/panorama_dev",
    "germeval/germeval_dev",
    "europeana_fr/europeana_fr",
)
"""Other kinds of texts, each as heavy as the next, as are those of `MARKS` and our own texts."""
EACH = {"report": 0.1, "judgment": 0.4, "locale": 0.02}
IN_ALL = {"report": 25.0, "judgment": 25.0, "locale": 2.0}
"""Least weight of a text of the kind, in natural logarithms."""
MOST = 3.0
"""A word weighs no more than this."""
LEAST = 0.3
"""A word that weighs less is left out."""
MET = 5
"""A word counts if it is met so often in texts of the kind, or ten times as often elsewhere."""
UNSEEN = 10_000
"""Words that were not met: so many are added, each met once."""


def weights(manner: str, fold: int | None = None) -> dict[str, float]:
    """Return a weight for each lower-cased word that tells something; `fold` is left out."""
    foreign = manner == "locale"
    there = _counts(text for path in MARKS[manner] for text in _of_set(path, fold))
    if foreign:
        there = _counts(_own(data.LOCALES, fold))
    others = [path for kind, of in MARKS.items() if kind != manner for path in of]
    kinds = [_counts(_of_set(path, fold)) for path in (*others, *OTHERS)]
    kinds.append(_counts(_own(("en", "fr", "de"), fold)))
    share: dict[str, float] = defaultdict(float)
    for kind in kinds:
        for word, count in kind.items():
            share[word] += count / kind.total() / len(kinds)
    met = sum(kinds, Counter[str]())
    size = there.total()
    result = {}
    for word in sorted(share.keys() | there.keys()):
        here = (there[word] + 1) / (size + UNSEEN)
        by = log(here / (share.get(word, 0.0) + 0.1 / UNSEEN))
        often = there[word] >= MET or met[word] >= 10 * MET
        if often and abs(by) >= LEAST:
            result[word] = round(max(-MOST, min(MOST, by)), 2)
    return result


def _of_set(path: str, fold: int | None, only: int | None = None) -> Iterator[str]:
    with (data.DATA / f"{path}.jsonl").open(encoding="utf-8") as records:
        for record in map(json.loads, records):
            if _wanted(data.fold_of(record["id"]), fold, only):
                yield record["text"]


def _own(languages: Collection[str], fold: int | None, only: int | None = None) -> Iterator[str]:
    for path in sorted((Path(__file__).parent / "texts").glob("*.txt")):
        for one in texts.read(path):
            if one.lang in languages and _wanted(data.fold_of_text(one.id), fold, only):
                yield one.text


def _wanted(of: int, without: int | None, only: int | None) -> bool:
    return of != without if only is None else of == only


def _counts(read: Iterable[str]) -> Counter[str]:
    counts = Counter[str]()
    for text in read:
        counts.update(word.lower() for word in features.split(text)[0] if word.isalpha())
    return counts


def is_kind(text: str, manner: str, telling: Mapping[str, float]) -> bool:
    """Say whether a text is of a kind, by its words' weights, as the package does."""
    read = features.split(text)[0]
    return (
        sum(telling.get(word.lower(), 0.0) for word in read)
        >= EACH[manner] * len(read) + IN_ALL[manner]
    )


def main() -> None:
    """Print the share of each set's texts in fold 0 that are taken for each kind."""
    sets = {path: [*_of_set(path, None, 0)] for path in (*chain(*MARKS.values()), *OTHERS)}
    sets["own texts"] = [*_own(("en", "fr", "de"), None, 0)]
    sets["own texts in other languages"] = [*_own(data.LOCALES, None, 0)]
    for folder in sorted((data.DATA / "insurance").glob("*/documents")):
        records = [json.loads(path.read_text("utf-8")) for path in sorted(folder.glob("*.json"))]
        sets[folder.parent.name] = [record["content"] for record in records]
    for manner in MARKS:
        telling = weights(manner, 0)
        for name, of in sets.items():
            taken = sum(is_kind(text, manner, telling) for text in of)
            print(f"{manner:10} {name:30} {taken:5} of {len(of)}")


if __name__ == "__main__":
    main()
