"""Writes the tables that describe the defences and attacks of a run."""

from __future__ import annotations

from collections.abc import Iterable

from linkmask.testbench.attacks import ATTACKS
from linkmask.testbench.defences import defence
from linkmask.testbench.page_parts import PageLine, PageTable, ShownFigure
from linkmask.testbench.result_tables import Results


def described(results: Results) -> Iterable[PageTable]:
    """Yield the defences and attacks with their descriptions, queries and costs."""
    grid = results.run["grid"]
    pairs = [(name, defence(name)) for name in grid["defences"]]
    rows = [PageLine(name, [_words(one.stage), _words(one.says)]) for name, one in pairs]
    yield PageTable("Defences", "Where each acts.", ["Defence", "stage", "what it does"], rows)
    counts = results.queries_and_tokens()
    lines = []
    for name in grid["attacks"]:
        one, mine = ATTACKS[name], counts.get(name, {})
        budget = one.budget.replace("QUERIES", str(grid["queries"]))
        keys = ("asked", "refused", "declined", "hidden", "failed", "tokens")
        numbers = [mine.get(key, 0) for key in keys]
        texts = [_words(text) for text in (one.says, one.knows, budget)]
        lines.append(
            PageLine(name, [*texts, *(ShownFigure(f"{number:,.0f}") for number in numbers)])
        )
    heads = ["does", "knows", "queries", "asked", "refused", "declined", "best hidden", "failed",
             "tokens"]  # fmt: skip
    yield PageTable(
        "Attacks",
        "What the attacker knows and may ask; then, on average over the cells that were filled: "
        "queries asked, refused, with the best document hidden, without an answer of the model; "
        "tokens the models read and wrote.",
        ["Attack", *heads],
        lines,
    )


def _words(text: str) -> ShownFigure:
    """Return text, set as such."""
    return ShownFigure(text, tone="words")
