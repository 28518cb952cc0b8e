"""Reads recognizers that a request brings along in Presidio's form.

They run on linkmask's own engine, which refuses a pattern that could take very long.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import Any

import msgspec

from linkmask.detect.candidates import Candidate, Scope
from linkmask.detect.patterns.own import OwnRecognizers
from linkmask.detect.recognizers.row_rules import RowError, rule_of
from linkmask.schema.presidio import FLAGS, letters
from linkmask.schema.recognizer_rows import RecognizerRow

LONGEST = 2_000
"""Characters of a pattern, at most."""
MOST = 100
"""Patterns and values of a request, at most."""
WORDS = 5
"""Words before a span among which a context word counts, as in Presidio."""
BETTER, AT_LEAST = 0.35, 0.4
"""What a context word adds to a score, and the least that it is then."""


NO_PATTERN = "Pattern recognizer should be initialized with patterns or with deny list"


class InvalidRecognizer(ValueError):  # noqa: N818 - named for what is so
    """A recognizer can't be used; the message is Presidio's, or says why; `status` is HTTP's."""

    def __init__(self, message: str, status: int = 400) -> None:
        super().__init__(message)
        self.status = status


class AdHoc(msgspec.Struct, frozen=True):
    """One pattern or list of a recognizer: the name and type of its finds, its context words."""

    name: str
    entity: str
    row: RecognizerRow
    context: tuple[str, ...] = ()
    pattern: str = ""
    pattern_name: str | None = None
    flags: int | None = None
    language: str | None = None


class Hit(msgspec.Struct, frozen=True, array_like=True):
    """A span that one of a request's recognizers found: its number, score and context word."""

    start: int
    end: int
    number: int
    score: float
    word: str = ""


PATTERN = frozenset({"name", "regex", "score"})
RECOGNIZER = frozenset(
    "name supported_language supported_entity patterns deny_list deny_list_score context "
    "global_regex_flags version type supported_languages".split()
)


def parse(given: Any, language: str) -> list[AdHoc]:
    """Return the recognizers of a request that are for its language, checked.

    Raises:
        InvalidRecognizer: one has another form, or a pattern that could take too long.
    """
    if not isinstance(given, list):
        raise InvalidRecognizer("ad_hoc_recognizers must be a list")
    every = [one for number, each in enumerate(given) for one in _parsed(number, each)]
    if sum(len(one.row.values) or 1 for one in every) > MOST:
        raise InvalidRecognizer(f"ad_hoc_recognizers may hold {MOST} patterns and values")
    return [one for one in every if one.language in (None, language)]


def _parsed(number: int, one: Any) -> Iterator[AdHoc]:
    if not isinstance(one, dict):
        raise InvalidRecognizer("an ad-hoc recognizer must be an object")
    _check_keys("PatternRecognizer", one, RECOGNIZER)
    entity, name = one.get("supported_entity"), one.get("name") or "PatternRecognizer"
    if not isinstance(entity, str) or not isinstance(name, str) or not entity:
        raise _missing("PatternRecognizer", "supported_entity")
    patterns, values = _list(one, "patterns"), _texts(one, "deny_list")
    if not patterns and not values:
        raise InvalidRecognizer(NO_PATTERN, 500)
    context = tuple(word.lower() for word in _texts(one, "context"))
    spoken = one.get("supported_language")
    made = partial(AdHoc, name=name, entity=entity, context=context, language=spoken)
    flags = _flags(one)
    for part, pattern in enumerate(patterns):
        regex, score, problem = _pattern(pattern)
        row = _row(f"a{number}-{part}", pattern=_with(regex, flags), score=score)
        yield made(row=row, pattern=regex, pattern_name=problem, flags=flags)
    if values:
        if not all(re.search(r"\w", value) for value in values):
            raise InvalidRecognizer("each value of deny_list must hold a letter or a digit")
        score = _score(one.get("deny_list_score", 1.0))
        yield made(row=_row(f"a{number}", values=tuple(values), score=score))


def _pattern(given: Any) -> tuple[str, float, str | None]:
    """Return the expression, the score and the name of a pattern."""
    if not isinstance(given, dict):
        raise InvalidRecognizer("a pattern must be an object")
    _check_keys("Pattern", given, PATTERN)
    for key in ("regex", "score"):
        if key not in given:
            raise _missing("Pattern", key)
    regex = given["regex"]
    if not isinstance(regex, str) or len(regex) > LONGEST:
        raise InvalidRecognizer(f"a pattern needs a 'regex' of up to {LONGEST} characters")
    return regex, _score(given["score"]), str(given.get("name") or "") or None


def _flags(one: Mapping[str, Any]) -> int:
    flags = one.get("global_regex_flags") or FLAGS
    if isinstance(flags, bool) or not isinstance(flags, int):
        raise InvalidRecognizer("global_regex_flags must be a number")
    return flags


def _missing(kind: str, key: str) -> InvalidRecognizer:
    return InvalidRecognizer(f"{kind}.__init__() missing 1 required positional argument: '{key}'")


def _check_keys(kind: str, given: Mapping[str, Any], known: frozenset[str]) -> None:
    for key in given:
        if key not in known:
            shown = key if re.fullmatch(r"[a-z_]{1,32}", key) else "…"
            raise InvalidRecognizer(
                f"{kind}.__init__() got an unexpected keyword argument '{shown}'"
            )


def _list(one: Mapping[str, Any], key: str) -> list[Any]:
    value = one.get(key) or []
    if not isinstance(value, list):
        raise InvalidRecognizer(f"{key} must be a list")
    return value


def _texts(one: Mapping[str, Any], key: str) -> list[str]:
    values = _list(one, key)
    if not all(isinstance(value, str) for value in values):
        raise InvalidRecognizer(f"{key} must be a list of strings")
    return values


def _score(value: Any) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= 1:
        raise InvalidRecognizer("a score must be between 0 and 1")
    return float(value)


def _row(number: str, **given: Any) -> RecognizerRow:
    row = RecognizerRow(id=number, type="OTHER", **given)
    try:
        if row.pattern:
            rule_of(row)
    except RowError as error:
        raise InvalidRecognizer(f"a pattern {error.problem}") from None
    except (re.error, OverflowError, RecursionError):
        raise InvalidRecognizer("a pattern is no regular expression") from None
    return row


def _with(regex: str, flags: int) -> str:
    return f"(?{letters(flags)}:{regex})" if letters(flags) else regex


def pattern_of(allowed: Sequence[str], flags: int) -> re.Pattern[str]:
    """Return an expression that finds what one of several does.

    Raises:
        InvalidRecognizer: it is none, or could take too long.
    """
    if len(allowed) > MOST or any(len(one) > LONGEST for one in allowed):
        raise InvalidRecognizer(
            f"allow_list may hold {MOST} expressions of up to {LONGEST} characters"
        )
    return re.compile(_row("allowed", pattern=_with("|".join(allowed), flags), score=1.0).pattern)


def search(texts: Sequence[str], recognizers: Sequence[AdHoc]) -> list[list[Hit]]:
    """Return what the recognizers of a request find in each text."""
    own = OwnRecognizers([one.row for one in recognizers])
    numbers = {one.row.id: number for number, one in enumerate(recognizers)}
    return [
        [
            _hit(text, found, numbers[found.rule], recognizers[numbers[found.rule]].context)
            for found in own.find(text, Scope())
        ]
        for text in texts
    ]


def _hit(text: str, found: Candidate, number: int, context: Sequence[str]) -> Hit:
    before = [word.lower() for word in re.findall(r"\w+", text[: found.start][-200:])[-WORDS:]]
    word = next((one for one in context if any(one in each for each in before)), "")
    score = min(max(found.score + BETTER, AT_LEAST), 1.0) if word else found.score
    return Hit(found.start, found.end, number, score, word)
