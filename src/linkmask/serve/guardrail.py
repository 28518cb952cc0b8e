"""Answers LiteLLM's Generic Guardrail API: prompts are masked, answers restored.

A prompt's texts come back masked; descriptions of tools, too. The answer has no place for arguments
of tool calls, names and pictures, so a request with values in these is blocked. Originals are
remembered by call and only put back into the answer of this call.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any, Literal

import msgspec

from linkmask.detect.view.non_language import SHAPED
from linkmask.masker import MaskedText
from linkmask.serve.memory import CallMask, put_back, unfinished
from linkmask.serve.service import HttpError, Query, Reply, Route, Service, as_json


class GuardBody(msgspec.Struct):
    """What LiteLLM sends before (`request`) and after (`response`) it asks a model."""

    input_type: str
    texts: list[str] | None = None
    litellm_call_id: str | None = None
    structured_messages: list[Any] | None = None
    tools: list[Any] | None = None
    tool_calls: list[Any] | None = None
    images: list[str] | None = None


Action = Literal["NONE", "BLOCKED", "GUARDRAIL_INTERVENED"]


class GuardAnswer(msgspec.Struct, omit_defaults=True):
    """What is to be done; `stream_holdback_chars`: characters at a text's end not to send yet."""

    action: Action
    blocked_reason: str | None = None
    texts: list[str] | None = None
    tools: list[Any] | None = None
    stream_holdback_chars: list[int] | None = None


NOT_READ = frozenset({"role", "type", "id", "tool_call_id", "index", "required"})
"""Keys whose values the gateway makes, or which name keys."""
PROSE = frozenset({"description", "title"})
"""Keys of tools whose values are prose."""
ARGUMENTS = "arguments"
"""Key of the JSON that a tool is called with, as a text."""
OPENS, LONGEST = "[", 64
"""How a placeholder begins, and the most characters that it has."""


async def guard(service: Service, body: GuardBody, query: Query) -> Reply:
    """Mask a request, or restore its response."""
    if body.input_type == "request":
        return as_json(await _request(service, body))
    if body.input_type == "response":
        return as_json(await _response(service, body))
    raise HttpError(422, "input_type is neither request nor response")


async def _request(service: Service, body: GuardBody) -> GuardAnswer:
    if body.images and not service.images:
        return _blocked("Pictures can't be masked; linkmask serve --images lets them through")
    texts = body.texts or []
    done: list[MaskedText] = await service.work("mask", texts)
    prose, fixed, constants = list(_prose(body.tools)), list(_fixed(body)), list(_constants(body))
    beside: list[MaskedText] = await service.pool.do("mask", [*prose, *fixed, *constants])
    if len(beside) != len(prose) + len(fixed) + len(constants):
        raise HttpError(500, "Internal server error")
    service.metrics.worked(len(done), (s.type for one in (*done, *beside) for s in one.spans))
    first, last = len(prose), len(prose) + len(fixed)
    if any(one.spans for one in beside[first:last]) or any(map(_certain, beside[last:])):
        return _blocked("Values stand where they can't be masked: a tool call, a name, a tool")
    pairs = [*zip(texts, done, strict=True), *zip(prose, beside[:first], strict=True)]
    if body.litellm_call_id:
        service.memory.keep(body.litellm_call_id, _masks(pairs))
    new = {text: one.text for text, one in pairs[len(done) :] if one.spans}
    changed = any(one.spans for _, one in pairs)
    return GuardAnswer(
        "GUARDRAIL_INTERVENED" if changed else "NONE",
        texts=[one.text for one in done],
        tools=_rewritten(body.tools, new) if new else None,
    )


def _blocked(reason: str) -> GuardAnswer:
    return GuardAnswer("BLOCKED", blocked_reason=reason)


def _masks(pairs: Iterable[tuple[str, MaskedText]]) -> Iterator[CallMask]:
    """Yield each mask with its entity and the spelling that it stands for."""
    for text, masked in pairs:
        for span in masked.spans:
            mask = masked.text[span.masked_start : span.masked_end]
            yield CallMask(mask, span.entity, text[span.start : span.end])


async def _response(service: Service, body: GuardBody) -> GuardAnswer:
    texts = body.texts or []
    originals = service.memory.of(body.litellm_call_id or "")
    new = [put_back(text, originals) for text in texts]
    held = [unfinished(text, originals) for text in texts]
    if service.originals and service.has_run:
        new = await service.work("unmask", new)
        held = [max(n, _open_bracket(text)) for n, text in zip(held, texts, strict=True)]
    action: Action = "NONE" if new == texts else "GUARDRAIL_INTERVENED"
    return GuardAnswer(action, texts=new, stream_holdback_chars=held)


def _open_bracket(text: str) -> int:
    """Return how many characters at the end of a text may be the beginning of a placeholder."""
    at = text.rfind(OPENS)
    size = len(text) - at
    return size if at >= 0 and "]" not in text[at:] and size <= LONGEST else 0


# ── what else a request holds ───────────────────────────────────────────────────────────────────


def _prose(tools: Sequence[Any] | None) -> Iterator[str]:
    """Yield the texts of tools that may be written anew."""
    for key, text in _leaves("", tools or []):
        if key in PROSE:
            yield text


def _fixed(body: GuardBody) -> Iterator[str]:
    """Yield the parts of messages and calls that can't be masked, a text for each."""
    messages = [_without_name(one) for one in body.structured_messages or ()]
    texts = {*(body.texts or ()), *(body.images or ())}
    return _lines([*messages, *(body.tool_calls or ())], texts)


def _constants(body: GuardBody) -> Iterator[str]:
    """Yield the parts of tools that can't be masked: names and choices, which a program sets."""
    return _lines(body.tools or (), frozenset())


def _certain(masked: MaskedText) -> bool:
    """Tell whether a text holds a value of the run, or one that its form makes certain.

    A choice such as "celsius" can also be a given name; in a program's constants it is none.
    """
    return any(span.known or span.type in SHAPED for span in masked.spans)


def _lines(trees: Iterable[Any], texts: Collection[str]) -> Iterator[str]:
    """Yield each tree that holds texts other than known ones, as a line for each.

    They stand behind their keys, so that detection sees what they are.
    """
    for tree in trees:
        lines = [
            f"{key}: {text}"
            for key, text in _leaves("", _without_function(tree))
            if key not in NOT_READ and key not in PROSE and text not in texts
        ]
        if lines:
            yield "\n".join(lines)


def _without_name(message: Any) -> Any:
    """Return a message without the name of the tool that it is the answer of."""
    if isinstance(message, dict) and message.get("role") in ("tool", "function"):
        return {key: value for key, value in message.items() if key != "name"}
    return message


def _without_function(tree: Any) -> Any:
    """Return a tool, a call, or a message with calls, without names of functions."""
    if isinstance(tree, list):
        return [_without_function(one) for one in tree]
    if not isinstance(tree, dict):
        return tree
    inner = {key: _without_function(value) for key, value in tree.items()}
    for key in ("function", "function_call"):
        if isinstance(inner.get(key), dict):
            inner[key] = {name: one for name, one in inner[key].items() if name != "name"}
    return inner


def _leaves(key: str, tree: Any) -> Iterator[tuple[str, str]]:
    """Yield each text and number of a tree with its key, those of a call's arguments as well."""
    waiting = [(key, tree)]
    while waiting:
        key, value = waiting.pop()
        if isinstance(value, str):
            inner = _json(value) if key == ARGUMENTS else None
            if inner is None:
                yield key, value
            else:
                waiting.append((key, inner))
        elif isinstance(value, dict):
            waiting += list(value.items())[::-1]
        elif isinstance(value, list):
            waiting += [(key, one) for one in value[::-1]]
        elif isinstance(value, int | float) and not isinstance(value, bool):
            yield key, str(value)


def _json(text: str) -> Any:
    """Return the object or list that a text holds as JSON; None if it holds none."""
    try:
        value = msgspec.json.decode(text)
    except (msgspec.DecodeError, RecursionError):
        return None
    return value if isinstance(value, dict | list) else None


def _rewritten(tree: Any, new: Mapping[str, str], key: str = "") -> Any:
    """Return a tree with its prose written anew."""
    if isinstance(tree, str):
        return new.get(tree, tree) if key in PROSE else tree
    if isinstance(tree, dict):
        return {name: _rewritten(value, new, name) for name, value in tree.items()}
    if isinstance(tree, list):
        return [_rewritten(one, new, key) for one in tree]
    return tree


ROUTES = (
    Route(
        "POST", "/beta/litellm_basic_guardrail_api", guard,
        "LiteLLM: mask a prompt, restore an answer", GuardBody, GuardAnswer,
    ),
)  # fmt: skip
