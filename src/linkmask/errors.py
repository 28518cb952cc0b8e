"""Defines the errors that linkmask raises on purpose: what is wrong, where, and what to do.

    LinkmaskError
    ├── UsageError        the user asked for something that can't be (exit status 1)
    │   ├── InputError    a file or folder can't be used as input
    │   ├── OutputError   the output folder can't be written, or is not ours to overwrite
    │   ├── SettingsError a setting is unknown, of the wrong type or out of range
    │   ├── UnknownDocument  an opened run does not hold a document, or holds another text of it
    │   └── MissingExtra  a feature needs an optional package
    ├── ModelError        a language model gave no answer that can be used
    │   ├── BadAnswer         its answers don't meet their schema, after retries
    │   ├── Refused           it declined to answer
    │   ├── NoAnswer          the server failed on this request, after retries
    │   ├── ContextTooLong    the request doesn't fit the model's window
    │   ├── ModelUnavailable  the server answers nobody: not there, wrong key, unknown model
    │   └── BudgetSpent       the requests or tokens that were allowed are spent; resume later
    ├── RunError          a run folder is missing, damaged, or belongs to another input
    ├── TooMuchWork       a document takes more work than `max_work` allows
    ├── WorkerLost        a process that did part of the work is gone
    ├── LossError         a document came in and did not come out (exit status 2)
    └── PolicyError       the work ended, but a limit was not met (exit status 2)

No message holds a value from a document: messages reach logs.
"""

from __future__ import annotations

import difflib
from collections.abc import Collection, Iterable, Sequence


class LinkmaskError(Exception):
    """Root of every error raised on purpose."""


class UsageError(LinkmaskError):
    """What was asked for can't be done; the message says what to do instead."""


class InputError(UsageError):
    """A file or folder can't be used as input."""


class OutputError(UsageError):
    """The output folder can't be written, or holds what must not be overwritten."""


class SettingsError(UsageError):
    """A setting is unknown, of the wrong type, or out of its range."""


class UnknownDocument(UsageError):  # noqa: N818 - named for what was given
    """A run does not hold a document as it was given.

    `documents` names those that are meant: their ids, or their places where an id holds a masked
    value.
    """

    def __init__(self, message: str, documents: Sequence[str] = ()) -> None:
        super().__init__(message, tuple(documents))
        self.documents = tuple(documents)

    def __str__(self) -> str:
        return str(self.args[0])


class MissingExtra(UsageError):  # noqa: N818 - named for what is missing
    """A feature needs an optional package; the message holds the install line."""


class ModelError(LinkmaskError):
    """A language model gave no answer that can be used.

    `stops`: no other request will be answered either, unless it was answered before. `tokens_in`,
    `tokens_out` and `seconds`: what answers cost that could not be used.
    """

    stops = False
    tokens_in = tokens_out = 0
    seconds = 0.0


class BadAnswer(ModelError):  # noqa: N818 - named for what was wrong
    """No answer met its schema, though the model was asked again."""


class Refused(ModelError):  # noqa: N818
    """The model, or a filter of its server, declined to answer."""


class NoAnswer(ModelError):  # noqa: N818
    """The server failed on this request each time: an error of its own, a cut line, a timeout."""


class ContextTooLong(ModelError):  # noqa: N818
    """The request and its answer don't fit the model's window."""


class ModelUnavailable(ModelError):  # noqa: N818
    """The server can't be reached, refuses the key or doesn't know the model; more is not asked."""

    stops = True


class BudgetSpent(ModelError):  # noqa: N818 - named for what happened
    """The requests or tokens that were allowed are spent; what was answered is kept."""

    stops = True


class RunError(LinkmaskError):
    """A run folder is missing, damaged, or belongs to another input."""


class LossError(LinkmaskError):
    """Documents came in that were neither released nor set aside; nothing is released."""


class TooMuchWork(LinkmaskError):  # noqa: N818 - named for what is wrong
    """A document takes more work than `max_work` allows: it is set aside, and the rest goes on."""


class WorkerLost(LinkmaskError):  # noqa: N818 - named for what happened
    """A process that did part of the work was ended from outside, as for want of memory."""


class PolicyError(LinkmaskError):
    """The work ended, but a limit was not met."""


def suggestion(given: str, known: Iterable[str]) -> str:
    """Return "; did you mean 'x'?" where one of the known names is near what was given, or ""."""
    by_case = {name.casefold(): name for name in known}
    near = difflib.get_close_matches(given.casefold(), by_case, n=1)
    return f"; did you mean {by_case[near[0]]!r}?" if near else ""


def unknown_name(what: str, given: str, known: Collection[str], where: str = "") -> str:
    """Say that there is nothing of this name, what there is, and what was likely meant.

    `where`: where it was looked for, such as " in schema insurance".
    """
    return f"no {what} {given!r}{where}; there are: {', '.join(known)}{suggestion(given, known)}"
