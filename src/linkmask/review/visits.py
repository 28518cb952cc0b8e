"""Lists what changed in a run since a reviewer last signed that they had seen it.

A signed visit is kept as fingerprints: of each document its values, and the digest of its text
where a release knows it; of each value whether it was masked. Names are keyed hashes, so the file
reveals nothing without the run. It stays when the next edition replaces the run.
"""

from __future__ import annotations

from hashlib import blake2b
from typing import NamedTuple

import msgspec
import numpy as np

from linkmask.errors import RunError
from linkmask.review.opened_run import OpenedRun, masked_flags
from linkmask.runs.file_names import RELEASED
from linkmask.runs.file_names import VISITS as NAME

SPREAD = np.uint64(0x9E3779B97F4A7C15)
"""An odd number that spreads the bits of a label, so that sums of labels tell sets apart."""


class Visit(msgspec.Struct, frozen=True):
    """A state of the run as somebody signed it: when, under which plan, after how many log lines.

    `documents`: by keyed hash of the id, a fingerprint of the values, and the digest of the text or
    "". `values`: by label, whether the plan masked the value.
    """

    time: str
    plan: str
    lines: int
    documents: dict[str, tuple[int, str]]
    values: dict[str, bool]


class ChangesSinceVisit(NamedTuple):
    """What changed since a visit: documents and values by number, and how many are gone."""

    visit: Visit
    added: list[int]
    changed: list[int]
    gone: int
    fresh: list[int]
    lost: int
    readable: list[int]
    masked: list[int]

    @property
    def nothing(self) -> bool:
        """Whether the run is as it was."""
        return not any(self[1:])


def visit_now(opened: OpenedRun, time: str, lines: int) -> Visit:
    """Return the state of a run as it is now."""
    flags = masked_flags(opened.plan, opened.incidence.n_entities).tolist()
    return Visit(
        time, opened.digest, lines,
        dict(zip(_hashed(opened), _fingerprints(opened), strict=True)),
        dict(zip(opened.labels, flags, strict=True)),
    )  # fmt: skip


def changes_since(opened: OpenedRun, visit: Visit) -> ChangesSinceVisit:
    """Return what changed in a run since a visit was signed."""
    now = visit_now(opened, "", 0)
    added: list[int] = []
    changed: list[int] = []
    for number, (name, print_) in enumerate(now.documents.items()):
        before = visit.documents.get(name)
        if before is None:
            added.append(number)
        elif before[0] != print_[0] or (before[1] and print_[1] and before[1] != print_[1]):
            changed.append(number)
    fresh: list[int] = []
    readable: list[int] = []
    masked: list[int] = []
    for number, (label, is_masked) in enumerate(now.values.items()):
        was = visit.values.get(label)
        if was is None:
            fresh.append(number)
        elif was != is_masked:
            (masked if is_masked else readable).append(number)
    gone = len(visit.documents.keys() - now.documents.keys())
    lost = len(visit.values.keys() - now.values.keys())
    return ChangesSinceVisit(visit, added, changed, gone, fresh, lost, readable, masked)


def visits_of(opened: OpenedRun) -> dict[str, Visit]:
    """Return the last visit that each reviewer signed.

    Raises:
        RunError: the file is damaged.
    """
    path = opened.run.path / NAME
    try:
        return msgspec.msgpack.decode(path.read_bytes(), type=dict[str, Visit])
    except FileNotFoundError:
        return {}
    except (OSError, msgspec.DecodeError):
        raise RunError(f"{path} is damaged: remove it, and sign your visit anew") from None


def keep_visit(opened: OpenedRun, reviewer: str, visit: Visit) -> None:
    """Keep a visit as its reviewer's last one."""
    opened.run.write(NAME, [msgspec.msgpack.encode({**visits_of(opened), reviewer: visit})])


def _hashed(opened: OpenedRun) -> list[str]:
    salt = opened.incidence.salt
    names = (name.encode("utf-8", "surrogatepass") for name in opened.incidence.documents)
    return [blake2b(name, key=salt, digest_size=8).hexdigest() for name in names]


def _fingerprints(opened: OpenedRun) -> list[tuple[int, str]]:
    """Return for each document a sum over its values, and the digest of its text where known."""
    held = opened.incidence
    label = np.array([int(one, 16) for one in opened.labels], dtype=np.uint64)
    spread = (label + np.uint64(1)) * SPREAD
    running = np.concatenate([np.zeros(1, np.uint64), np.cumsum(spread[held.entity] ** 3)])
    sums = (running[held.start[1:]] - running[held.start[:-1]]).tolist()
    released = opened.run.path / RELEASED
    texts = opened.run.read_json(RELEASED).get("originals", {}) if released.exists() else {}
    return [(one, texts.get(name, "")) for one, name in zip(sums, held.documents, strict=True)]
