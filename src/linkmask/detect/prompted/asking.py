"""Sends documents to a model window by window, and collects the answers of each document.

Requests of many documents run concurrently (`LanguageModel.ask_all`); answers come in order. A
window that the model cannot take, or whose answer is cut off, is sent again in halves.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

from linkmask.config import Settings
from linkmask.detect.prompted.answer_rows import AnswerEntry, entries
from linkmask.detect.prompted.prompts import Stage, ValueRows, prompt, request, rows_of
from linkmask.detect.view.readings import Reading, stored_fields
from linkmask.errors import BadAnswer, ContextTooLong, ModelError, SettingsError
from linkmask.llm import LanguageModel, ModelAnswer, Request
from linkmask.llm.token_estimate import estimated_tokens
from linkmask.llm.windows import Window, halves, windows
from linkmask.records import Document

LEAST = 64
"""Tokens of text that must fit into a request beside prompt and answer."""
SMALLEST = 200
"""Characters below which a window is not halved any more."""


@dataclass(frozen=True, slots=True)
class Question:
    """A document to be put before a model; `given` goes along untouched.

    `cut`: known values that there was no room to show.
    """

    document: Document
    stage: Stage
    known: ValueRows = ()
    given: Any = None
    readings: tuple[Reading, ...] = ()
    text: str = ""
    windows: tuple[Window, ...] = ()
    cut: int = 0


@dataclass(slots=True)
class DocumentAnswer:
    """What a model said of a document: usable rows, what was dropped, what it cost.

    `error`: why the answer is not whole. `cached`: requests answered from the cache; tokens and
    seconds are those spent now.
    """

    question: Question
    entries: list[AnswerEntry] = field(default_factory=list)
    dropped: Counter[str] = field(default_factory=Counter)
    requests: int = 0
    cached: int = 0
    tokens_in: int = 0
    tokens_out: int = 0
    seconds: float = 0.0
    error: ModelError | None = None

    def add_answer(self, answer: ModelAnswer, type_of: Callable[[str], str | None]) -> None:
        """Add the answer on one window."""
        self.add_cost(answer, answer.cached)
        self.entries += entries(answer.value, type_of, len(self.question.text), self.dropped)

    def add_cost(self, spent: ModelAnswer | ModelError, cached: bool = False) -> None:
        """Add what one window cost, whether or not its answer can be used."""
        self.requests += 1
        self.cached += cached
        if not cached:
            self.tokens_in += spent.tokens_in
            self.tokens_out += spent.tokens_out
            self.seconds += spent.seconds


def question(
    document: Document, stage: Stage, settings: Settings, known: ValueRows = (), given: Any = None
) -> Question:
    """Ready a document: all its fields as one text, cut into windows that fit.

    Raises:
        SettingsError: the model's context has no room for any text.
    """
    fields = tuple(stored_fields(document, settings))
    text = text_of(fields, settings)
    most = room(stage, settings, known)
    cut = tuple(windows(text, most, min(settings.llm_overlap, most // 4)))
    return Question(document, stage, known, given, fields, text, cut)


def text_of(fields: Iterable[Reading], settings: Settings) -> str:
    """Return a document as a model reads it: short fields a line each with its label, then texts.

    A blank line parts the texts, so that no value runs from one field into the next.
    """
    fields = list(fields)
    labelled = [f"{one.text}\n" for one in fields if one.label and one.value.strip()]
    plain = [one.value for one in fields if not one.label and one.value]
    text = "\n".join(filter(None, ("".join(labelled), "\n\n".join(plain))))
    if not text.isascii():
        text = text.encode("utf-8", "replace").decode("utf-8")
    return text.lower() if settings.llm_lowercase else text


def room(stage: Stage, settings: Settings, known: ValueRows = ()) -> int:
    """Return how many tokens of text fit into a request, up to `llm_window`.

    Raises:
        SettingsError: next to none.
    """
    beside = prompt(stage, settings).tokens + (estimated_tokens(rows_of(known)) if known else 0)
    available = settings.llm_context - settings.llm_max_tokens - beside
    if available < LEAST:
        raise SettingsError(
            f"llm_context {settings.llm_context:,} has no room for a document beside the prompt "
            f"(about {beside:,} tokens) and the answer (llm_max_tokens "
            f"{settings.llm_max_tokens:,}): raise the first or lower the last"
        )
    return min(available, settings.llm_window)


def list_room(settings: Settings) -> int:
    """Return how many tokens of known values fit beside a text: half of what is free."""
    free = settings.llm_context - settings.llm_max_tokens - prompt("stage2", settings).tokens
    return max(free // 2, 0)


def requests_of(one: Question, settings: Settings) -> Iterator[Request]:
    """Yield the requests for a document: one for each window, none for an empty text."""
    for window in one.windows:
        yield _request(one, window, settings)


def _request(one: Question, window: Window, settings: Settings) -> Request:
    part = one.text[window.start : window.end]
    return request(one.stage, part, settings, one.known, len(one.windows) - 1)


def ask(
    model: LanguageModel, questions: Iterable[Question], settings: Settings
) -> Iterator[DocumentAnswer]:
    """Yield the model's answer on each document, in order.

    Raises:
        ModelError: one that `stops`: nothing more will be answered.
    """
    type_of = settings.entity_types.type_of
    waiting: deque[DocumentAnswer] = deque()

    def requests() -> Iterator[Request]:
        for one in questions:
            waiting.append(DocumentAnswer(one))
            yield from requests_of(one, settings)

    asked = 0
    for answer in model.ask_all(requests()):
        while not waiting[0].question.windows:
            yield waiting.popleft()
        answer_of = waiting[0]
        window = answer_of.question.windows[asked]
        asked += 1
        if isinstance(answer, ModelError):
            _ask_in_halves(model, answer_of, window, answer, settings, type_of)
        else:
            answer_of.add_answer(answer, type_of)
        if asked == len(answer_of.question.windows):
            asked = 0
            yield waiting.popleft()
    yield from waiting


def _ask_in_halves(
    model: LanguageModel,
    answer_of: DocumentAnswer,
    window: Window,
    error: ModelError,
    settings: Settings,
    type_of: Callable[[str], str | None],
) -> None:
    """Ask about a window in halves where that can help; else keep the error.

    Too long for the model: as often as it takes. No usable answer: once, since an answer that was
    cut off, or a model that lost its way, does better with half the text.

    Raises:
        ModelError: one that `stops`, or the model's window has no room for the smallest part: no
            other document would fare better.
    """
    answer_of.add_cost(error)
    if error.stops:
        raise error
    cut = halves(answer_of.question.text, window, settings.llm_overlap)
    smaller = len(window) >= 2 * SMALLEST and all(len(half) < len(window) for half in cut)
    if isinstance(error, ContextTooLong) and not smaller:
        raise error
    if not smaller or not isinstance(error, BadAnswer | ContextTooLong):
        answer_of.error = answer_of.error or error
        return
    for half in cut:
        try:
            answer_of.add_answer(model.ask(_request(answer_of.question, half, settings)), type_of)
        except ContextTooLong as other:
            _ask_in_halves(model, answer_of, half, other, settings, type_of)
        except ModelError as other:
            answer_of.add_cost(other)
            if other.stops:
                raise
            answer_of.error = answer_of.error or other
