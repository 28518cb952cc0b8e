"""A tagger of diseases: a linear chain learned from annotated texts, to read masked ones with.

It is no part of the package: it stands for whoever reads released documents downstream. Words are
seen as the shipped model sees them (`detect.ner.words`: letters, shapes, the lexicon's lists, two
neighbours to each side). Needs python-crfsuite (extra `train`); same data, same weights.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Container, Iterable, Iterator, Sequence
from functools import cache
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from training.train import vocabulary

from linkmask.detect.ner import features as words
from training import data, texts

DISEASE = "MEDICAL_CONDITION"
SETTINGS = {"c1": 0.1, "c2": 0.05, "max_iterations": 100, "feature.minfreq": 1}
NCBI_AND_BC5CDR = ("ncbi/ncbi_train", "bc5cdr/bc5cdr_train")

Span = tuple[int, int]


def from_set(path: str) -> Iterator[data.Row]:
    """Yield the rows of a set of ../shared/data, its chemicals unmarked."""
    with (data.DATA / f"{path}.jsonl").open(encoding="utf-8") as records:
        for record in map(json.loads, records):
            spans = [(s["start"], s["end"], data.MAPS[s["label"]]) for s in record["spans"]]
            yield from _rows(record["text"], spans)


def from_own(documents: Iterable[texts.Annotated]) -> Iterator[data.Row]:
    """Yield the rows of texts of our own."""
    for one in documents:
        yield from _rows(one.text, [(m.start, m.end, m.type) for m in one.marks])


def _rows(text: str, spans: Sequence[tuple[int, int, str]]) -> Iterator[data.Row]:
    diseases = [span for span in spans if span[2] == DISEASE]
    return data.cut(text, diseases, "clinical", 0)


def features(row: Sequence[str], common: Container[str]) -> list[list[str]]:
    """Return what is seen of each word of a row, as names."""
    padded = [words.BORDER] * 2 + list(row) + [words.BORDER] * 2
    seen = [_attributes(word) for word in padded]
    terms, kinds = zip(*(words.terms(word, common) for word in padded), strict=True)
    result = []
    for i in range(2, len(padded) - 2):
        names = [
            f"{at}{name}"
            for at, offset in enumerate(words.OFFSETS)
            for name in seen[i + offset][at]
        ]
        for short, what, offsets in words.COMBINED:
            of = terms if what == "t" else kinds
            names.append(short + "\t" + "\t".join(of[i + offset] for offset in offsets))
        result.append(names)
    return result


_attributes = cache(words.attributes)


class Tagger:
    """Finds diseases. Made by `learn`, kept as FILE and FILE.json (its frequent words)."""

    def __init__(self, path: Path) -> None:
        import pycrfsuite

        self._tagger = pycrfsuite.Tagger()
        self._tagger.open(str(path))
        self._common = dict.fromkeys(json.loads(path.with_suffix(".json").read_text("utf-8")), 1)

    def labels(self, row: Sequence[str]) -> list[str]:
        """Return the label of each word, "" for none."""
        said = self._tagger.tag(features(row, self._common))
        return ["" if label == "O" else label for label in said]

    def find(self, text: str) -> list[Span]:
        """Return the spans of diseases in a text, sorted and disjoint."""
        _, starts, ends = words.split(text)
        spans: list[Span] = []
        at = 0
        for row in data.cut(text, [], "clinical", 0):
            open_ = False
            for word, label in zip(row.words, self.labels(row.words), strict=True):
                inside = label == DISEASE and word != "\n"
                if inside and open_:
                    spans[-1] = spans[-1][0], ends[at]
                elif inside:
                    spans.append((starts[at], ends[at]))
                open_ = inside
                at += 1
        return spans


def learn(rows: Sequence[data.Row], path: Path) -> Tagger:
    """Learn a tagger of whatever labels the rows bear and keep it."""
    import pycrfsuite

    common = vocabulary(rows)
    trainer = pycrfsuite.Trainer(algorithm="lbfgs", verbose=False)
    for row in rows:
        trainer.append(features(row.words, common), [label or "O" for label in row.labels])
    trainer.set_params(SETTINGS)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.with_suffix(".json").write_text(json.dumps(sorted(common)), "utf-8")
    trainer.train(str(path))
    return Tagger(path)
