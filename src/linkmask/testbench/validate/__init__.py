"""Checks a cluster's file before anything is built from it.

Each check has a name and yields complaints; each may rely on those before it. No complaint holds
a value of the cluster: entities and questions are numbered from 1, documents named by their id.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator

from linkmask.testbench.validate.draft import Check, ClusterDraft
from linkmask.testbench.validate.published import CHECKS, FORMATS
from linkmask.testbench.validate.strict import FORBIDDEN, PROFILES, STRICT, WORDS

__all__ = ["CHECKS", "FORBIDDEN", "FORMATS", "PROFILES", "STRICT", "WORDS", "Check", "ClusterDraft"]


def complaints(draft: ClusterDraft, *, strict: bool | Collection[str] = True) -> Iterator[str]:
    """Yield what is wrong with a cluster as "check: complaint"; stop after the first such check.

    Args:
        strict: make the checks of `STRICT` too, all, none, or those named.
    """
    wanted = (STRICT if strict else ()) if isinstance(strict, bool) else strict
    for name, check in (*CHECKS.items(), *STRICT.items()):
        if name in STRICT and name not in wanted:
            continue
        found = [f"{name}: {complaint}" for complaint in check(draft)]
        yield from found
        if found:
            return
