"""Writes the results of a run as one HTML page that stands alone."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from linkmask.testbench.attacks.base import MOSTLY_LEAKED
from linkmask.testbench.defences import defence
from linkmask.testbench.figures import HEADLINE, ResultRow
from linkmask.testbench.page_parts import Figure, Sheet, UnavailableCells, sheet_as_html
from linkmask.testbench.page_tables import defences, systems, tables
from linkmask.testbench.pictures import Curve, Point, lines, points
from linkmask.testbench.result_tables import Results

NOTES = (
    "leak: share of a person's values, by weight, that the attack brought up; attributed: the "
    "same, counted only where it came out of the person's own documents; averaged over persons.",
    "exposure: what can still be read anywhere in the corpus as it is indexed. No attacker with "
    "any number of queries and no generator can read more of it; parrot repeats its whole context.",
    "Read means: as whole words in any case, and by type in other forms (dates, ages with a cue, "
    "phone numbers by digits, ids without punctuation, surnames behind a title). What can only be "
    "inferred is not counted.",
    "…@clam: as many entities as clam masked, chosen by type, rarity or chance, written by the "
    "same redactor: only the choice differs. clam is the plan carried out, without the check that "
    "`linkmask mask` makes afterwards.",
    "…-golden: masks the persons' own values, which a real user does not know.",
    "A guard at queries or answers leaves the corpus as it is: its exposure is that of std.",
    "rank-1: how often the document most alike (TF-IDF, masks taken out) is about the same person. "
    "Documents of one person here share a topic, so part of this is the topic.",
    "membership asks also for values that no document holds (fpr); corrected is (TPR − FPR) / "
    "(1 − FPR), unweighted. Without a model Yes means that the value is in the answer.",
    "Intervals: 1,000 draws of persons with replacement, 2.5th to 97.5th percentile; 200 for auc "
    "and average precision.",
)


def render(results: Results) -> str:
    """Return the page of a run."""
    run = results.run
    fixed, persons = run["fixed"], run["persons"]
    return sheet_as_html(
        Sheet(
            run["corpus"]["name"],
            "What an attacker gets, what a reader loses",
            f"{run['corpus']['documents']} documents, {len(persons)} persons with "
            f"{sum(len(p['types']) for p in persons)} values, {run['corpus']['questions']} "
            f"questions; k = {fixed['k']}, {fixed['queries']} queries, seed {fixed['seed']}."
            + " The linker also compares texts by a sentence model."
            * bool(fixed.get("sentence_model")),
            list(_tradeoffs(results)),
            [table for table in tables(results) if table.rows],
            [*_coverage(results), *_by_known_documents(results)],
            _holes(results),
            NOTES,
        )
    )


def _tradeoffs(results: Results) -> Iterator[Figure]:
    """Draw privacy against utility, a point per defence.

    `clam[…]` and the like are one group: joined, they are the curve of a defence.
    """
    retriever, generator = systems(results)[0]
    sentence = (
        "Left is safer, up is more useful. Bars are 95 % intervals over persons; points of one "
        "defence with other settings are joined. Upwards: ROUGE-1 recall of answers to the "
        f"corpus's own questions ({retriever}, {generator}). Across: "
    )
    ways = (
        ("exposure", ("-", "-", "audit", "exposure"), "what can be read in the corpus."),
        ("leak", (retriever, generator, HEADLINE, "leak"),
         "what targeted questions and membership brought up; guards count here, too."),
    )  # fmt: skip
    for name, key, what in ways:
        some = []
        for who in defences(results):
            if name == "exposure" and defence(who).stage not in ("corpus", "none"):
                continue
            across = results.figure(who, *key)
            up = results.figure(who, retriever, generator, "questions", "rouge1")
            if who != "no-rag" and across and up and across.value is not None and up.value:
                group = who.partition("[")[0].partition("#")[0]
                at = across.value, up.value
                some.append(Point(who, group, *at, _ends(across), _ends(up)))
        if some:
            chart = points(some, f"{name} (less is safer)", "ROUGE-1 (more is more useful)",
                           f"Each defence by {name} and ROUGE-1 recall")  # fmt: skip
            yield Figure(f"Privacy against utility: {name}", sentence + what, chart)


def _ends(row: ResultRow) -> tuple[float, float] | None:
    return None if row.low is None or row.high is None else (row.low, row.high)


def _coverage(results: Results) -> Iterator[Figure]:
    """Draw what attackers who know nobody see by the number of queries, by attack and defence."""
    retriever, generator = systems(results)[0]
    for key, title, what in (
        ("curve", "Documents seen", "share of documents"),
        ("budget", "Persons given away", "share of persons"),
    ):
        curves: dict[str, Curve] = {}
        for cell, kept in results.cells.items():
            here = (cell.retriever, cell.generator) == (retriever, generator)
            if here and cell.defence in SHOWN and kept["status"] == "done" and key in kept["raw"]:
                curves[f"{cell.attack}, {cell.defence}"] = kept["raw"][key]
        if curves:
            yield Figure(
                f"{title} against number of queries",
                f"{CAPTIONS[key]} ({retriever}, {generator}).",
                lines(curves, "queries", what, f"{title} against queries", top=1.0,
                      logarithmic=True),
            )  # fmt: skip


def _by_known_documents(results: Results) -> Iterator[Figure]:
    """Draw how often the linker finds one more document of a person, by how many it knows."""
    curves: dict[str, Curve] = {
        f"{cell.attack}, {cell.defence}": kept["raw"]["known"]
        for cell, kept in results.cells.items()
        if kept["status"] == "done" and kept["raw"].get("known")
    }
    if curves:
        sentence = "How often the linker finds one more of a person of whom it knows some documents"
        chart = lines(curves, "documents", "share found", sentence, top=1.0)
        yield Figure("Persons found against number of documents", f"{sentence}.", chart)


SHOWN = ("std", "clam", "mask-all")
"""Defences whose curves are drawn, where not all are."""

CAPTIONS = {
    "curve": "Share of the corpus that came into answers of attackers who know nobody",
    "budget": f"Share of persons of whom {MOSTLY_LEAKED:g} or more of the values came into answers "
    "of attackers who know nobody",
}
"""What the curves of a cell show."""


def _holes(results: Results) -> list[UnavailableCells]:
    counts: Counter[tuple[str, str]] = Counter()
    for cell, kept in results.cells.items():
        if kept["status"] != "done":
            reason = str(kept.get("reason", ""))
            made = cell.generator == "llm" and "language model was given" in reason
            name = f"generator {cell.generator}" if made else cell.defence
            status = "" if kept["status"] == "hole" else f"{kept['status']}: "
            counts[name, status + reason] += 1
        elif why := kept["raw"].get("bertscore", {}).get("hole"):
            counts["BERTScore", why] += 1
    return [UnavailableCells(name, n, reason) for (name, reason), n in counts.items()]
