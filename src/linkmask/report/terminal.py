"""Prints in the terminal: progress bars, the summary table, findings."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from linkmask.records import Audit, Finding
from linkmask.report.answer_wording import answer_lines
from linkmask.report.audit import stages_shown
from linkmask.report.changes import change_lines
from linkmask.report.editions import edition_lines
from linkmask.report.linker_wording import (
    above_link_limit,
    attacker_lines,
    found_lines,
    mean_and_interval,
    strongest,
)
from linkmask.report.wording import (
    BY_FORMULA,
    ENTITY_WORDS,
    FINDINGS,
    RARE_WORDS,
    STAGE_WORDS,
    WHERE,
    chains_now,
    count,
    detection_caveat,
    harmless_text,
    risk_words,
)

if TYPE_CHECKING:
    from rich.console import Group, RenderableType
    from rich.table import Table
    from rich.text import Text

Progress = Callable[[str, int, int | None], None]
"""Called with (step, how many are done, how many there are or None where unknown)."""


@contextmanager
def progress(silent: bool) -> Iterator[Progress]:
    """Give a callable that draws one bar per step on stderr; nothing where silent."""
    if silent:
        yield lambda step, done, total: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, TextColumn, TimeElapsedColumn, TimeRemainingColumn
    from rich.progress import Progress as Bars

    columns = (
        TextColumn("{task.description:<10}"),
        BarColumn(),
        TextColumn("{task.fields[done]}"),
        TimeElapsedColumn(),
        TextColumn("left"),
        TimeRemainingColumn(compact=True),
    )
    with Bars(*columns, console=Console(stderr=True), transient=True) as bars:
        tasks: dict[str, int] = {}

        def show(step: str, done: int, total: int | None) -> None:
            if step not in tasks:
                tasks[step] = bars.add_task(step, total=total, done="")
            of = "" if total is None else f"/{total:,}"
            bars.update(tasks[step], completed=done, total=total, done=f"{done:,}{of}")  # type: ignore[arg-type]

        yield show


def summary(audit: Audit) -> Group:
    """Sum a run up: a verdict, risk before and after, what was masked. Fits 80 columns."""
    from rich.console import Group
    from rich.text import Text

    checked = bool(audit.verify["checked"])
    lead = [_verdict(audit), *(Text(f" {line}", "dim") for line in detection_caveat(checked))]
    parts: list[RenderableType] = [*lead, *_measured(audit.linkage), Text(), _risk_table(audit)]
    limits, edge = audit.risk["limits"], audit.settings["edge_threshold"]
    parts += [Text(f" {line}", "dim") for line in (*risk_words(limits, edge), *BY_FORMULA)]
    if audit.risk["after"] and (now := chains_now(audit.risk["after"])):
        parts.append(Text(f" the same chains after masking: {now}", "dim"))
    if audit.masked:
        notes = [ENTITY_WORDS, STAGE_WORDS, _proof(audit.masked), *_by_hand(audit.settings)]
        notes += [RARE_WORDS] * (audit.masked["rare_words"]["words"] > 0)
        parts += [Text(), _masked_table(audit), *(Text(f" {line}", "dim") for line in notes)]
    parts += [Text(f" {line}", "dim") for line in answer_lines(audit.answers)]
    if fields := audit.counts["excluded_fields"]:
        names = ", ".join(harmless_text(name, 60) for name in fields)
        parts.append(Text(f" excluded fields, copied as they are: {names}", "dim"))
    if len(audit.counts["formats"]) > 1:
        parts += [Text(), _formats_table(audit.counts["formats"])]
    parts += [Text(f" {line}", "dim") for line in model_lines(audit.model)]
    if len(audit.editions) > 1:
        parts += [Text(f" {line}", "dim") for line in edition_lines(audit.editions)[:2]]
    if lines := change_lines(audit.changed):
        parts += [Text(), *(Text(f" {line}") for line in lines)]
    return Group(*parts)


def model_lines(model: Mapping[str, Any]) -> Iterator[str]:
    """Say what a language model was asked, and what of its answers was not used."""
    if not model:
        return
    cached = f" ({model['cached']:,} cached)" if model["cached"] else ""
    yield (
        f"model: {count(model['requests'], 'request')}{cached}, {model['tokens_in']:,} tokens "
        f"read, {model['tokens_out']:,} written"
    )
    if model["dropped"]:
        reasons = ", ".join(f"{n:,} × {reason}" for reason, n in model["dropped"].items())
        yield f"rows of its answers not used: {reasons}"


def _verdict(audit: Audit) -> Text:
    """Say in two lines what was done and whether it is enough."""
    from rich.text import Text

    counts, risk = audit.counts, audit.risk
    numbers = ", ".join(
        (count(counts["documents"], "document"), count(counts["entities"], "entity", "entities"))
    )
    if not audit.masked:
        return Text.assemble((" Scanned only", "bold"), f": nothing was masked\n {numbers} found")
    unmet, aside = risk["unmet_documents"] + risk["unmet_chains"], counts["set_aside"]
    blocked = risk["blocked_pairs"]
    unmet += len(list(above_link_limit(audit.linkage)))
    word, colour = ("Under the limits", "green") if not unmet else ("Not under the limits", "red")
    if blocked and not unmet:
        word, colour = "Not shown to be under the limits", "red"
    if aside and not counts["documents"]:
        word, colour = "Nothing released", "red"
    more = [f"{count(unmet, 'limit')} not met"] if unmet else []
    more += [f"{count(blocked, 'pair')} not compared"] if blocked else []
    more += [f"{count(aside, 'document')} set aside"] if aside else []
    more += [f"{count(parts, 'part')} left out"] if (parts := counts["parts_left_out"]) else []
    if excluded := audit.verify.get("findings", {}).get("excluded"):
        more.append(f"masked values in excluded fields, {count(excluded, 'time')}")
    if named := counts["leaking_documents"]:
        more.append(f"values in the names of {count(named, 'document')}")
    if counts["released"] and not audit.verify["checked"]:
        more.append("not verified")
    tail = f": {', '.join(more)}" if more else ""
    places = f", {count(counts['masked_mentions'], 'place')}" if counts["masked_mentions"] else ""
    return Text.assemble(
        (f" {word}", f"bold {'yellow' if more and colour == 'green' else colour}"),
        f"{tail}\n {numbers}; {counts['masked_entities']:,} masked{places}",
    )


def _table(*headings: str) -> Table:
    """Begin a light table: words on the left, numbers on the right."""
    from rich import box
    from rich.table import Table

    table = Table(box=box.SIMPLE_HEAD, pad_edge=True, show_edge=False)
    for k, heading in enumerate(headings):
        words = not k or heading == WHY
        table.add_column(heading, justify="left" if words else "right", no_wrap=bool(k))
    return table


def _measured(found: Mapping[str, Any]) -> Iterator[RenderableType]:
    """Yield what attackers find in the release, before all that is computed by formula."""
    from rich.text import Text

    if not found:
        return
    yield Text()
    if "not_measured" in found:
        yield from (Text(f" {line}") for line in found_lines(found))
        return
    table = _table("estimate: what the strongest attacker finds", "before", "after")
    now, was = strongest(found)
    cells = map(mean_and_interval, (was, now))
    rows = "another document of the person", "95 % interval"
    for label, row in zip(rows, zip(*cells, strict=True), strict=True):
        table.add_row(label, *row)
    table.add_row("pairs, probably of one person", "", f"{found['likely']:,}")
    yield table
    yield from (Text(f" {line}", "dim") for line in attacker_lines(found))


def _risk_table(audit: Audit) -> Table:
    before, after = audit.risk["before"], audit.risk["after"]
    states = [before, after] if after else [before]
    table = _table("risk by formula", *("before", "after")[: len(states)])
    limit = audit.risk["limits"]["theta_doc"]
    for label, key in ((f"documents at or over {limit:g}", "documents_over"), ("links", "links")):
        table.add_row(label, *(f"{state[key]:,}" for state in states))
    fitting = audit.singling_out
    states_fitting = ("before", "after")[: len(states)]
    table.add_row(
        f"documents that fit under {fitting['few']} people",
        *(f"{fitting[state]:,}" for state in states_fitting),
    )
    for level in ("HIGH", "MEDIUM", "LOW"):
        table.add_row(
            f"{level} chains", *(f"{state['levels'].get(level, 0):,}" for state in states)
        )
    return table


def _masked_table(audit: Audit) -> Table:
    stages = stages_shown(audit.masked)
    masked, kept = audit.masked["by_type"], audit.left["by_type"]
    table = _table("entities masked", *stages, "kept")
    rows = {
        name: [*(masked.get(name, {}).get(stage, 0) for stage in stages), kept.get(name, 0)]
        for name in [*masked, *(name for name in kept if name not in masked)]
    }
    for name, cells in sorted(rows.items(), key=lambda row: (-sum(row[1]), row[0])):
        table.add_row(name, *(f"{n:,}" if n else "" for n in cells))
    table.add_section()
    table.add_row("all types", *(f"{sum(column):,}" for column in zip(*rows.values(), strict=True)))
    return table


WHY = "most often because"
REASON = 44
"""Characters of a reason in the table of formats: the whole one is in set-aside.jsonl."""


def _formats_table(formats: Mapping[str, Mapping[str, Any]]) -> Table:
    """List what became of the documents by the kind of their files."""
    table = _table("files", "released", "set aside", WHY)
    for kind, told in formats.items():
        why = harmless_text(next(iter(told["reasons"]), ""), REASON)
        numbers = (told["released"], told["set_aside"])
        table.add_row(kind, *(f"{n:,}" if n else "" for n in numbers), why)
    return table


def _by_hand(settings: Mapping[str, Any]) -> Iterator[str]:
    """Say how many entities a person decided on: the table counts them among the others."""
    if masked := settings["always_mask"]:
        yield f"masked by hand or as an earlier run (always_mask): {len(masked):,}"
    if kept := settings["never_mask"]:
        yield f"left by hand (never_mask): {len(kept):,}, counted under kept"


def _proof(masked: Mapping[str, Any]) -> str:
    """Say how many entities the chain stage chose, by which solver, and what is proven of it."""
    size = masked["size"]
    solver = size["solver"]
    sentence = f"chain stage: {count(size['masked'], 'entity', 'entities')}"
    if size["masked"] < masked["by_stage"].get("chain", 0):
        sentence += ", dates of one month counted once"
    if solver == "kept":  # a plan that was kept is applied, nothing is solved
        return f"{sentence}, as the plan has it"
    if size["proven"]:
        return f"{sentence}, proven minimal ({solver})"
    bound = f", at least {size['lower_bound']:,} needed" if size["lower_bound"] else ""
    return f"{sentence} ({solver}{bound})"


def findings_table(findings: Sequence[Finding]) -> Group:
    """List findings by kind: how many, where, whether they block a release, what they mean."""
    from rich.console import Group
    from rich.padding import Padding
    from rich.text import Text

    table = _table("finding", "count", "documents", "blocks release")
    for kind in sorted({finding.kind for finding in findings}):
        some = [finding for finding in findings if finding.kind == kind]
        documents = {finding.document for finding in some}
        blocks = "yes" if any(finding.blocking for finding in some) else "no"
        table.add_row(kind, f"{len(some):,}", f"{len(documents):,}", blocks)
    if not findings:
        table.add_row("none", "0", "0", "no")
        return Group(table)
    kinds = sorted({finding.kind for finding in findings})
    notes = [f"{kind}: {FINDINGS.get(kind, '')}" for kind in kinds]
    if not any(finding.blocking for finding in findings):
        notes.append("None of these blocks the release: look at the documents and judge.")
    lines = (Padding(Text(note, "dim"), (0, 0, 0, 1)) for note in [*notes, WHERE])
    return Group(table, Text(), *lines)


def rules_table(rows: Sequence[Sequence[str]]) -> Table:
    """Return what a policy demands: type, sensitivity, technique, where it says so."""
    from rich.table import Table

    table = Table(box=None, pad_edge=False)
    for heading in ("type", "sensitivity", "technique", "rule"):
        table.add_column(heading)
    for row in rows:
        table.add_row(*row)
    return table
