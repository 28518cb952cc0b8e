"""Lets a model rewrite a masked document without placeholders (formulas.md §10.3).

The model reads the document in style `value`, so it never sees a masked value and cannot reveal
one. The caller's `check` checks the model's text. With its faults the model gets a second try; if
that fails, too, the document stays in style `value`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

from linkmask.config import Settings
from linkmask.errors import ModelError, SettingsError
from linkmask.llm import LanguageModel, ModelAnswer, Request
from linkmask.llm.delimiters import mark_for
from linkmask.llm.token_estimate import of_prompt
from linkmask.llm.windows import windows
from linkmask.schema import placeholders

FILE = Path(__file__).parent / "prompts" / "rewrite.txt"
TRIES = 2
LEAST = 64
"""Tokens of text that must fit into a request beside prompt and answer."""
GROWTH = 1.3
"""A rewritten text may have this many times the tokens of the masked one, about."""

ANSWER: dict[str, Any] = {
    "type": "object",
    "properties": {"text": {"type": "string"}},
    "required": ["text"],
    "additionalProperties": False,
}


@dataclass(frozen=True, slots=True)
class Faults:
    """What is wrong with a rewritten text.

    `reasons`: in words, without a value, each with how often. `told`: what the model is told, in
    words it wrote itself or was given. Empty where the text is good.
    """

    reasons: dict[str, int] = field(default_factory=dict)
    told: Sequence[str] = ()


TextCheck = Callable[[int, str], Faults]
"""Checks the rewritten text of the document with this number in the batch."""


@dataclass(slots=True)
class Rewritten:
    """A rewritten document: its new text, or None with the faults, and its cost.

    Only the parts that hold a placeholder are `asked` about.
    """

    parts: Sequence[str]
    asked: Sequence[bool]
    text: str | None = None
    faults: Faults = field(default_factory=Faults)
    written: list[str] = field(default_factory=list)
    requests: int = 0
    cached: int = 0
    tokens_in: int = 0
    tokens_out: int = 0
    seconds: float = 0.0

    def add(self, answer: ModelAnswer | ModelError) -> None:
        """Add what came back for the next part."""
        self.requests += 1
        if isinstance(answer, ModelError):
            reasons = {f"no answer ({type(answer).__name__})": 1}
            self.faults = Faults({**self.faults.reasons, **reasons})
        else:
            self.cached += answer.cached
        if isinstance(answer, ModelError) or not answer.cached:
            self.tokens_in += answer.tokens_in
            self.tokens_out += answer.tokens_out
            self.seconds += answer.seconds
        self.written.append("" if isinstance(answer, ModelError) else answer.value["text"])


def rewrite(
    model: LanguageModel, texts: Sequence[str], check: TextCheck, settings: Settings
) -> list[Rewritten]:
    """Let a model rewrite masked texts; each comes back checked, or as None with the reasons.

    Raises:
        ModelError: one that `stops`.
        SettingsError: the model's context has no room for a text and its rewriting.
    """
    placeholder = placeholders(settings.entity_types.types)
    done = []
    for text in texts:
        cut = split_text(text, settings)
        done.append(Rewritten(cut, [placeholder.search(part) is not None for part in cut]))
    again = list(range(len(done)))
    for _ in range(TRIES):
        _ask(model, [done[number] for number in again], settings)
        for number in again:
            one = done[number]
            if not one.faults.reasons:
                whole = "".join(map(_framed, one.parts, one.written))
                one.faults = check(number, whole)
                one.text = None if one.faults.reasons else whole
        again = [number for number in again if done[number].text is None]
    return done


def split_text(text: str, settings: Settings) -> list[str]:
    """Cut a text that is too long for one request; the parts make up the whole.

    Raises:
        SettingsError: the window has no room for a text and its rewriting.
    """
    name, instructions = prompt()
    frame = Request(
        (("system", instructions), ("user", _asking("", mark_for("")))), ANSWER, name, 0
    )
    free = settings.llm_context - of_prompt(frame) - 16
    most = min(int(settings.llm_max_tokens / GROWTH), int(free / (1 + GROWTH)), settings.llm_window)
    if most < LEAST:
        raise SettingsError(
            f"llm_context {settings.llm_context:,} and llm_max_tokens {settings.llm_max_tokens:,} "
            "have no room for a text and its rewriting: raise them"
        )
    return [text[w.start : w.end] for w in windows(text, most, overlap=0)]


def requests(texts: Iterable[str], settings: Settings) -> Iterator[Request]:
    """Yield the requests of a first try, for every part of the texts."""
    for text in texts:
        cut = split_text(text, settings)
        yield from _requests(Rewritten(cut, [True] * len(cut)), settings)


def _ask(model: LanguageModel, batch: Sequence[Rewritten], settings: Settings) -> None:
    answers = model.ask_all([request for one in batch for request in _requests(one, settings)])
    for one in batch:
        one.written, one.faults = [], Faults()
        for part, asked in zip(one.parts, one.asked, strict=True):
            if not asked:
                one.written.append(part)
                continue
            answer = next(answers)
            if isinstance(answer, ModelError) and answer.stops:
                raise answer
            one.add(answer)


def _requests(one: Rewritten, settings: Settings) -> Iterator[Request]:
    """Yield the request for each part; a second one holds what was written, and its faults."""
    name, instructions = prompt()
    for number, part in enumerate(one.parts):
        if not one.asked[number]:
            continue
        plain = part.encode("utf-8", "replace").decode("utf-8").strip()
        messages = [("system", instructions), ("user", _asking(plain, mark_for(plain)))]
        if one.faults.told and number < len(one.written) and one.written[number]:
            messages.append(("assistant", one.written[number]))
            messages.append(("user", _complaint(one.faults.told)))
        yield Request(tuple(messages), ANSWER, name, settings.llm_max_tokens)


@cache
def prompt() -> tuple[str, str]:
    """Return the prompt's name with its version, and its instructions."""
    version, _, text = FILE.read_text(encoding="utf-8").partition("\n")
    return f"rewrite/{version.removeprefix('version ')}", text.strip()


def _asking(text: str, mark: str) -> str:
    return (
        f"Text:\n{mark}\n{text}\n{mark}\n"
        f"The text ended with the mark {mark}. Rewrite it by the rules, as one JSON object."
    )


def _complaint(lines: Iterable[str]) -> str:
    faults = "\n".join(f"- {line}" for line in lines)
    return (
        f"This text has faults:\n{faults}\nWrite the whole text again without them, by the same "
        "rules, as one JSON object."
    )


def _framed(part: str, written: str) -> str:
    """Give a rewritten part the white space around it that the part had."""
    before = part[: len(part) - len(part.lstrip())]
    after = part[len(part.rstrip()) :] if part.strip() else ""
    return before + written.strip() + after
