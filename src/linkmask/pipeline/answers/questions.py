"""Reads questions with their answers, and the words of a text that carry content."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import NamedTuple

from linkmask.config import Settings
from linkmask.errors import InputError
from linkmask.schema import words

PLACEHOLDER = re.compile(r"\[[A-Z0-9_]+\]")
"""What a mask leaves; its name ("[TREATMENT]") must not count as a word of an answer."""
WORD = re.compile(r"\w+(?:[-.'/]\w+)*")


class UserQuestion(NamedTuple):
    """A question's number in its file, its answer, and the ids of documents that answer it.

    Without ids it is answered by the document that holds most of the answer's words.
    """

    line: int
    answer: str
    documents: Sequence[str]


@cache
def _empty() -> frozenset[str]:
    """Words without content."""
    return frozenset(word for listed in words("empty_words").values() for word in listed.split())


def content_words(text: str) -> list[str]:
    """Return the words of a text, folded, without those that carry no content."""
    folded = PLACEHOLDER.sub(" ", text).casefold().replace("‑", "-")
    return [word for word in WORD.findall(folded) if word not in _empty()]


def read_questions(path: Path) -> list[UserQuestion]:
    """Read questions from JSON lines: `answer`, and perhaps `question` and `documents`.

    Raises:
        InputError: the file can't be read, or a line is no such object; the message has its number.
    """
    try:
        lines = path.read_text(encoding="utf-8-sig").split("\n")
    except UnicodeDecodeError:
        raise InputError(f"{path} is not UTF-8: save the questions as UTF-8") from None
    except (OSError, ValueError) as error:  # a ValueError: a NUL in the path
        why = error.strerror if isinstance(error, OSError) else "it is no path"
        raise InputError(
            f"can't read the questions in {path!s:.200}: {why}; give another file by "
            "--questions, or none by --set questions="
        ) from None
    return [_question(path, n, line) for n, line in enumerate(lines, 1) if line.strip()]


def _question(path: Path, number: int, line: str) -> UserQuestion:
    try:
        row = json.loads(line)
        answer, ids = row["answer"], row.get("documents") or []
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
        answer, ids = None, []
    if isinstance(ids, str | int):
        ids = [ids]
    if not isinstance(answer, str | int | float) or not isinstance(ids, list):
        raise InputError(
            f'{path}: line {number} is no {{"question": …, "answer": …}}, perhaps with '
            '"documents": [ids]'
        )
    return UserQuestion(number, str(answer), [str(one) for one in ids])


def asked_questions(settings: Settings, needed: bool = True) -> list[UserQuestion]:
    """Return the questions that the settings name; none without a file.

    Args:
        needed: whether the file must be there; a stored plan can be applied without it.

    Raises:
        InputError: as `read_questions`.
    """
    if not settings.questions or not (needed or Path(settings.questions).is_file()):
        return []
    return read_questions(Path(settings.questions))
