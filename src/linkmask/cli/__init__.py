"""The command line: parse, call, print. No logic.

The exit statuses are:

- 0: the work is done, and all risks are under the limits;
- 1: the command or its input is wrong;
- 2: the work is done, but documents were set aside, a limit was not met, or a value is readable
  that the replaced release masked;
- 3: the budget of a language model is spent (the next run continues from there);
- 130: the command was interrupted (the next run continues from there).
"""

from __future__ import annotations

import atexit
import gc
import json
import os
import signal
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path
from typing import Any

import click

from linkmask.cli import bench, check, completion, doctor, generate, policy, recognizers, serve
from linkmask.cli import settings as settings_command
from linkmask.cli.options import (
    ANY,
    CHUNKS,
    DRY_RUN,
    FOLDER,
    MODEL_OPTIONS,
    OUTPUT_OPTIONS,
    PLAN_OPTIONS,
    READ_OPTIONS,
    RELEASE_OPTIONS,
    SETTINGS_OPTIONS,
    STYLE_OPTIONS,
    options,
    overrides_of,
    settings_of,
)
from linkmask.cli.output import (
    as_dict,
    console,
    finish,
    print_cost,
    print_findings,
    print_related,
    print_summary,
    progress_bars,
    say,
)
from linkmask.errors import BudgetSpent, LinkmaskError, LossError, PolicyError, UsageError
from linkmask.report.wording import count
from linkmask.version import __version__

click.UsageError.exit_code = 1  # 2 says that the work was done, but not all of it


class Group(click.Group):
    """Commands in the order of the work; known errors become one line and an exit status."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Keep the order in which the commands are defined."""
        return list(self.commands)

    def invoke(self, ctx: click.Context) -> Any:
        """Run a command; what a user can cause is said without a traceback."""
        _collect_seldom()
        with _ended_by_signals():
            return self._with_status(ctx)

    def _with_status(self, ctx: click.Context) -> Any:
        try:
            return super().invoke(ctx)
        except (LossError, PolicyError) as error:
            say(f"{error}", "yellow")
            ctx.exit(2)
        except BudgetSpent as error:
            say(f"Stopped: {error}. Nothing was released.", "yellow")
            ctx.exit(3)
        except LinkmaskError as error:
            say(f"Error: {error}", "red")
            ctx.exit(1)
        except KeyboardInterrupt as stopped:
            with suppress(OSError):  # the terminal may be gone
                say("Stopped; run the same command to go on from here.")
            ctx.exit(128 + (stopped.args[0] if stopped.args else signal.SIGINT))
        except BrokenPipeError:  # the reader has seen enough
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            ctx.exit(0)
        except OSError as error:
            where = f" ({error.filename})" if error.filename else ""
            say(f"Error: {error.strerror or type(error).__name__}{where}", "red")
            ctx.exit(1)
        finally:
            _let_workers_go()


@contextmanager
def _ended_by_signals() -> Iterator[None]:
    """Take SIGTERM and SIGHUP as Ctrl-C is taken in here: clean up, say so, and go."""

    def stop(number: int, frame: Any) -> None:
        raise KeyboardInterrupt(number)

    taken = []
    for name in ("SIGTERM", "SIGHUP"):
        number = getattr(signal, name, None)
        if number is not None and signal.getsignal(number) is signal.SIG_DFL:  # else: as by nohup
            with suppress(ValueError):  # not in the main thread
                signal.signal(number, stop)
                taken.append(number)
    try:
        yield
    finally:
        for number in taken:
            signal.signal(number, signal.SIG_DFL)


def _let_workers_go() -> None:
    """End the processes that still work: nobody waits for what they do."""
    if workers := sys.modules.get("linkmask.workers"):
        workers.stop()


COLLECT_AFTER = 50_000
"""New objects after which Python looks for garbage in cycles (it does after 700)."""


@cache
def _collect_seldom() -> None:
    """Look for garbage in cycles seldom, and no more at the end: it takes a quarter of a command.

    Nearly all that is looked through are the modules, which stay, and which a process that ends
    need not take apart.
    """
    gc.set_threshold(COLLECT_AFTER)
    atexit.register(gc.freeze)


EXAMPLES = """
\b
Examples:
  linkmask preview claims/ -n 3            show some masked documents
  linkmask mask claims/ -o masked/         mask a corpus
  linkmask explain masked.run --person 76438-Q
  linkmask plan masked.run --theta-chain 0.4
"""


@click.group(cls=Group, epilog=EXAMPLES, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="linkmask")
def main() -> None:
    """Find what identifies persons across documents, and mask a small set of these values.

    linkmask works offline and never changes input files. The run folder holds identifying values
    and is private (mode 0700). Documents, report and summary hold no value that was masked.
    """


DETECTION = "word lists, recognizers and the tagger"
"""What a command that detects loads first."""
RUN = "the run"
"""What a command on a run loads first."""

# ── commands ────────────────────────────────────────────────────────────────────────────────────


@main.command(epilog="\b\nExample: linkmask mask claims/ -o masked/ --style pseudonym --workers 2")
@click.argument("source", metavar="INPUT", type=ANY)
@click.option("-o", "--out", type=FOLDER, required=True, help="Folder to write to.")
@click.option("--run", "run_folder", type=FOLDER, help="Private run folder [OUT.run].")
@click.option(
    "--no-run",
    is_flag=True,
    help="Keep no run folder; explain, plan and unmask then can't be used.",
)
@click.option(
    "--keep-masked", type=FOLDER, metavar="RUN", help="Mask again every value that this run masked."
)
@options(
    SETTINGS_OPTIONS,
    READ_OPTIONS,
    [*MODEL_OPTIONS, DRY_RUN],
    PLAN_OPTIONS,
    STYLE_OPTIONS,
    RELEASE_OPTIONS,
    CHUNKS,
    OUTPUT_OPTIONS,
)
def mask(
    source: Path,
    out: Path,
    run_folder: Path | None,
    no_run: bool,
    keep_masked: Path | None,
    mentions: Path | None,
    overwrite: bool,
    allow_unmet: bool,
    show_values: bool,
    dry_run: bool,
    as_json: bool,
    quiet: bool,
    **given: Any,
) -> None:
    """Mask a corpus: read, detect, score, plan, redact, verify and report.

    INPUT is a folder of JSON or text files, or a JSONL, CSV or Parquet file. OUT will contain
    documents/ (with the same names and shape), report.html and summary.json.
    """
    from linkmask import commands

    if dry_run:
        return print_cost(commands.estimate_files(source, settings_of(given)), as_json)
    with progress_bars(quiet or as_json, DETECTION) as progress:
        audit = commands.mask_files(
            source,
            out,
            settings_of(given),
            mentions=mentions,
            run_folder=run_folder,
            keep_run=not no_run,
            overwrite=overwrite,
            keep_masked=keep_masked,
            show_values=show_values,
            progress=progress,
        )
    kept = None if no_run else run_folder or commands.run_beside(out)
    print_summary(audit, as_json, quiet, out, kept)
    finish(audit, allow_unmet, quiet)


@main.command(epilog="\b\nExample: linkmask scan claims/ -o claims.run")
@click.argument("source", metavar="[INPUT]", type=ANY, required=False)
@click.option("-o", "--out", "run_folder", type=FOLDER, required=True, help="Run folder to create.")
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
    """Detect and score, and mask nothing. With --mentions, INPUT is optional."""
    from linkmask import commands

    if source is None and mentions is None:
        raise UsageError("scan needs an INPUT to detect in, or --mentions FILE")
    if dry_run:
        if source is None:
            raise UsageError("--dry-run needs an INPUT to count")
        return print_cost(commands.estimate_files(source, settings_of(given)), as_json)
    with progress_bars(quiet or as_json, DETECTION) as progress:
        audit = commands.scan_files(
            source,
            run_folder,
            settings_of(given),
            mentions=mentions,
            overwrite=overwrite,
            progress=progress,
        )
    print_summary(audit, as_json, quiet, None)
    finish(audit, allow_unmet=True, quiet=quiet)


@main.command(epilog="\b\nExample: linkmask plan masked.run --theta-chain 0.4 --solver exact")
@click.argument("run_folder", metavar="RUN", type=FOLDER)
@click.option(
    "--mask", "mask", multiple=True, metavar="NAME", help="Mask this value or id, too (repeat)."
)
@click.option(
    "--keep", "keep", multiple=True, metavar="NAME", help="Keep this value or id readable (repeat)."
)
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
    """Choose a plan again from a run, with other limits and without detection (in seconds).

    --mask and --keep overrule the plan for single entities, and later plans keep the decision.
    """
    from linkmask import commands

    with progress_bars(quiet or as_json, RUN) as progress:
        audit = commands.plan_run(
            run_folder, overrides_of(given), mask=mask, keep=keep, progress=progress
        )
    print_summary(audit, as_json, quiet, None)
    finish(audit, allow_unmet, quiet)


@main.command(epilog="\b\nExample: linkmask apply claims.run -o masked/")
@click.argument("run_folder", metavar="RUN", type=FOLDER)
@click.option("-o", "--out", type=FOLDER, required=True, help="Folder to write to.")
@click.option("--input", "source", type=ANY, help="Path of the input, if it moved since.")
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

    with progress_bars(quiet or as_json, DETECTION) as progress:
        audit = commands.apply_run(
            run_folder,
            out,
            overrides_of(given),
            source=source,
            overwrite=overwrite,
            show_values=show_values,
            progress=progress,
        )
    print_summary(audit, as_json, quiet, out)
    finish(audit, allow_unmet, quiet)


@main.command(epilog="\b\nExample: linkmask update masked.run claims/ -o masked/")
@click.argument("run_folder", metavar="RUN", type=FOLDER)
@click.argument("source", metavar="INPUT", type=ANY)
@click.option("-o", "--out", type=FOLDER, required=True, help="Folder that RUN released to.")
@click.option(
    "--recount",
    is_flag=True,
    help="Count anew how many documents hold each value, instead of by the pinned counts.",
)
@click.option("--yes", is_flag=True, help="Do not ask whether --recount shall be done.")
@click.option("--workers", type=click.IntRange(1), help="Processes [all cores].")
@click.option("--key-file", help="File with the key, if neither the run nor LINKMASK_KEY has it.")
@click.option("--allow-unmet", is_flag=True, help="End with status 0 although a limit was not met.")
@options(OUTPUT_OPTIONS)
def update(
    run_folder: Path,
    source: Path,
    out: Path,
    recount: bool,
    yes: bool,
    allow_unmet: bool,
    as_json: bool,
    quiet: bool,
    **given: Any,
) -> None:
    """Release the next edition of a masked corpus, of which some documents changed.

    Documents of INPUT are compared with those that RUN released. Only new and changed documents are
    detected in, and only files whose masked text changes are written again. What an earlier edition
    masked stays masked. --recount says what it changes before anything is masked, and asks.
    """
    from linkmask import commands

    def confirm(effect: Mapping[str, Any]) -> bool:
        from linkmask.report.changes import recount_lines

        for line in [] if quiet else recount_lines(effect):
            say(line)
        return yes or click.confirm("Count anew and release?", err=True)

    with progress_bars(quiet or as_json or recount, DETECTION) as progress:
        audit = commands.update_files(
            run_folder,
            source,
            out,
            overrides_of(given),
            recount=recount,
            confirm=confirm,
            progress=progress,
        )
    print_summary(audit, as_json, quiet, out, commands.run_at(run_folder))
    finish(audit, allow_unmet, quiet)


@main.command(epilog="\b\nExample: linkmask verify masked/")
@click.argument("out", metavar="OUT", type=FOLDER)
@click.option("--run", "run_folder", type=FOLDER, help="Run that wrote OUT [OUT.run].")
@options(OUTPUT_OPTIONS)
def verify(out: Path, run_folder: Path | None, as_json: bool, quiet: bool) -> None:
    """Scan a masked corpus again, and compare it with the run that wrote it."""
    from linkmask import commands

    with progress_bars(quiet or as_json, DETECTION) as progress:
        findings = commands.verify_files(out, run_folder, progress=progress)
    if as_json:
        click.echo(json.dumps([as_dict(finding) for finding in findings], indent=2))
    elif not quiet:
        print_findings(findings)
    if any(finding.blocking for finding in findings):
        raise PolicyError("Verification failed: see the findings above; do not release OUT.")


@main.command(epilog="\b\nExample: linkmask explain masked.run --person 76438-Q")
@click.argument("run_folder", metavar="RUN", type=FOLDER)
@click.option("--entity", help="Explain an entity: its value, id, or beginning of its id.")
@click.option("--document", help="Explain a document, given its id.")
@click.option(
    "--pair", nargs=2, metavar="A B", help="Explain what links two documents, given their ids."
)
@click.option("--person", help="Show what the corpus still says of a person, given a value.")
@click.option("--show-values", is_flag=True, help="Show values, not only ids.")
@click.option("--json", "as_json", is_flag=True, help="Print as JSON.")
def explain(run_folder: Path, as_json: bool, show_values: bool, **question: Any) -> None:
    """Explain an entity, a document, the link of two documents, or what is left of a person."""
    if not as_json:
        say(f"Loading {RUN} …")
    from linkmask import commands

    asked = {name: value for name, value in question.items() if value}
    if len(asked) != 1:
        raise UsageError("ask about one thing: --entity, --document, --pair or --person")
    answer = commands.explain_run(run_folder, **asked, show_values=show_values)
    if as_json:
        click.echo(json.dumps(answer.data, indent=2, ensure_ascii=False))
    else:
        console().print(answer.text, markup=False, highlight=False, soft_wrap=True)


@main.command(epilog="\b\nExample: linkmask review masked.run")
@click.argument("run_folder", metavar="RUN", type=FOLDER)
@click.option("--reviewer", metavar="NAME", help="Name that decisions are logged under [yours].")
@click.option("--no-browser", is_flag=True, help="Print the address only, and open no browser.")
@click.option("--verify-log", is_flag=True, help="Check the log of decisions, and end.")
def review(run_folder: Path, reviewer: str | None, no_browser: bool, verify_log: bool) -> None:
    """Decide about values on a local page, and see what each decision costs.

    The page is served to this machine alone, until you press Ctrl-C. The address that is printed
    works once.
    """
    say(f"Loading {RUN} …")
    from linkmask.review import serving

    if verify_log:
        head = serving.verify_log(run_folder)
        click.echo(f"The log is whole: {count(head.lines, 'line')}, the last hash is {head.hash}")
        return
    serving.serve(run_folder, reviewer, browser=not no_browser, say=click.echo)


@main.command(epilog="\b\nExample: linkmask preview claims/ -n 3")
@click.argument("source", metavar="INPUT", type=ANY)
@click.option("-n", "--number", type=click.IntRange(1), default=3, help="Number of documents [3].")
@options(SETTINGS_OPTIONS, READ_OPTIONS, MODEL_OPTIONS, PLAN_OPTIONS, STYLE_OPTIONS)
def preview(source: Path, number: int, mentions: Path | None, **given: Any) -> None:
    """Show the first documents before and after masking, in the terminal, and write nothing."""
    say(f"Loading {DETECTION} …")
    from linkmask import commands
    from linkmask.report.preview import preview as show

    terminal = console()
    for masked, found in commands.preview_files(
        source, settings_of(given), number, mentions=mentions
    ):
        terminal.print(show(masked, found))


@main.command(epilog="\b\nExample: linkmask unmask masked/ -o restored/")
@click.argument("masked", metavar="OUT", type=FOLDER)
@click.option("-o", "--out", type=FOLDER, required=True, help="Folder to write to.")
@click.option("--run", "run_folder", type=FOLDER, help="Run that wrote OUT [OUT.run].")
@click.option("--key-file", help="File with the key, if neither the run nor LINKMASK_KEY has it.")
@click.option("--overwrite", is_flag=True, help="Replace the content of the folder.")
@click.option("--quiet", is_flag=True, help="Print errors only.")
def unmask(
    masked: Path,
    out: Path,
    run_folder: Path | None,
    key_file: str | None,
    overwrite: bool,
    quiet: bool,
) -> None:
    """Restore the original documents, byte for byte, from pseudonyms and surrogates."""
    from linkmask import commands

    with progress_bars(quiet, RUN) as progress:
        restored = commands.unmask_files(
            masked, out, run_folder, key_file=key_file, overwrite=overwrite, progress=progress
        )
    if not quiet:
        click.echo(f"Restored {count(restored, 'document')} to {out}")


@main.command(epilog="\b\nExample: linkmask forget masked.run --subject 76438-Q")
@click.argument("run_folder", metavar="RUN", type=FOLDER)
@click.option(
    "--subject", multiple=True, required=True, help="A value or id of the person (repeat)."
)
@click.option("--key-file", help="File with the key, if neither the run nor LINKMASK_KEY has it.")
@click.option(
    "--linked", is_flag=True, help="Forget what links the person's documents to others, too."
)
@click.option("--yes", is_flag=True, help="Do not ask before --linked deletes.")
def forget(
    run_folder: Path, subject: tuple[str, ...], key_file: str | None, linked: bool, yes: bool
) -> None:
    """Delete what a run holds of a person, so that it can't be unmasked any more.

    Values that link the person's documents to others are listed, with a command that deletes them;
    with --linked they are deleted, after a question. A certificate in RUN says what was done.
    """
    say(f"Loading {RUN} …")
    from linkmask import commands

    def confirm(due: commands.Forgotten) -> bool:
        asked = (
            f"Forget {count(due.entities, 'entity', 'entities')} in {due.documents:,} documents?"
        )
        return not linked or yes or click.confirm(asked, err=True)

    gone = commands.forget_subject(
        run_folder, subject, key_file=key_file, linked=linked, confirm=confirm
    )
    click.echo(
        f"Forgotten: {count(gone.entities, 'entity', 'entities')}, "
        f"{count(gone.mentions, 'mention')} in {count(gone.documents, 'document')}. "
        "What was released stays as it is; the input is not touched."
    )
    if gone.certificate:
        click.echo(f"Certificate: {gone.certificate}")
    if gone.related:
        print_related(gone.related, run_folder)


main.add_command(serve.serve)
main.add_command(check.check)
main.add_command(policy.policy)
main.add_command(recognizers.recognizers)
main.add_command(bench.bench)
main.add_command(generate.generate)
main.add_command(settings_command.settings)
main.add_command(doctor.doctor)
main.add_command(completion.completion)
