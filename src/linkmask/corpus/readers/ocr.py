"""Recognizes the text of scanned pages by a command that the user names.

The command gets a page as a PNG picture on its standard input, and writes the page's text, in
UTF-8, to its standard output. No file is written, and its error output is discarded, because it may
hold text of the page.
"""

from __future__ import annotations

import shlex
import shutil
import subprocess

from linkmask.corpus.files import Flaw

SECONDS = 600
"""Time for a page."""


def is_command(line: str) -> bool:
    """Tell whether the first word of a line is a program that can be started."""
    try:
        words = shlex.split(line)
    except ValueError:
        return False
    return bool(words) and shutil.which(words[0]) is not None


def recognize_text(picture: bytes, command: str) -> str:
    """Return the text that a command recognizes on the picture of a page, a PNG file.

    Raises:
        Flaw: the command fails, takes too long, or writes something else than text in UTF-8.
    """
    try:
        done = subprocess.run(  # noqa: S603 - the user's own command, without a shell
            shlex.split(command), input=picture, capture_output=True, timeout=SECONDS, check=True
        )
        return done.stdout.decode("utf-8").replace("\f", "").strip()
    except subprocess.CalledProcessError as error:
        why = f"the command failed ({error.returncode})"
    except subprocess.TimeoutExpired:
        why = f"the command took more than {SECONDS} seconds"
    except OSError:
        why = "the command can't be started"
    except UnicodeDecodeError:
        why = "the command writes no UTF-8"
    raise Flaw(f"its text can't be recognized: {why}")
