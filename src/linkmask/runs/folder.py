"""Makes, opens and resumes the private folder of one run; docs/files.md lists its files."""

from __future__ import annotations

import contextlib
import os
import platform
import time
from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from pathlib import Path
from secrets import token_hex
from typing import Any

import msgspec

from linkmask import schema
from linkmask.config import Settings
from linkmask.errors import RunError
from linkmask.runs.damaged_file import damaged
from linkmask.runs.detected import Detected
from linkmask.runs.file_names import BEGUN, NEXT, OURS, README, RECOGNIZERS, RELEASED, VAULT
from linkmask.runs.locking import recover, take_lock
from linkmask.runs.log import Log
from linkmask.schema import recognizers
from linkmask.version import __version__

DETECTION = (
    "schema", "text_field", "id_field", "metadata_field", "exclude_fields", "encoding",
    "ocr", "max_characters", "max_work",
    "detector", "other_detectors", "detector_digests", "countries", "languages", "relevance",
    "corpus_pass", "filter_strength",
    "type_filter", "top_k", "top_k_by", "merge", "same_thing", "recognizers_digest",
    "rare_terms", "rare_pairs", "rare_nearest", "sentence_model_digest",
    "background", "background_digest", "candidates", "readable_share",
)  # fmt: skip
"""Settings that decide which mentions are found; a run is continued only if they are equal."""

PROMPTED = (
    "llm_model", "llm_lowercase", "llm_dates", "llm_existing", "llm_window", "llm_overlap",
    "llm_failed", "llm_doubted",
)  # fmt: skip
"""Those that matter beside them where a language model detects."""

STAGE1 = "stage1"
"""The log that detection alone writes, and no user's mentions."""
NONE_NAMED = "content"
"""The stored text field of earlier runs where none was named; named ones are stored as a list."""


def new_salt() -> str:
    """Draw the secret of a run, 32 hex digits."""
    return token_hex(16)


class Run(Detected):
    """One run's folder. Made by `create`, `open` or `resume`; use it in a `with`, or `close` it."""

    def __init__(self, path: Path, about: dict[str, Any], lock: int, home: Path) -> None:
        super().__init__(path, home)
        self.about = about
        """The content of run.json."""
        self.completed: dict[str, int] = {}
        """What is to be said of an exchange that a killed command had decided."""
        self._lock = lock

    # ── making and finding ──────────────────────────────────────────────────────────────────────

    @classmethod
    def create(
        cls,
        path: Path,
        settings: Settings,
        *,
        source: Path,
        digest: str,
        given: Mapping[str, Any] | None = None,
        overwrite: bool = False,
        replacing: bool = False,
    ) -> Run:
        """Make a new run folder for the corpus at `source`, whose content has this digest.

        `given` is what the user wrote, as plain data; `settings` what came of it. `replacing`: the
        run at `path` stays until this one takes its place.

        Raises:
            RunError: the folder holds a run already, or something else, or is in use.
        """
        if path.is_symlink():
            raise RunError(f"{path} is a symbolic link: give the folder itself with --run")
        if path.exists() and not path.is_dir():
            raise RunError(f"{path} is not a folder: give another one with --run")
        try:
            home, path = path, path / NEXT if replacing else path
            path.mkdir(mode=0o700, parents=True, exist_ok=True)
            path.chmod(0o700)
            names = {entry.name for entry in path.iterdir()}
        except OSError as error:
            raise RunError(f"can't make the run folder {path}: {error.strerror}") from None
        begun = (replacing or ".lock" in names) and names <= BEGUN
        if names and not begun and not (overwrite and "run.json" in names):
            if "run.json" in names:
                raise RunError(f"{path} holds a run already: give another --run, or --overwrite")
            raise RunError(f"{path} is not empty, and no run: give another folder with --run")
        if RELEASED in names:
            raise RunError(
                f"{path} is the run of a release, and needed to verify and unmask it: give another "
                "folder, or remove it yourself"
            )
        run = cls(path, {}, take_lock(home), home)
        with contextlib.ExitStack() as failing:
            failing.callback(run.close)
            run.tidy()
            for name in sorted(names & set(OURS), key="run.json".__eq__):
                (path / name).unlink()  # run.json last: as long as it stands, the folder is ours
            run.write("README.txt", [README.encode()])
            if settings.recognizers:
                types = schema.load(settings.schema)
                run.write_json(RECOGNIZERS, recognizers.load(settings.recognizers, types))
            run.note(
                linkmask=__version__,
                python=platform.python_version(),
                input={"path": str(source.resolve()), "digest": digest},
                settings={"given": dict(given or {}), "resolved": msgspec.to_builtins(settings)},
                times={"started": _now()},
                salt=new_salt(),
            )
            failing.pop_all()
        return run

    @classmethod
    def open(cls, path: Path, *, write: bool = False, replacing: bool = False) -> Run:
        """Open an existing run, to read it or (with `write`) to go on with it.

        Raises:
            RunError: there is no run, it is damaged or of a version with other settings, or (with
                `write`) another process is on it.
        """
        completed = recover(path)
        home, path = path, path / NEXT if replacing else path
        if not (path / "run.json").is_file():
            raise RunError(f"{path} holds no run: make one with linkmask scan or mask")
        lock = take_lock(home) if write else -1
        run = cls(path, {}, lock, home)
        run.completed = completed.done if completed else {}
        try:
            if write:
                run.tidy()
            run.about = run.read_json("run.json")
            run.source, run.digest, run.settings  # noqa: B018 - all that is relied on is there
        except RunError:
            run.close()
            raise
        except (KeyError, TypeError):
            run.close()
            raise damaged(path / "run.json") from None
        return run

    @classmethod
    def resume(
        cls,
        path: Path,
        settings: Settings,
        *,
        source: Path,
        digest: str,
        given: Mapping[str, Any] | None = None,
        replacing: bool = False,
    ) -> Run:
        """Go on with a run that was interrupted, or make a new one where there is none.

        Raises:
            RunError: the run belongs to another input, version or other detection settings.
        """
        make = partial(
            cls.create, path, settings, source=source, digest=digest, given=given,
            replacing=replacing,
        )  # fmt: skip
        if not ((path / NEXT if replacing else path) / "run.json").is_file():
            return make()
        run = cls.open(path, write=True, replacing=replacing)
        names = (*DETECTION, *(PROMPTED if settings.detection.prompted else ()))
        differs = [n for n in names if getattr(run.settings, n) != getattr(settings, n)]
        reason = ""
        if run.digest != digest:
            reason = "another input (or the input has changed)"
        elif run.about["linkmask"] != __version__:
            reason = f"linkmask {run.about['linkmask']}"
        elif differs:
            reason = f"other settings ({', '.join(differs)})"
        if reason and not run.documents("stage1") and not run.documents():
            run.close()  # nothing was found yet: it ended before it began
            return make(overwrite=True)
        if reason:
            run.close()
            raise RunError(f"{path} was made with {reason}: give another --run, or --overwrite")
        run.note(settings={"given": dict(given or {}), "resolved": msgspec.to_builtins(settings)})
        return run

    def close(self) -> None:
        """Close the folder. The lock also falls when the process ends, however it ends."""
        if self._lock >= 0:
            os.close(self._lock)
            self._lock = -1

    def __enter__(self) -> Run:
        return self

    def __exit__(self, *failure: object) -> None:
        self.close()

    # ── what it knows ───────────────────────────────────────────────────────────────────────────

    @property
    def source(self) -> Path:
        """The input the run was made from."""
        return Path(self.about["input"]["path"])

    @property
    def digest(self) -> str:
        """SHA-256 of the input when the run was made."""
        return str(self.about["input"]["digest"])

    @property
    def settings(self) -> Settings:
        """The settings the run was last used with; an error if they are of another version."""
        return self.settings_from(self.about["settings"]["resolved"])

    def settings_from(self, stored: Mapping[str, Any]) -> Settings:
        """Return settings that were stored in the run.

        Raises:
            RunError: they are of a version of linkmask that has other settings.
        """
        if stored.get("text_field") == NONE_NAMED:
            stored = {**stored, "text_field": ()}
        try:
            return self.with_copies(msgspec.convert(stored, Settings))
        except msgspec.ValidationError:
            made = self.about.get("linkmask", "unknown")
            raise RunError(
                f"{self.path} was made by another version of linkmask ({made}), which had other "
                "settings: go on with that version, or mask the corpus anew into another folder"
            ) from None

    def with_copies(self, settings: Settings) -> Settings:
        """Return settings that read the run's copy of the user's recognizers.

        So the run does not need the files with which it was made.
        """
        if not settings.recognizers:
            return settings
        copy = str(self.path / RECOGNIZERS)
        return msgspec.structs.replace(settings, recognizers=(copy,))

    @property
    def salt(self) -> bytes:
        """The secret by which reports name entities; empty for a run of an earlier version."""
        return bytes.fromhex(self.about.get("salt", ""))

    def log(self, name: str = "mentions") -> Log:
        """Open a log of mentions; see `Detected.log`. The run notes that its corpus was read."""
        self._note_detected(name)
        return super().log(name)

    def _replace(self, name: str, data: Iterable[bytes], sizes: Mapping[str, int]) -> None:
        with self.together():
            self._note_detected(name)
            super()._replace(name, data, sizes)

    def _note_detected(self, log: str) -> None:
        if log == STAGE1 and not self.about.get("detected"):
            self.note(detected=True)

    def has(self, name: str) -> bool:
        """Tell whether a log was begun; see `Detected.has`.

        Raises:
            RunError: the log was removed, or the list of the documents that it covers.
        """
        found = super().has(name)
        if name == STAGE1 and self.about.get("detected") and not found:
            raise damaged(self.path / f"{name}.done.jsonl")
        return found

    def write_vault(self, name: str, lines: Sequence[bytes]) -> None:
        """Write a vault, and note of how many documents, so that a part of it is not taken for it.

        `lines`: one for each document; empty ones are none.
        """
        self.write(name, lines)
        self.note(sealed={name: sum(map(bool, lines))})

    def sealed(self, vault: Path) -> int | None:
        """Return how many documents a vault of this run must hold; None if that is not known."""
        count: int | None = self.about.get("sealed", {}).get(vault.name)
        return count

    def keep_vault(self, release: str) -> None:
        """Keep the vault of the last release under its name, before another takes its place."""
        if (self.path / VAULT).exists():
            self.write(f"{VAULT}-{release}", [(self.path / VAULT).read_bytes()])
            if (count := self.sealed(self.vault_path)) is not None:
                self.note(sealed={f"{VAULT}-{release}": count})

    def vaults(self) -> list[Path]:
        """Return the vaults of all releases, the last one's first."""
        return sorted(self.path.glob(f"{VAULT}*"))

    def vault_of(self, release: str) -> Path:
        """Return the vault of the release whose plan has this digest, or else the last one's."""
        earlier = self.path / f"{VAULT}-{release}"
        return earlier if release and earlier.exists() else self.vault_path

    @property
    def vault_path(self) -> Path:
        """Where redaction keeps what `unmask` needs."""
        return self.path / VAULT

    @property
    def tokens_path(self) -> Path:
        """Where the random codes of style `token` are kept, sealed."""
        return self.home / "tokens"

    @property
    def key_path(self) -> Path:
        """Where the key is made when none is given."""
        return self.home / "key"

    def note(self, **facts: Any) -> None:
        """Add facts to run.json: plain data; a mapping is laid over the one that is there."""
        for name, value in facts.items():
            held = self.about.get(name)
            merge = isinstance(held, dict) and isinstance(value, dict)
            self.about[name] = {**(held or {}), **value} if merge else value
        self.write_json("run.json", self.about)

    def finished(self, step: str) -> None:
        """Note the time at which a step ended."""
        self.note(times={step: _now()})


def _now() -> str:
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
