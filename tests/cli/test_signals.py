"""Signals while a command works, and after it."""

import signal

import click
import pytest
from click.testing import CliRunner

from linkmask.cli import main


def test_a_command_takes_signals_while_it_works_and_gives_them_back(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A program that calls the command line in its own process ends by SIGTERM as before."""
    held = []
    invoke = click.Group.invoke

    def watched(self: click.Group, ctx: click.Context) -> object:
        held.append(signal.getsignal(signal.SIGTERM))
        return invoke(self, ctx)

    monkeypatch.setattr(click.Group, "invoke", watched)
    before = signal.signal(signal.SIGTERM, signal.SIG_DFL)
    try:
        CliRunner().invoke(main, ["policy", "list"])
        assert callable(held[0])
        assert signal.getsignal(signal.SIGTERM) is signal.SIG_DFL
    finally:
        signal.signal(signal.SIGTERM, before)
