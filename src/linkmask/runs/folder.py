"""The private folder of one run over one corpus (docs/files.md).

RUN/            0700, files 0600
├── README.txt           what this is, and that it holds identifying values
├── run.json             versions, input digest, settings as given and as resolved, times
├── stage1.jsonl         mentions of the first pass, in input order
├── mentions.jsonl       mentions of the whole detection, in input order
├── llm.jsonl            what a language model was asked, and what it cost, by document
├── *.done.jsonl         which documents the file beside it is complete for
├── risk.json, plan.json name entities by id
├── review.json          what was decided in a review; review-log.* say by whom, without values
├── lookup.arrays        what an opened run looks things up in (spellings, masks, documents)
├── vault, key, tokens   made by redaction; key and tokens stay where a run is replaced
└── next/                the run that is to replace this one, until it releases
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import platform
import shutil
import time
from collections.abc import Callable, Container, Iterable, Iterator, Mapping
from functools import partial
from pathlib import Path
from secrets import token_hex
from typing import Any

import msgspec

from linkmask.config import Settings
from linkmask.errors import RunError
from linkmask.records import Incidence, Links, Mention, MentionTable
from linkmask.runs import arrays, exchange, ledger
from linkmask.runs.atomic import write_whole
from linkmask.runs.columns import mention_table
from linkmask.runs.exchange import Journal, Share
from linkmask.runs.log import Batch, Log, batches, line_of, private
from linkmask.runs.mentions import chunks, encode, leaving_out, read_mentions
from linkmask.schema import recognizers
from linkmask.version import __version__

DETECTION = (
    "schema", "text_field", "id_field", "metadata_field", "exclude_fields", "encoding",
    "max_characters", "max_work",
    "detector", "detector_url", "countries", "languages", "relevance", "context_pass",
    "filter_strength",
    "type_filter", "top_k", "top_k_by", "merge", "same_thing", "recognizers_digest",
)  # fmt: skip
"""Settings that decide which mentions are found: a run is continued only where these agree."""

PROMPTED = (
    "llm_model", "llm_lowercase", "llm_dates", "llm_existing", "llm_window", "llm_overlap",
    "llm_failed", "llm_doubted",
)  # fmt: skip
"""Those that matter beside them where a language model detects."""

NEXT = "next"
RECOGNIZERS = "recognizers.json"
"""The run's copy of the user's recognizers."""
SCORED = "scored.arrays"
VAULT = "vault"
LOOKUP = "lookup.arrays"
"""What an opened run looks things up in; made anew from the run where it is missing."""
COUNTS, LEDGER = "counts.json", "ledger.json"
"""Kept from one edition to the next: pinned counts, and what was released."""
DECIDED = "review.json"
"""What was decided in a review, by the ids of the entities."""
LOGS = ("stage1", "mentions")
OURS = (
    SCORED, DECIDED, RECOGNIZERS, COUNTS, LEDGER,
    "README.txt", "run.json", "risk.json", "plan.json", "policy.json", VAULT, "mentions.parquet",
    "risk-documents.parquet", "risk-links.parquet", "risk-entities.parquet", "released.json",
    "set-aside.jsonl", ledger.NAME,
    "plan-masked.parquet", "plan-documents.parquet", "plan-chains.parquet",
    *(f"{log}{end}" for log in LOGS for end in (".jsonl", ".done.jsonl")),
)  # fmt: skip
"""Names a run makes, and that go with it. Nothing else in its folder is ever removed: the key and
the random codes serve the run that replaces it, and the log of decisions stays."""
BEGUN = frozenset({".lock", "README.txt", ".README.txt.partial", ".run.json.partial"})
"""What stands in the folder of a run that was killed before it had begun."""

README = """\
This folder belongs to a run of linkmask. It holds identifying values of the masked documents:
the mentions that were found, and what is needed to undo the masks. Keep it private, back it up
only where the original documents may lie, and delete it when nobody has to explain or undo the
run any more. The masked documents do not need it.
"""


def new_salt() -> str:
    """Draw the secret of a run, 32 hex digits."""
    return token_hex(16)


class Run:
    """One run's folder. Made by `create`, `open` or `resume`; use it in a `with`, or `close` it."""

    kept = True
    """Whether the run is still needed when it has released."""

    def __init__(self, path: Path, about: dict[str, Any], lock: int, home: Path) -> None:
        self.path = path
        self.home = home
        """The folder itself; another than `path` where the run is to replace the one that is there:
        it is made in `next`, inside of it, and takes its place when it releases."""
        self.about = about
        """The content of run.json."""
        self.completed: dict[str, int] = {}
        """What is to be said of an exchange that a killed command had decided."""
        self._lock = lock
        self._apart: Path | None = None

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
        if "released.json" in names:
            raise RunError(
                f"{path} is the run of a release, and needed to verify and unmask it: give another "
                "folder, or remove it yourself"
            )
        run = cls(path, {}, _lock(home), home)
        with contextlib.ExitStack() as failing:
            failing.callback(run.close)
            run.tidy()
            for name in sorted(names & set(OURS), key="run.json".__eq__):
                (path / name).unlink()  # run.json last: as long as it stands, the folder is ours
            run.write("README.txt", [README.encode()])
            if settings.recognizers:
                run.write_json(RECOGNIZERS, recognizers.load(settings.recognizers))
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
            RunError: there is no run, it is damaged, or (with `write`) another process is on it.
        """
        completed = recover(path)
        home, path = path, path / NEXT if replacing else path
        if not (path / "run.json").is_file():
            raise RunError(f"{path} holds no run: make one with linkmask scan or mask")
        lock = _lock(home) if write else -1
        run = cls(path, {}, lock, home)
        run.completed = completed.done if completed else {}
        try:
            if write:
                run.tidy()
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
        names = (*DETECTION, *(PROMPTED if "llm" in settings.detector else ()))
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
            return self.with_copies(msgspec.convert(self.about["settings"]["resolved"], Settings))
        except msgspec.ValidationError:
            raise RunError(f"{self.path}/run.json holds settings of another version") from None

    def with_copies(self, settings: Settings) -> Settings:
        """Return settings that read the run's copy of the user's recognizers.

        So the run needs the files no more that it was made with.
        """
        if not settings.recognizers:
            return settings
        copy = str(self.path / RECOGNIZERS)
        return msgspec.structs.replace(settings, recognizers=(copy,))

    @property
    def salt(self) -> bytes:
        """The secret by which reports name entities; empty for a run of an earlier version."""
        return bytes.fromhex(self.about.get("salt", ""))

    def keep_vault(self, release: str) -> None:
        """Keep the vault of the last release under its name, before another takes its place."""
        if (self.path / VAULT).exists():
            self.write(f"{VAULT}-{release}", [(self.path / VAULT).read_bytes()])

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

    # ── files written whole, and several of them together ───────────────────────────────────────

    @contextlib.contextmanager
    def together(self, **done: int) -> Iterator[None]:
        """Bring all that is written in here into place at once, or nothing of it.

        `done`: what is to be said of it, should this be killed before it could; see `completed`.
        """
        if self._apart is not None:  # part of something larger
            yield
            return
        place, staged = self.path, self.path / exchange.STAGED
        self._apart = staged
        try:
            staged.mkdir(mode=0o700)
            yield
            if self._apart is not None:
                self.release_shares(**done)
        finally:
            self._apart = None
            if not (place / exchange.JOURNAL).exists():
                shutil.rmtree(staged, ignore_errors=True)

    def release_shares(self, *shares: Share, **done: int) -> None:
        """Decide what was written apart, together with the shares of other folders: a release.

        A run that is to replace another takes its place with its release, whose journal stays
        until `ended`.

        Raises:
            RunError: the disk is full, or can't be written; or what is decided can't be put in
                place yet.
        """
        self._apart = None
        try:
            own = exchange.share(self.path)
            if shares and self.path == self.home:
                exchange.decide(self.home, Journal([*shares, own], not self.kept))
                return
            exchange.decide(self.path, Journal([own], done=done))
            exchange.close(self.path)
            if shares:
                kinds = ("released-*.json", f"{VAULT}-*")
                earlier = (one.name for kind in kinds for one in self.home.glob(kind))
                whole = exchange.share(self.home, [*OURS, *earlier], NEXT)
                exchange.decide(self.home, Journal([*shares, whole], not self.kept))
                self.path = self.home
        except BaseException as error:
            exchange.withdraw(self.home, shares)
            if isinstance(error, OSError):
                raise RunError(f"can't write to {self.path}: {error.strerror}") from None
            raise

    def ended(self) -> None:
        """Say that the command is at its end, which released: it need not be done again."""
        exchange.close(self.home, not self.kept)

    def forsake(self) -> None:
        """Remove what was begun of a run that was to replace this one."""
        exchange.discard(self.home / NEXT)

    def forget_lookup(self) -> None:
        """Remove what an opened run looks things up in, also what a killed process left of it."""
        for path in self.path.glob(f"{LOOKUP}*"):
            path.unlink(missing_ok=True)

    def tidy(self) -> None:
        """Remove what a killed command left half written."""
        exchange.complete(self.path)
        for left in (exchange.STAGED, exchange.OLD):
            shutil.rmtree(self.path / left, ignore_errors=True)
        for partial_ in self.path.glob(".*.partial"):
            partial_.unlink(missing_ok=True)

    def find(self, name: str) -> Path:
        """Return where a file is, as it was last written."""
        apart = self._apart / name if self._apart is not None else None
        return apart if apart is not None and apart.exists() else self.path / name

    def write(self, name: str, chunks: Iterable[bytes | memoryview]) -> None:
        """Write a file whole or not at all, readable by its owner only.

        Raises:
            RunError: the disk is full, or can't be written.
        """
        try:
            write_whole((self._apart or self.path) / name, chunks)
        except OSError as error:
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
            return msgspec.json.decode(self.find(name).read_bytes())
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

    def keep_scored(self, incidence: Incidence, links: Links) -> None:
        """Keep what the mentions came to, for planning again."""
        self.write(SCORED, arrays.dump(incidence, links))

    def scored(self) -> tuple[Incidence, Links] | None:
        """Return the incidence and the links that were kept, if there are any."""
        path = self.find(SCORED)
        return arrays.load(path) if path.exists() else None

    def has(self, name: str) -> bool:
        """Tell whether a log (`stage1`, `mentions`) was begun; an adopted file is none."""
        return self.find(f"{name}.done.jsonl").exists()

    def documents(self, name: str = "mentions") -> list[str]:
        """Ids of the documents a log is complete for, in input order, also without mentions."""
        return [d for batch in batches(self.find(f"{name}.done.jsonl")) for d in batch.documents]

    def mentions(self, name: str = "mentions") -> Iterator[Mention]:
        """Yield the mentions of a log in input order."""
        return read_mentions(self._file(name))

    def rewrite(self, name: str, pairs: Iterable[tuple[str, Iterable[Mention]]]) -> None:
        """Replace a log, and the list of the documents that it covers."""
        documents: list[str] = []

        def lines() -> Iterator[bytes]:
            for document, mentions in pairs:
                documents.append(document)
                yield from map(encode, mentions)

        with self.together():
            self.write(f"{name}.jsonl", lines())
            size = self.find(f"{name}.jsonl").stat().st_size
            self.write(f"{name}.done.jsonl", [line_of(Batch(documents, size, complete=True))])

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

    def leave_out(self, documents: Container[str]) -> None:
        """Remove all mentions of some documents from the run's logs, or from what was adopted."""
        for log in LOGS:
            if self.has(log):
                pairs = self.by_document(log)
                self.rewrite(log, ((name, each) for name, each in pairs if name not in documents))
        if not self.has("mentions"):
            adopted = self._file("mentions")
            self.write(adopted.name, leaving_out(adopted, documents))

    def _file(self, name: str) -> Path:
        """Return the file that holds a log, or that was adopted in its place."""
        adopted = self.find(f"{name}.parquet")
        return adopted if adopted.exists() else self.find(f"{name}.jsonl")


def recover(path: Path) -> Journal | None:
    """Complete what was decided in a run before a kill, and return it; None if nothing was.

    Raises:
        RunError: another process is on it, or it can't be completed.
    """
    if not (path / exchange.JOURNAL).exists():
        return None
    lock = _lock(path)
    try:
        return exchange.complete(path)
    finally:
        os.close(lock)


def _lock(path: Path) -> int:
    """Take the folder for this process, until it ends or lets go.

    Raises:
        RunError: another process has it.
    """
    descriptor = -1
    try:
        descriptor = private(path / ".lock", 0)
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        os.close(descriptor)
        raise RunError(f"another run is using {path}: wait for it, or give another --run") from None
    except OSError as error:
        raise RunError(f"can't write to {path}: {error.strerror}") from None
    return descriptor


def _now() -> str:
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
