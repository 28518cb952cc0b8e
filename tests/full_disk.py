"""A disk that is full: a stand-in for `os.fsync`, as a real one can't be filled in a test."""

import errno
import os
from collections.abc import Callable


def full(after: int) -> Callable[[int], None]:
    """Return an `os.fsync` that says that the disk is full after so many flushed files."""
    fsync, left = os.fsync, [after]

    def refuse(descriptor: int) -> None:
        left[0] -= 1
        if left[0] < 0:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        fsync(descriptor)

    return refuse
