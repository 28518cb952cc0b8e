"""Finds the run that made a release."""

from __future__ import annotations

import os
from pathlib import Path

from linkmask.errors import UsageError

INSIDE = ".run"
"""Where the run of a release once was kept, inside of OUT."""


def run_beside(out: Path) -> Path:
    """Return where the run of what is released to OUT is kept: in `OUT.run`, beside OUT.

    If OUT is a symbolic link, or is named by dots alone, the folder that it means counts.

    Raises:
        UsageError: nothing can stand beside OUT.
    """
    meant = real_path(out) if out.is_symlink() or out.name in ("", "..") else out
    if not meant.name:
        raise UsageError(f"nothing can stand beside {out}: say with --run where to keep the run")
    return meant.with_name(f"{meant.name}.run")


def run_of(out: Path) -> Path:
    """Return where the run of what was released to OUT is: beside it, or inside as it once was."""
    outside, inside = run_beside(out), out / INSIDE
    old = (inside / "run.json").is_file() and not (outside / "run.json").is_file()
    return inside if old else outside


def run_at(folder: Path) -> Path:
    """Return the run at a folder, or the run of what was released there where an OUT was named."""
    if (folder / "run.json").is_file() or not folder.is_dir():
        return folder
    run = run_of(folder)
    return run if (run / "run.json").is_file() else folder


def real_path(folder: Path) -> Path:
    """Return a path without symbolic links, also where they form a loop."""
    return Path(os.path.realpath(folder))  # `resolve` fails on a loop
