"""Writes the tables of a run's page, from its figures."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence

from linkmask.testbench import attacks
from linkmask.testbench.attacks import BETTER, columns
from linkmask.testbench.attacks.base import ATTACKED, CORPUS
from linkmask.testbench.described_tables import described
from linkmask.testbench.figures import HEADLINE, LIMITS, RISKS, SHIFTS, ResultRow, flagged
from linkmask.testbench.page_parts import PageLine, PageTable, ShownFigure
from linkmask.testbench.result_tables import Results

Find = Callable[..., ResultRow | None]


def systems(results: Results) -> list[tuple[str, str]]:
    """Return the pairs of retriever and generator that hold figures."""
    found = dict.fromkeys(
        (cell.retriever, cell.generator)
        for cell, kept in results.cells.items()
        if cell.retriever != "-" and kept["status"] == "done"
    )
    return list(found) or [("-", "-")]


def figure(row: ResultRow | None, signed: bool = False) -> ShownFigure:
    """Return a figure as it is written, a dash where there is none."""
    if row is None or row.value is None:
        return ShownFigure("–")
    sign = "+" if signed else ""
    more = f"{row.low:{sign}.2f} … {row.high:{sign}.2f}" if row.low is not None else ""
    tone = ""
    if signed and row.low is not None and row.high is not None and row.low * row.high > 0:
        good = BETTER.get(row.measure, 0) * row.value > 0
        tone = "better" if good else "worse"
    return ShownFigure(f"{row.value:{sign}.3f}", more, tone)


def defences(results: Results) -> list[str]:
    """Return the defences that hold figures, in their order."""
    kept = (cell.defence for cell, kept in results.cells.items() if kept["status"] == "done")
    return list(dict.fromkeys(kept))


def tables(results: Results) -> Iterable[PageTable]:
    """Yield the tables of a run, in the order of the page."""
    find = results.figure
    yield _corpus(results, find)
    for table in attacks.tables(system=False):
        if table is not CORPUS:
            yield _measured(results, ("-", "-"), *table, columns(table))
    yield from _systems(results)
    yield from (_compared(results), _kinds(results, find), _by_type(results), _leaked(results))
    yield from _by_risk(results)
    yield from described(results)


def _corpus(results: Results, find: Find) -> PageTable:
    costs = results.costs()
    corpus = columns(CORPUS)
    rows = []
    for name in defences(results):
        cost = costs.get(name, {})
        masked = f"{cost.get('entities', 0)}"
        of = f"of {cost['entities_of']}" if cost.get("entities_of") else ""
        rows.append(
            PageLine(
                name,
                [
                    ShownFigure(masked, of),
                    ShownFigure(f"{cost.get('characters', 0):,}"),
                    *(figure(find(name, "-", "-", a, m)) for _, a, m in corpus),
                    ShownFigure(f"{cost.get('seconds', 0):.1f}"),
                ],
                name.startswith("clam"),
            )
        )
    heads = ["Defence", "entities masked", "characters", *(h for h, _, _ in corpus), "seconds"]
    return PageTable(*CORPUS, heads, rows)


Heads = Sequence[tuple[str, str, str]]


def _systems(results: Results) -> Iterator[PageTable]:
    """Yield what attackers and readers get of each pair of retriever and generator."""
    for at in systems(results):
        for table in attacks.tables(system=True):
            first = [("leak", HEADLINE, "leak")] if table is ATTACKED else []
            title = table.title.format(" and ".join(at))
            yield _measured(results, at, title, table.says, [*first, *columns(table)])


def _measured(
    results: Results, at: tuple[str, str], title: str, says: str, heads: Heads
) -> PageTable:
    """Return a table of measures, without columns and lines that hold none."""
    found = {
        (name, head): results.figure(name, *at, attack, measure)
        for name in defences(results)
        for head, attack, measure in heads
    }
    keys = {key for key, row in found.items() if row is not None and row.value is not None}
    shown = [head for head, _, _ in heads if any(head == other for _, other in keys)]
    rows = [
        PageLine(name, [figure(found[name, head]) for head in shown], name.startswith("clam"))
        for name in defences(results)
        if any(name == other for other, _ in keys)
    ]
    return PageTable(title, says, ["Defence", *shown], rows)


def _compared(results: Results) -> PageTable:
    found = {row.key: row for row in results.comparisons()}
    retriever, generator = systems(results)[0]
    wanted = [
        ("exposure", "-", "-", "audit", "exposure"),
        ("leak", retriever, generator, HEADLINE, "leak"),
        ("rank-1", "-", "-", "linkage", "rank1"),
        ("ROUGE-1", retriever, generator, "questions", "rouge1"),
        ("contains", retriever, generator, "questions", "contains"),
    ]
    names = list(dict.fromkeys(row.defence for row in found.values()))
    rows = [
        PageLine(name, [figure(found.get((name, *key)), signed=True) for _, *key in wanted])  # type: ignore[arg-type]
        for name in names
    ]
    return PageTable(
        "Against choosing as many entities otherwise, and against other settings",
        "Differences over the same persons: below 0 leaks less (exposure, leak, rank-1), above 0 "
        f"answers more (ROUGE-1, contains; {retriever}, {generator}). Coloured where the interval "
        "leaves out 0.",
        ["Pair", *(head for head, *_ in wanted)],
        rows,
    )


def _kinds(results: Results, find: Find) -> PageTable:
    """Show answers by kind of question, as Tables 5.3 to 5.5 of the thesis do."""
    retriever, generator = systems(results)[0]
    at = retriever, generator, "questions"
    names = ("rouge1", "judge", "bertscore")
    wanted = [f"{name} {kind}/{source}" for name in names for kind, source in results.questions]
    rows = [PageLine(name, [figure(find(name, *at, m)) for m in wanted], name.startswith("clam"))
            for name in defences(results)]  # fmt: skip
    kept = [n for n in range(len(wanted)) if any(row.cells[n].text != "–" for row in rows)]
    return PageTable(
        "Answers by kind of question",
        f"{retriever}, {generator}: about the person (specific) or not (general), with one source "
        "or several.",
        ["Defence", *(wanted[n].replace("rouge1", "ROUGE-1") for n in kept)],
        [PageLine(row.name, [row.cells[n] for n in kept], row.own) for row in rows if kept],
    )


def _by_type(results: Results) -> PageTable:
    return _typed(
        list(results.types()),
        "Values that can still be read, by type",
        "Counted over all persons, anywhere in the corpus.",
    )


def _leaked(results: Results) -> PageTable:
    retriever, generator = systems(results)[0]
    return _typed(
        list(results.leaked_types(retriever, generator)),
        "Values that leaked, by type",
        f"By targeted questions and membership together ({retriever}, {generator}), over all "
        "persons: Table B.2 of the thesis.",
    )


def _by_risk(results: Results) -> Iterator[PageTable]:
    """Yield the leak by the persons' level of risk: Figures 5.1 and 5.2 of the thesis."""
    heads = [
        *((f"leak, {risk}", HEADLINE, f"leak {risk}") for risk in RISKS),
        *(
            (f"{risk} above {limit + shift:.1f}", HEADLINE, flagged(risk, shift))
            for risk, limit in LIMITS.items()
            for shift in SHIFTS
        ),
    ]
    sentence = (
        "Mean leak of the persons of each level of risk, by targeted questions and membership "
        "together, and the share of them whose leak is above a limit: the limits of the thesis "
        "(HIGH 0.6, MEDIUM 0.8), and 0.1 below and above them."
    )
    for at in systems(results):
        yield _measured(
            results, at, f"Leak by level of risk through {' and '.join(at)}", sentence, heads
        )


def _typed(found: Sequence[tuple[str, str, int, int]], title: str, says: str) -> PageTable:
    names = list(dict.fromkeys(d for d, *_ in found))
    total = {kind: of for _, kind, _, of in found}
    readable = {(d, kind): n for d, kind, n, _ in found}
    rows = [
        PageLine(
            "in the corpus", [ShownFigure(str(n)) for n in (*total.values(), sum(total.values()))]
        )
    ]
    for name in names:
        counts = [readable[name, kind] for kind in total]
        rows.append(
            PageLine(
                name, [ShownFigure(str(n)) for n in (*counts, sum(counts))], name.startswith("clam")
            )
        )
    heads = ["Defence", *(kind.replace("_", " ").lower() for kind in total), "all"]
    return PageTable(title, says, heads, rows if names else [])
