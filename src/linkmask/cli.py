"""The command line: parse, call, print. No logic.

Exit status: 0 done and under policy; 1 wrong use or input; 2 finished, but documents were set
aside or a limit was not met; 3 the budget of a language model is spent, 130 interrupted (the next
run goes on from there).
"""

from __future__ import annotations

import json
import os
import sys
from collections import Counter
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from linkmask import __version__, cli_bench
from linkmask.errors import BudgetSpent, LinkmaskError, PolicyError, SettingsError, UsageError

if TYPE_CHECKING:
    from linkmask.config import Settings
    from linkmask.records import Audit

click.UsageError.exit_code = 1  # 2 says that the work was done, but not all of it

Command = Callable[..., Any]
Options = list[Callable[[Any], Any]]
FOLDER = click.Path(path_type=Path, file_okay=False)
ANY = click.Path(path_type=Path)

# ── options, said once ──────────────────────────────────────────────────────────────────────────

SETTINGS_OPTIONS: Options = [
    click.option("--config", type=ANY, help="TOML file laid over the preset."),
    click.option("--preset", help="insurance (default), thesis, strict, general."),
    click.option("--set", "pairs", multiple=True, metavar="NAME=VALUE", help="Any other setting."),
]
READ_OPTIONS: Options = [
    click.option("--text-field", help="Field or column that holds the text [content]."),
    click.option("--id-field", help="Field or column that holds the id [id]."),
    click.option("--metadata-field", help="Field or column that holds the metadata [metadata]."),
    click.option(
        "--exclude-field",
        "exclude_fields",
        multiple=True,
        help="Metadata key left as it is (repeat) [format].",
    ),
    click.option("--detector", help="embedded (default), patterns, llm or embedded+llm."),
    click.option(
        "--mentions",
        type=ANY,
        help="Mentions of your own detector (JSONL or Parquet) instead of detecting.",
    ),
    click.option("--workers", type=click.IntRange(1), help="Processes [all cores]."),
]
MODEL_OPTIONS: Options = [
    click.option("--llm-url", help="OpenAI-compatible server, as http://127.0.0.1:11434/v1."),
    click.option("--llm-model", help="The model's name on that server."),
    click.option("--llm-budget", help="Stop after 5000 (requests) or 200ktok (tokens); resumable."),
]
DRY_RUN = click.option(
    "--dry-run", is_flag=True, help="Count what a language model would be asked; ask nothing."
)
PLAN_OPTIONS: Options = [
    click.option("--chain-length", type=click.IntRange(2, 4), help="Documents per chain [2]."),
    click.option("--edge-threshold", type=float, help="Weakest link that counts [0.5]."),
    click.option("--theta-doc", type=float, help="Limit of a document's risk [0.95]."),
    click.option("--theta-chain", type=float, help="Limit of a chain's risk [0.5]."),
    click.option("--solver", type=click.Choice(["cover", "greedy", "knapsack", "exact"])),
    click.option("--policy", help="Regulations to keep to: gdpr, hipaa, pci, or own TOML files."),
]
STYLE_OPTIONS: Options = [
    click.option("--style", help="value (default), redact, pseudonym, surrogate, rewrite, …"),
    click.option("--style-for", "styles", multiple=True, metavar="TYPE=STYLE", help="By type."),
    click.option("--scope", type=click.Choice(["documents", "corpus"]), help="Where to mask."),
    click.option("--key-file", help="Key of pseudonyms and of the vault."),
    click.option("--unkeyed", is_flag=True, default=None, help="Guessable; reproduction only."),
    click.option("--seed", type=int, help="Seed of surrogates [0]."),
]
OUTPUT_OPTIONS: Options = [
    click.option("--json", "as_json", is_flag=True, help="Print the summary as JSON."),
    click.option("--quiet", is_flag=True, help="Print errors only."),
]
RELEASE_OPTIONS: Options = [
    click.option("--overwrite", is_flag=True, help="Replace what an earlier run wrote to OUT."),
    click.option("--allow-unmet", is_flag=True, help="Exit 0 though a limit was not met."),
    click.option("--show-values", is_flag=True, help="Show values in the report (private then)."),
]


def options(*groups: Options) -> Callable[[Command], Command]:
    """Decorate a command with groups of options, in reading order."""

    def decorate(command: Command) -> Command:
        for option in reversed([option for group in groups for option in group]):
            command = option(command)
        return command

    return decorate


class Group(click.Group):
    """Commands in the order of the work; known errors become one line and an exit status."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Keep the order in which the commands are defined."""
        return list(self.commands)

    def invoke(self, ctx: click.Context) -> Any:
        """Run a command; what a user can cause is said without a traceback."""
        try:
            return super().invoke(ctx)
        except PolicyError as error:
            _say(f"{error}", "yellow")
            ctx.exit(2)
        except BudgetSpent as error:
            _say(f"Stopped: {error}. Nothing was released.", "yellow")
            ctx.exit(3)
        except LinkmaskError as error:
            _say(f"Error: {error}", "red")
            ctx.exit(1)
        except KeyboardInterrupt:
            _say("Stopped. Nothing was released; run the same command to go on from here.")
            ctx.exit(130)
        except BrokenPipeError:  # the reader has seen enough
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            ctx.exit(0)
        except OSError as error:
            where = f" ({error.filename})" if error.filename else ""
            _say(f"Error: {error.strerror or type(error).__name__}{where}", "red")
            ctx.exit(1)


def _say(text: str, colour: str | None = None) -> None:
    click.secho(text, fg=colour, err=True)


EXAMPLES = """
\b
Examples:
  linkmask preview claims/ -n 3            look before you run
  linkmask mask claims/ -o masked/         the main job
  linkmask explain masked/.run --person 76438-Q
  linkmask plan masked/.run --theta-chain 0.4
"""


@click.group(cls=Group, epilog=EXAMPLES, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="linkmask")
def main() -> None:
    """Find what identifies a person across documents; mask a small set of values that breaks it.

    Works offline. Input files are never changed. The run folder holds identifying values and is
    private (mode 0700); documents, report and summary hold none that was masked.
    """


# ── commands ────────────────────────────────────────────────────────────────────────────────────


@main.command(epilog="\b\nExample: linkmask mask claims/ -o masked/ --style pseudonym --workers 2")
@click.argument("source", metavar="INPUT", type=ANY)
@click.option("-o", "--out", type=FOLDER, required=True, help="Folder to write to.")
@click.option("--run", "run_folder", type=FOLDER, help="Private run folder [OUT/.run].")
@click.option("--no-run", is_flag=True, help="Keep no run folder (no explain, plan, unmask).")
@options(
    SETTINGS_OPTIONS,
    READ_OPTIONS,
    [*MODEL_OPTIONS, DRY_RUN],
    PLAN_OPTIONS,
    STYLE_OPTIONS,
    RELEASE_OPTIONS,
    OUTPUT_OPTIONS,
)
def mask(
    source: Path,
    out: Path,
    run_folder: Path | None,
    no_run: bool,
    mentions: Path | None,
    overwrite: bool,
    allow_unmet: bool,
    show_values: bool,
    dry_run: bool,
    as_json: bool,
    quiet: bool,
    **given: Any,
) -> None:
    """Read, detect, score, plan, redact, verify and report: INPUT to OUT.

    INPUT is a folder of JSON or text files, or a JSONL, CSV or Parquet file. OUT gets documents/
    (same names and shape), report.html and summary.json.
    """
    from linkmask import commands

    if dry_run:
        return _print_cost(commands.estimate_files(source, _settings(given)), as_json)
    with _progress(quiet or as_json) as progress:
        audit = commands.mask_files(
            source,
            out,
            _settings(given),
            mentions=mentions,
            run_folder=run_folder,
            keep_run=not no_run,
            overwrite=overwrite,
            show_values=show_values,
            progress=progress,
        )
    _summary(audit, as_json, quiet, out)
    _finish(audit, allow_unmet, quiet)


@main.command(epilog="\b\nExample: linkmask scan claims/ -o claims.run")
@click.argument("source", metavar="[INPUT]", type=ANY, required=False)
@click.option("-o", "--out", "run_folder", type=FOLDER, required=True, help="Run folder to make.")
@click.option("--overwrite", is_flag=True, help="Replace an earlier run.")
@options(SETTINGS_OPTIONS, READ_OPTIONS, [*MODEL_OPTIONS, DRY_RUN], PLAN_OPTIONS, OUTPUT_OPTIONS)
def scan(
    source: Path | None,
    run_folder: Path,
    mentions: Path | None,
    overwrite: bool,
    dry_run: bool,
    as_json: bool,
    quiet: bool,
    **given: Any,
) -> None:
    """Detect and score only; mask nothing. With --mentions, INPUT may be left out."""
    from linkmask import commands

    if source is None and mentions is None:
        raise UsageError("scan needs an INPUT to detect in, or --mentions FILE")
    if dry_run:
        if source is None:
            raise UsageError("--dry-run needs an INPUT to count")
        return _print_cost(commands.estimate_files(source, _settings(given)), as_json)
    with _progress(quiet or as_json) as progress:
        audit = commands.scan_files(
            source,
            run_folder,
            _settings(given),
            mentions=mentions,
            overwrite=overwrite,
            progress=progress,
        )
    _summary(audit, as_json, quiet, None)
    _finish(audit, allow_unmet=True, quiet=quiet)


@main.command(epilog="\b\nExample: linkmask plan masked/.run --theta-chain 0.4 --solver exact")
@click.argument("run_folder", metavar="RUN", type=FOLDER)
@click.option("--mask", "mask", multiple=True, metavar="NAME", help="Mask this value or id too.")
@click.option("--keep", "keep", multiple=True, metavar="NAME", help="Leave this value or id.")
@options(SETTINGS_OPTIONS, PLAN_OPTIONS, OUTPUT_OPTIONS)
@click.option("--allow-unmet", is_flag=True, help="Exit 0 though a limit was not met.")
def plan(
    run_folder: Path,
    mask: tuple[str, ...],
    keep: tuple[str, ...],
    as_json: bool,
    quiet: bool,
    allow_unmet: bool,
    **given: Any,
) -> None:
    """Choose again from a run, with other limits and without detection (seconds).

    --mask and --keep overrule the choice for single entities; they are remembered.
    """
    from linkmask import commands

    with _progress(quiet or as_json) as progress:
        audit = commands.plan_run(
            run_folder, _overrides(given), mask=mask, keep=keep, progress=progress
        )
    _summary(audit, as_json, quiet, None)
    _finish(audit, allow_unmet, quiet)


@main.command(epilog="\b\nExample: linkmask apply claims.run -o masked/")
@click.argument("run_folder", metavar="RUN", type=FOLDER)
@click.option("-o", "--out", type=FOLDER, required=True, help="Folder to write to.")
@click.option("--input", "source", type=ANY, help="Where the input lies now, if it moved.")
@click.option("--workers", type=click.IntRange(1), help="Processes [all cores].")
@options(MODEL_OPTIONS, STYLE_OPTIONS, RELEASE_OPTIONS, OUTPUT_OPTIONS)
def apply(
    run_folder: Path,
    out: Path,
    source: Path | None,
    overwrite: bool,
    allow_unmet: bool,
    show_values: bool,
    as_json: bool,
    quiet: bool,
    **given: Any,
) -> None:
    """Write masked documents from a run's plan."""
    from linkmask import commands

    with _progress(quiet or as_json) as progress:
        audit = commands.apply_run(
            run_folder,
            out,
            _overrides(given),
            source=source,
            overwrite=overwrite,
            show_values=show_values,
            progress=progress,
        )
    _summary(audit, as_json, quiet, out)
    _finish(audit, allow_unmet, quiet)


@main.command(epilog="\b\nExample: linkmask verify masked/")
@click.argument("out", metavar="OUT", type=FOLDER)
@click.option("--run", "run_folder", type=FOLDER, help="Run that made it [OUT/.run].")
@options(OUTPUT_OPTIONS)
def verify(out: Path, run_folder: Path | None, as_json: bool, quiet: bool) -> None:
    """Scan what was written again, against the run that made it."""
    from linkmask import commands

    with _progress(quiet or as_json) as progress:
        findings = commands.verify_files(out, run_folder, progress=progress)
    if as_json:
        click.echo(json.dumps([_plain(finding) for finding in findings], indent=2))
    elif not quiet:
        _print_findings(findings)
    if any(finding.blocking for finding in findings):
        raise PolicyError("Verification failed: see the findings above; do not release OUT.")


@main.command(epilog="\b\nExample: linkmask explain masked/.run --person 76438-Q")
@click.argument("run_folder", metavar="RUN", type=FOLDER)
@click.option("--entity", help="Id (or its beginning), or value, of an entity.")
@click.option("--document", help="Id of a document.")
@click.option("--pair", nargs=2, metavar="A B", help="Ids of two documents.")
@click.option("--person", help="A value that names a person: what does the corpus still say?")
@click.option("--show-values", is_flag=True, help="Name values, not only ids.")
@click.option("--json", "as_json", is_flag=True, help="Print as JSON.")
def explain(run_folder: Path, as_json: bool, show_values: bool, **question: Any) -> None:
    """Say why an entity was masked or kept, what links two documents, what is left of a person."""
    from linkmask import commands

    asked = {name: value for name, value in question.items() if value}
    if len(asked) != 1:
        raise UsageError("ask about one thing: --entity, --document, --pair or --person")
    answer = commands.explain_run(run_folder, **asked, show_values=show_values)
    if as_json:
        click.echo(json.dumps(answer.data, indent=2, ensure_ascii=False))
    else:
        _console().print(answer.text, markup=False, highlight=False, soft_wrap=True)


@main.command(epilog="\b\nExample: linkmask preview claims/ -n 3")
@click.argument("source", metavar="INPUT", type=ANY)
@click.option("-n", "--number", type=click.IntRange(1), default=3, help="How many documents [3].")
@options(SETTINGS_OPTIONS, READ_OPTIONS, MODEL_OPTIONS, PLAN_OPTIONS, STYLE_OPTIONS)
def preview(source: Path, number: int, mentions: Path | None, **given: Any) -> None:
    """Show the first documents before and after, in the terminal. Writes nothing."""
    from linkmask import commands
    from linkmask.report.preview import preview as show

    console = _console()
    for masked, found in commands.preview_files(
        source, _settings(given), number, mentions=mentions
    ):
        console.print(show(masked, found))


@main.command(epilog="\b\nExample: linkmask unmask masked/ -o restored/ --run masked/.run")
@click.argument("masked", metavar="OUT", type=FOLDER)
@click.option("-o", "--out", type=FOLDER, required=True, help="Folder to write to.")
@click.option("--run", "run_folder", type=FOLDER, help="Run that made it [OUT/.run].")
@click.option("--key-file", help="Key, if it is not in the run or in LINKMASK_KEY.")
@click.option("--overwrite", is_flag=True, help="Replace what stands in the folder.")
@click.option("--quiet", is_flag=True, help="Print errors only.")
def unmask(
    masked: Path,
    out: Path,
    run_folder: Path | None,
    key_file: str | None,
    overwrite: bool,
    quiet: bool,
) -> None:
    """Restore, byte for byte, what pseudonyms and surrogates replaced."""
    from linkmask import commands

    with _progress(quiet) as progress:
        restored = commands.unmask_files(
            masked, out, run_folder, key_file=key_file, overwrite=overwrite, progress=progress
        )
    if not quiet:
        click.echo(f"Restored {restored} documents to {out}")


@main.command(epilog="\b\nExample: linkmask forget masked/.run --subject 76438-Q")
@click.argument("run_folder", metavar="RUN", type=FOLDER)
@click.option("--subject", multiple=True, required=True, help="A value or id of theirs (repeat).")
@click.option("--key-file", help="Key, if it is not in the run or in LINKMASK_KEY.")
def forget(run_folder: Path, subject: tuple[str, ...], key_file: str | None) -> None:
    """Forget a person: what a run holds of theirs is deleted, and can't be unmasked any more."""
    from linkmask import commands

    gone = commands.forget_subject(run_folder, subject, key_file=key_file)
    click.echo(
        f"Forgotten: {gone.entities} entities, {gone.mentions} mentions in {gone.documents} "
        "documents. What was released stays as it is; the input is not touched."
    )


@main.group()
def policy() -> None:
    """Show the regulations that linkmask knows, and check one of your own."""


@policy.command("list")
def policy_list() -> None:
    """List the policies that ship with linkmask."""
    from linkmask import policy as policies

    for table in map(policies.load, policies.names()):
        click.echo(f"{table.name:14}{table.title}")


@policy.command("show", epilog="\b\nExample: linkmask policy show hipaa")
@click.argument("name")
def policy_show(name: str) -> None:
    """Show what a policy demands by type, and where it says so."""
    from linkmask import policy as policies
    from linkmask.report.terminal import rules_table

    table = policies.load(name)
    rows = [(t, r.sensitivity, r.technique, r.citation) for t, r in table.rules.items()]
    click.echo(f"{table.title}\n{table.claim}\n")
    _console().print(rules_table(rows))
    if table.uncovered:
        click.echo(f"\nNothing is said of {', '.join(sorted(table.uncovered))}.")


@policy.command("check", epilog="\b\nExample: linkmask policy check house.toml")
@click.argument("file", type=ANY)
def policy_check(file: Path) -> None:
    """Check a policy file of your own: what is wrong, at which line and key."""
    from linkmask import policy as policies
    from linkmask import schema

    table = policies.load(str(file))
    types = schema.load("regulated").types
    silent = [name for name in types if not table.knows(name)]
    own = sorted((table.rules.keys() | table.uncovered) - set(types))
    click.echo(f"{file} is a policy: {len(table.rules)} rules, priority {table.priority}.")
    if silent:
        _say(f"It says nothing of {', '.join(silent)}: documents with these are set aside.")
    if own:
        _say(f"linkmask has no type {', '.join(own)}: only a schema of your own can.")


main.add_command(cli_bench.bench)
main.add_command(cli_bench.generate)


# ── settings from options ───────────────────────────────────────────────────────────────────────


def _overrides(given: dict[str, Any]) -> dict[str, Any]:
    """Turn the options that were given into settings by name."""
    named = {key: value for key, value in given.items() if value is not None and value != ()}
    pairs = dict(_pair(text, "--set") for text in named.pop("pairs", ()))
    if "styles" in named:
        named["styles"] = dict(_pair(text, "--style-for") for text in named["styles"])
    if "llm_budget" in named:
        from linkmask.llm.budget import parse

        named |= parse(named.pop("llm_budget"))
    return {**pairs, **named}


def _pair(text: str, option: str) -> tuple[str, str]:
    name, equals, value = text.partition("=")
    if not equals:
        raise SettingsError(f"{option} takes NAME=VALUE, not {text!r}")
    return name.strip().replace("-", "_") if option == "--set" else name.strip(), value.strip()


def _settings(given: dict[str, Any]) -> Settings:
    from linkmask.config import load

    overrides = _overrides(given)
    config, preset = overrides.pop("config", None), overrides.pop("preset", None)
    return load(config, preset, overrides)


# ── printing ────────────────────────────────────────────────────────────────────────────────────


def _console() -> Any:
    from rich.console import Console

    return Console(highlight=False)


def _progress(silent: bool) -> Any:
    from linkmask.report.terminal import progress

    return progress(silent)


def _summary(audit: Audit, as_json: bool, quiet: bool, out: Path | None) -> None:
    if as_json:
        click.echo(json.dumps(_plain(audit), indent=2))
    elif not quiet:
        from linkmask.report.terminal import summary

        _console().print(summary(audit))
        if out is not None:
            click.echo(f"\nDocuments: {out / 'documents'}\nReport:    {out / 'report.html'}")


def _print_cost(stages: dict[str, dict[str, int]], as_json: bool) -> None:
    if as_json:
        click.echo(json.dumps(stages, indent=2))
        return
    for stage, cost in stages.items():
        click.echo(
            f"{stage}: {cost['requests']:,} requests, {cost['cached']:,} of them answered before; "
            f"for the rest about {cost['tokens_in']:,} tokens to read, "
            f"at most {cost['tokens_out']:,} to write"
        )
    if "stage2" in stages:
        click.echo("stage2 depends on what stage1 finds: its tokens are a guess.")
    if "rewrite" in stages:
        click.echo("rewrite is counted as if every document held a masked value.")


def _print_findings(findings: list[Any]) -> None:
    from linkmask.report.terminal import findings_table

    _console().print(findings_table(findings))


def _plain(record: Any) -> Any:
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
        f"{said} {len(names)} {'document' if len(names) == 1 else 'documents'}, see the report"
        for key, said in doubts
        if (names := model.get(key))
    ]


def _finish(audit: Audit, allow_unmet: bool, quiet: bool = False) -> None:
    """Leave with status 2 when documents were set aside or a limit was not met."""
    counts, risk = audit.counts, audit.risk
    unmet = risk.get("unmet_documents", 0) + risk.get("unmet_chains", 0)
    blocked = risk["blocked_pairs"]
    dropped = counts["dropped"]
    told = []
    if names := counts["telling_names"] + counts["telling_ids"]:
        told.append(f"{names} file names or document ids hold a masked value: they are kept")
    if fields := counts["untouched_fields"]:
        told.append(f"copied as they are, neither read nor masked: fields {', '.join(fields)}")
    if dropped:
        reasons = ", ".join(f"{n} × {reason}" for reason, n in dropped.items())
        told.append(f"mentions that could not be used: {reasons}")
    if audit.set_aside:
        (reason, n), *more = Counter(item["reason"] for item in audit.set_aside).most_common(2)
        shown = f"{n} × {reason}{', …' if more else ''}"
        told.append(f"set aside: {len(audit.set_aside)} ({shown}): see set-aside.jsonl")
    told += _doubts(audit.model)
    if unmet:
        told.append(f"over their limit: {unmet} documents or chains, listed in plan.json")
    if blocked:
        told.append(f"{blocked:,} pairs of documents were not compared: raise group_budget")
    for line in [] if quiet else told:
        _say(line[:1].upper() + line[1:], "yellow")
    if audit.set_aside or ((unmet or blocked or dropped) and not allow_unmet):
        sys.exit(2)
