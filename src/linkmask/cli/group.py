"""Groups the commands, and turns errors and signals into a line and an exit status."""

from __future__ import annotations

import atexit
import gc
import os
import signal
import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import cache
from typing import Any

import click

from linkmask.cli.output import say
from linkmask.errors import BudgetSpent, LinkmaskError, LossError, PolicyError

click.UsageError.exit_code = 1  # 2 says that the work was done, but not all of it


class OrderedGroup(click.Group):
    """Commands in the order of the work, each with the whole first sentence of its help."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Keep the order in which the commands are defined."""
        return list(self.commands)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """List each command with the whole first sentence of its help."""
        rows = [(name, one.get_short_help_str(1000)) for name, one in self.commands.items()]
        with formatter.section("Commands"):
            formatter.write_dl(rows)


class Group(OrderedGroup):
    """The command itself; known errors become one line and an exit status."""

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find the command, and refuse an option that is given twice and takes one value.

        The last would win, and the others would do nothing.
        """
        name, command, rest = super().resolve_command(ctx, args)
        if command:
            inner = click.Context(command, info_name=name, parent=ctx)
            _, _, order = command.make_parser(inner).parse_args(list(rest))
            for given, times in Counter(order).items():
                if times > 1 and isinstance(given, click.Option) and _takes_one_value(given):
                    raise click.UsageError(f"{given.opts[0]} takes one value: it is given twice")
        return name, command, rest

    def invoke(self, ctx: click.Context) -> Any:
        """Run a command; errors that a user can cause are printed without a traceback."""
        _collect_seldom()
        _compute_on_one_thread()
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
            what = f"can't use {error.filename}: " if error.filename else ""
            say(f"Error: {what}{error.strerror or type(error).__name__}", "red")
            ctx.exit(1)
        finally:
            _let_workers_go()


def _takes_one_value(option: click.Option) -> bool:
    return not (option.multiple or option.is_flag or option.count)


@contextmanager
def _ended_by_signals() -> Iterator[None]:
    """Handle SIGTERM and SIGHUP like Ctrl-C inside this context: clean up, report and exit."""

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
    if workers := sys.modules.get("linkmask.workers.processes"):
        workers.stop()


COLLECT_AFTER = 250_000
"""New objects after which Python looks for garbage in cycles (it does after 700)."""


@cache
def _collect_seldom() -> None:
    """Collect cyclic garbage seldom, and not at the end, since it takes a quarter of a command.

    Nearly all objects that are visited belong to modules, which stay, and which an ending process
    need not free.
    """
    gc.set_threshold(COLLECT_AFTER)
    atexit.register(gc.freeze)


def _compute_on_one_thread() -> None:
    """Let OpenBLAS, by which NumPy multiplies, use one thread unless the user says otherwise.

    Our matrices are small. Of several threads, most would wait for the others by counting, which
    takes ten times the work itself. NumPy reads the variable when it is imported.
    """
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
