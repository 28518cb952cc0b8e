"""The private folder of one run over one corpus (DESIGN §3).

RUN/            0700, files 0600
├── README.txt           what this is, and that it holds identifying values
├── run.json             versions, input digest, settings as given and as resolved, times
├── stage1.jsonl         mentions of the first pass, in input order
├── mentions.jsonl       mentions of the whole detection, in input order
├── *.done.jsonl         which documents the file beside it is complete for
├── risk.json, plan.json name entities by id
└── vault, key           made by redaction
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import platform
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from types import TracebackType
from typing import Any

import msgspec

from linkmask import __version__
from linkmask.config import Settings
from linkmask.errors import RunError
from linkmask.records import Mention, MentionTable
from linkmask.runs.mentions import chunks, encode, mention_table, read_mentions

DETECTION = (
    "schema", "text_field", "id_field", "metadata_field", "exclude_fields", "max_characters",
    "detector", "countries", "languages", "context_pass", "filter_strength", "type_filter",
    "top_k", "top_k_by", "merge", "same_thing",
)  # fmt: skip
"""Settings that decide which mentions are found: a run is continued only where these agree."""

LOGS = ("stage1", "mentions")
OURS = (
    "README.txt", "run.json", "risk.json", "plan.json", "vault", "key", "mentions.parquet", ".lock",
    "risk-documents.parquet", "risk-links.parquet", "risk-entities.parquet", "released.json",
    "plan-masked.parquet", "plan-documents.parquet", "plan-chains.parquet",
    *(f"{log}{end}" for log in LOGS for end in (".jsonl", ".done.jsonl")),
)  # fmt: skip
"""Names a run makes. Nothing else in its folder is ever removed."""

README = """\
This folder belongs to a run of linkmask. It holds identifying values of the masked documents:
the mentions that were found, and what is needed to undo the masks. Keep it private, back it up
only where the original documents may lie, and delete it when nobody has to explain or undo the
run any more. The masked documents do not need it.
"""

BATCH = 500
"""Documents after which a log is made durable; sooner after `SECONDS` or `BYTES`."""
SECONDS = 5.0
BYTES = 4 << 20


class Run:
    """One run's folder. Made by `create`, `open` or `resume`; use it in a `with`, or `close` it."""

    def __init__(self, path: Path, about: dict[str, Any], lock: int) -> None:
        self.path = path
        self.about = about
        """The content of run.json."""
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
    ) -> Run:
        """Make a new run folder for the corpus at `source`, whose content has this digest.

        `given` is what the user wrote, as plain data; `settings` what came of it.

        Raises:
            RunError: the folder holds a run already, or something else, or is in use.
        """
        if path.is_symlink():
            raise RunError(f"{path} is a symbolic link: give the folder itself")
        try:
            path.mkdir(mode=0o700, parents=True, exist_ok=True)
            path.chmod(0o700)
            names = {entry.name for entry in path.iterdir()}
        except OSError as error:
            raise RunError(f"can't make the run folder {path}: {error.strerror}") from None
        if names - {".lock"} and not (overwrite and "run.json" in names):
            what = "holds a run already" if "run.json" in names else "is not empty"
            raise RunError(f"{path} {what}: give another --run folder, or --overwrite")
        run = cls(path, {}, _lock(path))
        for name in names & (set(OURS) - {".lock"}):
            (path / name).unlink()
        run.write("README.txt", [README.encode()])
        run.note(
            linkmask=__version__,
            python=platform.python_version(),
            input={"path": str(source.resolve()), "digest": digest},
            settings={"given": dict(given or {}), "resolved": msgspec.to_builtins(settings)},
            times={"started": _now()},
        )
        return run

    @classmethod
    def open(cls, path: Path, *, write: bool = False) -> Run:
        """Open an existing run, to read it or (with `write`) to go on with it.

        Raises:
            RunError: there is no run, it is damaged, or (with `write`) another process is on it.
        """
        if not (path / "run.json").is_file():
            raise RunError(f"{path} holds no run: make one with linkmask scan or mask")
        lock = _lock(path) if write else -1
        run = cls(path, {}, lock)
        try:
            run.about = run.read_json("run.json")
            run.source, run.digest, run.settings  # noqa: B018 - all that is relied on is there
        except (KeyError, TypeError, RunError):
            run.close()
            raise RunError(f"{path}/run.json is damaged: start a new run") from None
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
    ) -> Run:
        """Go on with a run that was interrupted, or make a new one where there is none.

        Raises:
            RunError: the run belongs to another input, version or other detection settings.
        """
        if not (path / "run.json").is_file():
            return cls.create(path, settings, source=source, digest=digest, given=given)
        run = cls.open(path, write=True)
        differs = [n for n in DETECTION if getattr(run.settings, n) != getattr(settings, n)]
        reason = ""
        if run.digest != digest:
            reason = "another input (or the input has changed)"
        elif run.about["linkmask"] != __version__:
            reason = f"linkmask {run.about['linkmask']}"
        elif differs:
            reason = f"other settings ({', '.join(differs)})"
        if reason:
            run.close()
            raise RunError(f"{path} was made with {reason}: give another --run, or --overwrite")
        run.note(settings={"given": dict(given or {}), "resolved": msgspec.to_builtins(settings)})
        return run

    def close(self) -> None:
        """Let go of the folder. The lock also falls when the process ends, however it ends."""
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
        """The settings the run was last used with."""
        try:
            return msgspec.convert(self.about["settings"]["resolved"], Settings)
        except msgspec.ValidationError:
            raise RunError(f"{self.path}/run.json holds settings of another version") from None

    @property
    def vault_path(self) -> Path:
        """Where redaction keeps what `unmask` needs."""
        return self.path / "vault"

    @property
    def key_path(self) -> Path:
        """Where the key is made when none is given."""
        return self.path / "key"

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

    # ── files written whole ─────────────────────────────────────────────────────────────────────

    def write(self, name: str, chunks: Iterable[bytes]) -> None:
        """Write a file whole or not at all, readable by its owner only.

        Raises:
            RunError: the disk is full, or can't be written.
        """
        partial = self.path / f".{name}.partial"
        try:
            partial.unlink(missing_ok=True)
            with os.fdopen(_private(partial, os.O_EXCL), "wb") as handle:
                for chunk in chunks:
                    handle.write(chunk)
                handle.flush()
                os.fsync(handle.fileno())
            partial.replace(self.path / name)
        except OSError as error:
            with contextlib.suppress(OSError):
                partial.unlink(missing_ok=True)
            raise RunError(f"can't write {self.path / name}: {error.strerror}") from None

    def write_json(self, name: str, data: Any) -> None:
        """Write plain data or structs as JSON, whole or not at all."""
        self.write(name, [msgspec.json.encode(data)])

    def read_json(self, name: str) -> Any:
        """Read a JSON file of the run.

        Raises:
            RunError: it is missing or damaged.
        """
        try:
            return msgspec.json.decode((self.path / name).read_bytes())
        except FileNotFoundError:
            raise RunError(
                f"{self.path} holds no {name}: the step that makes it has not run"
            ) from None
        except (OSError, msgspec.DecodeError, RecursionError):
            raise RunError(f"{self.path / name} is damaged: start a new run") from None

    # ── mentions ────────────────────────────────────────────────────────────────────────────────

    def log(self, name: str = "mentions") -> Log:
        """Open a log of mentions (`stage1` or `mentions`) to append to, where it was left."""
        return Log(self.path, name)

    def has(self, name: str) -> bool:
        """Tell whether a log (`stage1`, `mentions`) was begun; an adopted file is none."""
        return (self.path / f"{name}.done.jsonl").exists()

    def documents(self, name: str = "mentions") -> list[str]:
        """Ids of the documents a log is complete for, in input order, also without mentions."""
        return [d for batch in _batches(self.path / f"{name}.done.jsonl") for d in batch.documents]

    def mentions(self, name: str = "mentions") -> Iterator[Mention]:
        """Yield the mentions of a log in input order."""
        return read_mentions(self._file(name))

    def by_document(self, name: str = "mentions") -> Iterator[tuple[str, list[Mention]]]:
        """Yield each document a log covers with its mentions there, in the log's order."""
        mentions = self.mentions(name)
        ahead = next(mentions, None)
        for document in self.documents(name):
            found = []
            while ahead is not None and ahead.document == document:
                found.append(ahead)
                ahead = next(mentions, None)
            yield document, found

    def mention_table(
        self,
        type_of: Callable[[str], str | None],
        normalize: Callable[[str, str], str] | None = None,
        name: str = "mentions",
    ) -> tuple[MentionTable, dict[str, int]]:
        """Read a log as columns over all its documents; see `linkmask.runs.mention_table`."""
        covered = self.documents(name)
        return mention_table(self._file(name), type_of, normalize, documents=covered or None)

    def adopt(self, mentions: Path) -> None:
        """Take a mentions file as this run's own, where there is no corpus to read it against.

        Raises:
            InputError: the file can't be read.
            RunError: it can't be copied.
        """
        name = "mentions.parquet" if mentions.suffix.lower() == ".parquet" else "mentions.jsonl"
        self.write(name, chunks(mentions))

    def _file(self, name: str) -> Path:
        """Return the file that holds a log, or that was adopted in its place."""
        adopted = self.path / f"{name}.parquet"
        return adopted if adopted.exists() else self.path / f"{name}.jsonl"


class Batch(msgspec.Struct):
    """A line of a `.done.jsonl`: up to byte `size` the log is complete for these documents too."""

    documents: list[str]
    size: int
    complete: bool = False


class Log:
    """Mentions appended document by document; a killed run loses at most the last batch.

    The mentions of a batch are made durable first, then one line saying which documents they
    cover. On opening, whatever follows the last covered byte is cut off, so a torn line or a
    half-written batch never counts. `done` holds the ids covered so far, in order.
    """

    def __init__(self, folder: Path, name: str) -> None:
        self.path = folder / f"{name}.jsonl"
        self._covered = folder / f"{name}.done.jsonl"
        batches = list(_batches(self._covered))
        self.done = dict.fromkeys(d for batch in batches for d in batch.documents)
        self.complete = bool(batches) and batches[-1].complete
        self._size = batches[-1].size if batches else 0
        self._out = _private(self.path, 0)
        self._marks = _private(self._covered, 0)
        if os.fstat(self._out).st_size < self._size:
            self.close()
            raise RunError(f"{self.path} is damaged (shorter than it was): start a new run")
        os.ftruncate(self._out, self._size)
        os.lseek(self._out, self._size, os.SEEK_SET)
        os.ftruncate(self._marks, sum(len(_line(batch)) for batch in batches))
        os.lseek(self._marks, 0, os.SEEK_END)
        self._documents: list[str] = []
        self._pending = bytearray()
        self._since = time.monotonic()

    def add(self, document: str, mentions: Iterable[Mention]) -> None:
        """Append all mentions of one document, which counts as done even if there are none."""
        if document in self.done:
            raise RunError("a document was logged twice: ids must be unique in a run")
        self.done[document] = None
        self._documents.append(document)
        for mention in mentions:
            self._pending += encode(mention)
        late = time.monotonic() - self._since > SECONDS
        if late or len(self._documents) >= BATCH or len(self._pending) >= BYTES:
            self._settle()

    def finish(self) -> None:
        """Say that the corpus is through: `complete` from now on."""
        self._settle(complete=True)

    def _settle(self, complete: bool = False) -> None:
        """Make the batch durable: its mentions, then the line that covers them."""
        if self._documents or complete != self.complete:
            self._size += len(self._pending)
            _append(self._out, self._pending, self.path)
            _append(self._marks, _line(Batch(self._documents, self._size, complete)), self._covered)
            self.complete = complete
        self._documents, self._pending = [], bytearray()
        self._since = time.monotonic()

    def close(self) -> None:
        """Close the files; what was added since the last batch is dropped."""
        for descriptor in (self._out, self._marks):
            if descriptor >= 0:
                os.close(descriptor)
        self._out = self._marks = -1

    def __enter__(self) -> Log:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        at: TracebackType | None,
    ) -> None:
        """Keep whole documents also when the work broke off, unless writing itself failed."""
        if not isinstance(error, RunError) and not self.complete:
            self._settle()
        self.close()


def _line(batch: Batch) -> bytes:
    return msgspec.json.encode(batch) + b"\n"


def _batches(path: Path) -> Iterator[Batch]:
    """Yield the whole lines of a `.done.jsonl`; a torn one ends it."""
    if not path.exists():
        return
    decoder = msgspec.json.Decoder(Batch)
    with path.open("rb") as handle:
        for line in handle:
            try:
                batch = decoder.decode(line)
            except msgspec.DecodeError:
                return
            if not line.endswith(b"\n"):
                return
            yield batch


def _append(descriptor: int, data: bytes | bytearray, path: Path) -> None:
    try:
        view = memoryview(data)
        while view:
            view = view[os.write(descriptor, view) :]
        os.fsync(descriptor)
    except OSError as error:
        raise RunError(f"can't write {path}: {error.strerror}; make room and start again") from None


def _private(path: Path, more: int) -> int:
    """Open a file for writing that only its owner can read."""
    flags = os.O_WRONLY | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC | more
    return os.open(path, flags, 0o600)


def _lock(path: Path) -> int:
    """Take the folder for this process, until it ends or lets go.

    Raises:
        RunError: another process has it.
    """
    descriptor = -1
    try:
        descriptor = _private(path / ".lock", 0)
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        os.close(descriptor)
        raise RunError(f"another run is using {path}: wait for it, or give another --run") from None
    except OSError as error:
        raise RunError(f"can't write to {path}: {error.strerror}") from None
    return descriptor


def _now() -> str:
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
