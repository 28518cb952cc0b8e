"""What people see in the terminal: progress bars, the summary table, findings."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING

from linkmask.records import Audit, Finding

if TYPE_CHECKING:
    from rich.console import Group
    from rich.table import Table

Progress = Callable[[str, int, int | None], None]
"""Called with (step, how many are done, how many there are or None where unknown)."""


@contextmanager
def progress(silent: bool) -> Iterator[Progress]:
    """Give a callable that draws one bar per step on stderr; nothing where silent."""
    if silent:
        yield lambda step, done, total: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeElapsedColumn
    from rich.progress import Progress as Bars

    columns = (
        TextColumn("{task.description:<10}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
    )
    with Bars(*columns, console=Console(stderr=True), transient=True) as bars:
        tasks: dict[str, int] = {}

        def show(step: str, done: int, total: int | None) -> None:
            if step not in tasks:
                tasks[step] = bars.add_task(step, total=total)
            bars.update(tasks[step], completed=done, total=total)  # type: ignore[arg-type]

        yield show


def summary(audit: Audit) -> Group:
    """Sum a run up in two small tables: risk before and after, and what was masked."""
    from rich.console import Group

    tables = [_risk_table(audit)]
    if audit.masked:
        tables.append(_masked_table(audit))
    return Group(*tables)


def _risk_table(audit: Audit) -> Table:
    from rich.table import Table

    before, after = audit.risk["before"], audit.risk["after"]
    limits = audit.risk["limits"]
    counts = audit.counts
    title = (
        f"{counts['documents']} documents, {counts['mentions']} mentions "
        f"of {counts['entities']} entities"
    )
    table = Table(title=title, title_justify="left")
    table.add_column("risk")
    table.add_column("before", justify="right")
    if after:
        table.add_column("after", justify="right")
    rows = [(f"documents at or over {limits['theta_doc']:g}", "documents_over"), ("links", "links")]
    for label, key in rows:
        table.add_row(label, str(before[key]), *([str(after[key])] if after else []))
    for level in ("HIGH", "MEDIUM", "LOW"):
        cells = [str(state["levels"].get(level, 0)) for state in (before, after) if state]
        table.add_row(f"{level} chains", *cells)
    return table


def _masked_table(audit: Audit) -> Table:
    from rich.table import Table

    size, counts = audit.masked["size"], audit.counts
    title = (
        f"{counts['masked_entities']} of {counts['entities']} entities masked "
        f"({counts['masked_mentions']} mentions)"
    )
    table = Table(title=title, title_justify="left", caption=_proof(size), caption_justify="left")
    stages = ("floor", "document", "chain")
    table.add_column("masked by type")
    for name in (*stages, "kept"):
        table.add_column(name, justify="right")
    kept = audit.left["by_type"]
    for name in _types(audit):
        row = audit.masked["by_type"].get(name, {})
        cells = [str(row.get(stage, "") or "") for stage in stages]
        table.add_row(name, *cells, str(kept.get(name, "") or ""))
    return table


def _types(audit: Audit) -> list[str]:
    names = list(audit.masked["by_type"])
    return names + [name for name in audit.left["by_type"] if name not in names]


def _proof(size: dict[str, object]) -> str:
    if size["proven"]:
        return f"chain stage: {size['masked']} entities, proven minimal ({size['solver']})"
    bound = f", proven bound {size['lower_bound']}" if size["lower_bound"] else ""
    return f"chain stage: {size['masked']} entities ({size['solver']}{bound})"


def findings_table(findings: Sequence[Finding]) -> Table:
    """List findings by kind: how many, in how many documents, whether they block a release."""
    from rich.table import Table

    table = Table(title="Verification", title_justify="left")
    for column in ("finding", "count", "documents", "blocks release"):
        table.add_column(column)
    for kind in sorted({finding.kind for finding in findings}):
        some = [finding for finding in findings if finding.kind == kind]
        documents = {finding.document for finding in some}
        blocks = "yes" if any(finding.blocking for finding in some) else "no"
        table.add_row(kind, str(len(some)), str(len(documents)), blocks)
    if not findings:
        table.add_row("none", "0", "0", "no")
    return table
