"""The errors linkmask raises on purpose. Messages say what is wrong, where, and the next move.

    LinkmaskError
    ├── UsageError        the user asked for something that can't be (exit status 1)
    │   ├── InputError    a file or folder can't be used as input
    │   ├── OutputError   the output folder can't be written, or is not ours to overwrite
    │   ├── SettingsError a setting is unknown, of the wrong type or out of range
    │   └── MissingExtra  a feature needs an optional package
    ├── RunError          a run folder is missing, damaged, or belongs to another input
    └── PolicyError       the work ended, but a limit was not met (exit status 2)

No message holds a value from a document: messages reach logs.
"""


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


class MissingExtra(UsageError):  # noqa: N818 - named for what is missing
    """A feature needs an optional package; the message holds the install line."""


class RunError(LinkmaskError):
    """A run folder is missing, damaged, or belongs to another input."""


class PolicyError(LinkmaskError):
    """The work ended, but a limit was not met."""
