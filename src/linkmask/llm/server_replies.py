"""Reads a server's reply: the text in it, the JSON in the text, and what a failure means."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

import msgspec

from linkmask.errors import BadAnswer, Refused

RESTARTS = 16
"""How many unbalanced brackets are passed over in search of the first balanced JSON."""

CLOSING = {"{": "}", "[": "]"}
BRACKET = re.compile(r'["{}\[\]]')
STRING = re.compile(r'"[^"\\]*(?:\\.[^"\\]*)*"', re.DOTALL)


def content_of(reply: Any) -> tuple[str, bool]:
    """Return the text of a chat completion, and whether it was cut at `max_tokens`.

    Raises:
        Refused: the model or a filter declined.
        BadAnswer: the reply is no chat completion.
    """
    try:
        choice = reply["choices"][0]
        message = choice["message"]
        text, refusal = message.get("content"), message.get("refusal")
        reason = choice.get("finish_reason")
    except (KeyError, IndexError, TypeError, AttributeError):
        raise BadAnswer("the server's reply is no chat completion") from None
    if refusal or reason == "content_filter":
        raise Refused("the model, or a filter of its server, declined to answer")
    if isinstance(text, list):  # parts, as some servers send them
        texts = [part.get("text") for part in text if isinstance(part, dict)]
        text = "".join(part for part in texts if isinstance(part, str))
    return text if isinstance(text, str) else "", reason == "length"


def tokens_of(reply: Any) -> tuple[int, int] | None:
    """Return tokens read and written as the server counted them; None where it did not."""
    usage = reply.get("usage") if isinstance(reply, dict) else None
    if not isinstance(usage, Mapping):
        return None
    read, written = usage.get("prompt_tokens"), usage.get("completion_tokens", 0)
    if type(read) is not int or type(written) is not int:
        return None
    return max(read, 0), max(written, 0)


def json_in(text: str, opening: str = "{[") -> Any:
    """Return the JSON value that a text is, or the first balanced one in it.

    Thinking between `<think>` tags is passed over. `opening`: the brackets it may begin with.

    Raises:
        BadAnswer: there is none.
    """
    text = text.rpartition("</think>")[2].strip()
    if text[:1] in opening and text:
        try:
            return msgspec.json.decode(text)
        except (msgspec.DecodeError, UnicodeError, RecursionError):
            pass
    start = -1
    for _ in range(RESTARTS):
        start = _next(text, start + 1, opening)
        if start < 0:
            break
        end = _closing_bracket(text, start)
        if end < 0:
            continue
        try:
            return msgspec.json.decode(text[start:end])
        except (msgspec.DecodeError, UnicodeError, RecursionError):
            start = end - 1
    raise BadAnswer("the answer holds no JSON")


def _next(text: str, start: int, opening: str) -> int:
    places = [at for bracket in opening if (at := text.find(bracket, start)) >= 0]
    return min(places, default=-1)


def _closing_bracket(text: str, start: int) -> int:
    """Return where the bracket at `start` is closed, one past it; −1 where it never is."""
    open_: list[str] = []
    at = start
    while found := BRACKET.search(text, at):
        sign, at = found[0], found.end()
        if sign == '"':
            string = STRING.match(text, found.start())
            if string is None:
                return -1
            at = string.end()
        elif sign in CLOSING:
            open_.append(CLOSING[sign])
        elif open_.pop() != sign:
            return -1
        elif not open_:
            return at
    return -1
