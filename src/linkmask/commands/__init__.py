"""The commands on files and folders: what each does with INPUT, RUN and OUT.

The method is in `pipeline`; here is where its parts lie on the disk, when they are kept, and what
is refused. Each function returns plain results for the command line to print. A command is loaded
with what it needs when it is first called for.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from linkmask.commands.again import apply_run as apply_run
    from linkmask.commands.again import explain_run as explain_run
    from linkmask.commands.again import verify_files as verify_files
    from linkmask.commands.again import written as written
    from linkmask.commands.places import run_beside as run_beside
    from linkmask.commands.release import estimate_files as estimate_files
    from linkmask.commands.release import mask_files as mask_files
    from linkmask.commands.release import preview_files as preview_files
    from linkmask.commands.release import releasing as releasing
    from linkmask.commands.scores import plan_run as plan_run
    from linkmask.commands.scores import scan_files as scan_files
    from linkmask.commands.undo import Forgotten as Forgotten
    from linkmask.commands.undo import forget_subject as forget_subject
    from linkmask.commands.undo import unmask_files as unmask_files

_HOME = {
    "apply_run": "again",
    "explain_run": "again",
    "verify_files": "again",
    "written": "again",
    "run_beside": "places",
    "estimate_files": "release",
    "mask_files": "release",
    "preview_files": "release",
    "releasing": "release",
    "plan_run": "scores",
    "scan_files": "scores",
    "Forgotten": "undo",
    "forget_subject": "undo",
    "unmask_files": "undo",
}
"""Function → the module it lives in."""


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module 'linkmask.commands' has no attribute {name!r}")
    return getattr(import_module(f"linkmask.commands.{_HOME[name]}"), name)
