"""The commands on files and folders: what each does with INPUT, RUN and OUT.

The method is in `pipeline`; here is where its parts lie on the disk, when they are kept, and what
is refused. Each function returns plain results for the command line to print.
"""

from linkmask.commands.again import apply_run, explain_run, plan_run, verify_files, written
from linkmask.commands.release import (
    estimate_files,
    mask_files,
    preview_files,
    releasing,
    scan_files,
)
from linkmask.commands.undo import Forgotten, forget_subject, unmask_files

__all__ = [
    "Forgotten",
    "apply_run",
    "estimate_files",
    "explain_run",
    "forget_subject",
    "mask_files",
    "plan_run",
    "preview_files",
    "releasing",
    "scan_files",
    "unmask_files",
    "verify_files",
    "written",
]
