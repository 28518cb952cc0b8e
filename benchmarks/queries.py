"""Do questions that a run masked find in the masked corpus what they found in the original one?

    python benchmarks/queries.py [--documents N] [--style STYLE …] [--facts invented] [--linkable]
                                 [--rare-terms N] [FOLDER …]
                                 default: 200; value, pseudonym, surrogate

A corpus of made-up clusters is generated in English and in French (`linkmask generate`, seed 7),
unless folders of clusters are given. Each question has the documents that answer it. Recall at k is
the share of these among the k best documents, by BM25 and by LSA, both of linkmask.testbench: for
questions as they are on the original texts, and for questions masked by the opened run on the
masked texts. The interval of the difference is a bootstrap over persons (95 %).

Index "bm25, bound" says what no mask in a question can better: the words under masks find the
documents that they found in the original texts, and only the other words search the masked texts.
"""

from __future__ import annotations

import argparse
import json
import tempfile
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from linkmask import commands, load
from linkmask import open as open_run
from linkmask.masker.masked_text import MaskedSpan
from linkmask.records import Floats, Ints
from linkmask.testbench.corpus import BenchCorpus, read_corpus
from linkmask.testbench.generate import WritingPlan, write
from linkmask.testbench.indexes import Bm25, Exact, SearchIndex, best_of, lsa
from linkmask.testbench.measures import interval_of_mean, mean

INDEXES: dict[str, Callable[[Sequence[str]], SearchIndex]] = {
    "bm25": Bm25,
    "lsa": lambda texts: Exact(lsa(texts)),
}
AT = (1, 3, 10)


def recalls(
    corpus: BenchCorpus, index: SearchIndex, questions: Sequence[str], k: int
) -> list[float]:
    """Return the recall at k of each question that has sources."""
    found = []
    for asked, text in zip(corpus.questions, questions, strict=True):
        if asked.sources:
            best = set(index.search(text, k)[0].tolist())
            found.append(len(best.intersection(asked.sources)) / len(asked.sources))
    return found


class Bound:
    """BM25 in which the words under masks search the original texts, and all others the masked."""

    def __init__(self, original: Bm25, masked: Bm25, spans: Mapping[str, Sequence[MaskedSpan]]):
        self.original, self.masked, self.spans = original, masked, spans
        self.least = original.least

    def scores(self, query: str) -> Floats:
        """Return the sum of both scores; the spans under masks of the question are known."""
        outside, inside, at = list[str](), list[str](), 0
        for one in self.spans[query]:
            outside.append(query[at : one.start])
            inside.append(query[one.start : one.end])
            at = one.end
        outside.append(query[at:])
        return self.masked.scores(" ".join(outside)) + self.original.scores(" ".join(inside))

    def search(self, query: str, count: int) -> tuple[Ints, Floats]:
        """Return the `count` best texts, best first, and all scores."""
        return best_of(self.scores(query), count)


def by_person(corpus: BenchCorpus, values: Sequence[float]) -> list[float]:
    """Return the mean of what each person's questions have."""
    own: dict[int, list[float]] = {}
    persons = [asked.person for asked in corpus.questions if asked.sources]
    for person, value in zip(persons, values, strict=True):
        own.setdefault(person, []).append(value)
    return [sum(each) / len(each) for each in own.values()]


def masked_by(
    corpus: BenchCorpus, given: Mapping[str, object], place: Path
) -> tuple[list[str], list[str], dict[str, Sequence[MaskedSpan]]]:
    """Mask a corpus and its questions; return both, and where masks stand in each question."""
    source, out = place / "in.jsonl", place / "out"
    rows = [json.dumps({"id": one.id, "content": one.content}) for one in corpus.documents]
    source.write_text("\n".join(rows) + "\n")
    commands.mask_files(source, out, load(overrides=given, environment={}))
    lines = (out / "documents" / "in.jsonl").read_text().splitlines()
    texts = {row["id"]: row["content"] for row in map(json.loads, lines)}
    with open_run(out) as masker:
        plain = [one.question.q for one in corpus.questions]
        masked, asked = masker.mask_texts(plain), masker.mask_queries(plain)
    # a document that was set aside can't be found
    kept = [texts.get(one.id, "") for one in corpus.documents]
    return kept, asked, {text: one.spans for text, one in zip(plain, masked, strict=True)}


def change_of(corpus: BenchCorpus, was: Sequence[float], now: Sequence[float]) -> str:
    """Return a cell: recall before and after, and the interval of the mean change over persons."""
    pairs = zip(by_person(corpus, was), by_person(corpus, now), strict=True)
    low, high = interval_of_mean([b - a for a, b in pairs]) or (0.0, 0.0)
    return f"{mean(was):.3f} → {mean(now):.3f} ({low:+.3f} … {high:+.3f})"


Changes = dict[tuple[str, str, int], list[float]]
"""Style, index and k → the change of recall of each question."""


def rows_of(
    corpus: BenchCorpus, styles: Sequence[str], given: Mapping[str, object], changes: Changes
) -> list[str]:
    """Return the rows of the table for a corpus; `changes` takes what they are made of."""
    plain = [one.question.q for one in corpus.questions]
    before = {name: make(corpus.texts) for name, make in INDEXES.items()}
    rows = []
    for style in styles:
        with tempfile.TemporaryDirectory(prefix="linkmask-queries-") as folder:
            texts, questions, spans = masked_by(corpus, {"style": style, **given}, Path(folder))
        touched = f"{sum(map(bool, spans.values()))} of {len(plain)}"
        after = {name: (make(texts), questions) for name, make in INDEXES.items()}
        bound = Bound(Bm25(corpus.texts), Bm25(texts), spans)
        searched = {**after, "bm25, bound": (bound, plain)}
        for name, (index, asked) in searched.items():
            cells = [corpus.name, style, touched, name]
            for k in AT:
                was = recalls(corpus, before[name.partition(",")[0]], plain, k)
                now = recalls(corpus, index, asked, k)
                cells.append(change_of(corpus, was, now))
                both = zip(now, was, strict=True)
                changes.setdefault((style, name, k), []).extend(a - b for a, b in both)
            rows.append("| " + " | ".join(cells) + " |")
    return rows


def print_all(changes: Changes) -> None:
    """Print the mean change over the questions of all corpora, in points."""
    print("\n| style | index | questions |", *(f"k = {k} |" for k in AT))
    print("|---|---|---|" + "---|" * len(AT))
    for style, name in dict.fromkeys((style, name) for style, name, _ in changes):
        cells = [f"{100 * mean(changes[style, name, k]):+.1f}" for k in AT]
        count = str(len(changes[style, name, AT[0]]))
        print("| " + " | ".join([style, name, count, *cells]) + " |")


def main() -> None:
    """Print the table, and one over all corpora if there are several."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folders", nargs="*", type=Path)
    parser.add_argument("--documents", type=int, default=200)
    parser.add_argument("--style", nargs="*", default=["value", "pseudonym", "surrogate"])
    parser.add_argument("--facts", choices=["class", "invented"], default="class")
    parser.add_argument("--linkable", action="store_true")
    parser.add_argument("--rare-terms", type=int, default=load(environment={}).rare_terms)
    asked = parser.parse_args()
    given = {
        "surrogate_facts": asked.facts,
        "linkable": asked.linkable,
        "rare_terms": asked.rare_terms,
    }
    print("| corpus | style | questions with a mask | index |", *(f"k = {k} |" for k in AT))
    print("|---|---|---|---|" + "---|" * len(AT))
    changes: Changes = {}
    with tempfile.TemporaryDirectory(prefix="linkmask-queries-") as folder:
        folders = asked.folders
        for language in () if folders else ("en", "fr"):
            made = Path(folder) / f"generated-{language}"
            write(made, WritingPlan(documents=asked.documents, language=language, seed=7))
            folders = [*folders, made]
        for one in folders:
            for row in rows_of(read_corpus(one), asked.style, given, changes):
                print(row, flush=True)
    if len(folders) > 1:
        print_all(changes)


if __name__ == "__main__":
    main()
