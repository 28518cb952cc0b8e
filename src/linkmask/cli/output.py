"""Prints tables for people, JSON for programs, and warnings on stderr."""

from __future__ import annotations

import json
import sys
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from linkmask.report.wording import count, names_hold_values

if TYPE_CHECKING:
    from linkmask.records import Audit


DETECTION = "word lists, recognizers and the tagger"
"""What a command that detects loads first."""
RUN = "the run"
"""What a command on a run loads first."""


WHOLE_ROW = 1000
"""Columns of a console without a terminal: more than any row of a policy has."""


def say(text: str, colour: str | None = None) -> None:
    """Print a line on stderr."""
    click.secho(text, fg=colour, err=True)


def console(whole: bool = False) -> Any:
    """Return rich's console for stdout; with `whole`, rows are not cut in a pipe or file."""
    from rich.console import Console

    to_terminal = Console(highlight=False)
    if whole and not to_terminal.is_terminal:
        return Console(highlight=False, width=WHOLE_ROW)
    return to_terminal


def progress_bars(silent: bool, loading: str) -> Any:
    """Return a context whose value draws progress bars on stderr, or none.

    A message about loading comes first, before slow imports.
    """
    if not silent:
        say(f"Loading {loading} …")
    from linkmask.report.terminal import progress

    return progress(silent)


def print_summary(
    audit: Audit, as_json: bool, quiet: bool, out: Path | None, run: Path | None = None
) -> None:
    """Print what was done, as a table or as JSON, and where it and its run lie."""
    if as_json:
        click.echo(json.dumps(as_dict(audit), indent=2))
    elif not quiet:
        from linkmask.report.terminal import summary

        console().print(summary(audit))
        if out is not None:
            click.echo(f"\nDocuments: {out / 'documents'}\nReport:    {out / 'report.html'}")
        if run is not None:
            click.echo(f"Run:       {run} (private: it holds what was masked)")


def print_cost(stages: dict[str, dict[str, int]], as_json: bool) -> None:
    """Print what a language model would be asked, by stage."""
    if as_json:
        click.echo(json.dumps(stages, indent=2))
        return
    for stage, cost in stages.items():
        click.echo(
            f"{stage}: {count(cost['requests'], 'request')}, {cost['cached']:,} of them answered "
            f"before; for the rest about {count(cost['tokens_in'], 'token')} to read, "
            f"at most {cost['tokens_out']:,} to write"
        )
    if "stage2" in stages:
        click.echo("stage2 depends on what stage1 finds: its tokens are a guess.")
    if "rewrite" in stages:
        click.echo("rewrite is counted as if every document held a masked value.")


def print_findings(findings: list[Any]) -> None:
    """Print what verification found."""
    from linkmask.report.terminal import findings_table

    console().print(findings_table(findings))


def print_related(related: Sequence[Any], run_folder: Path) -> None:
    """Print entities that link a forgotten person's documents to others; how to forget them."""
    head = count(len(related), "entity links", "entities link")
    click.echo(f"\nNot forgotten: {head} these documents to others, maybe of the same person.")
    for one in related:
        where = count(one.documents, "document")
        click.echo(f"  {one.type} {one.entity} in {where}")
    every = " ".join(f"--subject {one.entity}" for one in related)
    click.echo(
        f"To forget all of it, with every document it stands in:\n"
        f"  linkmask forget {run_folder} {every}"
    )


def as_dict(record: Any) -> Any:
    """Return a record as what JSON can hold."""
    from dataclasses import asdict

    return asdict(record)


def _doubts(model: Mapping[str, Any]) -> list[str]:
    """Say which documents a language model left in doubt."""
    doubts = (
        ("review", "review: the model found far less than patterns see in"),
        ("embedded_only", "no answer of the model, embedded detection only:"),
        ("left_in_value", "no good rewriting, left in style value:"),
    )
    return [
        f"{said} {count(len(names), 'document')}, see the report"
        for key, said in doubts
        if (names := model.get(key))
    ]


def finish(audit: Audit, allow_unmet: bool, quiet: bool = False) -> None:
    """Leave with status 2 when documents were set aside, a limit was not met, or a mask is gone."""
    counts, risk = audit.counts, audit.risk
    unmet = risk.get("unmet_documents", 0) + risk.get("unmet_chains", 0)
    blocked = risk["blocked_pairs"]
    dropped = counts["dropped"]
    notes = []
    if named := counts["leaking_documents"]:
        notes.append(names_hold_values(named))
    if ids := counts["unknown_ids"]:
        notes.append(f"named by always_mask or never_mask, but in no document: {count(ids, 'id')}")
    if excluded := audit.verify.get("findings", {}).get("excluded"):
        notes.append(f"excluded fields hold masked values: {count(excluded, 'time')}, see verify")
    if dropped:
        reasons = ", ".join(f"{n} × {reason}" for reason, n in dropped.items())
        notes.append(f"mentions that could not be used: {reasons}")
    if audit.set_aside:
        (reason, n), *more = Counter(item["reason"] for item in audit.set_aside).most_common(2)
        shown = f"{n} × {reason}{', …' if more else ''}"
        notes.append(f"set aside: {len(audit.set_aside)} ({shown}): see set-aside.jsonl")
    notes += _doubts(audit.model)
    if unmet:
        over = count(unmet, "document or chain", "documents or chains")
        notes.append(f"over their limit: {over}, listed in plan.json")
    readers = audit.changed.get("readers", {})
    shown = readers.get("documents", 0) + readers.get("chains", 0)
    if shown:
        over = count(shown, "document or chain", "documents or chains")
        notes.append(f"over their limit with earlier editions: {over}; withdraw these editions")
    linked = audit.linkage.get("over", 0)
    if linked:
        notes.append(
            f"above the limit for linking, {audit.linkage['limit']:g}: "
            f"{count(linked, 'document')}, listed in linkage.json of the run"
        )
    if blocked:
        notes.append(f"not compared: {count(blocked, 'pair')} of documents; raise group_budget")
    lost = [row for row in audit.changed.get("readable", ()) if not row["by_hand"]]
    lost = lost if audit.changed.get("since") == "release" else []
    if lost:
        notes.append(
            f"readable now, masked in the release before: {count(len(lost), 'entity', 'entities')}."
            " linkmask plan RUN --mask ID and apply mask them again; mask --keep-masked RUN keeps"
            " what a run masked"
        )
    for line in [] if quiet else notes:
        say(line[:1].upper() + line[1:], "yellow")
    bad = unmet or shown or linked or blocked or dropped or lost or excluded or named
    if audit.set_aside or (bad and not allow_unmet):
        sys.exit(2)
