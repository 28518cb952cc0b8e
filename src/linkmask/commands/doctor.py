"""Reports what is installed here and what it can do, for fault reports and before long runs.

Nothing is sent over the network, and no document is read.
"""

from __future__ import annotations

import hashlib
import importlib.metadata
import os
import re
import shutil
import sys
import tempfile
from base64 import urlsafe_b64encode
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError
from pathlib import Path
from typing import Literal

from linkmask.errors import LinkmaskError
from linkmask.llm.cache import default_path
from linkmask.machine import usable_cores
from linkmask.version import __version__

State = Literal["ok", "note", "wrong"]
PACKAGE = Path(__file__).parents[1]
MODEL = PACKAGE / "detect" / "ner" / "model.npz"
MEMORY = 1 << 30
"""Bytes of free memory below which a large corpus may not fit (docs/results has figures)."""
DISK = 1 << 30
"""Bytes of free disk below which a run may not fit."""


@dataclass(frozen=True, slots=True)
class Diagnosis:
    """One thing that was looked at. `note`: linkmask works, with less; `wrong`: it does not."""

    topic: str
    state: State
    told: str


def diagnose() -> list[Diagnosis]:
    """Check the installation and the machine; see `Diagnosis`."""
    looks: tuple[Callable[[], Iterator[Diagnosis]], ...] = (
        _versions,
        _packages,
        _extras,
        _files,
        _model,
        _settings,
        _cache,
        _machine,
    )
    return [one for look in looks for one in look()]


def _versions() -> Iterator[Diagnosis]:
    python = ".".join(map(str, sys.version_info[:3]))
    yield Diagnosis("linkmask", "ok", f"{__version__} at {PACKAGE}")
    yield Diagnosis("python", "ok", f"{python} ({sys.implementation.name}, {sys.platform})")


def _requirements(extra: str) -> Iterator[tuple[str, str]]:
    """Yield (name, least version) of the packages that linkmask needs, or that an extra does."""
    for line in importlib.metadata.requires("linkmask") or ():
        needed, _, marker = line.partition(";")
        of = re.search(r"extra == ['\"]([\w-]+)['\"]", marker)
        found = re.match(r"([\w.-]+)(?:\[[\w,-]+\])?\s*(?:>=\s*([\w.]+))?", needed)
        if found and (of[1] if of else "") == extra and found[1] != "linkmask":
            yield found[1], found[2] or "0"


def _missing(extra: str) -> list[str]:
    """Return the packages that linkmask or an extra needs and that are missing or too old."""
    return [
        f"{name}>={least}"
        for name, least in _requirements(extra)
        if _numbers(_installed(name)) < _numbers(least)
    ]


def _installed(name: str) -> str:
    try:
        return importlib.metadata.version(name)
    except PackageNotFoundError:
        return ""


def _numbers(version: str) -> list[int]:
    """Return a version as numbers; one that is missing comes before all others."""
    return [int(part) for part in re.findall(r"\d+", version.partition("+")[0])[:3]]


def _packages() -> Iterator[Diagnosis]:
    try:
        needed = list(_requirements(""))
    except PackageNotFoundError:
        yield Diagnosis("packages", "note", "linkmask is not installed, but run from its sources")
        return
    if missing := _missing(""):
        yield Diagnosis("packages", "wrong", f"missing or too old: {', '.join(missing)}")
    else:
        yield Diagnosis("packages", "ok", f"all {len(needed)} that linkmask needs")


def _extras() -> Iterator[Diagnosis]:
    try:
        extras = importlib.metadata.metadata("linkmask").get_all("Provides-Extra") or []
    except PackageNotFoundError:
        return
    for extra in extras:
        if missing := _missing(extra):
            told = f"not installed ({', '.join(missing)}): pip install 'linkmask[{extra}]'"
            yield Diagnosis(f"extra {extra}", "note", told)
        else:
            yield Diagnosis(f"extra {extra}", "ok", "installed")


def _files() -> Iterator[Diagnosis]:
    """Compare the package's files with the digests that its wheel was installed with."""
    try:
        listed = importlib.metadata.files("linkmask") or []
    except PackageNotFoundError:
        listed = []
    ours = [one for one in listed if one.parts[0] == "linkmask" and one.hash is not None]
    if not ours or not Path(str(ours[0].locate())).is_relative_to(PACKAGE):
        yield Diagnosis("files", "note", "run from sources: there are no digests to compare with")
        return
    wrong = [str(one) for one in ours if one.hash and not _is_as_listed(one)]
    if wrong:
        yield Diagnosis("files", "wrong", f"changed since installation: {', '.join(wrong[:5])}")
    else:
        yield Diagnosis("files", "ok", f"{len(ours)} files have the digests of the wheel")


def _is_as_listed(file: importlib.metadata.PackagePath) -> bool:
    path = Path(str(file.locate()))
    if file.hash is None or not path.is_file():
        return False
    digest = hashlib.new(file.hash.mode, path.read_bytes()).digest()
    return urlsafe_b64encode(digest).decode().rstrip("=") == file.hash.value


def _model() -> Iterator[Diagnosis]:
    try:
        from linkmask.detect.ner.model import shipped

        shipped()
        digest = hashlib.sha256(MODEL.read_bytes()).hexdigest()
    except Exception as error:  # whatever is wrong with the file or with numpy
        yield Diagnosis("model", "wrong", f"the trained model can't be loaded ({_kind(error)})")
    else:
        yield Diagnosis("model", "ok", f"the trained model loads, SHA-256 {digest}")


def _kind(error: Exception) -> str:
    return type(error).__name__


def _settings() -> Iterator[Diagnosis]:
    from linkmask.config import SECRETS, load

    given = sorted(name for name in os.environ if name.startswith("LINKMASK_"))
    named = [name for name in given if name not in SECRETS]
    try:
        load()
    except LinkmaskError:
        told = "a variable sets what there is not: linkmask settings check FILE says more"
        yield Diagnosis("settings", "wrong", f"{', '.join(named)}: {told}")
        return
    yield Diagnosis("settings", "ok", f"from the environment: {', '.join(given) or 'none'}")


def _cache() -> Iterator[Diagnosis]:
    try:
        folder = default_path().parent
        written = _writable(folder)
    except (OSError, RuntimeError):
        folder, written = None, False
    if written:
        yield Diagnosis("cache", "ok", f"{folder} can be written to")
    else:
        told = "can't be written to: code and answers of models are made anew each time"
        yield Diagnosis("cache", "note", f"{folder or 'the cache folder'} {told}")


def _writable(folder: Path) -> bool:
    """Tell whether files can be made in a folder, or in what would hold it."""
    while not folder.exists():
        folder = folder.parent
    try:
        with tempfile.TemporaryFile(dir=folder):
            return True
    except OSError:
        return False


def _machine() -> Iterator[Diagnosis]:
    yield Diagnosis("cores", "ok", str(usable_cores()))
    free = _free_memory()
    if free is not None:
        yield Diagnosis("memory", "ok" if free >= MEMORY else "note", f"{_size(free)} free")
    for name, folder in (("temporary files", tempfile.gettempdir()), ("this folder", ".")):
        try:
            left = shutil.disk_usage(folder).free
        except OSError:
            continue
        state: State = "ok" if left >= DISK else "note"
        yield Diagnosis(f"disk, {name}", state, f"{_size(left)} free")


def _free_memory() -> int | None:
    """Return the bytes that this process may still take: the machine's, or its container's."""
    lines = _read("/proc/meminfo").splitlines()
    free = [int(line.split()[1]) * 1024 for line in lines if line.startswith("MemAvailable")]
    most, now = (_read(f"/sys/fs/cgroup/memory.{name}").strip() for name in ("max", "current"))
    if most.isdecimal() and now.isdecimal():
        free.append(max(int(most) - int(now), 0))
    return min(free, default=None)


def _read(path: str) -> str:
    try:
        return Path(path).read_text(encoding="utf-8")
    except OSError:
        return ""


def _size(number: int) -> str:
    return f"{number / (1 << 30):.1f} GiB"
