"""How long does the linker take? Processor seconds and memory over the number of documents.

    python benchmarks/linkage.py [--documents 1000,10000]

Documents are 60 words drawn from a vocabulary of 50,000 by Zipf's law, of which two are a person's
own; each person has five documents.

read        processor seconds to read the terms
compare     to choose and compare pairs
judge       to score them and give probabilities
originals   to say of each pair, by way of third documents as well, whether it is one person's
memory      largest resident memory of the process so far
"""

from __future__ import annotations

import argparse
import resource
import time
from collections.abc import Callable, Iterator
from typing import TypeVar

import numpy as np

from linkmask.detect.lexicon import clusters
from linkmask.graph.linkage import models
from linkmask.graph.linkage.features import score
from linkmask.graph.linkage.outcome import same_person_probability
from linkmask.graph.linkage.terms import read
from linkmask.records import Floats, Ints

WORDS, VOCABULARY, OWN = 60, 50_000, 5
T = TypeVar("T")


def texts(count: int) -> Iterator[str]:
    """Yield documents, the same in each run."""
    rng = np.random.default_rng(7)
    for number in range(count):
        drawn = np.minimum(rng.zipf(1.3, WORDS), VOCABULARY).tolist()
        person = f"own{number // OWN} trait{number // OWN}"
        yield " ".join(f"word{spelled(n)}" for n in drawn) + f" {person}."


def strength(left: Ints, right: Ints) -> Floats:
    """Return the strength of links: the values of a person link all of its documents."""
    return np.where(left // OWN == right // OWN, 0.9, 0.0)


def spelled(number: int) -> str:
    """Return a number in letters: a word with a digit is a code to the linker."""
    return "".join(chr(97 + int(digit)) for digit in str(number))


def timed(work: Callable[[], T]) -> tuple[T, float]:
    """Return what a function gives, and the processor seconds it took."""
    begin = time.process_time()
    made = work()
    return made, time.process_time() - begin


def main() -> None:
    """Print a row for each number of documents."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--documents", default="1000,10000")
    print("| documents | pairs | read | compare | judge | originals | memory |")
    print("|---|---|---|---|---|---|---|")
    for count in map(int, parser.parse_args().documents.split(",")):
        whole, model = list(texts(count)), models.shipped_model()
        terms, reading = timed(lambda: read(whole, clusters.names))  # noqa: B023
        pairs, comparing = timed(lambda: score(terms, model.weights))  # noqa: B023
        _, judging = timed(lambda: (model.probabilities(pairs), model.found(pairs)))  # noqa: B023
        _, telling = timed(lambda: same_person_probability(model, pairs, strength))  # noqa: B023
        memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20
        seconds = f"{reading:.1f} s | {comparing:.1f} s | {judging:.1f} s | {telling:.1f} s"
        print(f"| {count:,} | {len(pairs.left):,} | {seconds} | {memory:.1f} GB |", flush=True)


if __name__ == "__main__":
    main()
