"""What a limit for the linker reaches, and what it costs: a line per plan and corpus.

    python benchmarks/link_limit.py [FOLDER…] [--limits 0.1,0.2] [--questions]

Each FOLDER holds a corpus of clusters (docs/formulas.md §13.2). Without one: dev25, dev5 and
tune_chains of `../shared/data/insurance`, where they are there. The control masks as many words
more than the default does, at random, in any documents. In rows "no coarser values", dates, places,
clinics and conditions that the default writes coarser are masked whole. With --questions, the
limits spare what answers the questions of the corpus (docs/plan.md#to-keep-answers). Columns:

above       documents whose probability in the certificate is above each limit, by the attacker with
            most such documents
largest     the largest probability of the attacker with most documents above the first limit
rank-1      share of documents whose nearest is the same person's, by the linker, by TF-IDF, and by
            a sentence model (all-MiniLM-L6-v2), where it is installed
general     general answers kept (benchmarks/exposure.py)
words       share of all words that are masked as `[...]`
"""

from __future__ import annotations

import argparse
import random
import tempfile
from collections.abc import Sequence
from pathlib import Path

from controls import MASK, at_random
from frontier import DATA, Measured
from linkmask.config import Settings
from linkmask.pipeline.linkage.certificate import BothTexts, everything_read, released_certificate
from linkmask.records import Masked

SETS = ("dev25", "dev5", "tune_chains")


def masked_by(measured: Measured, **given: object) -> list[Masked]:
    """Return the documents as the default masks them with some other settings."""
    given |= {"questions": measured.questions} if measured.questions else {}
    settings = measured.builder.settings("insurance", **given)
    scan = measured.scan_for(measured.builder, settings)
    every = scan.job.with_plan(scan.choose(settings), settings).documents()
    return [one for one in every if isinstance(one, Masked)]


def line(
    name: str, measured: Measured, held: Sequence[Masked], texts: Sequence[str], limits: list[float]
) -> str:
    """Return a row of the table.

    Args:
        held: documents that a plan masks.
        texts: what is released of them, where their contents are masked further.
    """
    both = {
        one.id: BothTexts(
            everything_read(one.original), everything_read(one.written).replace(one.content, text)
        )
        for one, text in zip(held, texts, strict=True)
    }
    incidence = measured.scan.job.analysis.incidence
    stated = [released_certificate(both, incidence, limit).stated for limit in limits]
    row = measured.row(texts, 0)
    ranks = row.by_linker, row.by_words, row.by_sentences
    words = sum(len(one.original.content.split()) for one in held)
    share = sum(text.count(MASK) for text in texts) / words
    cells = [
        name,
        ", ".join(str(one["over"]) for one in stated),
        f"{stated[0]['largest']:.2f}",
        ", ".join(f"{one:.3f}" for one in ranks if one is not None),
        f"{row.general:.3f}",
        f"{share:.3f}",
    ]
    return f"| {' | '.join(cells)} |"


def main() -> None:
    """Print a table."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0] if __doc__ else "")
    parser.add_argument("folders", nargs="*", type=Path)
    parser.add_argument("--limits", default="0.1,0.2")
    parser.add_argument("--questions", action="store_true")
    given = parser.parse_args()
    scratch = tempfile.TemporaryDirectory()
    limits = [float(one) for one in given.limits.split(",")]
    head = "| | above " + ", ".join(map(str, limits))
    print(f"{head} | largest | rank-1 | general | words |\n" + "|---" * 6 + "|")
    for folder in given.folders or [DATA / one for one in SETS if (DATA / one).is_dir()]:
        measured = Measured(folder, oracle=False)
        default = masked_by(measured)
        if given.questions:
            measured.spare("all", Path(scratch.name) / f"{folder.name}.jsonl")
        usual = [one.content for one in default]
        print(line(f"{folder.name}, default", measured, default, usual, limits), flush=True)
        for limit in limits:
            held = masked_by(measured, link_limit=limit)
            texts = [one.content for one in held]
            name = f"{folder.name}, `link_limit` {limit}"
            print(line(name, measured, held, texts, limits), flush=True)
            more = sum(text.count(MASK) for text in texts) - sum(t.count(MASK) for t in usual)
            drawn = at_random(usual, max(0, more), random.Random(0), range(1, len(usual) + 1))
            name = f"{folder.name}, as many random words"
            print(line(name, measured, default, drawn, limits), flush=True)
        further = {
            f"`link_limit` {limits[0]}, no coarser values": {
                "link_limit": limits[0],
                "generalize": dict.fromkeys(Settings().generalize, "value"),
            },
            "`theta_doc` 0.6": {"theta_doc": 0.6},
        }
        for name, settings in further.items():
            held = masked_by(measured, **settings)
            texts = [one.content for one in held]
            print(line(f"{folder.name}, {name}", measured, held, texts, limits), flush=True)


if __name__ == "__main__":
    main()
