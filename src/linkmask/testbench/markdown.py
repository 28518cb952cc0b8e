"""Writes the tables of a run that documentation quotes, as Markdown."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from linkmask.testbench.figures import HEADLINE, ResultRow
from linkmask.testbench.result_tables import Results

Column = tuple[str, str, str, str]
"""Head, where it is measured (`texts`, or a retriever and generator as `bm25/parrot`), attack,
measure."""

GIVEN: tuple[Column, ...] = (
    ("exposure", "texts", "audit", "exposure"),
    ("leak", "bm25/parrot", HEADLINE, "leak"),
    ("own questions leak", "bm25/parrot", "questions", "leak"),
    ("rank-1", "texts", "linkage", "rank1"),
    ("ROUGE-1", "bm25/parrot", "questions", "rouge1"),
    ("recall@3", "bm25/parrot", "questions", "recall"),
)
"""Columns for leaks and utility."""
ATTACKED: tuple[Column, ...] = (
    ("random words", "bm25/parrot", "crawl", "leak"),
    ("RAG-Thief-lite", "bm25/parrot", "rag-thief-lite", "leak"),
    ("harmless", "bm25/parrot", "benign", "leak"),
    ("3 known", "bm25/parrot", "ladder", "rung_3"),
    ("S2MIA-lite AUC", "bm25/extractive", "s2mia-lite", "auc"),
    ("rank-1, linker", "texts", "linker", "rank1"),
    ("rank-1, 4 decoys", "texts", "linkage", "rank1_decoys"),
    ("still connected", "texts", "connect", "r_connect"),
)
"""Columns for other attackers."""
GUARDED: tuple[Column, ...] = (
    ("leak, parrot", "lsa/parrot", HEADLINE, "leak"),
    ("leak, extractive", "lsa/extractive", HEADLINE, "leak"),
    ("RAG-Thief-lite", "lsa/parrot", "rag-thief-lite", "leak"),
    ("S2MIA-lite AUC", "lsa/extractive", "s2mia-lite", "auc"),
    ("ROUGE-1, parrot", "lsa/parrot", "questions", "rouge1"),
    ("ROUGE-1, extractive", "lsa/extractive", "questions", "rouge1"),
)
"""The same through `lsa`, where guards at the retrieval act."""


def tables_in_markdown(results: Results) -> str:
    """Return the tables: given away and kept, other attackers, guards, paired differences."""
    parts = [_table(results, columns) for columns in (GIVEN, ATTACKED, GUARDED)]
    return "\n".join([*parts, _differences(results)])


def _table(results: Results, columns: Sequence[Column]) -> str:
    masked = columns is GIVEN
    heads = [*(["entities masked"] if masked else []), *(head for head, *_ in columns)]
    costs = results.costs()
    lines = []
    for name in results.run["grid"]["defences"]:
        cells = [_figure(_found(results, name, column)) for column in columns]
        if any(cell != "–" for cell in cells):
            cost = costs.get(name, {})
            count = f"{cost.get('entities', 0)} of {cost.get('entities_of', 0)}"
            lines.append(_line([f"`{name}`", *([count] if masked else []), *cells]))
    return "\n".join([*_heads(heads), *lines, ""])


def _found(results: Results, name: str, column: Column) -> ResultRow | None:
    _, at, attack, measure = column
    return results.figure(name, *_place(at), attack, measure)


def _place(at: str) -> tuple[str, str]:
    retriever, _, generator = at.partition("/")
    return (retriever, generator) if generator else ("-", "-")


def _differences(results: Results) -> str:
    """Return the paired differences of `clam` and `clam-golden` to their controls."""
    found = {row.key: row for row in results.comparisons()}
    names = list(dict.fromkeys(row.defence for row in found.values()))
    columns = [column for column in GIVEN if column[0] in ("exposure", "leak", "rank-1", "ROUGE-1")]
    lines = []
    for name in names:
        keys = [(name, *_place(at), attack, measure) for _, at, attack, measure in columns]
        lines.append(_line([name, *(_figure(found.get(key), signed=True) for key in keys)]))
    return "\n".join([*_heads([head for head, *_ in columns]), *lines, ""])


def _heads(heads: Sequence[str]) -> Iterator[str]:
    yield _line(["", *heads])
    yield "|" + "---|" * (len(heads) + 1)


def _line(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _figure(row: ResultRow | None, signed: bool = False) -> str:
    if row is None or row.value is None:
        return "–"
    sign, dash = ("+", " … ") if signed else ("", "–")
    text = f"{row.value:{sign}.3f}"
    if row.low is None or row.high is None:
        return text
    return f"{text} ({row.low:{sign}.2f}{dash}{row.high:{sign}.2f})"
