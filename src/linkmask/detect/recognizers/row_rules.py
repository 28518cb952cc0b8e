"""Turns rows of recognizer files into rules that the engine of `patterns` runs."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from functools import cache

from linkmask.detect.recognizers.expression import LONGEST, MOST, MatchWork, length, work
from linkmask.detect.recognizers.prefilter import shape
from linkmask.detect.recognizers.rule import GUARD, Judge, Rule, Searched, Verdict, pieces, words
from linkmask.detect.recognizers.validators import Validator, validator
from linkmask.errors import SettingsError
from linkmask.schema.recognizer_rows import RecognizerRow

MARGIN = GUARD + 1
"""Characters beyond a match that a rule must see, to tell that the match was not cut."""


class RowError(ValueError):
    """A row can't be used: its id, the key that is wrong, and what is wrong with it."""

    def __init__(self, row: str, key: str, problem: str) -> None:
        super().__init__(f"recognizer {row}: {key}: {problem}")
        self.row, self.key, self.problem = row, key, problem


def rule_of(row: RecognizerRow) -> Rule:
    """Return the rule of a row with a pattern.

    Raises:
        RowError: it has a validator that does not exist, or a pattern that may take too much work
            or matches a text without a character.
    """
    flags = re.IGNORECASE if row.ignore_case else 0
    expression = re.compile(row.pattern, flags)
    cost = work(expression)
    if cost.steps > MOST:
        raise RowError(
            row.id,
            "pattern",
            f"may take more than {MOST:,} steps at one character of a text: give repetitions "
            "bounds, such as {1,20}, let what follows one begin with another character, or make "
            "one possessive, such as [0-9]++",
        )
    if expression.match(""):
        raise RowError(row.id, "pattern", "matches a text without a character")
    near, reach = literals_near(row)
    return Rule(
        row.id,
        row.type,
        expression.pattern if not flags else f"(?i:{row.pattern})",
        row.score,
        judge=_whole(row),
        near=near,
        reach=reach,
        scan=_bounded(expression, cost),
        countries=" ".join(row.countries),
        languages=" ".join(row.languages),
    )


def literals_near(
    row: RecognizerRow, window: tuple[int, int] | None = None
) -> tuple[tuple[str, ...], tuple[int, int]]:
    """Return pieces of a text's shape of which one stands near each value, and how near.

    They are the row's literals, else its triggers if one must stand there, else none.
    `window`: how near the literals stand that the row gives, where that need not be derived.
    """
    given = tuple(map(shape, row.literals))
    if given and window:
        return given, window
    flags = re.IGNORECASE if row.ignore_case else 0
    size = length(row.pattern, flags)
    if row.triggers and row.need == "both":
        far = label_length(row.triggers, row.gap) if row.reach == "label" else FAR
        before = 0 if row.reach == "label" else FAR + size
        before = max(before, size) if given else before
        return given or tuple(map(shape, pieces(row.triggers))), (before, far + size + MARGIN)
    return given, (size, size + MARGIN)


def checked(row: RecognizerRow) -> Validator | None:
    """Return the validator of a row, if it has one.

    Raises:
        RowError: there is none of this name.
    """
    try:
        return validator(row.validate) if row.validate else None
    except SettingsError as error:
        raise RowError(row.id, "validate", str(error)) from None


def trigger_judge(
    row: RecognizerRow,
    valid: Validator | None,
    context: Beside | None = None,
    decide: Judge | None = None,
) -> Judge:
    """Return what decides on a match by a check and the row's triggers, or by another context.

    `decide`: judges a match that passes; the verdict is the row's without it.
    """
    near = beside(row.triggers, row.reach, row.gap) if row.triggers else context
    verdict: Verdict = (row.type, row.score)
    certain: Verdict = (row.type, 1.0)
    if row.need == "either" and valid and near:
        return lambda text, start, end: (
            certain if valid(text[start:end]) else verdict if near(text, start, end) else None
        )

    def judge(text: str, start: int, end: int) -> Verdict:
        if (valid and not valid(text[start:end])) or (near and not near(text, start, end)):
            return None
        return decide(text, start, end) if decide else verdict

    return judge


def _whole(row: RecognizerRow) -> Judge:
    """Return a judge for matches that are no parts of longer words."""
    decide = trigger_judge(row, checked(row))
    return lambda text, start, end: (
        None if inside_word(text, start, end) else decide(text, start, end)
    )


def inside_word(text: str, start: int, end: int) -> bool:
    """Tell whether a span begins or ends within a word or a number."""
    return (start > 0 and text[start - 1].isalnum() and text[start].isalnum()) or (
        end < len(text) and text[end].isalnum() and text[end - 1].isalnum()
    )


def _bounded(
    expression: re.Pattern[str], cost: MatchWork
) -> Callable[..., Iterator[re.Match[str]]]:
    """Return a scan that looks at no more than `LONGEST` characters from each place.

    So a repetition without a bound takes time in proportion to the text. It tries places where a
    character stands with which a match can begin.
    """
    begins = re.compile(_class(cost.first), re.DOTALL)

    def scan(_: re.Pattern[str], seen: Searched, begin: int, stop: int) -> Iterator[re.Match[str]]:
        text, at = seen.text, max(begin, 0)
        stop = min(stop, len(text))
        while place := begins.search(text, at, stop):
            start = place.start()
            match = expression.match(text, start, min(start + LONGEST + GUARD, len(text)))
            if match and start < match.end() <= start + LONGEST:
                yield match
                at = match.end()
            else:
                at = start + 1

    return scan


def _class(held: int) -> str:
    """Return an expression for one character of a set."""
    some = "".join(f"\\x{n:02x}" for n in range(256) if held >> n & 1)
    if held >> 256:
        without = "".join(f"\\x{n:02x}" for n in range(256) if not held >> n & 1)
        return f"[^{without}]" if without else "."
    return f"[{some}]"


# ── triggers ──────────────────────────────────────────────────────────────────────────────────

FAR = 160
"""Characters on each side of a value in which a trigger is looked for, at most."""
FARTHEST = 1000
"""Characters of what an expression matches right before a value, at most."""
ENDS = {
    "line": re.compile(r"\n"),
    "cell": re.compile(r"[\n|\t;]"),
    "sentence": re.compile(r"\n\s{0,8}\n|(?<=[\w)]{3})[.!?](?=\s)"),
}
"""Where a line, a cell, a sentence ends."""

Beside = Callable[[str, int, int], bool]
"""From a text and a span of it to whether a trigger stands near the span."""


def right_before(expression: str) -> Beside:
    """Return what tells whether what stands before a span ends with a match of an expression."""
    lead, far = re.compile(f"(?:{expression})$"), max(FAR, length(expression, most=FARTHEST))
    return lambda text, start, end: lead.search(text, max(0, start - far), start) is not None


def label_length(triggers: Sequence[str], gap: str) -> int:
    """Return the most characters that a trigger and the gap behind it take, and one before them."""
    return 1 + max(map(len, triggers)) + length(gap, most=FARTHEST)


def beside(triggers: Sequence[str], reach: str, gap: str) -> Beside:
    """Return a test for a trigger near a span; `reach`, `gap`: see `RecognizerRow`.

    Its expression is compiled when the test is first made: most texts give no cause to it.
    """
    if reach == "label":
        label = cache(lambda: re.compile(f"{words(triggers)}{gap}$"))
        far = label_length(triggers, gap)
        return lambda text, start, end: label().search(text, max(0, start - far), start) is not None
    ends, trigger = ENDS[reach], cache(lambda: re.compile(words(triggers)))

    def near(text: str, start: int, end: int) -> bool:
        first = max(0, start - FAR)
        for mark in ends.finditer(text, first, start):
            first = mark.end()
        last = ends.search(text, end, end + FAR)
        stop = last.start() if last else end + FAR
        return any(
            not (found.start() < end and found.end() > start)
            for found in trigger().finditer(text, first, stop)
        )

    return near
