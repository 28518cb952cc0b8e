"""Runs the command line as a user does, and reads what it wrote."""

import hashlib
import os
import shutil
import subprocess
import sys
from pathlib import Path

from click.testing import CliRunner

from linkmask.cli import main

EXAMPLES = Path(__file__).parents[1] / "examples" / "insurance"
DOCUMENTS = EXAMPLES / "documents"

Done = subprocess.CompletedProcess[str]


def linkmask(*args: object) -> Done:
    """Run a command in this process: another would load for seconds what this one has loaded.

    An error that the command does not turn into a message and an exit status is raised.
    """
    words = [*map(str, args)]
    done = CliRunner().invoke(main, words, prog_name="linkmask")
    if done.exception and not isinstance(done.exception, SystemExit):
        raise done.exception
    return Done(words, done.exit_code, done.stdout, done.stderr)


def process(*args: object, **environment: str) -> Done:
    """Run a command in a process of its own."""
    return subprocess.run(
        [sys.executable, "-m", "linkmask", *map(str, args)],
        capture_output=True,
        text=True,
        env=os.environ | environment,
        stdin=subprocess.DEVNULL,
    )


def digests(folder: Path) -> dict[str, str]:
    """Digest of each file below a folder, by name."""
    return {
        str(path.relative_to(folder)): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


def run_of(out: Path) -> Path:
    """The run of what was written to a folder."""
    return out.with_name(f"{out.name}.run")


def copy_of(masked: Path, tmp_path: Path) -> Path:
    """A copy of the masked output and of its run that a test may change."""
    shutil.copytree(run_of(masked), tmp_path / "copy.run")
    return Path(shutil.copytree(masked, tmp_path / "copy"))
