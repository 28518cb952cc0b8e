"""Says how many cores the machine gives this process."""

import os


def usable_cores() -> int:
    """Return how many cores this process may use, at least 1.

    Systems other than Linux don't tell which cores a process is bound to: all of them count there.
    """
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
