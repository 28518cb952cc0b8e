"""Kill every command at every place where it changes a file, and see that nothing is lost.

    python tests/kills.py [--every N] [COMMAND …]

A command runs in a process of its own that is killed (SIGKILL) right before its n-th change: a
file opened for writing, renamed, removed, truncated or flushed, a folder made or removed. Then:

- no masked value stands in what is released, and no document is missing from it;
- the documents and the run beside them are the ones before, or the ones after: `verify` is content;
- the same command, run again, ends well and leaves what it leaves when nobody kills it: the same
  bytes, and no file that is half written.

The counts are printed, a line per command. `tests/runs/test_kills.py` does so at a few places.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import signal
import sys
import tempfile
import traceback
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import msgspec

from linkmask import commands, runs
from linkmask.config import Settings
from linkmask.errors import LinkmaskError

CHANGES = frozenset(
    "os.rename os.remove os.mkdir os.rmdir os.truncate os.link os.chmod shutil.move".split()
)
WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC
MAILS = ("tamsin.okonjo@example.org", "b.malinowski@example.org", "priya@example.org")
NEW = "wenda@example.org"
PLAIN = Settings(detector="patterns", workers=1, rare_pairs="linker")
"""Rare words are masked, too: the linker takes so few notes for those of one person."""
SEALED = msgspec.structs.replace(PLAIN, style="pseudonym")
VARYING = {
    "certificate-1.json",
    "file-stamps",
    "ledger.json",
    "run.json",
    "scored.arrays",
    "report.html",
    "summary.json",
    ".lock",
}
"""Files that hold times, or what depends on them."""
RELEASED = "out.run/released.json"


class Place:
    """A folder with an input, in which commands run: what is there comes back as it was."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.input, self.work, self._kept = root / "in", root / "work", root / "kept"
        self.input.mkdir(parents=True)
        self.work.mkdir()
        for number, mail in enumerate(MAILS):
            told = f"Write to {mail} about the claim of 2024-02-0{number + 1}."
            record = {"id": f"note {number}", "content": told}
            (self.input / f"{number}.json").write_text(json.dumps(record))
        self.changed = root / "changed"
        """The input of another day: one document is new, one has another text, one is gone."""
        shutil.copytree(self.input, self.changed)
        (self.changed / "2.json").unlink()
        for number, mail in ((1, MAILS[1]), (3, NEW)):
            record = {"id": f"note {number}", "content": f"The claim of {mail} was paid."}
            (self.changed / f"{number}.json").write_text(json.dumps(record))
        self.out, self.run, self.back = (self.work / name for name in ("out", "out.run", "back"))

    def keep(self, name: str) -> None:
        """Keep what is there under a name."""
        shutil.rmtree(self._kept / name, ignore_errors=True)
        shutil.copytree(self.work, self._kept / name)

    def restore(self, name: str) -> None:
        """Bring back what was kept under a name."""
        shutil.rmtree(self.work)
        shutil.copytree(self._kept / name, self.work)

    def contents(self) -> dict[str, bytes]:
        """Return all files by name; of those that vary, only that they are there."""
        return {
            str(path.relative_to(self.work)): b"" if path.name in VARYING else path.read_bytes()
            for path in sorted(self.work.rglob("*"))
            if path.is_file() and path.name != ".lock"
        }

    def released(self) -> dict[str, bytes]:
        """Return what is released."""
        return {n: text for n, text in self.contents().items() if n.startswith("out/documents/")}


@dataclass(frozen=True)
class Command:
    """A command, what is there before it, and whether it writes originals."""

    work: Callable[[Place], Any]
    before: tuple[str, ...] = ()
    restores: bool = False


def _mask(place: Place) -> Any:
    return commands.mask_files(place.input, place.out, SEALED)


def _mask_over(place: Place) -> Any:
    return commands.mask_files(place.input, place.out, SEALED, overwrite=True)


def _mask_plain(place: Place) -> Any:
    return commands.mask_files(place.input, place.out, PLAIN)


def _mask_no_run(place: Place) -> Any:
    return commands.mask_files(place.input, place.out, PLAIN, keep_run=False)


def _plan(place: Place) -> Any:
    return commands.plan_run(place.run, {"theta_doc": 0.2, "edge_threshold": 0.3})


def _apply(place: Place) -> Any:
    return commands.apply_run(place.run, place.work / "other", {})


def _apply_over(place: Place) -> Any:
    return commands.apply_run(place.run, place.out, {"style": "redact"}, overwrite=True)


def _unmask(place: Place) -> Any:
    return commands.unmask_files(place.out, place.back)


def _unmask_over(place: Place) -> Any:
    return commands.unmask_files(place.out, place.back, overwrite=True)


def _forget(place: Place) -> Any:
    return commands.forget_subject(place.run, [MAILS[1]])


def _update(place: Place) -> Any:
    return commands.update_files(place.run, place.changed, place.out, {})


COMMANDS = {
    "mask": Command(_mask),
    "mask --no-run": Command(_mask_no_run),
    "mask --overwrite": Command(_mask_over, ("mask plain",)),
    "plan": Command(_plan, ("mask",)),
    "apply": Command(_apply, ("mask",)),
    "apply --overwrite": Command(_apply_over, ("mask", "plan")),
    "unmask": Command(_unmask, ("mask",), restores=True),
    "unmask --overwrite": Command(_unmask_over, ("mask", "unmask"), restores=True),
    "forget": Command(_forget, ("mask",)),
    "update": Command(_update, ("mask",)),
}
STEPS = {name: one.work for name, one in COMMANDS.items()} | {"mask plain": _mask_plain}


def count_changes(folder: Path, at: int, told: int) -> None:
    """Count this process's changes of files below a folder from now on; be killed at the n-th.

    `told`: a descriptor to which a byte is written for each.
    """
    seen = [0]

    def changed() -> None:
        seen[0] += 1
        if seen[0] == at:
            os.kill(os.getpid(), signal.SIGKILL)
        os.write(told, b".")

    def hook(event: str, arguments: tuple[Any, ...]) -> None:
        opened = event == "open" and isinstance(arguments[2], int) and arguments[2] & WRITING
        if not (opened or event in CHANGES) or not isinstance(arguments[0], str | bytes | Path):
            return
        name = os.fsdecode(arguments[0])
        # What is named from an open folder (shutil.rmtree does so) is below it, too.
        if name.startswith(str(folder)) or not name.startswith("/"):
            changed()

    fsync = os.fsync

    def flush(descriptor: Any) -> None:
        changed()
        fsync(descriptor)

    os.fsync = flush
    sys.addaudithook(hook)


def run(place: Place, work: Callable[[Place], Any], at: int = 0) -> tuple[str, int]:
    """Run a command in a process of its own; return how it ended and after how many changes.

    It ended "well", was "killed", or ended with the name and the message of an error.
    """
    read, write = os.pipe()
    said = place.root / "said"
    said.unlink(missing_ok=True)
    child = os.fork()
    if not child:
        os.close(read)
        status = 1
        with suppress(BaseException):
            try:
                count_changes(place.work, at, write)
                runs.folder.new_salt = lambda: "5a" * 16  # files are compared between runs
                work(place)
                status = 0
            except LinkmaskError as error:
                said.write_text(f"{type(error).__name__}: {error}")
            except BaseException:
                said.write_text(traceback.format_exc())
        os._exit(status)
    os.close(write)
    with os.fdopen(read, "rb") as pipe:
        changes = len(pipe.read())
    _, status = os.waitpid(child, 0)
    if os.WIFSIGNALED(status):
        return "killed", changes
    return (said.read_text() if os.WEXITSTATUS(status) else "well"), changes


@dataclass
class Counts:
    """What came of killing a command: at how many places, and what was wrong, place by place."""

    places: int = 0
    killed: int = 0
    wrong: list[str] = field(default_factory=list)


def prepared(place: Place, command: Command) -> None:
    """Bring about what is there before a command, and keep it."""
    shutil.rmtree(place.work)
    place.work.mkdir()
    for step in command.before:
        ended, _ = run(place, STEPS[step])
        assert ended == "well", f"{step}: {ended}"
    place.keep("before")


def _warm(place: Place, command: Command) -> Place:
    """Load here what a command needs, so that the processes forked from this one have it."""
    shutil.rmtree(place.work)
    place.work.mkdir()
    for step in command.before:
        STEPS[step](place)
    return place


def kill(place: Place, name: str, chosen: Callable[[int], Iterator[int]]) -> Counts:
    """Kill a command at the chosen ones of all the places where it changes a file."""
    command = COMMANDS[name]
    command.work(_warm(place, command))
    prepared(place, command)
    before = place.contents()
    ended, changes = run(place, command.work)
    assert ended == "well", f"{name}: {ended}"
    after = place.contents()
    counts = Counts(changes)
    for at in chosen(changes):
        place.restore("before")
        ended, _ = run(place, command.work, at)
        counts.killed += ended == "killed"
        place.keep("killed")
        wrong = [*_states(place, command, before, after), *_again(place, command, after)]
        counts.wrong += [f"{name}, change {at}: {what}" for what in wrong]
    return counts


def _states(
    place: Place, command: Command, before: dict[str, bytes], after: dict[str, bytes]
) -> Iterator[str]:
    """Say what is wrong with what a killed command left."""
    if not command.restores:
        text = b"".join(place.released().values()).decode()
        yield from (f"{name} is released" for name in (*MAILS, NEW) if name in text)

    def look(place: Place) -> None:
        runs.recover(place.run)
        if (place.run / "released.json").exists():
            findings = commands.verify_files(place.out, place.run)
            if any(one.blocking for one in findings):
                raise LinkmaskError(f"verify: {len(findings)} findings")

    ended, _ = run(place, look)
    if ended != "well":
        yield f"verify says {ended}"
    pairs = [
        {n: text for n, text in one.items() if n.startswith("out/documents/") or n == RELEASED}
        for one in (before, after, place.contents())
    ]
    if pairs[2] not in pairs[:2]:
        yield "documents and run are of two releases"


def _again(place: Place, command: Command, after: dict[str, bytes]) -> Iterator[str]:
    """Say what is wrong where a killed command is run again."""
    place.restore("killed")
    ended, _ = run(place, command.work)
    if ended != "well":
        yield f"the same command says {ended}"
    now = place.contents()
    differs = sorted(n for n in now.keys() | after.keys() if now.get(n) != after.get(n))
    if differs:
        yield f"not as without a kill: {', '.join(differs)}"


def main() -> int:
    """Kill the commands named, or all; print the counts."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--every", type=int, default=1, help="only at each N-th place")
    parser.add_argument("commands", nargs="*", metavar="COMMAND", help=", ".join(COMMANDS))
    asked = parser.parse_args()
    os.environ["LINKMASK_KEY"] = "k" * 32
    wrong = 0
    print(f"{'command':20} {'places':>7} {'killed':>7} {'wrong':>7}")
    for name in asked.commands or COMMANDS:
        with tempfile.TemporaryDirectory(prefix="linkmask-kills-") as folder:
            place = Place(Path(folder).resolve() / "place")
            counts = kill(place, name, lambda n: iter(range(1, n + 1, asked.every)))
        print(f"{name:20} {counts.places:7} {counts.killed:7} {len(counts.wrong):7}", flush=True)
        for what in counts.wrong:
            print(f"    {what}", flush=True)
        wrong += len(counts.wrong)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
