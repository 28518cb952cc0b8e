"""Defines the error of a cell that can't be computed, with its reason."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from linkmask.errors import SettingsError


class Hole(Exception):  # noqa: N818 - a hole is a result, no error
    """This cell can't be filled; the message is its reason."""


@contextmanager
def holes_are_errors() -> Iterator[None]:
    """Turn holes into errors if nothing else was asked for.

    Raises:
        SettingsError: in place of `Hole`, with its reason.
    """
    try:
        yield
    except Hole as hole:
        raise SettingsError(str(hole)) from None
