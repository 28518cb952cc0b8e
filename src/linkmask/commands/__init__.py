"""Does what each command does with INPUT, RUN and OUT.

The method is in `pipeline`. These modules decide where its parts are on the disk, when they are
kept, and which uses are refused. Each function returns plain results for the command line to print.
A command is loaded with what it needs when it is first called for.
"""

from typing import TYPE_CHECKING

from linkmask.lazy_import import lazy_attributes

if TYPE_CHECKING:
    from linkmask.commands.apply import apply_run as apply_run
    from linkmask.commands.check import CorpusChecked as CorpusChecked
    from linkmask.commands.check import check_files as check_files
    from linkmask.commands.decide import decide_run as decide_run
    from linkmask.commands.decide import mark_missed as mark_missed
    from linkmask.commands.doctor import diagnose as diagnose
    from linkmask.commands.forget import Forgotten as Forgotten
    from linkmask.commands.forget import forget_subject as forget_subject
    from linkmask.commands.mask import estimate_files as estimate_files
    from linkmask.commands.mask import mask_files as mask_files
    from linkmask.commands.mask import open_release as open_release
    from linkmask.commands.mask import preview_files as preview_files
    from linkmask.commands.plan import plan_run as plan_run
    from linkmask.commands.recognizer_files import convert_recognizers as convert_recognizers
    from linkmask.commands.recognizer_files import try_recognizers as try_recognizers
    from linkmask.commands.scan import scan_files as scan_files
    from linkmask.commands.unmask import unmask_files as unmask_files
    from linkmask.commands.update import update_files as update_files
    from linkmask.commands.verify import verify_files as verify_files
    from linkmask.masker.explaining import explain_run as explain_run
    from linkmask.runs.run_paths import run_at as run_at
    from linkmask.runs.run_paths import run_beside as run_beside

_HOME = {
    "apply_run": "commands.apply",
    "CorpusChecked": "commands.check",
    "check_files": "commands.check",
    "decide_run": "commands.decide",
    "diagnose": "commands.doctor",
    "mark_missed": "commands.decide",
    "explain_run": "masker.explaining",
    "verify_files": "commands.verify",
    "run_at": "runs.run_paths",
    "run_beside": "runs.run_paths",
    "estimate_files": "commands.mask",
    "mask_files": "commands.mask",
    "preview_files": "commands.mask",
    "open_release": "commands.mask",
    "plan_run": "commands.plan",
    "convert_recognizers": "commands.recognizer_files",
    "try_recognizers": "commands.recognizer_files",
    "scan_files": "commands.scan",
    "Forgotten": "commands.forget",
    "forget_subject": "commands.forget",
    "unmask_files": "commands.unmask",
    "update_files": "commands.update",
}
"""Function → the module it lives in."""

if not TYPE_CHECKING:  # a type checker that saw it would take any name for one of this module
    __getattr__ = lazy_attributes(__name__, _HOME)
